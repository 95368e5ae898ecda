"""After every change, the check asks whether the present players could go on changing rules by
votes for ever. If not, though they could before, the change is refused (`change-ossifies`). The
check tries every order of changes, each under the law that the earlier ones make. If there are too
many to try, the answer is yes. If rules could only be transmuted, and perhaps repealed, from then
on, there is a warning (`change-transmutes-only`). With `texts`, such a change is refused, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Provision
from nomicgen.law.precedence import rule_finding
from nomicgen.law.replay.lasting_changes import Lasting, lasting_changes
from nomicgen.law.replay.scene import RulesetChange
from nomicgen.law.sentences import Phrase, by_field
from nomicgen.model.file_model import described
from nomicgen.model.findings import Finding

EXAMPLES = """\
- case: Without the rule that says how changes are adopted, nobody could change anything.
  provisions:
    changeable: always
  does: "## Repeal Rule 202/0"
  gives:
    - "change-ossifies: after this, votes could no longer change rules, or only a few times,
      and Rule 201 forbids that"
"""


class Changeable(Provision):
    """No change may make it impossible to go on changing the rules by votes. The value is `always`
    or `texts`.
    """

    when: Literal["always", "texts"] = described(
        "what must stay possible: any change; with `texts`, a new text"
    )


_WORDS: dict[str, Phrase[Changeable]] = {
    "when": {
        "always": "no change may make it impossible to go on changing rules by votes",
        "texts": "no change may make it impossible to go on amending or enacting rules by votes",
    }
}

_LEAST_TO_MOST: tuple[Lasting, ...] = ("nothing", "tiers", "texts")
"""What votes can go on changing for ever."""


def _leaves(change: RulesetChange) -> Iterator[Finding]:
    """Yield that less can be changed for ever after an instrument than before it."""
    changeable, instructions = change.law.says(Changeable.when), change.instrument.instructions
    same = (
        change.after.law is change.before.law
        and change.after.ruleset.sizes == change.before.ruleset.sizes
    )
    if changeable is None or same or not instructions:
        return
    left = lasting_changes(change.after)
    had = "texts" if left == "texts" else lasting_changes(change.before)
    if _LEAST_TO_MOST.index(left) >= _LEAST_TO_MOST.index(had):
        return
    refused = left == "nothing" or changeable.value == "texts"
    text, wanted = _LEFT[left]
    yield rule_finding(
        "change-ossifies" if refused else "change-transmutes-only",
        instructions[0].span,
        changeable,
        "after this, votes could "
        f"{text}{f', and Rule {changeable.rule} forbids that' if refused else ''}",
        f"keep in force a rule with an `adoption` provision that lets the voters adopt {wanted}",
    )


# By what can still be changed for ever: what votes could do, and what a rule should let them adopt.
_LEFT: dict[Lasting, tuple[str, str]] = {
    "nothing": ("no longer change rules, or only a few times", "a change"),
    "tiers": (
        "transmute rules, and perhaps repeal some, but never again amend or enact one",
        "an amendment or an enactment",
    ),
}

KIND = JudgingKind(
    schema=Changeable, sentence=by_field(_WORDS), combines="fields", as_word=True, leaves=_leaves
)
