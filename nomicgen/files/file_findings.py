"""The findings of one file, limited in number, so that they do not bury those of other files."""

from __future__ import annotations

import re

from nomicgen.model.findings import Finding, ordered
from nomicgen.model.values import Span

LIMIT = 20
"""How many findings with the same slug are kept of one file."""
_DRAFT = r"proposals/(?![0-9]+\.md\Z)[^/]+\.md\Z"


class Notes:
    """The findings of one file. Of each slug the first `limit` are kept, and one more that counts
    the rest.
    """

    def __init__(self, file: str, limit: int = LIMIT) -> None:
        self.file, self.limit = file, limit
        self._kept: list[Finding] = []
        self._counts: dict[str, int] = {}
        self._overflow: dict[str, Finding] = {}

    def __bool__(self) -> bool:
        return bool(self._counts)

    def __contains__(self, slug: str) -> bool:
        return slug in self._counts

    def at(self, slug: str, line: int, column: int, message: str, help: str) -> None:
        """Add a finding; `line` and `column` count from 1."""
        self.add(slug, Span(file=self.file, line=line, column=column), message, help)

    def add(self, slug: str, span: Span, message: str, help: str) -> None:
        """Add a finding at `span`."""
        count = self._counts[slug] = self._counts.get(slug, 0) + 1
        if count <= self.limit:
            self._kept.append(Finding(slug=slug, span=span, message=message, help=help))
        elif slug not in self._overflow:
            self._overflow[slug] = Finding(slug=slug, span=span, message=message, help=help)

    def findings(self) -> tuple[Finding, ...]:
        """Return all findings, in the order of their places."""
        if not self._kept:
            return ()
        return ordered([*self._kept, *(self._rest(finding) for finding in self._overflow.values())])

    def _rest(self, first: Finding) -> Finding:
        rest = self._counts[first.slug] - self.limit
        if rest == 1:
            return first
        return Finding(
            slug=first.slug,
            span=first.span,
            message=f"{first.message} (and {rest - 1} more of this kind further down)",
            help=first.help,
        )


def is_draft(file: str) -> bool:
    """Return whether a path is that of a proposal without a number."""
    return re.match(_DRAFT, file) is not None


def quoted(text: str, limit: int = 60) -> str:
    """Return a player's words for a message, in backticks.

    Control characters and line feeds are written as escapes, such as `\\n`. A text of more than
    `limit` characters is shortened.
    """
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode()
        for char in text[: limit + 1]
    )
    if len(text) > limit:
        shown = f"{shown[: limit - 1]}…"
    return f"`{shown}`"
