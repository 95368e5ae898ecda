"""The files of a game that was kept elsewhere: written alike for every source, and for `nomicgen
record`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from msgspec import Struct, field

from nomicgen.files.game_files import read_game
from nomicgen.files.yaml_writing import write_front_matter, write_yaml
from nomicgen.importers.certificate import Observed
from nomicgen.importers.import_report import ArchiveWarning
from nomicgen.importers.instruments import ImportedInstrument
from nomicgen.importers.lines import runs_of
from nomicgen.importers.proof_headings import HEADING_WORDS
from nomicgen.importers.proof_words import MARKS, words_of
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment

ABOVE = "docs/above-the-rules.md"
"""The page for what stands above the rules of a text."""
_MARK = r"[\\`*_{}\[\]<>&#!|~]|^[-+=0-9]"
"""A sign that Markdown or HTML may take for markup, there or at the beginning of a line."""


def above_page(parts: Sequence[tuple[str, str]], tiers: Iterable[str]) -> dict[str, bytes]:
    """Return the page for what stands above the rules, by its path; nothing if all parts only
    say that rules begin. A part is a heading, '' for none, and a text; nothing in them is markup.
    """
    told = [(heading, words) for heading, words in parts if _says_more(words, tiers)]
    made = ["# Above the rules\n"]
    for heading, words in told:
        made += [f"## {heading}\n"] if heading else []
        made += [
            re.sub(_MARK, lambda mark: f"&#{ord(mark[0])};", line.strip())
            for line in words.split("\n")
        ]
        made.append("")
    return {ABOVE: "\n".join(made).encode()} if told else {}


def _says_more(words: str, tiers: Iterable[str]) -> bool:
    return bool((set(words_of(words).casefold().split()) - HEADING_WORDS - MARKS).difference(tiers))


class ImportedGame(Struct, frozen=True, kw_only=True):
    """What an importer makes of a source: files by path, none if it can read no rule there.

    `findings` tell what is odd about a single file, `warnings` about a repository or a data set.
    `observed` is the source, for comparison with the files.
    """

    files: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    findings: tuple[Finding, ...] = ()
    warnings: tuple[ArchiveWarning, ...] = ()
    observed: Observed | None = None


def settings_file(
    name: str,
    tiers: Sequence[str],
    *,
    started: Moment | None = None,
    links: Mapping[str, str] | None = None,
    groups: Mapping[str, object] | None = None,
    sections: Mapping[str, str] | None = None,
    lost: Mapping[str, object],
) -> bytes:
    """Return `nomic.yml`; `lost` says what is lost, as that key of the file does."""
    return write_yaml(
        {
            "format": 1,
            "name": name,
            "links": dict(links) if links else None,
            "started": started,
            "tiers": list(tiers),
            "groups": dict(groups) if groups else None,
            "sections": dict(sections) if sections else None,
            "lost": {kind: gone for kind, gone in lost.items() if gone} or None,
        }
    )


def player_files(players: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of players of the past; `players` has their ids by name."""
    return {
        f"players/{ident}.yml": write_yaml({"name": name, "kind": "past"})
        for name, ident in players.items()
    }


def instrument_file(
    instrument: ImportedInstrument, by: str | None, coauthors: Sequence[str] = ()
) -> bytes:
    """Return the file of an instrument that was decided elsewhere; nothing is known of its votes.

    `by` and the coauthors are ids of players; `by` may be the number of a rule that acts.
    """
    body = "\n\n".join(instrument.instructions)
    numbered: dict[str, object] = {"number": instrument.number, "title": instrument.title or None}
    dated: dict[str, object] = {"date": instrument.date, "turn": instrument.turn}
    placed: dict[str, object] = {"effective": instrument.effective, "seq": instrument.seq or None}
    last: dict[str, object] = {"commit": instrument.commit, "note": instrument.note or None}
    if instrument.kind == "act":
        acting: dict[str, object] = {"cause": instrument.cause, "by": by}
        return write_front_matter(acting | dated | placed | last, body)
    if instrument.kind == "proposal":
        authors = {"author": by, "coauthors": [*coauthors] or None, "turn": instrument.turn}
        decided = {
            "status": instrument.status,
            "decided": instrument.date,
            **placed,
            "votes": "unrecorded",
        }
        return write_front_matter(numbered | authors | decided | last, body)
    stands = {"rules": instrument.rules or None, "status": "upheld"}
    ruling = "\n\n".join(part for part in ("## Ruling", instrument.ruling, body) if part)
    return write_front_matter(numbered | {"judge": by} | dated | placed | stands | last, ruling)


def with_rules(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files together with `rules/`, which follows from them."""
    records, _ = read_game(files)
    return dict(sorted({**files, **ruleset_files(replay(records).current)}.items()))


def gaps(numbers: Iterable[int], first: int | None = None) -> list[int | str]:
    """Return the numbers that are missing below the last, from `first` on, or from the lowest; a
    run of them as `2-7`.
    """
    known = sorted({*numbers})
    begun = known if first is None else [first - 1, *known]
    return [_run(before + 1, after - 1) for before, after in pairwise(begun) if after - before > 1]


def lost_of(instruments: Iterable[ImportedInstrument]) -> dict[str, object]:
    """Return `lost` for some instruments: the numbers that are missing between proposals, and those
    that are missing below the highest of the judgements.
    """
    numbers: dict[str, list[int]] = {"proposal": [], "judgement": [], "act": []}
    for one in instruments:
        numbers[one.kind].append(one.number)
    return {"proposals": gaps(numbers["proposal"]), "judgements": gaps(numbers["judgement"], 1)}


def ranges(numbers: Iterable[int]) -> list[int | str]:
    """Return numbers in order, a run of them as `2-7`."""
    return [_run(first, last) for first, last in runs_of(numbers)]


def _run(first: int, last: int) -> int | str:
    return first if first == last else f"{first}-{last}"
