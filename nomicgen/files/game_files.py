"""All files of a game: their bytes become records, and what is wrong with them, findings."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from nomicgen.files.documents import (
    read_imported,
    read_instrument,
    read_player,
    read_settings,
    read_turn,
)
from nomicgen.files.file_findings import quoted
from nomicgen.files.rule_files import read_rule
from nomicgen.files.text_encoding import PICTURE_LIMIT, Oddity
from nomicgen.model.findings import Finding, ordered
from nomicgen.model.import_record import IMPORT
from nomicgen.model.records import Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Source, Span

SETTINGS = "nomic.yml"
_N = r"[1-9][0-9]{0,8}"
_SLUG = r"[a-z][a-z0-9-]{0,63}"
_FORMS: dict[str, tuple[re.Pattern[str], str]] = {
    "rules": (re.compile(rf"rules/(?:initial/)?{_N}\.md"), "rules/203.md or rules/initial/203.md"),
    "proposals": (
        re.compile(rf"proposals/(?:{_N}|{_SLUG})\.md"),
        "proposals/329.md, or proposals/turnout.md for a draft",
    ),
    "judgements": (re.compile(rf"judgements/{_N}\.md"), "judgements/4.md"),
    "acts": (re.compile(r"acts/[a-z0-9][a-z0-9-]{0,127}\.md"), "acts/2020-08-14-correction.md"),
    "players": (re.compile(rf"players/{_SLUG}\.yml"), "players/alice.yml"),
    "turns": (re.compile(r"turns/R[1-9][0-9]{0,5}T[1-9][0-9]{0,5}\.yml"), "turns/R4T3.yml"),
    "images": (
        re.compile(r"images/[a-z0-9][a-z0-9._-]{0,127}\.(?:png|jpg|jpeg|gif|webp|avif)"),
        "images/319.png; pictures are png, jpg, gif, webp or avif",
    ),
}
"""For each folder, the form of its paths, and examples for a finding."""
_READERS: dict[str, Callable[[str, bytes], tuple[Any, tuple[Finding, ...]]]] = {
    "rules": read_rule,
    "proposals": read_instrument,
    "judgements": read_instrument,
    "acts": read_instrument,
    "players": read_player,
    "turns": read_turn,
    SETTINGS: read_settings,
    IMPORT: read_imported,
}
"""For each folder, and for each of the two files at the root, the function that reads a file."""
_LEFT_OVER = re.compile(r"/#[^/]*$|[~#]$|\.(?:bak|orig|rej|tmp)$")
"""Names that editors and merges give to copies."""
_ODDITIES = {
    "symlink": (
        "the file is a symbolic link to {}",
        "put the file itself in its place: a link can lead out of the game",
    ),
    "file-too-large": ("the file is too large: {}", "keep files of the game below 1 MiB"),
    "submodule": (
        "this is a submodule, at commit {}",
        "replace it by the file: `git rm --cached {}`, then write the file and add it",
    ),
}
"""For each kind of oddity, the message, with a place for its detail, and the help."""


Tree = Mapping[str, bytes | Oddity]
"""Paths from the game's root, with `/`, and the bytes of each file, or why they were not read."""
Known = tuple[Tree, Records, tuple[Finding, ...]]
"""A tree that was read before, its records, and its findings."""


def read_game(tree: Tree, known: Known | None = None) -> tuple[Records, tuple[Finding, ...]]:
    """Read every file of a game.

    Files that do not belong to the game are ignored. If a file cannot be read, its path goes into
    `Records.withheld`, and the others are read all the same. Without `nomic.yml` there is no game,
    and that is the only finding. A file that had the same bytes in `known`, and no finding there,
    keeps its record and is not parsed again.
    """
    if SETTINGS not in tree:
        return _no_game(tree)
    reading = _Reading(known)
    for path in sorted(tree):
        reading.take(path, tree[path])
    return reading.records(), ordered(reading.findings)


def _no_game(tree: Tree) -> tuple[Records, tuple[Finding, ...]]:
    near = next((path for path in sorted(tree) if path.casefold() == SETTINGS), None)
    finding = Finding(
        slug="not-a-game",
        span=Span(file=SETTINGS),
        message=f"there is no {SETTINGS} here",
        help=f"rename {near} to {SETTINGS}"
        if near
        else "go to the game's directory, or start one: `nomicgen init DIRECTORY`",
    )
    return Records(settings=_default(), settings_source=Source(file=SETTINGS)), (finding,)


def _default() -> Settings:
    return Settings(format=1, name="Nomic")


class _Reading:
    """The files of one game as they are read, one after the other."""

    def __init__(self, known: Known | None) -> None:
        self.known = known
        self.faulty = (
            {finding.span.file for finding in known[2]} if known is not None else set[str]()
        )
        self.findings: list[Finding] = []
        self.read: defaultdict[str, dict[str, Any]] = defaultdict(dict)
        """The records of each folder's files, by path."""
        self.derived_rules: dict[str, bytes] = {}
        self.images: set[str] = set()
        self.withheld: set[str] = set()

    def records(self) -> Records:
        read = self.read
        settings, source = read[SETTINGS].get(SETTINGS) or (_default(), Source(file=SETTINGS))
        return Records(
            settings=settings,
            settings_source=source,
            initial=MappingProxyType(read["rules"]),
            derived_rules=MappingProxyType(self.derived_rules),
            instruments=MappingProxyType(read["acts"] | read["judgements"] | read["proposals"]),
            players=MappingProxyType({player.ident: player for player in read["players"].values()}),
            turns=MappingProxyType({turn.ident: turn for turn in read["turns"].values()}),
            images=frozenset(self.images),
            withheld=frozenset(self.withheld),
            imported=read[IMPORT].get(IMPORT),
        )

    def take(self, path: str, content: bytes | Oddity) -> None:
        folder = _folder(path)
        if folder is None:
            return
        if isinstance(content, Oddity):
            self._odd(path, content)
        elif folder in _FORMS and not _FORMS[folder][0].fullmatch(path):
            self._misnamed(path, folder)
        elif folder == "images":
            self.images.add(path)
        elif folder == "rules" and not path.startswith("rules/initial/"):
            self.derived_rules[path] = content
        else:
            record = self._known_record(path, content) or self._keep_findings(
                path, _READERS[folder](path, content)
            )
            if record is not None:
                self.read[folder][path] = record

    def _known_record(self, path: str, data: bytes) -> Any:
        """Return the record of a file that had the same bytes before, and no finding; else None."""
        if self.known is None or path in self.faulty:
            return None
        tree, records, _ = self.known
        if tree.get(path) != data:
            return None
        if path == SETTINGS:
            return records.settings, records.settings_source
        if path == IMPORT:
            return records.imported
        return records.initial.get(path) or records.at(path)

    def _keep_findings(self, path: str, answer: tuple[Any, tuple[Finding, ...]]) -> Any:
        """Keep the findings of a reader's answer, and return its record."""
        record, findings = answer
        self.findings += findings
        if record is None:
            self.withheld.add(path)
        return record

    def _odd(self, path: str, oddity: Oddity) -> None:
        message, help = _ODDITIES[oddity.slug]
        if oddity.slug == "file-too-large" and path.casefold().startswith("images/"):
            help = f"keep pictures below {PICTURE_LIMIT >> 20} MiB"
        shown = shlex.quote(path)
        self._find(
            oddity.slug, path, message.format(quoted(oddity.detail)[1:-1]), help.format(shown)
        )
        self.withheld.add(path)

    def _misnamed(self, path: str, folder: str) -> None:
        # No check expects a record of such a file, so the file is not counted as withheld.
        form, example = _FORMS[folder]
        stem, _, ending = path.partition("/")[2].rpartition(".")
        plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")
        near = f"{folder}/{plain.upper() if folder == 'turns' else plain}.{ending.lower()}"
        shown = near if form.fullmatch(near) and folder != "rules" else example
        help = (
            "an editor or a merge seems to have left it: close the editor, or delete the file"
            if _LEFT_OVER.search(path)
            else f"rename it to the form {shown}; or move it out of {folder}/"
        )
        self._find(
            "file-name",
            path,
            f"{quoted(path)} is not a name that a file in {folder}/ can have",
            help,
        )

    def _find(self, slug: str, path: str, message: str, help: str) -> None:
        self.findings.append(Finding(slug=slug, span=Span(file=path), message=message, help=help))


def is_hidden(path: str) -> bool:
    """Return whether a name begins with a dot: `.gitkeep`, or what an editor has open."""
    return path.rpartition("/")[2].startswith(".")


def _folder(path: str) -> str | None:
    """Return the folder of the game in which a file lies; for a file at the root, its path.

    A file also counts as lying there if only some systems put it there: those that ignore case, or
    that take `\\` for `/`. None for a file that does not belong to the game: hidden files never do.
    """
    if path in (SETTINGS, IMPORT):
        return path
    folder = path.partition("/")[0]
    if folder in _FORMS and not any(mark in path for mark in ("\\", "//", "/.")):
        return folder
    written = path.replace("\\", "/")
    for plain in (written, posixpath.normpath(written)):
        folder = plain.split("/", 1)[0].casefold()
        if folder in _FORMS:
            return None if is_hidden(plain) else folder
    return None
