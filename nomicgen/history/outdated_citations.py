"""Citations of a game's rules in texts outside of the game, such as another project's code: those
that no longer hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote_plus

from msgspec import Struct

from nomicgen.history.citations import Unresolved, parse_citation, resolve_citation
from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.unread_passages import is_in_text

_CITED = r"\bR[1-9][0-9]{0,8}(?:/[0-9]{1,6})?@[0-9]{4}-[0-9]{2}-[0-9]{2}\b"
_QUOTED = r"\?quote=([1-9][0-9]{0,8}/[0-9]{1,6}):([^\s\"'<>()\[\]]+)"
_DOTS = "…"  # stands for words that a quotation leaves out


class OutdatedCitation(Struct, frozen=True, kw_only=True):
    """A citation, where it stands (lines and columns count from 1), and what is wrong with it."""

    line: int
    column: int
    citation: str
    why: str


def outdated_citations(game_history: GameHistory, text: str) -> Iterator[OutdatedCitation]:
    """Yield the citations in `text` that stand for nothing or may stand for several things, and
    those whose words are not the law now.

    A citation has a day, as in `R203/1@2026-10-01`, or is the address of a quotation, with
    `?quote=203/1:WORDS`.
    """
    for number, line in enumerate(text.split("\n"), 1):
        for match in re.finditer(f"{_CITED}|{_QUOTED}", line):
            ref, words = match[1], match[2]
            why = (
                _why_outdated(game_history, match[0])
                if ref is None
                else _why_misquoted(game_history, ref, unquote_plus(words))
            )
            if why:
                yield OutdatedCitation(
                    line=number, column=match.start() + 1, citation=match[0].lstrip("?"), why=why
                )


def _why_outdated(game_history: GameHistory, citation: str) -> str:
    """Return why the text of the cited revision is not the law now; '' where it is."""
    try:
        found = resolve_citation(game_history, parse_citation(citation))
    except ValueError as error:
        return str(error)
    if isinstance(found, Unresolved):
        return found.message
    revision = found.revision
    return _what_ended(
        revision.history, revision.entry_index, lambda text: text == revision.rule.text
    )


def _why_misquoted(game_history: GameHistory, ref: str, words: str) -> str:
    """Return why the quoted words of Rule `ref` are not the law now; '' where they are."""
    found = resolve_citation(game_history, parse_citation(ref))
    if isinstance(found, Unresolved):
        return found.message
    parts, revision = words.split(_DOTS), found.revision
    if not _has(revision.rule.text, parts):
        return f"Rule {revision.rule.ref} never had these words"
    return _what_ended(revision.history, revision.text_index, lambda text: _has(text, parts))


def _has(text: str | None, parts: list[str]) -> bool:
    return all(is_in_text(part, text) for part in parts)


def _what_ended(history: RuleHistory, entry_index: int, holds: Callable[[str | None], bool]) -> str:
    """Return how the words that a rule had at an entry of its history went; '' while they stand.

    `holds` tells whether a later text still has them.
    """
    for entry in history.entries[entry_index + 1 :]:
        is_repeal = entry.verb == "repeal"
        if is_repeal or not holds(entry.rule.text):
            by = f" by {entry.instrument.name}" if entry.instrument is not None else ""
            on = f" on {entry.moment.day}" if entry.moment is not None else ""
            if history.current is None:
                return (
                    f"the rule was repealed{by}{on}"
                    if is_repeal
                    else f"its words were changed{by}{on}, and it was repealed"
                )
            return f"its words were changed{by}{on}; Rule {history.current.ref} is in force"
    return ""
