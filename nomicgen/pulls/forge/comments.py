"""What a comment says that a program obeys: votes, requests, and the marker of a ballot.

A command is a line of its own that a reader sees as such: in no quotation, list, fence or emphasis, and below no HTML,
which may hide what follows it. It is found in the stream of tokens, never by a pattern over the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from markdown_it.token import Token
from msgspec import Struct

from nomicgen.repository.statements import ARMOUR
from nomicgen.files import parser
from nomicgen.model import Choice
from nomicgen.patterns import lazy_pattern

Asked = Literal["vote", "resubmit", "withdraw"]

LONGEST = 5_000
"""The characters that a comment with a command may have: what is longer takes a parser too long."""

_COMMAND = lazy_pattern(r"/(?:vote|resubmit|withdraw)\b", re.ASCII | re.IGNORECASE)
# What an author may have meant for a vote, in a list or in code; a quotation is somebody else's.
_MEANT = lazy_pattern(
    r"^[ \t]*(?:(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])[ \t]+)*[`*_]*/vote[^\w\n]+[a-z]", re.I | re.M | re.ASCII
)
_LINE = lazy_pattern(r"/(vote|resubmit|withdraw)((?:[ \t]+\S+)*)[ \t]*", re.ASCII | re.IGNORECASE)
_WORD = lazy_pattern(r"[^ \t]+")
_NAME = lazy_pattern(r"[1-9][0-9]{0,8}-[0-9a-z]{10}", re.ASCII | re.IGNORECASE)
_MARKER = lazy_pattern(r"<!-- nomicgen:ballot ([1-9][0-9]{0,8}-[0-9a-z]{10}) digest=([0-9a-f]{64}) -->", re.ASCII)
_PLAIN_HTML = lazy_pattern(r"\s*(?:<!--(?:(?!-->).)*-->\s*|<br ?/?>\s*)*", re.DOTALL)
_SURROGATES = lazy_pattern("[\ud800-\udfff]")
_CHOICES: dict[str, Choice] = {"for": "for", "against": "against", "abstain": "abstain"}
_ASKED: dict[str, Asked] = {"vote": "vote", "resubmit": "resubmit", "withdraw": "withdraw"}


class Voted(Struct, frozen=True):
    """A line `/vote WORD BALLOT`: `choice` is None for a word that is none, `ballot` where none is named rightly."""

    choice: Choice | None
    ballot: str | None


class Commands(Struct, frozen=True, kw_only=True):
    """The commands of a comment, and the signed votes in its fences.

    `hidden` says that a command stands where it is none. Nobody looked in a `long` comment, and nobody could in an
    `unreadable` one.
    """

    votes: tuple[Voted, ...] = ()
    signed: tuple[str, ...] = ()
    asked: tuple[Asked, ...] = ()
    hidden: bool = False
    long: bool = False
    unreadable: bool = False


def marked(body: str) -> tuple[str, str] | None:
    """The name and the digest of the ballot that a comment is marked as, in its first line."""
    match = _MARKER.fullmatch(body.split("\n", 1)[0].removesuffix("\r"))
    return (match[1], match[2]) if match else None


def read_words(body: str) -> Commands:
    """The commands that stand in a comment."""
    if _COMMAND.search(body) is None:
        return Commands()
    if len(body) > LONGEST:
        return Commands(long=True)
    env: dict[str, Any] = {}
    tokens = parser().parse(_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", body), env)
    if "beyond" in env:
        return Commands(unreadable=True)
    votes: list[Voted] = []
    asked: list[Asked] = []
    hidden = False
    for line, covered in _lines(tokens):
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        name, words = match[1].lower(), _WORD.findall(match[2])
        if name == "vote" and words:
            hidden |= covered
            votes += [] if covered else [_vote(words)]
        elif not words and not covered:
            asked.append(_ASKED[name])
    meant = not votes and _MEANT.search(body) is not None
    signed = tuple(
        token.content for token in tokens if token.type == "fence" and token.level == 0 and ARMOUR in token.content
    )
    return Commands(votes=tuple(votes), signed=signed, asked=tuple(asked), hidden=hidden or meant)


def _vote(words: Sequence[str]) -> Voted:
    ballot = words[1].lower() if len(words) == 2 and _NAME.fullmatch(words[1]) else None
    return Voted(_CHOICES.get(words[0].lower()), ballot)


def _lines(tokens: Sequence[Token]) -> Iterator[tuple[str, bool]]:
    """The plain lines of the paragraphs that stand in nothing, each with whether HTML above it may cover it."""
    covered = False
    for at, token in enumerate(tokens):
        if token.type == "html_block":
            covered |= _PLAIN_HTML.fullmatch(token.content) is None
        elif token.type == "inline":
            children = token.children or []
            if token.level == 1 and tokens[at - 1].type == "paragraph_open":
                yield from ((line, covered) for line in _plain_lines(children))
            covered |= any(_covers(child) for child in children)


def _covers(token: Token) -> bool:
    return token.type == "html_inline" and _PLAIN_HTML.fullmatch(token.content) is None


def _plain_lines(children: Sequence[Token]) -> Iterator[str]:
    """The lines of a paragraph that are nothing but words, above any HTML in it."""
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
