"""What a move needs of a game: that it is open for play, that its players exist, and that
it is the time for a proposal.
"""

from __future__ import annotations

import re

from nomicgen.files.validation import nearest
from nomicgen.law.precedence import rule_finding
from nomicgen.law.questions import awaited_turn, stay_of_turn
from nomicgen.law.replay.results import Rule
from nomicgen.model.findings import listed
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment, Span
from nomicgen.play.load import Game, as_of, law_on
from nomicgen.play.refusal import Refused, Wait

OPEN = "nomicgen open --adoption majority --adoption-rule N"
"""The command that opens an archive for play."""
# Words by which a text may be about adoption.
_VOTING = r"(?i)\b(adopt|vot|majorit|unanim|two[- ]thirds)"


def require_open(game: Game) -> None:
    """Raise Refused in an archive: nobody can vote if no rule says how votes are counted."""
    if game.replay.is_lawless:
        raise Refused(
            f"{game.settings.name} is an archive: no rule has provisions, so none says how a "
            "proposal is adopted",
            f"`{OPEN}` opens it, if your rules adopt a proposal by more than half of the players; "
            f"{which_rule(game)}; `nomicgen record` enters what happened before",
            waits=Wait(
                subject="The game",
                predicate="is an archive, and nobody can vote in it before it is opened",
            ),
        )


def status_words(matter: ProposalMatter) -> str:
    """Return the status as a sentence says it: `in debate`, `open`."""
    return "in debate" if matter.status == "debate" else matter.status


def rules_of_voting(game: Game) -> tuple[Rule, ...]:
    """Return the rules in force whose texts speak of votes or adoption, without void ones.

    Only a reader can tell which of them says how a proposal is adopted.
    """
    return tuple(
        rule
        for rule in game.replay.current
        if not rule.void and re.search(_VOTING, rule.text or "")
    )


def which_rule(game: Game) -> str:
    """Return what `N` in `OPEN` stands for: a part of a sentence, with the rules to choose from."""
    numbers = [rule.number for rule in rules_of_voting(game)]
    among = (
        f", {'perhaps' if len(numbers) == 1 else 'one of'} {listed(numbers, 12)}" if numbers else ""
    )
    return f"N is the rule that says how a proposal is adopted{among}"


def require_player(game: Game, ident: PlayerId) -> None:
    """Raise Refused for an id without a file in players/."""
    if ident not in game.records.players:
        players = game.records.players
        known = ", ".join(players) or "none yet"
        names = {player.matter.name.casefold(): other for other, player in players.items()}
        meant = nearest(ident, [*players, *names])
        perhaps = f"perhaps {names.get(meant, meant)} is meant; " if meant is not None else ""
        raise Refused(
            f"there is no player {ident}",
            f"{perhaps}players: {known}; `nomicgen player join {ident}` adds one",
        )


def require_turn(game: Game, author: PlayerId | None, on: Moment) -> None:
    """Raise Refused between two turns, and before the first, if a rule leaves the proposals of a
    turn to its player. Before the first turn, its player may propose. Without an `author` nothing
    is refused.
    """
    then = as_of(game, on)
    awaited = awaited_turn(then.records, then.replay, law_on(game, on))
    if (
        awaited is None
        or author is None
        or (not game.records.turns and author == awaited[0].player)
    ):
        return
    (coming, provision), path = awaited, f"turns/{awaited[0].ident}.yml"
    comes = f"{coming.ident} of {coming.player} is the next turn, and"
    if stay := stay_of_turn(coming, then.records, then.replay, on):
        held, help = stay
        comes += f" cannot begin {held}"
        why = rule_finding("turn-proposals", Span(file=path), provision, comes, "")
        raise Refused(comes, help, (why,))
    why = rule_finding("turn-proposals", Span(file=path), provision, f"{comes} has not begun", "")
    adds = f"a pull request of {coming.player}'s that adds {path}"
    keys = f"`player: {coming.player}` and `began: {on}`"
    raise Refused(why.message, f"begin it with `nomicgen turn`, or with {adds}: {keys}", (why,))
