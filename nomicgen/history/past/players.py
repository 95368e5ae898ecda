"""Findings where a change of the files of players and turns rewrites the past."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from itertools import repeat

from nomicgen.history.past.boundary import (
    PastBoundary,
    closed_keys,
    is_before,
    keys_changed,
    past_finding,
    record_finding,
)
from nomicgen.model.common_keys import Stage
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import Stretch
from nomicgen.model.records import Player, Records, Turn
from nomicgen.model.values import Moment

_EARLIEST = Moment.of(date.min)  # for keys that say something of all days
_SPANS = ("inactive", "roles", "strength", "keys")
"""The keys of a player's file that are lists of spans of time."""


def changes_of_player(old: Player | None, new: Player) -> Iterator[tuple[str, Moment]]:
    """Yield the keys of a player's file that have changed, each with the moment from which on it
    says something else. `old` is None for a new file.

    Keys that say nothing of any moment, such as name and accounts, are left out.
    """
    if old is None or old.matter.kind == "past":
        if new.matter.kind != "past":
            yield "joined", new.matter.joined or _EARLIEST
        return
    was, now = old.matter, new.matter
    for key in ("kind", "order"):
        if getattr(was, key) != getattr(now, key):
            yield key, _EARLIEST
    if was.joined != now.joined:
        yield "joined", min(was.joined or _EARLIEST, now.joined or _EARLIEST)
    if was.left != now.left:
        yield "left", min(day for day in (was.left, now.left) if day is not None)
    for key in _SPANS:
        spans, others = _spans(old, key), _spans(new, key)
        for span, counterparts in (*zip(spans, repeat(others)), *zip(others, repeat(spans))):
            moment = span.until if _is_known(span, counterparts) else span.since
            if span not in counterparts and moment is not None:
                yield key, moment


def _spans(player: Player, key: str) -> Sequence[Stretch]:
    spans: Sequence[Stretch] = getattr(player.matter, player.matter.names[key])
    return spans


def _is_known(span: Stretch, others: Sequence[Stretch]) -> bool:
    """Return whether a span is among `others`, with whatever end."""
    return any(other.replace(until=None) == span.replace(until=None) for other in others)


def judge_player(
    path: str, old: Player | None, after: Records, past: PastBoundary
) -> Iterator[Finding]:
    """Yield findings where a player's file, which said `old` before, says something else of the
    past, or something that a pull request may not write.
    """
    new = after.player_at(path)
    if new is None:
        if old is not None and path not in after.withheld:
            yield past_finding(
                path,
                f"{old.ident} has played, and stays in the archive",
                f"bring the file back; a player who leaves adds `left: {past.until.day}` to it",
            )
        return
    if old is not None and path in past.restated:
        for key in sorted(keys_changed(old.matter, new.matter, past.restated[path])):
            yield past_finding(
                new.source.key(key),
                f"`{key}` of {old.ident} is not what the correction makes of it",
            )
        return
    if old is not None:
        was, now = (player.matter.accounts.get("github") for player in (old, new))
        if was is not None and now is not None and was.lower() != now.lower():
            yield replaced_account(new, was)
    changed = {
        key: past.last
        for key, moment in changes_of_player(old, new)
        if is_before(moment, past.last)
    }
    if old is not None and not past.by_keeper:
        # The keeper's commands may change what was planned; in any other change, a span that has
        # begun stays.
        gone = (
            key
            for key in _SPANS
            if any(_is_gone(span, new, key, past.until) for span in _spans(old, key))
        )
        changed = {**dict.fromkeys(gone, past.until), **changed}
    for key, first in sorted(changed.items()):
        message = f"`{key}` of {new.ident} would change the state before {first}"
        yield past_finding(
            new.source.key(key), message, f"leave those days as they were: give {first} or later"
        )
    if not past.by_keeper and past.archived is None:
        yield from _keys_of_others(old, new, changed)
    if not changed and (old is None or old.matter.kind == "past"):
        yield from _joining(new, after)


def _keys_of_others(old: Player | None, new: Player, known: Collection[str]) -> Iterator[Finding]:
    """Yield findings on changed keys that only the game or the rulekeeper may write, except those
    in `known`, which have findings already.
    """
    for key, by in closed_keys(old.matter if old is not None else None, new.matter, "undecided"):
        # A past player (whom an archive names) becomes a person by joining.
        if key not in known and (
            old is None or (key, old.matter.kind, new.matter.kind) != ("kind", "past", "person")
        ):
            yield record_finding(new.source.key(key), new.ident, key, by)


def _is_gone(span: Stretch, new: Player, key: str, until: Moment) -> bool:
    """Return whether a span that had begun by `until` is no longer in a player's file."""
    return not until.precedes(span.since) and not _is_known(span, _spans(new, key))


def replaced_account(player: Player, was: str) -> Finding:
    """Return the finding that a player's votes would from now on be those of another account."""
    message = (
        f"the votes of {player.ident} were those of the account {was}, and would be those "
        "of another"
    )
    return past_finding(
        player.source.at("accounts", "github"),
        message,
        "leave the account as it was; newcomers have their own files",
    )


def _joining(new: Player, after: Records) -> Iterator[Finding]:
    """Yield a finding if somebody joins on a day before the last turn began."""
    began = max(
        (turn.matter.began for turn in after.turns.values() if turn.matter.began is not None),
        default=None,
    )
    if (
        new.matter.kind != "past"
        and new.matter.joined is not None
        and is_before(new.matter.joined, began)
    ):
        message = f"{new.ident} would have been a player when the last turn began, on {began}"
        yield past_finding(
            new.source.key("joined"), message, f"say `joined: ` and the day: {began} or later"
        )


def judge_turn(path: str, before: Records, after: Records, past: PastBoundary) -> Iterator[Finding]:
    """Yield findings where a turn's file says something else of the past, is removed, has a day
    before the last decision, is not the next turn, or has what a pull request may not write.
    """
    old, new = before.turn_at(path), after.turn_at(path)
    if new is None:
        if old is not None and path not in after.withheld:
            yield past_finding(path, f"turn {old.ident} was played, and stays in the archive")
        return
    latest = max(before.turns.values(), key=lambda turn: turn.order, default=None)
    if path not in past.restated:
        yield from _turn_days(old, new, latest, past)
    stage: Stage = "settled" if old is not None and old.matter.ended is not None else "undecided"
    closed = closed_keys(old.matter if old is not None else None, new.matter, stage)
    if old is None:
        if not past.by_keeper:
            yield from (
                record_finding(new.source.key(key), f"turn {new.ident}", key, by)
                for key, by in closed
            )
        if latest is not None and not _follows(new, latest, by_keeper=past.by_keeper):
            message = f"turn {new.ident} does not follow {latest.ident}, which is the last one"
            yield past_finding(path, message, "call the file by the turn that comes next")
        return
    ended = old.matter.ended is not None
    restated = past.restated.get(path, {})
    fixed = keys_changed(old.matter, new.matter, restated)
    if not restated:
        # The keeper's commands may still write their own keys, but not change those of the author.
        fixed &= {
            key
            for key, by in closed
            if (by is not None and "author" in by.by) or not past.by_keeper
        }
    for key in sorted(fixed):
        yield past_finding(
            new.source.key(key),
            f"turn {old.ident} {'is over' if ended else 'has begun'}: `{key}` stays",
        )


def _follows(new: Turn, latest: Turn, *, by_keeper: bool) -> bool:
    """Return whether a turn is the next of the round, or the first of the next round. The keeper
    may leave turns out.
    """
    round_, place = latest.order
    return new.order in ((round_, place + 1), (round_ + 1, 1)) or (
        by_keeper and new.order > latest.order
    )


def _turn_days(
    old: Turn | None, new: Turn, latest: Turn | None, past: PastBoundary
) -> Iterator[Finding]:
    """Yield findings on the new days of a turn; `latest` is the last turn before the change."""
    if old is None and new.matter.began is None and past.last is not None:
        yield past_finding(
            new.source.key("player"), f"turn {new.ident} has no day", "say `began: ` and the day"
        )
    for key in ("began", "ended"):
        moment: Moment | None = getattr(new.matter, key)
        if moment is None or (old is not None and getattr(old.matter, key) is not None):
            continue
        last, what = past.last, "something was decided"
        if key == "began" and past.by_keeper:
            # A turn that is over may be written down as a whole, with all that was decided in it.
            last = latest.matter.began if latest is not None else None
            what = f"{latest.ident if latest is not None else None} began"
        if is_before(moment, last):
            message = f"turn {new.ident} {key} on {moment}, and {what} on {last}"
            yield past_finding(new.source.at(key), message, f"give a day that is {last} or later")
