"""The front matters of a game's files, validated and frozen.

What an instruction does to a ruleset is not here (`law/`), nor how a file is read (`files/`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from nomicgen.model.common_keys import UNRECORDED, Matter
from nomicgen.model.file_model import described
from nomicgen.model.public_keys import SigningKey
from nomicgen.model.recorded_keys import Evidence, RecordedKey
from nomicgen.model.types import Fault, JsonSchema, Prepare, ReadWith
from nomicgen.model.values import (
    BallotToken,
    Boolean,
    CommitField,
    Count,
    Date,
    DigestField,
    Ident,
    Moment,
    Number,
    OneOrMany,
    PlayerField,
    Ratio,
    Ref,
    Text,
    ToldDate,
    TurnId,
)

Choice = Literal["for", "against", "abstain"]
Status = Literal["draft", "debate", "open", "adopted", "defeated", "withdrawn", "void"]


def _vote(value: object) -> object:
    return (_plain_votes().get(value) or {"vote": value}) if isinstance(value, str) else value


def _void(value: object) -> object:
    if value in ("true", "false", True, False):
        return value in ("true", True)
    try:
        return Moment.parse(value)
    except ValueError:
        raise ValueError("should be true, or a date such as 2020-08-01") from None


Void = Annotated[Moment | bool, ReadWith(_void, {"type": ["boolean", "string"]})]


def _unread(value: object) -> object:
    if value in ("true", "false"):
        return value == "true"
    if (
        isinstance(value, list)
        and len(value) <= 100
        and all(value)
        and all(isinstance(passage, str) for passage in value)
    ):
        return value
    raise ValueError("should be true, or a list of passages of the rule's text, 100 at most")


Unread = Annotated[
    bool | list[str],
    ReadWith(
        _unread,
        {
            "anyOf": [
                {"type": "boolean"},
                {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 100},
            ]
        },
    ),
]


class RuleKeys(Matter):
    """What stands before the text of a rule, be it in a file or in an instruction's block."""

    section: Text | None = described("one of `sections` in nomic.yml", default=None)
    provisions: dict[str, Any] | None = described("what the program reads of the rule; `{}`: nothing", default=None)
    defines: list[Text] | None = described("terms that other rules' pages link to", default=None)
    unread: Unread | None = described(
        "passages of the text that no program reads, or true for all; `[]`: none", default=None
    )
    void: Void | None = described(
        "a date or true: the rule has no force, and stays listed; `false` ends it. In a block only of `Mark`, in a "
        "judgement or with a `commit`",
        default=None,
    )
    note: Text | None = described(
        "the editor's comment, without regulatory force; in a block only of `Mark`", default=None
    )
    text: Literal["lost"] | None = described("`lost` if the text did not survive", default=None)


class RuleMatter(RuleKeys):
    """What stands before the text in `rules/203.md` and `rules/initial/203.md`."""

    number: Number = described("the rule's number")
    mutability: Ident = described("its tier, one of `tiers` in nomic.yml")
    revision: Count = described("how often its text was amended; derived", default=0)
    title: Text | None = described("how the rule is called", default=None)
    commit: CommitField | None = described(
        "in archives: the commit of the old repository that has the text", default=None
    )


class RuleBlock(RuleKeys):
    """The fenced `yaml rule` block after an instruction's heading."""

    mutability: Ident | None = described("Enact only: the tier of the new rule", default=None)
    reenacts: Number | None = described("Enact only: the repealed rule that comes back", default=None)
    revision: Count | None = described(
        "the revision that it makes, if not the next one: only with `reenacts` or a `commit`", default=None
    )


class Vote(Matter):
    """One player's vote."""

    vote: Choice = described("what was voted")
    at: Date | None = described("when it was cast", default=None)
    source: Text | None = described("the address where it was cast", default=None)
    cast_by: Literal["player", "silence", "die"] = described("who or what cast it", default="player")
    die: Count | None = described("what was thrown, if a die decided", default=None)
    signature: Text | None = described("the signed vote, as `nomicgen proposal sign` prints it", default=None)


@functools.cache
def _plain_votes() -> Mapping[str, Vote]:
    """The votes that one word says: they stand in a ledger by the thousand, and are the same."""
    return {choice: Vote(vote=choice) for choice in get_args(Choice)}


class Award(Matter):
    """Points that a file gives by hand."""

    player: PlayerField = described("who gets them")
    amount: Ratio = described("how many")
    reason: Text = described("why, e.g. the best verse of the week")
    under: Number | None = described("the rule that allows it", default=None)


def _votes(value: object) -> object:
    return None if value == UNRECORDED else value


_UNRECORDED: JsonSchema = {"const": UNRECORDED, "type": "string"}
_CHOICES: JsonSchema = {"enum": [*get_args(Choice)], "type": "string"}
Votes = dict[PlayerField, Annotated[Vote, Prepare(_vote, lambda schema: {"anyOf": [schema, _CHOICES]})]]
RecordedVotes = Annotated[Votes | None, Prepare(_votes, lambda schema: {"anyOf": [schema, _UNRECORDED]})]


class EarlierVote(Matter):
    """A vote on an earlier submission of the same proposal."""

    opened: Date | None = described("when that vote opened", default=None)
    ballot: BallotToken | None = described("the token of that vote", default=None)
    digest: DigestField | None = described("the digest of the text of that vote", default=None)
    votes: Votes = described("a vote by player", default={})


class InstrumentMatter(Matter):
    """What the front matters of proposals, judgements and acts have in common."""

    seq: Count = described(
        "order among instruments of the same moment; of equals acts come first, then judgements", default=0
    )
    points: list[Award] | None = described("points that no provision awards", default=None)
    commit: CommitField | None = described("in archives: the commit of the old repository that has it", default=None)
    note: Text | None = described("the editor's comment", default=None)


class ProposalMatter(InstrumentMatter):
    """What stands before the argument in `proposals/329.md`."""

    number: Number | None = described("given by `nomicgen register`; a draft has none", default=None)
    title: Text | None = described("what it is about", default=None)
    author: PlayerField | None = described("the author's id", default=None)
    coauthors: list[PlayerField] = described("the ids of those who wrote it with the author", default=[])
    date: Date | None = described("when it was put forward", default=None)
    discussion: Text | None = described("where it is debated: the address of a pull request", default=None)
    turn: TurnId | None = described("the turn in which it was put forward", default=None)
    commences: Date | None = described(
        "the day that the author names for its changes; it is a part of what is voted on", default=None
    )
    status: Status = described("how far it has come")
    opened: Date | None = described("when the vote opened", default=None)
    ballot: BallotToken | None = described(
        "the random token that votes name, as in `/vote for 301-k7q2m4x9ta`", default=None
    )
    decided: ToldDate | None = described(
        "when the vote ended, or it was withdrawn; with `votes: unrecorded` also `2019-03`, `about 2001`, "
        "`after 2001-02-03` or `between 2001-02 and 2001-05`",
        default=None,
    )
    effective: Date | None = described("when its changes take effect, if not at `decided`", default=None)
    votes: RecordedVotes | None = described("a vote by player, or `unrecorded`", default={})
    digest: DigestField | None = described(
        "SHA-256 of what was voted on: title, argument, instructions, `commences`; or only the last two",
        default=None,
    )
    earlier: list[EarlierVote] | None = described("votes on earlier submissions", default=None)

    def check(self) -> None:
        if self.decided is not None and self.decided.words and self.votes is not None:
            raise ValueError("`decided` should be a day, such as 2020-07-26, where votes are recorded")

    @property
    def is_undecided(self) -> bool:
        """Whether its author may still do something about it."""
        return self.status in ("draft", "debate", "open")

    @property
    def ballot_name(self) -> str | None:
        """What a vote names, such as `301-k7q2m4x9ta`; None where the vote has no token."""
        return None if self.ballot is None or self.number is None else f"{self.number}-{self.ballot}"


Overruling = Annotated[
    Number | list[PlayerField],
    Prepare(lambda value: [value] if isinstance(value, str) and not value.isdecimal() else value),
]


class JudgementMatter(InstrumentMatter):
    """What stands before the question in `judgements/4.md`."""

    number: Number = described("the judgement's number")
    title: Text | None = described("what it is about", default=None)
    called_by: PlayerField | None = described("the player who asked", default=None)
    judge: PlayerField | None = described("the player who judged", default=None)
    late: list[PlayerField] = described("earlier judges who let their time run out", default=[])
    date: Date | None = described("when it was given", default=None)
    turn: TurnId | None = described("the turn in which it was given", default=None)
    effective: Date | None = described("when its changes take effect, if not at `date`", default=None)
    rules: list[Ref] = described("the revisions that it is about", default=[])
    proposal: Number | None = described("the proposal that it is about", default=None)
    voids: Number | None = described("the proposal that it declares void", default=None)
    status: Literal["pending", "upheld", "overruled"] = described("not given yet, given, or overruled")
    overruled: Date | None = described("when it was overruled", default=None)
    overruled_by: Overruling | None = described(
        "the players who voted to overrule it, or the number of the judgement that did", default=None
    )
    under: Number | None = described(
        "the rule that lets it change rules, or that the voided proposal breaks", default=None
    )

    @property
    def is_undecided(self) -> bool:
        """Whether it is not given yet."""
        return self.status == "pending"


class Restated(Matter):
    """A recorded field that a correction restates."""

    file: Text = described("the file, such as proposals/305.md")
    key: RecordedKey = described(
        "a vote, a date, a die or points: `votes.wren`, `decided`, `dice.0`, `points.1.amount`"
    )
    was: Text | None = described("what the file said; missing if it said nothing", default=None)
    now: Text | None = described("what the file says now; missing if the key was deleted", default=None)
    evidence: Evidence = described("where to see it: an address, or a description")


class ActMatter(InstrumentMatter):
    """What stands before the body of `acts/2020-08-14-temporary-rule-601.md`."""

    cause: Text = described(
        "its name, such as `Temporary Rule 601`; `correction` restores what the ledger says, or corrects a record"
    )
    by: Text | None = described("a player, or the number of a rule that acts by itself", default=None)
    under: Number | None = described("the rule in force that gives the authority", default=None)
    date: ToldDate = described("when it was done; in archives also `2019-03` or `about 2001`")
    turn: TurnId | None = described("the turn in which it was done", default=None)
    effective: Date | None = described("when its changes take effect, if not at `date`", default=None)
    restates: list[Restated] | None = described("recorded fields that a `correction` corrects", default=None)

    @classmethod
    def faults(cls, data: Mapping[str, Any]) -> Iterator[Fault]:
        if "restates" in data and data.get("cause") != "correction":
            yield Fault(("restates",), "should stand in an act that says `cause: correction`")

    @property
    def by_rule(self) -> int | None:
        """The number of the rule that acts by itself, None where somebody else acts."""
        return int(self.by) if self.by is not None and re.fullmatch("[1-9][0-9]{0,8}", self.by) else None


class Stretch(Matter):
    """A span of days."""

    since: Date = described("the first day")
    until: Date | None = described("the day after the last one, if there is one", default=None)


class Role(Stretch):
    """A player's role, and its days."""

    role: Ident = described("the role's name")


class Strength(Stretch):
    """How many votes a player's vote counts, and on which days."""

    votes: Count = described("how many votes; 0 or more")


class RegisteredKey(Stretch):
    """A player's public SSH key, and its days."""

    key: SigningKey = described("a line of a .pub file: `ssh-ed25519 AAAA…`")


class PlayerMatter(Matter):
    """`players/alice.yml`."""

    name: Text = described("how the player is called")
    accounts: dict[Ident, Text] = described("accounts by forge, such as `github: login`", default={})
    kind: Literal["person", "dummy", "bot", "past"] = described(
        "`dummy`: an empty seat; `bot`: a program; `past`: somebody whom only an archive names",
        default="person",
    )
    joined: Date | None = described("the first day; missing if an archive does not say", default=None)
    left: Date | None = described("the first day on which the player no longer plays", default=None)
    inactive: list[Stretch] = described("when the player was not active", default=[])
    order: Count | None = described("the seat in the playing order", default=None)
    roles: list[Role] = described("roles, each with its days", default=[])
    strength: list[Strength] = described("how many votes the player's vote counts, if not 1", default=[])
    keys_: list[RegisteredKey] = described("SSH keys with which the player signs", default=[])
    note: Text | None = described("the editor's comment", default=None)


class TurnMatter(Matter):
    """`turns/R4T3.yml`."""

    player: PlayerField = described("whose turn it is")
    began: Date | None = described("when it began", default=None)
    ended: Date | None = described("when it ended", default=None)
    passed: Boolean = described("whether it was passed", default=False)
    dice: OneOrMany[Count] = described("what was thrown", default=())
    points: list[Award] | None = described("points that no provision awards", default=None)
    note: Text | None = described("the editor's comment", default=None)
