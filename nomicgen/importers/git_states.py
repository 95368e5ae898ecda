"""The ruleset as each commit of an archive's line has it, and what is odd about its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from immutables import Map

from nomicgen.importers.git_past import Past, PastCommit
from nomicgen.importers.git_texts import Passage, Slip, number_of_file, read_rules
from nomicgen.importers.report import Oddity

__all__ = ["Lines", "Placed", "Snapshot", "snapshots", "tiers_in"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A rule as a commit has it, and the file that it stands in."""

    passage: Passage
    path: str

    @property
    def number(self) -> int:
        return self.passage.number


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The rules by number after a commit that touched their files, and the numbers that it `changed`."""

    commit: PastCommit
    rules: Map[int, Placed]
    changed: frozenset[int]


@dataclass(slots=True)
class Lines:
    """What is told of an archive, as it is found: `oddities` in their order."""

    oddities: list[Oddity] = field(default_factory=list)

    def add(
        self,
        slug: str,
        message: str,
        made: str,
        *,
        quote: str = "",
        commit: PastCommit | None = None,
        path: str | None = None,
        line: int | None = None,
        unclassed: bool = False,
    ) -> None:
        self.oddities.append(
            Oddity(
                slug=slug,
                message=message,
                made=made,
                quote=quote,
                commit=commit.sha if commit else None,
                path=path,
                line=line,
                unclassed=unclassed,
            )
        )


def snapshots(past: Past, lines: Lines) -> list[Snapshot]:
    """The ruleset after each commit of the line that touched a file, oldest first.

    What is odd about a file is told at the first commit that has it so.
    """
    reader = _Reader(past.contents, lines)
    return [reader.read(commit) for commit in past.line if commit.touched]


class _Reader:
    """The files as they stand. `holders` has every rule by number, those that are marked as repealed included."""

    def __init__(self, contents: Mapping[str, bytes], lines: Lines) -> None:
        self.contents, self.lines = contents, lines
        self.files: dict[str, tuple[Placed, ...]] = {}
        self.known: dict[str, frozenset[tuple[str, str, str]]] = {}
        self.holders: dict[int, Placed] = {}
        self.rules: Map[int, Placed] = Map()
        self.doubled: frozenset[tuple[int, str]] = frozenset()
        self._changes: frozenset[int] = frozenset()

    def read(self, commit: PastCommit) -> Snapshot:
        if commit.boundary:
            message = "the history begins here: the clone is shallow"
            made = "what came before is not known; fetch it, and import again"
            self.lines.add("shallow", message, made, commit=commit)
        left: set[int] = set()
        for one in commit.touched:
            before = self.files.pop(one.path, ())
            left.update(placed.number for placed in before)
            if one.after is None:
                self.known.pop(one.path, None)
            else:
                self._file(one.path, one.after, commit, before)
        came = [placed for one in commit.touched for placed in self.files.get(one.path, ())]
        holders = self._moved(left, came)
        if holders is None:
            holders = self._placed(commit)
            numbers = {*self.holders, *holders}
        else:
            numbers = left | {placed.number for placed in came}
        return Snapshot(commit=commit, rules=self._stood(holders, numbers), changed=self._changes)

    def _moved(self, left: set[int], came: Sequence[Placed]) -> dict[int, Placed] | None:
        """The holders after some files changed, None where two of them have one number."""
        numbers = {one.number for one in came}
        if self.doubled or len(numbers) < len(came) or any(one in self.holders for one in numbers - left):
            return None
        for number in left - numbers:
            del self.holders[number]
        self.holders.update((one.number, one) for one in came)
        return self.holders

    def _stood(self, holders: dict[int, Placed], numbers: Iterable[int]) -> Map[int, Placed]:
        """The rules in force, of which only `numbers` may not be as they were."""
        changed = set()
        with self.rules.mutate() as rules:
            for number in numbers:
                one = holders.get(number)
                now = one if one is not None and one.passage.mark != "repealed" else None
                if rules.get(number) is now:
                    continue
                changed.add(number)
                if now is None:
                    del rules[number]
                else:
                    rules[number] = now
            self.rules = rules.finish()
        self.holders, self._changes = holders, frozenset(changed)
        return self.rules

    def _file(self, path: str, blob: str, commit: PastCommit, before: Sequence[Placed]) -> None:
        data = self.contents.get(blob, b"")
        passages, slips = read_rules(data, number_of_file(path))
        stood = {one.number: one for one in before}
        self.files[path] = tuple(_kept(stood.get(one.number), Placed(passage=one, path=path)) for one in passages)
        known = self.known.get(path, frozenset())
        now = {_same(one): one for one in slips}
        for key, slip in now.items():
            if key not in known:
                self.lines.add(
                    slip.slug,
                    slip.message,
                    slip.made,
                    quote=slip.quote,
                    commit=commit,
                    path=path,
                    line=slip.line,
                )
        self.known[path] = frozenset(now)

    def _placed(self, commit: PastCommit) -> dict[int, Placed]:
        """The rules of all files, each number once."""
        found: dict[int, Placed] = {}
        lost: list[Placed] = []
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
                self.lines.add("rule-doubled", message, made, commit=commit, path=one.path, line=one.passage.line)
            doubled.add(key)
        self.doubled = frozenset(doubled)
        return found

    def _second(self, one: Placed, found: dict[int, Placed]) -> str:
        """Gives a rule whose number another file has that of its own file's name, if that is free."""
        named = one.passage.named
        if named is not None and named not in found:
            found[named] = replace(one, passage=replace(one.passage, number=named))
            return f"this one is taken for Rule {named}, as its file is named"
        return "this one is left out"


def _kept(before: Placed | None, now: Placed) -> Placed:
    """A rule of which nothing but its line is another is the same."""
    if before is None:
        return now
    one, other = before.passage, now.passage
    said = (one.revision, one.tier, one.mark, one.title, one.text, one.named)
    return before if said == (other.revision, other.tier, other.mark, other.title, other.text, other.named) else now


def _same(slip: Slip) -> tuple[str, str, str]:
    return slip.slug, slip.message, slip.quote


def tiers_in(states: Sequence[Snapshot]) -> Iterator[str]:
    """The tiers that headings name, in the order in which they first do."""
    seen: set[str] = set()
    for state in states:
        for number in sorted(state.changed):
            tier = state.rules[number].passage.tier if number in state.rules else None
            if tier is not None and tier not in seen:
                seen.add(tier)
                yield tier
