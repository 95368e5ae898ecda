"""A rule's history, worked out from its printed lines: its number, revision and tier after each.

The lines say what was done, and by whom. The rest is worked out here, and what does not fit is
noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from nomicgen.files.file_findings import Notes
from nomicgen.formats.ruleset_text import LOST
from nomicgen.importers.instruments import Key, RuleState
from nomicgen.importers.long.format import Section
from nomicgen.importers.long.history_lines import HistoryLine, parse_history_line, parse_lines
from nomicgen.importers.tiers import rank_tiers
from nomicgen.model.values import Moment

_LINE = "line of a history", "*Amended (1) by Proposal 329 (Alekosen), Jul 27, 2020*"
"""How findings call a line that cannot be read, and the example that they give."""
_LEAST = "mutable"
_DEFAULT = ("immutable", _LEAST)
"""The tiers of a text that names no other."""


class LongState(RuleState, frozen=True, kw_only=True):
    """A rule after one line of its history. The first state has no `line` where the source does not
    say how the rule began.
    """

    line: HistoryLine | None

    @property
    def gives_text(self) -> bool:
        """Whether the rule got a text then."""
        return self.line is None or self.line.verb in ("initial", "enact", "amend")

    @property
    def is_retitled(self) -> bool:
        return self.line is not None and self.line.verb == "retitle"


class LongHistory(Struct, frozen=True, kw_only=True):
    """A rule: its section, and its states in order. The first is its state in the initial set, or
    after its enactment.
    """

    section: Section
    states: tuple[LongState, ...]

    @property
    def is_initial(self) -> bool:
        return self.states[0].line is None or self.states[0].line.verb == "initial"

    @property
    def last_text(self) -> str | None:
        """The text of the last revision, None where it is lost."""
        return None if self.section.text in ("", LOST) else self.section.text

    @property
    def was_retitled(self) -> bool:
        """Whether the rule got another title than it began with."""
        return any(state.is_retitled for state in self.states)

    def state_before(self, when: Moment) -> LongState:
        """Return the rule's state before a day or moment; if it had none yet, its first."""
        standing = self.states[0]
        for state in self.states[1:]:
            if state.line is not None and state.line.date is not None and state.line.date < when:
                standing = state
        return standing


def read_lines(section: Section, notes: Notes) -> tuple[HistoryLine, ...]:
    """Return the lines of a rule's history that can be read, and can have followed each other."""
    lines = parse_lines(section.history, parse_history_line, notes, *_LINE)
    possible = list(_possible(lines, notes))
    while possible and possible[-1].verb == "repeal":
        # The text prints the rule, so it is in force.
        _note_left_out(possible.pop(), notes)
    return tuple(possible)


def _possible(lines: Iterable[HistoryLine], notes: Notes) -> Iterator[HistoryLine]:
    """Yield the lines without those that cannot have followed the lines before them."""
    enacting: Key | None = None
    is_in_force: bool | None = None
    for line in lines:  # an instrument cannot change a rule that it enacts itself
        begins_again = line.verb == "initial" and is_in_force is not None
        is_enacted_twice = line.verb == "enact" and is_in_force
        changes_nothing = line.verb not in ("initial", "enact") and is_in_force is False
        if begins_again or is_enacted_twice or changes_nothing or enacting == line.instrument:
            _note_left_out(line, notes)
        else:
            enacting = line.instrument if line.verb == "enact" else enacting
            is_in_force = line.verb != "repeal"
            yield line


def _note_left_out(line: HistoryLine, notes: Notes) -> None:
    message = "by the rule's history and its heading, this cannot have happened"
    notes.at("import-unread", line.line, 1, message, "the line is left out")


def tiers_of(sections: Sequence[tuple[Section, tuple[HistoryLine, ...]]]) -> tuple[str, ...]:
    """Return the tiers, most entrenched first. The last is that in which most of the initial rules
    began whose headings name no tier and that were never transmuted; `mutable` without such rules.
    """
    plain = Counter(
        lines[0].tier
        for section, lines in sections
        if section.tier is None and lines and lines[0].verb == "initial"
        and not any(line.verb == "transmute" for line in lines)
    )  # fmt: skip
    least = str(max(plain, key=lambda tier: (plain[tier], tier == _LEAST))) if plain else _LEAST
    said = {
        tier
        for section, lines in sections
        for tier in (section.tier, *(line.tier for line in lines))
        if tier
    }
    return rank_tiers(said if said - {least} or least != _LEAST else _DEFAULT, (least,))


def history_of(
    section: Section, lines: Sequence[HistoryLine], tiers: Sequence[str], notes: Notes
) -> LongHistory:
    """Work out the states of a rule."""
    known: list[HistoryLine | None] = list(lines)
    if not lines or lines[0].verb not in ("initial", "enact"):
        message = f"the history of Rule {section.number} does not say how the rule began"
        notes.at(
            "import-unread",
            section.line,
            1,
            message,
            "the rule is taken for one of the initial set",
        )
        known = [None, *lines]
    elif (
        len(tiers) > 2 and lines[0].tier is None and any(line.verb == "transmute" for line in lines)
    ):
        message = f"the history of Rule {section.number} does not say in which tier it began"
        notes.at(
            "import-unread",
            lines[0].line,
            1,
            message,
            "the least entrenched that it can have been is taken",
        )
    columns = (_numbers(section, known), _revisions(section, known), _tiers(section, known, tiers))
    states = tuple(
        LongState(line=line, number=number, revision=revision, tier=tier)
        for line, number, revision, tier in zip(known, *columns, strict=True)
    )
    return LongHistory(section=section, states=states)


def _numbers(section: Section, lines: Sequence[HistoryLine | None]) -> list[int]:
    """Return the rule's number after each line.

    Only initial lines, renumberings and the heading state one. In between, a rule may have taken
    the number of each proposal that changed it, as Suber's Rule 108 has it.
    """
    numbers: list[int] = []
    start = 0
    for at, line in enumerate(lines):
        if at and line is not None and line.verb in ("renumber", "enact"):
            numbers += _numbers_up_to(line.number, lines[start:at], section)
            start = at
    return numbers + _numbers_up_to(section.number, lines[start:], section)


def _numbers_up_to(
    end: int | None, lines: Sequence[HistoryLine | None], section: Section
) -> list[int]:
    """Return the rule's number after each of some lines; after the last, it bears `end`, if that is
    known.
    """
    first = lines[0]
    born = None
    if first is not None and first.verb in ("initial", "enact"):
        born = first.number if first.verb == "initial" else _proposal(first)
    taking = [
        at for at, line in enumerate(lines) if at and _may_take(line) and _proposal(line) == end
    ]
    if end is None or born is None or born == end or not taking:
        return [end or born or section.number] * len(lines)
    last = lines[taking[-1]]
    # A change of a kind that later left the number alone is taken to have left it alone before.
    keeping = {line.verb for line in lines[taking[-1] + 1 :] if line is not None}
    numbers = [born]
    for at, line in enumerate(lines[1:], 1):
        proposal = _proposal(line) if at <= taking[-1] and _may_take(line) else None
        takes = (
            line is not None
            and last is not None
            and (line.verb == last.verb or line.verb not in keeping)
        )
        numbers.append(proposal if takes and proposal is not None else numbers[-1])
    return numbers


def _may_take(line: HistoryLine | None) -> bool:
    """Return whether a rule may take a proposal's number by such a line."""
    return line is not None and line.verb in ("amend", "transmute")


def _proposal(line: HistoryLine | None) -> int | None:
    return int(line.cause) if line is not None and line.kind == "proposal" else None


def _revisions(section: Section, lines: Sequence[HistoryLine | None]) -> list[int]:
    """Return the revision after each line. An enactment begins at 0; an initial rule that was never
    enacted anew begins at the heading's revision less its amendments.
    """
    verbs = ["initial" if line is None else line.verb for line in lines]
    revision = max(section.revision - verbs.count("amend"), 0) if "enact" not in verbs else 0
    revisions = []
    for verb in verbs:
        revision = 0 if verb == "enact" else revision + 1 if verb == "amend" else revision
        revisions.append(revision)
    return revisions


def _tiers(
    section: Section, lines: Sequence[HistoryLine | None], tiers: Sequence[str]
) -> list[str]:
    """Return the rule's tier after each line; `tiers` are those of the game."""
    found: list[str] = []
    for at, line in enumerate(lines):
        if line is not None and line.verb in ("initial", "transmute") and line.tier:
            found.append(line.tier)
        elif line is None or line.verb == "enact":
            found.append(_birth(lines[at + 1 :], section.tier or tiers[-1], tiers))
        else:
            found.append(found[-1])
    return found


def _birth(later: Sequence[HistoryLine | None], final: str, tiers: Sequence[str]) -> str:
    """Return the tier in which a rule began, if its history does not say it.

    That is its `final` one if it was never transmuted or repealed. Otherwise it is the least
    entrenched one to which the rule was not transmuted first.
    """
    ending = next(
        (line for line in later if line is not None and line.verb in ("transmute", "repeal")), None
    )
    if ending is None:
        return final
    return next((tier for tier in reversed(tiers) if tier != ending.tier), tiers[-1])
