"""Whether a player may judge depends on the rules and players of the day of the judgement
(`judge-wrong`). If no rule says anything, anyone judges, and may void any proposal, and
the players may overrule it at any time, in any way. But a judgement changes rules, under an
`authority`, only if rules say who judges, or who may not, and if the judge is known.

- **`judge`.** `previous` is the active player before the one whose turn it is, and `next` the one
  after. With each overruled judgement of that turn, one more player in that direction may judge;
  whoever was overruled may still judge other questions. Where turns overlap, nobody judges during
  their own. With `{role: NAME}`, a player who has the role that day judges. If a
  judgement on the same proposal or rule was overruled, if this one overrules another, or if a judge
  of it was late, another holder has to judge, if there is one. `anyone` is any person who plays.
- **`overruled_by`** in the file of a judgement says what overruled it: all players who voted for
  that, or the number of a second judgement by another judge. If that is less than the rule asks
  for, or the day is later than `overruled_until` allows, it is `overruling-wrong`.
- **`voids`.** If a judgement voids a proposal but may not, that is `voids-unlawful`, and the
  proposal counts as withdrawn, perhaps too late (`withdrawal-late`). With `voids: offended`, it
  names in `under` a rule that was in force when the proposal was decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from nomicgen.law.change_kinds import judged_verb
from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Holder, Involved, Provision, unsaid
from nomicgen.law.precedence import Said, rule_finding
from nomicgen.law.replay.events import began, next_turn
from nomicgen.law.replay.moments import precedes
from nomicgen.law.replay.player_spans import holders, is_active, is_player
from nomicgen.law.replay.results import Ruleset
from nomicgen.law.replay.turn_order import lawful_turn_order
from nomicgen.law.replay.watched_records import WatchedRecords
from nomicgen.law.sentences import Phrase, by_field, days_words, joined, with_article
from nomicgen.law.subjects import JudgementGiven, JudgementOverruled, State, permitted_by
from nomicgen.law.voting.voting_rights import electorate
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import JudgementMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Judgement, Proposal, Turn
from nomicgen.model.values import Moment, Number

EXAMPLES = """\
- case: Nobody may judge their own question.
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
- case: A herald judges. Tallow overrules the judgement too late.
  provisions:
    judgements: {judge: {role: herald}, overruled_until: 7}
  players:
    wren: {roles: [{role: herald, since: 2026-01-01}]}
  files:
    judgements/1.md: {judge: wren, date: 2026-01-03, status: overruled, overruled: 2026-01-12}
    judgements/2.md: {judge: tallow, date: 2026-01-12, status: upheld}
  gives:
    - "overruling-wrong: Judgement 1 is overruled on 2026-01-12; by Rule 201 that was possible until
      2026-01-10"
    - "judge-wrong: tallow judges; by Rule 201 the judge is a herald, that is wren"
- case: A judge voids a proposal, but names no rule that it breaks.
  provisions:
    judgements: {judge: anyone, voids: offended}
  votes: {osprey: for, quill: for, tallow: for}
  files:
    judgements/1.md: {judge: wren, date: 2026-01-07, voids: 301, status: upheld}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "voids-unlawful: Judgement 1 voids Proposal 301, and names no rule in `under`; Rule 201 asks
      for one that the proposal breaks"
"""


Judges = Literal["previous", "next", "anyone"] | Holder
Until = Literal["next-turn"] | Number


class Judgements(Provision):
    """Who judges, and what overrules a judgement."""

    judge: Judges | None = unsaid(
        "the player before (`previous`) or after (`next`) the one whose turn it is; if overruled, "
        "the next one in that direction; a player with a role; or anyone who plays"
    )
    never: Involved | None = unsaid(
        "who may not judge: the player who asked, the author of the proposal"
    )
    overruled_by: Literal["others", "judgement"] | None = unsaid(
        "what overrules it: the votes of all other players, or a judgement by somebody else"
    )
    overruled_until: Until | None = unsaid(
        "until when: the beginning of the next turn, or a number of days"
    )
    voids: Literal["any", "offended", "none"] | None = unsaid(
        "the proposals that it may void; `offended`: those that break a rule that it names in "
        "`under`"
    )


# The sentence by the word in `judge`; a message quotes it up to the comma.
_JUDGES = {
    "previous": "the judge is the player before the one whose turn it is, and the one before "
    "that if overruled",
    "next": "the judge is the player after the one whose turn it is, and the one after that if "
    "overruled",
    "anyone": "any player may judge",
}


def _judge(provision: Judgements) -> str:
    if isinstance(provision.judge, dict):
        return f"the judge is {with_article(provision.judge['role'])}, and another one if overruled"
    return _JUDGES[provision.judge or ""]


def _never(provision: Judgements) -> str:
    questions = {
        "caller": "a question that they asked",
        "author": "a question about their own proposal",
    }
    return f"nobody judges {joined((questions[party] for party in provision.never or ()), 'or')}"


def _until(provision: Judgements) -> str:
    until = provision.overruled_until
    when = (
        f"within {days_words(until)}" if isinstance(until, int) else "before the next turn begins"
    )
    return f"a judgement may be overruled {when}"


_WORDS: dict[str, Phrase[Judgements]] = {
    "judge": _judge,
    "never": _never,
    "overruled_by": {
        "others": "a judgement is overruled by the votes of all other players",
        "judgement": "a judgement is overruled by a later judgement by another judge",
    },
    "overruled_until": _until,
    "voids": {
        "any": "a judgement may void a proposal",
        "offended": "a judgement may void a proposal that offends a rule in force",
        "none": "no judgement voids a proposal",
    },
}


def _wrong(
    judgement: Instrument,
    key: str,
    said: Said[object],
    message: str,
    remedy: str,
    slug: str = "judge-wrong",
) -> Finding:
    return rule_finding(slug, judgement.source.at(key), said, message, remedy)


def _judge_given(subject: JudgementGiven, state: State) -> Iterator[Finding]:
    """Judge whether the judge may judge, and is known to be the judge if rules are changed."""
    if subject.instrument.matter.judge is not None:
        yield from _wrong_judge(subject, subject.instrument.matter.judge, state)
    yield from _unknown_judge(subject, state)
    yield from _wrong_voiding(subject.instrument, subject.then, state)


def _unknown_judge(subject: JudgementGiven, state: State) -> Iterator[Finding]:
    """Yield that nobody is named as the judge, or that nobody knows who may change rules."""
    judgement, judges = subject.instrument, state.law.says(Judgements.judge)
    speaking = judges or state.law.says(Judgements.never)
    changing = [one for one in judgement.instructions if judged_verb(one) is not None]
    if judgement.matter.judge is None and speaking is not None and not judgement.instructions:
        message = f"nobody is named as the judge; Rule {speaking.rule} says who may judge"
        yield _wrong(judgement, "judge", speaking, message, "write `judge: ID`")
    if not changing or judgement.matter.judge is None:
        return  # another finding says that it changes rules and names no judge
    if speaking is None:
        why, remedy = "no rule says who judges", "first enact a rule with a `judgements` provision"
    elif (
        judges is not None
        and judges.value in ("previous", "next")
        and (unknown := _why_no_judge(subject, state))
    ):
        who = _JUDGES[judges.value].partition(",")[0]
        why = f"by Rule {judges.rule} {who}, and {unknown}"
        remedy = "give it when the judge is known"
    else:
        return
    yield Finding(
        slug="judge-wrong",
        span=changing[0].span,
        message=f"{judgement.name} changes rules, and {why}",
        help=f"delete the instructions, and propose the change; or {remedy}",
        rule=None if speaking is None else speaking.rule,
    )


def _why_no_judge(subject: JudgementGiven, state: State) -> str | None:
    """Return why the turns do not say who the judge is; None where they do."""
    matter, turns = subject.instrument.matter, _turns_of(subject, state)
    if not turns:
        missing = f"there is no turn {matter.turn}"
        return missing if matter.turn is not None else f"no turn was played on {matter.date}"
    unknown = [turn.ident for turn in turns if not _after(turn, state)]
    if not unknown:
        return None
    return f"no rule says who plays before or after whom in {' or '.join(unknown)}"


def _wrong_judge(subject: JudgementGiven, judge: PlayerId, state: State) -> Iterator[Finding]:
    never = state.law.says(Judgements.never)
    judges: Said[Judges] | None = state.law.says(Judgements.judge)
    yield from () if never is None else _biased(never, subject.instrument, state.records)
    matter = subject.instrument.matter
    if judge in matter.late and (judges is None or judges.value == "anyone"):
        yield Finding(
            slug="judge-wrong",
            span=subject.instrument.source.at("judge"),
            message=f"{judge} judges, and let the time run out, as `late` says",
            help="let somebody else judge: correct `judge`; or correct `late`",
        )
    if judges is None:
        return
    player = state.records.players.get(judge)
    if player is not None and not (
        player.matter.kind == "person" and is_player(player, matter.date)
    ):
        message = f"{judge} judges, and does not play on {matter.date}"
        remedy = f"let a player judge, as Rule {judges.rule} says: correct `judge`"
        yield _wrong(subject.instrument, "judge", judges, message, remedy)
    elif isinstance(judges.value, dict):
        yield from _no_holder(subject, judges, judges.value["role"], state)
    elif judges.value != "anyone":
        yield from _not_beside(subject, judges, state)


def _no_holder(
    subject: JudgementGiven, judges: Said[Judges], role: str, state: State
) -> Iterator[Finding]:
    """Yield why a player may not judge by a role: only others have it, or have to judge instead."""
    matter = subject.instrument.matter
    able = holders(role, state.records.players, matter.date)
    fallen = {
        judgement.actor
        for judgement in subject.overruled
        if _question(judgement) & _question(subject.instrument)
    }
    allowed = [who for who in able if who not in fallen and who not in matter.late] or able
    if matter.judge not in allowed:
        nobody = f", and nobody is one on {matter.date}"
        who = f", that is {' or '.join(allowed)}" if allowed else nobody
        message = (
            f"{matter.judge} judges; by Rule {judges.rule} the judge is {with_article(role)}{who}"
        )
        remedy = (
            f"let {with_article(role)} judge: correct `judge`, or `roles` in the file of a player"
        )
        yield _wrong(subject.instrument, "judge", judges, message, remedy)


def _question(judgement: Judgement) -> set[int | None]:
    """Return what a judgement is about: `{305, -203}` are Proposal 305 and Rule 203."""
    matter = judgement.matter
    return {matter.proposal, matter.voids, *(-rule.number for rule in matter.rules)} - {None}


def _not_beside(subject: JudgementGiven, judges: Said[Judges], state: State) -> Iterator[Finding]:
    """Yield why a turn does not make a player the judge: it was not played, or others come next."""
    matter, possible = subject.instrument.matter, _turns_of(subject, state)
    if matter.turn is not None and possible and not _is_played(possible[0], matter.date):
        why = (
            f"{matter.turn} was not being played on {matter.date}; by Rule {judges.rule} the "
            "turn says who judges"
        )
        remedy = "name the turn in which the judgement is given, or leave `turn` out"
        yield _wrong(subject.instrument, "turn", judges, why, remedy)
        return
    chosen = [_judges_of(played, subject, state, judges.value) for played in possible]
    allowed = [player for many in chosen for player in many]
    if allowed and all(chosen) and matter.judge not in allowed:
        which = " or ".join(f"{played.ident} of {played.matter.player}" for played in possible)
        who = " or ".join(dict.fromkeys(allowed))
        message = f"{matter.judge} judges in {which}; by Rule {judges.rule} the judge is {who}"
        remedy = (
            f"write `judge: {allowed[-1]}`, and let them "
            f"judge{'; or correct `turn`' if matter.turn else ''}"
        )
        yield _wrong(subject.instrument, "judge", judges, message, remedy)


def _turns_of(subject: JudgementGiven, state: State) -> list[Turn]:
    """Return the turns in which a judgement may be: the one that it names, or those of its day."""
    matter, turns = subject.instrument.matter, state.records.turns
    if matter.turn is not None:
        return [turns[matter.turn]] if matter.turn in turns else []
    return [played for played in turns.values() if _is_played(played, matter.date)]


def _biased(said: Said[Involved], judged: Judgement, records: WatchedRecords) -> Iterator[Finding]:
    """Yield what is wrong with a judge who asked the question, or whose proposal it is about."""
    matter = judged.matter
    about = matter.proposal if matter.voids is None else matter.voids
    proposal = records.find(f"proposals/{about}.md")
    for party in said.value or ():
        who, why = proposal and proposal.actor, f"is the author of Proposal {about}"
        if party == "caller":
            who, why = matter.called_by, "called for it"
        if matter.judge == who:
            message = f"{matter.judge} judges, and {why}; Rule {said.rule} forbids that"
            yield _wrong(judged, "judge", said, message, "let somebody else judge: correct `judge`")


def _judges_of(turn: Turn, subject: JudgementGiven, state: State, side: Judges) -> list[PlayerId]:
    """Return who may judge in a turn: one player, and one more for each overruled judgement of it.

    `side` is `previous` or `next`.
    """
    falls = 0  # how many overruled judgements have not let another player judge yet
    for judgement in subject.overruled:
        falls += (
            judgement.matter.turn == turn.ident
            if judgement.matter.turn
            else _is_played(turn, judgement.decided)
        )
    after, judges, given = _after(turn, state), list[PlayerId](), subject.instrument.matter.date
    running = [
        played
        for played in state.records.turns.values()
        if _is_played(played, given)
        and (played.matter.ended is not None or played.ident in state.played.running)
    ]
    for player in after if side == "next" else after[::-1]:
        own = [played.matter for played in running if played.matter.player == player]
        if any(
            precedes(its.began, given) and (its.ended is None or precedes(given, its.ended))
            for its in own
        ):
            continue  # where turns overlap, nobody judges during their own
        judges.append(player)
        # On the day on which a turn of theirs begins or ends nobody knows whether they may.
        falls -= not own
        if falls < 0:
            break
    return judges


def _is_played(turn: Turn, moment: Moment | None) -> bool:
    """Return whether a turn may have been played at a moment: nothing shows that it was not."""
    return not (precedes(moment, turn.matter.began) or precedes(turn.matter.ended, moment))


def _after(turn: Turn, state: State) -> list[PlayerId]:
    """Return the players after that of a turn, nearest first; none if no rule gives an order."""
    players, moment = state.records.players, state.moment
    order = lawful_turn_order(players, state.law, state.played)
    if turn.matter.player not in order:
        return []
    place = order.index(turn.matter.player)
    others = (*order[place + 1 :], *order[:place])
    return [
        player
        for player in others
        if is_player(players[player], moment) and is_active(players[player], moment)
    ]


def _judge_overruling(subject: JudgementOverruled, state: State) -> Iterator[Finding]:
    """Judge whether enough votes or another judgement overrule a judgement, and in time."""
    yield from _too_few(subject.instrument, state)
    yield from _too_late(subject.instrument, state)


def _too_few(instrument: Judgement, state: State) -> Iterator[Finding]:
    matter, overruled_by = instrument.matter, state.law.says(Judgements.overruled_by)
    if overruled_by is None:
        return
    by = matter.overruled_by
    if overruled_by.value == "judgement":
        if _is_judged_anew(by, matter, state.records):
            return
        message = "only a judgement by another judge, given by then, overrules it"
        remedy = "write `overruled_by: N` (or type `--judgement N`), the number of that judgement"
    else:
        eligible = electorate(state.records.players, state.law, state.moment)[0]
        missing = [
            voter
            for voter in eligible
            if voter != matter.judge and voter not in (by if isinstance(by, list) else ())
        ]
        if not missing:
            return
        message = (
            f"all other players have to vote to overrule it, and it lacks {', '.join(missing)}"
        )
        remedy = "name all who voted so: `overruled_by: [...]` (in `judgement overrule`: --by ID)"
    message = f"{instrument.name} is overruled; by Rule {overruled_by.rule} {message}"
    remedy += ", or bring `status: upheld` back"
    yield _wrong(instrument, "overruled_by", overruled_by, message, remedy, "overruling-wrong")


def _too_late(instrument: Judgement, state: State) -> Iterator[Finding]:
    matter = instrument.matter
    overruled_until: Said[Until] | None = state.law.says(Judgements.overruled_until)
    if overruled_until is None or matter.date is None:
        return
    if overruled_until.value == "next-turn":
        until = began(next_turn(state.records, instrument))
    else:
        until = matter.date.plus(overruled_until.value)
    if precedes(until, matter.overruled):
        message = (
            f"{instrument.name} is overruled on {matter.overruled}; by Rule {overruled_until.rule} "
            f"that was possible until {until}"
        )
        remedy = "bring `status: upheld` back and delete `overruled`, or correct its day"
        yield _wrong(instrument, "overruled", overruled_until, message, remedy, "overruling-wrong")


def _is_judged_anew(number: object, matter: JudgementMatter, records: WatchedRecords) -> bool:
    """Return whether a later judgement has this number, by another judge and given in time."""
    other = records.find(f"judgements/{number}.md")
    anew = None if other is None else other.matter
    if (
        not isinstance(anew, JudgementMatter)
        or anew.status == "pending"
        or precedes(matter.overruled, anew.date)
    ):
        return False
    return anew.judge != matter.judge and anew.number > matter.number


def _wrong_voiding(judgement: Judgement, then: Ruleset, state: State) -> Iterator[Finding]:
    """Yield why a judgement may not void its proposal, decided under the rules `then`."""
    matter, voids = judgement.matter, state.law.says(Judgements.voids)
    if matter.voids is None or voids is None or voids.value == "any":
        return
    rule = None if matter.under is None else then.once_numbered(matter.under)
    if voids.value == "none":
        message, remedy = f"; Rule {voids.rule} lets no judgement void a proposal", "delete `voids`"
    elif rule is None or rule.void_on(state.moment):
        known = (
            "names no rule in `under`"
            if matter.under is None
            else f"Rule {matter.under} was not in force then"
        )
        message = f", and {known}; Rule {voids.rule} asks for one that the proposal breaks"
        remedy = (
            "name in `under` the rule that it breaks, which was in force at the decision, "
            "or delete `voids`"
        )
    else:
        return
    message = f"{judgement.name} voids Proposal {matter.voids}{message}"
    yield rule_finding("voids-unlawful", judgement.source.at("voids"), voids, message, remedy)


def is_voided(proposal: Proposal, voiding: Mapping[str, bool], state: State) -> bool:
    """Return whether a judgement that stands voids a proposal, and may.

    `voiding` says of each judgement that was replayed, by its path, whether it may.
    """
    return any(
        # A judgement that the replay has not come to is judged by the law of this day.
        voiding.get(judgement.path, not any(_wrong_voiding(judgement, state.ruleset, state)))
        for judgement in state.records.matching(
            Judgement, lambda judgement: _voids(judgement, proposal)
        )
    )


def _voids(judgement: Judgement, proposal: Proposal) -> bool:
    matter = judgement.matter
    if matter.status != "upheld" or matter.voids != proposal.number:
        return False
    return not precedes(proposal.matter.decided, matter.date)


KIND = JudgingKind(
    schema=Judgements,
    sentence=by_field(_WORDS, "no rule says who judges"),
    combines="fields",
    licenses=(
        permitted_by(JudgementGiven, [Judgements.judge, Judgements.never], _judge_given),
        permitted_by(
            JudgementOverruled,
            [Judgements.overruled_by, Judgements.overruled_until],
            _judge_overruling,
        ),
    ),
)
