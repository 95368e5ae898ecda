"""What an import says of its source: every warning; fit to be sent to the archive's keeper.

Words of the archive are kept apart from nomicgen's own: an `ArchiveWarning` quotes them in `quote`,
and whoever prints them makes code of them.
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
MOST = 10_000
"""So many warnings of one kind are kept of a text."""
_SHOWN = 12
_NUMBERS = r"`[^`]*`|\b[0-9a-f]{12}\b|[0-9]+(?:[/–-][0-9]+)?(?:(?:, | and )[0-9]+(?:[/–-][0-9]+)?)*"


class ArchiveWarning(Struct, frozen=True, kw_only=True):
    """Something odd about an archive, and what became of it.

    `slug` is its kind, in small letters and hyphens; `message` and `outcome` are nomicgen's own
    words, on one line each; `quote` are the archive's words that it is about. `commit` is a full
    id, `path` a file of the archive, `line` counts from 1.
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
        """`1f3a1f3a1f3a rules.md:12`, as far as it is known."""
        line = f":{self.line}" if self.path and self.line else ""
        return f"{(self.commit or '')[:12]} {self.path or ''}{line}".strip() or "the whole"


class ArchiveWarnings(Struct):
    """What is told of a source, as it is found: `all` in their order."""

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
        """Add one."""
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


def _alike(said: Iterable[_Said], words: Callable[[_Said], tuple[str, ...]]) -> list[list[_Said]]:
    """Return what is the same except for numbers and quotations, in the order of first mention."""
    groups: dict[tuple[str, ...], list[_Said]] = {}
    for one in said:
        groups.setdefault(tuple(re.sub(_NUMBERS, "#", text) for text in words(one)), []).append(one)
    return [*groups.values()]


def _times(places: Sequence[str]) -> str:
    """Return where else something is so: ` (68 times: also line 20; line 33 and 65 more)`."""
    if len(places) == 1:
        return ""
    more = len(places) - _PLACES
    return (
        f" ({len(places)} times: also "
        f"{'; '.join(places[1:_PLACES])}{f' and {more} more' if more > 0 else ''})"
    )


def alike_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings of one file, of which those that say the same are one.

    The first, with how many there are, and where.
    """
    return [
        replace(
            group[0],
            message=f"{group[0].message}{_times([f'line {one.span.line}' for one in group])}",
        )
        for group in _alike(findings, lambda one: (one.slug, one.message, one.help))
    ]


def report_lines(warnings: Iterable[ArchiveWarning]) -> Iterator[str]:
    """Yield the warnings for a terminal: a line for what is alike, of many kinds the first."""
    groups = _alike(warnings, lambda one: (one.slug, one.message, one.outcome))
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
    """Return everything that is odd about a source as Markdown, an item each.

    What the archive says stands in code spans, so that it is neither markup nor a link; ends in one
    line feed.
    """
    template = markdown_templates().get_template("import_report.md")
    return template.render(source=source, findings=[*findings], warnings=[*warnings])
