"""What an import says of an archive: what happened in it, and every warning; fit to be sent to the archive's keeper.

Words of the archive are kept apart from nomicgen's own: an `ArchiveWarning` quotes them in `quote`, and whoever
prints them makes code of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from nomicgen.files.file_findings import quoted
from nomicgen.formats.markdown_templates import markdown_templates
from nomicgen.model.findings import Finding

_PLACES = 3
MOST = 10_000
"""So many warnings of one kind are kept of a text."""
_SHOWN = 12
_NUMBERS = r"`[^`]*`|\b[0-9a-f]{12}\b|[0-9]+(?:[/–-][0-9]+)?(?:(?:, | and )[0-9]+(?:[/–-][0-9]+)?)*"


class ArchiveWarning(Struct, frozen=True, kw_only=True):
    """Something odd about an archive, and what was made of it.

    `slug` is its kind, in small letters and hyphens; `message` and `made` are nomicgen's own words, on one line each;
    `quote` are the archive's words that it is about. `commit` is a full id, `path` a file of the archive, `line` counts
    from 1. `unclassed` says that nobody could tell what something was.
    """

    slug: str
    message: str
    made: str
    quote: str = ""
    commit: str | None = None
    path: str | None = None
    line: int | None = None
    unclassed: bool = False

    @property
    def file_line(self) -> str:
        """`rules.md:12`, as far as it is known."""
        return f"{self.path or ''}{f':{self.line}' if self.path and self.line else ''}"


class _Commit(Protocol):
    """What a warning needs of a commit."""

    @property
    def sha(self) -> str: ...


class ArchiveWarnings(Struct):
    """What is told of a source, as it is found: `all` in their order."""

    all: list[ArchiveWarning] = []

    def add(
        self,
        slug: str,
        message: str,
        made: str,
        *,
        quote: str = "",
        commit: _Commit | None = None,
        path: str | None = None,
        line: int | None = None,
        unclassed: bool = False,
    ) -> None:
        """Adds one."""
        sha = commit.sha if commit else None
        self.all.append(
            ArchiveWarning(
                slug=slug,
                message=message,
                made=made,
                quote=quote,
                commit=sha,
                path=path,
                line=line,
                unclassed=unclassed,
            )
        )

    def take(self, findings: Iterable[Finding]) -> None:
        """Adds findings of a file of the source."""
        for finding in findings:
            self.add(finding.slug, finding.message, finding.help, path=finding.span.file, line=finding.span.line)


class ReportedEvent(Struct, frozen=True, kw_only=True):
    """Something that happened to a rule: `what` is a verb (`enacted`, `amended`, …), `rule` and `revision` are those
    afterwards (before, for a repeal); `instrument` is the file that tells of it. `date` is that of the ledger,
    `2020-07-27`, `committed` that of the commit, with its clock and zone.
    """

    date: str | None = None
    committed: str | None = None
    commit: str | None = None
    subject: str = ""
    author: str = ""
    instrument: str
    what: str
    rule: int
    revision: int | None

    @property
    def revised(self) -> str:
        """`203/1`, or `203` where nobody counts."""
        return str(self.rule) if self.revision is None else f"{self.rule}/{self.revision}"


class Report(Struct, frozen=True, kw_only=True):
    """What was read of `source` (a name, never a path of this machine).

    `totals` are counts by what they count, in words; `events` in the order of the ledger, `warnings` in that of the
    archive.
    """

    source: str
    totals: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    events: tuple[ReportedEvent, ...] = ()
    warnings: tuple[ArchiveWarning, ...] = ()


class Alike(Struct, frozen=True):
    """Warnings that say the same, but for numbers and what is quoted, in their order."""

    all: tuple[ArchiveWarning, ...]

    @property
    def first(self) -> ArchiveWarning:
        return self.all[0]

    @property
    def count(self) -> int:
        return len(self.all)

    @property
    def also(self) -> tuple[ArchiveWarning, ...]:
        """Those that are named beside the first."""
        return self.all[1:_PLACES]

    @property
    def unnamed(self) -> int:
        """How many more there are."""
        return len(self.all[_PLACES:])


def alike(warnings: Iterable[ArchiveWarning]) -> list[Alike]:
    """Warnings by what they say, in the order in which each is first said."""
    groups: dict[tuple[str, ...], list[ArchiveWarning]] = {}
    for warning in warnings:
        groups.setdefault((warning.slug, *_shapes(warning.message, warning.made)), []).append(warning)
    return [Alike(tuple(group)) for group in groups.values()]


def alike_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one file, of which those that say the same are one: the first, with how many there are, and where."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.slug, *_shapes(finding.message, finding.help)), []).append(finding)
    return [_folded(group) for group in groups.values()]


def _shapes(*words: str) -> Iterator[str]:
    return (re.sub(_NUMBERS, "#", text) for text in words)


def _folded(group: Sequence[Finding]) -> Finding:
    if len(group) == 1:
        return group[0]
    lines = [f"line {finding.span.line}" for finding in group[1:_PLACES]]
    return replace(group[0], message=f"{group[0].message} ({_times(len(group), lines)})")


def report_of(source: str, rules: int, findings: Iterable[Finding]) -> Report:
    """The report of one text, whose warnings are findings."""
    warnings = ArchiveWarnings()
    warnings.take(findings)
    return Report(source=source, totals={"rules": rules, "oddities": len(warnings.all)}, warnings=tuple(warnings.all))


def _times(count: int, others: Sequence[str]) -> str:
    """`68 times: also line 20; line 33 and 65 more`."""
    more = count - 1 - len(others)
    return f"{count} times: also {'; '.join(others)}{f' and {more} more' if more else ''}"


def report_lines(report: Report) -> Iterator[str]:
    """The warnings for a terminal: a line for what is alike, of many kinds the first."""
    groups = alike(report.warnings)
    for group in groups[:_SHOWN]:
        first = group.first
        quote = f": {quoted(first.quote)}" if first.quote else ""
        others = [_where(warning) for warning in group.also]
        times = f" ({_times(group.count, others)})" if others else ""
        yield f"{_where(first)}: {first.slug}: {first.message}{quote}; {first.made}{times}"
    if len(groups) > _SHOWN:
        yield f"and {len(groups) - _SHOWN} more kinds of oddities: `--report FILE` has all"


def _where(warning: ArchiveWarning) -> str:
    """`1f3a1f3a1f3a rules.md:12`."""
    return f"{(warning.commit or '')[:12]} {warning.file_line}".strip() or "the whole"


def report_markdown(report: Report) -> str:
    """The report as Markdown: totals, what could not be classed, warnings by kind, and every event.

    What is alike is one item, but for what could not be classed. What the archive says stands in code spans, so that it
    is neither markup nor a link; ends in one line feed.
    """

    unclassed = [Alike((warning,)) for warning in report.warnings if warning.unclassed]
    template = markdown_templates().get_template("import_report.md")
    kinds = _by_slug(alike(report.warnings))
    return template.render(report=report, unclassed=_by_slug(unclassed), kinds_of_warnings=kinds)


def _by_slug(groups: Iterable[Alike]) -> Mapping[str, Sequence[Alike]]:
    groups_by_slug: dict[str, list[Alike]] = {}
    for group in groups:
        groups_by_slug.setdefault(group.first.slug, []).append(group)
    return groups_by_slug


def report_json(report: Report) -> str:
    """The report as JSON: an object with `format` (1), `source`, `totals` (name: count), `events` and `oddities`.

    An event has the keys of `ReportedEvent`. Warnings that are alike are one, with what the first of them says, their
    `count`, and the `places` of all: `commit`, `path`, `line`, `quote`, and the `message` where its numbers are others.
    What is not known is null. Ends in one line feed.
    """
    document = {
        "format": 1,
        "source": report.source,
        "totals": dict(report.totals),
        "events": [asdict(event) for event in report.events],
        "oddities": [
            {
                **_keys_of(group.first, ("slug", "message", "made", "unclassed")),
                "count": group.count,
                "places": [_place(warning, group.first) for warning in group.all],
            }
            for group in alike(report.warnings)
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _place(warning: ArchiveWarning, first: ArchiveWarning) -> dict[str, object]:
    keys = ("commit", "path", "line", "quote")
    return _keys_of(warning, keys if warning.message == first.message else (*keys, "message"))


def _keys_of(warning: ArchiveWarning, keys: Sequence[str]) -> dict[str, object]:
    return {key: getattr(warning, key) for key in keys}
