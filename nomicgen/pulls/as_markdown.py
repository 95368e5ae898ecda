"""The comment on a pull request, and the ballot on which players vote, as Markdown for a forge.

The words are in `templates/`. Whatever a player wrote stands in a code span, or in a fence that is longer than any in
it (`preview_markdown.py`), so nothing in a pull request can pass for a part of the comment, nor for the marker by which
the bot knows its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgen.history.activity import who_may_vote
from nomicgen.play.mending.mend import Mended
from nomicgen.play.preview.proposal import Preview
from nomicgen.pulls.request import Kind, PullVerdict
from nomicgen.pulls.status import ProposalStatus
from nomicgen.play.unclaimed_players import claim_line
from nomicgen.model.findings import counted
from nomicgen.formats.markdown_escapes import code_span, plain_words
from nomicgen.formats.markdown_templates import WHOLE, markdown_templates, moment_words
from nomicgen.pulls.parts import headline, kind_words, wrong_with
from nomicgen.formats.terminal import safe
from nomicgen.formats.text_templates import Own
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model import Moment
from nomicgen.patterns import lazy_pattern

COMMENT = "<!-- nomicgen:comment -->"
"""The first line of the comment, by which the bot finds its own."""
BALLOT = "<!-- nomicgen:ballot {ballot} digest={digest} -->"
"""The first line of a ballot."""
LIMIT = 60_000
"""How many characters a comment has at most; a forge takes 65,536."""

_LOGIN = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}")
_GAP = lazy_pattern(r"\n{3,}")
_LONGEST_FILE = 16_000
"""Characters of a file that a comment holds; it has room for others besides."""
_REMEDIES: dict[Kind, str] = {
    "rules": "Nobody edits the rules by hand: a proposal says what is to change, and nomicgen writes it once adopted.",
    "mixed": "Keep one thing in this pull request, and open another pull request for each of the others.",
}


def comment_markdown(
    verdict: PullVerdict,
    preview: Preview | None,
    standing: ProposalStatus | None,
    *,
    undone: Sequence[tuple[str, str]] = (),
    head: str | None = None,
    mended: Mended | None = None,
    editor: str | None = None,
) -> str:
    """The comment, with one line feed at its end.

    `preview` is that of the proposal, None for other pull requests; `standing` is None for what is not registered;
    `undone` says why something that was asked for on the pull request was not done, and what to do; `head` is its last
    commit.
    `mended` is the file as it could be, and `editor` the address at which the forge lets its author change it.
    """
    mark, heading = headline(verdict, preview, standing)
    top = f"{COMMENT}\n### {mark} {plain_words(heading)}"
    day = f" as of {moment_words(preview.moment)}" if preview else ""
    foot = f"---\n\nJudged by the rules of the game{day}, not by what this pull request says of itself."
    wrong = wrong_with(verdict, preview)
    template = markdown_templates().get_template("comment.md")
    context = template.new_context(
        {
            "verdict": verdict,
            "preview": preview,
            "standing": standing,
            "has_ended": standing is not None and not standing.is_undecided,
            "undone": undone,
            "head": head,
            "mended": mended,
            "editor": editor,
            "whole_file": _whole_file(mended) if mended is not None else None,
            "kind": kind_words(verdict.kind),
            "remedy": _REMEDIES.get(verdict.kind),
            "claim": claim_line(verdict.actor or ""),
            "wrong": wrong,
            "has_errors": any(finding.is_error for finding in wrong),
            "effects": preview.effects if preview else verdict.effects,
            "may_vote": who_may_vote(preview.supposed.tally) if preview and preview.supposed else (),
            "votes": [*_votes(standing)] if standing else [],
        }
    )
    parts = ["".join(block(context)).strip("\n") for block in template.blocks.values()]
    return f"{top}\n\n{_fitted([part for part in parts if part], LIMIT - len(top) - len(foot) - 8)}{foot}\n"


def _whole_file(mended: Mended) -> str | None:
    """The text of a mended file; None where a comment cannot hold it."""
    return mended.text if len(mended.text) <= _LONGEST_FILE and safe(mended.text) == mended.text else None


def _votes(standing: ProposalStatus) -> Iterator[tuple[str, list[PlayerId]]]:
    """Who voted how, each choice that somebody made."""
    for choice in ("for", "against", "abstain"):
        if players := [ballot.player for ballot in standing.ballots if ballot.choice == choice]:
            yield choice, players


def _fitted(parts: Sequence[str], room: int) -> str:
    """The parts as far as there is room for them: what does not fit is cut from the end, and said to be."""
    left = f"⚠️ This comment is too long for {{}} more; all of it: `{WHOLE}`\n\n"
    kept = [f"{part}\n\n" for part in parts]
    while kept and sum(map(len, kept)) + len(left) + 20 > room:
        kept.pop()
    return "".join(kept) + (left.format(counted(len(parts) - len(kept), "part")) if len(kept) < len(parts) else "")


def ballot_markdown(
    number: int,
    ballot: str,
    digest: Digest,
    summary: Sequence[str],
    *,
    voters: Sequence[str] = (),
    lapsed: Mapping[str, str | None] | None = None,
    closes: Moment | None = None,
    abstentions: bool = True,
) -> str:
    """The comment on which players vote by a reaction.

    `summary` is a preview's: what the instructions do, without a word of their author; `voters` are ids of players.
    `lapsed` are those whose votes lapsed when the text was put to the vote again, each with the account (None without
    one) that the forge tells of it. `abstentions` says whether the rules take them.
    """
    values: dict[str, Any] = {"number": int(number), "ballot": ballot, "voters": voters, "closes": closes}
    values |= {"summary": summary[:50], "lapsed": _named(lapsed) if lapsed else None}
    values |= {"by_review": True, "may_abstain": abstentions}
    text = _GAP.sub("\n\n", markdown_templates().get_template("ballot.md").render(values))
    return f"{BALLOT.format(ballot=ballot, digest=digest)}\n{text}"


def _named(players: Mapping[str, str | None]) -> Own:
    """Players whose votes are gone; a forge sends a message to whom it finds named by an account."""
    return Own(
        ", ".join(
            f"@{login}" if login is not None and _LOGIN.fullmatch(login) else code_span(ident)
            for ident, login in players.items()
        )
    )
