"""The printed history and the repository, held against each other: dates, players, turns, revisions, links, texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeVar

from nomicgen.importers.derived_names import sha_of
from nomicgen.importers.git_ledger import Done, Entry
from nomicgen.importers.git_printed import Line, Printed
from nomicgen.importers.git_walk import Walk
from nomicgen.importers.import_report import Oddities
from nomicgen.model import Moment

T = TypeVar("T", bound=Hashable)
Where = Literal["reachable", "unreachable", "missing"]

_VERBS = {
    "enact": ("enacted", "returned"),
    "amend": ("amended", "recounted"),
    "transmute": ("transmuted",),
    "renumber": ("renumbered",),
    "retitle": ("retitled",),
    "repeal": ("repealed",),
    "mark": ("voided", "revived"),
}


def printed_start(printed: Printed) -> Moment | None:
    """The game's first day, as most lines of the initial set give it."""
    return _most(one.said.date for one in printed.lines if one.said.deed == "initial")


def join(printed: Printed, entries: Sequence[Entry], lines: Oddities) -> None:
    """Gives each instrument the legal date, the player and the turn that the history prints, and tells where it says
    otherwise than the commit.
    """
    for entry in entries:
        made = entry.made
        told = printed.of_instrument(entry)
        if not told:
            continue
        first = told[0].said.line
        when = _most(one.said.date for one in told)
        if when is not None and made.date is not None and when != made.date:
            message = f"{made.name} is of {when} by the printed history, and its commit of {made.date}"
            kept = "the ledger has the printed day; the commit keeps its own"
            lines.add("date-differs", message, kept, commit=entry.commit, path=printed.path, line=first)
        made.date = when or made.date
        made.player = _most(one.said.player for one in told) or made.player
        made.turn = _most(one.said.turn for one in told)
        sets: tuple[tuple[str, set[object]], ...] = (
            ("dates", {one.said.date for one in told}),
            ("players", {one.said.player for one in told}),
            ("turns", {one.said.turn for one in told}),
        )
        for what, said in sets:
            if len(said - {None}) > 1:
                message = f"the lines of {made.name} give it several {what}"
                taken = "the one that most of them give is taken"
                lines.add("history-differs", message, taken, path=printed.path, line=first)


def _most(said: Iterable[T | None]) -> T | None:
    counts = Counter(one for one in said if one is not None)
    return max(counts, key=lambda one: counts[one]) if counts else None


def compare(printed: Printed, walk: Walk, where: Mapping[str, Where], lines: Oddities) -> None:
    """Tells which lines have no event, which events no line, and where links, revisions and texts differ."""
    teller = _Teller(printed, walk, where, lines)
    seen = {id(one) for line in printed.lines for one in teller.line(line)}
    for entry in walk.entries:
        for done in entry.deeds:
            teller.unprinted(entry, done, id(done) in seen)
    teller.rules()


class _Teller:
    def __init__(self, printed: Printed, walk: Walk, where: Mapping[str, Where], lines: Oddities) -> None:
        self.printed, self.walk, self.where, self.lines = printed, walk, where, lines
        self.standing = walk.ledger.rules
        self.by_identity = {rule.identity: rule.number for rule in self.standing.values()}
        self.done: dict[int, list[tuple[Entry, Done]]] = defaultdict(list)
        for entry in walk.entries:
            for done in entry.deeds:
                self.done[done[3]].append((entry, done))

    def _say(self, slug: str, message: str, made: str, line: Line) -> None:
        self.lines.add(slug, message, made, path=self.printed.path, line=line.said.line, quote=line.said.url or "")

    def line(self, line: Line) -> Iterator[Done]:
        """The events that a line tells of."""
        rule = self.standing.get(line.rule)
        if line.said.deed == "initial":
            origin = self.walk.origins.get(line.said.number or line.rule)
            self._link(line, origin.sha if origin else None)
            return
        found = [
            (entry, done)
            for entry, done in (self.done[rule.identity] if rule is not None else ())
            if done[0] in _VERBS[line.said.deed] and self._is_of(entry, line)
        ]
        if not found:
            named = (
                line.said.cause if line.said.kind == "act" else f"{str(line.said.kind).capitalize()} {line.said.cause}"
            )
            message = f"Rule {line.rule}: the printed history says that {named} did this, and no commit does"
            self._say("line-unmatched", message, "nothing is made of the line", line)
            self._link(line, None)
            return
        entry, done = found[-1]
        if line.said.deed == "amend" and line.said.revision not in (None, done[2]):
            message = (
                f"Rule {line.rule}: the line says that it made revision {line.said.revision}, and it made {done[2]}"
            )
            self._say("revision-differs", message, "revisions are counted by the commits", line)
        self._link(line, entry.commit.sha)
        yield from (one for _, one in found)

    def _is_of(self, entry: Entry, line: Line) -> bool:
        entry = entry.completes or entry
        return any(one is line for one in self.printed.of_instrument(entry))

    def _link(self, line: Line, commit: str | None) -> None:
        """What is wrong with the commit that a line leads to."""
        sha = sha_of(line.said.url)
        if sha is None or sha == commit:
            return
        where = self.where.get(sha, "missing")
        if where == "missing":
            message = f"Rule {line.rule}: the line leads to commit {sha[:12]}, which is not in the repository"
            made = f"{commit[:12]} is named instead" if commit else "the link is left out"
            self._say("link-impostor", message, made, line)
        elif where == "unreachable":
            message = f"Rule {line.rule}: the line leads to commit {sha[:12]}, which is not on the branch"
            made = f"{commit[:12]} is named instead" if commit else "the link is left out"
            self._say("link-unreachable", message, made, line)
        elif commit is not None:
            twin = self.walk.twins.get(sha) == commit
            what = "another name of the one" if twin else "another than the one"
            message = (
                f"Rule {line.rule}: the line leads to commit {sha[:12]}, {what} that made the change, {commit[:12]}"
            )
            self._say("link-twin" if twin else "link-other", message, f"{commit[:12]} is named", line)

    def unprinted(self, entry: Entry, done: Done, printed: bool) -> None:
        verb, number, revision, identity = done
        now = self.by_identity.get(identity)
        if printed or verb == "recounted" or now not in self.printed.sections:
            return
        if verb == "renumbered" and any(
            one[0] in ("amended", "transmuted") for one in entry.deeds if one[3] == identity
        ):
            return
        message = f"Rule {number}/{revision} is {verb} by {entry.made.name}, and the printed history does not say so"
        made = "the ledger has it, by its commit"
        self.lines.add("event-unprinted", message, made, commit=entry.commit, quote=entry.commit.subject)

    def rules(self) -> None:
        """The rules in force, by the two."""
        for number, rule in sorted(self.standing.items()):
            section = self.printed.sections.get(number)
            if section is None:
                message = f"Rule {rule.ref} is in force by the commits, and the printed history does not have it"
                self.lines.add("rule-unprinted", message, "the commits are followed", path=self.printed.path)
                continue
            told = (
                ("revision-differs", "revision", section.revision, rule.revision),
                ("tier-differs", "tier", section.tier or self.walk.ledger.tiers[-1], rule.tier),
            )
            for slug, what, said, is_ in told:
                if said != is_:
                    message = f"the heading of Rule {number} says {what} {said}, and the commits give {is_}"
                    made = "the commits are followed"
                    self.lines.add(slug, message, made, path=self.printed.path, line=section.line)
            if rule.text is not None and section.text and section.text != rule.text:
                message = f"the text of Rule {number} is not the one of the repository"
                made = "the repository's is kept"
                self.lines.add("text-differs", message, made, path=self.printed.path, line=section.line)
        for number, section in sorted(self.printed.sections.items()):
            if number not in self.standing:
                message = f"Rule {number} is printed, and by the commits there is none in force"
                made = "the commits are followed"
                self.lines.add("rule-missing", message, made, path=self.printed.path, line=section.line)
