"""What commands print with `--format json`: rules, histories, differences, the state of a game, as plain mappings.

Every mapping carries `format: 1`; a key that is there stays. Dates are `2026-05-01`, or `2026-05-01T18:30`; what is not
known is null.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from nomicgen.archive.history import Entry, RuleHistory
from nomicgen.archive.lines import history_line, history_link
from nomicgen.archive.redline import redline
from nomicgen.archive.standings import Standings
from nomicgen.archive.status import Status
from nomicgen.archive.view import Archive
from nomicgen.law.sentences import sentences
from nomicgen.law.state import Replay, Rule, Tally, Winner
from nomicgen.model import Instrument, Moment, Records

__all__ = ["diff_json", "history_json", "rule_json", "scores_json", "status_json"]

FORMAT = 1


def rule_json(rule: Rule) -> dict[str, Any]:
    """A rule as it stands at some moment; `text` is null where it is lost, `void` false, true or a date."""
    return {"format": FORMAT, **_rule(rule)}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "number": rule.number,
        "revision": rule.revision,
        "tier": rule.tier,
        "title": rule.title,
        "section": rule.section,
        "text": rule.text,
        "provisions": rule.provisions,
        "sentences": list(sentences(rule.law)),
        "defines": list(rule.defines),
        "void": str(rule.void) if isinstance(rule.void, Moment) else bool(rule.void),
        "note": rule.note,
    }


def history_json(archive: Archive, history: RuleHistory) -> dict[str, Any]:
    """A rule through all its revisions and numbers; `current` is null when it was repealed."""
    names = archive.records.names
    return {
        "format": FORMAT,
        "number": history.last.number,
        "numbers": list(history.numbers),
        "current": _rule(history.current) if history.current else None,
        "entries": [
            {"line": history_line(entry, names), **_entry(archive, history.identity, index, entry)}
            for index, entry in enumerate(history.entries)
        ],
    }


def _entry(archive: Archive, identity: int, index: int, entry: Entry) -> dict[str, Any]:
    origin = archive.origins.get((identity, index))
    return {
        "verb": entry.verb,
        "number": entry.rule.number,
        "revision": entry.rule.revision,
        "tier": entry.rule.tier,
        "by": entry.instrument.name if entry.instrument else None,
        "player": entry.actor,
        "decided": _moment(entry.decided),
        "effective": _moment(entry.moment),
        "turn": entry.turn,
        "file": entry.path,
        "commit": origin.sha if origin else entry.commit,
        "link": history_link(archive, identity, index),
    }


def diff_json(before: Rule, after: Rule) -> dict[str, Any]:
    """How one revision's text became another's.

    `segments` are equal, delete or insert, in order; null where one of the texts is lost.
    """
    known = before.text is not None and after.text is not None
    parts = redline(before.text or "", after.text or "") if known else ()
    return {
        "format": FORMAT,
        "old": before.ref,
        "new": after.ref,
        "segments": [{"kind": one.kind, "text": one.text} for one in parts] if known else None,
        "sentences": {"old": list(sentences(before.law)), "new": list(sentences(after.law))},
    }


def status_json(records: Records, replay: Replay, status: Status, errors: int) -> dict[str, Any]:
    """Where a game stands; `errors` is how many `check` finds."""
    turn, following = status.turn, replay.next_turn
    return {
        "format": FORMAT,
        "name": records.settings.name,
        "tiers": {tier: {"rules": count, "cap": cap} for tier, (count, cap) in status.tiers.items()},
        "turn": turn
        and {
            "turn": turn.ident,
            "player": turn.matter.player,
            "began": _moment(turn.matter.began),
            "ended": _moment(turn.matter.ended),
            "overdue": _moment(replay.overdue),
        },
        "next_turn": following and {"turn": following.ident, "player": following.player},
        "winner": _winner(replay.winner),
        "due": [{"rule": one.rule.number, "date": _moment(one.moment)} for one in replay.due],
        "open": [{**_instrument(one), **_votes(tally)} for one, tally in status.voting],
        "debate": [_instrument(one) for one in status.debated],
        "drafts": [_instrument(one) for one in status.drafts],
        "pending": [_instrument(one) for one in status.pending],
        "next_number": status.next_number,
        "rules": [
            {"number": rule.number, "revision": rule.revision, "tier": rule.tier, "title": rule.title}
            for rule in replay.current
        ],
        "errors": errors,
    }


def scores_json(standings: Standings, player: str | None = None) -> dict[str, Any]:
    """All scores, or one player's, line by line. Amounts are exact: whole numbers, or fractions as text."""
    return {
        "format": FORMAT,
        "scores": [
            {
                "player": one.player,
                "total": _exact(one.total),
                "plays": one.plays,
                "lines": [
                    {
                        "amount": _exact(line.amount),
                        "reason": line.reason,
                        "rule": line.rule,
                        "date": _moment(line.moment),
                        "file": line.span.file,
                    }
                    for line in one.lines
                ],
            }
            for one in standings.scores
            if player in (None, one.player)
        ],
        "goal": standings.goal and {"points": _exact(standings.goal[0]), "rule": standings.goal[1]},
        "winner": _winner(standings.winner),
    }


def _winner(winner: Winner | None) -> dict[str, Any] | None:
    if winner is None:
        return None
    return {"players": list(winner.players), "rule": winner.rule, "date": _moment(winner.moment)}


def _exact(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


def _instrument(instrument: Instrument) -> dict[str, Any]:
    return {
        "file": instrument.path,
        "number": instrument.number,
        "title": instrument.title or None,
        "player": instrument.actor,
    }


def _votes(tally: Tally) -> dict[str, Any]:
    return {
        "for": list(tally.for_),
        "against": list(tally.against),
        "abstain": list(tally.abstain),
        "silent": list(tally.silent),
        "missing": list(tally.missing),
        "closes": _moment(tally.closes),
        "may_end": tally.may_end,
        "fewest": tally.fewest,
        "adopted": tally.adopted,
    }


def _moment(moment: Moment | None) -> str | None:
    return None if moment is None else str(moment)
