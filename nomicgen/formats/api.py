"""The data that a site publishes below `api/v1/`: every document's model, and its schema."""

from __future__ import annotations

from functools import cache

from pydantic import Field, TypeAdapter

from nomicgen.archive.activity import Standing
from nomicgen.archive.game_events import EventKind
from nomicgen.formats.api_instruments import (
    ActDocument,
    ActsDocument,
    JudgementDocument,
    JudgementsDocument,
    ProposalDocument,
    ProposalsDocument,
)
from nomicgen.formats.api_rules import Placed, RuleDocument, RulesDocument
from nomicgen.formats.command_json import NextTurnView, StatusView
from nomicgen.formats.json_parts import Amount, Document, ScoresView, View
from nomicgen.formats.schemas import Schema, document_schema
from nomicgen.formats.timeline import Texts, Timeline
from nomicgen.formats.witness_json import WitnessedView
from nomicgen.model import Choice

ROOT = "api/v1"
"""Where the documents lie below the site's root."""


class CountsView(View):
    """How much there is of everything."""

    rules: int = Field(description="rules in the ruleset")
    repealed: int = Field(description="rules that are repealed")
    revisions: int = Field(description="texts of all of them, past ones included")
    proposals: int = Field(description="proposals, without drafts")
    drafts: int = Field(description="proposals that have no number yet")
    judgements: int = Field(description="judgements")
    acts: int = Field(description="acts")
    players: int = Field(description="players, past ones included")
    turns: int = Field(description="turns")


class ImportedView(View):
    """What the game was imported from: in how many of the source's states the ledger gives what the source has."""

    kind: str = Field(description="what the source is: `text`, `long`, `git` or `agora`")
    source: str = Field(description="what it was called")
    digest: str = Field(description="SHA-256 of what was read of it")
    states: int = Field(description="how many states of the ruleset it has")
    identical: int = Field(description="how many of them the ledger gives as they were")
    rewrapped: int = Field(description="how many more it gives with the same words, broken into other lines")


class IndexDocument(Document):
    """What there is, and where."""

    name: str = Field(description="the game's name")
    tagline: str | None = Field(description="one line about it")
    repository: str | None = Field(description="the address of the repository on its forge")
    started: str | None = Field(description="the day the game began")
    timezone: str = Field(description="where its days begin and end: all dates are of there")
    date: str = Field(description="the day as of which the data was made")
    commit: str | None = Field(description="the commit that it was made from; null where git does not say")
    tree: str | None = Field(description="the id of that commit's tree")
    ledger: str | None = Field(description="the digest of the ledger, SHA-256: the guide says how to recompute it")
    uncommitted: int = Field(description="how many files differ from that commit")
    witnessed: WitnessedView | None = Field(
        description="who signed what they saw of the history; null where no player has a key or a note"
    )
    imported: ImportedView | None = Field(description="the certificate of its import; null for a game that began here")
    errors: int = Field(description="how many errors `nomicgen check` finds: with any, the data may be wrong")
    counts: CountsView = Field(description="how much there is of everything")
    url: str = Field(description="the first page, relative to the site's root")
    feed: str = Field(description="the Atom feed")
    lists: dict[str, str] = Field(description="every list, by its name, relative to the site's root")
    schemas: dict[str, str] = Field(description="every schema, by the document's name")


class StatusDocument(StatusView):
    """Where the game stands, as `nomicgen status --format json` has it."""

    url: str = Field(description="the page, relative to the site's root")


class ScoresDocument(ScoresView):
    """The scores, as `nomicgen scores --format json` has them."""

    url: str = Field(description="the page, relative to the site's root")


class SpanView(View):
    """A span of days."""

    since: str = Field(description="the first day")
    until: str | None = Field(description="the day after the last; null while it goes on")


class RoleView(SpanView):
    """A role that a player held."""

    role: str = Field(description="what it is called")


class StrengthView(SpanView):
    """How many votes a player's vote counts, and the days on which it does."""

    votes: int = Field(description="how many votes")


class PlayerItem(Placed):
    """A player, in few words."""

    id: str = Field(description="by which all documents name the player")
    name: str = Field(description="how the player is called")
    standing: Standing = Field(description="whether the player plays; what it is, where no person fills the seat")
    joined: str | None = Field(description="when; null where an archive does not say")
    left: str | None = Field(description="the first day on which the player no longer played")
    order: int | None = Field(description="the seat in the playing order")
    score: Amount


class PlayersDocument(Document):
    """Every player."""

    url: str = Field(description="the page, relative to the site's root")
    players: tuple[PlayerItem, ...] = Field(description="by id; those who left as well")


class NamedView(Placed):
    """A proposal, a judgement or an act, named."""

    name: str = Field(description="such as `Proposal 329`")
    title: str | None = Field(description="what it is about")


class PlayerVoteView(Placed):
    """A player's vote on a proposal."""

    proposal: int | None = Field(description="the number of the proposal; a draft has none")
    vote: Choice = Field(description="what was voted, by hand or otherwise")
    how: str | None = Field(description="how it came about, such as `by silence`; null for a plain vote")
    counted: bool = Field(description="false where the player was no eligible voter")


class PlayerDocument(PlayerItem, Document):
    """A player, and what the player did."""

    accounts: dict[str, str] = Field(description="by forge, as the player's file has them")
    inactive: tuple[SpanView, ...] = Field(description="when the player was not active")
    roles: tuple[RoleView, ...] = Field(description="the roles that the player held")
    strength: tuple[StrengthView, ...] = Field(description="how many votes the player's vote counts; 1 on other days")
    note: str | None = Field(description="the editor's comment")
    proposals: tuple[NamedView, ...] = Field(description="what the player proposed")
    votes: tuple[PlayerVoteView, ...] = Field(description="how the player voted")
    judged: tuple[NamedView, ...] = Field(description="the judgements that the player gave, or is to give")
    called: tuple[NamedView, ...] = Field(description="the judgements that the player asked for")
    acts: tuple[NamedView, ...] = Field(description="what the player did otherwise")
    turns: tuple[str, ...] = Field(description="the player's turns, in order")


class TurnItem(View):
    """A turn."""

    turn: str = Field(description="such as `R4T3`")
    player: str = Field(description="whose it is")
    began: str | None = Field(description="when it began")
    ended: str | None = Field(description="when it ended")
    passed: bool = Field(description="whether it was passed")
    dice: tuple[int, ...] = Field(description="what was thrown")
    note: str | None = Field(description="the editor's comment")
    file: str = Field(description="its file in the game")


class TurnsDocument(Document):
    """Every turn."""

    url: str = Field(description="the page, relative to the site's root")
    turns: tuple[TurnItem, ...] = Field(description="in the order in which they were played")
    next_turn: NextTurnView | None = Field(description="the one that comes; null where no rule says whose it is")


class EventView(View):
    """One thing that happened."""

    kind: EventKind = Field(description="what kind of thing")
    date: str | None = Field(description="when")
    said: str = Field(description="in words, without the name of its subject")
    player: str | None = Field(description="whose doing it was, or whom it befell; a rule's number where a rule acted")
    players: tuple[str, ...] = Field(description="who has won, where someone has")
    outcome: str | None = Field(description="of a decision or judgement its status, of a change its verb")
    rules: tuple[str, ...] = Field(description="what it changed, construed or was done under, such as `203/1`")
    points: dict[str, Amount] = Field(description="how many points it gave or took, by player")
    turn: str | None = Field(description="the turn in which it happened")
    file: str = Field(description="the file of the game that tells of it")
    url: str = Field(description="the page that tells of it, relative to the site's root")
    data: str = Field(description="the document that tells of it")


class HistoryDocument(Document):
    """Everything that happened."""

    url: str = Field(description="the page, relative to the site's root")
    events: tuple[EventView, ...] = Field(description="the earliest first; those without a date last")


DOCUMENTS: dict[str, tuple[str, type[View]]] = {
    "index": ("index.json", IndexDocument),
    "status": ("status.json", StatusDocument),
    "rules": ("rules.json", RulesDocument),
    "rule": ("rules/203.json", RuleDocument),
    "proposals": ("proposals.json", ProposalsDocument),
    "proposal": ("proposals/329.json", ProposalDocument),
    "judgements": ("judgements.json", JudgementsDocument),
    "judgement": ("judgements/4.json", JudgementDocument),
    "acts": ("acts.json", ActsDocument),
    "act": ("acts/2020-08-14-correction.json", ActDocument),
    "players": ("players.json", PlayersDocument),
    "player": ("players/wren.json", PlayerDocument),
    "scores": ("scores.json", ScoresDocument),
    "turns": ("turns.json", TurnsDocument),
    "history": ("history.json", HistoryDocument),
    "timeline": ("timeline.json", Timeline),
    "texts": ("texts/1.json", Texts),
}
"""Every kind of document, by the name of its schema: where one lies below `ROOT`, and its model."""


def document(view: View) -> str:
    """A document as it is published."""
    return _adapter(type(view)).dump_json(view, by_alias=True).decode() + "\n"


@cache
def _adapter(model: type[View]) -> TypeAdapter[View]:
    return TypeAdapter(model)


@cache
def api_schema(name: str) -> Schema:
    """The schema of a document; `name` is a key of DOCUMENTS."""
    path, model = DOCUMENTS[name]
    return document_schema(model, f"{ROOT}/{path}")
