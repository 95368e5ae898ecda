"""The checker of links: it finds each fault, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.links import faults, html_pages

URL = "https://example.org/game/"
PAGE = (
    '<!doctype html><html lang="en"><head>{head}</head><body><h1 id="top">A '
    "page</h1>{body}</body></html>"
)
SOUND = {
    "index.html": PAGE.format(
        head='<link rel="stylesheet" href="a.css"><link rel="canonical" '
        'href="https://example.org/game/">',
        body='<a href="b/">b</a> <a href="b/#place">b</a> <a href="#top">up</a> <a '
        'href="https://else.example/">x</a>'
        '<a href="?q=1">again</a> <img src="data:image/png;base64,AA=="> <a '
        'href="mailto:a@example.org">a</a>',
    ),
    "b/index.html": PAGE.format(
        head="", body='<p id="place"></p><a href="..">home</a> <a href="../c%20d.txt">c</a>'
    ),
    "404.html": PAGE.format(head="", body='<a href="/game/b/">b</a>'),
    "a.css": "/* url(none.png) */ p { background: url('c%20d.txt') }",
    "c d.txt": "text",
    "api/v1/game.json": '{"url": "b/#place", "rules": [{"url": ""}], "properties": {"url": '
    '{"type": "string"}}}',
    "sitemap.xml": f'<urlset xmlns="urn:x"><url><loc>{URL}b/</loc></url></urlset>',
    "feed.xml": f'<feed xmlns="urn:x"><link href="{URL}feed.xml"/><link '
    f'href="{URL}b/#place"/></feed>',
}


def built(folder: Path, **changes: str) -> Path:
    """A sound site, with a file written otherwise for each change: `index` for index.html, `b` for
    b/index.html.
    """
    names = {"index": "index.html", "b": "b/index.html", "css": "a.css", "lost": "404.html"}
    names |= {"json": "api/v1/game.json", "map": "sitemap.xml", "feed": "feed.xml"}
    for name, text in {**SOUND, **{names[key]: text for key, text in changes.items()}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_sound_site_has_no_faults(tmp_path: Path) -> None:
    assert faults(built(tmp_path), url=URL) == []
    assert html_pages(tmp_path) == {"index.html", "b/index.html", "404.html"}


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="c/">', "c/: there is no such file"),
        ('<a href="b/">', "b/: there is no such file"),
        ('<a href="../b">', "../b: there is no such file"),
        ('<a href="../../x">', "../../x: leads out of the site"),
        ('<a href="..">', None),
        ('<a href="">', None),
        ('<a href="../c d.txt#x">', "../c d.txt#x: there is no such place on that page"),
        ('<a href="../#nowhere">', "../#nowhere: there is no such place on that page"),
        ('<a href="#nowhere">', "#nowhere: there is no such place on that page"),
        ('<a href="/game/">', "/game/: is an absolute path"),
        (
            '<a href="https://example.org/game/c/">',
            "https://example.org/game/c/: there is no such file",
        ),
        ('<a href="javascript:alert(1)">', "javascript:alert(1): leads nowhere"),
        ('<a href="https:">', "https:: leads nowhere"),
        ('<area href="c/">', "c/: there is no such file"),
        ('<form action="c/">', "c/: there is no such file"),
        ('<meta http-equiv="refresh" content="0; url=c/">', "c/: there is no such file"),
        ('<img src="x.png">', "x.png: there is no such file"),
        (
            '<img src="https://else.example/x.png">',
            "https://else.example/x.png: is loaded from elsewhere",
        ),
        (
            '<img srcset="../c%20d.txt 1x, //else.example/x 2x">',
            "//else.example/x: is loaded from elsewhere",
        ),
        (
            '<script src="https://else.example/x.js"></script>',
            "https://else.example/x.js: is loaded from elsewhere",
        ),
        ('<iframe src="//else.example/"></iframe>', "//else.example/: is loaded from elsewhere"),
        (
            '<link rel="preconnect" href="https://f.example">',
            "https://f.example: is loaded from elsewhere",
        ),
        ('<link rel="Shortcut Icon" href="x.ico">', "x.ico: there is no such file"),
        ('<link rel="next" href="c/">', "c/: there is no such file"),
        ('<svg><use xlink:href="x.svg"/></svg>', "x.svg: there is no such file"),
        ("<style>p { background: url(x.png) }</style>", "x.png: there is no such file"),
        (
            "<style>@import 'https://f.example/x.css';</style>",
            "https://f.example/x.css: is loaded from elsewhere",
        ),
        ('<p style="background: url(x.png)">', "x.png: there is no such file"),
        ('<p id="top">', "the id 'top' stands there 2 times"),
        ("<h1>Again</h1>", "2 headings of the first level"),
    ],
)
def test_a_fault_on_a_page_is_found(tmp_path: Path, body: str, fault: str | None) -> None:
    found = faults(
        built(tmp_path, b=PAGE.format(head="", body=f'<p id="place"></p>{body}')), url=URL
    )
    assert found == ([f"b/index.html: {fault}"] if fault else [])


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("css", "p { src: url(x.woff) }", "a.css: x.woff: there is no such file"),
        ("css", '@import "//f.example/";', "a.css: //f.example/: is loaded from elsewhere"),
        ("json", '{"rules": [{"url": "c/"}]}', "api/v1/game.json: c/: there is no such file"),
        ("json", '{"url": "b/#x"}', "api/v1/game.json: b/#x: there is no such place on that page"),
        (
            "map",
            f"<a xmlns='u'><loc>{URL}c/</loc></a>",
            f"sitemap.xml: {URL}c/: there is no such file",
        ),
        (
            "feed",
            f"<a xmlns='u'><link href='{URL}#x'/></a>",
            f"feed.xml: {URL}#x: there is no such place on that page",
        ),
        (
            "lost",
            PAGE.format(head="", body='<a href="/b/">'),
            "404.html: /b/: leads out of the site",
        ),
        (
            "lost",
            PAGE.format(head="", body='<a href="/game/c/">'),
            "404.html: /game/c/: there is no such file",
        ),
        (
            "lost",
            PAGE.format(head="", body="").replace(' lang="en"', ""),
            "404.html: no language is given",
        ),
    ],
)
def test_a_fault_in_a_file_is_found(tmp_path: Path, file: str, text: str, fault: str) -> None:
    assert faults(built(tmp_path, **{file: text}), url=URL) == [fault]


def test_a_page_may_read_its_fragment_itself(tmp_path: Path) -> None:
    site = built(
        tmp_path, index=PAGE.format(head="", body='<a href="b/#2020"></a><a href="b/#2021"></a>')
    )
    said = "index.html: b/#2021: there is no such place on that page"
    assert faults(site, url=URL, allows={"b/index.html": lambda fragment: fragment == "2020"}) == [
        said
    ]
