"""The pages of `nomicgen explain`, read as fixtures: what they say, the files of their example, its
findings.

A fence of an example names in its info string what its content is. The files lie over the small
game in `tests/base.txt`, and `rules/` is what the ledger then gives, but where the example says
otherwise. What follows a fence of git is laid over what git then has: a pull request.

    markdown PATH, yaml PATH    the file
    bytes PATH                  the file, with Python's escapes
    repeat N PATH               the file, this line N times
    symlink PATH                a symbolic link, to this target
    delete                      the paths of files that are not there, one a line
    import FILE                 a text that `nomicgen import long` reads
    import text --map NAME FILE a text that `nomicgen import text` reads
    git                         commands of git, run in the game's directory; `cd` leads elsewhere
    options                     `--actor github:LOGIN`, `--head REF`: how the pull is checked;
                                `--published FILE`: how the history is verified
    text findings what `nomicgen check` prints, of a history `nomicgen verify`: the last one of the
    page
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

import nomicgen
from nomicgen.formats.findings_text import finding_text
from nomicgen.formats.styled_text import without_style
from nomicgen.importers.founding import ImportOrigin, bring_in
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.source_map import SourceMap, shipped_maps
from nomicgen.importers.sources import compare_with_source
from nomicgen.importers.text.importer import import_text
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.start import Founding
from nomicgen.pulls.examine import examine
from nomicgen.repository.game_tree import read_tree
from nomicgen.verify.history import verify
from tests.case_files import case_folder
from tests.support import ROOT

EXPLAIN = Path(nomicgen.__file__).parent / "explain"
BASE = case_folder(ROOT / "tests", "base")
ON = "2026-02-01"
"""The day on which every example is checked."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of an example: the first word of its info string, the others, and its
    content.
    """

    word: str
    rest: tuple[str, ...]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its heading, its paragraphs above the example, the fences of the example, and the
    findings expected.
    """

    slug: str
    heading: str
    paragraphs: tuple[str, ...]
    fences: tuple[Fence, ...]
    findings: str


def read_page(slug: str) -> Page:
    """Reads `explain/SLUG.md`. Raises ValueError where the page does not have its parts in their
    order.
    """
    tokens = MarkdownIt("commonmark").parse((EXPLAIN / f"{slug}.md").read_text("utf-8"))
    headings = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    shape = [(tokens[at].tag, tokens[at + 1].content) for at in headings]
    if shape != [("h1", slug), ("h2", "Example")]:
        raise ValueError(f"explain/{slug}.md has the headings {shape}")
    above, example = tokens[: headings[1]], tokens[headings[1] :]
    fences = [_fence(token) for token in example if token.type == "fence"]
    if (
        not fences
        or example[-1].type != "fence"
        or (fences[-1].word, fences[-1].rest) != ("text", ("findings",))
    ):
        raise ValueError(f"explain/{slug}.md does not end with its findings")
    return Page(
        slug=slug,
        heading=tokens[1].content,
        paragraphs=tuple(_paragraphs(above)),
        fences=tuple(fences[:-1]),
        findings=fences[-1].content,
    )


def _fence(token: Token) -> Fence:
    word, *rest = token.info.split() or [""]
    return Fence(word, tuple(rest), token.content)


def _paragraphs(tokens: list[Token]) -> list[str]:
    return [after.content for token, after in pairwise(tokens) if token.type == "paragraph_open"]


def printed(findings: Iterable[Finding]) -> str:
    """Findings as `nomicgen check` prints them into a pipe."""
    return "".join(f"{without_style(finding_text(one))}\n" for one in findings)


def write_example(page: Page, root: Path) -> Path:
    """Makes the game of a page's example in `root`, and gives the directory in which it is
    checked.
    """
    shutil.copytree(BASE, root)
    fences = [fence for fence in page.fences if fence.word != "options"]
    commanded = next((at for at, fence in enumerate(fences) if fence.word == "git"), len(fences))
    of_rules = [fence for fence in fences[:commanded] if _is_derived(fence)]
    for fence in fences[:commanded]:
        if fence not in of_rules:
            _lay(fence, root)
    for file in (root / "rules").glob("*.md"):
        file.unlink()
    game = load_tree(root, read_tree(root), Moment.parse(ON))
    for path, data in ruleset_files(game.replay.current).items():
        (root / path).write_bytes(data)
    for fence in of_rules:
        _lay(fence, root)
    for fence in fences[commanded:]:
        if fence.word == "git":
            root = _run(fence.content, root)
        else:
            _lay(fence, root)
    return root


def replay_example(page: Page, root: Path) -> tuple[Finding, ...]:
    """The findings of a page's example, git apart."""
    where = write_example(page, root)
    game = load_tree(where, read_tree(where), Moment.parse(ON))
    return as_shown(game, game.findings)


def pull_example(page: Page, root: Path) -> tuple[Finding, ...]:
    """The findings of the pull request that a page shows, on the branch `main`."""
    where = write_example(page, root)
    words = [
        word
        for fence in page.fences
        if fence.word == "options"
        for word in shlex.split(fence.content)
    ]
    options = dict(zip(words[::2], words[1::2], strict=True))
    login = options.pop("--actor", "").removeprefix("github:")
    pull = examine(
        where,
        "main",
        options.pop("--head", None),
        actor=login or None,
        until=Moment.parse(ON),
    )
    if options:
        raise ValueError(f"no example is checked with {options}")
    return pull.verdict.findings


def verify_example(page: Page, root: Path) -> str:
    """What is printed of the history that a page shows. Ids of commits, which differ from run to
    run, are left out.
    """
    where = write_example(page, root)
    published = next(
        (where / fence.content.split()[1] for fence in page.fences if fence.word == "options"), None
    )
    found = verify(where, published=published.read_bytes() if published else None)
    return without_ids(printed(found.findings))


def without_ids(text: str) -> str:
    """A text with every id of a commit as `COMMIT`."""
    return re.sub(r"\b[0-9a-f]{40}\b|\b[0-9a-f]{12}\b", "COMMIT", text)


def import_example(fence: Fence) -> tuple[Finding, ...]:
    """The findings of a text that is imported."""
    *options, name = fence.rest
    if not options:
        return import_long(fence.content.encode(), name).findings
    return import_text(fence.content.encode(), name, _map(options)).findings


def _map(options: Sequence[str]) -> SourceMap:
    return shipped_maps()[options[options.index("--map") + 1]]


def source_example(page: Page, root: Path) -> tuple[Finding, ...]:
    """The findings of a game that is held against the text that it was imported from, and was
    changed since.
    """
    text, *others = page.fences
    name, by = text.rest[-1], _map(text.rest)
    imported = import_text(text.content.encode(), name, by)
    origin = ImportOrigin(source=name, source_map=by)
    move = bring_in(root, imported, origin, Moment.parse(ON), Founding())
    for path, data in move.parts[0].writes.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    for fence in others:
        _lay(fence, root)
    source = root / text.rest[-1]
    source.write_text(text.content, "utf-8")
    return compare_with_source(load_tree(root, read_tree(root), Moment.parse(ON)), source)[1]


def _is_derived(fence: Fence) -> bool:
    paths = fence.content.split() if fence.word == "delete" else fence.rest[-1:]
    return any(
        path.startswith("rules/") and not path.startswith("rules/initial/") for path in paths
    )


def _lay(fence: Fence, root: Path) -> None:
    if fence.word == "delete":
        for path in fence.content.split():
            (root / path).unlink()
        return
    file = root / fence.rest[-1]
    file.parent.mkdir(exist_ok=True)
    if fence.word == "symlink":
        file.symlink_to(fence.content.strip())
    elif fence.word == "bytes":
        file.write_bytes(
            fence.content.removesuffix("\n").encode().decode("unicode_escape").encode("latin-1")
        )
    elif fence.word == "repeat":
        file.write_bytes(fence.content.encode() * int(fence.rest[0]))
    elif fence.word in ("markdown", "yaml"):
        file.write_bytes(fence.content.encode())
    else:
        raise ValueError(f"no example can hold a fence `{fence.word}`")


def _run(commands: str, root: Path) -> Path:
    for line in commands.splitlines():
        program, *arguments = shlex.split(line)
        if program == "cd":
            (target,) = arguments
            root = (root / target).resolve()
        elif program == "git":
            subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True)
        else:
            raise ValueError(f"an example runs git, and not {program}")
    return root
