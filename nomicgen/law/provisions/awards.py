"""No program can judge some points, such as those for a poem or a duel. They are written under
`points` of a file, each line with a reason. A judge decides whether the reason is true.

- **The rule.** A line can name in `under` the rule that allows it. Otherwise any rule that allows
  the whole line counts. If any rule speaks of points or awards, points that no rule allows are
  `points-unlawful`, and nobody gets them.
- **The giver** is the author of the proposal, the player whom the act is `by`, the judge of the
  judgement, or the player of the turn. Roles are those of the day on which the points are given.
- **`on`** is what happened to the file: a proposal was adopted or defeated, a turn ended or was
  passed, a judgement was given. An act has none of these.
- **`in_all`** counts all points of the file under the same rule; a loss of 2 counts as 2.
- **`between`**: a player has one of these roles at a time (`dates-disorder`). `nomicgen player
  role` records a change, and gives the points if an act may and their `amount` is fixed. Whoever
  has none of these roles gets no points for taking one, and loses none.
- **`once`**: if a rule has several awards, one file may give a player each of them once.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Holder, Provision, Sources, unsaid
from nomicgen.law.replay.awarded_points import rules_of_points
from nomicgen.law.replay.effects import Verdict
from nomicgen.law.replay.player_spans import holders
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import as_sentence, joined, points_words, sentence, signed, with_article
from nomicgen.law.subjects import PointsGiven, State, effect_judge, license_of
from nomicgen.model.file_model import described
from nomicgen.model.findings import Finding
from nomicgen.model.records import Instrument, Turn
from nomicgen.model.values import Boolean, Ident, NonEmptyListOrOne, Number, Ratio

EXAMPLES = """\
- case: Each line of a turn may cost at most five points.
  provisions:
    awards:
      - {in: proposal, amount: 2}
      - {in: [act, turn], at_least: -5, at_most: -1}
  files:
    turns/R1T1.yml:
      player: osprey
      began: 2026-01-02
      ended: 2026-01-06
      points: [{player: osprey, amount: -3, reason: lost a duel},
        {player: quill, amount: -6, reason: lost two}]
  gives:
    - "osprey: 0 → -3 points (lost a duel)"
    - "points-unlawful: a turn gives quill −6 points, but no rule in force allows it"
- case: A herald may give others two points in an act. Tallow is not a herald.
  provisions:
    awards: {in: act, by: {role: herald}, to: others, in_all: 2}
  players:
    wren: {roles: [{role: herald, since: 2026-01-01}]}
  files:
    acts/2026-01-03-verse.md:
      {date: 2026-01-03, by: wren, points: [{player: quill, amount: 2, reason: a verse}]}
    acts/2026-01-04-verse.md:
      {date: 2026-01-04, by: tallow, points: [{player: quill, amount: 1, reason: a verse}]}
  gives:
    - "quill: 0 → 2 points (a verse)"
    - "points-unlawful: an act gives quill 1 point; Rule 201 lets a herald give points, and tallow
      is none"
- case: A proposal gives points if it is adopted. This one is defeated.
  provisions:
    awards: {in: proposal, "on": adopted}
  votes: {osprey: for, quill: against, tallow: against}
  points: [{player: quill, amount: 1, reason: a verse}]
  gives:
    - "defeated: 1 for; more than half of eligible voters (4): more than 2 needed"
    - "points-unlawful: a proposal gives quill 1 point; Rule 201 lets points be given only when a
      proposal is adopted"
- case: A player is a chicken or a brick. Osprey is both.
  provisions:
    awards: {in: act, to: self, amount: -10, between: [chicken, brick]}
  players:
    osprey: {roles: [{role: chicken, since: 2026-01-01}, {role: brick, since: 2026-01-02}]}
    quill: {roles: [{role: chicken, since: 2026-01-01, until: 2026-01-02},
      {role: brick, since: 2026-01-02}]}
  gives:
    - "dates-disorder: osprey has the roles chicken and brick; by Rule 201 a player has one of them
      at a time"
- case: Whoever wins duels gets two points, once in a turn. Osprey has won two.
  provisions:
    awards: {in: turn, amount: 2, once: true}
  files:
    turns/R1T1.yml:
      player: osprey
      began: 2026-01-02
      ended: 2026-01-06
      points:
        - {player: osprey, amount: 2, reason: a duel}
        - {player: quill, amount: 2, reason: a duel}
        - {player: osprey, amount: 2, reason: another}
  gives:
    - "osprey: 0 → 2 points (a duel)"
    - "quill: 0 → 2 points (a duel)"
    - "points-unlawful: a turn gives osprey 2 points; Rule 201 lets a file give them once to a
      player, and it has given them"
"""


Occasions = NonEmptyListOrOne[Literal["adopted", "defeated", "judged", "turn", "passed"]]
# By the word in `on`: the kind of file that it happens to, and what happens, in words.
_OCCASIONS = {
    "adopted": ("proposal", "a proposal is adopted"),
    "defeated": ("proposal", "a proposal is defeated"),
    "judged": ("judgement", "a judgement is given"),
    "turn": ("turn", "a turn ends"),
    "passed": ("turn", "a turn is passed"),
}
# Words for the values of `by` and `to`.
_PARTIES = {"author": "whoever a file is by", "others": "others", "self": "the giver"}
# Why a player is not the party that may give or get points, after the player's id.
_TAILS = {"author": "", "others": "gives them", "self": "is another"}


class Awards(Provision):
    """Points that a file may give by hand, for what no program can judge."""

    in_: Sources = described("the kinds of file that may give them")
    amount: Ratio | None = unsaid("how many; negative for a loss")
    at_least: Ratio | None = unsaid("the fewest; negative for a loss")
    at_most: Ratio | None = unsaid("the most")
    by: Literal["author"] | Holder | None = unsaid(
        "who may give them: whoever the file is by, or players with a role"
    )
    to: Literal["others", "self"] | Holder | None = unsaid(
        "who may get them: players other than the giver, the giver, or players with a role"
    )
    in_all: Number | None = unsaid("how many one file may give under this rule, losses included")
    once: Boolean | None = unsaid("whether a player may get them only once from one file")
    between: NonEmptyListOrOne[Ident] | None = unsaid(
        "roles of which a player has one at a time: the points are for changing it"
    )
    on: Occasions | None = unsaid("the occasions on which they may be given; an act has none")

    def check(self) -> None:
        least, most = self.at_least, self.at_most
        if self.amount is not None and not (least is None and most is None):
            raise ValueError("should have either amount, or at_least and at_most")
        if least is not None and most is not None and most < least:
            raise ValueError("`at_least` must not be greater than `at_most`")
        if strange := [
            occasion for occasion in self.on or () if _OCCASIONS[occasion][0] not in self.in_
        ]:
            raise ValueError(f"cannot be on {strange[0]}: `in` has no {_OCCASIONS[strange[0]][0]}")

    def covers(self, amount: Fraction) -> bool:
        """Return whether so many points may be given."""
        least, most = (
            (self.at_least, self.at_most) if self.amount is None else (self.amount, self.amount)
        )
        return (least is None or least <= amount) and (most is None or amount <= most)


def _sentence(awards: Awards) -> str:
    kinds = " or ".join(map(with_article, awards.in_))
    bounds = [("at least", awards.at_least), ("at most", awards.at_most)]
    parts = [f"{words} {signed(bound)}" for words, bound in bounds if bound is not None]
    many = f"{joined(parts)} points" if parts else "points"
    if awards.amount is not None:
        many = points_words(awards.amount)
    if isinstance(awards.by, dict):
        said = [f"{_party(awards.by)} may give {many} in {kinds}"]
    else:
        said = [f"{kinds if awards.by is None else f'whoever {kinds} is by'} may give {many}"]
    said += [
        f" to {_party(awards.to)}" if awards.to else "",
        f", when {_when(awards)}" if awards.on else "",
        f", up to {points_words(Fraction(awards.in_all))} in all" if awards.in_all else "",
        f", for a change of role: a player is one of {joined(awards.between)}"
        if awards.between
        else "",
        ", once to each player" * bool(awards.once),
        ", with the reason",
    ]
    return as_sentence("".join(said))


def _party(party: str | Holder) -> str:
    return _PARTIES[party] if isinstance(party, str) else with_article(party["role"])


def _when(awards: Awards) -> str:
    return joined((_OCCASIONS[name][1] for name in awards.on or ()), "or")


def _license(subject: PointsGiven, state: State) -> Verdict:
    """License points that a file gives: if any rule speaks of points, `awards` must allow them."""
    law, kind = state.law, _circumstances(subject.file)[0]
    # Step by step fewer: awards in such a file, of the rule that the line names, of so many points;
    # the last with what is against each.
    named = None if subject.under is None else state.ruleset.once_numbered(subject.under)
    lets = [(rule, awards) for rule, awards in law.every(Awards) if kind in awards.in_]
    own = [(rule, awards) for rule, awards in lets if subject.under is None or rule is named]
    near = [
        (rule, _against(rule, awards, subject, state))
        for rule, awards in own
        if awards.covers(subject.line.amount)
    ]
    if able := [rule for rule, why in near if not why]:
        return Verdict((license_of(able[0], Awards),))
    speaking = [rule for rule, _ in own or lets or law.every(Awards)] + (
        [] if lets else [*rules_of_points(law)]
    )
    if not speaking:
        return Verdict()
    given = f"{with_article(kind)} gives {subject.line.player} {points_words(subject.line.amount)}"
    if subject.under is not None:
        given += f" under Rule {subject.under}"
    remedy = (
        f"delete them: only a rule with an `awards` provision lets {with_article(kind)} "
        "give any by hand"
    )
    if own or lets:
        sentences = " ".join(
            f"Rule {rule.number}: {sentence(awards)}" for rule, awards in own or lets
        )
        remedy = f"delete them, or correct them. {sentences}"
    finding = Finding(
        slug="points-unlawful",
        span=subject.line.span,
        message=f"{given}; {'; '.join(why for _, why in near)}"
        if near
        else f"{given}, but no rule in force allows it",
        help=remedy,
        rule=min(rule.number for rule in speaking),
    )
    return Verdict(findings=(finding,))


def _circumstances(file: Instrument | Turn) -> tuple[str, str | None, str | None]:
    """Return the kind of a file that gives points, who gives them, and on what occasion."""
    if isinstance(file, Turn):
        return "turn", file.matter.player, "passed" if file.matter.passed else "turn"
    return (
        file.kind,
        file.actor,
        "judged" if file.kind == "judgement" else getattr(file.matter, "status", None),
    )


def _against(rule: Rule, awards: Awards, subject: PointsGiven, state: State) -> str:
    """Return what else than the bounds of their amount is against points; '' if nothing is."""
    _, giver, occasion = _circumstances(subject.file)
    if awards.on is not None and occasion not in awards.on:
        return f"Rule {rule.number} lets points be given only when {_when(awards)}"
    parties: tuple[tuple[str | Holder | None, str | None, str], ...]
    parties = (awards.by, giver, "give"), (awards.to, subject.line.player, "get")
    for party, who, verb in parties:
        if party is None:
            continue
        if isinstance(party, str):
            wrong, tail = giver is None or (who == giver) == (party == "others"), _TAILS[party]
        else:
            wrong, tail = (
                who not in holders(party["role"], state.records.players, state.moment),
                "is none",
            )
        if wrong:
            why = "the file does not say who gives them" if giver is None else f"{who} {tail}"
            return f"Rule {rule.number} lets {_party(party)} {verb} points, and {why}"
    before = [line for line in subject.before if line.rule == rule.number]
    if awards.once and any(
        awards.covers(line.amount) for line in before if line.player == subject.line.player
    ):
        return f"Rule {rule.number} lets a file give them once to a player, and it has given them"
    in_all = sum(abs(line.amount) for line in (*before, subject.line))
    if awards.in_all is not None and in_all > awards.in_all:
        return (
            f"Rule {rule.number} lets a file give {awards.in_all} points in all, and these "
            f"would be {in_all}"
        )
    return ""


KIND = JudgingKind(
    schema=Awards,
    sentence=_sentence,
    combines="all",
    licenses=(effect_judge(PointsGiven, _license),),
)
