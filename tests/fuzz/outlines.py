"""How rules begin in any text, in a file and in a repository; and what is printed, read back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgen.files.markdown import parse_body, same_tokens
from nomicgen.formats.plaintext import unwrap, wrap
from nomicgen.importers.decoding import decode_words
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.rule_text.from_markdown import is_rule_text
from nomicgen.importers.source_map import shipped_maps
from nomicgen.importers.survey import trials
from tests.fuzz.imports import GIT, WORDS, git, git_seeds, text_seeds
from tests.fuzz.target import Target

_ONE = re.compile(r"(?<=\S)[ \t]$", re.MULTILINE)
_HTML = (
    *(
        "<b>",
        "</b>",
        "<br/>",
        "<p>",
        "</p>",
        "<li>",
        "<ul>\n",
        "</ul>\n",
        "<hr>",
        "<h2>x</h2>",
        "<span>\n",
        "</sub>",
    ),
    *(
        "<a href='x'>",
        "</a>",
        "<img src='a'>",
        "<!-- ",
        "-->",
        "![a](b.png)",
        " (Power=3)",
        "History:\n",
    ),
    *(
        "Annotations:\n",
        "Enacted by P301, 1999\n",
        "      ",
        "  \n",
        "\\\n",
        f"{'-' * 72}\n",
        f"{'=' * 70}\n",
    ),
    " RULESET (SHORT FORMAT)\n",
)


def outline(data: bytes) -> None:
    """A text in any form: what a survey finds reads it, and each of its rules can be a rule's
    text.
    """
    words, _ = decode_words(data)
    for trial in trials({"rules.md": data}):
        assert 0 <= trial.placed <= trial.words
        found = MapReader(trial.map).read(data, "rules.md")
        assert {one.number for one in found.passages} == set(trial.rules)
        assert all(one.text is None or is_rule_text(one.text) for one in found.passages)
    if words is not None and words.strip():
        # One space at a line's end says nothing, and plain text has a use for it.
        words = _ONE.sub("", words)
        lines = wrap(words).split("\n")
        assert same_tokens(
            parse_body(unwrap(lines), 1, True).tokens, parse_body(words, 1, True).tokens
        )


def interpreter(data: bytes) -> None:
    """An archive of files with several rules: a game without errors, which can be compared with
    each commit.
    """
    git(data, MapReader(shipped_maps()["headings"]))


def _seeds() -> Iterator[bytes]:
    yield from text_seeds()
    yield (
        b"RULESET\n\n=====\nLamps\n  of oil\n-----\nRule 101/2 (Power=3.1)\nObey\n\n"
        b"      All obey.\n\n      * a\n\n"
        b"History:\n\nEnacted by P301, 1999\n\nAnnotations:\nCFJ 1: so\n\n-----\n"
        b"Rule 7/0 (Power=1)\nOil\n\n      Oil.\n\n-----\nRule 8/0 (Power=1)\nWick\n\n"
        b"       / \\\n      <\\_/>\n"
    )
    yield (
        b"## 101\n\n<p>All <b>obey</b></p>\n<ul>\n<li><a href='x'>y</a>\n</ul>\n"
        b"<img src='a.png' alt=b>\n<hr>\n"
        b"## 102\n\n<br/>\n\n- c\n"
    )


TARGETS = (
    Target(name="outline", run=outline, seeds=_seeds, words=(*_HTML, *WORDS)),
    Target(name="interpreter", run=interpreter, seeds=git_seeds, words=(*GIT, *WORDS)),
)
