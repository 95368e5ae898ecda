"""The printed history and the repository, held against each other: dates, players, turns, revisions, links, texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from nomicgen.identifiers import CommitId
from nomicgen.importers.certificate import SourceRule, differences
from nomicgen.importers.certificate_long import compare_sections
from nomicgen.importers.git_ledger import ArchiveInstrument
from nomicgen.importers.git_printed import Printed
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.law.replay_state import Replay
from nomicgen.model import Moment, Records

T = TypeVar("T", bound=Hashable)
Where = Literal["reachable", "unreachable", "missing"]


_WRONG_LINKS: dict[Where, tuple[str, str]] = {
    "missing": ("link-impostor", "in the repository"),
    "unreachable": ("link-unreachable", "on the branch"),
}


def printed_start(printed: Printed) -> Moment | None:
    """The game's first day, as most lines of the initial set give it."""
    return _most(one.said.date for one in printed.lines if one.said.verb == "initial")


def join(printed: Printed, entries: Sequence[ArchiveInstrument], warnings: ArchiveWarnings) -> None:
    """Gives each instrument the legal date, the player and the turn that the history prints, and tells where it says
    otherwise than the commit.
    """
    for entry in entries:
        told = printed.of_instrument(entry)
        if not told:
            continue
        first = told[0].said.line
        when = _most(one.said.date for one in told)
        if when is not None and entry.date is not None and when != entry.date:
            message = f"{entry.name} is of {when} by the printed history, and its commit of {entry.date}"
            kept = "the ledger has the printed day; the commit keeps its own"
            warnings.add("date-differs", message, kept, commit=entry.source, path=printed.path, line=first)
        entry.date = when or entry.date
        entry.player = _most(one.said.player for one in told) or entry.player
        entry.turn = _most(one.said.turn for one in told)
        sets: tuple[tuple[str, set[object]], ...] = (
            ("dates", {one.said.date for one in told}),
            ("players", {one.said.player for one in told}),
            ("turns", {one.said.turn for one in told}),
        )
        for what, said in sets:
            if len(said - {None}) > 1:
                message = f"the lines of {entry.name} give it several {what}"
                taken = "the one that most of them give is taken"
                warnings.add("history-differs", message, taken, path=printed.path, line=first)


def _most(said: Iterable[T | None]) -> T | None:
    counts = Counter(one for one in said if one is not None)
    return max(counts, key=lambda one: counts[one]) if counts else None


def compare(printed: Printed, records: Records, played: Replay, warnings: ArchiveWarnings) -> None:
    """Tells which printed lines are not as the ledger has them, as an import of them alone would; and which rules."""
    tally = compare_sections(tuple(printed.sections.values()), printed.path, records, played)
    told = [(one.rule, one.why, int(one.place.rpartition(":")[2])) for one in tally.found]
    current = {rule.number: rule for rule in played.current}
    for number in sorted({*printed.sections, *current}):
        section = printed.sections.get(number)
        said = None
        if section is not None:
            tier = section.tier or records.settings.tiers[-1]
            said = SourceRule(number=number, text=section.text or None, tier=tier, revision=section.revision)
        rule = current.get(number)
        why = [what for what in differences(said, rule) if what != "title"]
        told += [(number, ", ".join(why), section.line if section else 1)] if why else []
    for number, differs, line in told:
        message = f"the commits have Rule {number} otherwise than it is printed: {differs}"
        warnings.add("history-differs", message, "the commits are followed", path=printed.path, line=line)


def tell_links(printed: Printed, where: Mapping[CommitId, Where], warnings: ArchiveWarnings) -> None:
    """Tells which printed lines lead to a commit that is not there, or not on the branch."""
    for one in printed.lines:
        if one.sha is None or (found := where.get(one.sha, "missing")) == "reachable":
            continue
        slug, there = (
            ("link-impostor", "in the repository") if found == "missing" else ("link-unreachable", "on the branch")
        )
        message = f"Rule {one.rule}: the line leads to commit {one.sha[:12]}, which is not {there}"
        made, quote = "the commit that made the change is named instead", one.said.url or ""
        warnings.add(slug, message, made, path=printed.path, line=one.said.line, quote=quote)
