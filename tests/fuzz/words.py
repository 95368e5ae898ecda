"""What stands in one line: citations, references, dates, headings, lines of histories, subjects of
commits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from nomicgen.files.file_findings import quoted
from nomicgen.files.headings import EXAMPLES, Heading, looks_like_instruction, parse_heading
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.formats.markdown_escapes import code_span, plain_words
from nomicgen.formats.terminal import safe
from nomicgen.history.citations import parse_citation
from nomicgen.importers.derived_names import player_ids, sha_of, slug
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.long.history_lines import parse_history_line, parse_judgement_line
from nomicgen.importers.tiers import TierMap
from nomicgen.model.values import Moment, RuleRef, parse_fraction
from tests.fuzz.target import Target

T = TypeVar("T")

_SUBJECTS = Subjects()


def lines(data: bytes) -> None:
    """Each line, to everything that reads one."""
    for line in data.decode("utf-8", "replace").split("\n")[:50]:
        _cited(line)
        _headed(line)
        _imported(line)
        _shown(line)


def _value_or_none(read: Callable[[str], T], line: str) -> T | None:
    """What a reader gives that raises ValueError, with words, for what it cannot read, and nothing
    else.
    """
    try:
        return read(line)
    except ValueError as error:
        said = str(error)
    assert said, line
    return None


def _cited(line: str) -> None:
    """What is read is the same when it is written out and read again."""
    citation = _value_or_none(parse_citation, line)
    if citation is not None:
        on = f"@{citation.on}" if citation.on else ""
        assert parse_citation(f"R{citation.rule}{on}") == citation
    ref = _value_or_none(RuleRef.parse, line)
    assert ref is None or str(ref) == line
    moment = _value_or_none(Moment.parse, line)
    assert moment is None or (Moment.parse(str(moment)) == moment and line.isascii())
    fraction = _value_or_none(parse_fraction, line)
    assert fraction is None or line.isascii()
    tiers = _value_or_none(TierMap.parse, line)
    assert tiers is None or TierMap.parse(str(tiers)) == tiers


def _headed(line: str) -> None:
    found = parse_heading(line)
    if isinstance(found, Heading):
        assert _heading(found) == line
    else:
        assert found.message
        assert found.help
    looks_like_instruction(line)


def _heading(one: Heading) -> str:
    """A heading as it is written."""
    if one.verb == "enact":
        number, title = (
            f" {one.number}" if one.number else "",
            f": {one.title}" if one.title else "",
        )
        return f"Enact Rule{number}{title}"
    verb = EXAMPLES[one.verb].split()[1]
    ending = {
        "transmute": f" to {one.tier}",
        "retitle": f": {one.title}",
        "renumber": f" to {one.number}",
    }
    return f"{verb} Rule {one.target}{ending.get(one.verb, '')}"


def _imported(line: str) -> None:
    parse_history_line(line)
    judgement = parse_judgement_line(("Wren", "Rook (the second)"), line)
    assert judgement is None or judgement.text.strip()
    said = _SUBJECTS.read(line)
    assert said.kind in (None, "act") or said.cause in line
    sha = sha_of(line)
    assert sha is None or sha in line
    assert slug(line, "x").isascii()
    assert len(set(player_ids([line, line.upper(), line.casefold(), f" {line}"]).values())) == len(
        {line, line.upper(), line.casefold(), f" {line}"}
    )


def _shown(line: str) -> None:
    """What is shown of it is one line, and nothing in it is invisible or a command of a
    terminal.
    """
    assert quoted(line)[1:-1].isprintable()
    assert "\n" not in code_span(line)
    assert "\n" not in plain_words(line)
    assert re.search(CONTROLS, safe(line)) is None


def _seeds() -> Iterator[bytes]:
    yield (
        b"R203/1@2020-07-27\nP329\nCFJ 4\nturn R4T3\nRule 203\nacts/x\n2020-07-26T18:30\n20/3\n"
        b"15%\n"
    )
    yield "\n".join(one.removeprefix("## ") for one in EXAMPLES.values()).encode()
    yield (
        b"immutable=101-199,mutable=200-\n## Rule 203/1 (IMMUTABLE) [void]: Title\n"
        b"Proposal 308, 309 and 311: x\n"
    )
    yield (
        b"[*Amended (1) by Proposal 305 (Rook), Mar 1, 2021 (R1T1)*](https://x.example/commit/"
        + b"a" * 40
        + b")\n"
    )
    yield (
        b"*Initial immutable Rule 101, Mar 1, 2021*\n*Created from Correction, Jul 3, 2020*\n"
        b"*It is. (Wren), Mar 1, 2021*\n"
    )
    yield (
        b'Revert "Proposal 301"\nJudgment of call 4 (Wren)\nTemporary Rule 601\n'
        b"> 1. ## amend rule 203\n"
        b"&#35;# Enact Rule\n"
    )


TARGETS = (
    Target(
        name="words",
        run=lines,
        seeds=_seeds,
        words=(
            *(
                "Rule ",
                "Proposal ",
                "Judgement ",
                "CFJ ",
                "Amended (1) by ",
                "Repealed by ",
                "Transmuted to x by ",
            ),
            *(
                "Renumbered from 9 by ",
                "Retitled by ",
                "Marked by ",
                "Initial mutable Rule ",
                ", Mar 1, 2021",
                " (R1T1)",
            ),
            *(
                "](http://",
                "*](",
                "[*",
                " to ",
                "-",
                "–",
                "\u200b",
                "\u202e",
                "\x1b[31m",
                "\x9b",
                "１",
                "٣",
                "&#35;",
                "＃",
            ),
        ),
        longest=2048,
    ),
)
