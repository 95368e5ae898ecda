"""Judged on the day of the judgement, by who played then (`judge-wrong`). `previous` goes back from the player whose
turn it is over those who are active: one place further for each judgement of that turn that was overruled. What
overrules a judgement stands in its `overruled_by`: all the players who voted for that, or the number of a second
judgement, by another judge. Less is `overruling-wrong`. Where nothing is said, anyone judges, and a judgement is
overruled as the players say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from nomicgen.diagnostics import Finding
from nomicgen.law.effects import Verdict
from nomicgen.law.electorate import electorate, is_active, is_player
from nomicgen.law.events import decided_of
from nomicgen.law.kind import Involved, Kind, Provision
from nomicgen.law.licence import JudgementGiven, JudgementOverruled, State
from nomicgen.law.precedence import Said
from nomicgen.law.sentences import as_sentence, joined
from nomicgen.law.turns import seating
from nomicgen.model import JudgementMatter, Moment, Records, Span, Turn

__all__ = ["EXAMPLES", "KIND"]

EXAMPLES = """\
- case: Nobody judges a question that they asked.
  provisions:
    judgements: {judge: previous, never: [caller], overruled_by: others}
    turns: {order: alphabetical}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02}
    judgements/1.md:
      called_by: wren
      judge: wren
      date: 2026-01-03
      status: upheld
  gives:
    - "judge-wrong: wren judges, and called for it; Rule 201 forbids that"
"""


class Judgements(Provision):
    """Who judges, and what overrules a judgement."""

    judge: Literal["previous"] | None = Field(
        None, description="`previous`: the player before the one whose turn it is; before that, if overruled"
    )
    never: Involved | None = Field(
        None, description="who may not judge: who asked, the author of the proposal in question"
    )
    overruled_by: Literal["others", "judgement"] | None = Field(
        None, description="what overrules it: the votes of all other players, or a judgement by somebody else"
    )


def _sentence(one: Judgements) -> str:
    parts = []
    if one.judge:
        parts.append("the judge is the player before the one whose turn it is, and the one before that if overruled")
    if one.never:
        whose = {"caller": "a question that they asked", "author": "a question about their own proposal"}
        parts.append(f"nobody judges {joined((whose[party] for party in one.never), 'or')}")
    if one.overruled_by:
        how = {"others": "the votes of all other players", "judgement": "a later judgement by another judge"}
        parts.append(f"a judgement is overruled by {how[one.overruled_by]}")
    return as_sentence("; ".join(parts) or "who judges is not laid down")


def _license_judgement(subject: JudgementGiven, state: State) -> Verdict:
    """Whether its judge may give a judgement."""
    matter = subject.instrument.matter
    assert isinstance(matter, JudgementMatter)
    findings = () if matter.judge is None else tuple(_wrong_judge(subject, matter, matter.judge, state))
    return Verdict(state.licences("judgements", "judge", "never"), findings)


def _wrong_judge(subject: JudgementGiven, matter: JudgementMatter, judge: str, state: State) -> Iterator[Finding]:
    span = subject.instrument.source.at("judge")
    never = state.law.says("judgements", "never")
    yield from () if never is None else _partial(never, matter, judge, span, state.records)
    said = state.law.says("judgements", "judge")
    if said is None:
        return
    player = state.records.players.get(judge)
    if player is not None and not (player.matter.kind == "person" and is_player(player, matter.date)):
        yield Finding(
            slug="judge-wrong",
            span=span,
            message=f"{judge} judges, and does not play on {matter.date}",
            help=f"let a player judge, as Rule {said.rule} says: mend `judge`",
            rule=said.rule,
        )
        return
    turns = state.records.turns
    turn = turns.get(matter.turn) if matter.turn is not None else None
    if turn is None and matter.turn is not None:
        return  # that there is no such turn is told already
    if turn is not None and not _is_played(turn, matter.date):
        yield Finding(
            slug="judge-wrong",
            span=subject.instrument.source.at("turn"),
            message=f"{turn.ident} was not being played on {matter.date}; by Rule {said.rule} the turn says who judges",
            help="name the turn in which the judgement is given, or leave `turn` out",
            rule=said.rule,
        )
        return
    # Of two turns of one day it may be in either.
    possible = [one for one in turns.values() if _is_played(one, matter.date)] if turn is None else [turn]
    chosen = [_judges_of(one, subject, state) for one in possible]
    allowed = [one for many in chosen for one in many]
    if allowed and all(chosen) and judge not in allowed:
        which = " or ".join(f"{one.ident} of {one.matter.player}" for one in possible)
        yield Finding(
            slug="judge-wrong",
            span=span,
            message=f"{judge} judges in {which}; by Rule {said.rule} the judge is "
            f"{' or '.join(dict.fromkeys(allowed))}",
            help=f"write `judge: {allowed[-1]}`, and let them judge{'; or mend `turn`' if matter.turn else ''}",
            rule=said.rule,
        )


def _partial(never: Said, matter: JudgementMatter, judge: str, span: Span, records: Records) -> Iterator[Finding]:
    """What is wrong with a judge who asked the question, or whose proposal it is about."""
    about = matter.proposal if matter.voids is None else matter.voids
    for party in never.value or ():
        if judge == (matter.called_by if party == "caller" else _author(about, records)):
            why = "called for it" if party == "caller" else f"is the author of Proposal {about}"
            yield Finding(
                slug="judge-wrong",
                span=span,
                message=f"{judge} judges, and {why}; Rule {never.rule} forbids that",
                help="let somebody else judge: mend `judge`",
                rule=never.rule,
            )


def _author(proposal: int | None, records: Records) -> str | None:
    of = records.instruments.get(f"proposals/{proposal}.md")
    return of.actor if of is not None else None


def _judges_of(turn: Turn, subject: JudgementGiven, state: State) -> list[str]:
    """Who may judge in a turn: the player before its own, and one more for each judgement that was overruled in it."""
    falls = 0
    for one in subject.overruled:
        falls += one.matter.turn == turn.ident if one.matter.turn else _is_played(turn, decided_of(one))
    return _before(turn, state)[: falls + 1]


def _is_played(turn: Turn, moment: Moment | None) -> bool:
    """Whether a turn had begun by a moment, and was not over."""
    began, ended = turn.matter.began, turn.matter.ended
    if moment is None:
        return True
    return not (began is not None and moment.precedes(began)) and not (ended is not None and ended.precedes(moment))


def _before(turn: Turn, state: State) -> list[str]:
    """The players who come before that of a turn, the nearest first; none where no rule says who comes after whom."""
    players, moment = state.records.players, state.moment
    order = seating(players, state.law, state.played)
    if turn.matter.player not in order:
        return []
    place = order.index(turn.matter.player)
    able = [one for one in order if is_player(players[one], moment) and is_active(players[one], moment)]
    return [one for one in (*reversed(order[:place]), *reversed(order[place + 1 :])) if one in able]


def _license_overruling(subject: JudgementOverruled, state: State) -> Verdict:
    """Whether what is said to overrule a judgement does."""
    instrument, said = subject.instrument, state.law.says("judgements", "overruled_by")
    matter = instrument.matter
    assert isinstance(matter, JudgementMatter)
    if said is None:
        return Verdict()
    by, message, remedy = matter.overruled_by, "", ""
    if said.value == "judgement":
        if not _is_judged_anew(by, matter, state.records):
            message = "only a judgement by another judge, given by then, overrules it"
            remedy = "write `overruled_by: ` and the number of that judgement"
    else:
        eligible = electorate(state.records.players, state.law, state.moment)[0]
        missing = [one for one in eligible if one != matter.judge and one not in (by if isinstance(by, list) else ())]
        if missing:
            message = f"all other players have to vote to overrule it, and it lacks {', '.join(missing)}"
            remedy = "write `overruled_by: [...]` with everyone who voted to overrule it"
    if not message:
        return Verdict(state.licences("judgements", "overruled_by"))
    return Verdict(
        findings=(
            Finding(
                slug="overruling-wrong",
                span=instrument.source.at("overruled_by"),
                message=f"{instrument.name} is overruled; by Rule {said.rule} {message}",
                help=f"{remedy}, or bring `status: upheld` back",
                rule=said.rule,
            ),
        )
    )


def _is_judged_anew(by: object, matter: JudgementMatter, records: Records) -> bool:
    other = records.instruments.get(f"judgements/{by}.md")
    if other is None or not isinstance(other.matter, JudgementMatter) or other.matter.status == "pending":
        return False
    early: Moment | None = matter.overruled
    given = other.matter.date
    late = early is not None and given is not None and early.precedes(given)
    return not late and other.matter.judge != matter.judge and other.matter.number > matter.number


KIND = Kind(
    schema=Judgements,
    sentence=_sentence,
    combines="fields",
    licenses={JudgementGiven: _license_judgement, JudgementOverruled: _license_overruling},
)
