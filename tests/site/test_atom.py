"""The Atom feed's XML: what RFC 4287 asks for, whatever players write."""

from __future__ import annotations

import re
from datetime import datetime
from xml.etree import ElementTree

import feedparser
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from nomicgen.site.data.atom import Feed, FeedEntry, atom, permanent_id

NAMESPACE = "{http://www.w3.org/2005/Atom}"
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")


def entry(**changes: str) -> FeedEntry:
    values: dict[str, str] = {
        "ident": permanent_id("https://forge.example/game", "proposals/301.md", "decided"),
        "title": "Proposal 301 · Tea: adopted",
        "moment": "2026-01-05T18:30:00+01:00",
        "link": "https://game.example/proposals/301/",
        "author": "Wren",
        "kind": "decided",
        **changes,
    }
    return FeedEntry(**values, content=Markup("<p>{}</p>").format(values["title"]))


def feed(
    *entries: FeedEntry, title: str = "The Tea Game", subtitle: str = "", self_link: str = ""
) -> Feed:
    return Feed(
        ident=permanent_id("https://forge.example/game"),
        title=title,
        subtitle=subtitle,
        updated="2026-01-05T18:30:00+01:00",
        link="https://game.example/",
        self_link=self_link,
        entries=entries,
    )


def is_moment(text: str) -> bool:
    """Whether a text is a moment as RFC 3339 writes it, of a day that there is."""
    try:
        return STAMP.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    except ValueError:
        return False


def faults(xml: str) -> list[str]:
    """What a reader of feeds, and RFC 4287's own words on what must be there, have against a
    feed.
    """
    found = []
    read = feedparser.parse(xml)
    if read.bozo or read.version != "atom10":
        found.append(f"feedparser: {read.get('bozo_exception')}, {read.version}")
    root = ElementTree.fromstring(xml)
    entries = root.findall(f"{NAMESPACE}entry")
    for node in (root, *entries):
        wanted = ("id", "title", "updated")
        found += [
            f"{node.tag} has not just one {tag}"
            for tag in wanted
            if len(node.findall(NAMESPACE + tag)) != 1
        ]
        for tag in ("updated", "published"):
            found += [
                f"{tag}: {one.text}"
                for one in node.findall(NAMESPACE + tag)
                if not is_moment(one.text or "")
            ]
        names = [one.findtext(f"{NAMESPACE}name") for one in node.findall(f"{NAMESPACE}author")]
        if not names or not all(names):
            found.append(f"{node.tag} has no author with a name")
        kinds = [(one.get("rel"), one.get("type")) for one in node.findall(f"{NAMESPACE}link")]
        if len(set(kinds)) != len(kinds) or ("alternate", "text/html") not in kinds:
            found.append(f"{node.tag} has the links {kinds}")
    idents = [root.findtext(f"{NAMESPACE}id"), *(one.findtext(f"{NAMESPACE}id") for one in entries)]
    if len(set(idents)) != len(idents) or not all(
        re.fullmatch("urn:uuid:[0-9a-f-]{36}", one or "") for one in idents
    ):
        found.append(f"ids: {idents}")
    return found


def test_a_feed_to_the_byte() -> None:
    assert atom(
        feed(entry(), subtitle="Tea & talk", self_link="https://game.example/feed.xml")
    ) == (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<feed xmlns="http://www.w3.org/2005/Atom">\n'
        " <id>urn:uuid:450670b0-6aaa-5093-8f29-c1ca7bd4fafc</id>\n"
        " <title>The Tea Game</title>\n"
        " <subtitle>Tea &amp; talk</subtitle>\n"
        " <updated>2026-01-05T18:30:00+01:00</updated>\n"
        " <author>\n"
        "  <name>The Tea Game</name>\n"
        " </author>\n"
        ' <link rel="alternate" type="text/html" href="https://game.example/" />\n'
        ' <link rel="self" type="application/atom+xml" href="https://game.example/feed.xml" />\n'
        " <generator>nomicgen</generator>\n"
        " <entry>\n"
        "  <id>urn:uuid:7127a171-1458-52af-b89d-7db29c005639</id>\n"
        "  <title>Proposal 301 · Tea: adopted</title>\n"
        "  <updated>2026-01-05T18:30:00+01:00</updated>\n"
        "  <published>2026-01-05T18:30:00+01:00</published>\n"
        "  <author>\n"
        "   <name>Wren</name>\n"
        "  </author>\n"
        '  <link rel="alternate" type="text/html" href="https://game.example/proposals/301/" />\n'
        '  <category term="decided" />\n'
        '  <content type="html">&lt;p&gt;Proposal 301 · Tea: adopted&lt;/p&gt;</content>\n'
        " </entry>\n"
        "</feed>\n"
    )


def test_a_feed_without_news_and_without_an_address_is_valid() -> None:
    assert faults(atom(feed())) == []
    assert "self" not in atom(feed())


def test_the_checker_of_this_file_finds_what_is_wrong() -> None:
    twice = entry()
    good = atom(feed(twice))
    assert faults(good) == []
    assert faults(atom(feed(twice, twice)))[0].startswith("ids: ")
    assert faults(good.replace("+01:00</published>", "</published>")) == [
        "published: 2026-01-05T18:30:00"
    ]
    assert faults(good.replace('rel="alternate"', 'rel="related"'))


def test_what_xml_forbids_is_shown_and_breaks_nothing() -> None:
    wrong = "a\x00b\x0bc\x1fd\ud800e\ufffff\U0001f600 <b>&amp; ]]> <!--"
    xml = atom(
        feed(
            entry(title=wrong, author=wrong, link=f"proposals/{wrong}"), title=wrong, subtitle=wrong
        )
    )
    assert faults(xml) == []
    shown = "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\U0001f600 <b>&amp; ]]> <!--"
    root = ElementTree.fromstring(xml)
    assert root.findtext(f"{NAMESPACE}title") == shown
    assert root.findtext(f"{NAMESPACE}entry/{NAMESPACE}title") == shown
    (content,) = feedparser.parse(xml, sanitize_html=False).entries[0].content
    assert content.value == f"<p>{Markup.escape(shown)}</p>"


@given(st.text(), st.text())
def test_whatever_players_write_the_feed_is_valid(title: str, author: str) -> None:
    assert faults(atom(feed(entry(title=title, author=f"A{author}")))) == []


def test_ids_are_permanent_and_apart() -> None:
    base = "https://forge.example/game"
    assert permanent_id(base) == "urn:uuid:450670b0-6aaa-5093-8f29-c1ca7bd4fafc"
    parts = [
        (),
        ("proposals/301.md",),
        ("proposals/301.md", "decided"),
        ("proposals/301.md", "opened"),
        ("acts/a.md",),
    ]
    assert len({permanent_id(base, *one) for one in parts} | {permanent_id("The Tea Game")}) == 6
