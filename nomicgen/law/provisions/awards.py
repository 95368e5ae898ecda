"""For what no program can judge: a proposal in verse, a duel that was won. Such points stand under `points` of a file,
each line with a reason and perhaps, in `under`, the rule that it relies on. Without `under` any rule will do that lets
so many be given in that kind of file. As soon as a rule speaks of points or awards, what none lets a file give is
`points-unlawful`, and nobody gets it. Whether the reason is true, a judge has to say.
"""

from __future__ import annotations

from fractions import Fraction

from pydantic import Field, model_validator

from nomicgen.diagnostics import Finding
from nomicgen.law.effects import Verdict
from nomicgen.law.kind import Kind, Provision, Sources
from nomicgen.law.licence import PointsGiven, State, license_of
from nomicgen.law.sentences import as_sentence, joined, points_words, sentence, signed
from nomicgen.law.state import Rule
from nomicgen.model import Ratio

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
"""


class Awards(Provision):
    """Points that a file may give by hand, for what no program can judge."""

    in_: Sources = Field(alias="in", description="the kinds of file that may give them")
    amount: Ratio | None = Field(None, description="how many; exact, and negative for a loss")
    at_least: Ratio | None = Field(None, description="the fewest; negative for a loss")
    at_most: Ratio | None = Field(None, description="the most")

    @model_validator(mode="after")
    def _one(self) -> Awards:
        least, most = self.at_least, self.at_most
        if self.amount is not None and not (least is None and most is None):
            raise ValueError("should have either amount, or at_least and at_most")
        if least is not None and most is not None and most < least:
            raise ValueError("should have an at_least that is no more than at_most")
        return self

    def covers(self, amount: Fraction) -> bool:
        """Whether so many points may be given."""
        least, most = (self.at_least, self.at_most) if self.amount is None else (self.amount, self.amount)
        return (least is None or least <= amount) and (most is None or amount <= most)


def _sentence(one: Awards) -> str:
    kinds = " or ".join(f"{'an' if kind == 'act' else 'a'} {kind}" for kind in one.in_)
    bounds = [("at least", one.at_least), ("at most", one.at_most)]
    parts = [f"{words} {signed(bound)}" for words, bound in bounds if bound is not None]
    many = f"{joined(parts)} points" if parts else "points"
    return as_sentence(f"{kinds} may give {many if one.amount is None else points_words(one.amount)}, with the reason")


def _license(subject: PointsGiven, state: State) -> Verdict:
    """Points that a file gives by hand: a rule with `awards` must let it, where any rule speaks of points."""
    law, line = state.law, subject.line
    named = None if subject.under is None else state.ruleset.named(subject.under)
    for rule, one in law.every("awards"):
        if subject.source in one.in_ and one.covers(line.amount) and (subject.under is None or named is rule):
            return Verdict((license_of(rule, "awards"),))
    speaking = sorted({rule.number for rule, _ in (*law.every("awards"), *law.every("points"))})
    return Verdict(findings=(_unlawful(subject, named, state, speaking),)) if speaking else Verdict()


def _unlawful(subject: PointsGiven, named: Rule | None, state: State, speaking: list[int]) -> Finding:
    """Why no rule lets a file give points, and what one would let it give."""
    kind = f"{'an' if subject.source == 'act' else 'a'} {subject.source}"
    given = f"{kind} gives {subject.line.player} {points_words(subject.line.amount)}"
    lets = [(rule, one) for rule, one in state.law.every("awards") if subject.source in one.in_]
    own = [(rule, one) for rule, one in lets if rule is named]
    if subject.under is not None and named is not None and not own:
        message = f"{given} under Rule {named.number}, which lets {kind} give none"
    elif subject.under is not None and named is None:
        message = f"{given}, and no rule in force lets it; there is no Rule {subject.under}"
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
