"""A pull request's one draft: read, mended and read again, until only what needs a guess at its
author's meaning is left.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.findings import Finding, Findings, Mending, ordered
from nomicgen.play.draft import GameNames, free_name, names_in_game
from nomicgen.play.load import Game
from nomicgen.play.mending.meant import AUTHOR_MUST_SAY, meant_files
from nomicgen.play.mending.mend import LONGEST, Mended, apply_mendings, draft_of, title_in
from nomicgen.play.preview.previewing import preview_of
from nomicgen.play.rebasing import rebase
from nomicgen.play.refusal import Refused
from nomicgen.play.whole_files import WholeFile
from nomicgen.pulls.examine import Pull, supposed_pull
from nomicgen.pulls.mending.rule import proposal_for

if TYPE_CHECKING:
    from nomicgen.pulls.request import PullVerdict


_NAME = r"proposals/[a-z][a-z0-9-]{0,63}\.md"
_ROUNDS = 10  # of mending and judging again
_SAID = 12  # mendings that the comment lists


class _Text(Struct, frozen=True, kw_only=True):
    """A draft as mended so far: `said` tells what each mending did, such as `call the file
    proposals/lamps.md`; `asks` are their questions to the author.
    """

    path: str
    data: bytes
    said: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()

    def after(self, data: bytes, mendings: Sequence[Mending]) -> _Text:
        """Return the draft after further mendings, which made `data` of it."""
        said = tuple(mending.said for mending in mendings)
        asks = tuple(mending.asks for mending in mendings if mending.asks)
        return replace(self, data=data, said=(*self.said, *said), asks=(*self.asks, *asks))


def mended_pull(pull: Pull) -> Mended | None:
    """Return the draft as its author could copy it: one whole file, or one for each thing that its
    author may have meant. None where nothing is wrong with it, or nobody can mend it.

    It is offered to players alone. The mended file itself is offered only if something was mended,
    and if it has no error, or fewer than the file as it is and no new one.
    """
    verdict, base = pull.verdict, pull.base
    if verdict.actor is None or not verdict.players:
        return None
    known = names_in_game(base.records, base.replay, frozenset(base.tree), verdict.players[-1])
    begun = _begun(pull, known)
    if begun is None or len(begun[1].data) > LONGEST:
        return None
    before, text = begun
    wrong = [finding for finding in verdict.findings if finding.is_error]
    if verdict.kind == "proposal":
        wrong = list(_errors_of_draft(base, before, text.data, verdict.actor))
    if not wrong:
        return None
    for _ in range(_ROUNDS):
        following = _mend_once(base, text, verdict.actor)
        if following is None or following.data == text.data:
            break
        text = following
    left = _errors_of_draft(base, text.path, text.data, verdict.actor)
    if any(finding.slug == "encoding" for finding in left):
        return None
    meant = meant_files(base, draft_of(text.path, text.data, known), left)
    if not meant and (not text.said or (left and not _are_only_fewer(left, wrong))):
        return None
    return Mended(
        before=before,
        files=meant or (WholeFile(path=text.path, text=text.data.decode()),),
        said=_without_repetition(text.said),
        asks=_without_repetition(text.asks),
        left=() if meant else left,
        why=_why(left) if meant else "",
        rules=(*base.replay.current,)
        if len(meant) == 1 and left[0].slug == "instruction-missing"
        else (),
        fresh=verdict.kind == "rules",
    )


def _why(left: Findings) -> str:
    """Return why the author has to choose, by the most important of the errors that are `left`:
    that a rule's tier protects it, then that there are too many changes, then the first other.
    """
    asked = [finding for finding in left if finding.slug in AUTHOR_MUST_SAY]
    first = next((finding for finding in asked if finding.slug == "tier-protected"), None)
    if first is not None:
        return f"{first.message}. When it is mutable, propose the rest"
    many = next((finding for finding in asked if finding.slug == "changes-many"), None)
    return (
        f"{many.message}: propose the others afterwards"
        if many is not None
        else asked[0].message
        if asked
        else ""
    )


def _without_repetition(said: Sequence[str]) -> tuple[str, ...]:
    """Return what was said of mendings, each once, at most `_SAID`. Of several reasons why one key
    is deleted, only the first is given.
    """
    kept: dict[str, str] = {}
    for words in said:
        kept.setdefault(words.partition(":")[0] if words.startswith("delete ") else words, words)
    return (*kept.values(),)[:_SAID]


def _are_only_fewer(left: Findings, wrong: list[Finding]) -> bool:
    known = {(finding.slug, finding.message) for finding in wrong}
    return len(left) < len(wrong) and all(
        (finding.slug, finding.message) in known for finding in left
    )


def _begun(pull: Pull, known: GameNames) -> tuple[str, _Text] | None:
    """Return the present path of the file that a pull request brings as a draft, and the draft at
    its proper path. None if it brings none.
    """
    verdict = pull.verdict
    if verdict.kind == "rules":
        edits = {path: pull.laid.tree.get(path) for path in verdict.paths}
        proposal = proposal_for(
            {path: data if isinstance(data, bytes) else None for path, data in edits.items()}, known
        )
        if proposal is not None:
            said = (f"propose the change of {verdict.paths[0]}",)
            return verdict.paths[0], _Text(
                path=free_name(proposal[0], known), data=proposal[1], said=said
            )
    draft = _draft(pull, verdict)
    if draft is None:
        return None
    path, data = draft
    if re.fullmatch(_NAME, path):
        return path, _Text(path=path, data=data)
    name = free_name(title_in(data, path), known)
    return path, _Text(path=name, data=data, said=(f"call the file {name}",))


def _draft(pull: Pull, verdict: PullVerdict) -> tuple[str, bytes] | None:
    """Return the file of a pull request that is, or was meant for, a draft."""
    if verdict.kind != "proposal" or verdict.path is None:
        return pull.stray
    there, data = pull.base.records.instruments.get(verdict.path), pull.laid.tree.get(verdict.path)
    is_draft = there is None or there.number is None
    return (verdict.path, data) if is_draft and isinstance(data, bytes) else None


def _mend_once(base: Game, text: _Text, actor: str) -> _Text | None:
    """Return the text after the mendings of one reading."""
    findings = _errors_of_draft(base, text.path, text.data, actor)
    mendings = [
        finding.mending
        for finding in findings
        if finding.mending is not None and finding.mending.is_exact
    ]
    if not mendings:
        return (
            _rebase_text(base, text)
            if any(finding.slug == "revision-stale" for finding in findings)
            else None
        )
    return text.after(apply_mendings(text.data, mendings), mendings)


def _errors_of_draft(base: Game, path: str, data: bytes, actor: str) -> Findings:
    """Return the errors of a pull request that brings this file alone."""
    pull = supposed_pull(base, {path: data}, actor)
    findings = [finding for finding in pull.verdict.findings if finding.is_error]
    known = {(finding.slug, finding.span, finding.rule) for finding in findings}
    others = preview_of(pull.laid, path).findings if path in pull.laid.records.instruments else ()
    return ordered(
        [
            *findings,
            *(
                error
                for error in others
                if error.is_error and (error.slug, error.span, error.rule) not in known
            ),
        ]
    )


def _rebase_text(base: Game, text: _Text) -> _Text | None:
    """Return the text merged with what became of its rules meanwhile, None where that cannot be
    done without a conflict.
    """
    laid = supposed_pull(base, {text.path: text.data}).laid
    try:
        done = rebase(laid, text.path, base.until)
    except Refused:
        return None
    if any(merged.conflicts for merged in done.merged) or not done.move.parts:
        return None
    data = done.move.parts[0].writes[text.path]
    asks = "Does it still say what you mean? Somebody changed the rule before you."
    refs = [f"Rule {merged.instruction.target} is {merged.rule.ref} now" for merged in done.merged]
    return text.after(
        data, [Mending(said=f"{ref}: its change is taken over", asks=asks) for ref in refs]
    )
