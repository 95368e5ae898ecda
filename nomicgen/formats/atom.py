"""An Atom feed (RFC 4287)."""

from __future__ import annotations

from uuid import NAMESPACE_URL, UUID, uuid5
from xml.etree import ElementTree

from markupsafe import Markup
from msgspec import Struct

from nomicgen.patterns import lazy_pattern

_SPACE = "http://www.w3.org/2005/Atom"
# No document of XML 1.0 can hold these, not even as references.
_FORBIDDEN = lazy_pattern("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Entry(Struct, frozen=True, kw_only=True):
    """One piece of news. `moment` is a timestamp of RFC 3339; `content` is sanitised HTML; `kind` a category's term."""

    ident: str
    title: str
    moment: str
    link: str
    author: str
    kind: str
    content: Markup


class Feed(Struct, frozen=True, kw_only=True):
    """A feed, its entries the newest first.

    `updated` is a timestamp of RFC 3339; `link` leads to the page for people, `own` to the feed itself: '' where its
    absolute address is not known.
    """

    ident: str
    title: str
    subtitle: str
    updated: str
    link: str
    own: str
    entries: tuple[Entry, ...]


def permanent(base: str, *parts: str) -> str:
    """The permanent id of a part of something that `base`, an address or a name, names: always the same."""
    made: UUID = uuid5(NAMESPACE_URL, base)
    for part in parts:
        made = uuid5(made, part)
    return made.urn


def atom(feed: Feed) -> str:
    """The feed as XML. Characters that XML forbids are shown as U+FFFD."""
    root = ElementTree.Element("feed", xmlns=_SPACE)
    _text(root, "id", feed.ident)
    _text(root, "title", feed.title)
    if feed.subtitle:
        _text(root, "subtitle", feed.subtitle)
    _text(root, "updated", feed.updated)
    _author(root, feed.title)
    _link(root, "alternate", "text/html", feed.link)
    if feed.own:
        _link(root, "self", "application/atom+xml", feed.own)
    _text(root, "generator", "nomicgen")
    for entry in feed.entries:
        _entry(ElementTree.SubElement(root, "entry"), entry)
    ElementTree.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _entry(node: ElementTree.Element, entry: Entry) -> None:
    _text(node, "id", entry.ident)
    _text(node, "title", entry.title)
    _text(node, "updated", entry.moment)
    _text(node, "published", entry.moment)
    _author(node, entry.author)
    _link(node, "alternate", "text/html", entry.link)
    ElementTree.SubElement(node, "category", term=entry.kind)
    _text(node, "content", entry.content, type="html")


def _text(parent: ElementTree.Element, tag: str, text: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, tag, attributes).text = _shown(text)


def _author(parent: ElementTree.Element, name: str) -> None:
    _text(ElementTree.SubElement(parent, "author"), "name", name)


def _link(parent: ElementTree.Element, rel: str, kind: str, href: str) -> None:
    ElementTree.SubElement(parent, "link", rel=rel, type=kind, href=_shown(href))


def _shown(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", str(text))
