"""HTML in a draft, written in Markdown. Pure."""

from __future__ import annotations

import re

from nomicgen.archive.draft import Draft
from nomicgen.diagnostics import Edit, Finding, Mending
from nomicgen.patterns import lazy_pattern

_MARKS = {
    "b": "**",
    "strong": "**",
    "i": "*",
    "em": "*",
    "code": "`",
    "tt": "`",
    "s": "~~",
    "del": "~~",
    "strike": "~~",
}
_SILENT = {
    "p", "div", "center", "u", "font", "big", "small", "mark", "details", "summary", "section", "article", "header",
    "footer", "main", "body", "html", "head", "hr", "br", "span", "h1", "h2", "h3", "h4", "h5", "h6", "ins", "abbr",
    "cite", "q", "label", "a",
}  # fmt: skip
_KEPT = ("sub", "sup", "br", "span")
_TAG = lazy_pattern(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_LINK = lazy_pattern(r"<a\s[^<>]*href\s*=\s*[\"']?(https?://[^\s\"'<>()]+)[\"']?[^<>]*>([^<]*)</a\s*>", re.IGNORECASE)
_ODD = lazy_pattern(r"<(?=[!?/A-Za-z])")


def mended_html(finding: Finding, draft: Draft) -> Mending | None:
    """The block in which HTML stands, in Markdown: marks for what has any, and no comments."""
    first = last = finding.span.line - 1
    if "<!--" in draft.lines[first]:
        while last + 1 < len(draft.lines) and "-->" not in draft.lines[last]:
            last += 1
    before = "\n".join(draft.lines[first : last + 1])
    plain = _LINK.sub(r"[\2](\1)", _without_comments(before))
    plain = _TAG.sub(lambda found: _mark(found, plain.strip() == found[0]), plain)
    if plain == before or not plain.strip():
        plain = _ODD.sub(r"\\<", before) if plain == before else ""
    said = "write it in Markdown, such as `**bold**`; of HTML a text may hold sub, sup, br and span"
    return Mending(said=said, edits=(Edit(first + 1, last + 1, tuple(plain.split("\n"))),))


def _without_comments(text: str) -> str:
    kept = []
    while "<!--" in text:
        before, _, after = text.partition("<!--")
        comment, ends, text = after.partition("-->")
        kept.append(before if ends else f"{before}<!--{comment}")
    return "".join([*kept, text])


def _mark(found: re.Match[str], alone: bool) -> str:
    name = found[1].lower()
    if name in _MARKS:
        return _MARKS[name]
    if name in _KEPT and not alone and re.fullmatch(r"</?\w+ ?/?>", found[0]):
        return found[0]
    return "" if name in _SILENT else f"\\{found[0]}"
