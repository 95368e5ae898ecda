"""The comment on a pull request, and the ballot on which players vote, as Markdown for a forge.

The words are in `formats/templates/`. Whatever a player wrote stands in a code span, or in a fence
that is longer than any in it, so nothing in a pull request can pass for a part of the comment, nor
for the marker by which the bot knows its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from textwrap import shorten

from msgspec.structs import asdict

from nomicgen.formats.folding import fold_parts
from nomicgen.formats.markdown_escapes import code_span, plain_words
from nomicgen.formats.markdown_templates import WHOLE, markdown_templates, moment_words
from nomicgen.formats.preview_templates import closed_up
from nomicgen.formats.terminal import safe
from nomicgen.formats.text_templates import Escaped
from nomicgen.history.activity import who_may_vote
from nomicgen.model.findings import Finding, counted
from nomicgen.play.mending.mend import Mended
from nomicgen.play.preview.proposal import Preview
from nomicgen.play.unclaimed_players import claim_line
from nomicgen.play.whole_files import WholeFile
from nomicgen.pulls.parts import KIND_WORDS, answer_to, headline, questions_about, wrong_with
from nomicgen.pulls.report import PullReport
from nomicgen.pulls.request import Kind, PullVerdict
from nomicgen.pulls.status import ProposalStatus

COMMENT = "<!-- nomicgen:comment -->"
"""The first line of the comment, by which the bot finds its own."""
BALLOT = "<!-- nomicgen:ballot {ballot} digest={digest} -->"
"""The first line of a ballot."""
LIMIT = 60_000
"""How many characters a comment has at most; GitHub takes 65,536."""

_LOGIN = r"[A-Za-z0-9][A-Za-z0-9-]{0,38}"
_LONGEST_HELP = 300
"""Characters of a finding's help in the line *What to do*; the whole of it is below."""
_LONGEST_FILE = 16_000
"""Characters of a file that a comment shows whole, at most, so that there is room for the rest;
several files together may have twice that.
"""
_JOINTS = 8
"""Characters that may be needed between the heading, the parts and the end of a comment."""
# What to do where the comment offers several files.
_CHOOSE = (
    "copy a file that fits. What stands below its `##` becomes law, word for word: edit it "
    "until it is right."
)
# What to do about a pull request of a kind that is always refused.
_REMEDIES: dict[Kind, str] = {
    "rules": "Nobody edits the rules by hand: a proposal says what is to change, and nomicgen "
    "writes it once adopted.",
    "mixed": "Keep one thing in this pull request, and open another pull request for each of the "
    "others.",
}


def comment_markdown(
    verdict: PullVerdict,
    report: PullReport,
    *,
    undone: Sequence[tuple[str, str]] = (),
    asked: bool = False,
    head: str | None = None,
    zone: str = "UTC",
) -> str:
    """Return the comment, with one line feed at its end.

    `undone` has what was asked for on the pull request and was not done: each time why, and what to
    do. `asked` says that its author has asked for the vote, which has to wait. `head` is its last
    commit. `zone` is the time zone of the game's days.
    """
    preview, standing, mended = report.preview, report.standing, report.mended
    mark, heading = headline(verdict, preview, standing)
    if verdict.kind == "judgement" and report.hint is not None and mark == "✅":
        mark, heading = "⚠️", f"{heading}, but it leaves something undone"
    wrong = wrong_with(verdict, preview)
    has_ended = standing is not None and not standing.is_undecided
    remedy = verdict.remedy or _REMEDIES.get(verdict.kind)
    top = f"{COMMENT}\n### {mark} {plain_words(heading)}"
    if mark == "❌":
        top += (
            "\n\n**What to do:** "
            f"{_what_to_do(wrong, undone, remedy, mended, preview, has_ended=has_ended)}"
        )
    day = f" as of {moment_words(preview.moment)}" if preview else ""
    zoned = f"Days and times are those of {plain_words(zone)}."
    foot = (
        f"---\n\nJudged by the rules of the game{day}, not by what this pull request says of "
        f"itself. {zoned}"
    )
    template = markdown_templates().get_template("comment.md")
    context = template.new_context(
        {
            **asdict(report),
            "verdict": verdict,
            "heading": heading,
            "has_ended": has_ended,
            "undone": undone,
            "asked": asked,
            "head": head,
            "whole_files": _whole_files(mended) if mended is not None else (),
            "kind": KIND_WORDS[verdict.kind],
            "remedy": remedy,
            "claim": claim_line(verdict.actor or ""),
            "wrong": wrong,
            "has_errors": any(finding.is_error for finding in wrong),
            "effects": preview.effects if preview else verdict.effects,
            "question": Escaped(answer_to(questions_about(preview))),
            "may_vote": who_may_vote(preview.supposed.tally)
            if preview and preview.supposed
            else (),
        }
    )
    parts = ["".join(block(context)).strip("\n") for block in template.blocks.values()]
    shown = [*fold_parts(f"{top.removeprefix(COMMENT)}\n{foot}", [part for part in parts if part])]
    return f"{top}\n\n{_cut_to_fit(shown, LIMIT - len(top) - len(foot) - _JOINTS)}{foot}\n"


def _what_to_do(
    wrong: Sequence[Finding],
    undone: Sequence[tuple[str, str]],
    remedy: str | None,
    mended: Mended | None,
    preview: Preview | None,
    *,
    has_ended: bool,
) -> str:
    """Return in one line what the author does about a pull request that is marked ❌."""
    if has_ended:
        return "nothing. To try again, write a new proposal."
    if mended is not None:
        return (
            _CHOOSE
            if mended.is_choice
            else "copy the whole file from below, if it says what you mean."
        )
    if remedy is not None:
        return plain_words(remedy)
    said = (
        (find.mending.said if find.mending is not None else find.help)
        for find in wrong
        if find.is_error
    )
    helps = [help for help in said if help]
    helps += [help for _, help in undone if help]
    helps += (
        [preview.next_step.remedy] if preview is not None and preview.next_step is not None else []
    )
    return (
        code_span(shorten(helps[0], _LONGEST_HELP, placeholder=" …"))
        if any(helps)
        else "see below what is wrong."
    )


def _whole_files(mended: Mended) -> tuple[WholeFile, ...]:
    """Return the files that the comment shows whole; none if together they are too long, or one has
    characters that a reader would not see.
    """
    texts = [file.text for file in mended.files]
    fit = sum(map(len, texts)) <= _LONGEST_FILE * min(len(texts), 2) and all(
        safe(text) == text for text in texts
    )
    return mended.files if fit else ()


def _cut_to_fit(parts: Sequence[str], room: int) -> str:
    """Return the parts that fit into `room` characters, and a line on those that are left out."""
    note = f"⚠️ {{}} did not fit in here; to read all: `{WHOLE}`\n\n"
    kept = [f"{part}\n\n" for part in parts]
    while kept and sum(map(len, kept)) + len(note) + 20 > room:
        kept.pop()
    return "".join(kept) + (
        note.format(counted(len(parts) - len(kept), "more part")) if len(kept) < len(parts) else ""
    )


def ballot_markdown(
    standing: ProposalStatus,
    summary: Sequence[str],
    lapsed: Mapping[str, str | None] | None = None,
    *,
    zone: str = "UTC",
) -> str:
    """Return the comment on which players vote on an open proposal by a reaction.

    `summary` is a preview's: what the instructions do, without a word of their author. `lapsed` are
    those whose votes lapsed when the text was put to the vote again, each with the account that the
    forge then notifies, None without one.
    """
    values = {
        **asdict(standing),
        "summary": summary[:50],
        "lapsed": _player_names(lapsed) if lapsed else None,
        "by_review": True,
        "zone": zone,
    }
    text = closed_up(markdown_templates().get_template("ballot.md").render(values))
    first = BALLOT.format(ballot=standing.ballot, digest=standing.digest)
    return "\n\n".join(fold_parts("", [text])).join((f"{first}\n", "\n"))


def _player_names(players: Mapping[str, str | None]) -> Escaped:
    """Return players, by account if they have one: a forge notifies everybody so named."""
    return Escaped(
        ", ".join(
            f"@{login}" if login is not None and re.fullmatch(_LOGIN, login) else code_span(ident)
            for ident, login in players.items()
        )
    )
