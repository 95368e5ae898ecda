"""What stands between the texts of rules: headings with the number, the title and the tier of the
rule below, and words that belong nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from nomicgen.importers.proof_words import BEGIN, END, MARKS, count_words, words_of
from nomicgen.law.replay.results import Rule

_HEADING_WORDS = """
rule rules ruleset article articles section sections sec amendment amendments bylaw bylaws law laws
power no nr
history judgements judgments current
regel regeln artikel gesetz règle règles regla reglas artículo article regola regole articolo
regra regras artigo
правило правила статья zasada reguła pravidlo sääntö long short format initial set of the
number title tier mutability revision type name kind status id
"""
_NONE = frozenset[str]()
HEADING_WORDS = frozenset(_HEADING_WORDS.split())
"""Words that only say that a rule or a set begins, and the usual keys of front matter."""

_FEW = 2
"""So few words that a heading explains count as unexplained between words that none explains."""
PATH, PATH_END = "\x03", "\x04"
"""What the path of a file stands between, among the words of a source."""
_ROMAN = (
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
"""Values from which Roman numerals are made, the highest first."""
_NUMERAL = r" [IVX]{1,5}"
_NUMBERED = (
    r"(?im)^[ \t]{0,3}(?:(?P<mark>#{1,6})[^\w\n]*|[*_]*)(?:(?:rule|article|section|law|§)[ \t.#]+)?"
    r"(?P<number>[0-9]{1,9})(?(mark)\b|(?:\\?[.:)*_]|[ \t]*$))|(?<=[.!?)\"”’] "
    r")(?P<inside>[0-9]{3,9})\. (?-i:(?=[A-Z]))"
)
"""A number that seems to begin a rule: at the beginning of a line, or between two sentences. Where
plain text became Markdown, a backslash stands before the full stop.
"""
_CODE = r"(?ms)^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*$.*?^ {0,3}(?P=fence)"
"""A block of code between fences, in which nothing begins a rule."""
_LETTERED = (
    r"(?im)^[ \t]{0,3}(?:(?P<mark>#{1,6})[ \t]+|[*_]*)(?:rule|article|section|law|§)[ \t.#]+"
    r"(?P<number>[0-9]{1,9}[ \t]?(?:[a-z]|bis|ter))\b(?:[*_ \t]*$|[.:)*_]+[ \t]+(?-i:[A-Z]))"
)
"""A number with a letter, which no rule of a game can have, where it seems to begin a rule: alone
on its line, or before a title.
"""


class Head(Struct, frozen=True, kw_only=True):
    """What a rule's heading may have: the forms of its number, such as `4`, `04`, `iv` and `d`; all
    words, these included; and its title.
    """

    rule: int
    forms: frozenset[str]
    words: frozenset[str]
    title: str


class Gap(Struct, frozen=True, kw_only=True):
    """What stands before a text. `nowhere` are the words that the game has nowhere, each run with
    its offset; `paged` are those that are on the game's own pages.

    The rule below is `numbered` or `titled` if its number or title is there; `headed` says that a
    heading stands there, in the file of the text.
    """

    nowhere: tuple[tuple[int, str], ...]
    paged: tuple[tuple[int, str], ...]
    numbered: bool
    titled: bool
    headed: bool


def head_of(rule: Rule) -> Head:
    """Return what the heading of a rule may have."""
    forms = {f"{rule.number:0{width}}" for width in range(1, 10)}
    rest, roman = rule.number, ""
    if rest < 400:
        for value, letters in _ROMAN:
            roman, rest = roman + letters * (rest // value), rest % value
        forms.add(roman)
    if rule.number <= 26:
        forms.add(chr(96 + rule.number))
    said = " ".join(
        (
            str(rule.revision),
            rule.tier,
            rule.section or "",
            rule.note or "",
            f"void {rule.void}" if rule.void else "",
        )
    )
    title = words_of(rule.title or "").casefold()
    words = frozenset((*forms, *words_of(said).casefold().split(), *title.split()))
    return Head(rule=rule.number, forms=frozenset(forms), words=words, title=title)


@lru_cache(maxsize=1 << 16)
def has_number(gap: str, head: Head) -> bool:
    """Return whether a rule's number stands before its text. Also true if no number stands there,
    except in the title: then the import may have counted the rules.
    """
    words = {*_tokens(gap[gap.rfind(PATH) + 1 :])}
    numbers = {word for word in words if word.isdecimal()}
    return not head.forms.isdisjoint(words) or numbers.issubset(head.title.split())


def _tokens(gap: str) -> list[str]:
    """Return the words of a gap in small letters, those of a path included, except single letters
    of the path.
    """
    path, found, rest = gap.casefold().rpartition(PATH_END)
    named = (
        [word for word in words_of(path).split() if len(word) > 1 or word.isdecimal()]
        if found
        else []
    )
    return [*named, *rest.split()]


@lru_cache(maxsize=1 << 16)
def read_gap(
    gap: str,
    head: Head | None,
    bare: tuple[Head, ...],
    common: frozenset[str],
    pages: str,
    inside: bool,
    lead: int,
    inline: int,
) -> Gap:
    """Return what stands in the gap before a text. The text is that of the rule of `head`; with
    `inside` it is a further piece of a rule's text.

    `bare` are the heads of rules without a text, which may stand in any gap. `common` are words
    that any heading may have, and `pages` the words of the game's own pages. The first `lead`
    letters of the gap stand on the last line of the text before, and the last `inline` letters on
    the first line of the text below.
    Between a heading with the number and the text, only those words of `head` may stand that the
    heading lacks.
    """
    size = len(gap)
    lead = 0 if head is not None and lead >= size else min(lead, size)
    if head is not None and _is_heading(gap[size - inline :], head, common):
        inline = 0
    inline = min(inline, size - lead)
    parts = gap[lead : size - inline].split(PATH)
    runs: list[tuple[int, str, frozenset[str]]] = [
        (0, gap[:lead], _NONE),
        (size - inline, gap[size - inline :], _NONE),
    ]
    offset = lead
    for at, part in enumerate(parts):
        begin, end = part.find(PATH_END) + 1, len(part)
        tokens = set(_tokens(part))
        heads = [one for one in bare if not one.forms.isdisjoint(tokens)]
        if head is not None and at == len(parts) - 1:
            heads.append(head)
            close = part.rfind(END) + 1
            above = _tokens(part[:close])
            if not head.forms.isdisjoint(above):
                runs.append(
                    (offset + close, part[close:], head.words.difference(head.forms, above))
                )
                end = close
        if not at and (BEGIN in part or not heads):
            # From the text before to the first heading nothing is a heading; without one, nothing.
            begin = part.find(f" {BEGIN}") if BEGIN in part else end
            runs.append((offset, part[:begin], _NONE))
        known = _NONE if inside else common.union(*(one.words for one in heads))
        runs.append((offset + begin, part[begin:end], known))
        offset += len(part) + 1
    unknown = [
        found
        for at, words, known in sorted(runs, key=itemgetter(0))
        for found in _unknown(words, at, known, inside)
    ]
    # A mark of a heading alone is nowhere, even if a page has such a mark, too.
    nowhere = [one for one in unknown if not count_words(one[1]) or f"{one[1]} " not in pages]
    titles = "".join(f" {word}" for word in _tokens(parts[-1]) if word not in MARKS)
    return Gap(
        nowhere=tuple(
            (at, words) for at, words in nowhere if not _is_numeral(words, gap[at + len(words) :])
        ),
        paged=tuple(one for one in unknown if one not in nowhere),
        numbered=head is None or has_number(gap, head),
        titled=head is None or f"{head.title} " in f"{titles} ",
        headed=BEGIN in parts[-1],
    )


def _is_numeral(words: str, below: str) -> bool:
    """Return whether a word is the Roman numeral of a heading such as `II. Mutable Rules`."""
    after = below.casefold().split()[:2]
    return re.fullmatch(_NUMERAL, words) is not None and after[1:] == ["rules"]


def _is_heading(words: str, head: Head, common: frozenset[str]) -> bool:
    """Return whether words on the line of a text are its heading: they have its number or end in
    its title, and do not end in a `common` word that is none of its own; or there are no words.
    """
    tokens = words.casefold().split()
    is_named = not head.forms.isdisjoint(tokens) or (
        head.title and words.casefold().endswith(head.title)
    )
    return not tokens or (bool(is_named) and tokens[-1] not in common - head.words)


def _unknown(words: str, at: int, known: frozenset[str], inside: bool) -> Iterator[tuple[int, str]]:
    """Yield the runs of words that are not `known` from a heading, each with its offset; that of
    the first word is `at`. A run of marks alone counts only `inside` a text.
    """
    runs = [
        (explained, "".join(f" {word}" for word in run))
        for explained, run in groupby(
            words.rstrip(" ").split(" ")[1:], lambda word: word in MARKS or word.casefold() in known
        )
    ]
    told, begun = "", at
    for index, (explained, run) in enumerate(runs):
        few = 0 < index < len(runs) - 1 and run.count(" ") <= _FEW and MARKS.isdisjoint(run)
        if explained and not few and not (inside and count_words(run) == 0):
            if told:
                yield begun, told
            told = ""
        else:
            begun, told = begun if told else at, told + run
        at += len(run)
    if told:
        yield begun, told


def alien_numbers(text: str, own: int) -> frozenset[tuple[int | str, bool]]:
    """Return the numbers higher than a rule's own, and those with a letter, that stand in its text
    as if another rule began, and whether each stands in a heading. A number is one of a list, and
    left out, if the number before it stands there in the same way. Code does not count.
    """
    text = re.sub(_CODE, "", text)
    found = {
        (int(match["number"] or match["inside"]), bool(match["mark"]))
        for match in re.finditer(_NUMBERED, text)
    }
    lettered = {(match["number"], bool(match["mark"])) for match in re.finditer(_LETTERED, text)}
    return frozenset(
        (one, headed) for one, headed in found if one > own and (one - 1, headed) not in found
    ).union(lettered)
