"""The time machine: a page that is almost empty, and the data from which its scripts show the law
of any moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from nomicgen.law.replay.results import Rule, Step
from nomicgen.site.addresses import API_ROOT, INDEX, TIME
from nomicgen.site.data.api import document
from nomicgen.site.data.timeline import (
    MOMENT,
    NAME,
    PENDING,
    TEXT,
    TIMELINE,
    Rows,
    TextKey,
    bundles,
    number_texts,
)
from nomicgen.site.parts.page import Page
from nomicgen.site.render import asset, render_page
from nomicgen.site.site_view import Site

# The paths of the timeline and of each bundle of texts.
DATA = f"{API_ROOT}/timeline.json"
TEXTS = f"{API_ROOT}/texts/{{}}.json"
_DAYS = 30
"""How many of the last days with a change are listed, for readers without scripts."""
_SCRIPTS = (
    "assets/redline.js",
    "assets/words.js",
    "assets/timeline.js",
    "assets/timerules.js",
    "assets/time.js",
)


def time_pages(site: Site) -> Iterator[tuple[str, str]]:
    """Yield the time machine's page, its data and its scripts."""
    texts = number_texts(site.replay)
    parts = bundles(
        (TEXT.row(text=text, html=_html(site, identity, text)) for identity, text in texts), TEXTS
    )
    yield _page(site)
    yield DATA, document(_timeline(site, texts, [part["first"] for part in parts]))
    for part in parts:
        yield part["url"], document(part)
    for script in _SCRIPTS:
        yield script, asset(script.removeprefix("assets/"))


def _page(site: Site) -> tuple[str, str]:
    started = site.settings.started
    return render_page(
        Page(site, TIME),
        "time.html",
        kind="time",
        meta={"data": Page(site, INDEX).href(DATA)},
        shows=(),  # no files: scripts show the rules
        title="The law as it was",
        description=f"The rules of {site.settings.name} as they stood on any day",
        started=started.day if started else None,
        data=DATA,
        scripts=_SCRIPTS,
        days=_changed_days(site)[-_DAYS:][::-1],
    )


def _changed_days(site: Site) -> list[date]:
    """Return the recorded days on which the law changed, in order."""
    steps = (step for step in site.replay.steps if step.outcome == "applied" and step.changes)
    return list(dict.fromkeys(step.dated.day for step in steps if step.dated is not None))


def _html(site: Site, identity: int, text: str) -> str:
    """Return a text of a rule as HTML, with links from the time machine's page."""
    rule = Rule(identity=identity, number=0, revision=0, tier="", text=text)
    return str(Page(site, TIME).text(rule, level=4))


def _timeline(site: Site, texts: Mapping[TextKey, int], firsts: list[int]) -> dict[str, Any]:
    root, replay, settings = Page(site, INDEX), site.replay, site.settings
    rows = Rows(settings, replay, texts)
    applied = [step for step in replay.steps if step.outcome == "applied"]
    return TIMELINE.write(
        url=DATA,
        game=settings.name,
        started=settings.started,
        today=str(site.today.day),
        tiers=rows.tiers,
        sections=rows.sections,
        players=_players(root, applied),
        rules={
            identity: root.rule_href(history) for identity, history in site.histories.rules.items()
        },
        bundles=firsts,
        initial=[rows.row(rule, "initial") for rule in replay.initial],
        moments=[_moment(root, rows, step) for step in applied],
        pending=[_pending(root, step) for step in replay.pending],
    )


def _moment(root: Page, rows: Rows, step: Step) -> dict[str, Any]:
    # Only a recorded day is shown: `step.effective` may be inferred.
    instrument = step.instrument
    return MOMENT.write(
        instrument,
        path=instrument.path.removesuffix(".md"),
        url=root.instrument_href(instrument),
        decided=step.decided,
        effective=step.dated.reckoned if step.dated else None,
        changes=[rows.row(change.rule, change.verb) for change in step.changes],
    )


def _pending(root: Page, step: Step) -> dict[str, Any]:
    instrument = step.instrument
    return PENDING.write(
        instrument,
        path=instrument.path.removesuffix(".md"),
        url=root.instrument_href(instrument),
        effective=step.effective.reckoned if step.effective else None,
    )


def _players(root: Page, steps: list[Step]) -> dict[str, dict[str, Any]]:
    actors = dict.fromkeys(step.instrument.actor for step in steps)
    return {
        ident: NAME.write(name=root.site.name(ident), url=root.actor_href(ident))
        for ident in actors
        if ident
    }
