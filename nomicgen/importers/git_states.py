"""The ruleset as each commit of an archive's line has it, and what is odd about its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.certificate import ComparedState, Observed, SourceRule, compare_states, digest_of
from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git.changes import CommitRule
from nomicgen.importers.commit_log import Past, PastCommit, Text
from nomicgen.importers.git_texts import FileText, Passage, Slip, number_of_file
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.shown_pictures import Pictures
from nomicgen.importers.tiers import RANKS
from nomicgen.patterns import lazy_pattern

_NO_WORD = lazy_pattern(r"[^a-z]+")
_WORDS = 3


class Snapshot(Struct, frozen=True, kw_only=True):
    """The rules by number after a commit that touched their files, and the numbers that it `changed`."""

    commit: PastCommit
    rules: Map[int, CommitRule]
    changed: frozenset[int]


def snapshots(past: Past, warnings: ArchiveWarnings, pictures: Pictures | None = None) -> list[Snapshot]:
    """The ruleset after each commit of the line that touched a file, oldest first.

    What is odd about a file is told at the first commit that has it so. `pictures` gets those that texts show.
    """
    for move in past.followed:
        message = f"this commit moves the files of {move.pattern} without a change, and nobody named {move.other}"
        warnings.add("path-followed", message, "they are read there as well", commit=move.commit)
    reader = _Reader(past.texts, warnings, pictures or Pictures())
    return [reader.read(commit) for commit in past.line if commit.touched]


def observed(states: Sequence[Snapshot]) -> Observed:
    """What a history says of its rules, commit by commit, from the first that has any."""
    told = [
        ComparedState(
            place=state.commit.sha, changed={number: _source_rule(state.rules.get(number)) for number in state.changed}
        )
        for state in states
        if state.changed
    ]
    read = (f"{state.commit.sha} {file.path} {file.after or ''}" for state in states for file in state.commit.touched)
    return Observed(kind="git", digest=digest_of(read), compare=partial(compare_states, told))


def _source_rule(rule: CommitRule | None) -> SourceRule | None:
    if rule is None:
        return None
    return SourceRule(
        number=rule.number,
        text=rule.text,
        title=rule.title,
        tier=rule.tier or None,
        void=None if rule.bare else rule.void,
        revision=rule.heading,
    )


class _Reader:
    """The files as they stand, and the rules in force by number."""

    def __init__(self, texts: Mapping[Text, FileText], warnings: ArchiveWarnings, pictures: Pictures) -> None:
        self.texts, self.warnings, self.pictures = texts, warnings, pictures
        self.files: dict[str, tuple[CommitRule, ...]] = {}
        self.known_slips: dict[str, set[tuple[str, str, str]]] = {}
        self.rules: Map[int, CommitRule] = Map()
        self.doubled: set[tuple[int, str]] = set()

    def read(self, commit: PastCommit) -> Snapshot:
        if commit.boundary:
            message = "the history begins here: the clone is shallow"
            made = "what came before is not known; fetch it, and import again"
            self.warnings.add("shallow", message, made, commit=commit)
        for file in commit.touched:
            if file.after is None:
                self.files.pop(file.path, None)
                self.known_slips.pop(file.path, None)
            else:
                self._read_file(file.path, file.after, commit)
        now = self._by_number(commit)
        gone = self.rules.keys() - now.keys()
        changed = {number for number, rule in now.items() if _differs(self.rules.get(number), rule)}
        with self.rules.mutate() as rules:
            for number in gone:
                del rules[number]
            rules.update({number: now[number] for number in changed})
            self.rules = rules.finish()
        return Snapshot(commit=commit, rules=self.rules, changed=frozenset({*gone, *changed}))

    def _read_file(self, path: str, blob: str, commit: PastCommit) -> None:
        text = self.texts.get((blob, number_of_file(path)))
        if text is None:
            message, made = "the file is too large to be a ruleset", "what it held before is taken to stand"
            self.warnings.add("file-too-large", message, made, commit=commit, path=path)
            return
        self._tell_slips(path, text.slips, commit)
        self.files[path] = tuple(
            self._rule(passage, path, line) for line, passage in text.rules if passage.mark != "repealed"
        )

    def _rule(self, passage: Passage, path: str, line: int) -> CommitRule:
        folder = path.rpartition("/")[0]
        return CommitRule(
            number=passage.number,
            heading=passage.revision,
            tier=passage.tier or tier_of_path(path) or "",
            text=None if passage.text is None else self.pictures.rebased(passage.text, folder),
            title=one_line(passage.title or "") or None,
            void=passage.mark == "void",
            bare=passage.bare and tier_of_path(path) is None,
            path=path,
            line=line,
        )

    def _tell_slips(self, path: str, slips: Sequence[Slip], commit: PastCommit) -> None:
        before = self.known_slips.get(path, set())
        now: set[tuple[str, str, str]] = set()
        for slip in slips:
            key = slip.slug, slip.message, slip.quote
            if key not in before | now:
                self.warnings.add(
                    slip.slug,
                    slip.message,
                    slip.made,
                    quote=slip.quote,
                    commit=commit,
                    path=path,
                    line=slip.line,
                )
            now.add(key)
        self.known_slips[path] = now

    def _by_number(self, commit: PastCommit) -> dict[int, CommitRule]:
        """The rules of all files, each number once: a file's own name counts for more than the order of the paths."""
        rules: dict[int, CommitRule] = {}
        others: list[CommitRule] = []
        for path in sorted(self.files):
            for rule in self.files[path]:
                other = rules.get(rule.number)
                if other is not None and number_of_file(path) == rule.number != number_of_file(other.path):
                    others.append(other)
                elif other is not None:
                    others.append(rule)
                    continue
                rules[rule.number] = rule
        for rule in others:
            named = number_of_file(rule.path)
            made = "this one is left out"
            if named is not None and named not in rules:
                rules[named] = replace(rule, number=named)
                made = f"this one is taken for Rule {named}, as its file is named"
            if (rule.number, rule.path) not in self.doubled:
                message = f"Rule {rule.number} stands in another file as well"
                self.warnings.add("rule-doubled", message, made, commit=commit, path=rule.path, line=rule.line)
        self.doubled = {(rule.number, rule.path) for rule in others}
        return rules


def _differs(before: CommitRule | None, now: CommitRule) -> bool:
    """Whether more of a rule is another than the line that it stands in."""
    return before is not now and (before is None or replace(before, line=now.line) != now)


@lru_cache(maxsize=4096)
def tier_of_path(path: str) -> str | None:
    """The tier that a file's or a folder's name is, None for none: `rules/immutable/101.md`, `mutable-rules.md`."""
    for part in reversed(path.casefold().split("/")):
        words = _NO_WORD.split(part.removesuffix(".md").removesuffix(".txt"))
        tiers = [tier for tier in RANKS if tier in words]
        if len(tiers) == 1 and len([word for word in words if word]) <= _WORDS:
            return tiers[0]
    return None


def tiers_in(states: Sequence[Snapshot]) -> list[str]:
    """The tiers that headings name, in the order in which they first do."""
    rules = (state.rules.get(number) for state in states for number in sorted(state.changed))
    return list(dict.fromkeys(rule.tier for rule in rules if rule is not None and rule.tier))
