"""The proof of an import: the words of each state of a source, compared with the rules that the
ledger has then.

It imports no reader: it gets the source's bytes, the ledger, and what is to be left out. It looks
for the text of each rule in the source: the whole text, and if that is not there, pieces of it. No
word of the source is used twice. Headings stand between two texts: number, title, tier and such of
the rule below count as placed there. Every other word of the source that is not on the game's own
pages is nowhere in the game.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache, partial
from itertools import accumulate, islice

from msgspec import Struct

from nomicgen.importers.certificate import Events, Met, StateTally, follow
from nomicgen.importers.omissions import Omission, left_out
from nomicgen.importers.proof_headings import (
    HEADING_WORDS,
    PATH,
    PATH_END,
    Head,
    alien_numbers,
    has_number,
    head_of,
    read_gap,
)
from nomicgen.importers.proof_words import (
    count_words,
    decode_file,
    lines_of,
    without_headings,
    words_by_line,
    words_of,
)
from nomicgen.law.replay.results import Rule
from nomicgen.model.import_record import Difference

_NEAR = 1500
"""The most letters that may stand between the texts of two rules that follow each other."""
_LARGE = 1_000_000
"""Two texts are large if the product of their lengths, in words, is at least this."""
_HUGE = 1_000_000_000
"""If it is at least this, only their beginnings and ends are compared."""
_ANCHOR = 40
"""A comparison begins where the source has so many letters from the beginning of the text."""
_MOST = 200
"""The most places of a text, or of a number, that are tried."""


class ProofState(Struct, frozen=True, kw_only=True):
    """A state of a source: its place, such as a commit, and the bytes of the files that `changed`,
    None for a file that is gone or too large.

    `carried` are the numbers of lines, by path, that are no rule's text and need no other place:
    the ledger has an event, or a judgement, that says the same.
    """

    place: str
    changed: Mapping[str, bytes | None]
    carried: Mapping[str, frozenset[int]] = {}


class _File(Struct, kw_only=True):
    """A file as it stands: its words, and the offset among them at which each line begins.

    `count` is how many words it has, `omitted` how many of them are left out.
    """

    words: str
    starts: list[int]
    count: int
    omitted: int


_Piece = tuple[int, int, int]
"""Where a piece of a rule's text begins and ends in the source's words, and the rule's number."""


def prove(
    states: Iterable[ProofState],
    made: Events,
    omit: Sequence[Omission] = (),
    said: str = "",
    pages: Sequence[str] = (),
    plain: bool = False,
) -> StateTally:
    """Compare successive states of a source with the ledger; `made` has its changes at each.

    `said` has words that any heading may have, as the game's name; `pages` are the texts of
    its own pages, where words may stand that belong to no rule. A `plain` source has no headings of
    Markdown.
    """
    read = [words_of(page) for page in pages]
    known = "".join(f"{without_headings(page) if plain else page} \n" for page in read)
    proof = _Proof(omit, said, known, plain)
    for at, state in enumerate(states):
        proof.take(state, made.get(at, ()))
    proof.tally.differences = [
        Difference(place=place, rule=rule or 0, why=why, states=states)
        for (why, rule), (place, states) in proof.wrong.all.items()
    ]
    return proof.tally


class _Proof:
    """A proof at work: the source's files and the rules as they stand at a state.

    By rule number, `heads` has what its heading may say, `texts` its words, and `alien` the numbers
    that seem to begin another rule in its text. `common` are words that any heading may have.
    `order` is that of the texts in the state before, `bases` are the offsets at which the words of
    the files begin, and `wrong` has what is wrong with rules, such as `number`. `page_counts` says
    how often the pages have some words.
    """

    def __init__(self, omit: Sequence[Omission], said: str, pages: str, plain: bool) -> None:
        self.omit, self.pages, self.plain = omit, pages, plain
        self.page_counts: dict[str, int] = {}
        self.common = HEADING_WORDS | frozenset(words_of(said).casefold().split())
        self.files: dict[str, _File] = {}
        self.rules: dict[int, Rule] = {}
        self.heads: dict[int, Head] = {}
        self.texts: dict[int, str] = {}
        self.alien: dict[int, frozenset[tuple[int | str, bool]]] = {}
        self.order: list[int] = []
        self.bases: list[int] = []
        self.wrong = Met()
        self.tally = StateTally()

    def take(self, state: ProofState, events: Iterable[tuple[Rule | None, Rule | None]]) -> None:
        """Apply what changed at a state, and compare."""
        for path, data in state.changed.items():
            if data is None:
                self.files.pop(path, None)
            else:
                self.files[path] = self._read(data, state.carried.get(path, frozenset()))
        for number in {number for event in events for number in follow(self.rules, event)}:
            for known in (self.heads, self.texts, self.alien):
                known.pop(number, None)
            if (rule := self.rules.get(number)) is not None:
                self.heads[number] = head_of(rule)
                if words := "".join(words_by_line(lines_of(rule.text or ""))):
                    self.texts[number] = f"{words} "
                if alien := alien_numbers(rule.text or "", number):
                    self.alien[number] = alien
        if self.rules or any(file.words for file in self.files.values()):
            self._compare(state.place)

    def _read(self, data: bytes, carried: frozenset[int]) -> _File:
        lines = lines_of(decode_file(data))
        words, omitted = words_by_line(lines, self.plain), 0
        every = sum(map(count_words, words))
        reasons = left_out(lines, self.omit) if self.omit else {}
        if reasons or carried:
            for number, why in reasons.items():
                size = count_words(words[number - 1])
                omitted += size
                self.tally.left_out.setdefault(why, {})[lines[number - 1].strip()] = size
            words = [
                "" if at in reasons or at in carried else line for at, line in enumerate(words, 1)
            ]
        starts = [0, *accumulate(map(len, words))]
        return _File(words="".join(words), starts=starts, count=every, omitted=omitted)

    def _compare(self, place: str) -> None:
        tally, paths = self.tally, sorted(self.files)
        files = [self.files[path] for path in paths]
        parts = [
            f"{PATH}{_plain(path)}{PATH_END}{file.words} "
            for path, file in zip(paths, files, strict=True)
        ]
        ends = accumulate(map(len, parts))
        self.bases = [end - len(file.words) - 1 for end, file in zip(ends, files, strict=True)]
        whole = "".join(parts)
        pieces, foreign = self._placed(whole)
        self.order = list(dict.fromkeys([number for _, _, number in pieces]))
        bare = tuple(self.heads[number] for number in sorted(self.heads.keys() - self.order))
        nowhere, last, lead, begun, wrong = 0, 0, 0, set[int](), set[tuple[int, str]]()
        missing, used = dict[str, int](), Counter[str]()
        for begin, end, number in (*pieces, (len(whole) - 1, len(whole), 0)):
            inside = number in begun
            head = None if inside else self.heads.get(number)
            gap = whole[last:begin]
            inline = self._inline(files, begin, last) if number else 0
            found = read_gap(gap, head, bare, self.common, self.pages, inside, lead, inline)
            for offset, words in (*found.nowhere, *self._too_often(found.paged, used)):
                if size := count_words(words):
                    nowhere += size
                    missing.setdefault(words, last + offset)
                else:
                    wrong.add((number, "heading"))
            if not found.numbered:
                wrong.add((number, "number"))
            if not found.titled and head is not None:
                foreign.append((number, head.title))
            if any(
                headed is found.headed and other not in self.rules
                for other, headed in self.alien.get(number, ())
            ):
                wrong.add((number, "glued"))
            begun.add(number)
            last, lead = end, self._rest_of_line(files, end)
        for words, at in missing.items():
            tally.nowhere.meet(words, partial(self._line, place, paths, files, at))
        for number, words in dict.fromkeys(foreign):
            if count_words(words):
                tally.foreign.meet(words, lambda: place, number)
            else:
                wrong.add((number, "heading"))
        for number, why in sorted(wrong):
            self.wrong.meet(why, lambda: place, number)
        every, omitted = sum([file.count for file in files]), sum([file.omitted for file in files])
        tally.states += 1
        tally.differing += bool(nowhere or foreign or wrong)
        tally.words += every
        tally.omitted += omitted
        tally.placed += every - omitted - nowhere

    def _too_often(
        self, runs: Iterable[tuple[int, str]], used: Counter[str]
    ) -> Iterator[tuple[int, str]]:
        """Count runs of words as placed on the game's own pages; yield those that the source has
        more often than the pages do. `used` says how often it had them before.
        """
        for offset, words in runs:
            if words not in self.page_counts:
                self.page_counts[words] = len(re.findall(f"{re.escape(words)}(?= )", self.pages))
            used[words] += 1
            if used[words] <= self.page_counts[words]:
                self.tally.paged += count_words(words)
            else:
                yield offset, words

    def _inline(self, files: Sequence[_File], begin: int, last: int) -> int:
        """Return how many letters stand before a text on its line, behind the text before
        (`last`).
        """
        at = bisect_right(self.bases, begin) - 1
        offset, starts = begin - self.bases[at], files[at].starts
        return min(offset - starts[bisect_right(starts, offset) - 1], begin - last)

    def _rest_of_line(self, files: Sequence[_File], end: int) -> int:
        """Return how many letters stand behind a text on its last line."""
        at = bisect_right(self.bases, end) - 1
        offset, starts = end - self.bases[at], files[at].starts
        line = bisect_left(starts, offset)
        return starts[line] - offset if line < len(starts) else 0

    def _placed(self, whole: str) -> tuple[list[_Piece], list[tuple[int, str]]]:
        """Return the pieces of the rules' texts in the order of the source, and the words of each
        rule that it lacks.
        """
        pieces: list[_Piece] = []
        order = [number for number in self.order if number in self.texts] or sorted(self.texts)
        missed = [*self.texts.keys() - order]
        cursor = 0
        for number in order:
            words = self.texts[number]
            at = whole.find(words, cursor, cursor + _NEAR + len(words))
            if at >= 0 and (
                whole.find(f" {number} ", cursor, at + 1) >= 0
                or has_number(whole[cursor:at], self.heads[number])
            ):
                cursor = at + len(words) - 1
                pieces.append((at, cursor, number))
            else:
                missed.append(number)
        foreign: list[tuple[int, str]] = []
        missed.sort(key=lambda number: (-len(self.texts[number]), number))
        for number in [number for number in missed if not self._find(whole, number, pieces)]:
            foreign += self._find_parts(whole, number, pieces)
        return pieces, foreign

    def _find(self, whole: str, number: int, pieces: list[_Piece]) -> bool:
        """Place a rule's whole text where no other stands, below its number if possible. Return
        whether there is a place.
        """
        words, head = self.texts[number], self.heads[number]
        below = [
            (at - begin, at)
            for begin in islice(_occurrences(whole, f" {number} ", pieces), _MOST)
            if (at := whole.find(words, begin, begin + _NEAR + len(words))) >= 0
            and _is_free(pieces, begin, at + len(words) - 1)
        ]
        found = below or [
            (not has_number(whole[max(_end_before(pieces, at), at - _NEAR) : at], head), at)
            for at in islice(_occurrences(whole, words, pieces), _MOST)
        ]
        if found:
            _, at = min(found)
            insort(pieces, (at, at + len(words) - 1, number))
        return bool(found)

    def _find_parts(
        self, whole: str, number: int, pieces: list[_Piece]
    ) -> Iterator[tuple[int, str]]:
        """Place the parts of a rule's text that the source has, in the stretch that is most like
        it; yield the parts that it lacks.
        """
        words = self.texts[number][:-1]
        low, high = max(
            _gaps(whole, pieces),
            key=lambda one: _likeness(whole[slice(*one)], words, self.heads[number]),
        )
        last = 0
        for source, own, size in (*_blocks(whole[low:high], words), (0, len(words), 0)):
            if own > last:
                yield number, words[last:own]
            last = own + size
            if size:
                insort(pieces, (low + source, low + source + size, number))

    def _line(self, place: str, paths: Sequence[str], files: Sequence[_File], at: int) -> str:
        """Return the place of the word at an offset: `c0ffee:rules.md:12`, or `rules.md:12` if the
        source is that file.
        """
        file = bisect_right(self.bases, at) - 1
        line = bisect_right(files[file].starts, at - self.bases[file])
        return f"{paths[file]}:{line}" if paths[file] == place else f"{place}:{paths[file]}:{line}"


def _plain(path: str) -> str:
    """Return a path without spaces and `PATH` marks, so that it holds no words of a text."""
    return path.translate({32: "/", 3: "/", 4: "/"})


def _occurrences(whole: str, words: str, pieces: Sequence[_Piece]) -> Iterator[int]:
    """Yield the offsets at which words stand in the source and no piece has any of them, except
    perhaps the space that ends them.
    """
    at = whole.find(words)
    while at >= 0:
        if _is_free(pieces, at, at + len(words) - 1):
            yield at
        at = whole.find(words, at + 1)


def _is_free(pieces: Sequence[_Piece], begin: int, end: int) -> bool:
    """Return whether no piece has anything between two offsets."""
    at = bisect_left(pieces, (end,))
    return not at or pieces[at - 1][1] <= begin


def _end_before(pieces: Sequence[_Piece], at: int) -> int:
    """Return the offset at which the last piece before another offset ends."""
    before = bisect_right(pieces, (at,))
    return pieces[before - 1][1] if before else 0


def _gaps(whole: str, pieces: Sequence[_Piece]) -> list[tuple[int, int]]:
    """Return the stretches of the source that no piece has yet."""
    ends = [0, *(end for _, end, _ in pieces)]
    begins = [*(begin for begin, _, _ in pieces), len(whole) - 1]
    return [(low, high) for low, high in zip(ends, begins, strict=True) if low < high]


@lru_cache(maxsize=1 << 12)
def _likeness(source: str, words: str, head: Head) -> float:
    """Return how many words of a text stand in a part of the source, and half a word more if its
    number stands there.
    """
    shared = _counted(source) & _counted(words)
    return shared.total() + has_number(source, head) / 2 if shared else 0


@lru_cache(maxsize=1 << 9)
def _counted(words: str) -> Counter[str]:
    return Counter(words.split())


@lru_cache(maxsize=1 << 12)
def _blocks(source: str, words: str) -> tuple[tuple[int, int, int], ...]:
    """Return the parts that a text and the source have in common, in order: the offset in each, and
    the length. Where less than half of the text is found, parts of fewer than four words do not
    count.
    """
    theirs, ours = source.split(" ")[1:], words.split(" ")[1:]
    skip = source.count(" ", 0, max(source.find(words[:_ANCHOR]), 0))
    first = _alike(theirs[skip:], ours)
    skip = skip + first if first else 0
    last = _alike(theirs[skip:][::-1], ours[first:][::-1])
    rest = theirs[skip : len(theirs) - last], ours[first : len(ours) - last]
    size = len(rest[0]) * len(rest[1])
    # In large texts `autojunk` begins no match at a frequent word: else it takes time as the square
    # of their lengths.
    matcher = SequenceMatcher(None, *rest, autojunk=size >= _LARGE)
    found = matcher.get_matching_blocks() if size < _HUGE else []
    matches = [
        (skip - first, 0, first),
        *((skip + one.a, first + one.b, one.size) for one in found),
    ]
    matches.append((len(theirs) - last, len(ours) - last, last))
    few = 2 * sum(size for _, _, size in matches) < len(ours)
    sides = (max(source.find(" "), 0), theirs), (0, ours)
    ends = [[*accumulate((len(word) + 1 for word in side), initial=begin)] for begin, side in sides]
    return tuple(
        (ends[0][their], ends[1][our], ends[0][their + size] - ends[0][their])
        for their, our, size in matches
        if size >= (4 if few else 1)
    )


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words at their beginnings two texts have in common."""
    pairs = zip(some, others, strict=False)
    return next(
        (at for at, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others))
    )
