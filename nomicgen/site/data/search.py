"""The index of the search, as small files: a browser fetches only those that a question needs. So
searching a large game costs as little as searching a small one.

`index.json` has the number of files of words, the number of the first page in each file of pages,
and how many pages there are of each kind. `words/N.json` has words, each with the pages that have
it: words that begin with the same two letters are in one file. `pages/N.json` has what a result
shows of each page. `assets/search.js` reads them.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from zlib import crc32

from msgspec import Struct

from nomicgen.model.records import Instrument
from nomicgen.site.addresses import (
    CARDS,
    HISTORY,
    PLAYERS,
    PROPOSE,
    SCORES,
    TIME,
    instrument_page,
    player_page,
)
from nomicgen.site.parts.instrument_lists import LISTS
from nomicgen.site.site_view import Site

SEARCH = "assets/search"
_KINDS = ("rule", "former", "gone", "player", "proposal", "judgement", "act", "list", "page")
"""The kinds of pages, in the order in which the index has them (`search.js` has that of results).
`former` is the page of a number that a rule bore once, `gone` that of a rule without force, `page`
one that a person wrote.
"""
# About how many bytes a file of words has, and a file of pages.
_BUCKET, _BUNDLE = 48 << 10, 32 << 10
# A longer word is cut to so many letters.
_LONGEST_WORD = 40
# A word is letters and digits; in Japanese and Chinese, which have no blanks, a sign is a word.
_WORD = r"[぀-ヿ㐀-鿿]|[^\W_぀-ヿ㐀-鿿]+"
_LINK = r"!?\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])"
# Markup that is taken out: remarks, tags, marks of Markdown.
_REMARK = r"(?s)<!--(?:(?!<!--).)*?-->"
_TAG = r"</?[a-z][^<>]*>"
_INLINE_TAG = r"</?(?:a|b|code|em|i|span|strong)\b[^<>]*>"
_NOISE = r"</?[a-zA-Z][^<>\n]*>|^(?:#{1,6} |[-*+] |[-:| ]+$|(?:```|~~~|!!!|===).*$)|[*`~\\]+"
# The front matter of a page that a person wrote, two of its keys, and the first heading.
_FRONT = r"(?ms)---\n(.*?)^---\n"
_NAMED = r"(?m)^title: *([\"']?)(.+?)\1 *$"
_EXCLUDED = r"(?m)^ +exclude: *true *$"
_TITLE = r"(?m)^# +([^\n]+)$"


class _Entry(Struct, frozen=True, kw_only=True):
    """A page that can be found: its name (`Rule 203`), number, title and own words."""

    page: str
    kind: str
    name: str
    number: str = ""
    title: str = ""
    text: str = ""


def plain_words(text: str) -> str:
    """Return a text without most of its markup, on one line: to look into, not to render."""
    lines = re.sub(_LINK, r"\1", re.sub(_REMARK, " ", text)).splitlines()
    return " ".join(
        " ".join(re.sub(_NOISE, "", line.strip("> \t")).replace("|", " ") for line in lines).split()
    )


def _untagged(text: str) -> str:
    """Return the words of a page that a person wrote, which may hold HTML."""
    return plain_words(re.sub(_TAG, " ", re.sub(_INLINE_TAG, "", text)))


def words_of(text: str) -> list[str]:
    """Return the words of a text as a search compares them: small letters without accents."""
    folded = unicodedata.normalize("NFKD", text).lower() if not text.isascii() else text.lower()
    if not text.isascii():
        folded = "".join(
            letter for letter in folded if not unicodedata.category(letter).startswith("M")
        )
    return [word[:_LONGEST_WORD] for word in re.findall(_WORD, folded)]


def search_files(site: Site, written: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each file of the search.

    `written` has the Markdown pages that a person wrote, by path. Some take the place of ours.
    """
    entries = [entry for entry in _entries(site) if entry.page not in written]
    entries += _pages(written)
    entries.sort(key=lambda entry: _KINDS.index(entry.kind))
    index: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        for word, weight in _weights(entry).items():
            # One number has the page and the weight, which is less than 32.
            index.setdefault(word, []).append(number * 32 + weight)
    size = sum(len(word) + 7 * len(pages) for word, pages in index.items())
    buckets = 1 << (size // _BUCKET).bit_length()
    words: list[dict[str, list[int]]] = [{} for _ in range(buckets)]
    for word in sorted(index):
        words[_bucket(word) % buckets][word] = index[word]
    rows = [
        [site.addresses.href(entry.page, "index.md"), entry.name, entry.title, entry.text]
        for entry in entries
    ]
    bundles = _bundles(rows)
    files = {f"{SEARCH}/words/{at}.json": _json_text(bucket) for at, bucket in enumerate(words)}
    files |= {f"{SEARCH}/pages/{at}.json": _json_text(bundle) for at, bundle in enumerate(bundles)}
    sizes = [len(bundle) for bundle in bundles]
    yield (
        f"{SEARCH}/index.json",
        _json_text(
            {
                "version": sha256(
                    "".join(files.values()).encode("utf-8", "surrogatepass")
                ).hexdigest()[:12],
                "words": buckets,
                "pages": [sum(sizes[:at]) for at in range(len(sizes))],
                "kinds": [
                    [kind, len(list(entries_of_kind))]
                    for kind, entries_of_kind in groupby(entry.kind for entry in entries)
                ],
            }
        ),
    )
    yield from files.items()


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def _bucket(word: str) -> int:
    """Return a number for the first two letters of a word, as `search.js` does, too."""
    return ord(word[0]) * 31 + (ord(word[1]) if len(word) > 1 else 0)


def _bundles(rows: Sequence[list[str]]) -> list[list[list[str]]]:
    """Return rows in bundles, each for a file.

    The hash of a page's address decides whether it begins a bundle. So when a page changes, mostly
    one file changes.
    """
    rows_a_bundle = max(
        1, _BUNDLE * len(rows) // (1 + sum(len(part) for row in rows for part in row))
    )
    bundles: list[list[list[str]]] = []
    size = 0
    for row in rows:
        own = sum(map(len, row))
        if not bundles or crc32(row[0].encode()) % rows_a_bundle == 0 or size + own > 2 * _BUNDLE:
            bundles.append([])
            size = 0
        bundles[-1].append(row)
        size += own
    return bundles


def _weights(entry: _Entry) -> dict[str, int]:
    """Return each word's weight: its count in the text, up to 7, and 8 more if it is in the name or
    title, 24 if it is the number. If the title, or else the name, has at most three words, they
    get 16.
    """
    title = words_of(entry.title) or words_of(entry.name)
    counts = {word: min(count, 7) for word, count in Counter(words_of(entry.text)).items()}
    grades = dict.fromkeys(words_of(entry.name), 8) | dict.fromkeys(
        title, 16 if len(title) <= 3 else 8
    )
    grades |= {entry.number: 24} if entry.number else {}
    return {**counts, **{word: grade + counts.get(word, 0) for word, grade in grades.items()}}


def _entries(site: Site) -> Iterator[_Entry]:
    for history in site.histories.rules.values():
        main = site.addresses.rule_page(history)
        rule = history.last
        name = f"Rule {rule.number}" + (
            "" if site.is_in_force(history) else f", {site.fate(history, rule.number)}"
        )
        yield _Entry(
            page=main,
            kind="rule" if site.is_in_force(history) else "gone",
            name=name,
            number=str(rule.number),
            title=rule.title or "",
            text=plain_words(rule.text or ""),
        )
        for number in history.numbers:
            page = site.addresses.number_page(number, history)
            if page != main:
                fate = site.fate(history, number)
                title = (
                    next(
                        (line.rule.title for line in history.entries if line.rule.number == number),
                        None,
                    )
                    or ""
                )
                yield _Entry(
                    page=page,
                    kind="former",
                    name=f"Rule {number}, {fate}",
                    number=str(number),
                    title=title,
                )
    for instrument in site.records.instruments.values():
        yield _instrument(instrument)
    for ident, name in site.names.items():
        yield _Entry(page=player_page(ident), kind="player", name=name, text=ident)
    settings, what = (
        site.settings,
        "Nomic is a game in which changing the rules is a move. What this game is.",
    )
    yield _Entry(
        page="index.md",
        kind="list",
        name=settings.name,
        text=f"{what} {settings.tagline or ''}".strip(),
    )
    lists = [] if site.is_archive else [(PROPOSE, "Propose a change")]
    lists += [("rules/index.md", "Ruleset"), ("ruleset/long.md", "Ruleset, long format")]
    lists += [
        ("ruleset/short.md", "Ruleset, short format"),
        (CARDS, "Cards"),
        (TIME, "The law as it was"),
    ]
    lists += [
        words.place for kind, words in LISTS.items() if kind != "act" or site.records.of_kind("act")
    ]
    lists += [(PLAYERS, "Players"), (SCORES, "Scores"), (HISTORY, "History")]
    for page, name in lists:
        yield _Entry(page=page, kind="list", name=name)


def _instrument(instrument: Instrument) -> _Entry:
    parts = (
        instrument.preamble,
        instrument.ruling,
        *(instruction.text for instruction in instrument.instructions),
    )
    return _Entry(
        page=instrument_page(instrument),
        kind=instrument.kind,
        name=instrument.name,
        number=str(instrument.number or ""),
        title=instrument.title or "",
        text=plain_words("\n".join(part for part in parts if part)),
    )


def _pages(written: Mapping[str, str]) -> Iterator[_Entry]:
    # Sorted, since the plugin and `plumbing pages` read pages in different orders, and have to make
    # the same files.
    for path, text in sorted((path, text.replace("\r\n", "\n")) for path, text in written.items()):
        front = re.match(_FRONT, text)
        head, body = (front[1], text[front.end() :]) if front else ("", text)
        if re.search(_EXCLUDED, head):
            continue
        named, heading = re.search(_NAMED, head), re.search(_TITLE, body)
        title = (
            named[2] if named else plain_words(heading[1]) if heading else path.removesuffix(".md")
        )
        yield _Entry(
            page=path, kind="page", name=title, text=_untagged(re.sub(_TITLE, "", body, count=1))
        )
