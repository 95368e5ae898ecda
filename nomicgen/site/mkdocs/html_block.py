"""Renders our pages without Python-Markdown. A page of ours is one block of HTML.
Python-Markdown would leave it as it is, and reading all pages would take it a third of a build.

If a person set up an extension that we do not know, or another plugin changed a page,
Python-Markdown renders it all the same.
"""

from __future__ import annotations

import re
from html import unescape

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents

_PYMDOWNX = (
    *("betterem", "caret", "critic", "details", "highlight", "inlinehilite", "keys"),
    *("mark", "smartsymbols", "superfences", "tabbed", "tasklist", "tilde"),
)
EXTENSIONS = frozenset(
    {
        *("abbr", "admonition", "attr_list", "def_list", "fenced_code", "footnotes"),
        *("md_in_html", "sane_lists", "smarty", "tables", "toc"),
        *(f"pymdownx.{name}" for name in _PYMDOWNX),
    }
)
"""Extensions that read only a page's own Markdown, and leave blocks of HTML alone."""

_ID = r'<[a-z][^>]*?\sid="([^"]*)"'


def render(page: Page, config: MkDocsConfig, files: Files) -> None:
    """Do what `Page.render` does, only faster for a page of ours that nobody changed."""
    text = page.markdown or ""
    source = page.file.content_string if page.file.generated_by == "nomicgen" else ""
    # MkDocs has cut off the front matter: the text of an unchanged page is the source's end.
    if (
        not text
        or not source.endswith(text)
        or not EXTENSIONS.issuperset(config.markdown_extensions)
    ):
        Page.render(page, config, files)
        return
    # Both are the same object, not a copy: MkDocs holds the texts of all pages in memory.
    page.content = page.markdown = text.strip()
    page.toc = TableOfContents([])
    page.present_anchor_ids = {unescape(ident) for ident in re.findall(_ID, page.content)}
