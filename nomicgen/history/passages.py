"""Who wrote each sentence of a rule: its text cut into sentences, each in the parts that came with
one revision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from nomicgen.history.authorship import AuthoredText, authorship_of, without_lone_marks
from nomicgen.history.redline import BLOCK_START
from nomicgen.history.rule_history import TEXT_VERBS, RuleHistory

# The end of a block: blank lines, or a line's end before the start of another block.
_PARTING = rf"\n(?:(?:[^\S\n]*\n)+|(?=[^\S\n]*(?:{BLOCK_START.pattern})))"
_CLOSING = r"[\"'”’»)\]*_`~]*"
# Rows, the number of an item, abbreviations and initials are passed over: a full stop in them ends
# no sentence.
_SENTENCE = (
    r"(?im)^[^\S\n]*\|.*$|^[^\S\n]*(?:(?:[-*+>]|\d{1,9}[.)]|#{1,6})[^\S\n]+)+"
    rf"|\b(?:e\.g|i\.e|etc|cf|vs|viz|mrs?|ms|dr|st|(?!i)[^\W\d_])\.{_CLOSING}\s"
    rf"|\b(?:nos?|pp|art|sec|par)\.{_CLOSING}\s+(?=\d)"
    rf"|(?P<end>[.!?…]{_CLOSING}\s+)"
)
_WORD = re.compile(r"\S+")


class AuthoredSentence(Struct, frozen=True):
    """A sentence, a heading or a row of a table, and the runs of words that came with one revision.

    `text` includes the blanks after it; the runs, joined, are the text. The `index` of a run is
    that of an entry in the rule's history.
    """

    text: str
    runs: tuple[AuthoredText, ...]


def sentence_authors(history: RuleHistory, at: int | None = None) -> tuple[AuthoredSentence, ...]:
    """Return who wrote each sentence of a rule's last text, or of its text after the entry `at` of
    its history. If the text is lost, there are no sentences.
    """
    entries = text_entries(history, at)
    runs = iter(authorship_of([history.entries[index].rule.text for index in entries]))
    text = history.entries[entries[-1]].rule.text
    if text is None or not text.strip():
        return ()
    return tuple(_sentences_with_authors(sentence_parts(text), runs, entries))


def text_entries(history: RuleHistory, at: int | None = None) -> tuple[int, ...]:
    """Return the indices of the entries that gave the rule a text, up to the index `at`."""
    end = len(history.entries) if at is None else at + 1
    return tuple(
        index for index, entry in enumerate(history.entries[:end]) if entry.verb in TEXT_VERBS
    )


def sentence_parts(text: str) -> tuple[str, ...]:
    """Return a text cut at the ends of sentences, blocks and rows: joined, they are the text."""
    blocks = {match.end() for match in re.finditer(_PARTING, text)}
    sentences = {
        match.end()
        for match in re.finditer(_SENTENCE, text)
        if match["end"] and _begins(text, match.end())
    }
    parts: list[str] = []
    for start, end in pairwise(sorted({0, *blocks, *sentences, len(text)})):
        part = text[start:end]
        # A part without a word, such as a line across the page, goes with the sentence before it.
        if parts and not _has_words(part):
            parts[-1] += part
        else:
            parts.append(part)
    return tuple(parts)


def _begins(text: str, at: int) -> bool:
    """Return whether the word at a place begins a sentence."""
    word = _WORD.match(text, at)
    first = next((letter for letter in word[0] if letter.isalnum()), "") if word else ""
    return bool(first) and not first.islower()


def _sentences_with_authors(
    parts: Sequence[str], runs: Iterator[AuthoredText], entries: Sequence[int]
) -> Iterator[AuthoredSentence]:
    """Yield the runs of each part; a run that goes on beyond a part is cut at its end."""
    left = next(runs)
    for part in parts:
        runs_of_part: list[AuthoredText] = []
        room = len(part)
        while room:
            count = min(room, len(left.text))
            runs_of_part.append(
                AuthoredText(left.text[:count], entries[left.index], left.uncertain)
            )
            rest = left.text[count:]
            left = (
                AuthoredText(rest, left.index, left.uncertain)
                if rest
                else next(runs, AuthoredText("", 0))
            )
            room -= count
        yield AuthoredSentence(part, tuple(without_lone_marks(runs_of_part)))


def _has_words(text: str) -> bool:
    return any(letter.isalnum() for letter in text)
