"""What an import says of an archive: what happened in it, and every oddity; fit to be sent to the archive's keeper.

Words of the archive are kept apart from nomicgen's own: an `Oddity` quotes them in `quote`, and whoever prints them
makes code of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct, field

from nomicgen.diagnostics import Finding
from nomicgen.formats.markup import code_span, plain_words
from nomicgen.formats.terminal import safe

__all__ = ["Deed", "Oddities", "Oddity", "Report", "report_json", "report_markdown"]

_CELL = "|"


class Oddity(Struct, frozen=True, kw_only=True):
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
    """What an oddity is told of a commit."""

    @property
    def sha(self) -> str: ...


class Oddities(Struct):
    """What is told of a source, as it is found: `oddities` in their order."""

    oddities: list[Oddity] = []

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
        self.oddities.append(
            Oddity(
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


class Deed(Struct, frozen=True, kw_only=True):
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

    `totals` are counts by what they count, in words; `deeds` in the order of the ledger, `oddities` in that of the
    archive.
    """

    source: str
    totals: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    deeds: tuple[Deed, ...] = ()
    oddities: tuple[Oddity, ...] = ()


def report_markdown(report: Report) -> str:
    """The report as Markdown: totals, what could not be classed, oddities by kind, and every event.

    What the archive says stands in code spans, so that it is neither markup nor a link; ends in one line feed.
    """
    parts = [f"# Import of {code_span(report.source)}"]
    if report.totals:
        parts.append("\n".join(f"- {plain_words(what)}: {count}" for what, count in report.totals.items()))
    open_ = [one for one in report.oddities if one.unclassed]
    for heading, listed in (("What could not be classed", open_), ("Oddities", report.oddities)):
        if listed or heading == "Oddities":
            parts += [f"## {heading}", *(_kinds(listed) if listed else ["None."])]
    if report.deeds:
        parts += ["## Events", _table(report.deeds)]
    return "\n\n".join(parts) + "\n"


def report_json(report: Report) -> str:
    """The report as JSON: an object with `format` (1), `source`, `totals` (name: count), `events` and `oddities`.

    An event has the keys of `Deed`, an oddity those of `Oddity`; what is not known is null. Ends in one line feed.
    """
    document = {
        "format": 1,
        "source": report.source,
        "totals": dict(report.totals),
        "events": [_plain(one, _DEED) for one in report.deeds],
        "oddities": [_plain(one, _ODDITY) for one in report.oddities],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


_DEED = ("date", "committed", "commit", "subject", "author", "instrument", "what", "rule", "revision")
_ODDITY = ("slug", "commit", "path", "line", "message", "quote", "made", "unclassed")


def _plain(one: Deed | Oddity, keys: Sequence[str]) -> dict[str, object]:
    return {key: getattr(one, key) for key in keys}


def _kinds(oddities: Iterable[Oddity]) -> Iterator[str]:
    """A list for each kind, the kinds in the order in which they first come."""
    by_kind: dict[str, list[Oddity]] = {}
    for one in oddities:
        by_kind.setdefault(one.slug, []).append(one)
    for slug, listed in by_kind.items():
        yield f"### {slug} ({len(listed)})"
        yield "\n".join(f"- {_line(one)}" for one in listed)


def _line(one: Oddity) -> str:
    place = [code_span(one.commit[:12])] if one.commit else []
    if one.path:
        place.append(code_span(f"{one.path}:{one.line}" if one.line else one.path))
    said = f"{plain_words(one.message)}: {code_span(one.quote)}" if one.quote else plain_words(one.message)
    return f"{', '.join(place)}{' — ' if place else ''}{said}; {plain_words(one.made)}"


def _table(deeds: Iterable[Deed]) -> str:
    rows = ["| date | commit | subject | what | rule | instrument |", "|---|---|---|---|---|---|"]
    for one in deeds:
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
