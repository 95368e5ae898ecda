"""What a mutation is: one place of the valid game changed, and the finding that must name it."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from nomicgen.files.text_encoding import Oddity
from nomicgen.model.findings import CODES
from tests.explain_pages import printed
from tests.mutations.game import applied, loaded, proposal, redigested, valid_tree

# The files of the valid game, as the mutations call them; there is no proposal 314 yet.
P301, P303, P304, P305, P306, P307, P308, P309, P310, P311, P312, P313, P314 = (
    f"proposals/{number}.md" for number in (301, *range(303, 315))
)
R101, R102, R103, R201, R202, R203 = (
    f"rules/initial/{number}.md" for number in (101, 102, 103, 201, 202, 203)
)
J1, J2 = "judgements/1.md", "judgements/2.md"
ACT, CORRECTION = "acts/2026-01-23-temporary-rule-601.md", "acts/2026-01-24-correction.md"
DRAFT, SABLE = "proposals/quiet-hours.md", "players/sable.yml"

Content = bytes | Oddity | None
Change = Callable[[bytes], Content]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """`change` gives the new content of the file at `path` (None: no file), `slug` must be found in
    the file `at`.

    With `derive` the mutation writes `rules/` as the ledger then gives it, so that it is found by
    itself and not because `rules/` differs.
    """

    name: str
    path: str
    change: Change
    slug: str
    at: str
    derive: bool = True


def m(name: str, path: str, change: Change, slug: str, at: str = "") -> Mutation:
    """A mutation, in a line of a table. One of `rules/`, or found there, leaves `rules/` as it
    is.
    """
    derive = not any(re.fullmatch(r"rules/\d+\.md", one) for one in (path, at))
    return Mutation(name=name, path=path, change=change, slug=slug, at=at or path, derive=derive)


@functools.cache
def valid() -> dict[str, bytes | Oddity]:
    """The valid game, made once."""
    return valid_tree()


def check_mutation(one: Mutation) -> None:
    """Asserts that the mutation changes something, and that it is found at its place with its
    severity.
    """
    tree = dict(valid())
    before = tree.get(one.path, b"")
    assert isinstance(before, bytes)
    after = one.change(before)
    assert after != before or one.path not in tree, "the mutation changes nothing"
    if after is None:
        del tree[one.path]
    else:
        tree[one.path] = after
    findings = loaded(applied(tree) if one.derive else tree).findings
    found = {(finding.slug, finding.span.file) for finding in findings}
    assert (one.slug, one.at) in found, printed(findings) or "nothing was found"
    assert CODES[one.slug].severity == "warning" or any(finding.is_error for finding in findings)


def swap(old: str, new: str) -> Callable[[bytes], bytes]:
    """Puts `new` in place of the one `old`."""

    def change(data: bytes) -> bytes:
        assert data.count(old.encode()) == 1, (
            f"{old!r} stands there {data.count(old.encode())} times"
        )
        return data.replace(old.encode(), new.encode())

    return change


def law(old: str, new: str) -> Change:
    """Puts `new` in place of the one `old`, and the digest of what stands there then."""
    return lambda data: redigested(swap(old, new)(data))


def add(text: str) -> Change:
    """Puts this at the end."""
    return lambda data: data + text.encode()


def instead(instructions: str) -> Change:
    """Puts this in place of the last instruction and of what follows it."""
    return lambda data: data[: data.rindex(b"\n## ") + 1] + instructions.encode()


def new(instructions: str) -> Change:
    """The file is one more proposal, in debate: Proposal 314."""
    return put(proposal(314, 31, "One more", instructions, {}, "debate"))


def marked(rule: str, block: str) -> str:
    """An instruction that marks a rule."""
    return f"## Mark Rule {rule}\n\n```yaml rule\n{block}\n```\n"


def drop(line: str) -> Change:
    """Takes a line out."""
    return swap(f"{line}\n", "")


def put(text: str) -> Change:
    """The file is this, whatever it was."""
    return lambda _: text.encode()


def gone(_: bytes) -> None:
    """There is no such file."""


def odd(slug: str, detail: str) -> Change:
    """The system gave something else than a file's bytes."""
    assert slug in ("symlink", "file-too-large")
    oddity = Oddity("symlink" if slug == "symlink" else "file-too-large", detail)
    return lambda _: oddity
