"""The documents that a site publishes below `api/v1/`: the keys of each kind, and its schema."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from msgspec.json import encode

from nomicgen.formats.documents import FORMAT, Schema, Shape, at, document_schema, typed
from nomicgen.history.activity import CastVote, PlayerStatus
from nomicgen.history.game_events import GameEvent
from nomicgen.model.front_matters import PlayerMatter, Role, Strength, Stretch, TurnMatter
from nomicgen.model.import_record import Imported
from nomicgen.model.records import Instrument
from nomicgen.play.command_json import NEXT_TURN
from nomicgen.site.addresses import API_ROOT
from nomicgen.site.data import api_instruments as instruments
from nomicgen.site.data import api_rules as rules
from nomicgen.site.data.api_rules import PLACE
from nomicgen.site.data.timeline import TEXTS, TIMELINE

_URL = {"url": typed(str, "the page, relative to the site's root")}

COUNTS = Shape(
    "CountsView",
    "How much there is of everything.",
    rules=typed(int, "rules in the ruleset"),
    repealed=typed(int, "rules that are repealed"),
    revisions=typed(int, "texts of all of them, past ones included"),
    proposals=typed(int, "proposals, without drafts"),
    drafts=typed(int, "proposals that have no number yet"),
    judgements=typed(int, "judgements"),
    acts=typed(int, "acts"),
    players=typed(int, "players, past ones included"),
    turns=typed(int, "turns"),
)
_IMPORTED = Shape(
    "ImportedView",
    "What the game was imported from, and how much of that it has.",
    Imported,
    kind=at("kind", "what the source is: `text`, `long`, `git` or `agora`", str),
    source="what it was called",
    digest="SHA-256 of what was read of it",
    states="how many states of the ruleset it has",
    identical="how many of them the ledger gives as they were",
    words="how many words all states have",
    placed="how many of these words the game has where they belong",
    omitted="how many of these words are left out for a reason",
    nowhere="how many words are nowhere in the game, the same passage counted once",
    foreign="how many words of the game's rules the source has not, counted in the same way",
    accepted="the percentage of words that was accepted as enough; null where enough are placed",
)
INDEX = Shape(
    "IndexDocument",
    "What there is, and where.",
    format=FORMAT,
    name=typed(str, "the game's name"),
    tagline=typed(str | None, "one line about it"),
    repository=typed(str | None, "the address of the repository on its forge"),
    started=typed(str | None, "the day the game began"),
    timezone=typed(str, "the time zone of its days and of all dates"),
    date=typed(str, "the day as of which the data was made"),
    commit=typed(str | None, "the commit that it was made from; null where git does not say"),
    tree=typed(str | None, "the id of that commit's tree"),
    ledger=typed(
        str | None, "the digest of the ledger, SHA-256: the guide says how to recompute it"
    ),
    uncommitted=typed(int, "how many files differ from that commit"),
    imported=_IMPORTED.maybe("the certificate of its import; null for a game that began here"),
    errors=typed(int, "how many errors `nomicgen check` finds: with any, the data may be wrong"),
    counts=COUNTS.one("how much there is of everything"),
    url=typed(str, "the first page, relative to the site's root"),
    feed=typed(str, "the Atom feed"),
    lists=typed(dict[str, str], "the address of every list, by its name, from the site's root"),
    schemas=typed(dict[str, str], "the address of every schema, by its document's name"),
)
_SPAN = Shape(
    "SpanView",
    "A span of days.",
    Stretch,
    since="the first day",
    until="the day after the last; null while it goes on",
)
_ROLE = Shape(
    "RoleView", "A role that a player held.", Role, **_SPAN.keys, role="what it is called"
)
_STRENGTH = Shape(
    "StrengthView",
    "How many votes a player's vote is worth, and on which days.",
    Strength,
    **_SPAN.keys,
    votes="how many votes it is worth",
)
PLAYER_ITEM = Shape(
    "PlayerItem",
    "A player, in few words.",
    PlayerMatter,
    **PLACE,
    id=typed(str, "the id by which all documents name the player"),
    name="what the player is called",
    standing=typed(
        PlayerStatus, "whether the player plays; `dummy` or `bot` where no person fills the seat"
    ),
    joined="when the player joined; null where an archive does not say",
    left="the first day on which the player no longer played",
    order="the seat in the playing order",
    score=typed(Fraction, "how many points the player has"),
)
PLAYERS = Shape(
    "PlayersDocument",
    "Every player.",
    format=FORMAT,
    **_URL,
    players=PLAYER_ITEM.many("by id; those who left as well"),
)
NAMED = Shape(
    "NamedView",
    "A proposal, a judgement or an act, named.",
    Instrument,
    **PLACE,
    name="such as `Proposal 329`",
    title=at(lambda instrument: instrument.title or None, "what it is about", str | None),
)
PLAYER_VOTE = Shape(
    "PlayerVoteView",
    "A player's vote on a proposal.",
    CastVote,
    **PLACE,
    proposal=at("proposal.number", "the number of the proposal; a draft has none"),
    vote=at("choice", "`for`, `against` or `abstain`"),
    how=at(
        lambda vote: vote.how or None,
        "how it came about, such as `by silence`; null for a plain vote",
        str | None,
    ),
    counted="false where the player was no eligible voter",
)
PLAYER = Shape(
    "PlayerDocument",
    "A player, and what the player did.",
    PlayerMatter,
    format=FORMAT,
    **PLAYER_ITEM.keys,
    accounts="the player's logins, by forge",
    inactive=_SPAN("when the player was not active"),
    roles=_ROLE("the roles that the player held"),
    strength=_STRENGTH("how many votes the player's vote is worth; one on other days"),
    note="a remark for readers, without force",
    proposals=NAMED.many("what the player proposed"),
    votes=PLAYER_VOTE.many("how the player voted"),
    judged=NAMED.many("the judgements that the player gave, or is to give"),
    called=NAMED.many("the judgements that the player asked for"),
    acts=NAMED.many("what the player did otherwise"),
    turns=typed(tuple[str, ...], "the player's turns, in order"),
)
TURN = Shape(
    "TurnItem",
    "A turn.",
    TurnMatter,
    turn=typed(str, "such as `R4T3`"),
    player="whose it is",
    began="when it began",
    ended="when it ended",
    passed="whether it was passed",
    dice="what was thrown",
    note="a remark for readers, without force",
    file=typed(str, "its file in the game"),
)
TURNS = Shape(
    "TurnsDocument",
    "Every turn.",
    format=FORMAT,
    **_URL,
    turns=TURN.many("in the order in which they were played"),
    next_turn=NEXT_TURN.maybe("the one that comes; null where no rule says whose it is"),
)
EVENT = Shape(
    "EventView",
    "One thing that happened.",
    GameEvent,
    kind="what kind of thing",
    date=at("moment", "when"),
    said="in words, without the name of its subject",
    player="whose doing it was, or whom it befell; a rule's number where a rule acted",
    players="who has won, where someone has",
    outcome=at(
        lambda event: event.outcome or None,
        "of a decision or judgement its status, of a change its verb",
        str | None,
    ),
    rules="what it changed, construed or was done under, such as `203/1`",
    points=at(
        lambda event: dict(event.points),
        "how many points it gave or took, by player",
        dict[str, Fraction],
    ),
    turn="the turn in which it happened",
    file=at("path", "the file of the game that tells of it"),
    url=typed(str, "the page that tells of it, relative to the site's root"),
    data=typed(str, "the document that tells of it"),
)
HISTORY = Shape(
    "HistoryDocument",
    "Everything that happened.",
    format=FORMAT,
    **_URL,
    events=EVENT.many("the earliest first; those without a date last"),
)

DOCUMENTS: dict[str, tuple[str, Shape]] = {
    "index": ("index.json", INDEX),
    "rules": ("rules.json", rules.RULES),
    "rule": ("rules/203.json", rules.RULE),
    "proposals": ("proposals.json", instruments.PROPOSALS),
    "proposal": ("proposals/329.json", instruments.PROPOSAL),
    "judgements": ("judgements.json", instruments.JUDGEMENTS),
    "judgement": ("judgements/4.json", instruments.JUDGEMENT),
    "acts": ("acts.json", instruments.ACTS),
    "act": ("acts/2020-08-14-correction.json", instruments.ACT),
    "players": ("players.json", PLAYERS),
    "player": ("players/wren.json", PLAYER),
    "turns": ("turns.json", TURNS),
    "history": ("history.json", HISTORY),
    "timeline": ("timeline.json", TIMELINE),
    "texts": ("texts/1.json", TEXTS),
}
"""Every kind of document, by the name of its schema: the path of an example below `API_ROOT`, and
the kind's shape.
"""


def document(written: dict[str, Any]) -> str:
    """Return a document as the text of its file."""
    return encode(written).decode() + "\n"


@cache
def api_schema(name: str) -> Schema:
    """Return the schema of a document; `name` is a key of DOCUMENTS."""
    path, shape = DOCUMENTS[name]
    return document_schema(shape, f"{API_ROOT}/{path}")
