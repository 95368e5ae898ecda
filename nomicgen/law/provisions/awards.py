"""For what no program can judge: a proposal in verse, a duel that was won. Such points stand under `points` of a file,
each line with a reason and perhaps, in `under`, the rule that it relies on. Without `under` any rule will do that lets
so many be given in that kind of file. The giver is a proposal's author, whom an act is `by`, a judgement's judge or the
player of a turn; a role counts that is held that day. `on` is what came of the file; an act has no occasion. Each line
needs one provision that lets it be given. `in_all` counts what the file gave before under the same rule, and a loss
like a gain. As soon as a rule speaks of points or awards, what none lets a file give is `points-unlawful`, and nobody
gets it. Whether the reason is true, a judge has to say.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from nomicgen.diagnostics import Finding
from nomicgen.law.effects import Verdict
from nomicgen.law.kind import Holder, Kind, Provision, Sources
from nomicgen.law.licence import PointsGiven, State, license_of
from nomicgen.law.scores import holders
from nomicgen.law.sentences import a, as_sentence, joined, points_words, sentence, signed
from nomicgen.law.state import Rule
from nomicgen.model import Instrument, Number, ProposalMatter, Ratio, Turn, one_or_many

__all__ = ["EXAMPLES", "KIND", "Awards"]

EXAMPLES = """\
- case: A turn may cost five points, and no more.
  provisions:
    awards:
      - {in: proposal, amount: 2}
      - {in: [act, turn], at_least: -5, at_most: -1}
  files:
    turns/R1T1.yml:
      player: osprey
      began: 2026-01-02
      ended: 2026-01-06
      points: [{player: osprey, amount: -3, reason: lost a duel}, {player: quill, amount: -6, reason: lost two}]
  gives:
    - "osprey: 0 → -3 points (lost a duel)"
    - "points-unlawful: a turn gives quill −6 points, and no rule in force lets it give that"
- case: A herald may give others two points in an act, and Tallow is no herald.
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
    - "points-unlawful: an act gives quill 1 point; Rule 201 lets a herald give points, and tallow is none"
- case: A proposal gives points if it is adopted, and this one is defeated.
  provisions:
    awards: {in: proposal, "on": adopted}
  votes: {osprey: for, quill: against, tallow: against}
  points: [{player: quill, amount: 1, reason: a verse}]
  gives:
    - "defeated: 1 for; more than half of eligible voters (4): more than 2 needed"
    - "points-unlawful: a proposal gives quill 1 point; Rule 201 lets points be given only when a proposal is adopted"
"""


Occasion = Literal["adopted", "defeated", "judged", "turn", "passed"]
Occasions = Annotated[
    tuple[Occasion, ...],
    BeforeValidator(one_or_many, json_schema_input_type=Occasion | list[Occasion]),
    Field(min_length=1),
]
_OCCASIONS = {
    "adopted": ("proposal", "a proposal is adopted"),
    "defeated": ("proposal", "a proposal is defeated"),
    "judged": ("judgement", "a judgement is given"),
    "turn": ("turn", "a turn ends"),
    "passed": ("turn", "a turn is passed"),
}
_PARTIES = {"author": "whoever a file is by", "others": "others", "self": "the giver"}


class Awards(Provision):
    """Points that a file may give by hand, for what no program can judge."""

    in_: Sources = Field(alias="in", description="the kinds of file that may give them")
    amount: Ratio | None = Field(None, description="how many; exact, and negative for a loss")
    at_least: Ratio | None = Field(None, description="the fewest; negative for a loss")
    at_most: Ratio | None = Field(None, description="the most")
    by: Literal["author"] | Holder | None = Field(
        None, description="who may give them: whoever the file is by, or who holds a role"
    )
    to: Literal["others", "self"] | Holder | None = Field(
        None, description="who may get them: others than the giver, the giver, or who holds a role"
    )
    in_all: Number | None = Field(None, description="how many one file may give under this rule, losses included")
    on: Occasions | None = Field(None, description="the occasions on which they may be given; an act has none")

    @model_validator(mode="after")
    def _one(self) -> Awards:
        least, most = self.at_least, self.at_most
        if self.amount is not None and not (least is None and most is None):
            raise ValueError("should have either amount, or at_least and at_most")
        if least is not None and most is not None and most < least:
            raise ValueError("should have an at_least that is no more than at_most")
        if strange := [one for one in self.on or () if _OCCASIONS[one][0] not in self.in_]:
            raise ValueError(f"cannot be on {strange[0]}: `in` has no {_OCCASIONS[strange[0]][0]}")
        return self

    def covers(self, amount: Fraction) -> bool:
        """Whether so many points may be given."""
        least, most = (self.at_least, self.at_most) if self.amount is None else (self.amount, self.amount)
        return (least is None or least <= amount) and (most is None or amount <= most)


def _sentence(one: Awards) -> str:
    kinds = " or ".join(map(a, one.in_))
    bounds = [("at least", one.at_least), ("at most", one.at_most)]
    parts = [f"{words} {signed(bound)}" for words, bound in bounds if bound is not None]
    many = f"{joined(parts)} points" if parts else "points"
    role = isinstance(one.by, dict)
    who = _party(one.by) if isinstance(one.by, dict) else kinds if one.by is None else f"whoever {kinds} is by"
    return as_sentence(
        f"{who} may give {many if one.amount is None else points_words(one.amount)}{f' in {kinds}' * role}"
        f"{f' to {_party(one.to)}' if one.to else ''}{f', when {_when(one)}' if one.on else ''}"
        f"{f', up to {points_words(Fraction(one.in_all))} in all' if one.in_all else ''}, with the reason"
    )


def _party(one: str | Holder) -> str:
    return _PARTIES[one] if isinstance(one, str) else a(one["role"])


def _when(one: Awards) -> str:
    return joined((_OCCASIONS[name][1] for name in one.on or ()), "or")


def _license(subject: PointsGiven, state: State) -> Verdict:
    """Points that a file gives by hand: a rule with `awards` must let it, where any rule speaks of points."""
    law, kind = state.law, _kind(subject)
    named = None if subject.under is None else state.ruleset.named(subject.under)
    lets = [(rule, one) for rule, one in law.every("awards") if kind in one.in_]
    for rule, one in lets:
        able = one.covers(subject.line.amount) and (subject.under is None or named is rule)
        if able and not _against(rule, one, subject, state):
            return Verdict((license_of(rule, "awards"),))
    speaking = sorted({rule.number for rule, _ in (*law.every("awards"), *law.every("points"))})
    return Verdict(findings=(_unlawful(subject, named, state, lets, speaking),)) if speaking else Verdict()


def _kind(subject: PointsGiven) -> str:
    return "turn" if isinstance(subject.of, Turn) else subject.of.kind


def _against(rule: Rule, one: Awards, subject: PointsGiven, state: State) -> str:
    """What but the amount keeps a rule from letting a file give points."""
    of, got = subject.of, subject.line.player
    giver = of.matter.player if isinstance(of, Turn) else of.actor
    in_all = subject.given.get(rule.number, 0) + abs(subject.line.amount)
    unknown = "the file does not say who gives them"
    tails = {"others": f"{got} gives them", "self": f"{got} is another"}
    if one.on is not None and _occasion(of) not in one.on:
        why = f"points be given only when {_when(one)}"
    elif one.by is not None and not _is_party(one.by, giver, giver, state):
        why = f"{_party(one.by)} give points, and {unknown if giver is None else f'{giver} is none'}"
    elif one.to is not None and not _is_party(one.to, got, giver, state):
        tail = f"{got} is none" if not isinstance(one.to, str) else unknown if giver is None else tails[one.to]
        why = f"{_party(one.to)} get points, and {tail}"
    elif one.in_all is not None and in_all > one.in_all:
        why = f"a file give {one.in_all} points in all, and these would be {in_all}"
    else:
        return ""
    return f"Rule {rule.number} lets {why}"


def _is_party(one: str | Holder, who: str | None, giver: str | None, state: State) -> bool:
    if not isinstance(one, str):
        return who in holders(one["role"], state.records.players, state.moment)
    return giver is not None and (who == giver) == (one != "others")


def _occasion(of: Instrument | Turn) -> str | None:
    """What has happened when a file gives points."""
    if isinstance(of, Turn):
        return "passed" if of.matter.passed else "turn"
    return of.matter.status if isinstance(of.matter, ProposalMatter) else "judged" if of.kind == "judgement" else None


def _unlawful(
    subject: PointsGiven, named: Rule | None, state: State, lets: list[tuple[Rule, Awards]], speaking: list[int]
) -> Finding:
    """Why no rule lets a file give points, and what one would let it give."""
    kind = a(_kind(subject))
    given = f"{kind} gives {subject.line.player} {points_words(subject.line.amount)}"
    own = [(rule, one) for rule, one in lets if rule is named]
    near = [(rule, one) for rule, one in own or lets if one.covers(subject.line.amount)]
    why = "; ".join(dict.fromkeys(filter(None, (_against(rule, one, subject, state) for rule, one in near))))
    if subject.under is not None and named is not None and not own:
        message = f"{given} under Rule {named.number}, which lets {kind} give none"
    elif subject.under is not None and named is None:
        message = f"{given}, and no rule in force lets it; there is no Rule {subject.under}"
    elif why:
        message = f"{given}; {why}"
    elif lets:
        message = f"{given}, and no rule in force lets it give that"
    else:
        message = f"{given}, and no rule in force lets it"
    rules = f"Rule{'s' * (len(speaking) > 1)} {', '.join(map(str, speaking))}"
    remedy = f"take them out: what earns points stands in {rules}; "
    if lets:
        said = " ".join(f"Rule {rule.number}: {sentence('awards', one)}" for rule, one in own or lets)
        remedy = f"take them out, or mend them. {said}"
    else:
        remedy += f"only a rule with an `awards` provision lets {kind} give any by hand"
    rule = (own or lets)[0][0].number if lets else speaking[0]
    return Finding(slug="points-unlawful", span=subject.line.span, message=message, help=remedy, rule=rule)


KIND = Kind(schema=Awards, sentence=_sentence, combines="all", licenses={PointsGiven: _license})
