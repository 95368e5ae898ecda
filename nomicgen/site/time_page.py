"""The time machine: a page that is a shell, and the data from which a script shows the law of any moment on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgen.formats.api import ROOT
from nomicgen.formats.json_parts import date_of
from nomicgen.formats.timeline import (
    Rows,
    Text,
    TextKey,
    Timeline,
    TimelineMoment,
    TimelineName,
    TimelinePending,
    bundles,
    number_texts,
)
from nomicgen.law.replay_state import Rule, Step
from nomicgen.site.addresses import TIME, instrument_page, player_page
from nomicgen.site.page import Page
from nomicgen.site.render import asset, render_page
from nomicgen.site.site_view import Site

DATA = f"{ROOT}/timeline.json"
TEXTS = f"{ROOT}/texts/{{}}.json"
_ROOT = "index.md"
_SCRIPTS = ("assets/redline.js", "assets/words.js", "assets/timeline.js", "assets/timerules.js", "assets/time.js")


def time_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The time machine's page, its data and its scripts."""
    texts = number_texts(site.replay)
    parts = bundles((Text(text, _html(site, identity, text)) for identity, text in texts), TEXTS)
    yield _page(site)
    yield DATA, f"{_timeline(site, texts, tuple(part.first for part in parts)).model_dump_json()}\n"
    for part in parts:
        yield part.url, f"{part.model_dump_json()}\n"
    for script in _SCRIPTS:
        yield script, asset(script.removeprefix("assets/"))


def _page(site: Site) -> tuple[str, str]:
    started = site.settings.started
    return render_page(
        Page(site, TIME),
        "time.html",
        kind="time",
        meta={"data": Page(site, "index.md").href(DATA)},
        shows=(),
        title="The law as it was",
        description=f"The rules of {site.settings.name} as they stood on any day",
        started=started.day if started else None,
        data=DATA,
        scripts=_SCRIPTS,
    )


def _html(site: Site, identity: int, text: str) -> str:
    return str(Page(site, TIME).text(Rule(identity=identity, number=0, revision=0, tier="", text=text), 4))


def _timeline(site: Site, texts: Mapping[TextKey, int], firsts: tuple[int, ...]) -> Timeline:
    replay, settings = site.replay, site.settings
    rows = Rows(settings, replay, texts)
    applied = [step for step in replay.steps if step.outcome == "applied"]
    return Timeline(
        url=DATA,
        game=settings.name,
        started=date_of(settings.started),
        today=str(site.today.day),
        tiers=rows.tiers,
        sections=rows.sections,
        players=_players(site, applied),
        rules={
            identity: site.addresses.href(site.addresses.rule_page(history), _ROOT)
            for identity, history in site.histories.rules.items()
        },
        bundles=firsts,
        initial=tuple(rows.row(rule, "initial") for rule in replay.initial),
        moments=tuple(_moment(site, rows, step) for step in applied),
        pending=tuple(_pending(site, step) for step in replay.steps if step.outcome == "pending"),
    )


def _moment(site: Site, rows: Rows, step: Step) -> TimelineMoment:
    one = step.instrument
    return TimelineMoment(
        path=one.path.removesuffix(".md"),
        url=site.addresses.href(instrument_page(one), _ROOT),
        name=one.name,
        title=one.title,
        player=one.actor,
        decided=date_of(step.decided),
        effective=step.dated.exact if step.dated else None,
        changes=tuple(rows.row(change.rule, change.verb) for change in step.changes),
    )


def _pending(site: Site, step: Step) -> TimelinePending:
    one = step.instrument
    return TimelinePending(
        path=one.path.removesuffix(".md"),
        url=site.addresses.href(instrument_page(one), _ROOT),
        name=one.name,
        effective=step.effective.exact if step.effective else None,
    )


def _players(site: Site, steps: list[Step]) -> dict[str, TimelineName]:
    actors = dict.fromkeys(step.instrument.actor for step in steps)
    return {ident: TimelineName(name=site.name(ident), url=_actor(site, ident)) for ident in actors if ident}


def _actor(site: Site, ident: str) -> str | None:
    if ident in site.names:
        return site.addresses.href(player_page(ident), _ROOT)
    history = site.histories.of_number(int(ident)) if ident.isdecimal() else None
    return site.addresses.href(site.addresses.rule_page(history), _ROOT) if history else None
