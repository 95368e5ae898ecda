"""The printed history and the repository, held against each other: dates, players, turns, revisions, links, texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeVar

from nomicgen.importers.certificate import SourceRule, differences
from nomicgen.importers.git.ledger import ArchiveInstrument
from nomicgen.importers.git.printed import Printed
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.printed.certificate import compare_sections
from nomicgen.law.replay.state import Replay
from nomicgen.model.identifiers import CommitId
from nomicgen.model.records import Records
from nomicgen.model.values import Moment

T = TypeVar("T", bound=Hashable)
Where = Literal["reachable", "unreachable", "missing"]


_WRONG_LINKS: Mapping[Where, tuple[str, str]] = MappingProxyType(
    {
        "missing": ("link-impostor", "in the repository"),
        "unreachable": ("link-unreachable", "on the branch"),
    }
)


def printed_start(printed: Printed) -> Moment | None:
    """The game's first day, as most lines of the initial set give it."""
    return _most(one.line.date for one in printed.lines if one.line.verb == "initial")


def join(printed: Printed, instruments: Sequence[ArchiveInstrument], warnings: ArchiveWarnings) -> None:
    """Gives each instrument the legal date, the player and the turn that the history prints, and tells where it says
    otherwise than the commit.
    """
    for instrument in instruments:
        lines = printed.of_instrument(instrument)
        if not lines:
            continue
        first = lines[0].line
        day = _most(line.date for line in lines)
        if day is not None and instrument.date is not None and day != instrument.date:
            message = f"{instrument.name} is of {day} by the printed history, and its commit of {instrument.date}"
            kept = "the ledger has the printed day; the commit keeps its own"
            warnings.add("date-differs", message, kept, commit=instrument.source, path=printed.path, line=first)
        instrument.date = day or instrument.date
        instrument.player = _most(line.player for line in lines) or instrument.player
        instrument.turn = _most(line.turn for line in lines)
        if any(len({getattr(line, key) for line in lines} - {None}) > 1 for key in ("date", "player", "turn")):
            message = f"the lines of {instrument.name} differ in its date, player or turn"
            taken = "what most of them say is taken"
            warnings.add("history-differs", message, taken, path=printed.path, line=first)


def _most(values: Iterable[T | None]) -> T | None:
    counts = Counter(value for value in values if value is not None)
    return max(counts, key=counts.__getitem__) if counts else None


def compare(printed: Printed, records: Records, played: Replay, warnings: ArchiveWarnings) -> None:
    """Tells which printed lines are not as the ledger has them, as an import of them alone would; and which rules."""
    tally = compare_sections(tuple(printed.sections.values()), printed.path, records, played)
    differing = [(one.rule, one.why, int(one.place.rpartition(":")[2])) for one in tally.differences]
    current = {rule.number: rule for rule in played.current}
    for number in sorted({*printed.sections, *current}):
        section = printed.sections.get(number)
        rule = None
        if section is not None:
            tier = section.tier or records.settings.tiers[-1]
            rule = SourceRule(number=number, text=section.text or None, tier=tier, revision=section.revision)
        why = [key for key in differences(rule, current.get(number)) if key != "title"]
        differing += [(number, ", ".join(why), section.line if section else 1)] if why else []
    for number, wrong, line in differing:
        message = f"the commits have Rule {number} otherwise than it is printed: {wrong}"
        warnings.add("history-differs", message, "the commits are followed", path=printed.path, line=line)


def tell_links(printed: Printed, where: Mapping[CommitId, Where], warnings: ArchiveWarnings) -> None:
    """Tells which printed lines lead to a commit that is not there, or not on the branch."""
    for one in printed.lines:
        if one.sha is None or (there := where.get(one.sha, "missing")) == "reachable":
            continue
        slug, place = _WRONG_LINKS[there]
        message = f"Rule {one.rule}: the line leads to commit {one.sha[:12]}, which is not {place}"
        made = "the commit that made the change is named instead"
        warnings.add(slug, message, made, path=printed.path, line=one.line.line, quote=one.line.url or "")
