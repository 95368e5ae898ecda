"""What a pull request may not change: the past, and what the game itself records. Pure, from two readings of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from nomicgen.diagnostics import Finding
from nomicgen.law.events import moments_of
from nomicgen.law.state import Replay, Step
from nomicgen.model import (
    Instrument,
    JudgementMatter,
    Matter,
    Moment,
    Player,
    ProposalMatter,
    Records,
    Source,
    Span,
    Stretch,
    Turn,
)

__all__ = ["Edit", "Since", "last_decision", "recounted", "rewritten"]

_RECORDED = (
    *("number", "author", "date", "turn", "status", "opened", "decided", "effective"),
    *("seq", "votes", "ballot", "digest", "earlier", "points", "commit", "discussion"),
)
_NOT_IN_DRAFTS = (
    *("opened", "decided", "effective", "seq", "votes", "ballot", "digest", "earlier", "points", "commit"),
    "discussion",
)
_ASK = "the rulekeeper's commands record it on the base: `nomicgen register`, `vote`, `resolve`"
_CORRECT = "bring it back as it was; what was recorded wrongly `nomicgen correct` mends, and anything else a judgement"

Restated = Mapping[str, tuple[str | None, str | None]]
"""What new corrections say of a file: what each key was, and what it is now."""


class Edit(Struct, frozen=True):
    """A file of the game that a pull request changes: its bytes before and after, None where there is no file."""

    path: str
    before: bytes | None
    after: bytes | None


class Since(Struct, frozen=True, kw_only=True):
    """Where the past ends: when something was decided last, the day that it is, the proposals that wait for a turn.

    `restated` has what new corrections say of files that tell of the past. Of such a file nothing else may change.
    """

    last: Moment | None
    until: Moment
    waiting: frozenset[str] = frozenset()
    restated: Mapping[str, Restated] = {}


def last_decision(records: Records, until: Moment) -> Moment | None:
    """The latest moment up to `until` at which something was decided."""
    # A question is asked on a day as well, and decides nothing.
    decided = (moments_of(one).decided for one in records.instruments.values() if not one.matter.is_undecided)
    return max((one for one in decided if one is not None and not until.precedes(one)), default=None)


def rewritten(edits: Sequence[Edit], before: Records, after: Records, since: Since) -> Iterator[Finding]:
    """What in `edits` changes the past or the game's own records.

    A file that cannot be read is not judged here: its own findings say what is wrong with it.
    """
    for edit in edits:
        folder = edit.path.partition("/")[0]
        if edit.path.startswith("rules/initial/"):
            yield _past(edit.path, "the initial set was fixed when the game began", "to change a rule, propose it")
        elif edit.path == "nomic.yml":
            yield from _settings(before, after)
        elif folder in ("proposals", "judgements", "acts"):
            yield from _instrument(edit, before, after, since)
        elif folder == "players":
            yield from _player(edit.path, before.players.get(edit.path[8:-4]), after, since)
        elif folder == "turns":
            yield from _turn(edit.path, before, after, since)


def recounted(records: Records, before: Replay, after: Replay, where: str) -> Iterator[Finding]:
    """What was decided by `records` and would come out otherwise, though no file of it changes: the file at `where`
    does that. Who could vote on a day, which law was in force, and what points were given follow from other files.
    """
    for path, tally in before.tallies.items():
        instrument = records.instruments[path]
        if not instrument.matter.is_undecided and after.tallies.get(path) != tally:
            ended = moments_of(instrument).decided
            message = f"the vote on {instrument.name}, which ended on {ended}, would be counted otherwise"
            yield _past(where, message, "who could vote then is settled: give a later day")
            break
    done = (step for step in after.steps if step.outcome != "pending")
    for step in before.steps:
        if step.outcome != "pending" and _made(step) != _made(next(done, None)):
            message = f"{step.instrument.name} of {step.effective} would come out otherwise, since this comes before it"
            yield _past(where, message, "give a later day; or, on the same day, a later time, or a `seq`")
            break
    lost = _points(before) - _points(after)
    for player, reason in (line[:2] for line in lost):
        yield _past(where, f"{player} has points ({reason}) that would come out otherwise", "give a later day")
        break


def _points(played: Replay) -> Counter[tuple[str, str, Fraction, Moment | None]]:
    return Counter((one.player, one.reason, one.amount, one.moment) for one in played.awards)


def _made(step: Step | None) -> object:
    """What became of an instrument, to compare: where its words stand may change."""
    if step is None:
        return None
    return step.instrument.path, step.outcome, [(one.verb, one.before, one.after) for one in step.changes]


def _past(where: str | Span, message: str, help: str = _CORRECT) -> Finding:
    span = Span(file=where) if isinstance(where, str) else where
    return Finding(slug="past-rewritten", span=span, message=message, help=help)


def _record(span: Span, message: str) -> Finding:
    return Finding(slug="record-by-hand", span=span, message=message, help=_ASK)


def _settings(before: Records, after: Records) -> Iterator[Finding]:
    for key in ("format", "tiers", "started", "lost"):
        if getattr(before.settings, key) != getattr(after.settings, key):
            yield _past(after.settings_source.key(key), f"`{key}` is what the whole past is judged by")


def _instrument(edit: Edit, before: Records, after: Records, since: Since) -> Iterator[Finding]:
    old, new = before.instruments.get(edit.path), after.instruments.get(edit.path)
    if old is not None and not _is_draft(old):
        if edit.after is None:
            why = "its number is given" if old.matter.is_undecided else "it is decided"
            yield _past(edit.path, f"{old.name} is removed, and {why}: it stays in the archive")
        elif new is not None:
            yield from _undecided(old, new, since) if old.matter.is_undecided else _decided(edit, old, new, since)
    elif edit.path.startswith("proposals/") and edit.path[10:11].isdigit() and edit.before is None:
        yield _numbered(edit.path, new)
    elif new is not None:
        yield from _new(new, since)


def _numbered(path: str, new: Instrument | None) -> Finding:
    return Finding(
        slug="number-by-hand",
        span=new.source.key("number") if new else Span(file=path),
        message="a pull request gives no numbers: two at once would take the same one",
        help="call the file proposals/NAME.md, and leave `number` out; `nomicgen register` gives it the next one",
    )


def _is_draft(instrument: Instrument) -> bool:
    return instrument.kind == "proposal" and instrument.number is None


def _decided(edit: Edit, old: Instrument, new: Instrument, since: Since) -> Iterator[Finding]:
    restated, free = since.restated.get(edit.path, {}), {"note"}
    if isinstance(new.matter, JudgementMatter) and _overrules(old.matter, new.matter, since.last):
        free |= {"status", "overruled", "overruled_by"}
    if edit.path in since.waiting:
        free |= {"effective"}  # `nomicgen turn` writes it when the turn that it waited for begins
    if restated:
        free = set()
    changed = _keys(old.matter, new.matter, restated) - free
    if changed:
        named = ", ".join(f"`{key}`" for key in sorted(changed))
        yield _past(new.source.key(min(changed)), f"{old.name} is decided: {named} can no longer change")
    if edit.before is None or edit.after is None:
        return
    free |= {*map(_top, restated)}
    if _body(edit.before) != _body(edit.after):
        line = _first_difference(edit.before, edit.after)
        yield _past(Span(file=edit.path, line=line), f"{old.name} is decided: its words can no longer change")
    elif not changed and _front(edit.before, free) != _front(edit.after, free):
        may = "what is restated" if restated else "`note`"
        yield _past(edit.path, f"{old.name} is decided: of what stands above its words only {may} may change")


def _overrules(old: Matter, new: JudgementMatter, last: Moment | None) -> bool:
    """Whether a judgement that stood is overruled, from a day on that nothing has been decided after."""
    stood = isinstance(old, JudgementMatter) and old.status == "upheld"
    return stood and new.status == "overruled" and new.overruled is not None and not _before(new.overruled, last)


def _before(moment: Moment, last: Moment | None) -> bool:
    return last is not None and moment.precedes(last)


def _keys(old: Matter, new: Matter, restated: Restated) -> set[str]:
    """The keys that differ, but for what is restated from exactly what it was to exactly what it is."""
    was, now = old.fields(), new.fields()
    differ = (key for key, _ in was.items() ^ now.items())
    return {_top(key) for key in differ if restated.get(key) != (was.get(key), now.get(key))}


def _top(key: str) -> str:
    return key.partition(".")[0]


def _body(data: bytes) -> bytes:
    """What follows the front matter, which ends at the first line that is exactly `---`."""
    return data.partition(b"\n---\n")[2]


def _front(data: bytes, free: Collection[str]) -> list[bytes]:
    """The lines of the front matter without those of some keys; a comment behind what is restated stays."""
    kept, is_kept = [], True
    for line in data.partition(b"\n---\n")[0].split(b"\n"):
        if line[:1] not in (b"", b" ", b"-"):
            is_kept = line.partition(b":")[0].decode("utf-8", "replace") not in free
        if is_kept:
            kept.append(line)
        elif b" #" in line and "note" not in free:
            kept.append(line.partition(b" #")[2])
    return kept


def _first_difference(before: bytes, after: bytes) -> int:
    """The line of `after`, from 1, at which the two bodies part."""
    front = after.partition(b"\n---\n")[0].count(b"\n") + 2
    one, other = _body(before).split(b"\n"), _body(after).split(b"\n")
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return front + same + 1


def _undecided(old: Instrument, new: Instrument, since: Since) -> Iterator[Finding]:
    if isinstance(new.matter, ProposalMatter):
        for key in sorted(_keys(old.matter, new.matter, {}) & {*_RECORDED}):
            yield _record(new.source.key(key), f"`{key}` of {old.name} is written by the game, not by a pull request")
        return
    asked = getattr(old.matter, "called_by", None)
    if asked is not None and getattr(new.matter, "called_by", None) != asked:
        yield _past(new.source.key("called_by"), f"{old.name} was asked by {asked}, which stays so")
    yield from _backdated(new, since)


def _new(new: Instrument, since: Since) -> Iterator[Finding]:
    matter = new.matter
    if not isinstance(matter, ProposalMatter):
        if matter.commit is not None:
            yield _record(
                new.source.key("commit"), "`commit` is for archives that were imported, not for a pull request"
            )
        yield from _backdated(new, since)
        return
    if matter.status != "draft":
        yield _record(new.source.key("status"), f"a proposal in a pull request is a draft, not {matter.status}")
    for key in _NOT_IN_DRAFTS:
        # Empty votes say nothing; None is what `unrecorded` becomes.
        if key in matter.written and getattr(matter, key) not in ({}, [], 0):
            yield _record(new.source.key(key), f"a draft has no `{key}`")


def _backdated(new: Instrument, since: Since) -> Iterator[Finding]:
    if new.matter.is_undecided:
        return
    moments = moments_of(new)
    if moments.decided is None:
        message = f"{new.name} has no day, and would stand before what was decided later"
        yield _past(new.source.key("status"), message, "say `date: ` and the day on which it is made")
        return
    if since.until.day < moments.decided.day:
        yield _future(new.source.at("date"), f"{new.name} is of {moments.decided}", since.until)
    for key, moment in (("date", moments.decided), ("effective", moments.effective)):
        if moment is not None and _before(moment, since.last):
            message = f"{new.name} is of {moment}, and something was decided on {since.last}: the past is not rewritten"
            yield _past(new.source.at(key), message, f"give it the day on which it is made: {since.last} or later")
            return


def _future(span: Span, message: str, until: Moment) -> Finding:
    return Finding(
        slug="date-future",
        span=span,
        message=f"{message}, which is after {until.day}: it has not happened yet",
        help="give the day on which it happens, and open the pull request then",
    )


def _player(path: str, old: Player | None, after: Records, since: Since) -> Iterator[Finding]:
    new, last = after.players.get(path[8:-4]), since.last
    if old is None:
        if new is not None:
            yield from _joining(new, last, after.turns.values())
        return
    if new is None:
        if path not in after.withheld:
            yield _past(path, f"{old.ident} has played, and stays in the archive", "who leaves gets a day in `left`")
        return
    if path in since.restated:
        for key in sorted(_keys(old.matter, new.matter, since.restated[path])):
            yield _past(new.source.key(key), f"`{key}` of {old.ident} is not what the correction makes of it")
        return
    for key in ("kind", "order"):
        if getattr(old.matter, key) != getattr(new.matter, key):
            yield _past(new.source.key(key), f"`{key}` of {old.ident} is what old votes and turns are judged by")
    yield from _days(old, new, last)
    for key in ("inactive", "roles", "strength", "keys"):
        was, now = (getattr(one.matter, one.matter.names[key]) for one in (old, new))
        yield from _spans(key, was, now, new.source, last)


def _joining(new: Player, last: Moment | None, turns: Iterable[Turn]) -> Iterator[Finding]:
    joined = new.matter.joined
    if last is not None and (joined is None or _before(joined, last)):
        message = f"{new.ident} would have been a player when something was decided, on {last}"
        yield _past(new.source.key("joined"), message, f"say `joined: ` and the day: {last} or later")
        return
    began = max((one.matter.began for one in turns if one.matter.began is not None), default=None)
    if joined is not None and began is not None and _before(joined, began):
        message = f"{new.ident} would have been a player when the last turn began, on {began}"
        yield _past(new.source.key("joined"), message, f"say `joined: ` and the day: {began} or later")


def _days(old: Player, new: Player, last: Moment | None) -> Iterator[Finding]:
    if old.matter.joined != new.matter.joined:
        yield _past(new.source.key("joined"), f"{old.ident} joined on {old.matter.joined or 'an unknown day'}")
    was, now = old.matter.left, new.matter.left
    if was == now:
        return
    if was is not None and not (last is None or last.precedes(was)):
        yield _past(new.source.key("left"), f"{old.ident} left on {was}", "who comes back gets a file of their own")
    elif now is not None and _before(now, last):
        message = f"{old.ident} would have left before something was decided, on {last}"
        yield _past(new.source.at("left"), message, f"give a day that is {last} or later")


def _spans(
    key: str, old: Sequence[Stretch], new: Sequence[Stretch], source: Source, last: Moment | None
) -> Iterator[Finding]:
    """Spans that were known stay; one that is open may end, and another may begin, after the last decision."""
    for index, span in enumerate(old):
        if index >= len(new):
            yield _past(source.key(key), f"a span of `{key}` is gone")
            continue
        one = new[index]
        ends = span.until is None and one.until is not None and not _before(one.until, last)
        if one != span and not (ends and one.replace(until=None) == span):
            yield _past(source.at(key, index), f"a span of `{key}` that is known can only be ended, after {last}")
    for index, span in enumerate(new[len(old) :], len(old)):
        if _before(span.since, last):
            message = f"a span of `{key}` begins on {span.since}, and something was decided on {last}"
            yield _past(source.at(key, index, "since"), message, f"give a day that is {last} or later")


def _turn(path: str, before: Records, after: Records, since: Since) -> Iterator[Finding]:
    old, new = before.turns.get(path[6:-4]), after.turns.get(path[6:-4])
    if new is None:
        if old is not None and path not in after.withheld:
            yield _past(path, f"turn {old.ident} was played, and stays in the archive")
        return
    if path not in since.restated:
        yield from _turn_days(old, new, since)
    if old is None:
        latest = max(before.turns.values(), key=lambda one: one.order, default=None)
        if latest is not None and new.order not in _following(latest):
            message = f"turn {new.ident} does not follow {latest.ident}, which is the last one"
            yield _past(path, message, "call the file by the turn that comes next")
        return
    ended = old.matter.ended is not None
    restated = since.restated.get(path, {})
    fixed = _keys(old.matter, new.matter, restated)
    if not restated:
        fixed = fixed - {"note"} if ended else fixed & {"player", "began"}
    for key in sorted(fixed):
        yield _past(new.source.key(key), f"turn {old.ident} {'is over' if ended else 'has begun'}: `{key}` stays")


def _following(turn: Turn) -> tuple[tuple[int, int], ...]:
    """What the turn after another may be: the next of its circuit, or the first of the next."""
    circuit, place = turn.order
    return (circuit, place + 1), (circuit + 1, 1)


def _turn_days(old: Turn | None, new: Turn, since: Since) -> Iterator[Finding]:
    if old is None and new.matter.began is None and since.last is not None:
        yield _past(new.source.key("player"), f"turn {new.ident} has no day", "say `began: ` and the day")
    for key in ("began", "ended"):
        moment: Moment | None = getattr(new.matter, key)
        if moment is None or (old is not None and getattr(old.matter, key) is not None):
            continue
        if since.until.day < moment.day:
            yield _future(new.source.at(key), f"turn {new.ident} {key} on {moment}", since.until)
        elif _before(moment, since.last):
            message = f"turn {new.ident} {key} on {moment}, and something was decided on {since.last}"
            yield _past(new.source.at(key), message, f"give a day that is {since.last} or later")
