"""Deciding a proposal, and bringing `rules/` to what the ledger says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from nomicgen.law.change_kinds import judged_verb
from nomicgen.law.checks.derived import ruleset_status
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.precedence import Law
from nomicgen.law.questions import again_until, due_moment
from nomicgen.law.replay.events import began, next_turn
from nomicgen.law.replay.results import Ruleset, Step
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import listed
from nomicgen.model.front_matters import ActMatter, ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment, Span
from nomicgen.play.commit_author import author_of
from nomicgen.play.load import Game, as_of, law_on, overlay
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.move import Move, Part, blocking_errors, edit_file, idle, verify_move
from nomicgen.play.preconditions import require_open, status_words
from nomicgen.play.proposing import proposal_of
from nomicgen.play.refusal import Refused, Wait
from nomicgen.play.voting.status import tie_breaking_vote
from nomicgen.play.voting.voting import votes_for_file


def resolve(
    game: Game,
    number: int,
    on: Moment,
    *,
    votes: Mapping[PlayerId, object] | None = None,
    merges: str | None = None,
    now: Moment | None = None,
) -> Move:
    """Return the move that counts a vote, records the outcome, and applies what takes effect at
    once.

    It is one commit; the proposal's author is its author, if they have an account on GitHub.
    `votes` replace those in the file, if they were given elsewhere; `merges` is the commit that
    becomes the second parent if the proposal is adopted. A vote that closed before `now` (None: the
    game's day) can end. If the proposal is decided already, nothing is changed. Raises Refused if
    its vote cannot end yet, or if the game has errors.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    if not matter.is_undecided:
        when = f", on {matter.decided}" if matter.decided is not None else ""
        return idle(game, on, f"proposal {number} is {matter.status} already{when}: nothing to do")
    require_open(game)
    if matter.status != "open":
        remedy = (
            f"nomicgen vote {number} for --player ID"
            if matter.status == "debate"
            else "nomicgen status"
        )
        raise Refused(
            f"proposal {number} is {status_words(matter)}, so there is no vote to end", remedy
        )
    now, game = now or game.until, as_of_if_latest(game, on)
    counted = with_votes(game, number, votes)
    if before := blocking_errors(counted):
        raise Refused(
            "the game has errors",
            "`nomicgen check` shows them; nothing was written",
            as_shown(counted, before),
        )
    tally = counted.replay.tallies[instrument.path]
    _require_closed(number, tally, now)
    outcome = _outcome(counted, instrument, tally)
    part = _decision_commit(game, counted, instrument, outcome, on)
    if outcome == "adopted":
        part = replace(part, merges=merges)
    later: tuple[str, ...] = ()
    if outcome == "adopted" and instrument.instructions:
        later = _effect_line(_effect_moment(game, instrument, on), on)
    again = again_until(instrument, game.records.turns, law_on(game, on), now)
    if again is not None:
        later += (
            f"  it could begin again until {again[0]} (Rule {again[1]}): this ends it before",
        )
    move = verify_move(game, part, said=(*_outcome_lines(number, outcome, tally), *later), on=on)
    return replace(move, said=(*move.said, *_overtaken_lines(move.after, instrument.path)))


def with_votes(game: Game, number: int, votes: Mapping[PlayerId, object] | None) -> Game:
    """Return the game with these votes on a proposal; None leaves those that its file has."""
    if votes is None:
        return game
    path = f"proposals/{number}.md"
    return overlay(game, {path: edit_file(game, path, {"votes": votes})})


def _decision_commit(
    game: Game, counted: Game, instrument: Instrument, outcome: str, on: Moment
) -> Part:
    """Return the commit that decides a proposal; `counted` is the game with all its votes."""
    matter = proposal_of(counted, instrument.number or 0).matter
    tally = counted.replay.tallies[instrument.path]
    changes: dict[str, object] = {"status": outcome, "decided": on}
    votes = _votes_recorded(matter, tally)
    if votes != votes_for_file(proposal_of(game, instrument.number or 0).matter):
        changes["votes"] = votes
    if outcome == "adopted":
        changes["effective"] = _effect_moment(game, instrument, on)
    if (place := _seq_after_others(game, instrument, on)) is not None:
        changes["seq"] = place
    proposed_by = (("Proposed-by", matter.author),) if matter.author is not None else ()
    part = Part(
        writes={instrument.path: edit_file(game, instrument.path, changes)},
        subject=f"{outcome.capitalize()}: proposal {instrument.number}, "
        f"{matter.title or instrument.path}",
        trailers=(("Outcome", outcome), *proposed_by),
        author=author_of(game, matter.author),
        on=on,
    )
    return with_rules(game, part, instrument.path)


def _seq_after_others(game: Game, instrument: Instrument, on: Moment) -> int | None:
    """Return the `seq` that puts a proposal after everything else that was decided at its moment.

    None if its number puts it there.
    """
    places = [
        other.place
        for other in game.records.instruments.values()
        if not _decides_nothing(other) and other.decided == on
    ]
    return max(places)[0] + 1 if places and max(places) > instrument.place else None


def _outcome_lines(number: int, outcome: str, tally: Tally) -> tuple[str, ...]:
    count = f"{tally.votes_for} for, {tally.votes_against} against, {tally.abstentions} abstaining"
    silent = f" (by silence: {', '.join(tally.silent)})" if tally.silent else ""
    conditions = (
        f"  Rule {condition.rule}: {condition.arithmetic} ({'met' if condition.met else 'not met'})"
        for condition in tally.conditions
    )
    return (f"proposal {number} is {outcome}: {count}{silent}", *conditions)


def _overtaken_lines(game: Game, path: str) -> Iterator[str]:
    """Yield what of an adopted proposal is not carried out, why, and how to propose it again."""
    for finding in game.findings:
        if finding.slug == "change-overtaken" and finding.span.file == path:
            yield f"  {finding.message}"
            yield f"  {finding.help}"


def _effect_line(effective: Moment | None, decided: Moment) -> tuple[str, ...]:
    """Return a line that says when an adopted proposal takes effect; none if it has already."""
    if effective is None:
        return ("  it takes effect when the next turn begins: nomicgen turn",)
    return (
        (f"  it takes effect on {effective}: nomicgen apply",)
        if decided.precedes(effective)
        else ()
    )


def as_of_if_latest(game: Game, on: Moment) -> Game:
    """Return the game as of `on`, to decide something then, under the law of that day.

    Raises Refused if something was decided, or took effect, since then.
    """
    if on.timed or on.day < game.until.day:
        require_nothing_since(game, on, effects=True)
    return as_of(game, on)


def require_nothing_since(game: Game, on: Moment, *, effects: bool) -> None:
    """Raise Refused if something was decided, or with `effects` took effect, since `on`."""
    for what, name, moment in decisions_and_effects(game):
        if on.precedes(moment) and (effects or what == "was decided"):
            raise Refused(
                f"{name} {what} on {moment}, after {on}", f"give --on {moment} or a later day"
            )


def decisions_and_effects(game: Game) -> Iterator[tuple[str, str, Moment]]:
    """Yield what was decided and what took effect: which of both, the instrument's name, and when.

    Nothing may be decided before the latest of these moments.
    """
    for instrument in game.records.instruments.values():
        if instrument.decided is not None and not _decides_nothing(instrument):
            yield "was decided", instrument.name, instrument.decided
    for step in game.replay.steps:
        if step.effective is not None and step.outcome != "pending":
            yield "took effect", step.instrument.name, step.effective


def _decides_nothing(instrument: Instrument) -> bool:
    """Return whether an instrument is undecided, withdrawn or void."""
    matter = instrument.matter
    return not isinstance(matter, ActMatter) and (
        matter.is_undecided or matter.status in ("withdrawn", "void")
    )


def _outcome(game: Game, instrument: Instrument, tally: Tally) -> str:
    _require_ended(game, instrument, tally)
    passes = all(condition.met for condition in tally.conditions)
    # If no rule says how a proposal is adopted, it is not, unless none of its changes needs a vote.
    return "adopted" if passes and (tally.conditions or _needs_no_vote(instrument)) else "defeated"


def _require_ended(game: Game, instrument: Instrument, tally: Tally) -> None:
    """Raise Refused while the rules wait for a vote, for a day, or for a tie to be broken."""
    number = instrument.number
    if not tally.may_end:
        missing = ", ".join(tally.missing)
        until = (
            f", or the vote closes on {tally.closes}"
            if tally.closes is not None and not tally.must_vote
            else ""
        )
        waits = Wait(
            subject=missing,
            predicate=f"must vote before proposal {number} is resolved{until}",
            since=None if tally.must_vote else tally.closes,
        )
        remedy = f"nomicgen vote {number} for|against --player {tally.missing[0]}"
        raise Refused(waits.words, remedy, waits=waits)
    if (vote := tie_breaking_vote(game, tally)) is not None:
        waits = Wait(
            subject=f"proposal {number}", predicate="is tied; one more vote breaks the tie"
        )
        raise Refused(waits.words, f"nomicgen vote {number} {vote}", waits=waits)


def _require_closed(number: int, tally: Tally, now: Moment) -> None:
    """Raise Refused on the last day of a vote while somebody can still vote."""
    if tally.closes is not None and (awaited := tally.awaited(now)):
        last = f"{'' if tally.closes.timed else 'the end of '}{tally.closes}"
        waits = Wait(
            subject=listed(awaited),
            predicate=f"can vote on proposal {number} until {last}",
            since=tally.closes.plus(0 if tally.closes.timed else 1),
        )
        raise Refused(
            waits.words,
            f"nomicgen vote {number} for|against --player {awaited[0]}, "
            "or wait, and then `nomicgen next --do`",
            waits=waits,
        )


def _votes_recorded(matter: ProposalMatter, tally: Tally) -> dict[str, object]:
    """Return the votes as they are recorded when the vote ends, with those that the law adds: for
    silence, or for being the author.
    """
    votes = votes_for_file(matter)
    # A quorum counts only votes that were cast, so the file has to say which were not.
    quorum = any(condition.is_quorum for condition in tally.conditions)
    for voter in (*tally.for_, *tally.against):
        if voter in tally.silent:
            votes[voter] = {
                "vote": "for" if voter in tally.for_ else "against",
                "cast_by": "silence",
            }
        else:
            votes.setdefault(voter, {"vote": "for", "cast_by": "silence"} if quorum else "for")
    return dict(sorted(votes.items()))


def _needs_no_vote(instrument: Instrument) -> bool:
    return all(judged_verb(instruction) is None for instruction in instrument.instructions)


def _effect_moment(game: Game, instrument: Instrument, decided: Moment) -> Moment | None:
    """Return when a proposal takes effect; None if it waits for the next turn to begin."""
    law = Law.of(game.replay.current, game.settings, decided)
    return due_moment(instrument, law, decided, began(next_turn(game.records, instrument, decided)))


def withdraw(game: Game, number: int, on: Moment) -> Move:
    """Return the move that withdraws a proposal in debate or open; its number is spent.

    Raises Refused for any other proposal, and if a rule is against that.
    """
    instrument = proposal_of(game, number)
    matter = instrument.matter
    if matter.status not in ("debate", "open"):
        raise Refused(
            f"proposal {number} is {matter.status}", "a decided proposal cannot be withdrawn"
        )
    part = Part(
        writes={
            instrument.path: edit_file(
                game, instrument.path, {"status": "withdrawn", "decided": on}
            )
        },
        subject=f"Withdrawn: proposal {number}, {matter.title or instrument.path}",
        trailers=(("Instrument", instrument.path), ("Outcome", "withdrawn")),
    )
    said = (f"proposal {number} is withdrawn; its number is spent",)
    try:
        return verify_move(game, part, said=said, on=on)
    except Refused as refused:
        # `withdrawal-late` is about a withdrawal that the file has. This one has none.
        refused.findings = tuple(
            replace(
                finding,
                span=Span(file=instrument.path),
                message=finding.message.replace(" was withdrawn", " cannot be withdrawn", 1),
                help="nothing: it stays as it is; if you are against it now, vote against it",
            )
            if finding.slug == "withdrawal-late"
            else finding
            for finding in refused.findings
        )
        raise


def apply_rules(game: Game) -> Move:
    """Return the move that brings `rules/` to what the ledger says: a part for each instrument that
    waits, and a last one for what was edited by hand. It also writes when what waited for a turn
    took effect.

    Raises Refused if `rules/` shows changes that are due only after the day of `game`.
    """
    status = ruleset_status(game.records, game.replay)
    if status.ahead:
        raise Refused(f"rules/ is newer than {game.until}", "leave out --on: nothing is undone")
    rules = dict(game.records.derived_rules)
    parts = []
    for step in status.waiting:
        part = _part_to(step.after, rules, f"Apply: {step.instrument.name}")
        writes = {**part.writes, **_dated_files(game, [step])}
        trailers = (("Instrument", step.instrument.path),)
        parts.append(replace(part, writes=writes, trailers=trailers))
        rules = ruleset_files(step.after)
    parts.append(_part_to(game.replay.current, rules, "Bring rules/ back to what the ledger says"))
    removed = {path for part in parts for path in part.deletes}
    touched = sorted({path for part in parts for path in part.paths})
    lines = tuple(f"{'removes' if path in removed else 'writes'} {path}" for path in touched)
    return verify_move(
        game, *parts, said=lines or ("rules/ is what the ledger says: nothing to do",)
    )


def with_effects(move: Move) -> Move:
    """Return a move that also carries out in `rules/` what waited for it to take effect."""
    after, pending = move.after, {step.instrument.path for step in move.before.replay.pending}
    waiting = ruleset_status(after.records, after.replay).waiting
    if not any(step.instrument.path in pending for step in waiting):
        return move
    applied = apply_rules(after)
    parts, said = (*move.parts, *applied.parts), (*move.said, *applied.said)
    return replace(move, after=applied.after, parts=parts, said=said)


def _dated_files(game: Game, steps: Iterable[Step]) -> dict[str, bytes]:
    """Return the files of these steps, by path, with when those took effect that do not say so."""
    return {
        step.instrument.path: edit_file(game, step.instrument.path, {"effective": step.effective})
        for step in steps
        if step.lacks_effective
    }


def _part_to(ruleset: Ruleset, rules: Mapping[str, bytes], subject: str) -> Part:
    """Return the part that brings `rules/` from these files to a ruleset."""
    wanted = ruleset_files(ruleset)
    writes = {path: data for path, data in wanted.items() if rules.get(path) != data}
    return Part(writes=writes, deletes=frozenset(rules.keys() - wanted.keys()), subject=subject)


def instrument_trailers(game: Game, own: str) -> tuple[tuple[str, str], ...]:
    """Return the trailers of a commit that brings `rules/` to what the ledger says.

    They name the instrument `own`, and those that waited in `game`, the game before the commit.
    """
    waiting = (step.instrument.path for step in ruleset_status(game.records, game.replay).waiting)
    return tuple(("Instrument", path) for path in dict.fromkeys((own, *waiting)))


def with_rules(game: Game, part: Part, path: str) -> Part:
    """Return a part with what it changes in `rules/`, with the days of what waited for a turn, and
    with `instrument_trailers`.

    `path` is the file of the instrument that it writes.
    """
    after = overlay(game, part.writes, part.deletes)
    dated = _dated_files(after, ruleset_status(game.records, game.replay).waiting)
    rules = _part_to(after.replay.current, after.records.derived_rules, part.subject)
    trailers = (*instrument_trailers(game, path), *part.trailers)
    writes, deletes = {**part.writes, **dated, **rules.writes}, part.deletes | rules.deletes
    return replace(part, writes=writes, deletes=deletes, trailers=trailers)
