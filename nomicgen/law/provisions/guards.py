"""No change, whatever its majority, may take away what a guard keeps. With `{keep: victory}` some
rule in force must have a `victory` provision; its number of points may change. A change after which
no rule has one is `guard-broken`, and is not carried out.

A guard does not judge words: it keeps what the program does. So it cannot keep a rule without
provisions, such as one that says what happens when play cannot go on.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Problem, Provision
from nomicgen.law.kinds import kinds
from nomicgen.law.replay.scene import RulesetChange
from nomicgen.law.sentences import as_sentence, joined, with_article
from nomicgen.model.file_model import described
from nomicgen.model.findings import Finding
from nomicgen.model.values import Ident, NonEmptyListOrOne, Span

EXAMPLES = """\
- case: Winning is guarded. A rule without points to win is refused.
  provisions:
    guards: {keep: victory}
    victory: {points: 100}
  does: |-
    ## Amend Rule 201/0

    ```yaml rule
    provisions:
      guards: {keep: victory}
    ```

    Whoever first owns a duck wins.
  votes: {osprey: for, quill: for, tallow: for, wren: for}
  gives:
    - "adopted: 4 for; more than half of eligible voters (4): more than 2 needed"
    - "guard-broken: after this no rule would have a `victory` provision, which Rule 201 guards"
- case: Only words of a guarded rule change, so nothing is taken away.
  provisions:
    guards: {keep: victory}
    victory: {points: 100}
  does: |-
    ## Amend Rule 201/0

    A hundred points win.
  gives:
    - "provisions-kept: Rule 201/0 keeps its provisions (guards, victory), whatever the new text
      says"
"""


class Guards(Provision):
    """What no change of the rules may take away."""

    keep: NonEmptyListOrOne[Ident] = described(
        "the kinds of provision that some rule must have, such as `victory`"
    )


def _misfits(guards: Guards, _tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    for kind in guards.keep:
        if kind not in kinds():
            yield Problem(
                ("keep",), f"{kind} is no kind of provision (there are {', '.join(kinds())})"
            )


def _leaves(change: RulesetChange) -> Iterator[Finding]:
    """Yield a finding for each guarded kind of which an instrument leaves no provision."""
    for rule, guards in change.law.every(Guards):
        for kind in guards.keep:
            schema = kinds()[kind].schema
            if change.before.law.rules_of(schema) and not change.after.law.rules_of(schema):
                named = f"{with_article(kind).split()[0]} `{kind}` provision"
                yield Finding(
                    slug="guard-broken",
                    span=_place(change, kind),
                    message=f"after this no rule would have {named}, which Rule {rule.number} "
                    "guards",
                    help=f"keep {named}, perhaps with other values, or first change Rule "
                    f"{rule.number}",
                    rule=rule.number,
                )


def _place(change: RulesetChange, kind: str) -> Span:
    """Return the place of the first instruction about a rule with the provision, or if there is
    none, of the first instruction.
    """
    gone = (
        one
        for one in change.changes
        if one.before is not None and one.before.law.of(kinds()[kind].schema)
    )
    return next(gone, change.changes[0]).instruction.span


def _sentence(guards: Guards) -> str:
    kept = joined((f"`{kind}`" for kind in guards.keep), "or")
    return as_sentence(f"no change may take away the last provision of {kept}")


KIND = JudgingKind(
    schema=Guards,
    sentence=_sentence,
    combines="all",
    misfits=_misfits,
    leaves=_leaves,
)
