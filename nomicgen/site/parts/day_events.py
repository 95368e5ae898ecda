"""What is told of a day: the events of each file together, and what a filter finds them under."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from nomicgen.history.game_events import EventKind, GameEvent
from nomicgen.site.site_view import Site, values_by_key

DECIDING: frozenset[EventKind] = frozenset({"decided", "judged", "acted"})


def by_file(events: Sequence[GameEvent]) -> Collection[Sequence[GameEvent]]:
    """The events of a day by the file that tells of them, each at the place of its first."""
    # The settings tell of the game's beginning and, with the rules, of its end: two things.
    return values_by_key(
        ((event.path, event.kind if event.path == "nomic.yml" else ""), event) for event in events
    ).values()


def kinds_of(site: Site, events: Sequence[GameEvent]) -> Collection[str]:
    """What a filter finds some events under."""
    kinds: dict[str, None] = {}
    for event in events:
        instrument = site.records.instruments.get(event.path)
        if instrument is not None:
            kinds[instrument.kind] = None
        elif event.path.startswith("turns/"):
            kinds["turn"] = None
        elif event.player:
            kinds["player"] = None
        if event.kind in _MORE_KINDS:
            kinds[_MORE_KINDS[event.kind]] = None
    return kinds


_MORE_KINDS: Mapping[EventKind, str] = {"changed": "law", "awarded": "points", "won": "points"}


def players_of(site: Site, events: Sequence[GameEvent]) -> Collection[str]:
    """The players of whom some events tell."""
    idents = [
        ident
        for event in events
        for ident in (event.player, *event.players, *(player for player, _ in event.points))
        if ident is not None and ident in site.names
    ]
    return dict.fromkeys(idents)


def clauses(events: Sequence[GameEvent], decided: bool) -> Iterator[tuple[str, GameEvent | Sequence[GameEvent]]]:
    """What is told of an instrument, clause by clause: how, and of which events."""
    opened = any(event.kind == "opened" for event in events)
    for event in events:
        if event.kind in ("decided", "overruled", "judged"):
            yield event.kind, event
        # Of one day the last is enough: what was decided had been opened, what was opened put forward.
        elif not decided and (event.kind == "opened" or (event.kind == "proposed" and not opened)):
            yield "said", event
    changes = [event for event in events if event.kind == "changed"]
    if changes:
        yield "changed", changes
    yield from (("awarded", event) for event in events if event.kind == "awarded")
