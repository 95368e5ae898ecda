"""The front matters of a game's files, validated and frozen.

What an instruction does to a ruleset is not here (`law/`), nor how a file is read (`files/`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from nomicgen.model.matter import UNRECORDED, Matter
from nomicgen.model.recorded import Evidence, RecordedKey
from nomicgen.model.values import (
    Boolean,
    Commit,
    Count,
    Date,
    Digest,
    Ident,
    Moment,
    Number,
    Ratio,
    Ref,
    Text,
    TurnId,
    one_or_many,
)

Choice = Literal["for", "against", "abstain"]
Status = Literal["draft", "debate", "open", "adopted", "defeated", "withdrawn", "void"]


def _vote(value: object) -> object:
    return (_plain_votes().get(value) or {"vote": value}) if isinstance(value, str) else value


def _void(value: object) -> object:
    if isinstance(value, bool):
        return value
    try:
        return value == "true" or Moment.parse(value)
    except ValueError:
        raise ValueError("should be true, or a date such as 2020-08-01") from None


def _void_or_not(value: object) -> object:
    return False if value == "false" else _void(value)


def _unread(value: object) -> object:
    if value in ("true", "false"):
        return value == "true"
    if isinstance(value, list) and len(value) <= 100 and all(value) and all(isinstance(one, str) for one in value):
        return value
    raise ValueError("should be true, or a list of passages of the rule's text, 100 at most")


Unread = Annotated[
    bool | list[str],
    BeforeValidator(_unread),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "boolean"},
                {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 100},
            ]
        }
    ),
]


class RuleMatter(Matter):
    """What stands before the text in `rules/203.md` and `rules/initial/203.md`."""

    number: Number = Field(description="the rule's number")
    mutability: Ident = Field(description="its tier, one of `tiers` in nomic.yml")
    revision: Count = Field(0, description="how often its text was amended; derived")
    title: Text | None = Field(None, description="how the rule is called")
    section: Text | None = Field(None, description="one of `sections` in nomic.yml")
    provisions: dict[str, Any] | None = Field(None, description="what a program reads of this rule")
    defines: list[Text] | None = Field(None, description="terms that other rules' pages link to")
    unread: Unread | None = Field(None, description="what no program reads: true (all), or passages of the text")
    void: Annotated[Moment | bool, BeforeValidator(_void), WithJsonSchema({"type": ["boolean", "string"]})] | None = (
        Field(None, description="a date or true: it stands in the ruleset but has no force")
    )
    note: Text | None = Field(None, description="the editor's comment, without regulatory force")
    text: Literal["lost"] | None = Field(None, description="`lost` where the text did not survive")
    commit: Commit | None = Field(None, description="where the text lies in another repository (imported archives)")


class RuleBlock(Matter):
    """The fenced `yaml rule` block after an instruction's heading."""

    mutability: Ident | None = Field(None, description="Enact only: the tier of the new rule")
    reenacts: Number | None = Field(None, description="Enact only: the repealed rule that this is again")
    revision: Count | None = Field(
        None, description="the revision it makes where R is not counted: with `reenacts`, or if a `commit` is named"
    )
    section: Text | None = Field(None, description="one of `sections` in nomic.yml")
    provisions: dict[str, Any] | None = Field(None, description="replaces the rule's provisions whole; {} removes them")
    defines: list[Text] | None = Field(None, description="terms that other rules' pages link to")
    unread: Unread | None = Field(
        None, description="what no program reads: true (all), or passages of the text; [] ends it"
    )
    void: (
        Annotated[Moment | bool, BeforeValidator(_void_or_not), WithJsonSchema({"type": ["boolean", "string"]})] | None
    ) = Field(None, description="Mark only, and only by a judgement, or if a `commit` is named; `false` ends it")
    note: Text | None = Field(None, description="Mark only: the editor's comment, without regulatory force")
    text: Literal["lost"] | None = Field(None, description="`lost` where the text did not survive")


class Vote(Matter):
    """One player's vote."""

    vote: Choice = Field(description="what was voted")
    at: Date | None = Field(None, description="when it was cast")
    source: Text | None = Field(None, description="where it was cast, an address")
    cast_by: Literal["player", "silence", "die"] = Field("player", description="who or what cast it")
    die: Count | None = Field(None, description="what was thrown, where a die decided")


@functools.cache
def _plain_votes() -> Mapping[str, Vote]:
    """The votes that one word says: they stand in a ledger by the thousand, and are the same."""
    return {choice: Vote(vote=choice) for choice in get_args(Choice)}


class Award(Matter):
    """Points that a file gives by hand, since no program can tell that they are earned; exact."""

    player: Ident = Field(description="who gets them")
    amount: Ratio = Field(description="how many; a fraction such as 20/3 stays exact")
    reason: Text = Field(description="why, e.g. the best verse of the week")
    under: Number | None = Field(None, description="the rule that lets this be given")


def _votes(value: object) -> object:
    return None if value == UNRECORDED else value


Votes = dict[Ident, Annotated[Vote, BeforeValidator(_vote, json_schema_input_type=Vote | Choice)]]


class EarlierVote(Matter):
    """A vote on an earlier submission of the same proposal."""

    opened: Date | None = Field(None, description="when that vote opened")
    digest: Digest | None = Field(None, description="of what was voted on then")
    votes: Votes = Field(default_factory=dict, description="a vote by player")


class ProposalMatter(Matter):
    """What stands before the argument in `proposals/329.md`."""

    number: Number | None = Field(None, description="given by `nomicgen register`; a draft has none")
    title: Text | None = Field(None, description="what it is about")
    author: Ident | None = Field(None, description="a file name in players/")
    date: Date | None = Field(None, description="put forward")
    discussion: Text | None = Field(None, description="where it is debated: the address of a pull request")
    turn: TurnId | None = Field(None, description="the turn in which it was put forward")
    commences: Date | None = Field(
        None, description="when its changes are to take effect, as it says itself; it is voted on with them"
    )
    status: Status = Field(description="what has become of it")
    opened: Date | None = Field(None, description="the vote opened, and the digest was fixed")
    decided: Date | None = Field(None, description="when the vote ended, or it was withdrawn")
    effective: Date | None = Field(None, description="as the rules in force say; missing, it is `decided`")
    seq: Count = Field(0, description="order among instruments of one moment")
    votes: Annotated[Votes | None, BeforeValidator(_votes, json_schema_input_type=Votes | Literal["unrecorded"])] = (
        Field(default_factory=dict, description="a vote by player, or `unrecorded`")
    )
    digest: Digest | None = Field(
        None,
        description="SHA-256 of what was voted on: the instructions, and `commences`; by some rules also the rest",
    )
    earlier: list[EarlierVote] | None = Field(None, description="votes on earlier submissions")
    points: list[Award] | None = Field(None, description="points that no provision awards")
    commit: Commit | None = Field(None, description="where it lies in another repository (imported archives)")
    note: Text | None = Field(None, description="the editor's comment")

    @property
    def is_undecided(self) -> bool:
        """Whether its author may still do something about it."""
        return self.status in ("draft", "debate", "open")


Overruling = Annotated[
    Number | list[Ident],
    Field(union_mode="left_to_right"),
    BeforeValidator(lambda value: [value] if isinstance(value, str) and not value.isdecimal() else value),
]


class JudgementMatter(Matter):
    """What stands before the question in `judgements/4.md`."""

    number: Number = Field(description="the judgement's number")
    title: Text | None = Field(None, description="what it is about")
    called_by: Ident | None = Field(None, description="the player who asked")
    judge: Ident | None = Field(None, description="the player who judged")
    late: list[Ident] = Field(default_factory=list, description="judges before that one who let their time run out")
    date: Date | None = Field(None, description="when it was given")
    turn: TurnId | None = Field(None, description="the turn in which it was given")
    effective: Date | None = Field(None, description="when what it changes takes effect; missing, it is `date`")
    rules: list[Ref] = Field(default_factory=list, description="the revisions that it construes")
    proposal: Number | None = Field(None, description="the proposal that it is about")
    voids: Number | None = Field(None, description="the proposal that it declares void")
    status: Literal["pending", "upheld", "overruled"] = Field(description="not given yet, standing, or overruled")
    overruled: Date | None = Field(None, description="when it was overruled")
    overruled_by: Overruling | None = Field(
        None, description="the players who voted to overrule it, or the number of the judgement that did"
    )
    under: Number | None = Field(
        None, description="the rule that lets it change rules, or that the proposal which it voids offends"
    )
    seq: Count = Field(0, description="order among instruments of one moment")
    points: list[Award] | None = Field(None, description="points that no provision awards")
    commit: Commit | None = Field(None, description="where it lies in another repository (imported archives)")
    note: Text | None = Field(None, description="the editor's comment")

    @property
    def is_undecided(self) -> bool:
        """Whether it is not given yet."""
        return self.status == "pending"


def _of_correction(value: object, info: ValidationInfo) -> object:
    if info.data.get("cause") != "correction":
        raise ValueError("should stand in an act that says `cause: correction`")
    return value


class Restated(Matter):
    """A recorded field that a correction restates."""

    file: Text = Field(description="where it stands, such as proposals/305.md")
    key: RecordedKey = Field(
        description="a vote, a date, a die or points: `votes.wren`, `decided`, `dice.0`, `points.1.amount`"
    )
    was: Text | None = Field(None, description="what the file said; missing where it said nothing")
    now: Text | None = Field(None, description="what it says now; missing where it was taken out")
    evidence: Evidence = Field(description="where it can be seen: an address, or words")


class ActMatter(Matter):
    """What stands before the body of `acts/2020-08-14-temporary-rule-601.md`."""

    cause: Text = Field(
        description="as printed: `Temporary Rule 601`; `correction` restores what the ledger says, or mends a record"
    )
    by: Text | None = Field(None, description="a player, or the number of a rule that acts by itself")
    under: Number | None = Field(None, description="the rule in force that gives the authority")
    date: Date = Field(description="when it was done")
    turn: TurnId | None = Field(None, description="the turn in which it was done")
    effective: Date | None = Field(None, description="when what it changes takes effect; missing, it is `date`")
    seq: Count = Field(0, description="order among instruments of one moment")
    points: list[Award] | None = Field(None, description="points that no provision awards")
    restates: Annotated[list[Restated] | None, BeforeValidator(_of_correction)] = Field(
        None, description="recorded fields that a `correction` mends"
    )
    commit: Commit | None = Field(None, description="where it lies in another repository (imported archives)")
    note: Text | None = Field(None, description="the editor's comment")

    @property
    def by_rule(self) -> int | None:
        """The number of the rule that acts by itself, None where somebody else acts."""
        return int(self.by) if self.by is not None and re.fullmatch("[1-9][0-9]{0,8}", self.by) else None


class Stretch(Matter):
    """A span of days: from the first to before the second; open without one."""

    since: Date = Field(description="the first day")
    until: Date | None = Field(None, description="the day after the last; missing, it goes on")


class Role(Stretch):
    """A role and the days in which a player held it."""

    role: Ident = Field(description="what it is called")


class Strength(Stretch):
    """How many votes a player's vote counts, and the days on which it does."""

    votes: Count = Field(description="how many votes; 0 or more")


class PlayerMatter(Matter):
    """`players/alice.yml`."""

    name: Text = Field(description="how the player is called")
    accounts: dict[Ident, Text] = Field(default_factory=dict, description="e.g. `github: login`")
    kind: Literal["person", "dummy", "bot"] = Field("person", description="`dummy`: a seat that no person fills")
    joined: Date | None = Field(None, description="missing where an archive does not say")
    left: Date | None = Field(None, description="the first day on which the player no longer plays")
    inactive: list[Stretch] = Field(default_factory=list, description="when the player was not active")
    order: Count | None = Field(None, description="the seat in the playing order")
    roles: list[Role] = Field(default_factory=list, description="roles, each with its days")
    strength: list[Strength] = Field(
        default_factory=list, description="how many votes the player's vote counts, and since when; missing, it is 1"
    )
    note: Text | None = Field(None, description="the editor's comment")


class TurnMatter(Matter):
    """`turns/R4T3.yml`."""

    player: Ident = Field(description="whose turn it is")
    began: Date | None = Field(None, description="when it began")
    ended: Date | None = Field(None, description="when it ended")
    passed: Boolean = Field(False, description="whether it was passed")
    dice: Annotated[list[Count], BeforeValidator(one_or_many, json_schema_input_type=int | list[int])] = Field(
        default_factory=list, description="what was thrown"
    )
    points: list[Award] | None = Field(None, description="points that no provision awards")
    note: Text | None = Field(None, description="the editor's comment")
