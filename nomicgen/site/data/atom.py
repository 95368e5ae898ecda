"""An Atom feed (RFC 4287)."""

from __future__ import annotations

import re
from functools import reduce
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape

from markupsafe import Markup
from msgspec import Struct

from nomicgen.formats.text_templates import Escaped, text_templates

# The characters that no document of XML 1.0 can hold, not even as references.
_FORBIDDEN = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


class FeedEntry(Struct, frozen=True, kw_only=True):
    """One piece of news. `moment` is a timestamp of RFC 3339, `content` is sanitised HTML, and
    `kind` is the term of the entry's category, such as `decided`.
    """

    ident: str
    title: str
    moment: str
    link: str
    author: str
    kind: str
    content: Markup


class Feed(Struct, frozen=True, kw_only=True):
    """A feed, its entries the newest first.

    `updated` is a timestamp of RFC 3339; `link` leads to the page for people, `self_link` to the
    feed itself. `self_link` is '' where the site's address is not known.
    """

    ident: str
    title: str
    subtitle: str
    updated: str
    link: str
    self_link: str
    entries: tuple[FeedEntry, ...]


def permanent_id(base: str, *parts: str) -> str:
    """Return a permanent id (a URN) of something in a game.

    `base` is the repository's address or the game's name. `parts` say what it is, such as
    `("proposals/301.md", "decided")`.
    """
    return reduce(uuid5, parts, uuid5(NAMESPACE_URL, base)).urn


def atom(feed: Feed) -> str:
    """Return the feed as XML. Characters that XML forbids are shown as U+FFFD."""
    environment = text_templates("nomicgen.formats", _in_text)
    environment.filters["quoted"] = _in_quotes
    return environment.get_template("feed.xml").render(feed=feed)


def _in_text(value: object) -> Escaped:
    allowed = re.sub(_FORBIDDEN, "\N{REPLACEMENT CHARACTER}", str(value))
    return value if isinstance(value, Escaped) else Escaped(escape(allowed))


def _in_quotes(text: str) -> Escaped:
    return Escaped(_in_text(text).replace('"', "&quot;"))
