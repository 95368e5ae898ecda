"""The history page: everything that happened in the game, day by day, the newest day first.

Whoever comes back wants to know what is new, so the newest day stands first; within a day things stand in their order,
since there the one led to the other. What one instrument or turn did on one day is one entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby, islice
from typing import Any

from markupsafe import Markup

from nomicgen.archive.game_events import EventKind, GameEvent
from nomicgen.archive.history_lines import MONTHS
from nomicgen.formats.scores_text import signed
from nomicgen.model import Instrument, Moment
from nomicgen.site.addresses import HISTORY, SCORES, TIME
from nomicgen.site.charts import growth, proposals
from nomicgen.site.data_parts import FEED
from nomicgen.site.further_pages import Leaf, leaf_links, leaves_of, weight
from nomicgen.site.page_foot import EVERYTHING
from nomicgen.site.render import recorded_view, render_page
from nomicgen.site.shared_pieces import choices, instrument_link, joined, people, rule_link, select, turn_link
from nomicgen.site.site_view import Site
from nomicgen.site.svg import cut

_MOST_CHANGES = 8
_MOST_DIFFERENCES = 36
_MOST_POINTS = 6
_TITLE = 90
_KINDS = {
    "law": "changes of the law",
    "proposal": "proposals",
    "judgement": "judgements",
    "act": "acts",
    "turn": "turns",
    "points": "points",
    "player": "players",
}
_VERBS = {
    "enact": "enacted",
    "amend": "amended",
    "repeal": "repealed",
    "retitle": "retitled",
    "renumber": "renumbered",
    "mark": "marked",
}
_DECIDING: frozenset[EventKind] = frozenset({"decided", "judged", "acted"})


def history_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page `history.md`. Each day on which something happened has the anchor `2020-07-27`."""
    events = site.events
    days = [(day, tuple(some)) for day, some in groupby(events, _day_of)]
    dated = [(day, some) for day, some in reversed(days) if day is not None]
    undated = [_entry(site, HISTORY, some) for day, found in days if day is None for some in _entries(found)]
    made = [_day(site, HISTORY, day, some) for day, some in dated]
    leaves = leaves_of(HISTORY, [weight(one) for one in made])
    names = [_span(dated[one.last - 1][0], dated[one.first][0]) for one in leaves]
    for leaf in (Leaf(page=HISTORY, first=0, last=leaves[0].first if leaves else len(made)), *leaves):
        main = leaf.page == HISTORY
        here = "" if main else names[leaves.index(leaf)]
        some = made[: leaf.last] if main else [_day(site, leaf.page, *one) for one in dated[leaf.first : leaf.last]]
        shown = [{"name": year, "days": list(days)} for year, days in groupby(some, lambda one: one["year"])]
        yield (
            leaf.page,
            render_page(
                site,
                "history.html",
                leaf.page,
                kind="history",
                shows=EVERYTHING if main else _files(one for _, one in dated[leaf.first : leaf.last]),
                title=f"History {here}".rstrip(),
                description=f"Everything that happened in {site.archive.records.settings.name}, day by day",
                crumbs=((HISTORY, "History"),) if here else (),
                here=here,
                pictures=_pictures(site) if main else (),
                lead=_lead(events, len(dated)) if main else "",
                feed=site.addresses.href(FEED, leaf.page),
                years=shown,
                undated=undated if main else (),
                selects=_selects(site, events),
                period=_period(site, dated) if main else None,
                leaves=leaf_links(site, leaves, names, leaf.page),
                imported=_imported(site) if main else None,
            ),
        )


def _files(days: Iterable[Sequence[GameEvent]]) -> Sequence[str]:
    """The files that tell of some days."""
    return tuple(dict.fromkeys(one.path for events in days for one in events))


def _pictures(site: Site) -> Sequence[Markup]:
    return [one for one in (growth(site, HISTORY), proposals(site, HISTORY)) if one is not None]


def _span(first: date, last: date) -> str:
    """`Jan 2003 – Mar 2004`."""
    months = dict.fromkeys(f"{MONTHS[day.month - 1]} {day.year:04}" for day in (first, last))
    return " – ".join(months)


def _period(site: Site, dated: Sequence[tuple[date, Sequence[GameEvent]]]) -> Mapping[str, Any] | None:
    """The first and the last day that a reader may ask for, and periods up to today that many do; None without days."""
    if not dated:
        return None
    today = site.today.day
    week, month = (today - timedelta(days=days - 1) for days in (7, 30))
    asked = ((week, "last 7 days"), (month, "last 30 days"), (today.replace(month=1, day=1), "this year"))
    return {
        "first": str(dated[-1][0]),
        "today": str(today),
        "time": site.addresses.href(TIME, HISTORY),
        "quick": [{"href": f"?from={day}", "text": words} for day, words in asked],
    }


def _imported(site: Site) -> Mapping[str, Any] | None:
    """The certificate of the import that the game came from, if it was imported."""
    found = site.archive.records.imported
    if found is None:
        return None
    return {
        "source": found.source,
        "told": found.told,
        "digest": found.digest,
        "groups": [
            {
                "place": place,
                "rules": f"Rule{'s' if len(rules) > 1 else ''} {', '.join(map(str, rules))}",
                "words": words,
                "states": states,
            }
            for place, rules, words, states in islice(found.groups, _MOST_DIFFERENCES)
        ],
        "unlisted": found.unlisted,
    }


def _day_of(event: GameEvent) -> date | None:
    return event.moment.day if event.moment else None


def _lead(events: Sequence[GameEvent], days: int) -> str:
    counts = Counter[str](one.kind for one in events)
    parts = [
        f"{counts[kind]} {words if counts[kind] > 1 else word}"
        for kind, word, words in (
            ("changed", "change of the law", "changes of the law"),
            ("decided", "proposal decided", "proposals decided"),
            ("judged", "judgement", "judgements"),
            ("acted", "act", "acts"),
            ("turn-ended", "turn", "turns"),
        )
        if counts[kind]
    ]
    told = f": {', '.join(parts)}" if parts else ""
    on = f", on {days} {'day' if days == 1 else 'days'}" if days else ""
    return f"Everything that happened{on}{told}. The newest day stands first."


def _selects(site: Site, events: Sequence[GameEvent]) -> Sequence[Mapping[str, Any]]:
    kinds = {kind for one in events for kind in _kinds(site, one)}
    players = {one.player for one in events} | {player for one in events for player, _ in one.points}
    return (
        select("kind", "What", ((kind, words) for kind, words in _KINDS.items() if kind in kinds)),
        people(site, "player", "Player", (one for one in players if one in site.names)),
    )


def _kinds(site: Site, event: GameEvent) -> tuple[str, ...]:
    """What a filter finds an event under."""
    one = site.archive.records.instruments.get(event.path)
    of = one.kind if one else "turn" if event.path.startswith("turns/") else "player" if event.player else ""
    more = {"changed": "law", "awarded": "points", "won": "points"}.get(event.kind)
    return tuple(kind for kind in (of, more) if kind)


def _day(site: Site, page: str, day: date, events: Sequence[GameEvent]) -> Mapping[str, Any]:
    return {
        "anchor": str(day),
        "year": f"{day.year:04}",
        "when": site.when(Moment.of(day), page),
        "entries": [_entry(site, page, some) for some in _entries(events)],
    }


def _entries(events: Sequence[GameEvent]) -> Iterator[tuple[GameEvent, ...]]:
    """The events of a day by the file that tells of them, each at the place of its first."""
    found: dict[tuple[str, str], list[GameEvent]] = {}
    for one in events:
        # The settings tell of the game's beginning and, with the rules, of its end: two things.
        found.setdefault((one.path, one.kind if one.path == "nomic.yml" else ""), []).append(one)
    yield from (tuple(some) for some in found.values())


def _entry(site: Site, page: str, events: Sequence[GameEvent]) -> Mapping[str, Any]:
    one = site.archive.records.instruments.get(events[0].path)
    people = dict.fromkeys(each.player for each in events)
    given = [player for each in events for player, _ in each.points]
    people |= dict.fromkeys([*(given if len(given) <= _MOST_POINTS else ()), *events[0].players])
    return {
        "kind": choices(*dict.fromkeys(kind for each in events for kind in _kinds(site, each))),
        "player": choices(*(ident for ident in people if ident in site.names)),
        "html": _of_instrument(site, page, one, events) if one else _of_other(site, page, events),
    }


def _of_instrument(site: Site, page: str, one: Instrument, events: Sequence[GameEvent]) -> Markup:
    """`Proposal 329 · Title (Wren): put to the vote; adopted, 4 for, 1 against; Rule 203/1 amended; Wren +10`."""
    # An act is called by its cause: `Rule 603` alone would be taken for the rule.
    subject = Markup("Act: " if one.kind == "act" else "") + instrument_link(site, one, page)
    if one.title:
        subject += Markup(" <bdi>{}</bdi>").format(cut(one.title, _TITLE))
    if one.actor and site.name(one.actor) != one.name:
        subject += Markup(" ({})").format(site.who(one.actor, page))
    said = joined(_clauses(site, page, events), "; ")
    sha = _commit(site, one) if any(each.kind in _DECIDING for each in events) else Markup("")
    return Markup("{}: {}{}").format(subject, said, sha) if said else subject + sha


def _clauses(site: Site, page: str, events: Sequence[GameEvent]) -> Iterator[Markup]:
    decided = any(one.kind in _DECIDING for one in events)
    opened = any(one.kind == "opened" for one in events)
    for one in events:
        if one.kind in ("decided", "overruled"):
            word, comma, rest = one.said.partition(",")
            yield Markup("<strong>{}</strong>{}{}").format(word, comma, rest)
        elif one.kind == "judged":
            about = (
                Markup(" on {}").format(joined(_ref(site, page, ref.number) for ref in one.rules)) if one.rules else ""
            )
            yield Markup("given{}").format(about)
        # Of one day the last is enough: what was decided had been opened, what was opened put forward.
        elif not decided and (one.kind == "opened" or (one.kind == "proposed" and not opened)):
            yield Markup("{}").format(one.said)
    changes = [one for one in events if one.kind == "changed"]
    if changes:
        told = [_change(site, page, one) for one in changes[:_MOST_CHANGES]]
        told += [Markup("and {} more").format(len(changes) - _MOST_CHANGES)] if len(changes) > _MOST_CHANGES else []
        yield Markup("{}{}").format("" if decided else "in effect: ", joined(told))
    for one in events:
        if one.kind == "awarded":
            yield _points(site, page, one)


def _ref(site: Site, page: str, number: int) -> Markup:
    return rule_link(site, number, page)


def _change(site: Site, page: str, event: GameEvent) -> Markup:
    """`Rule 203/1 amended`, a link to that revision."""
    assert event.entry is not None
    identity, index = event.entry
    history = site.archive.histories.rules[identity]
    entry = history.entries[index]
    rule, told = entry.rule, entry in history.revisions
    href = site.rule_href(history, page, rule.number, rule.revision if told else None)
    done = f"made {rule.tier}" if event.outcome == "transmute" else _VERBS[event.outcome]
    return Markup('<a href="{}">Rule {}</a> {}').format(href, rule.ref, done)


def _points(site: Site, page: str, event: GameEvent) -> Markup:
    if len(event.points) > _MOST_POINTS:
        href = site.addresses.href(SCORES, page)
        return Markup('<a href="{}">points</a> for {} players').format(href, len(event.points))
    return joined(Markup("{} {}").format(site.who(player, page), signed(one)) for player, one in event.points)


def _of_other(site: Site, page: str, events: Sequence[GameEvent]) -> Markup:
    first = events[0]
    who = site.who(first.player, page) if first.player else Markup("")
    if first.kind == "begun":
        return Markup("{}").format(first.said[0].upper() + first.said[1:])
    if first.kind == "won":
        winners = joined((site.who(one, page) for one in first.players), " and ")
        return Markup("<strong>{} {}</strong>, by {}").format(
            winners, first.said, _ref(site, page, first.rules[0].number)
        )
    if first.path.startswith("turns/"):
        return _of_turn(site, page, events)
    return Markup("{} {}").format(who, joined([one.said for one in events if one.kind != "awarded"], " and "))


def _of_turn(site: Site, page: str, events: Sequence[GameEvent]) -> Markup:
    """`R4T3, turn of Wren: began; ended, throwing 5; +5`."""
    ident = events[0].turn
    player = site.archive.records.turns[ident].matter.player if ident else None
    said = [Markup("{}").format(one.said) for one in events if one.kind != "awarded"]
    for one in events:
        own = one.kind == "awarded" and [each for each, _ in one.points] == [player]
        if one.kind == "awarded":
            said.append(Markup("{}").format(signed(one.points[0][1])) if own else _points(site, page, one))
    return Markup("{}, turn of {}: {}").format(turn_link(site, ident, page), site.who(player, page), joined(said, "; "))


def _commit(site: Site, one: Instrument) -> Markup:
    origin = recorded_view(site, one)
    if not origin["sha"]:
        return Markup("")
    if origin["href"]:
        return Markup(' <a class="n-sha" href="{}">{}</a>').format(origin["href"], origin["sha"][:7])
    return Markup(' <span class="n-sha">{}</span>').format(origin["sha"][:7])
