"""The comment on a pull request, and the ballot on which players vote, as Markdown for a forge.

Whatever a player wrote stands in a code span or in a fence that is longer than any in it (`preview_markdown.py`), so
nothing in a pull request can pass for a part of the comment, nor for the marker by which the bot knows its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypedDict

from nomicgen.archive.mending import Mended
from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.pull_request import PullVerdict
from nomicgen.archive.pull_status import ProposalStatus
from nomicgen.diagnostics import Finding, counted
from nomicgen.formats.preview_markdown import (
    code_span,
    fenced,
    list_markdown,
    plain_words,
    signed_lines,
    words_markdown,
)
from nomicgen.formats.preview_parts import Head, Line, Moved, Name, Redlined, names
from nomicgen.formats.pull_next import Typed, ballot_lines, moment_words
from nomicgen.formats.pull_parts import Link, Part, Piece, Whole, headline, parts
from nomicgen.formats.terminal import safe
from nomicgen.model import Moment
from nomicgen.patterns import lazy_pattern

COMMENT = "<!-- nomicgen:comment -->"
"""The first line of the comment, by which the bot finds its own."""
BALLOT = "<!-- nomicgen:ballot {ballot} digest={digest} -->"
"""The first line of a ballot."""
LIMIT = 60_000
"""How many characters a comment has at most; a forge takes 65,536."""


class _Wrap(TypedDict):
    break_long_words: bool
    break_on_hyphens: bool
    expand_tabs: bool


_LOGIN = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}")
_PART = 20_000
_FENCE = 8_000
_WORDS = 600
_WIDTH = 100
_GENTLY: _Wrap = {"break_long_words": True, "break_on_hyphens": False, "expand_tabs": False}
_ALL = "nomicgen proposal preview --base BASE --head HEAD"


def comment_markdown(
    verdict: PullVerdict,
    preview: Preview | None,
    standing: ProposalStatus | None,
    *,
    undone: Sequence[Line] = (),
    head: str | None = None,
    mended: Mended | None = None,
    editor: str | None = None,
) -> str:
    """The comment, with one line feed at its end.

    `preview` is that of the proposal, None for other pull requests; `standing` is None for what is not registered;
    `undone` says why something that was asked for on the pull request was not done; `head` is its last commit.
    `mended` is the file as it could be, and `editor` the address at which the forge lets its author change it.
    """
    mark, said = headline(verdict, preview, standing)
    top = f"{COMMENT}\n### {mark} {plain_words(said)}"
    day = f" as of {moment_words(preview.moment)}" if preview else ""
    foot = f"---\n\nJudged by the rules of the game{day}, not by what this pull request says of itself."
    many = parts(verdict, preview, standing, undone, head, mended, editor)
    return f"{top}\n\n{_fitted(many, LIMIT - len(top) - len(foot) - 8)}{foot}\n"


def ballot_markdown(
    number: int,
    ballot: str,
    digest: str,
    summary: Sequence[str],
    *,
    voters: Sequence[str] = (),
    lapsed: Mapping[str, str | None] | None = None,
    closes: Moment | None = None,
    abstentions: bool = True,
) -> str:
    """The comment on which players vote by a reaction. It is never edited, so it says nothing that may change.

    `summary` is a preview's: what the instructions do, without a word of their author; `voters` are ids of players.
    `lapsed` are those whose votes lapsed when the text was put to the vote again, each with the account (None without
    one) that the forge tells of it. `abstentions` says whether the rules take them.
    """
    until = f" until {moment_words(closes)}" if closes else ""
    lines = [Line((said,)) for said in summary[:50]]
    if voters:
        lines.append(Line(("These may vote: ", *names(voters), ".")))
    react = f"React to this comment{until}: 👍 is a vote for, 👎 against{', 👀 an abstention' if abstentions else ''}."
    how = "\n\n".join(_pieces(tuple(ballot_lines(ballot, reviews=True, abstentions=abstentions))))
    chunks = [
        f"{BALLOT.format(ballot=ballot, digest=digest)}\n### 🗳️ Vote on Proposal {int(number)}",
        list_markdown(lines) if lines else "",
        _lapsed(lapsed) if lapsed else "",
        f"**{react}**",
        "To vote in words:",
        how,
    ]
    return "\n\n".join(one for one in chunks if one) + "\n"


def _lapsed(players: Mapping[str, str | None]) -> str:
    """Tells players that their votes are gone; a forge sends a message to whom it finds named by an account."""
    named = ", ".join(
        f"@{login}" if login is not None and _LOGIN.fullmatch(login) else code_span(ident)
        for ident, login in players.items()
    )
    return f"The text was put to the vote again. The votes on the text before it do not count: {named}, vote again."


def _fitted(many: Sequence[Part], room: int) -> str:
    """The parts as far as there is room for them: what does not fit is cut from the end, and said to be."""
    done = [_part(one) for one in many]
    left = f"⚠️ This comment is too long for {{}} more; all of it: `{_ALL}`\n\n"
    kept = list(done)
    while kept and sum(map(len, kept)) + len(left) + 20 > room:
        kept.pop()
    return "".join(kept) + (left.format(counted(len(done) - len(kept), "part")) if len(kept) < len(done) else "")


def _part(part: Part) -> str:
    text = f"#### {plain_words(part.heading)}\n\n"
    for chunk in _pieces(part.pieces):
        if len(text) + len(chunk) > _PART:
            return f"{text}⚠️ There is more of this than fits here; all of it: `{_ALL}`\n\n"
        text += f"{chunk}\n\n"
    return text


def _pieces(pieces: Sequence[Piece]) -> Iterator[str]:
    """Markdown, block by block; lines that follow each other are one list."""
    for is_list, run in groupby(pieces, lambda one: isinstance(one, Line)):
        if is_list:
            yield _list([_clipped(one) for one in run if isinstance(one, Line)])
        else:
            for one in run:
                yield from _block(one)


def _list(lines: Sequence[Line]) -> str:
    """A list, cut where it is too long."""
    size = 0
    for at, line in enumerate(lines):
        size += len(words_markdown(line.words)) + 12
        if size > _FENCE:
            least = min(one.level for one in lines)
            return list_markdown((*lines[:at], Line((f"and {counted(len(lines) - at, 'more line')}",), level=least)))
    return list_markdown(lines)


def _block(block: Piece) -> Iterator[str]:
    if isinstance(block, Head):
        yield f"##### {words_markdown(block.words)}"
    elif isinstance(block, Typed):
        yield from (fenced(one, "text") for one in block.lines)
    elif isinstance(block, Link):
        yield f"[{plain_words(block.words)}](<{block.address}>)"
    elif isinstance(block, Whole):
        yield fenced(block.text.removesuffix("\n"), "markdown")
    elif isinstance(block, Redlined):
        yield _fence(_wrapped(signed_lines(block.segments)))
    elif isinstance(block, Moved):
        yield _fence(_wrapped([f"{sign} {safe(line)}" for sign, line in block.lines]))
    elif not isinstance(block, Line):
        for one in block.findings:
            yield from _wrong(one)


def _wrong(finding: Finding) -> Iterator[str]:
    rule = f", Rule {finding.rule}" if finding.rule is not None else ""
    lines = [Line((Name(finding.message),), "bad" if finding.is_error else "warn")]
    if help := finding.mending.said if finding.mending is not None else finding.help:
        lines.append(Line(("What to do: ", Name(help)), level=1))
    place = (f"Where: line {finding.span.line} of ", Name(finding.span.file), f" ({finding.slug}{rule})")
    yield list_markdown([_clipped(one) for one in (*lines, Line(place, level=1))])
    if finding.detail:
        yield _fence(safe(finding.detail).splitlines(), "text")


def _fence(lines: Sequence[str], language: str = "diff") -> str:
    """A fence of lines; what is too long is cut, with a line that begins as none of a redline's does."""
    size = 0
    for at, line in enumerate(lines):
        size += len(line) + 1
        if size > _FENCE:
            return fenced("\n".join((*lines[:at], f"@@ {counted(len(lines) - at, 'line')} more @@")), language)
    return fenced("\n".join(lines), language)


def _wrapped(lines: Sequence[str]) -> list[str]:
    """Lines of a redline, each with its sign, no longer than fits on a page: a forge does not break them."""
    done: list[str] = []
    for line in lines:
        pieces = textwrap.wrap(line[2:], _WIDTH, **_GENTLY) if len(line) > _WIDTH + 2 else []
        done += [f"{line[:2]}{one}" for one in pieces] or [line]
    return done


def _clipped(line: Line) -> Line:
    """A line of which no word of a player's is longer than anybody reads."""
    words = tuple(one if isinstance(one, str) else type(one)(_cut(one.text)) for one in line.words)
    return Line(words, line.tone, line.level)


def _cut(text: str) -> str:
    return f"{text[:_WORDS]}…" if len(text) > _WORDS else text
