"""What is wrong with the links of a built site: each page, the feed, the sitemap, the data and the
styles, all of it.

A link is followed as a browser would follow it if the site lay in a folder of any file server.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

__all__ = ["faults", "html_pages"]

Allows = Callable[[str], bool]

# What a browser fetches by itself, and what a reader follows; `link` is one or the other by its
# `rel`.
_LOADED = {
    "audio": ("src",),
    "embed": ("src",),
    "iframe": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("src",),
    "input": ("src",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src",),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
_FOLLOWED = {"a": ("href",), "area": ("href",), "form": ("action",), "link": ("href",)}
_FETCHED = frozenset(
    [
        "stylesheet",
        "icon",
        "preload",
        "prefetch",
        "preconnect",
        "dns-prefetch",
        "modulepreload",
        "manifest",
    ]
)
_CSS = re.compile(r"""url\(\s*(["']?)(.*?)\1\s*\)|@import\s+(["'])(.*?)\3""")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# A page for addresses that are not there is served at any depth, so its own links go by the
# server's root.
_ANYWHERE = "404.html"


class _Page(HTMLParser):
    """What a page loads and leads to, what it can be linked at, and what its frame is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.ids: list[str] = []
        self.lang = ""
        self.headings = 0
        self._style = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self._style = tag == "style"
        self.headings += tag == "h1"
        self.ids += [found["id"]] if "id" in found else []
        if tag == "html":
            self.lang = found.get("lang", "")
        if tag == "meta" and found.get("http-equiv", "").lower() == "refresh":
            self.leads.append(found.get("content", "").partition("url=")[2])
        fetched = tag == "link" and not _FETCHED.isdisjoint(found.get("rel", "").lower().split())
        self.loads += [found[name] for name in _LOADED.get(tag, ()) if name in found]
        (self.loads if fetched else self.leads).extend(
            found[name] for name in _FOLLOWED.get(tag, ()) if name in found
        )
        self.loads += [one.split()[0] for one in found.get("srcset", "").split(",") if one.strip()]
        self.loads += _css_links(found.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self._style:
            self.loads += _css_links(data)

    def handle_endtag(self, tag: str) -> None:
        self._style = False


def _css_links(text: str) -> list[str]:
    return [found[2] or found[4] or "" for found in _CSS.finditer(_CSS_COMMENT.sub("", text))]


def html_pages(site: Path) -> set[str]:
    """The paths of a site's pages."""
    return {path.relative_to(site).as_posix() for path in site.rglob("*.html")}


class _Checker:
    """A site at `url`; `allows` has the fragments of a page, by its path, that its script
    understands.
    """

    def __init__(self, site: Path, url: str, allows: dict[str, Allows]) -> None:
        self.site = site
        self.url = f"{url.rstrip('/')}/" if url else ""
        self.allows = allows

    @cached_property
    def pages(self) -> dict[str, _Page]:
        return {
            path: _Page((self.site / path).read_text("utf-8"))
            for path in sorted(html_pages(self.site))
        }

    @cached_property
    def files(self) -> frozenset[str]:
        return frozenset(
            path.relative_to(self.site).as_posix()
            for path in self.site.rglob("*")
            if path.is_file()
        )

    def check(self) -> Iterator[str]:
        for path, page in self.pages.items():
            yield from (f"{path}: {said}" for said in self._frame(page))
            for link in page.leads:
                yield from self._link(path, link, loads=False)
            for link in page.loads:
                yield from self._link(path, link, loads=True)
        for path in sorted(self.files):
            if path.endswith(".css"):
                text = (self.site / path).read_text("utf-8")
                for link in _css_links(text):
                    yield from self._link(path, link, loads=True)
            elif path.endswith(".json"):
                for link in _json_links(json.loads((self.site / path).read_text("utf-8"))):
                    yield from (f"{path}: {link}: {said}" for said in self._target("", link))
            elif path.endswith(".xml"):
                yield from self._xml(path)

    def _frame(self, page: _Page) -> Iterator[str]:
        if not page.lang:
            yield "no language is given"
        if page.headings != 1:
            yield f"{page.headings} headings of the first level"
        for ident in sorted({one for one in page.ids if page.ids.count(one) > 1}):
            yield f"the id {ident!r} stands there {page.ids.count(ident)} times"

    def _xml(self, path: str) -> Iterator[str]:
        for element in ElementTree.parse(self.site / path).iter():
            text = (element.text or "").strip()
            attributes = [
                element.attrib[name] for name in ("href", "src") if name in element.attrib
            ]
            if element.tag.endswith(("}loc", "}icon", "}logo", "}uri")):
                attributes.append(text)
            for link in attributes:
                yield from self._link(path, link, loads=False)

    def _link(self, path: str, link: str, *, loads: bool) -> Iterator[str]:
        yield from (
            f"{path}: {link}: {said}" for said in self._fault(path, link.strip(), loads=loads)
        )

    def _fault(self, path: str, link: str, *, loads: bool) -> Iterator[str]:
        if self.url and f"{link}/".startswith(self.url):
            yield from self._target("", link[len(self.url) :])
            return
        parts = urlsplit(link)
        if parts.scheme == "data" and loads:
            return
        if parts.scheme or parts.netloc:
            if loads:
                yield "is loaded from elsewhere"
            elif parts.scheme not in ("http", "https", "mailto", "tel") or not (
                parts.netloc or parts.path
            ):
                yield "leads nowhere"
        elif link.startswith("/"):
            base = urlsplit(self.url).path or "/"
            if path != _ANYWHERE:
                yield "is an absolute path"
            elif not f"{link}/".startswith(base):
                yield "leads out of the site"
            else:
                yield from self._target("", link[len(base) :])
        else:
            yield from self._target(path, link)

    def _target(self, path: str, link: str) -> Iterator[str]:
        """What is wrong with a relative link on the page, or in the file, at `path`; '' is the
        site's root.
        """
        parts = urlsplit(link)
        there = path
        if parts.path or not path:
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))
            if there.startswith(".."):
                yield "leads out of the site"
                return
            if there == "." or parts.path.endswith(("/", "/.", "/..")) or parts.path in (".", ".."):
                there = "index.html" if there == "." else f"{there}/index.html"
        if there not in self.files:
            yield "there is no such file"
        elif parts.fragment and not self._has(there, unquote(parts.fragment)):
            yield "there is no such place on that page"

    def _has(self, path: str, fragment: str) -> bool:
        if path not in self.pages:
            return False
        allows = self.allows.get(path)
        return fragment in self._places[path] or (allows is not None and allows(fragment))

    @cached_property
    def _places(self) -> dict[str, frozenset[str]]:
        return {path: frozenset(page.ids) for path, page in self.pages.items()}


def _json_links(value: Any) -> Iterator[str]:
    """The addresses in data: what is called `url`, and `location` in an index for a search."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key in ("url", "location") and isinstance(one, str):
                yield one
            else:
                yield from _json_links(one)
    elif isinstance(value, list):
        for one in value:
            yield from _json_links(one)


def faults(site: Path, *, url: str = "", allows: dict[str, Allows] | None = None) -> list[str]:
    """What is wrong with the links of a site built for the address `url`, a line for each: none, if
    all is well.

    `allows` has for pages whose script reads the fragment of their address, by their path, what it
    understands.
    """
    return list(_Checker(site, url, allows or {}).check())
