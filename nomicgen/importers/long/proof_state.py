"""A ruleset in the long format as the proof takes it: a single state, with the texts of all rules.

The words of a printed line of a history count as placed if the rule's history in the ledger says
the same. So do those of a printed judgement that the ledger has. Such lines are `carried`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgen.formats.ruleset_text import LOST, escape_words
from nomicgen.history.history_lines import history_line
from nomicgen.history.rule_history import Histories, HistoryEntry, RuleHistory, build_histories
from nomicgen.importers.certificate import Observed, StateTally, digest_of
from nomicgen.importers.long.format import Section
from nomicgen.importers.long.history_lines import HistoryLine, parse_history_line
from nomicgen.importers.proof import ProofState, prove
from nomicgen.importers.proof_words import decode_file, lines_of, words_of
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.model.records import Records


def observed_sections(sections: Sequence[Section], filename: str, data: bytes) -> Observed:
    """Return a text in the long format as a source to compare a game with."""

    def compare(records: Records, played: Replay, pages: Sequence[str]) -> StateTally:
        carried: set[int] = set()
        printed = lines_of(decode_file(data))
        given = [judgement for judgement in records.instruments.values() if judgement.ruling]
        rules: dict[int, Rule] = {}
        for section, lines, history, final in _printed_with_ledger(sections, records, played):
            carried |= {
                at for at, line in lines if line is not None and history and _entry(line, history)
            }
            rule = (
                final
                if final and final.number == section.number
                else played.current.get(section.number)
            )
            if rule is not None:
                rules.setdefault(section.number, rule)
                if rule.text is None and section.text == LOST:
                    carried |= {at for at, line in enumerate(printed, 1) if line.strip() == LOST}
            rulings = ((at, line) for at, raw in section.judgements for line in [words_of(raw)])
            carried |= {
                at for at, line in rulings if any(words_of(one.ruling) in line for one in given)
            }
        state = ProofState(
            place=filename, changed={filename: data}, carried={filename: frozenset(carried)}
        )
        return prove(
            [state],
            {0: [(None, rule) for rule in rules.values()]},
            (),
            records.settings.name,
            pages,
        )

    return Observed(kind="long", digest=digest_of([data]), compare=compare)


def _printed_with_ledger(
    sections: Sequence[Section], records: Records, played: Replay
) -> Iterator[
    tuple[Section, list[tuple[int, HistoryLine | None]], RuleHistory | None, Rule | None]
]:
    """Yield each printed rule with the lines of its history as they are read, its history in the
    ledger, and the rule as the ledger has it after the last of these lines.
    """
    initial = {
        file.matter.number: (path, file.matter.commit) for path, file in records.initial.items()
    }
    histories = build_histories(played, initial)
    for section in sections:
        lines = [(number, parse_history_line(raw)) for number, raw in section.history]
        understood = [line for _, line in lines if line is not None]
        history = _bearer(section.number, understood, histories)
        yield section, lines, history, _after(understood[-1] if understood else None, history)


def _bearer(number: int, lines: Sequence[HistoryLine], histories: Histories) -> RuleHistory | None:
    """Return the rule that bore a number and whose history has most of the printed lines; if some
    have equally many, the last that bore the number. None where no rule bore it.
    """
    bearers = [
        histories.rules[identity] for identity in reversed(histories.bearers.get(number, ()))
    ]
    return max(
        bearers,
        key=lambda history: sum(_entry(line, history) is not None for line in lines),
        default=None,
    )


def _after(last: HistoryLine | None, history: RuleHistory | None) -> Rule | None:
    """Return a rule after all that the instrument in the `last` printed line did to it; as it
    began, if no line could be read. None if the ledger does not have that line.
    """
    if history is None:
        return None
    entry = _entry(last, history) if last is not None else history.entries[0]
    if entry is None or entry.step is None:
        return entry.rule if entry is not None else None
    return [other for other in history.entries if other.step is entry.step][-1].rule


def _entry(line: HistoryLine, history: RuleHistory) -> HistoryEntry | None:
    """Return the entry of a rule's history in the ledger that says what a printed line says, None
    where none does.
    """
    return next((entry for entry in history.entries if _says_the_same(line, entry)), None)


def _says_the_same(line: HistoryLine, entry: HistoryEntry) -> bool:
    """Return whether the ledger says the same as a printed line, whoever did it, and whenever."""
    own = parse_history_line(f"*{escape_words(history_line(entry, {}))}*")
    if own is None or (line.verb, line.kind, line.cause) != (own.verb, own.kind, own.cause):
        return False
    details = ((line.revision, own.revision), (line.tier, own.tier), (line.number, own.number))
    return all(said_so in (None, is_so) for said_so, is_so in details)
