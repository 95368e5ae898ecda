"""The report of an import: everything that is odd about its source, for whoever keeps the archive.

The archive's own words are kept apart, in `quote`, so that whoever prints them can mark them as
code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.formats.markdown_templates import markdown_templates
from nomicgen.importers.commit_log import PastCommit
from nomicgen.model.findings import Finding

_Said = TypeVar("_Said")

_PLACES = 3
"""The most places that are named of warnings that are alike."""
MOST = 10_000
"""The most findings of one kind that are kept of a text."""
_SHOWN = 12
"""The most kinds of warnings that are shown at a terminal."""
_NUMBERS = r"`[^`]*`|\b[0-9a-f]{12}\b|[0-9]+(?:[/–-][0-9]+)?(?:(?:, | and )[0-9]+(?:[/–-][0-9]+)?)*"
"""Where messages that are alike may differ: quotations, commits, numbers and lists of them."""


class ArchiveWarning(Struct, frozen=True, kw_only=True):
    """Something odd about an archive.

    `slug` is its kind, in small letters and hyphens. `message` says what is odd and `outcome` what
    the import made of it, both in nomicgen's words on one line; `quote` are the archive's words
    that it is about. `commit` is a full id, `path` a file of the archive, `line` counts from 1.
    """

    slug: str
    message: str
    outcome: str
    quote: str = ""
    commit: str | None = None
    path: str | None = None
    line: int | None = None

    @property
    def place(self) -> str:
        """Where it is, such as `1f3a1f3a1f3a rules.md:12`, as far as that is known."""
        line = f":{self.line}" if self.path and self.line else ""
        return f"{(self.commit or '')[:12]} {self.path or ''}{line}".strip() or "the whole"


class ArchiveWarnings(Struct):
    """The warnings about a source, in the order in which they are found."""

    all: list[ArchiveWarning] = []

    def add(
        self,
        slug: str,
        message: str,
        outcome: str,
        *,
        quote: str = "",
        commit: PastCommit | None = None,
        path: str | None = None,
        line: int | None = None,
    ) -> None:
        """Add a warning."""
        sha = commit.sha if commit else None
        self.all.append(
            ArchiveWarning(
                slug=slug,
                message=message,
                outcome=outcome,
                quote=quote,
                commit=sha,
                path=path,
                line=line,
            )
        )


def _group_alike(
    said: Iterable[_Said], words: Callable[[_Said], tuple[str, ...]]
) -> list[list[_Said]]:
    """Return groups whose `words` are the same except for numbers and quotations, in the order of
    their first members.
    """
    groups: dict[tuple[str, ...], list[_Said]] = {}
    for one in said:
        groups.setdefault(tuple(re.sub(_NUMBERS, "#", text) for text in words(one)), []).append(one)
    return [*groups.values()]


def _times(places: Sequence[str]) -> str:
    """Return how often something is said and where else: ` (68 times: also line 20; line 33 and 65
    more)`. The first place is not named again.
    """
    if len(places) == 1:
        return ""
    more = len(places) - _PLACES
    return (
        f" ({len(places)} times: also "
        f"{'; '.join(places[1:_PLACES])}{f' and {more} more' if more > 0 else ''})"
    )


def alike_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings of one file, with one for all that say the same: it stands at the first
    place, and its message says how many there are, and where.
    """
    return [
        replace(
            group[0],
            message=f"{group[0].message}{_times([f'line {one.span.line}' for one in group])}",
        )
        for group in _group_alike(findings, lambda one: (one.slug, one.message, one.help))
    ]


def report_lines(warnings: Iterable[ArchiveWarning]) -> Iterator[str]:
    """Yield the warnings for a terminal, one line for all that are alike: at most `_SHOWN` lines,
    and one that counts the rest.
    """
    groups = _group_alike(warnings, lambda one: (one.slug, one.message, one.outcome))
    for group in groups[:_SHOWN]:
        first = group[0]
        quote = f": {quoted(first.quote)}" if first.quote else ""
        times = _times([one.place for one in group])
        yield f"{first.place}: {first.slug}: {first.message}{quote}; {first.outcome}{times}"
    if len(groups) > _SHOWN:
        yield f"and {len(groups) - _SHOWN} more kinds of oddities: `--report FILE` has all"


def report_markdown(
    source: str, findings: Iterable[Finding], warnings: Iterable[ArchiveWarning]
) -> str:
    """Return everything that is odd about a source, as a list in Markdown that ends in one line
    feed.

    The archive's words stand in code spans, so that they are neither markup nor links.
    """
    template = markdown_templates().get_template("import_report.md")
    return template.render(source=source, findings=[*findings], warnings=[*warnings])
