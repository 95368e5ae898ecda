"""The points of several rules add up, except those that give way to others by `over` or `under`.
The law of a decision says what the decision earns, and the law at the end of a turn what the turn
earns. Throws are recorded in the turn's `dice`: one for each die that is due, in the order of
the rules' numbers (`dice-wrong`). An `amount` for a role goes to everyone who has it that day, once
for each decision, judgement or turn. What a die gives goes to the player of the turn, if they have
the role. `nomicgen scores --explain ID` lists all points.

On `decided`, a proposal was adopted or defeated; on `silence`, silence counted as a vote on one.
`times` multiplies by the share of votes for, without abstentions, or by the number of changes in
the proposal. `if` asks whether its adoption needed every eligible vote.
"""

from __future__ import annotations

from typing import Literal

from nomicgen.law.kind import Holder, Kind, Provision, require_one, unsaid
from nomicgen.law.sentences import points_words
from nomicgen.model.file_model import described
from nomicgen.model.values import Number, Ratio

EXAMPLES = """\
- case: A die says how many points a turn gives.
  provisions:
    points: {"on": turn, to: player, die: 6}
  files:
    turns/R1T1.yml: {player: osprey, began: 2026-01-02, ended: 2026-01-06, dice: [4]}
  gives:
    - "osprey: 0 → 4 points (turn R1T1, a throw of 4)"
- case: The more votes for it, the more points the author gets.
  provisions:
    points:
      - {"on": adopted, to: author, amount: 10, times: share-for, if: unanimity-not-needed}
      - {"on": decided, to: against, amount: 1}
  votes: {osprey: for, quill: for, tallow: for, wren: against}
  gives:
    - "adopted: 3 for; more than half of eligible voters (4): more than 2 needed"
    - "osprey: 0 → 15/2 points (proposal 301 adopted, as its author)"
    - "wren: 0 → 1 points (proposal 301 adopted, for a vote against)"
"""


Occasion = Literal[
    "adopted", "defeated", "decided", "turn", "passed", "judged", "silence", "late-judge"
]
Receiver = Literal["author", "for", "against", "silent", "player", "judge"] | Holder


# The words in `on` that are about a decision; `decided` is an adoption or a defeat.
_DECISIONS = ("adopted", "defeated", "decided")
# By the word in `on`, the words that `to` can be.
_RECEIVERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_DECISIONS, ("author", "for", "against", "silent")),
    **dict.fromkeys(("turn", "passed"), ("player",)),
    **dict.fromkeys(("judged", "late-judge"), ("judge",)),
    "silence": ("silent",),
}


class Points(Provision):
    """Points that follow from an event: on what, to whom, how many."""

    one_of = ("amount", "die")
    on: Occasion = described("what has happened")
    to: Receiver = described("who gets them: by their part in it, or by role")
    amount: Ratio | None = unsaid("how many; negative for a loss")
    die: Number | None = unsaid("the sides of a die that says how many")
    times: Literal["share-for", "changes"] | None = unsaid("what the points are multiplied by")
    if_: Literal["unanimity-needed", "unanimity-not-needed"] | None = described(
        "only if the proposal needed every vote, or did not need it", default=None
    )

    def check(self) -> None:
        require_one(self)
        if self.die is not None and self.on not in ("turn", "passed"):
            raise ValueError("should have an amount: a die is thrown only on turn or passed")
        if isinstance(self.to, str) and self.to not in _RECEIVERS[self.on]:
            raise ValueError(
                f"cannot go to {self.to} on {self.on}: there is {', '.join(_RECEIVERS[self.on])} "
                "or a role"
            )
        for key, value in (("times", self.times), ("if", self.if_)):
            if value is not None and self.on not in _DECISIONS:
                raise ValueError(f"should have `{key}` only on adopted, defeated or decided")


# Parts of the sentence, by the values of `times`, `if`, `on` and `to`.
_TIMES = {
    None: "",
    "share-for": " times the share of votes for, abstentions not counted",
    "changes": " for each change in it",
}
_WHICH = {
    None: "",
    "unanimity-needed": " that needed every eligible vote",
    "unanimity-not-needed": " that did not need every eligible vote",
}
_OCCASIONS = {
    "turn": "At the end of a turn that is not passed",
    "passed": "At the end of a turn that is passed",
    "judged": "When a judgement is given",
    "late-judge": "When a judgement is given",
    "silence": "When a proposal is decided",
}
# How the sentence goes on where a role gets the points.
_FOR_A_ROLE = {"late-judge": " after a judge was late", "silence": " and silence counted as a vote"}
_PEOPLE = {
    "author": "its author",
    "for": "each voter for",
    "against": "each voter against",
    "silent": "each voter whose silence counted",
    "player": "the player whose turn it was",
    "judge": "the judge",
}


def _sentence(points: Points) -> str:
    if points.amount is None:
        gets = f"gets the throw of a die of {points.die} sides"
    else:
        gets = f"{'loses' if points.amount < 0 else 'gets'} {points_words(abs(points.amount))}"
    occasion = _OCCASIONS.get(points.on, f"When a proposal{_WHICH[points.if_]} is {points.on}")
    if isinstance(points.to, str):
        receiver = "each judge who was late" if points.on == "late-judge" else _PEOPLE[points.to]
    else:
        occasion += _FOR_A_ROLE.get(points.on, "")
        role = points.to["role"]
        thrower = f"the player whose turn it was, if a holder of the role {role},"
        receiver = f"each {role}" if points.die is None else thrower
    return f"{occasion}, {receiver} {gets}{_TIMES[points.times]}."


KIND = Kind(schema=Points, sentence=_sentence, combines="all")
