"""Where a vote stands, in words."""

from __future__ import annotations

from nomicgen.law.precedence import Law
from nomicgen.law.questions import again_until, silence_due, wakes_voters
from nomicgen.law.replay.player_spans import is_active, is_player
from nomicgen.law.voting.tally import Tally
from nomicgen.play.load import Game, as_of, law_on
from nomicgen.play.open_tasks import tie_vote


def tie_breaking_vote(game: Game, tally: Tally) -> str | None:
    """Return the last words of the command that breaks a tie, by the law of the game's day; None if
    there is no tie to break, or nobody breaks ties.
    """
    return tie_vote(
        game.records.players, Law.of(game.replay.current, game.settings, game.until), tally
    )


def vote_lines(game: Game, number: int, tally: Tally, *, commands: bool = True) -> tuple[str, ...]:
    """Return lines that say where a vote stands: the votes, who has not voted and until when they
    can, and how few votes would still pass it.

    With `commands` they also say what ends the vote. A vote whose days are over is counted as of
    its last day.
    """
    closes, path = tally.closes, f"proposals/{number}.md"
    over = closes is not None and closes.precedes(game.until)
    if closes is not None and over and tie_breaking_vote(game, tally) is None:
        tally = as_of(game, closes).replay.tallies.get(path, tally)
    over = over and bool(tally.missing)
    sides = f"{tally.votes_for} for, {tally.votes_against} against"
    if tally.abstain:
        sides += f", {tally.abstentions} abstaining"
    if (over or not tally.missing) and (vote := tie_breaking_vote(game, tally)) is not None:
        return (
            f"proposal {number}: {sides}, a tie{f': nomicgen vote {number} {vote}' * commands}",
        )
    if closes is not None and over:
        since = f"{'the end of ' * (not closes.timed)}{closes}"
        ends = f": nomicgen proposal resolve {number} --on {closes}" * commands
        return (f"proposal {number}: {sides}; over since {since}{ends}",)
    awaited, proposal = tally.awaited(game.until), game.records.proposal(path)
    if not tally.missing:
        how = (
            f", with the silence of {', '.join(tally.silent)}"
            if tally.silent
            else "; everyone voted"
        )
        ends = (
            f", until {'the end of ' * (not tally.closes.timed)}{tally.closes}"
            f"{game.settings.zone_words}"
            if awaited and tally.closes is not None
            else f": nomicgen proposal resolve {number}" * commands
        )
        law = law_on(game, game.until)
        again = proposal and again_until(proposal, game.records.turns, law, game.until)
        if again and not awaited:
            return (
                f"proposal {number}: {sides}{how}",
                f"  it may begin again until {again[0]} (Rule {again[1]}), and after that it is "
                "counted",
                *((f"  nomicgen proposal resolve {number}   ends it before",) if commands else ()),
            )
        return (f"proposal {number}: {sides}{how}{ends}",)
    until = f" until {tally.closes}{game.settings.zone_words}" if tally.closes is not None else ""
    due = silence_due(tally.missing, game.records, game.replay, game.until)
    too_few_voters = (
        f"  Rule {condition.rule}: {condition.arithmetic}"
        for condition in tally.conditions
        if condition.is_quorum and not condition.met
    )
    return (
        f"proposal {number}: {sides}; waiting for {', '.join(tally.missing)}{until}",
        f"  {_chance(tally)}{_unless_others(game) if not tally.fewest else ''}",
        *((f"  after {due.moment}, {due.then} (Rule {due.rule})",) if due is not None else ()),
        *too_few_voters,
        *(
            (f"  nomicgen proposal resolve {number}   ends it as it stands",)
            if tally.may_end and not awaited and commands
            else ()
        ),
    )


def _unless_others(game: Game) -> str:
    """Return words that name the inactive players, if they may vote; else ''."""
    players = game.records.players.items()
    resting = [
        ident
        for ident, player in players
        if player.matter.kind == "person"
        and is_player(player, game.until)
        and not is_active(player, game.until)
    ]
    wakes = resting and wakes_voters(law_on(game, game.until))
    return f", unless an inactive player votes: {', '.join(resting)}" if wakes else ""


def _chance(tally: Tally) -> str:
    if tally.fewest is None:
        return "it cannot pass any more"
    if tally.fewest == 0:
        return (
            "it passes whatever they vote" if tally.must_vote else "it passes if nobody else votes"
        )
    return f"{tally.fewest} more {'vote' if tally.fewest == 1 else 'votes'} in favour would pass it"
