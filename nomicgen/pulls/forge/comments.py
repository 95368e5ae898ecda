"""What a comment says that a program obeys: votes, requests, and the marker of a ballot.

A command is a line of its own that a reader sees as such: in no quotation, list, fence or emphasis,
and below no HTML, which may hide what follows it. It is found in the stream of tokens, never by a
pattern over the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal

from markdown_it.token import Token
from msgspec import Struct

from nomicgen.files.markdown import parser
from nomicgen.law.judging_kind import deed_kinds
from nomicgen.model.front_matters import Choice

Asked = Literal["open", "vote", "resubmit", "withdraw"]
"""What a comment asks for. `vote`, without further words, is the old name of `open`: it still works
in this release.
"""

LONGEST = 5_000
"""Characters of a comment that is parsed, at most: to parse a longer one would take too long."""

# A vote that its author put into a list or into code; one in a quotation is somebody else's.
_MEANT = r"(?aim)^[ \t]*(?:(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])[ \t]+)*[`*_]*/vote[^\w\n]+[a-z]"
_BALLOT = r"[1-9][0-9]{0,8}-[0-9a-z]{10}"
_CHOICE = r"(?:for|against|abstain(?:ing)?|in favou?r|aye|nay)"
# A line that looks like a vote and is none, such as `I vote for it`.
_NEARLY = (
    rf"(?i)(?:\+1|-1|:[+-]1:|:thumbs(?:up|down):|[👍👎][🏻-🏿]?|{_CHOICE})[ .!]*"
    rf"|{_CHOICE}\W+{_BALLOT}\b.*|{_BALLOT}\W+{_CHOICE}\b.*"
    r"|(?:(?:i|i['’]m|i "
    rf"am|my)\b\W*(?:\w+\W+)?)?vot(?:e|ing)\b\W*(?:(?:is|goes|yes|no)\b\W*)?(?:{_CHOICE}|yes|no)\b.*"
)
# A comment without any of these holds no vote, and no line that looks like one.
_MAY_BE = r"(?i)[+-]1|:thumbs|[👍👎]|\b(?:vot|for|against|abstain|in favou?r|aye|nay)"
_WORD = r"[^ \t]+"
_BALLOT_IN_VOTE = rf"(?ai){_BALLOT}"
_MARKER = r"(?a)<!-- nomicgen:ballot ([1-9][0-9]{0,8}-[0-9a-z]{10}) digest=([0-9a-f]{64}) -->"
# HTML that hides nothing: comments and breaks of lines.
_PLAIN_HTML = r"(?s)\s*(?:<!--(?:(?!-->).)*-->\s*|<br ?/?>\s*)*"
_SURROGATES = "[\ud800-\udfff]"
# The words of commands, with the types that these have.
_CHOICES: dict[str, Choice] = {"for": "for", "against": "against", "abstain": "abstain"}
_ASKED: dict[str, Asked] = {
    "open": "open",
    "vote": "vote",
    "resubmit": "resubmit",
    "withdraw": "withdraw",
}


class Voted(Struct, frozen=True):
    """A line `/vote CHOICE BALLOT`: `choice` or `ballot` is None where the word for it is missing
    or wrong.
    """

    choice: Choice | None
    ballot: str | None


class Commands(Struct, frozen=True, kw_only=True):
    """The commands of a comment.

    `deeds` has what its writer did under a rule, each with the words after it, None without any:
    `("second", "305")`.
    `hidden` says that a `/vote` stands where it does not count, such as in a list; `nearly` has the
    first line that only looks like a vote. A `long` comment has commands and was not read; an
    `unreadable` one has commands and could not be.
    """

    votes: tuple[Voted, ...] = ()
    asked: tuple[Asked, ...] = ()
    deeds: tuple[tuple[str, str | None], ...] = ()
    hidden: bool = False
    nearly: str = ""
    long: bool = False
    unreadable: bool = False


def ballot_mark(body: str) -> tuple[str, str] | None:
    """Return the name and digest of the ballot if a comment's first line is the marker of one; else
    None.
    """
    match = re.fullmatch(_MARKER, body.split("\n", 1)[0].removesuffix("\r"))
    return (match[1], match[2]) if match else None


def read_commands(body: str) -> Commands:
    """Return the commands that stand in a comment or review."""
    commanded = re.search(rf"(?ai)/(?:{_command_words()})\b", body) is not None
    if not commanded and re.search(_MAY_BE, body) is None:
        return Commands()
    if len(body) > LONGEST:
        return Commands(long=commanded)
    env: dict[str, Any] = {}
    tokens = parser().parse(re.sub(_SURROGATES, "\N{REPLACEMENT CHARACTER}", body), env)
    if "beyond" in env:  # the parser gave up: the text is beyond its limits
        return Commands(unreadable=commanded)
    votes: list[Voted] = []
    asked: list[Asked] = []
    deeds: list[tuple[str, str | None]] = []
    hidden, nearly = False, ""
    for line, covered in _lines(tokens):
        match = re.fullmatch(rf"(?ai)/({_command_words()})((?:[ \t]+\S+)*)[ \t]*", line)
        if match is None:
            if not nearly and re.fullmatch(_NEARLY, line.strip()) is not None:
                nearly = line.strip()
            continue
        name, words = match[1].lower(), re.findall(_WORD, match[2])
        if name == "vote" and words:
            hidden |= covered
            votes += [] if covered else [_vote(words)]
        elif name not in _ASKED:
            deeds += [] if covered else [(name, " ".join(words) or None)]
        elif not words and not covered:
            asked.append(_ASKED[name])
    hidden |= not votes and re.search(_MEANT, body) is not None
    return Commands(
        votes=tuple(votes), asked=tuple(asked), deeds=tuple(deeds), hidden=hidden, nearly=nearly
    )


@cache
def _command_words() -> str:
    """Return a pattern of all words that are commands, the names of deeds among them."""
    return "|".join(re.escape(word) for word in (*_ASKED, *deed_kinds()))


def _vote(words: Sequence[str]) -> Voted:
    is_named = len(words) == 2 and re.fullmatch(_BALLOT_IN_VOTE, words[1]) is not None
    return Voted(_CHOICES.get(words[0].lower()), words[1].lower() if is_named else None)


def _lines(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
    """Yield the plain lines of outermost paragraphs, each with whether HTML above may hide it."""
    covered = False
    for at, token in enumerate(tokens):
        if token.type == "html_block":
            covered |= re.fullmatch(_PLAIN_HTML, token.content) is None
        elif token.type == "inline":
            children = token.children or []
            if token.level == 1 and tokens[at - 1].type == "paragraph_open":
                yield from ((line, covered) for line in _plain_lines(children))
            covered |= any(_covers(child) for child in children)


def _covers(token: Token) -> bool:
    """Return whether this is HTML within a line that may hide what follows it."""
    return token.type == "html_inline" and re.fullmatch(_PLAIN_HTML, token.content) is None


def _plain_lines(children: Sequence[Token]) -> Iterator[str]:
    """Yield the lines of a paragraph that are only words, up to the first HTML that may hide what
    follows.
    """
    words: list[str] | None = []
    for child in children:
        if child.type in ("softbreak", "hardbreak"):
            if words is not None:
                yield "".join(words)
            words = []
        elif child.type == "text" and child.level == 0:
            if words is not None:
                words.append(child.content)
        else:
            words = None
        if _covers(child):
            return
    if words is not None:
        yield "".join(words)
