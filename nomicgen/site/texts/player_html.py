"""Players' texts as HTML: parsed by the game's own parser, with links for references and terms, and
sanitised.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import nh3
from markdown_it.token import Token
from markupsafe import Markup, escape
from msgspec import Struct

from nomicgen.files.markdown import parser
from nomicgen.files.urls import split_address
from nomicgen.history.references import Reference, mentions, prose_runs, run_text
from nomicgen.site.texts.phrases import ASIDE, Mark, mark_phrases, raw_token, visible_text
from nomicgen.site.texts.terms import Terms

# The tags, and the attributes of each, that sanitised HTML may have.
_TAGS = frozenset(
    {
        # Blocks.
        *("blockquote", "div", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul"),
        # Tables.
        *("table", "tbody", "td", "th", "thead", "tr"),
        # Within a line.
        *("a", "br", "code", "del", "em", "img", "s", "span", "strong", "sub", "sup"),
    }
)
_ATTRIBUTES = {
    "a": {"class", "data-revision", "href", "rel", "title"},
    "div": {"aria-label", "class", "role", "tabindex"},
    "img": {"alt", "loading", "src", "title"},
    "ol": {"start"},
    "span": {"class", "data-by"},
    "table": {"class"},
    "td": {"class"},
    "th": {"class"},
}
RAW = re.compile(r"</?(?:sub|sup|span)>|<br ?/?>")
"""The inline HTML of players that stays HTML."""
_SCROLL = '<div class="n-scroll" role="region" aria-label="Table" tabindex="0">'
# The types of tokens of which an excerpt is made.
_READ = frozenset({"text", "code_inline", "softbreak", "hardbreak"})
# The schemes that a player's link may have.
_SCHEMES = frozenset({"http", "https", "mailto"})


class Target(Struct, frozen=True, kw_only=True):
    """The target of a reference or a term. Without `href` there is no link, and `note` says why.

    `title` is shown on hovering, with `note`, which is also read out. `gone` says that a rule is
    repealed, void or has another number. `revision` is the present one of a rule, such as `203/1`.
    `term` says that it is the target of a term.
    """

    href: str | None
    title: str = ""
    note: str = ""
    gone: bool = False
    revision: str = ""
    term: bool = False


class Linker(Struct, frozen=True, kw_only=True):
    """How the links of a text are made on one page.

    `reference` returns the target of a reference, and `term` that of a term; None: it is no link.
    `terms` finds the terms that rules define. `address` returns the address on the site of a file
    of the game, given by its path (`images/319.png`); None if the site does not have it.
    """

    reference: Callable[[Reference], Target | None]
    address: Callable[[str], str | None]
    terms: Terms | None = None
    term: Callable[[str], Target | None] | None = None


def render_text(
    text: str, linker: Linker, *, folder: str = "rules", level: int = 3, marks: Sequence[Mark] = ()
) -> Markup:
    """Return a text as sanitised HTML. `folder` is that of its file in the game: links in the text
    are relative to it. Its largest headings become `h3` with `level` 3.

    `marks` colour the letters of `seen_text`, from its beginning: each the next few letters.
    """
    tokens = _block_tokens(parse_text(text), linker, folder, level)
    html = parser().renderer.render(
        list(mark_phrases(tokens, marks) if marks else tokens), parser().options, {}
    )
    return Markup(_clean(html).strip())


def seen_text(text: str) -> str:
    """Return a text as a reader sees it, without markup and pictures."""
    return visible_text(parse_text(text), RAW)


@functools.lru_cache(maxsize=256)
def parse_text(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text. They are cached, so nobody may change them."""
    return tuple(parser().parse(text))


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=_local_images,
        url_schemes=set(_SCHEMES),
        link_rel=None,
    )


def _local_images(tag: str, attribute: str, value: str) -> str | None:
    """Return an attribute's value; None for a picture that a browser would load from elsewhere."""
    remote = (
        tag == "img" and attribute == "src" and (":" in value or value.startswith(("//", "\\")))
    )
    return None if remote else value


def _block_tokens(
    tokens: Sequence[Token], linker: Linker, folder: str, level: int
) -> Iterator[Token]:
    ranks = sorted({token.tag for token in tokens if token.type == "heading_open"})
    heading = {tag: f"h{min(level + rank, 6)}" for rank, tag in enumerate(ranks)}
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            yield token.copy(tag=heading[token.tag])
        elif token.type == "html_block":
            yield from _paragraph_tokens(token.content.strip())
        elif token.type in ("td_open", "th_open"):
            align = str(token.attrs.get("style", "")).removeprefix("text-align:")
            yield token.copy(attrs={"class": f"n-{align}"} if align else {})
        elif token.type == "table_open":
            yield from (raw_token(_SCROLL, "html_block"), token.copy(attrs={"class": "n-table"}))
        elif token.type == "table_close":
            yield from (token, raw_token("</div>", "html_block"))
        elif token.type == "inline":
            yield token.copy(children=list(_inline_tokens(token.children or [], linker, folder)))
        else:
            yield token


def _paragraph_tokens(text: str) -> Iterator[Token]:
    yield Token("paragraph_open", "p", 1, block=True)
    yield Token("inline", "", 0, content=text, children=[_text_token(text)], block=True)
    yield Token("paragraph_close", "p", -1, block=True)


def _inline_tokens(children: Sequence[Token], linker: Linker, folder: str) -> Iterator[Token]:
    runs = dict(prose_runs(children))
    index = 0
    while index < len(children):
        if index in runs:
            yield from _prose_tokens(run_text(children[index : runs[index]]), linker)
            index = runs[index]
            continue
        yield from _single_token(children[index], linker, folder)
        index += 1


def _single_token(token: Token, linker: Linker, folder: str) -> Iterator[Token]:
    if token.type == "html_inline" and not RAW.fullmatch(token.content):
        yield _text_token(token.content)
    elif token.type == "link_open":
        yield token.copy(
            attrs=_link_attributes(str(token.attrs.get("href", "")), token.attrs, linker, folder)
        )
    elif token.type == "image":
        yield from _image_tokens(token, linker, folder)
    else:
        yield token


def _link_attributes(
    href: str, attrs: Mapping[str, object], linker: Linker, folder: str
) -> dict[str, str | int | float]:
    title: dict[str, str | int | float] = (
        {"title": str(attrs["title"])} if attrs.get("title") else {}
    )
    parts = split_address(href)
    if parts is None:
        return title
    if parts.scheme or href.startswith(("//", "\\")):
        outside = parts.scheme in _SCHEMES
        return (
            {"class": "n-out", "href": href, "rel": "noopener nofollow ugc", **title}
            if outside
            else title
        )
    address = (
        linker.address(posixpath.normpath(posixpath.join(folder, parts.path)))
        if parts.path
        else None
    )
    return {"href": address, **title} if address else title


def _image_tokens(token: Token, linker: Linker, folder: str) -> Iterator[Token]:
    source = str(token.attrs.get("src", ""))
    words = token.content or "image"
    parts = split_address(source)
    address = None
    if parts is not None and not parts.scheme and not source.startswith(("//", "/", "\\")):
        address = linker.address(posixpath.normpath(posixpath.join(folder, parts.path)))
    if address:
        attrs: dict[str, str | int | float] = {"src": address, "alt": "", "loading": "lazy"}
        yield token.copy(
            attrs={
                **attrs,
                **({"title": str(token.attrs["title"])} if "title" in token.attrs else {}),
            }
        )
    elif parts is not None and parts.scheme in ("http", "https"):
        yield Token("link_open", "a", 1, attrs=_link_attributes(source, {}, linker, folder))
        yield _text_token(f"{words} (an image elsewhere)", aside=True)
        yield Token("link_close", "a", -1)
    else:
        yield _text_token(f"{words} (an image that is missing)", aside=True)


def _prose_tokens(prose: str, linker: Linker) -> Iterator[Token]:
    done = 0
    for mention in mentions(prose):
        yield from _term_tokens(prose[done : mention.start], linker)
        done = mention.start
        target = linker.reference(mention.reference)
        if target is not None:
            yield from _linked_tokens(prose[done : mention.end], target)
            done = mention.end
    yield from _term_tokens(prose[done:], linker)


def _term_tokens(prose: str, linker: Linker) -> Iterator[Token]:
    done = 0
    if linker.terms is not None and linker.term is not None:
        for match in linker.terms.finditer(prose):
            target = linker.term(match["term"])
            if target is not None:
                yield from _word_tokens(prose[done : match.start()])
                yield from _linked_tokens(match[0], target)
                done = match.end()
    yield from _word_tokens(prose[done:])


def _linked_tokens(words: str, target: Target) -> Iterator[Token]:
    names = "n-term" if target.term else "n-ref n-gone" if target.gone else "n-ref"
    if target.href is None:
        yield raw_token(f'<span class="{names}">')
    else:
        attributes = {"class": names, "href": target.href, "data-revision": target.revision}
        attributes["title"] = (
            f"{target.title} ({target.note})"
            if target.title and target.note
            else (target.title or target.note)
        )
        written = " ".join(
            f'{name}="{escape(value)}"' for name, value in attributes.items() if value
        )
        yield raw_token(f"<a {written}>")
    yield from _word_tokens(words)
    if target.note:
        yield raw_token(f'<span class="n-vh"> ({escape(target.note)})</span>')
    yield raw_token("</span>" if target.href is None else "</a>")


def _word_tokens(prose: str) -> Iterator[Token]:
    for count, line in enumerate(prose.split("\n")):
        if count:
            yield Token("softbreak", "br", 0)
        if line:
            yield _text_token(line)


def _text_token(content: str, *, aside: bool = False) -> Token:
    return Token("text", "", 0, content=content, meta={ASIDE: True} if aside else {})


@functools.lru_cache(maxsize=16384)
def excerpt(text: str, most: int = 120) -> str:
    """Return the first words of a text, without its markup: at most `most` characters, and a `…` if
    it is cut.
    """
    pieces: list[str] = []
    for token in parser().parse(text[: most * 6]):
        pieces += [child.content or " " for child in token.children or () if child.type in _READ]
        pieces.append(" ")
        if sum(map(len, pieces)) > 2 * most:
            break
    whole = " ".join("".join(pieces).split())
    return whole if len(whole) <= most else f"{whole[:most].rsplit(' ', 1)[0].rstrip(',;:.')}…"
