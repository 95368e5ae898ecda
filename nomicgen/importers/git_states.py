"""The ruleset as each commit of an archive's line has it, and what is odd about its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.certificate import Observed, SourceRule, State, compare_states, digest_of
from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git_past import Past, PastCommit, Text
from nomicgen.importers.git_texts import FileText, Passage, Slip, number_of_file
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.shown_pictures import Pictures
from nomicgen.importers.text_tiers import RANKS
from nomicgen.patterns import lazy_pattern

_NO_WORD = lazy_pattern(r"[^a-z]+")
_WORDS = 3


class PlacedRule(Struct, frozen=True, kw_only=True):
    """A rule as a commit has it, and the file and line that it stands in."""

    passage: Passage
    path: str
    line: int
    number: int


class Snapshot(Struct, frozen=True, kw_only=True):
    """The rules by number after a commit that touched their files, and the numbers that it `changed`."""

    commit: PastCommit
    rules: Map[int, PlacedRule]
    changed: frozenset[int]


def snapshots(past: Past, warnings: ArchiveWarnings, pictures: Pictures | None = None) -> list[Snapshot]:
    """The ruleset after each commit of the line that touched a file, oldest first.

    What is odd about a file is told at the first commit that has it so. `pictures` gets those that texts show.
    """
    for one in past.followed:
        message = f"this commit moves the files of {one.pattern} without a change, and nobody named {one.other}"
        warnings.add("path-followed", message, "they are read there as well", commit=one.commit)
    reader = _Reader(past.texts, warnings, pictures or Pictures())
    return [reader.read(commit) for commit in past.line if commit.touched]


def observed(states: Sequence[Snapshot]) -> Observed:
    """What a history says of its rules, commit by commit, from the first that has any."""
    told = [_state(one) for one in states if one.changed]
    read = (f"{one.commit.sha} {each.path} {each.after or ''}" for one in states for each in one.commit.touched)
    return Observed(kind="git", digest=digest_of(read), compare=partial(compare_states, told))


def _state(one: Snapshot) -> State:
    return State(place=one.commit.sha, changed={number: _said(one.rules.get(number)) for number in one.changed})


def _said(placed: PlacedRule | None) -> SourceRule | None:
    if placed is None:
        return None
    passage = placed.passage
    return SourceRule(
        number=placed.number,
        text=passage.text,
        title=one_line(passage.title) or None if passage.title else None,
        tier=passage.tier or tier_of_path(placed.path),
        void=None if passage.bare else passage.mark == "void",
        revision=passage.revision,
    )


class _Reader:
    """The files as they stand, and the rules in force by number."""

    def __init__(self, texts: Mapping[Text, FileText], warnings: ArchiveWarnings, pictures: Pictures) -> None:
        self.texts, self.warnings, self.pictures = texts, warnings, pictures
        self.illustrated: dict[tuple[str, str], Passage] = {}
        self.files: dict[str, tuple[PlacedRule, ...]] = {}
        self.known: dict[str, frozenset[tuple[str, str, str]]] = {}
        self.rules: Map[int, PlacedRule] = Map()
        self.doubled: frozenset[tuple[int, str]] = frozenset()

    def read(self, commit: PastCommit) -> Snapshot:
        if commit.boundary:
            message = "the history begins here: the clone is shallow"
            made = "what came before is not known; fetch it, and import again"
            self.warnings.add("shallow", message, made, commit=commit)
        for one in commit.touched:
            before = self.files.pop(one.path, ())
            if one.after is None:
                self.known.pop(one.path, None)
            else:
                self.files[one.path] = self._file(one.path, one.after, commit, before)
        found = {one.number: one for placed in self.files.values() for one in placed}
        if len(found) < sum(map(len, self.files.values())):
            found = self._placed(commit)
        else:
            self.doubled = frozenset()
        now = {number: one for number, one in found.items() if one.passage.mark != "repealed"}
        gone = self.rules.keys() - now.keys()
        came = {number: one for number, one in now.items() if self.rules.get(number) is not one}
        with self.rules.mutate() as rules:
            for number in gone:
                del rules[number]
            rules.update(came)
            self.rules = rules.finish()
        return Snapshot(commit=commit, rules=self.rules, changed=frozenset({*gone, *came}))

    def _file(self, path: str, blob: str, commit: PastCommit, before: tuple[PlacedRule, ...]) -> tuple[PlacedRule, ...]:
        text = self.texts.get((blob, number_of_file(path)))
        if text is None:
            message, made = "the file is too large to be a ruleset", "what it held before is taken to stand"
            self.warnings.add("file-too-large", message, made, commit=commit, path=path)
            return before
        if text.slips or path in self.known:
            self._tell_slips(path, text.slips, commit)
        stood = {one.number: one for one in before}
        passages = [self._rebased(one, path) for one in text.passages]
        return tuple(
            [
                one
                if (one := stood.get(passage.number)) is not None and one.passage is passage
                else _kept(one, passage, path, line)
                for passage, line in zip(passages, text.lines, strict=True)
            ]
        )

    def _rebased(self, passage: Passage, path: str) -> Passage:
        """A rule with its pictures where a game has them; the same one for the same text in the same folder."""
        if passage.text is None or "![" not in passage.text:
            return passage
        text = self.pictures.rebased(passage.text, _folder(path))
        if text == passage.text:
            return passage
        made = replace(passage, text=text)
        known = self.illustrated.setdefault((path, text), made)
        return known if known == made else made

    def _tell_slips(self, path: str, slips: Sequence[Slip], commit: PastCommit) -> None:
        known = self.known.get(path, frozenset())
        now = {_same(one): one for one in slips}
        for key, slip in now.items():
            if key not in known:
                self.warnings.add(
                    slip.slug,
                    slip.message,
                    slip.made,
                    quote=slip.quote,
                    commit=commit,
                    path=path,
                    line=slip.line,
                )
        self.known[path] = frozenset(now)

    def _placed(self, commit: PastCommit) -> dict[int, PlacedRule]:
        """The rules of all files, each number once."""
        found: dict[int, PlacedRule] = {}
        lost: list[PlacedRule] = []
        for path in sorted(self.files):
            for one in self.files[path]:
                other = found.get(one.number)
                if other is None:
                    found[one.number] = one
                elif one.passage.named == one.number != other.passage.named:
                    found[one.number] = one
                    lost.append(other)
                else:
                    lost.append(one)
        doubled = set()
        for one in lost:
            made = self._second(one, found)
            key = (one.number, one.path)
            if key not in self.doubled:
                message = (
                    f"Rule {one.number} stands in {len(lost) + 1} places"
                    if len(lost) > 1
                    else (f"Rule {one.number} stands in another file as well")
                )
                self.warnings.add("rule-doubled", message, made, commit=commit, path=one.path, line=one.line)
            doubled.add(key)
        self.doubled = frozenset(doubled)
        return found

    def _second(self, one: PlacedRule, found: dict[int, PlacedRule]) -> str:
        """Gives a rule whose number another file has that of its own file's name, if that is free."""
        named = one.passage.named
        if named is not None and named not in found:
            found[named] = replace(one, passage=replace(one.passage, number=named), number=named)
            return f"this one is taken for Rule {named}, as its file is named"
        return "this one is left out"


@lru_cache(maxsize=4096)
def tier_of_path(path: str) -> str | None:
    """The tier that a file's or a folder's name is, None for none: `rules/immutable/101.md`, `mutable-rules.md`."""
    for part in reversed(path.casefold().split("/")):
        words = _NO_WORD.split(part.removesuffix(".md").removesuffix(".txt"))
        found = [tier for tier in RANKS if tier in words]
        if len(found) == 1 and len([word for word in words if word]) <= _WORDS:
            return found[0]
    return None


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _kept(before: PlacedRule | None, passage: Passage, path: str, line: int) -> PlacedRule:
    """A rule of which nothing but its line is another is the same."""
    if before is not None and (before.passage is passage or before.passage == passage):
        return before
    return PlacedRule(passage=passage, path=path, line=line, number=passage.number)


def _same(slip: Slip) -> tuple[str, str, str]:
    return slip.slug, slip.message, slip.quote


def tiers_in(states: Sequence[Snapshot]) -> Iterator[str]:
    """The tiers that headings name, in the order in which they first do."""
    seen: set[str] = set()
    for state in states:
        for number in sorted(state.changed):
            placed = state.rules.get(number)
            tier = (placed.passage.tier or tier_of_path(placed.path)) if placed is not None else None
            if tier is not None and tier not in seen:
                seen.add(tier)
                yield tier
