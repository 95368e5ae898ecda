"""HTML in a draft, written in Markdown."""

from __future__ import annotations

import re

from nomicgen.model.findings import Edit, Finding, Mending
from nomicgen.play.draft import Draft

# Tags that are left out; the words in them stay.
_SILENT = (
    "p|div|center|u|font|big|small|mark|details|summary|section|article|header|footer|main|body|html|head|hr|br|span"
    "|h[1-6]|ins|abbr|cite|q|label|a"
)
_IN_MARKDOWN = (
    (r"<!--.*?-->", ""),
    (
        r"<a\s[^<>]*href\s*=\s*[\"']?(https?://[^\s\"'<>()]+)[\"']?[^<>]*>([^<]*)</a\s*>",
        r"[\2](\1)",
    ),
    (r"</?(?:b|strong)\b[^<>]*>", "**"),
    (r"</?(?:i|em)\b[^<>]*>", "*"),
    (r"</?(?:code|tt)\b[^<>]*>", "`"),
    (r"</?(?:s|del|strike)\b[^<>]*>", "~~"),
    (rf"</?(?:{_SILENT})\b[^<>]*>", ""),
    (r"<(?=[!?/A-Za-z])(?!/?(?:sub|sup) ?/?>)", r"\\<"),
)
"""Patterns of HTML with what takes their place, in this order. The last escapes what is left,
except `sub` and `sup`.
"""


def mended_html(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending of a line with HTML, or of all lines of a comment that begins on it."""
    first = last = finding.span.line - 1
    if "<!--" in draft.lines[first]:
        while last + 1 < len(draft.lines) and "-->" not in draft.lines[last]:
            last += 1
    text = "\n".join(draft.lines[first : last + 1])
    for pattern, markdown in _IN_MARKDOWN:
        text = re.sub(pattern, markdown, text, flags=re.IGNORECASE | re.DOTALL)
    return Mending(said=finding.help, edits=(Edit(first + 1, last + 1, tuple(text.split("\n"))),))
