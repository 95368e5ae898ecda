"""The feeds, in Atom: the news of the game, of each rule, and of each player."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urljoin

from markupsafe import Markup

from nomicgen.history.game_events import GameEvent
from nomicgen.history.zones import timestamp
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment
from nomicgen.site.addresses import FEED, feed_file, instrument_page, player_page
from nomicgen.site.data.atom import Feed, FeedEntry, atom, permanent_id
from nomicgen.site.parts.day_events import WeekDigest, weeks
from nomicgen.site.parts.page import Page
from nomicgen.site.render import render_inline
from nomicgen.site.site_view import Site
from nomicgen.site.texts.player_html import excerpt

# The most entries in the game's feed, and in any other; the most weeks in the game's feed.
_MOST, _OWN, _WEEKS = 50, 20, 4
_HOME = "index.md"
# The kinds of events that always have an entry.
_TOLD = frozenset({"opened", "decided", "judged", "overruled", "acted"})


def feeds(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the feed of the game and, if the site's address is known, that of each rule and player.

    They have the last votes that were opened and decided, judgements, acts, and changes of the law;
    that of the game also has the last weeks.
    """
    news, entry = _news(site), functools.cache(functools.partial(_entry, site))
    digests = [_digest(site, week) for week in weeks(site) if week.last < site.today.day][-_WEEKS:]
    latest = sorted([*map(entry, news[:_MOST]), *digests], key=lambda one: one.moment, reverse=True)
    yield FEED, _feed(site, site.settings.name, _HOME, latest)
    if not site.url:
        return
    for history in site.histories.rules.values():
        about = {line.instrument.path for line in history.entries if line.instrument is not None}
        about |= {judgement.path for judgement, _ in site.judgements_on.get(history.identity, ())}
        page, own = (
            site.addresses.rule_page(history),
            [event for event in news if event.path in about],
        )
        title = f"{site.heading(history.last)}, {site.settings.name}"
        yield feed_file(page), _feed(site, title, page, map(entry, own[:_OWN]))
    for ident, name in site.names.items():
        mine = [event for event in news if site.records.instruments[event.path].actor == ident]
        page = player_page(ident)
        yield (
            feed_file(page),
            _feed(site, f"{name}, {site.settings.name}", page, map(entry, mine[:_OWN])),
        )


def _digest(site: Site, week: WeekDigest) -> FeedEntry:
    return FeedEntry(
        ident=permanent_id(_base(site), week.path, "digest"),
        title=f"The week {week.name}",
        moment=_stamp(site, Moment.of(week.last)),
        link=_address(site, week.path),
        author=site.settings.name,
        kind="digest",
        content=Markup("<p>{}.</p>").format(week.summary(site)),
    )


def _feed(site: Site, title: str, page: str, news: Iterable[FeedEntry]) -> str:
    settings, entries = site.settings, tuple(news)
    of_game = page == _HOME
    return atom(
        Feed(
            ident=permanent_id(_base(site), *(() if of_game else (page,))),
            title=title,
            subtitle=(settings.tagline or "") if of_game else "",
            updated=entries[0].moment if entries else _stamp(site, settings.started),
            link=_address(site, page),
            self_link=f"{site.url}{FEED if of_game else feed_file(page)}" if site.url else "",
            entries=entries,
        )
    )


def _base(site: Site) -> str:
    """Return the `base` of all permanent ids: the repository's address, or else the game's name.

    It has no slash or `.git` at its end: whoever adds one to the address changes no id. The site's
    address is no part of it: a site may move.
    """
    settings = site.settings
    return (settings.repository or settings.name).rstrip("/").removesuffix(".git")


def _stamp(site: Site, moment: Moment | None) -> str:
    return timestamp(moment or site.today, site.game_history.zone)


def _address(site: Site, page: str) -> str:
    """Return an address in the feed: absolute if the site's address is known."""
    return urljoin(site.url, site.addresses.href(page, FEED))


def _news(site: Site) -> Sequence[GameEvent]:
    """Return the events up to today that have an entry, the newest first.

    Of an instrument's events of one kind, only the first has an entry. A change of the law has one
    only if it came at another moment than the decision.
    """
    decided = {
        event.path: event.moment
        for event in site.events
        if event.kind in ("decided", "judged", "acted")
    }
    news: dict[tuple[str, str], GameEvent] = {}
    for event in site.events:
        if (
            event.path not in site.records.instruments
            or event.moment is None
            or event.moment.day > site.today.day
        ):
            continue
        late = event.kind == "changed" and event.moment != decided.get(event.path)
        if event.kind in _TOLD or late:
            news.setdefault((event.path, event.kind), event)
    return [*news.values()][::-1]


def _entry(site: Site, event: GameEvent) -> FeedEntry:
    instrument = site.records.instruments[event.path]
    content = render_inline(
        Page(site, FEED),
        "feed_entry",
        one=instrument,
        said=_outcome_sentence(site, instrument, event),
        words=excerpt(instrument.ruling or instrument.preamble, 300),
        absolute=functools.partial(urljoin, site.url),
    )
    outcome = {
        "opened": "put to the vote",
        "decided": event.outcome,
        "judged": "given",
        "overruled": "overruled",
        "changed": "in effect",
    }
    return FeedEntry(
        ident=permanent_id(_base(site), event.path, event.kind),
        title=": ".join(
            part for part in (site.title_of(instrument), outcome.get(event.kind)) if part
        ),
        moment=_stamp(site, event.moment),
        link=_address(site, instrument_page(instrument)),
        author=site.name(instrument.actor) if instrument.actor else site.settings.name,
        kind=event.kind,
        content=content,
    )


def _outcome_sentence(site: Site, instrument: Instrument, event: GameEvent) -> str:
    """Return author and outcome, as in `Proposed by Wren; adopted, 4 for, 0 against.`."""
    doing = {"proposal": "Proposed", "judgement": "Given", "act": "Done"}[instrument.kind]
    author = f"{doing} by {site.name(instrument.actor)}" if instrument.actor else ""
    outcome = {"judged": "", "acted": "", "changed": "now in effect"}.get(event.kind, event.said)
    sentence = "; ".join(part for part in (author, outcome) if part) or doing
    return f"{sentence[:1].upper()}{sentence[1:]}."
