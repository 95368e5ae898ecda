"""What becomes of players' texts on pages: HTML, redlines, merges; and the settings of a site."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from nomicgen.files.markdown import parser
from nomicgen.files.merge_conflicts import Names, find_conflicts
from nomicgen.files.mkdocs_config import SiteConfigError, project_config, read_site_config
from nomicgen.history.merge import merge_texts
from nomicgen.history.redline import redline
from nomicgen.site.texts.player_html import Linker, excerpt, render_text, seen_text
from nomicgen.site.texts.player_html import Target as Led
from nomicgen.site.texts.redline_html import redline_html
from tests.fuzz.markdown_files import WORDS as MARKDOWN
from tests.fuzz.target import Target, pairs_of
from tests.fuzz.yaml_files import WORDS as YAML
from tests.support import ROOT

_LINKER = Linker(
    reference=lambda one: Led(href=f"#{one.number}", title="x"), address=lambda path: f"../{path}"
)
_TAGS = frozenset(
    (
        *(
            "a",
            "blockquote",
            "br",
            "code",
            "del",
            "div",
            "em",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "hr",
            "img",
            "ins",
            "li",
        ),
        *(
            "ol",
            "p",
            "pre",
            "s",
            "span",
            "strong",
            "sub",
            "sup",
            "table",
            "tbody",
            "td",
            "th",
            "thead",
            "tr",
            "ul",
        ),
    )
)
_ATTRIBUTES = frozenset(
    (
        *(
            "alt",
            "aria-label",
            "class",
            "data-by",
            "data-revision",
            "href",
            "loading",
            "rel",
            "role",
            "src",
            "start",
        ),
        *("tabindex", "title"),
    )
)
_NAMES = Names(ours="ours", theirs="theirs")


class _Checked(HTMLParser):
    """Fails for what no page may have."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _TAGS, tag
        for name, value in attrs:
            assert name in _ATTRIBUTES, name
            if name in ("href", "src"):
                scheme = (value or "").partition(":")[0].strip().casefold()
                assert (
                    ":" not in (value or "")
                    or scheme in ("http", "https", "mailto")
                    or "/" in scheme
                ), value
            if name == "src":
                assert not (value or "").startswith(("http", "//", "\\")), value

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def markup(data: bytes) -> None:
    """A text as HTML: of the tags, attributes and addresses that are allowed, and no others."""
    text = data.decode("utf-8", "replace")
    env: dict[str, Any] = {}
    parser().parse(text, env)
    assert "beyond" not in env or not env["beyond"].failed
    _Checked(convert_charrefs=True).feed(str(render_text(text, _LINKER)))
    seen_text(text)
    assert len(excerpt(text)) <= 200


def lines(data: bytes) -> None:
    """Two or three texts, compared and merged: of no word is more or less than there was."""
    texts = [
        content.decode("utf-8", "replace").removesuffix("\n") for _, content in pairs_of(data)
    ][:3]
    base, ours, theirs = (*texts, "", "", "")[:3]
    segments = redline(base, ours)
    assert "".join(one.old for one in segments) == base
    assert "".join(one.new for one in segments) == ours
    _Checked(convert_charrefs=True).feed(str(redline_html(base, ours)))
    assert merge_texts(base, ours, base, _NAMES).text == ours
    assert merge_texts(base, base, theirs, _NAMES).text == theirs
    assert merge_texts(base, ours, ours, _NAMES).text == ours
    merged = merge_texts(base, ours, theirs, _NAMES)
    if not any(one in text for one in ("<<<<<<<", "=======", ">>>>>>>") for text in texts):
        assert len([*find_conflicts(merged.text.split("\n"))]) == merged.conflicts


def settings(data: bytes) -> None:
    """A `mkdocs.yml`: read and written, or said why not."""
    said = ""
    try:
        config = read_site_config(data.decode("utf-8", "replace"), lambda _: "site_name: A\n")
        _ = (config.docs_dir, config.custom_dir, config.site_url, config.game, config.has_our_theme)
        made = project_config(
            config, moved=str, renamed={"a.md": "b.md"}, out_of_nav=("/x.md",), overrides=True
        )
        read_site_config(made.decode(), lambda _: "")
    except SiteConfigError as error:
        said = str(error)
    assert "\n" not in said


def _texts() -> Iterator[bytes]:
    for file in sorted((ROOT / "rules").glob("*.md"))[:4]:
        yield file.read_bytes().split(b"---\n", 2)[2]
    yield (
        b'> ## A\n\n* a [b](c "d") ![e](f.png) <sub>1</sub>\n\n|a|b|\n|-|-|\n|c|~~d~~|\n\n'
        b"Rule 203/0 and http://a.b\n"
    )


def _pairs() -> Iterator[bytes]:
    yield (
        b"@@ 1\nOne lamp is lit at dusk.\nTwo are not.\n\n* a\n@@ 2\nOne lamp is lit at dawn.\n"
        b"Two are.\n"
        b"@@ 3\nNo lamp is lit.\nTwo are not.\n\n* b\n"
    )
    yield b"@@ 1\na b c\n\nd\n@@ 2\na  b\nc d\n@@ 3\n"


def _settings() -> Iterator[bytes]:
    yield (ROOT / "mkdocs.yml").read_bytes()[:4000]
    yield (
        b"INHERIT: b.yml\nplugins:\n  - nomicgen: {game: x}\n"
        b"theme: {name: material, custom_dir: o}\n"
        b"nav: [{A: a.md}]\nhooks: [h.py]\n"
    )
    yield (
        b"theme: !ENV [A, material]\nplugins: {nomicgen: {}}\n"
        b"markdown_extensions: !!python/name:x.y\n"
        b"not_in_nav: |\n  /a\n"
    )


TARGETS = (
    Target(
        name="markup",
        run=markup,
        seeds=_texts,
        words=(
            *MARKDOWN,
            *(
                "<script>",
                "javascript:",
                "data:",
                " onerror=",
                "<svg ",
                "<math>",
                "<style>",
                "<img src=",
                "<a href=",
                "&#x6a;",
            ),
            *(
                "<span>",
                "</span>",
                "<br>",
                "](javascript:",
                "](//",
                "![a](http://",
                "Rule 203",
                "Proposal 301",
                "&colon;",
                "\x01",
            ),
        ),
    ),
    Target(
        name="lines",
        run=lines,
        seeds=_pairs,
        words=("@@ 1\n", "@@ 2\n", "@@ 3\n", "\n\n", " ", "¶", "* ", "1. ", "```\n"),
    ),
    Target(
        name="site",
        run=settings,
        seeds=_settings,
        words=(*YAML, "INHERIT: ", "!ENV ", "nav: ", "theme: ", "hooks: "),
    ),
)
