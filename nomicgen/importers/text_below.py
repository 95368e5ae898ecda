"""What stands below a rule's text and is none of it: its history, annotations, judgements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from nomicgen.importers.text_lines import Line
from nomicgen.patterns import lazy_pattern

_APPARATUS = lazy_pattern(
    r" {0,3}(?P<dress>#{2,6}[ \t]*)?[*_]{0,3}(?P<kind>(?:Amendment )?History|Annotations|Judge?ments|Amendments)"
    r"(?P<sign>[*_:]*)[ \t]*",
    re.IGNORECASE,
)
_ENTRY = lazy_pattern(
    r"\b(?:Initial|Created|Enacted|Adopted|Passed|Amended|Repealed|Transmuted|Retitled|Renumbered|Mutated|Proposal|CFJ)\b"
    r"|\b(?:19|20)[0-9]{2}\b"
)
_MOST = 20
"""So many lines are looked at that may stand above a history."""
_WORDS = ("istory", "ISTORY", "nnotations", "NNOTATIONS", "ments", "MENTS")


def may_have_apparatus(text: str) -> bool:
    """Whether one of the words stands in a text with which such lines begin."""
    return any(word in text for word in _WORDS)


def without_apparatus(body: Sequence[Line]) -> tuple[list[Line], dict[str, list[Line]]]:
    """The lines of a rule's text, and by the words above them those of its history and the like."""
    heads = (
        at
        for at, line in enumerate(body)
        if (match := _APPARATUS.fullmatch(line.text)) and (match["dress"] or match["sign"])
    )
    for at in islice(heads, _MOST):
        lines = [line for line in body[at + 1 :] if not line.blank]
        if lines and 2 * sum(_ENTRY.search(line.text) is not None for line in lines) >= len(lines):
            below: dict[str, list[Line]] = {}
            kind = ""
            for line in body[at:]:
                if match := _APPARATUS.fullmatch(line.text):
                    kind = match["kind"].capitalize()
                elif not line.blank:
                    below.setdefault(kind, []).append(line)
            return list(body[:at]), below
    return list(body), {}
