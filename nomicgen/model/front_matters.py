"""The front matters of instruments, players and turns, validated and frozen.

What an instruction does to a ruleset is not here (`law/`), nor how a file is read (`files/`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from nomicgen.model.common_keys import UNRECORDED, Matter, normal_key
from nomicgen.model.file_model import described
from nomicgen.model.types import Fault, JsonSchema, Prepare
from nomicgen.model.values import (
    BallotToken,
    Boolean,
    CommitField,
    Count,
    Date,
    DigestField,
    Ident,
    InexactDate,
    ListOrOne,
    Number,
    PlayerField,
    Ratio,
    Ref,
    Text,
    TurnId,
)

Choice = Literal["for", "against", "abstain"]
Status = Literal["draft", "debate", "open", "adopted", "defeated", "withdrawn", "void"]

# Descriptions of keys that several classes have.
_DEEDS = "what players did about it under the rules, such as `{do: second, by: wren}`"
_NOTE = "a remark for readers, without force"
_SEQ = "the place among instruments of one moment; if equal, acts come first, then judgements"
_POINTS = "points that the file itself gives, each line with its reason"


def _read_vote(value: object) -> object:
    return (_PLAIN_VOTES.get(value) or {"vote": value}) if isinstance(value, str) else value


class Vote(Matter):
    """One player's vote."""

    vote: Choice = described("what was voted")
    at: Date | None = described(
        "when it was cast", default=None, recorded="the day of the vote of {id}"
    )
    source: Text | None = described(
        "the address where it was cast", default=None, recorded="the source of the vote of {id}"
    )
    cast_by: Literal["player", "silence", "die"] = described(
        "who or what cast it", default="player", recorded="who cast the vote of {id}"
    )
    die: Count | None = described(
        "what was thrown, if a die decided", default=None, recorded="the die of {id}"
    )
    signature: Text | None = described("the signed vote, which is not verified", default=None)


_PLAIN_VOTES: Mapping[str, Vote] = {choice: Vote(vote=choice) for choice in get_args(Choice)}
"""The votes that are written as one word. They are shared: a ledger has thousands of them."""


class Award(Matter):
    """Points that a file gives by hand."""

    player: PlayerField = described(
        "who gets them", names="player", recorded="the player in line {place} of its points"
    )
    amount: Ratio = described("how many", recorded="the amount in line {place} of its points")
    reason: Text = described(
        "why, e.g. the best verse of the week", recorded="the reason in line {place} of its points"
    )
    under: Number | None = described(
        "the rule that allows it", default=None, recorded="the rule in line {place} of its points"
    )


class Deed(Matter):
    """What a player did under a rule, such as seconding a proposal."""

    do: Ident = described("what was done, as a rule's provision calls it, such as `second`")
    by: PlayerField = described("the player who did it", names="player")
    at: Date | None = described("when it was done", default=None)


def _read_votes(value: object) -> object:
    return None if value == UNRECORDED else value


_UNRECORDED: JsonSchema = {"const": UNRECORDED, "type": "string"}
_CHOICES: JsonSchema = {"enum": [*get_args(Choice)], "type": "string"}
Votes = dict[
    PlayerField, Annotated[Vote, Prepare(_read_vote, lambda schema: {"anyOf": [schema, _CHOICES]})]
]
RecordedVotes = Annotated[
    Votes | None, Prepare(_read_votes, lambda schema: {"anyOf": [schema, _UNRECORDED]})
]
"""The votes of a proposal; None for `votes: unrecorded`."""


class EarlierVote(Matter):
    """A vote on an earlier submission of the same proposal."""

    opened: Date | None = described(
        "when that vote opened", default=None, recorded="the day on which the vote opened"
    )
    ended: Date | None = described("when that vote ended", default=None)
    ballot: BallotToken | None = described("the token of that vote", default=None)
    digest: DigestField | None = described("the digest of the text of that vote", default=None)
    votes: Votes = described(
        "each player's vote", default={}, names="player", recorded="the vote of {id}"
    )
    deeds: list[Deed] = described(_DEEDS, default=[])


class InstrumentMatter(Matter):
    """The keys that proposals, judgements and acts have in common."""

    seq: Count = described(_SEQ, default=0, by="author")
    points: list[Award] | None = described(_POINTS, default=None, by="author")
    commit: CommitField | None = described(
        "in archives: the commit of the old repository that recorded it", default=None, by="keeper"
    )
    note: Text | None = described(_NOTE, default=None, by="author", until="ever")


class ProposalMatter(InstrumentMatter):
    """The front matter of `proposals/329.md`."""

    number: Number | None = described(
        "given by `nomicgen register`; a draft has none", default=None, by="program"
    )
    title: Text | None = described("what it is about", default=None, by="author", bound="whole")
    author: PlayerField | None = described(
        "the author's id", default=None, by="author", until="numbered", names="player"
    )
    coauthors: list[PlayerField] = described(
        "the ids of those who wrote it with the author", default=[], by="author", names="player"
    )
    date: Date | None = described(
        "when it was put forward",
        default=None,
        by=("author", "program"),
        until="numbered",
        recorded="the date",
    )
    discussion: Text | None = described(
        "the address where it is debated", default=None, by="program"
    )
    turn: TurnId | None = described(
        "the turn in which it was put forward",
        default=None,
        by=("author", "program"),
        until="numbered",
        names="turn",
    )
    commences: Date | None = described(
        "the day on which the author wants its changes to take effect; this is voted on, too",
        default=None,
        by="author",
        bound="changes",
    )
    status: Status = described("how far it has come", by=("author", "program"), until="numbered")
    opened: Date | None = described(
        "when the vote opened",
        default=None,
        by="program",
        recorded="the day on which the vote opened",
    )
    ballot: BallotToken | None = described(
        "the random token that votes name, as in `/vote for 301-k7q2m4x9ta`",
        default=None,
        by="program",
    )
    decided: InexactDate | None = described(
        "when the vote ended, or the proposal was withdrawn; with `votes: unrecorded` also "
        "`2019-03`, `about 2001`, `after 2001-02-03` or `between 2001-02 and 2001-05`",
        default=None,
        by="program",
        recorded="the day of the decision",
    )
    effective: Date | None = described(
        "when its changes take effect, if not at `decided`",
        default=None,
        by="program",
        recorded="the day of the effect",
    )
    votes: RecordedVotes = described(
        "each player's vote, or `unrecorded`", default={}, by="program", recorded="the vote of {id}"
    )
    digest: DigestField | None = described(
        "SHA-256 of what was voted on: title, argument, instructions, `commences`; under `edits: "
        "stand` only of instructions and `commences`",
        default=None,
        by="program",
    )
    earlier: list[EarlierVote] | None = described(
        "votes on earlier submissions", default=None, by="program"
    )
    deeds: list[Deed] = described(_DEEDS, default=[], by="program")

    seq: Count = described(_SEQ, default=0, by="program")
    points: list[Award] | None = described(_POINTS, default=None, by="keeper")

    def check(self) -> None:
        if self.decided is not None and self.decided.words and self.votes is not None:
            raise ValueError(
                "`decided` should be a day, such as 2020-07-26, where votes are recorded"
            )

    @property
    def is_undecided(self) -> bool:
        """Whether it is a draft, is debated or is voted on."""
        return self.status in ("draft", "debate", "open")

    @property
    def ballot_name(self) -> str | None:
        """The name of its ballot, such as `301-k7q2m4x9ta`; None if the vote has no token."""
        return (
            None if self.ballot is None or self.number is None else f"{self.number}-{self.ballot}"
        )


Overruling = Annotated[
    Number | list[PlayerField],
    Prepare(lambda value: [value] if isinstance(value, str) and not value.isdecimal() else value),
]
"""What overruled a judgement: another one, by number, or votes, by the ids of their players."""


class JudgementMatter(InstrumentMatter):
    """The front matter of `judgements/4.md`."""

    number: Number = described("the judgement's number", by="author")
    title: Text | None = described("what it is about", default=None, by="author")
    called_by: PlayerField | None = described(
        "the player who asked", default=None, by="author", until="once", names="player"
    )
    judge: PlayerField | None = described(
        "the player who judges", default=None, by="author", names="player"
    )
    late: list[PlayerField] = described(
        "earlier judges who let their time run out", default=[], by="author", names="player"
    )
    date: Date | None = described(
        "when it was given; while pending, when asked for or reassigned",
        default=None,
        by="author",
        recorded="the date",
    )
    turn: TurnId | None = described(
        "the turn in which it was given", default=None, by="author", names="turn"
    )
    effective: Date | None = described(
        "when its changes take effect, if not at `date`",
        default=None,
        by="author",
        recorded="the day of the effect",
    )
    rules: list[Ref] = described(
        "the revisions that it is about", default=[], by="author", names="rule"
    )
    proposal: Number | None = described(
        "the proposal that it is about", default=None, by="author", names="proposal"
    )
    voids: Number | None = described(
        "the proposal that it declares void", default=None, by="author", names="proposal"
    )
    status: Literal["pending", "upheld", "overruled"] = described(
        "not given yet, given, or overruled", by="author", until="overruled"
    )
    overruled: Date | None = described(
        "when it was overruled",
        default=None,
        by="author",
        until="overruled",
        recorded="the day of the overruling",
    )
    overruled_by: Overruling | None = described(
        "the players who voted to overrule it, or the number of the judgement that did",
        default=None,
        by="author",
        until="overruled",
        names="player",
        numbered="judgement",
    )
    under: Number | None = described(
        "the rule that lets it change rules; or the rule that the voided proposal breaks",
        default=None,
        by="author",
        names="rule",
    )
    deeds: list[Deed] = described(_DEEDS, default=[], by="program")

    @property
    def is_undecided(self) -> bool:
        """Whether it is not given yet."""
        return self.status == "pending"


def _recorded(value: object) -> object:
    key = normal_key(value) if isinstance(value, str) else ""
    if recorded_words(key) is None:
        raise ValueError(
            "should be what was recorded: votes.ID, a date such as decided, dice.0, or "
            "points.0.amount"
        )
    return key


def _evidence(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise ValueError("should say where to see it: an address, or a description")
    return value


class Restated(Matter):
    """A recorded value that a correction replaces."""

    file: Text = described("the file, such as proposals/305.md")
    key: Annotated[Text, Prepare(_recorded)] = described(
        "a vote, a date, a die or points: `votes.wren`, `decided`, `dice.0`, `points.1.amount`"
    )
    was: Text | None = described("what the file said; missing if it said nothing", default=None)
    now: Text | None = described(
        "what the file says now; missing if the key was deleted", default=None
    )
    evidence: Annotated[Text, Prepare(_evidence)] = described(
        "where to see it: an address, or a description"
    )


class ActMatter(InstrumentMatter):
    """The front matter of `acts/2020-08-14-temporary-rule-601.md`."""

    cause: Text = described(
        "what this change without a vote is called, such as `Temporary Rule 601`. A `correction` "
        "gives back the text that was adopted, or replaces a wrong vote, date, die or points",
        by="author",
    )
    by: Text | None = described(
        "the player who acted, or the number of a rule that acts by itself",
        default=None,
        by="author",
        names="player",
        numbered="rule",
    )
    under: Number | None = described(
        "the rule in force that gives the authority", default=None, by="author", names="rule"
    )
    date: InexactDate = described(
        "when it was done; in archives also `2019-03` or `about 2001`",
        by="author",
        recorded="the date",
    )
    turn: TurnId | None = described(
        "the turn in which it was done", default=None, by="author", names="turn"
    )
    effective: Date | None = described(
        "when its changes take effect, if not at `date`",
        default=None,
        by="author",
        recorded="the day of the effect",
    )
    restates: list[Restated] | None = described(
        "recorded values that a `correction` replaces", default=None, by="author"
    )

    @classmethod
    def faults(cls, data: Mapping[str, Any]) -> Iterator[Fault]:
        if "restates" in data and data.get("cause") != "correction":
            yield Fault(("restates",), "should stand in an act that says `cause: correction`")

    @property
    def by_rule(self) -> int | None:
        """The number of the rule that acts by itself; None if a player acts, or nobody is named."""
        return (
            int(self.by)
            if self.by is not None and re.fullmatch("[1-9][0-9]{0,8}", self.by)
            else None
        )


_UNTIL = "the day after the last one; missing while it goes on"


class Stretch(Matter):
    """A span of days."""

    since: Date = described("the first day")
    until: Date | None = described(_UNTIL, default=None)


class Role(Stretch):
    """A player's role, and its days. The player may end it by a pull request."""

    role: Ident = described("the role's name")
    until: Date | None = described(_UNTIL, default=None, by="author", until="ever")


class Strength(Stretch):
    """How many votes a player's vote is worth, and on which days."""

    votes: Count = described("how many votes it is worth; 0 or more")


class RegisteredKey(Stretch):
    """A player's public SSH key, and its days. It protects a player without an account: with it, no
    pull request of a stranger can claim that player. No signature of a vote is verified with it.
    """

    key: Text = described("a line of a .pub file: `ssh-ed25519 AAAA…`")


class PlayerMatter(Matter):
    """`players/alice.yml`."""

    name: Text = described("what the player is called", by="author", until="ever")
    accounts: dict[Ident, Text] = described(
        "accounts by forge, such as `github: login`", default={}, by="author", until="ever"
    )
    kind: Literal["person", "dummy", "bot", "past"] = described(
        "`dummy`: an empty seat; `bot`: a program; `past`: somebody whom only an archive names",
        default="person",
        by="keeper",
    )
    joined: Date | None = described(
        "the first day; missing if an archive does not say",
        default=None,
        by="author",
        until="ever",
        recorded="the day of joining",
    )
    left: Date | None = described(
        "the first day on which the player no longer plays",
        default=None,
        by="author",
        until="ever",
        recorded="the day of leaving",
    )
    inactive: list[Stretch] = described(
        "days on which the player is inactive", default=[], by="author", until="ever"
    )
    order: Count | None = described(
        "the seat in the playing order, chosen on joining", default=None, by="author", until="ever"
    )
    roles: list[Role] = described("roles, each with its days", default=[], by="keeper")
    strength: list[Strength] = described(
        "how many votes the player's vote is worth, if not 1", default=[], by="keeper"
    )
    keys_: list[RegisteredKey] = described(
        "the player's SSH keys", default=[], by="author", until="ever"
    )
    note: Text | None = described(_NOTE, default=None, by="author", until="ever")


class TurnMatter(Matter):
    """`turns/R4T3.yml`."""

    player: PlayerField = described("whose turn it is", by="author", until="once", names="player")
    began: Date | None = described(
        "when it began",
        default=None,
        by="author",
        until="once",
        recorded="the day on which it began",
    )
    ended: Date | None = described(
        "when it ended", default=None, by="author", recorded="the day on which it ended"
    )
    until: Date | None = described(
        "its last day, if it was prolonged or cut short", default=None, by="keeper"
    )
    passed: Boolean = described("whether it was passed", default=False, by="author")
    dice: ListOrOne[Count] = described(
        "what was thrown", default=(), by="author", until="once", recorded="die {place}"
    )
    deeds: list[Deed] = described(_DEEDS, default=[], by="program")
    points: list[Award] | None = described(_POINTS, default=None, by="author")
    note: Text | None = described(_NOTE, default=None, by="author", until="ever")


# The beginning of a key such as `earlier.0.votes.wren`.
_EARLIER = r"(?a)earlier\.(\d{1,4})\."


def recorded_words(field: str) -> str | None:
    """Return the words for a recorded field: `the vote of wren` for `votes.wren`; else None."""
    if earlier := re.match(_EARLIER, field):
        words = EarlierVote.recorded_words(field[earlier.end() :])
        return words and f"{words} at submission {int(earlier[1]) + 1}"
    models = (ProposalMatter, JudgementMatter, ActMatter, PlayerMatter, TurnMatter)
    return next(filter(None, (model.recorded_words(field) for model in models)), None)
