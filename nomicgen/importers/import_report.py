"""What an import says of an archive: what happened in it, and every warning; fit to be sent to the archive's keeper.

Words of the archive are kept apart from nomicgen's own: an `ArchiveWarning` quotes them in `quote`, and whoever
prints them makes code of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgen.diagnostics import Finding
from nomicgen.files.file_findings import quoted
from nomicgen.formats.markdown_escapes import code_span, plain_words
from nomicgen.formats.terminal import safe
from nomicgen.patterns import lazy_pattern

_CELL = "|"
_PLACES = 3
MOST = 10_000
"""So many warnings of one kind are kept of a text."""
_SHOWN = 12
_NUMBERS = lazy_pattern(r"`[^`]*`|\b[0-9a-f]{12}\b|[0-9]+(?:[/–-][0-9]+)?(?:(?:, | and )[0-9]+(?:[/–-][0-9]+)?)*")


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
        for one in findings:
            self.add(one.slug, one.message, one.help, path=one.span.file, line=one.span.line)


class ReportedEvent(Struct, frozen=True, kw_only=True):
    """Something that happened to a rule: `what` is a verb (`enacted`, `amended`, …), `rule` and `revision` are those
    afterwards (before, for a repeal); `instrument` is the file that tells of it. `date` is that of the ledger,
    `2020-07-27`, `committed` that of the commit, with its clock and zone.
    """

    what: str
    rule: int
    revision: int | None
    instrument: str
    date: str | None = None
    committed: str | None = None
    commit: str | None = None
    subject: str = ""
    author: str = ""


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


def alike(warnings: Iterable[ArchiveWarning]) -> list[Alike]:
    """Warnings by what they say, in the order in which each is first said."""
    found: dict[tuple[str, ...], list[ArchiveWarning]] = {}
    for one in warnings:
        found.setdefault((one.slug, *_shapes(one.message, one.made)), []).append(one)
    return [Alike(tuple(some)) for some in found.values()]


def alike_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one file, of which those that say the same are one: the first, with how many there are, and where."""
    found: dict[tuple[str, ...], list[Finding]] = {}
    for one in findings:
        found.setdefault((one.slug, *_shapes(one.message, one.help)), []).append(one)
    return [_folded(some) for some in found.values()]


def _shapes(*words: str) -> Iterator[str]:
    return (_NUMBERS.sub("#", one) for one in words)


def _folded(some: Sequence[Finding]) -> Finding:
    if len(some) == 1:
        return some[0]
    lines = [str(one.span.line) for one in some[1:_PLACES]]
    return replace(some[0], message=f"{some[0].message} ({_times(len(some), lines, 'line ')})")


def report_of(source: str, rules: int, findings: Iterable[Finding]) -> Report:
    """The report of one text, whose warnings are findings."""
    told = ArchiveWarnings()
    told.take(findings)
    return Report(source=source, totals={"rules": rules, "oddities": len(told.all)}, warnings=tuple(told.all))


def _times(count: int, others: Sequence[str], of: str = "") -> str:
    """`68 times: also line 20, line 33 and 65 more`."""
    more = count - 1 - len(others)
    return f"{count} times: also {'; '.join(f'{of}{one}' for one in others)}{f' and {more} more' if more else ''}"


def report_lines(report: Report) -> Iterator[str]:
    """The warnings for a terminal: a line for what is alike, of many kinds the first."""
    groups = alike(report.warnings)
    for one in groups[:_SHOWN]:
        first = one.first
        quote = f": {quoted(first.quote)}" if first.quote else ""
        others = [_where(each) for each in one.all[1:_PLACES]]
        times = f" ({_times(len(one.all), others)})" if others else ""
        where = _where(first)
        yield f"{where}{': ' if where else ''}{first.slug}: {first.message}{quote}; {first.made}{times}"
    if len(groups) > _SHOWN:
        yield f"and {len(groups) - _SHOWN} more kinds of oddities: `--report FILE` has all"


def _where(one: ArchiveWarning) -> str:
    """`1f3a1f3a1f3a rules.md:12`."""
    path = f"{one.path}:{one.line}" if one.path and one.line else one.path
    return " ".join(part for part in (one.commit[:12] if one.commit else None, path) if part) or "the whole"


def report_markdown(report: Report) -> str:
    """The report as Markdown: totals, what could not be classed, warnings by kind, and every event.

    What is alike is one item, but for what could not be classed. What the archive says stands in code spans, so that it
    is neither markup nor a link; ends in one line feed.
    """
    parts = [f"# Import of {code_span(report.source)}"]
    if report.totals:
        parts.append("\n".join(f"- {plain_words(what)}: {count}" for what, count in report.totals.items()))
    if open_ := [Alike((one,)) for one in report.warnings if one.unclassed]:
        parts += ["## What could not be classed", *_kinds(open_)]
    parts += ["## Oddities", *(_kinds(alike(report.warnings)) if report.warnings else ["None."])]
    if report.events:
        parts += ["## Events", _table(report.events)]
    return "\n\n".join(parts) + "\n"


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
        "events": [_plain(one, _EVENT) for one in report.events],
        "oddities": [
            {
                **_plain(one.first, _WARNING),
                "count": len(one.all),
                "places": [_told_of(each, one.first) for each in one.all],
            }
            for one in alike(report.warnings)
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


_EVENT = ("date", "committed", "commit", "subject", "author", "instrument", "what", "rule", "revision")
_WARNING = ("slug", "message", "made", "unclassed")
_PLACE = ("commit", "path", "line", "quote")


def _plain(one: ReportedEvent | ArchiveWarning, keys: Sequence[str]) -> dict[str, object]:
    return {key: getattr(one, key) for key in keys}


def _told_of(one: ArchiveWarning, first: ArchiveWarning) -> dict[str, object]:
    return {**_plain(one, _PLACE), **({"message": one.message} if one.message != first.message else {})}


def _kinds(groups: Iterable[Alike]) -> Iterator[str]:
    """A list for each kind, the kinds in the order in which they first come."""
    by_kind: dict[str, list[Alike]] = {}
    for one in groups:
        by_kind.setdefault(one.first.slug, []).append(one)
    for slug, listed in by_kind.items():
        yield f"### {slug} ({sum(len(one.all) for one in listed)})"
        yield "\n".join(f"- {_line(one)}" for one in listed)


def _line(group: Alike) -> str:
    one = group.first
    place = _place(one)
    said = f"{plain_words(one.message)}: {code_span(one.quote)}" if one.quote else plain_words(one.message)
    others = [
        f"{_place(each)}{f' {code_span(each.quote)}' if each.quote != one.quote else ''}".strip() or "again"
        for each in group.all[1:_PLACES]
    ]
    times = f" ({_times(len(group.all), others)})" if others else ""
    return f"{place}{' — ' if place else ''}{said}; {plain_words(one.made)}{times}"


def _place(one: ArchiveWarning) -> str:
    place = [code_span(one.commit[:12])] if one.commit else []
    if one.path:
        place.append(code_span(f"{one.path}:{one.line}" if one.line else one.path))
    return ", ".join(place)


def _table(events: Iterable[ReportedEvent]) -> str:
    rows = ["| date | commit | subject | what | rule | instrument |", "|---|---|---|---|---|---|"]
    for one in events:
        rule = str(one.rule) if one.revision is None else f"{one.rule}/{one.revision}"
        cells = (
            one.date or "",
            code_span(one.commit[:12]) if one.commit else "",
            _cell(one.subject),
            plain_words(one.what),
            rule,
            _cell(one.instrument),
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _cell(words: str) -> str:
    """Words of the archive in a table, where a bar ends a cell even in code."""
    return code_span(safe(words).replace(_CELL, "\\|")) if words.strip() else ""
