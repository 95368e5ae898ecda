"""Templates: what they are read from, and how a page comes out of one."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined

from nomicgen.archive.history_lines import history_link
from nomicgen.archive.provenance import Origin
from nomicgen.model import Instrument
from nomicgen.site.contents import with_contents
from nomicgen.site.embed import page_source
from nomicgen.site.page_foot import EVERYTHING, foot_view
from nomicgen.site.site_view import Site

_SHOWN = 20


@functools.cache
def _environment() -> Environment:
    folder = files("nomicgen.site") / "templates"
    texts = {one.name: one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".html")}
    return Environment(
        loader=DictLoader(texts), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@functools.cache
def asset(name: str) -> str:
    """A file of the site's own assets."""
    return (files("nomicgen.site") / "assets" / name).read_text("utf-8")


@functools.cache
def fonts() -> Mapping[str, str]:
    """The site's typefaces and their licence: where each lies on the disk, by its path below the docs folder."""
    folder = Path(str(files("nomicgen.site") / "assets" / "fonts"))
    return {f"assets/fonts/{one.name}": str(one) for one in sorted(folder.iterdir())}


@functools.cache
def stylesheet() -> str:
    """The site's one stylesheet: the parts in `assets/css/`, in the order of their names."""
    folder = files("nomicgen.site") / "assets" / "css"
    parts = sorted((one for one in folder.iterdir() if one.name.endswith(".css")), key=lambda one: one.name)
    return "\n".join(one.read_text("utf-8") for one in parts)


def render_page(
    site: Site,
    template: str,
    page: str,
    *,
    kind: str,
    title: str,
    shows: Sequence[str] = EVERYTHING,
    crumbs: Sequence[tuple[str, str]] = (),
    here: str = "",
    description: str = "",
    **values: Any,
) -> str:
    """One page: `crumbs` are (page, words) of what it lies below, `here` its own name among them.

    `shows` are the files and folders of the game that it is made from.
    """
    html = (
        _environment()
        .get_template(template)
        .render(
            kind=kind,
            crumbs=[{"href": site.addresses.href(path, page), "text": text} for path, text in crumbs],
            here=here,
            problems=_problems(site, page),
            foot=foot_view(site, page, shows),
            **values,
        )
    )
    return page_source(with_contents(html), title=title, description=description)


def _problems(site: Site, page: str) -> Mapping[str, Any] | None:
    errors = [one for one in site.archive.findings if one.is_error]
    if not errors:
        return None
    home = page == "index.md"
    return {
        "count": len(errors),
        "full": home,
        "shown": errors[:_SHOWN],
        "href": site.addresses.href("index.md", page),
    }


_SAID = {
    "instrument": "the commit of its instrument: this revision was never committed by itself",
    "missing": "no commit found that wrote it",
}


def origin_view(site: Site, origin: Origin | None, link: str | None = None) -> Mapping[str, Any]:
    """How a revision's commit is shown; what is said of it where it is not the commit that wrote it.

    `link` is where it leads when the forge's page of the commit is not known.
    """
    if origin is None:
        return {"sha": None, "href": None, "title": "", "said": ""}
    parts = (origin.subject, origin.author, (origin.date or "")[:10])
    return {
        "sha": origin.sha,
        "href": site.addresses.commit(origin.sha, named=origin.kind == "named") or link,
        "title": " · ".join(part for part in parts if part) or origin.sha or "",
        "said": _SAID.get(origin.kind, ""),
    }


def recorded_view(site: Site, one: Instrument) -> Mapping[str, Any]:
    """The commit that an instrument's file came in: the one that it names itself before the one that git knows."""
    if one.matter.commit is None:
        return origin_view(site, site.archive.touched.get(one.path))
    entries = site.entries_of.get(one.path, ())
    links = (history_link(site.archive, identity, index) for identity, index in entries)
    return origin_view(site, Origin(kind="named", sha=one.matter.commit), next(filter(None, links), None))
