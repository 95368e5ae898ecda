"""The history page: everything that happened in the game, day by day, the newest day first.

Whoever comes back wants to know what is new, so the newest day stands first; within a day things stand in their order,
since there the one led to the other. What one instrument or turn did on one day is one entry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Any

from markupsafe import Markup

from nomicgen.archive.game_events import Event, EventKind
from nomicgen.archive.history_lines import MONTHS
from nomicgen.formats.scores_text import signed
from nomicgen.model import Instrument, Moment
from nomicgen.site.addresses import HISTORY, SCORES
from nomicgen.site.charts import growth, proposals
from nomicgen.site.further_pages import first_leaf, leaf_links, leaves_of, weight
from nomicgen.site.linked_history import instrument_commit
from nomicgen.site.page import Page
from nomicgen.site.page_foot import EVERYTHING
from nomicgen.site.render import render_page
from nomicgen.site.shared_pieces import choices, joined, people, select
from nomicgen.site.site_view import Site
from nomicgen.site.svg import cut

_MOST_CHANGES = 8
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
    events, main = site.events, Page(site, HISTORY)
    days = [(day, tuple(some)) for day, some in groupby(events, _day_of)]
    dated = [(day, some) for day, some in reversed(days) if day is not None]
    undated = [_entry(main, some) for day, found in days if day is None for some in _entries(found)]
    made = [_day(main, *one) for one in dated]
    leaves = leaves_of(HISTORY, [weight(one) for one in made])
    names = [_span(dated[one.last - 1][0], dated[one.first][0]) for one in leaves]
    for leaf, here in zip((first_leaf(HISTORY, leaves, len(made)), *leaves), ("", *names), strict=True):
        page, some = Page(site, leaf.page), dated[leaf.first : leaf.last]
        shown = [_day(page, *one) for one in some] if here else made[: leaf.last]
        yield render_page(
            page,
            "history.html",
            kind="history",
            shows=_files(events for _, events in some) if here else EVERYTHING,
            title=f"History {here}".rstrip(),
            description=f"Everything that happened in {site.settings.name}, day by day",
            crumbs=((HISTORY, "History"),) if here else (),
            here=here,
            pictures=() if here else list(filter(None, (growth(page), proposals(page)))),
            lead="" if here else _lead(events, len(dated)),
            years=[(year, list(days)) for year, days in groupby(shown, lambda one: one["year"])],
            undated=() if here else undated,
            selects=_selects(site, events),
            period=None if here else _period(site, dated),
            leaves=leaf_links(page, leaves, names),
            imported=None if here else site.records.imported,
        )


def _files(days: Iterable[Sequence[Event]]) -> Sequence[str]:
    """The files that tell of some days."""
    return tuple(dict.fromkeys(one.path for events in days for one in events))


def _span(first: date, last: date) -> str:
    """`Jan 2003 – Mar 2004`."""
    months = dict.fromkeys(f"{MONTHS[day.month - 1]} {day.year:04}" for day in (first, last))
    return " – ".join(months)


def _period(site: Site, dated: Sequence[tuple[date, Sequence[Event]]]) -> Mapping[str, Any] | None:
    """The first and the last day that a reader may ask for, and periods up to today that many do; None without days."""
    if not dated:
        return None
    today = site.today.day
    week, month = (today - timedelta(days=days - 1) for days in (7, 30))
    asked = ((week, "last 7 days"), (month, "last 30 days"), (today.replace(month=1, day=1), "this year"))
    return {"first": dated[-1][0], "today": today, "asked": asked}


def _day_of(event: Event) -> date | None:
    return event.moment.day if event.moment else None


def _lead(events: Sequence[Event], days: int) -> str:
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


def _selects(site: Site, events: Sequence[Event]) -> Sequence[Mapping[str, Any]]:
    kinds = {kind for one in events for kind in _kinds(site, one)}
    players = {one.player for one in events} | {player for one in events for player, _ in one.points}
    return (
        select("kind", "What", ((kind, words) for kind, words in _KINDS.items() if kind in kinds)),
        people(site, "player", "Player", (one for one in players if one in site.names)),
    )


def _kinds(site: Site, event: Event) -> tuple[str, ...]:
    """What a filter finds an event under."""
    one = site.records.instruments.get(event.path)
    of = one.kind if one else "turn" if event.path.startswith("turns/") else "player" if event.player else ""
    more = {"changed": "law", "awarded": "points", "won": "points"}.get(event.kind)
    return tuple(kind for kind in (of, more) if kind)


def _day(page: Page, day: date, events: Sequence[Event]) -> Mapping[str, Any]:
    return {
        "anchor": str(day),
        "year": f"{day.year:04}",
        "when": page.when(Moment.of(day)),
        "entries": [_entry(page, some) for some in _entries(events)],
    }


def _entries(events: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """The events of a day by the file that tells of them, each at the place of its first."""
    found: dict[tuple[str, str], list[Event]] = {}
    for one in events:
        # The settings tell of the game's beginning and, with the rules, of its end: two things.
        found.setdefault((one.path, one.kind if one.path == "nomic.yml" else ""), []).append(one)
    yield from (tuple(some) for some in found.values())


def _entry(page: Page, events: Sequence[Event]) -> Mapping[str, Any]:
    one = page.site.records.instruments.get(events[0].path)
    people = dict.fromkeys(each.player for each in events)
    given = [player for each in events for player, _ in each.points]
    people |= dict.fromkeys([*(given if len(given) <= _MOST_POINTS else ()), *events[0].players])
    return {
        "kind": choices(*dict.fromkeys(kind for each in events for kind in _kinds(page.site, each))),
        "player": choices(*(ident for ident in people if ident in page.site.names)),
        "html": _of_instrument(page, one, events) if one else _of_other(page, events),
    }


def _of_instrument(page: Page, one: Instrument, events: Sequence[Event]) -> Markup:
    """`Proposal 329 · Title (Wren): put to the vote; adopted, 4 for, 1 against; Rule 203/1 amended; Wren +10`."""
    # An act is called by its cause: `Rule 603` alone would be taken for the rule.
    subject = Markup("Act: " if one.kind == "act" else "") + page.instrument_link(one)
    if one.title:
        subject += Markup(" <bdi>{}</bdi>").format(cut(one.title, _TITLE))
    if one.actor and page.site.name(one.actor) != one.name:
        subject += Markup(" ({})").format(page.who(one.actor))
    said = joined(_clauses(page, events), "; ")
    sha = _commit(page.site, one) if any(each.kind in _DECIDING for each in events) else Markup("")
    return Markup("{}: {}{}").format(subject, said, sha) if said else subject + sha


def _clauses(page: Page, events: Sequence[Event]) -> Iterator[Markup]:
    decided = any(one.kind in _DECIDING for one in events)
    opened = any(one.kind == "opened" for one in events)
    for one in events:
        if one.kind in ("decided", "overruled"):
            word, comma, rest = one.said.partition(",")
            yield Markup("<strong>{}</strong>{}{}").format(word, comma, rest)
        elif one.kind == "judged":
            about = (
                Markup(" on {}").format(joined(page.rule_link(ref.number) for ref in one.rules)) if one.rules else ""
            )
            yield Markup("given{}").format(about)
        # Of one day the last is enough: what was decided had been opened, what was opened put forward.
        elif not decided and (one.kind == "opened" or (one.kind == "proposed" and not opened)):
            yield Markup("{}").format(one.said)
    changes = [one for one in events if one.kind == "changed"]
    if changes:
        told = [_change(page, one) for one in changes[:_MOST_CHANGES]]
        told += [Markup("and {} more").format(len(changes) - _MOST_CHANGES)] if len(changes) > _MOST_CHANGES else []
        yield Markup("{}{}").format("" if decided else "in effect: ", joined(told))
    for one in events:
        if one.kind == "awarded":
            yield _points(page, one)


def _change(page: Page, event: Event) -> Markup:
    """`Rule 203/1 amended`, a link to that revision."""
    assert event.entry is not None
    identity, index = event.entry
    history = page.site.histories.rules[identity]
    entry = history.entries[index]
    rule, told = entry.rule, entry in history.revisions
    href = page.rule_href(history, rule.number, rule.revision if told else None)
    done = f"made {rule.tier}" if event.outcome == "transmute" else _VERBS[event.outcome]
    return Markup('<a href="{}">Rule {}</a> {}').format(href, rule.ref, done)


def _points(page: Page, event: Event) -> Markup:
    if len(event.points) > _MOST_POINTS:
        href = page.href(SCORES)
        return Markup('<a href="{}">points</a> for {} players').format(href, len(event.points))
    return joined(Markup("{} {}").format(page.who(player), signed(one)) for player, one in event.points)


def _of_other(page: Page, events: Sequence[Event]) -> Markup:
    first = events[0]
    who = page.who(first.player) if first.player else Markup("")
    if first.kind == "begun":
        return Markup("{}").format(first.said[0].upper() + first.said[1:])
    if first.kind == "won":
        winners = joined((page.who(one) for one in first.players), " and ")
        return Markup("<strong>{} {}</strong>, by {}").format(
            winners, first.said, page.rule_link(first.rules[0].number)
        )
    if first.path.startswith("turns/"):
        return _of_turn(page, events)
    return Markup("{} {}").format(who, joined([one.said for one in events if one.kind != "awarded"], " and "))


def _of_turn(page: Page, events: Sequence[Event]) -> Markup:
    """`R4T3, turn of Wren: began; ended, throwing 5; +5`."""
    ident = events[0].turn
    player = page.site.records.turns[ident].matter.player if ident else None
    said = [Markup("{}").format(one.said) for one in events if one.kind != "awarded"]
    for one in events:
        own = one.kind == "awarded" and [each for each, _ in one.points] == [player]
        if one.kind == "awarded":
            said.append(Markup("{}").format(signed(one.points[0][1])) if own else _points(page, one))
    return Markup("{}, turn of {}: {}").format(page.turn_link(ident), page.who(player), joined(said, "; "))


def _commit(site: Site, one: Instrument) -> Markup:
    commit = instrument_commit(site, one)
    if not commit.sha:
        return Markup("")
    if commit.href:
        return Markup(' <a class="n-sha" href="{}">{}</a>').format(commit.href, commit.sha[:7])
    return Markup(' <span class="n-sha">{}</span>').format(commit.sha[:7])
