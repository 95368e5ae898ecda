"""Who may vote at a moment, how much a vote counts, how long it can be cast, which text it binds,
what silence means, and who breaks ties. Where a moment is None, everybody plays and is active,
except the kind `past`, and roles and strengths with an end do not count.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from nomicgen.law.precedence import Law, Said
from nomicgen.law.provisions.ballot import Ballot, Die, Silence, TieBreak
from nomicgen.law.replay.player_spans import holds_role, is_active, is_player, strength_of
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Player, Players
from nomicgen.model.values import Moment


def electorate(
    players: Players, law: Law, moment: Moment | None
) -> tuple[tuple[PlayerId, ...], tuple[PlayerId, ...]]:
    """Return two lists of ids in alphabetical order: those who may vote at `moment`, and everybody
    who plays then: persons, and dummies if a rule says how they vote.

    A bot never votes by itself, and the player who breaks ties has no other vote, unless a more
    entrenched rule gives one.
    """
    seated = sorted(
        ident
        for ident, player in players.items()
        if _is_voter(player, law) and is_player(player, moment)
    )
    resting_too, breaker = law.value(Ballot.electorate) != "active", player_without_vote(law)
    voters = (
        ident
        for ident in seated
        if ident != breaker and (resting_too or is_active(players[ident], moment))
    )
    return tuple(voters), tuple(seated)


def inactive_voters(
    matter: ProposalMatter, players: Players, law: Law, moment: Moment | None
) -> Collection[PlayerId]:
    """Return the ids of those who voted while inactive, or were inactive when the voters were
    settled, where a rule lets their votes count.

    A vote without `at` was cast at the opening, it is assumed.
    """
    return {
        voter
        for voter, vote in (
            (matter.votes or {}) if law.value(Ballot.inactive_may_vote) else {}
        ).items()
        if (vote.cast_by != "silence" and voter in players and voter != player_without_vote(law))
        and not (
            is_active(players[voter], vote.at or matter.opened or moment)
            and is_active(players[voter], electorate_moment(matter, law, None))
        )
    }


def electorate_moment(matter: ProposalMatter, law: Law, moment: Moment | None) -> Moment | None:
    """Return the moment as of which voters, players and weights are taken: the vote's opening
    where a rule says so, else `moment`.

    A vote that has not opened yet is looked at as if it opened at `moment`.
    """
    if law.value(Ballot.electorate_at) != "opening" or matter.status in ("draft", "debate"):
        return moment
    return matter.opened or matter.date or moment


def may_vote(player: Player, law: Law, moment: Moment | None, matter: ProposalMatter) -> bool:
    """Return whether a player is an eligible voter on a proposal, and can vote, at `moment`."""
    fixed = electorate_moment(matter, law, moment)
    if not (
        _is_voter(player, law) and is_player(player, moment)
    ) or player.ident == player_without_vote(law):
        return False
    if fixed is not moment and not is_player(player, fixed):
        return False
    if law.value(Ballot.electorate) != "active" or is_active(player, fixed):
        return True
    return bool(law.value(Ballot.inactive_may_vote)) and is_active(player, moment)


def weights_of(
    voters: Iterable[PlayerId], players: Players, law: Law, moment: Moment | None
) -> dict[PlayerId, int]:
    """Return how many votes the vote of each counts as at `moment`, where that is not 1; a vote
    that only breaks ties always counts 1.
    """
    weights = law.value(Ballot.weights)
    if not weights:
        return {}
    breaker = player_without_vote(law)
    weighed = (
        (voter, _weight(players[voter], weights, moment)) for voter in voters if voter != breaker
    )
    return {voter: weight for voter, weight in weighed if weight != 1}


def _weight(player: Player, weights: str | Mapping[str, int], moment: Moment | None) -> int:
    if isinstance(weights, str):
        return strength_of(player, moment)
    return max(
        (weight for role, weight in weights.items() if holds_role(player, role, moment)), default=1
    )


def _is_voter(player: Player, law: Law) -> bool:
    kind = player.matter.kind
    return kind == "person" or (kind == "dummy" and law.value(Ballot.dummy) is not None)


def silence(law: Law) -> Silence:
    """Return what it means that somebody has not voted; if no rule says, a vote that everyone must
    cast waits for them.
    """
    return law.value(Ballot.silence) or ("waits" if law.value(Ballot.everyone_votes) else "ignored")


def silence_rule(law: Law) -> Said[object] | None:
    """Return the rule and the value from which `silence` follows; None if no rule speaks of it."""
    return law.says(Ballot.silence) or law.says(Ballot.everyone_votes)


def vote_closes(law: Law, opened: Moment | None) -> Moment | None:
    """Return the last moment of a vote that opened at `opened`, None where it has no closing
    day.

    A vote that waits for everyone has none: if late votes did not count, it might never end.
    """
    days = law.value(Ballot.closes_after) if silence(law) != "waits" else None
    return opened.plus(days) if opened is not None and days is not None else None


def effect_of_edits(law: Law, matter: ProposalMatter) -> str | None:
    """Return what becomes of the votes if title or argument are edited while the vote is open:
    `lapse`, `forbidden`, or None if they stand.
    """
    edits = law.value(Ballot.edits) or ("stand" if matter.ballot is None else "lapse")
    return None if edits == "stand" else edits


def due_digest(instrument: Instrument, law: Law) -> str | None:
    """Return the digest that a vote has to record if it gets a token and opens under `law`."""
    return instrument.digest if law.value(Ballot.edits) == "stand" else instrument.whole_digest


def tie_break(law: Law) -> TieBreak | None:
    """Return who breaks ties (`by`), and with which die; None if nobody does."""
    return law.value(Ballot.tie_break)


def player_without_vote(law: Law) -> PlayerId | None:
    """Return the player who breaks ties, and therefore has no other vote.

    None if no rule names one, and where a more entrenched rule says who votes, or that everyone
    must: then the tie-break takes no vote away. The player whom it names votes like the others,
    without the die, and on a tie their side has one more vote: a casting vote.
    """
    breaker, everyone = law.says(Ballot.tie_break), law.says(Ballot.everyone_votes)
    if (
        breaker is None
        or _is_outranked(breaker, law.says(Ballot.electorate))
        or _is_outranked(breaker, everyone, True)
    ):
        return None
    return breaker.value.by


def breaks_ties(player: Player, law: Law) -> bool:
    """Return whether a player votes only to break ties; a bot that a rule names has no other vote
    in any case.
    """
    breaker = tie_break(law)
    named = breaker is not None and breaker.by == player.ident
    return named and (player_without_vote(law) is not None or not _is_voter(player, law))


def author_votes(law: Law) -> Said[bool] | None:
    """Return the rule by which a silent author counts as a vote for; None without one, or where a
    more entrenched rule waits for every vote.
    """
    own, everyone = law.says(Ballot.author_votes_for), law.says(Ballot.everyone_votes)
    if (
        own is None
        or _is_outranked(own, law.says(Ballot.silence), "waits")
        or _is_outranked(own, everyone, True)
    ):
        return None
    return own if own.value else None


def _is_outranked(own: Said[object], by: Said[object] | None, value: object = None) -> bool:
    """Return whether the rule of `by` is more entrenched, and says `value` (None: any value)."""
    return by is not None and by.rank < own.rank and value in (None, by.value)


def die_of(player: Player, law: Law) -> Die | None:
    """Return the die by which a player votes; None for a player who votes without one.

    A dummy has one if a rule says so, and the player who only breaks ties may have one.
    """
    breaker = tie_break(law)
    if breaker is not None and breaks_ties(player, law):
        return breaker.as_die
    return law.value(Ballot.dummy) if player.matter.kind == "dummy" else None
