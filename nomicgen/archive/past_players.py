"""What a change of players' and turns' files may not do to the past. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from nomicgen.archive.past_boundary import PastBoundary, future_finding, is_before, keys_changed, past_finding
from nomicgen.diagnostics import Finding
from nomicgen.identifiers import PlayerId
from nomicgen.model import Moment, Player, Records, Source, Stretch, Turn


def judge_player(path: str, old: Player | None, after: Records, since: PastBoundary) -> Iterator[Finding]:
    """What a player's file says otherwise of days on which something was decided; `old` is what it said before."""
    new, last = after.players.get(PlayerId(path[8:-4])), since.last
    if old is None:
        if new is not None and new.matter.kind != "past":
            yield from _joining(new, last, after.turns.values())
        return
    if new is None:
        if path not in after.withheld:
            yield past_finding(
                path, f"{old.ident} has played, and stays in the archive", "who leaves gets a day in `left`"
            )
        return
    if path in since.restated:
        for key in sorted(keys_changed(old.matter, new.matter, since.restated[path])):
            yield past_finding(new.source.key(key), f"`{key}` of {old.ident} is not what the correction makes of it")
        return
    if old.matter.kind == "past" != new.matter.kind:
        yield from _joining(new, last, after.turns.values())
        return
    for key in ("kind", "order"):
        if getattr(old.matter, key) != getattr(new.matter, key):
            yield past_finding(new.source.key(key), f"`{key}` of {old.ident} is what old votes and turns are judged by")
    was, now = (one.matter.accounts.get("github") for one in (old, new))
    if was is not None and now is not None and was.lower() != now.lower():
        yield replaced_account(new, was)
    yield from _days(old, new, last)
    for key in ("inactive", "roles", "strength", "keys"):
        was, now = (getattr(one.matter, one.matter.names[key]) for one in (old, new))
        yield from _spans(key, was, now, new.source, since)


def replaced_account(player: Player, was: str) -> Finding:
    """A player whose votes are from now on those of another account."""
    message = f"the votes of {player.ident} were those of the account {was}, and would be those of another"
    return past_finding(
        player.source.at("accounts", "github"),
        message,
        "leave the account as it was; who joins brings a file of their own",
    )


def _joining(new: Player, last: Moment | None, turns: Iterable[Turn]) -> Iterator[Finding]:
    joined = new.matter.joined
    if last is not None and (joined is None or is_before(joined, last)):
        message = f"{new.ident} would have been a player when something was decided, on {last}"
        yield past_finding(new.source.key("joined"), message, f"say `joined: ` and the day: {last} or later")
        return
    began = max((one.matter.began for one in turns if one.matter.began is not None), default=None)
    if joined is not None and began is not None and is_before(joined, began):
        message = f"{new.ident} would have been a player when the last turn began, on {began}"
        yield past_finding(new.source.key("joined"), message, f"say `joined: ` and the day: {began} or later")


def _days(old: Player, new: Player, last: Moment | None) -> Iterator[Finding]:
    if old.matter.joined != new.matter.joined:
        yield past_finding(new.source.key("joined"), f"{old.ident} joined on {old.matter.joined or 'an unknown day'}")
    was, now = old.matter.left, new.matter.left
    if was == now:
        return
    if was is not None and not (last is None or last.precedes(was)):
        yield past_finding(
            new.source.key("left"), f"{old.ident} left on {was}", "who comes back gets a file of their own"
        )
    elif now is not None and is_before(now, last):
        message = f"{old.ident} would have left before something was decided, on {last}"
        yield past_finding(new.source.at("left"), message, f"give a day that is {last} or later")


def _spans(
    key: str, old: Sequence[Stretch], new: Sequence[Stretch], source: Source, since: PastBoundary
) -> Iterator[Finding]:
    """Which days a span had up to the last decision stays; when it ends or begins after that may change.

    But for the keeper, whose commands write what was planned otherwise, a span that has begun stays.
    """
    last = since.last
    come = [(place, one) for place, one in enumerate(new) if one not in old]
    for span in (one for one in old if one not in new):
        alike = [pair for pair in come if pair[1].replace(until=None) == span.replace(until=None)]
        found = next(iter(alike or [pair for pair in come if pair[1].since == span.since]), None)
        begun = not since.by_keeper and not since.until.precedes(span.since)
        if found is None and (begun or is_before(span.since, last)):
            yield past_finding(source.key(key), f"a span of `{key}` is gone")
        elif found is not None:
            come.remove(found)
            days = (span.until, found[1].until) if alike else (span.since,)
            if (begun and not alike) or any(one is not None and is_before(one, last) for one in days):
                message = f"a span of `{key}` that is known can only be ended, after {last}"
                yield past_finding(source.at(key, found[0]), message)
    for place, span in come:
        if is_before(span.since, last):
            message = f"a span of `{key}` begins on {span.since}, and something was decided on {last}"
            yield past_finding(source.at(key, place, "since"), message, f"give a day that is {last} or later")


def judge_turn(path: str, before: Records, after: Records, since: PastBoundary) -> Iterator[Finding]:
    """What a turn's file says otherwise of what has happened, or says of it too late."""
    old, new = before.turns.get(path[6:-4]), after.turns.get(path[6:-4])
    if new is None:
        if old is not None and path not in after.withheld:
            yield past_finding(path, f"turn {old.ident} was played, and stays in the archive")
        return
    latest = max(before.turns.values(), key=lambda one: one.order, default=None)
    if path not in since.restated:
        yield from _turn_days(old, new, latest, since)
    if old is None:
        follows = latest is None or new.order in _following(latest) or (since.by_keeper and new.order > latest.order)
        if latest is not None and not follows:
            message = f"turn {new.ident} does not follow {latest.ident}, which is the last one"
            yield past_finding(path, message, "call the file by the turn that comes next")
        return
    ended = old.matter.ended is not None
    restated = since.restated.get(path, {})
    fixed = keys_changed(old.matter, new.matter, restated)
    if not restated:
        fixed = fixed - {"note"} if ended else fixed & {"player", "began"}
    for key in sorted(fixed):
        yield past_finding(
            new.source.key(key), f"turn {old.ident} {'is over' if ended else 'has begun'}: `{key}` stays"
        )


def _following(turn: Turn) -> tuple[tuple[int, int], ...]:
    """What the turn after another may be: the next of its circuit, or the first of the next."""
    circuit, place = turn.order
    return (circuit, place + 1), (circuit + 1, 1)


def _turn_days(old: Turn | None, new: Turn, latest: Turn | None, since: PastBoundary) -> Iterator[Finding]:
    if old is None and new.matter.began is None and since.last is not None:
        yield past_finding(new.source.key("player"), f"turn {new.ident} has no day", "say `began: ` and the day")
    for key in ("began", "ended"):
        moment: Moment | None = getattr(new.matter, key)
        if moment is None or (old is not None and getattr(old.matter, key) is not None):
            continue
        last, what = since.last, "something was decided"
        if key == "began" and since.by_keeper:
            # A turn that is over may be written down as a whole, with all that was decided in it.
            last = latest.matter.began if latest is not None else None
            what = f"{latest.ident if latest is not None else None} began"
        if since.until.day < moment.day:
            yield future_finding(new.source.at(key), f"turn {new.ident} {key} on {moment}", since.until)
        elif is_before(moment, last):
            message = f"turn {new.ident} {key} on {moment}, and {what} on {last}"
            yield past_finding(new.source.at(key), message, f"give a day that is {last} or later")
