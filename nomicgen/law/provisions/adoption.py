"""A change must meet all conditions that match it. One that names a rule in `over` sets that rule's
conditions aside, unless that rule is more entrenched; one that names a rule in `under` gives way to
that rule's, if they match. If no condition matches, the change is forbidden (`adoption-missing`).
When the vote ends, a proposal that was adopted with too few votes is `votes-few`, and one that was
defeated with enough is `votes-enough`.

`tied` and `unvoted` replace the result of `needs` alone; the condition in `and` must be met in any
case. A vote is tied if there are as many votes for as against, at least one each, and nobody breaks
the tie. `unvoted` applies if nobody votes, and neither silence nor the author counts as a vote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from nomicgen.law.change_kinds import NOUNS
from nomicgen.law.kind import (
    Kind,
    Problem,
    Provision,
    Tiers,
    Verbs,
    require_one,
    unknown_tiers,
    unsaid,
)
from nomicgen.law.sentences import as_sentence, joined
from nomicgen.law.voting.thresholds import Needs, Threshold, needs_words, require_reachable
from nomicgen.model.file_model import described

EXAMPLES = """\
- case: More than half of four voters means three.
  provisions:
    adoption: {needs: majority}
  votes: {osprey: for, quill: for, tallow: against, wren: against}
  gives:
    - "defeated: 2 for; more than half of eligible voters (4): more than 2 needed"
- case: Both conditions must be met. Two votes are more than half of the votes cast, but not more
    than half of four players.
  provisions:
    adoption:
      needs: majority
      of: cast
      and: {more_than: 50%, of: players}
      to: [enact, amend]
  votes: {osprey: for, quill: for}
  gives:
    - "defeated: 2 for; more than half of votes cast (2): more than 1 needed; 2 for; more than half
      of all players (4): more than 2 needed"
- case: Only making a rule immutable needs every vote.
  provisions:
    adoption:
      - {needs: {at_least: 1}, to: amend, from: mutable}
      - {needs: unanimous, to: transmute, into: immutable}
  votes: {osprey: for, quill: against, tallow: against, wren: against}
  gives:
    - "adopted: 1 for; at least 1 vote (4): 1 needed"
- case: A tie is enough.
  provisions:
    adoption: {needs: majority, tied: adopted}
  votes: {osprey: for, quill: for, tallow: against, wren: against}
  gives:
    - "adopted: 2 for; more than half of eligible voters (4): more than 2 needed, but the votes are
      tied, and that is enough"
- case: Nobody votes, and that is enough.
  provisions:
    adoption: {needs: unanimous, of: cast, unvoted: adopted}
  votes: {}
  gives:
    - "adopted: 0 for; all votes cast (0): 0 needed, but nobody has voted, and that is enough"
"""


Base = Literal["eligible", "cast", "players"]
"""What a share is a share of: of eligible voters, votes cast, or all players."""
Outcome = Literal["adopted", "defeated"]


class Second(Threshold):
    """A second threshold, which the votes for a change must meet besides `needs`."""

    one_of = ("needs", "more_than", "at_least")
    needs: Needs | None = unsaid("how many votes in favour are needed")
    of: Base = described("what a share is a share of", default="eligible")

    def check(self) -> None:
        require_one(self)
        require_reachable(self.more_than)


class Adoption(Provision):
    """What a change needs to be adopted."""

    needs: Needs = described("how many votes in favour are needed")
    of: Base = described("what a share is a share of", default="eligible")
    and_: Second | None = described("a second condition", default=None)
    to: Verbs | None = unsaid("the kinds of change that it covers; all, if missing")
    from_: Tiers | None = described(
        "the tiers of the rules that are changed; all, if missing", default=None
    )
    into: Tiers | None = unsaid(
        "the tiers into which rules are enacted or transmuted; all, if missing"
    )
    tied: Outcome | None = unsaid("the result of `needs` if the votes are tied")
    unvoted: Outcome | None = unsaid("the result of `needs` if nobody votes")

    def check(self) -> None:
        verbs = {"enact", "amend", "repeal", "transmute"} if self.to is None else set(self.to)
        if not (verbs & {"enact", "transmute"} if self.into else verbs) - (
            {"enact"} if self.from_ else set()
        ):
            raise ValueError(
                "matches no change: only enact and transmute can have `into`, and enact cannot "
                "have `from`"
            )

    @property
    def parts(self) -> tuple[tuple[Needs, Base], ...]:
        """Each threshold, and the total that it is a share of."""
        first = (self.needs, self.of)
        return (first, (self.and_.needs or self.and_, self.and_.of)) if self.and_ else (first,)


def _sentence(adoption: Adoption) -> str:
    about = _changes(adoption)
    about += f" of {joined(adoption.from_, 'or')} rules" if adoption.from_ else ""
    about += f" into {joined(adoption.into, 'or')} rules" if adoption.into else ""
    asked = [_votes(*part) for part in adoption.parts]
    if len(asked) > 1 and asked[0].startswith("the votes "):
        asked[1] = asked[1].removeprefix("the votes ")
    outcomes = {"adopted": "enough", "defeated": "not enough"}
    asked[-1] += f"; votes that are tied are {outcomes[adoption.tied]}" if adoption.tied else ""
    asked[-1] += (
        f"; where nobody votes, that is {outcomes[adoption.unvoted]}" if adoption.unvoted else ""
    )
    return as_sentence(f"{about} need {', and '.join(asked)}")


def _changes(adoption: Adoption) -> str:
    """Return in words the changes that match: enactments, for example, only without `from`."""
    if adoption.to is None and adoption.into is None:
        return "rule-changes"
    verbs = [
        verb for verb in adoption.to or NOUNS if not adoption.into or verb in ("enact", "transmute")
    ]
    return joined(f"{NOUNS[verb]}s" for verb in verbs if not adoption.from_ or verb != "enact")


def _votes(needs: str | Threshold, base: str) -> str:
    """Return words such as `the votes of all eligible voters` or `more than half of votes cast`."""
    words = needs_words(needs, base)
    return (
        words if base == "cast" or words.endswith((" vote", " votes")) else f"the votes of {words}"
    )


def _misfits(adoption: Adoption, tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    for key, named in (("from", adoption.from_), ("into", adoption.into)):
        yield from unknown_tiers(key, named or (), tiers)


KIND = Kind(
    schema=Adoption,
    sentence=_sentence,
    combines="matching",
    misfits=_misfits,
    affects_changeability=lambda _adoption: True,
)
