"""The front matters of a game's files, validated and frozen.

What an instruction does to a ruleset is not here (`law/`), nor how a file is read (`files/`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from nomicgen.model.values import (
    Boolean,
    Commit,
    Count,
    Date,
    Digest,
    Ident,
    Integer,
    Moment,
    Number,
    Ratio,
    Ref,
    Text,
    TurnId,
    one_or_many,
)

Status = Literal["draft", "debate", "open", "adopted", "defeated", "withdrawn", "void"]


def _vote(value: object) -> object:
    return {"vote": value} if isinstance(value, str) else value


def _void(value: object) -> object:
    if isinstance(value, bool):
        return value
    try:
        return value == "true" or Moment.parse(value)
    except ValueError:
        raise ValueError("should be true, or a date such as 2020-08-01") from None


class Matter(BaseModel):
    """A front matter: frozen, and closed to keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class RuleMatter(Matter):
    """What stands before the text in `rules/203.md` and `rules/initial/203.md`."""

    number: Number = Field(description="the rule's number")
    mutability: Ident = Field(description="its tier, one of `tiers` in nomic.yml")
    revision: Count = Field(0, description="how often its text was amended; derived")
    title: Text | None = None
    section: Text | None = Field(None, description="one of `sections` in nomic.yml")
    provisions: dict[str, Any] | None = Field(None, description="what a program can enforce of this rule")
    defines: list[Text] | None = Field(None, description="terms that other rules' pages link to")
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
    section: Text | None = None
    provisions: dict[str, Any] | None = Field(None, description="replaces the rule's provisions whole; {} removes them")
    defines: list[Text] | None = None
    void: Annotated[Moment | bool, BeforeValidator(_void), WithJsonSchema({"type": ["boolean", "string"]})] | None = (
        Field(None, description="Mark only, and only by a judgement")
    )
    note: Text | None = Field(None, description="Mark only")
    text: Literal["lost"] | None = None


class Vote(Matter):
    """One player's vote."""

    vote: Literal["for", "against", "abstain"]
    at: Date | None = None
    source: Text | None = Field(None, description="where it was cast, an address")
    cast_by: Literal["player", "silence", "die"] = "player"
    die: Count | None = Field(None, description="what was thrown, where a die decided")


class Award(Matter):
    """Points that no provision awards by itself; exact."""

    player: Ident
    amount: Ratio
    reason: Text


_UNRECORDED = "unrecorded"


def _votes(value: object) -> object:
    return None if value == _UNRECORDED else value


Votes = dict[Ident, Annotated[Vote, BeforeValidator(_vote, json_schema_input_type=Vote | str)]]


class EarlierVote(Matter):
    """A vote on an earlier submission of the same proposal."""

    opened: Date | None = None
    digest: Digest | None = None
    votes: Votes = Field(default_factory=dict)


class ProposalMatter(Matter):
    """What stands before the argument in `proposals/329.md`."""

    number: Number | None = Field(None, description="given by `nomicgen register`; a draft has none")
    title: Text | None = None
    author: Ident | None = Field(None, description="a file name in players/")
    date: Date | None = Field(None, description="put forward")
    turn: TurnId | None = None
    status: Status
    opened: Date | None = Field(None, description="the vote opened, and the digest was fixed")
    decided: Date | None = None
    effective: Date | None = Field(None, description="as the rules in force say; missing, it is `decided`")
    seq: Count = Field(0, description="order among instruments of one moment")
    votes: Annotated[Votes | None, BeforeValidator(_votes, json_schema_input_type=Votes | Literal["unrecorded"])] = (
        Field(default_factory=dict, description="a vote by player, or `unrecorded`")
    )
    digest: Digest | None = Field(None, description="SHA-256 of the instructions that were voted on")
    earlier: list[EarlierVote] | None = Field(None, description="votes on earlier submissions")
    points: list[Award] | None = None
    commit: Commit | None = None
    note: Text | None = None


class JudgementMatter(Matter):
    """What stands before the question in `judgements/4.md`."""

    number: Number
    title: Text | None = None
    called_by: Ident | None = None
    judge: Ident | None = None
    date: Date | None = None
    turn: TurnId | None = None
    effective: Date | None = None
    rules: list[Ref] = Field(default_factory=list, description="the revisions that it construes")
    proposal: Number | None = None
    status: Literal["pending", "upheld", "overruled"]
    overruled: Date | None = Field(None, description="when it was overruled")
    under: Number | None = Field(None, description="the rule that lets it change rules")
    seq: Count = 0
    points: list[Award] | None = None
    commit: Commit | None = None
    note: Text | None = None


class ActMatter(Matter):
    """What stands before the body of `acts/2020-08-14-temporary-rule-601.md`."""

    cause: Text = Field(description="as printed: `Temporary Rule 601`; `correction` restores what the ledger says")
    by: Text | None = Field(None, description="a player, or the number of a rule that acts by itself")
    under: Number | None = Field(None, description="the rule in force that gives the authority")
    date: Date
    turn: TurnId | None = None
    effective: Date | None = None
    seq: Count = 0
    points: list[Award] | None = None
    commit: Commit | None = None
    note: Text | None = None


class Stretch(Matter):
    """A span of days: from the first to before the second; open without one."""

    since: Date
    until: Date | None = None


class Role(Stretch):
    """A role and the days in which a player held it."""

    role: Ident


class PlayerMatter(Matter):
    """`players/alice.yml`."""

    name: Text
    accounts: dict[Ident, Text] = Field(default_factory=dict, description="e.g. `github: login`")
    kind: Literal["person", "dummy", "bot"] = "person"
    joined: Date | None = Field(None, description="missing where an archive does not say")
    left: Date | None = None
    inactive: list[Stretch] = Field(default_factory=list)
    order: Count | None = Field(None, description="the seat in the playing order")
    roles: list[Role] = Field(default_factory=list)
    note: Text | None = None


class TurnMatter(Matter):
    """`turns/R4T3.yml`."""

    player: Ident
    began: Date | None = None
    ended: Date | None = None
    passed: Boolean = False
    dice: Annotated[list[Count], BeforeValidator(one_or_many, json_schema_input_type=int | list[int])] = Field(
        default_factory=list
    )
    points: list[Award] | None = None
    note: Text | None = None


class Links(Matter):
    """Templates of addresses on the forge, with `{sha}`, `{path}`, `{number}`, `{revision}`."""

    commit: Text | None = None
    file: Text | None = None


class Lost(Matter):
    """What an archive knows to be missing."""

    proposals: list[Number] = Field(default_factory=list)


class Settings(Matter):
    """`nomic.yml`, the game's settings."""

    format: Annotated[Integer, Field(ge=1, le=1)]
    name: Text
    tagline: Text | None = None
    repository: Text | None = Field(None, description="the address of the repository on its forge")
    links: Links = Field(default_factory=Links)
    started: Date | None = None
    timezone: Text = "UTC"
    tiers: list[Ident] = Field(default=["immutable", "mutable"], min_length=1, description="most entrenched first")
    sections: dict[str, Text] = Field(default_factory=dict, description="order, and a note each")
    lost: Lost = Field(default_factory=Lost)
