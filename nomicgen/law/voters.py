"""What is wrong with single votes: who was no voter, who voted out of time, and what no rule lets count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgen.diagnostics import Finding
from nomicgen.law.ballot import Silence, closing, die_of, electorate, silence, tie_break
from nomicgen.law.precedence import Law
from nomicgen.law.state import Tally
from nomicgen.model import Instrument, Moment, Player, ProposalMatter, Span, Vote

__all__ = ["judge_voters"]


def judge_voters(
    instrument: Instrument,
    matter: ProposalMatter,
    players: Mapping[str, Player],
    law: Law,
    moment: Moment | None,
    tally: Tally,
) -> Iterator[Finding]:
    """Every vote of a proposal, judged one by one under the law of `moment`."""
    electorates: dict[Moment | None, list[str]] = {}
    breaker = tie_break(law)
    for voter, vote in (matter.votes or {}).items():
        span = instrument.source.key("votes", voter)
        if voter not in players:
            yield Finding(
                slug="voter-unknown",
                span=span,
                message=f"{voter} voted, and there is no players/{voter}.yml",
                help=f"add players/{voter}.yml with the day of joining, or take the vote out",
            )
            continue
        if breaker is not None and breaker.by == voter:
            yield from _breaks(voter, matter, tally, law, span)
        else:
            # Without a day of its own a vote was cast at some time between the two: who left or joined meanwhile could.
            days = (vote.at,) if vote.at else (matter.opened or moment, moment)
            for day in days:
                if day not in electorates:
                    electorates[day] = electorate(players, law, day)[0]
            if not any(voter in electorates[day] for day in days):
                yield _no_voter(voter, days[-1], law, span)
                continue
        yield from _cast(players[voter], vote, matter, law, tally, span)


def _no_voter(voter: str, day: Moment | None, law: Law, span: Span) -> Finding:
    said = law.says("ballot", "electorate")
    return Finding(
        slug="voter-unknown",
        span=span,
        message=f"{voter} voted, and was no eligible voter on {day}",
        help=f"players/{voter}.yml says when {voter} played; mend it there, or take the vote out",
        rule=said.rule if said else None,
    )


def _breaks(voter: str, matter: ProposalMatter, tally: Tally, law: Law, span: Span) -> Iterator[Finding]:
    """A vote of who breaks ties, where there was no tie to break."""
    if matter.status in ("adopted", "defeated") and tally.tie_break is None:
        said = law.says("ballot", "tie_break")
        yield Finding(
            slug="vote-unlawful",
            span=span,
            message=f"{voter} votes only to break a tie, and there was none",
            help=f"take the vote of {voter} out",
            rule=said.rule if said else None,
        )


def _cast(player: Player, vote: Vote, matter: ProposalMatter, law: Law, tally: Tally, span: Span) -> Iterator[Finding]:
    if vote.cast_by == "die" or die_of(player, law) is not None:
        yield from _by_die(player, vote, law, span)
    elif vote.cast_by == "silence":
        yield from _by_silence(player.ident, vote, law, span)
    elif vote.vote == "abstain":
        yield from _abstains(player.ident, law, span)
    closes = closing(law, matter.opened)
    if closes is not None and vote.cast_by != "silence" and vote.at is not None and closes.precedes(vote.at):
        said = law.says("ballot", "closes_after")
        yield Finding(
            slug="vote-late",
            span=span,
            message=f"{player.ident} voted on {vote.at}; the vote closed on {closes}",
            help="take the vote out: what silence counts as is counted by itself",
            rule=said.rule if said else None,
        )


def _by_die(player: Player, vote: Vote, law: Law, span: Span) -> Iterator[Finding]:
    die = die_of(player, law)
    if die is None:
        message, rule = f"{player.ident} votes by a die, and no rule lets {player.ident} do so", None
        remedy = "take `cast_by` out if the player voted, or let a rule's `ballot` say who votes by die"
    else:
        said = law.says("ballot", "dummy" if player.matter.kind == "dummy" else "tie_break")
        rule = said.rule if said else None
        shown = f"nomicgen vote N --die FACE --player {player.ident}"
        if vote.cast_by != "die" or vote.die is None:
            message, remedy = f"{player.ident} votes by die, and no throw is recorded", f"throw, then `{shown}`"
        elif not 1 <= vote.die <= die.die:
            message, remedy = f"a die of {die.die} sides does not show {vote.die}", f"mend `die`, or `{shown}`"
        elif vote.vote != die.vote(vote.die):
            message = f"a throw of {vote.die} is {_said(die.vote(vote.die))}, and {_said(vote.vote)} is recorded"
            remedy = f"mend `vote` or `die`, or `{shown}`"
        else:
            return
    yield Finding(slug="vote-unlawful", span=span, message=message, help=remedy, rule=rule)


def _said(choice: str) -> str:
    return "no vote" if choice == "abstain" else f"a vote {choice}"


_SILENCE: dict[Silence, str] = {"waits": "holds the vote open", "ignored": "is no vote"}


def _by_silence(voter: str, vote: Vote, law: Law, span: Span) -> Iterator[Finding]:
    mode = silence(law)
    if mode == vote.vote:
        return
    said = law.says("ballot", "silence") or law.says("ballot", "everyone_votes")
    meaning = _SILENCE.get(mode, f"counts as a vote {mode}")
    yield Finding(
        slug="vote-unlawful",
        span=span,
        message=f"{voter}'s silence {meaning}, and {_said(vote.vote)} is recorded",
        help=f"take the vote of {voter} out, or record what {voter} voted",
        rule=said.rule if said else None,
    )


def _abstains(voter: str, law: Law, span: Span) -> Iterator[Finding]:
    said = law.says("ballot", "abstention")
    everyone = law.says("ballot", "everyone_votes")
    if said is not None and said.value == "forbidden":
        rule, why = said.rule, "an abstention is not allowed"
    elif said is None and everyone is not None and everyone.value:
        rule, why = everyone.rule, "everyone must vote, and no rule lets anyone abstain"
    else:
        return
    yield Finding(
        slug="vote-unlawful",
        span=span,
        message=f"{voter} abstained: {why}",
        help="vote for or against",
        rule=rule,
    )
