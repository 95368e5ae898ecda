"""Who wrote each sentence of a rule: its text cut into sentences, each in the parts that came with one revision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from nomicgen.archive.authorship import AuthoredText, authorship_of, without_lone_marks
from nomicgen.archive.redline import BLOCK_START
from nomicgen.archive.rule_history import TEXT_VERBS, RuleHistory
from nomicgen.patterns import lazy_pattern

_PARTING = lazy_pattern(rf"\n(?:(?:[^\S\n]*\n)+|(?=[^\S\n]*(?:{BLOCK_START.pattern})))")
_LEAD = lazy_pattern(r"(?:\s*(?:[-*+>]|\d{1,9}[.)]|#{1,6})(?=\s))*")
_WORD = lazy_pattern(r"\S+")
_ENDS = tuple(".!?…")
_CLOSING = "\"'”’»)]*_`~"
# What ends in a point and does not end a sentence.
_SHORT = frozenset(["e.g", "i.e", "etc", "cf", "vs", "viz", "mr", "mrs", "ms", "dr", "st"])
_BEFORE_NUMBERS = frozenset(["no", "nos", "pp", "art", "sec", "par"])


class AuthoredSentence(Struct, frozen=True):
    """A sentence, a heading or a row of a table, and whose words it is made of.

    `text` is as it stands there, with the blanks after it; the runs together are the text.
    """

    text: str
    runs: tuple[AuthoredText, ...]


def sentence_authors(history: RuleHistory, at: int | None = None) -> tuple[AuthoredSentence, ...]:
    """Who wrote each sentence of a rule's last text, or of that in the line of index `at` of its history.

    The index of a run is that of the line of the history that its words came with. There are no passages where the
    text is lost.
    """
    entries = text_entries(history, at)
    runs = iter(authorship_of([history.entries[index].rule.text for index in entries]))
    text = history.entries[entries[-1]].rule.text
    if text is None or not text.strip():
        return ()
    return tuple(_told(sentence_parts(text), runs, entries))


def text_entries(history: RuleHistory, at: int | None = None) -> tuple[int, ...]:
    """The indices of the lines of a history that gave the rule a text, up to that of index `at`."""
    end = len(history.entries) if at is None else at + 1
    return tuple(index for index, one in enumerate(history.entries[:end]) if one.verb in TEXT_VERBS)


def sentence_parts(text: str) -> tuple[str, ...]:
    """A text cut at the ends of its sentences, blocks and rows: the parts together are the text."""
    cuts: list[int] = []
    start = 0
    for block in (*_PARTING.finditer(text), None):
        end = block.end() if block else len(text)
        cuts += [at for at in _sentence_ends(text, start, end) if _has_words(text[start:at])]
        cuts.append(end)
        start = end
    parts: list[str] = []
    last = 0
    for cut in cuts:
        # What has no word, such as a line across the page, goes with the sentence before it.
        if parts and not _has_words(text[last:cut]):
            parts[-1] += text[last:cut]
        elif cut > last:
            parts.append(text[last:cut])
        last = cut
    return tuple(parts)


def _sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Where the sentences after the first of a block begin. A table's row is one; the number of an item ends none."""
    lead = _LEAD.match(text, start, end)
    if text[start:end].lstrip().startswith("|"):
        return
    words = list(_WORD.finditer(text, lead.end() if lead else start, end))
    for one, after in pairwise(words):
        word = one[0].rstrip(_CLOSING)
        if word.endswith(_ENDS) and not _is_short(word, after[0]) and not _goes_on(after[0]):
            yield after.start()


def _is_short(word: str, after: str) -> bool:
    """Whether the point is that of an abbreviation, or of an initial."""
    bare = word.removesuffix(".").lstrip("([\"'“‘*_").casefold()
    if bare in _BEFORE_NUMBERS:
        return after[0].isdigit()
    return bare in _SHORT or (len(bare) == 1 and bare.isalpha() and bare != "i")


def _goes_on(word: str) -> bool:
    """Whether a word begins no sentence."""
    first = next((letter for letter in word if letter.isalnum()), "")
    return not first or first.islower()


def _told(parts: Sequence[str], runs: Iterator[AuthoredText], entries: Sequence[int]) -> Iterator[AuthoredSentence]:
    """The runs of each part; a run that goes on beyond a part is cut at its end."""
    left = next(runs)
    for part in parts:
        found: list[AuthoredText] = []
        room = len(part)
        while room:
            count = min(room, len(left.text))
            found.append(AuthoredText(left.text[:count], entries[left.index], left.uncertain))
            rest = left.text[count:]
            left = AuthoredText(rest, left.index, left.uncertain) if rest else next(runs, AuthoredText("", 0))
            room -= count
        yield AuthoredSentence(part, tuple(without_lone_marks(found)))


def _has_words(text: str) -> bool:
    return any(letter.isalnum() for letter in text)
