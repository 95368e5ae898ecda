"""A change must meet all conditions that match it, except those that another rule names in `over`. If none matches, the
change is forbidden (`adoption-missing`). The conditions are checked when the vote ends: `votes-few`, `votes-enough`.

`tied` and `unvoted` decide only about `needs`; `and` must always be met. A vote is tied if there are as many votes for
as against, at least one each, and nobody breaks the tie. `unvoted` is for a vote without any vote, even by silence or
by proposing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from nomicgen.law.voting.amounts import Amount, AmountField
from nomicgen.law.kind import Kind, Problem, Provision, Tiers, Verbs, require_one, unknown_tiers, unsaid
from nomicgen.law.precedence import Law, drop_defeated
from nomicgen.law.replay.state import Rule, Ruleset
from nomicgen.law.sentences import as_sentence, joined
from nomicgen.model import Instruction, Model, described

EXAMPLES = """\
- case: More than half of four voters means three.
  provisions:
    adoption: {needs: majority}
  votes: {osprey: for, quill: for, tallow: against, wren: against}
  gives:
    - "defeated: 2 for; more than half of eligible voters (4): more than 2 needed"
- case: Both conditions must be met. Two votes are enough of the votes cast, but too few of four players.
  provisions:
    adoption:
      needs: majority
      of: cast
      and: {more_than: 50%, of: players}
      to: [enact, amend]
  votes: {osprey: for, quill: for}
  gives:
    - "defeated: 2 for; more than half of votes cast (2): more than 1 needed; 2 for; more than half of all players (4):
      more than 2 needed"
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
    - "adopted: 2 for; more than half of eligible voters (4): more than 2 needed, but the votes are tied, and that is
      enough"
- case: Nobody votes, and that is enough.
  provisions:
    adoption: {needs: unanimous, of: cast, unvoted: adopted}
  votes: {}
  gives:
    - "adopted: 0 for; all votes cast (0): 0 needed, but nobody has voted, and that is enough"
"""


class Threshold(Model):
    """A number of votes to reach (`at_least`) or to exceed (`more_than`); exactly one of them."""

    more_than: AmountField | None = unsaid("a share or a number of votes to exceed")
    at_least: AmountField | None = unsaid("a share or a number of votes to reach")

    def check(self) -> None:
        require_one(self, "more_than", "at_least")
        _require_reachable(self.more_than)


def _require_reachable(more_than: Amount | None) -> None:
    if more_than is not None and more_than.share and more_than.value >= 1:
        raise ValueError("should be a share below one: there is nothing above all")


Needs = Literal["unanimous", "majority", "two-thirds"] | Threshold
Base = Literal["eligible", "cast", "players"]
Passing = Literal["adopted", "defeated"]


class Second(Threshold):
    """A second condition of an adoption."""

    needs: Needs | None = unsaid("the share of votes for")
    of: Base = described("the total for a share", default="eligible")

    def check(self) -> None:
        require_one(self, "needs", "more_than", "at_least")
        _require_reachable(self.more_than)


class Adoption(Provision):
    """What a change needs to be adopted."""

    needs: Needs = described("the share of votes for")
    of: Base = described("the total for a share", default="eligible")
    and_: Second | None = described("a second condition", default=None)
    to: Verbs | None = unsaid("the kinds of change that it covers; all, if missing")
    from_: Tiers | None = described("the tiers of the rules that are changed", default=None)
    into: Tiers | None = unsaid("the tiers into which rules are enacted or transmuted")
    tied: Passing | None = unsaid("the result of `needs` if there are as many votes for as against")
    unvoted: Passing | None = unsaid("the result of `needs` if nobody votes")

    def check(self) -> None:
        verbs = {"enact", "amend", "repeal", "transmute"} if self.to is None else set(self.to)
        if not (verbs & {"enact", "transmute"} if self.into else verbs) - ({"enact"} if self.from_ else set()):
            raise ValueError("is about no change: only enact and transmute lead into a tier, and enact from none")

    @property
    def parts(self) -> tuple[tuple[Needs, Base], ...]:
        """Each threshold, and whose votes it is of."""
        first = (self.needs, self.of)
        return (first, (self.and_.needs or self.and_, self.and_.of)) if self.and_ else (first,)


Conditions = tuple[tuple[Rule, Adoption], ...]
"""What a change needs to be adopted, each with the rule that says so."""


def votes_needed(needs: str | Threshold, base: int) -> tuple[Fraction, bool]:
    """How many votes a threshold asks for of `base`, perhaps not a whole number, and whether it asks for more."""
    if isinstance(needs, Threshold):
        amount = needs.at_least if needs.more_than is None else needs.more_than
        assert amount is not None
        return amount.of(base), needs.more_than is not None
    return _SHARES[needs] * base, needs == "majority"


_SHARES = {"unanimous": Fraction(1), "majority": Fraction(1, 2), "two-thirds": Fraction(2, 3)}


def suffices(needs: str | Threshold, for_: int, base: int) -> bool:
    """Whether so many votes for are enough; no share is reached where there is nobody."""
    need, over = votes_needed(needs, base)
    if over:
        return for_ > need
    return for_ >= need and (base > 0 or not is_share(needs))


def is_share(needs: str | Threshold) -> bool:
    """Whether a threshold grows with the number of voters; a count of votes does not."""
    amounts = (needs.more_than, needs.at_least) if isinstance(needs, Threshold) else ()
    return all(amount is None or amount.share for amount in amounts)


_BASES = {"eligible": "eligible voters", "cast": "votes cast", "players": "all players"}
_VERBS = {"enact": "enactments", "amend": "amendments", "repeal": "repeals", "transmute": "transmutations"}


def needs_words(needs: str | Threshold, base: str, unit: str = "vote") -> str:
    """What a threshold asks for, e.g. `more than 15% of all players`, `at least 3 votes`."""
    of = _BASES[base]
    if isinstance(needs, Threshold):
        word, amount = ("more than", needs.more_than) if needs.more_than is not None else ("at least", needs.at_least)
        assert amount is not None
        counted = f"{amount} of {of}" if amount.share else f"{amount} {unit}{'s' * (amount.value != 1)}"
        return f"{word} {counted}"
    words = {
        "unanimous": f"all {of}",
        "majority": f"more than half of {of}",
        "two-thirds": f"at least two thirds of {of}",
    }
    return words[needs].replace("all all", "all")


def needed_words(needs: str | Threshold, base: str, count: int, unit: str = "vote") -> str:
    """What was needed, exactly: `more than half of eligible voters (4): more than 2 needed`."""
    need, over = votes_needed(needs, count)
    shown = need if need.denominator == 1 else f"{float(need):.2f}".rstrip("0")
    return f"{needs_words(needs, base, unit)} ({count}): {'more than ' if over else ''}{shown} needed"


def _sentence(adoption: Adoption) -> str:
    about = _changes(adoption)
    about += f" of {joined(adoption.from_, 'or')} rules" if adoption.from_ else ""
    about += f" into {joined(adoption.into, 'or')} rules" if adoption.into else ""
    asked = [_votes(*part) for part in adoption.parts]
    if len(asked) > 1 and asked[0].startswith("the votes "):
        asked[1] = asked[1].removeprefix("the votes ")
    outcomes = {"adopted": "enough", "defeated": "not enough"}
    asked[-1] += f"; votes that are tied are {outcomes[adoption.tied]}" if adoption.tied else ""
    asked[-1] += f"; where nobody votes, that is {outcomes[adoption.unvoted]}" if adoption.unvoted else ""
    return as_sentence(f"{about} need {', and '.join(asked)}")


def _changes(adoption: Adoption) -> str:
    """The kinds of change that a condition can be about: only some lead into a tier, and a new rule leaves none."""
    if adoption.to is None and adoption.into is None:
        return "rule-changes"
    verbs = [verb for verb in adoption.to or _VERBS if not adoption.into or verb in ("enact", "transmute")]
    return joined(_VERBS[verb] for verb in verbs if not adoption.from_ or verb != "enact")


def _votes(needs: str | Threshold, of: str) -> str:
    """`the votes of all eligible voters`, `more than half of votes cast`, `at least 3 votes`."""
    words = needs_words(needs, of)
    return words if of == "cast" or words.endswith((" vote", " votes")) else f"the votes of {words}"


def change_of(instruction: Instruction) -> str | None:
    """The kind of change that an instruction is judged as; None for a Mark that changes nothing that binds.

    To void a rule, or to end that, is judged as its repeal.
    """
    if instruction.verb == "mark":
        block = instruction.block
        if block is not None and "void" in block.written:
            return "repeal"
        return "amend" if block is not None and block.provisions is not None else None
    return "amend" if instruction.verb in ("retitle", "renumber") else instruction.verb


def covering(verb: str, from_: str | None, into: str | None, law: Law) -> Conditions:
    """The adoption conditions that are about a kind of change of rules of one tier, perhaps into another."""
    return tuple(
        (where, adoption)
        for where, adoption in law.every("adoption")
        if (adoption.to is None or verb in adoption.to)
        and (adoption.from_ is None or from_ in adoption.from_)
        and (adoption.into is None or into in adoption.into)
    )


def conditions_for(
    instruction: Instruction, rule: Rule | None, tier: str | None, law: Law, ruleset: Ruleset
) -> Conditions:
    """What must be met for one instruction: all that match, without those that another names in `over`.

    `tier` is the tier that the instruction enacts or transmutes into.
    """
    verb = change_of(instruction)
    if verb is None or not law.every("adoption"):
        return ()
    into = tier if verb in ("enact", "transmute") else None
    return drop_defeated(covering(verb, rule.tier if rule else None, into, law), ruleset, law)


def _misfits(adoption: Adoption, tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    for key, named in (("from", adoption.from_), ("into", adoption.into)):
        yield from unknown_tiers(key, named or (), tiers)


KIND = Kind(schema=Adoption, sentence=_sentence, combines="matching", misfits=_misfits, bears=lambda _adoption: True)
