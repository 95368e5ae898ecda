"""Makes pages and pieces of pages from the templates in `templates/`, and reads the assets."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from nomicgen.files.urls import is_web
from nomicgen.history.activity import how_cast, player_status
from nomicgen.history.history_lines import history_line
from nomicgen.history.past.restatements import correction_words
from nomicgen.model.findings import counted
from nomicgen.model.values import Moment
from nomicgen.play.open_tasks import is_held_elsewhere
from nomicgen.play.scores_text import amount, signed
from nomicgen.site.addresses import data_file, feed_file, instrument_page, player_page, tier_anchor
from nomicgen.site.parts.authors import outcome_words
from nomicgen.site.parts.contents import CONTENTS, with_contents
from nomicgen.site.parts.filters import choices
from nomicgen.site.parts.linked_history import (
    date_bounds,
    effect_note,
    entry_commit,
    entry_html,
    instrument_commit,
)
from nomicgen.site.parts.notices import would_do
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.page_foot import EVERYTHING
from nomicgen.site.parts.page_source import Metadata, page_source
from nomicgen.site.parts.points import points_of, signed_sum, turn_of
from nomicgen.site.parts.status_words import (
    is_in_effect,
    moment_of,
    outlook,
    standing_words,
    status_words,
    vote_ended,
    vote_words,
    year_of,
)
from nomicgen.site.parts.ways_to_change import linked_rules
from nomicgen.site.texts.player_html import excerpt
from nomicgen.site.texts.short_words import bidi_isolated, shorten

_LINE_BREAK = r"\n\s*"
# The functions that every template can call. A page passes more values to its own template.
_FUNCTIONS = (
    # Words and numbers.
    *(amount, bidi_isolated, choices, counted, excerpt, shorten, signed, signed_sum, year_of),
    # Addresses and links.
    *(data_file, feed_file, instrument_page, is_web, linked_rules, player_page, tier_anchor),
    # Rules and their histories.
    *(date_bounds, effect_note, entry_commit, entry_html, history_line, outcome_words),
    # Instruments and votes.
    *(correction_words, how_cast, instrument_commit, is_in_effect, moment_of, outlook),
    *(is_held_elsewhere, status_words, vote_ended, vote_words, would_do),
    # Players, points and turns.
    *(player_status, points_of, standing_words, turn_of),
)


@functools.cache
def _environment() -> Environment:
    folder = files("nomicgen.site") / "templates"
    texts = {
        file.name: file.read_text("utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".html")
    }
    # A line break between two parts of a drawing, or of a line of text, would show as a blank.
    inline = {
        file.name: re.sub(_LINE_BREAK, "", file.read_text("utf-8"))
        for file in (folder / "inline").iterdir()
    }
    texts |= {f"inline/{name}": text for name, text in inline.items()}
    environment = Environment(
        loader=DictLoader(texts),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        {function.__name__: function for function in _FUNCTIONS},
        parse_moment=Moment.parse,
        moment_on=Moment.of,
    )
    environment.filters.update(px=number, percent=percent)
    return environment


@functools.cache
def asset(name: str) -> str:
    """Return the text of a file in `assets/`."""
    return (files("nomicgen.site") / "assets" / name).read_text("utf-8")


@functools.cache
def fonts() -> Mapping[str, str]:
    """Return the files of the site's typefaces and their licence: where each is on the disk, by
    its path on the site.
    """
    folder = Path(str(files("nomicgen.site") / "assets" / "fonts"))
    return {f"assets/fonts/{file.name}": str(file) for file in sorted(folder.iterdir())}


@functools.cache
def stylesheet() -> str:
    """Return the site's one stylesheet: the parts in `assets/css/`, in the order of their names."""
    folder = files("nomicgen.site") / "assets" / "css"
    parts = sorted(
        (file for file in folder.iterdir() if file.name.endswith(".css")),
        key=lambda file: file.name,
    )
    return "\n".join(part.read_text("utf-8") for part in parts)


def render_page(
    page: Page,
    template: str,
    *,
    kind: str,
    title: str,
    shows: Sequence[str] = EVERYTHING,
    crumbs: Sequence[tuple[str, str]] = (),
    here: str = "",
    description: str = "",
    meta: Metadata = MappingProxyType({}),
    **values: Any,
) -> tuple[str, str]:
    """Return the path and the text of a page, made from a template with `values`.

    `kind` is the page's class in the stylesheet. `crumbs` are the pages above it, each with its
    words, and `here` is its own name after them. `shows` has the files of the game from which it is
    made, and folders, each with a slash at its end: the foot names their last commit. `meta` is the
    data in the page's head (`parts/metadata.py`).
    """
    shown = {"kind": kind, "shows": shows, "crumbs": crumbs, "here": here, **values}
    html = _environment().get_template(template).render(page=page, site=page.site, **shown)
    whole = with_contents(html)
    contents = {"contents": CONTENTS} if whole != html else {}
    return page.path, page_source(
        whole, title=title, description=description, meta={**meta, **contents}
    )


def render_inline(page: Page, template: str, **values: Any) -> Markup:
    """Return a piece of a page, on one line, from a template in `inline/`."""
    return Markup(
        _environment()
        .get_template(f"inline/{template}.html")
        .render(page=page, site=page.site, **values)
    )


def number(value: float) -> str:
    """Return a number for a picture, with at most one digit after the point: `37.5`, `0`."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text not in ("-0.0", "0.0") else "0"


def percent(share: float) -> str:
    """Return a share, from 0 to 1, in percent: `37.5%`."""
    return f"{number(share * 100)}%"
