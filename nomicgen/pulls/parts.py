"""Parts of a comment, some of which other outputs share: the words for a pull request's kind, the
heading, the questions to its author, and all that is wrong with it, in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicgen.model.findings import Finding, ordered
from nomicgen.play.preview.proposal import Preview
from nomicgen.pulls.request import Kind, PullVerdict
from nomicgen.pulls.status import ProposalStatus

KIND_WORDS: dict[Kind, str] = {
    "proposal": "a proposal",
    "judgement": "a judgement",
    "act": "an act",
    "correction": "a correction",
    "player": "a player's file",
    "turn": "a turn",
    "rules": "an edit of the rules by hand",
    "machinery": "a change of the machinery: of the files that keep and judge the game, not of "
    "the game",
    "mixed": "several things at once",
    "nothing": "nothing that changes the game",
}
"""Kinds of pull requests, as they follow *This is* or *It is*."""
# The heading of a pull request that is refused, by kind; other kinds have a common one.
_REFUSED: dict[Kind, str] = {
    "proposal": "This proposal cannot go to the vote as it is",
    "rules": "The rules are not edited by hand",
    "machinery": "This changes the machinery, and nobody has allowed it",
    "mixed": "This pull request does more than one thing",
}
_QUESTIONS = {
    "provisions-differ": (
        "its text and the block that the program reads say different things",
        "Let both say the same: below is the block to copy.",
    ),
    "text-cut": ("", "To change a part of a rule, write its whole new text."),
    "provisions-kept": (
        "a rule's text changes, and what the program does stays",
        "Change the block that the program reads, shown below; or, if the rule still means what "
        "the block says, write `meaning: stands` in that block.",
    ),
}
"""By slug, the warnings that put a question to a draft's author, the most urgent first: words of
the heading ('' where it is the finding's message), and what to do.
"""
# By status, a decided proposal's mark, and the end of its heading.
_DECIDED = {
    "adopted": ("✅", "was adopted"),
    "defeated": ("❌", "was defeated"),
    "withdrawn": ("↩️", "was withdrawn"),
    "void": ("❌", "is void"),
}


def wrong_with(verdict: PullVerdict, preview: Preview | None) -> tuple[Finding, ...]:
    """Return the findings of the verdict and of the preview, errors first."""
    findings = list(verdict.findings)
    known = {(finding.slug, finding.span, finding.rule) for finding in findings}
    # A preview may have the same finding in other words.
    others = (*preview.findings, *preview.dangling) if preview else ()
    findings += [
        finding for finding in others if (finding.slug, finding.span, finding.rule) not in known
    ]

    def rank(one: Finding) -> tuple[bool, bool, bool]:
        # What is wrong in other files often follows from what it does to its own; and that no rule
        # could be changed any more follows from another error.
        is_elsewhere = one.span.file not in verdict.paths
        return not one.is_error, one.slug == "change-ossifies", is_elsewhere

    return tuple(sorted(ordered(findings), key=rank))


def questions_about(preview: Preview | None) -> tuple[Finding, ...]:
    """Return the findings that put a question to the author of a legal draft, one of each kind."""
    found = preview.findings if preview is not None else ()
    first = {finding.slug: finding for finding in reversed(found)}
    return tuple(first[slug] for slug in _QUESTIONS if slug in first)


def answer_to(questions: Sequence[Finding]) -> str:
    """Return what the author of a legal draft is told to do about questions; '' without any."""
    return " ".join(_QUESTIONS[asked.slug][1] for asked in questions)


def headline(
    verdict: PullVerdict, preview: Preview | None, standing: ProposalStatus | None
) -> tuple[str, str]:
    """Return the comment's heading, after the mark that goes before it (❌ for what is refused)."""
    illegal = preview is not None and any(finding.is_error for finding in preview.findings)
    if standing is not None and standing.status in _DECIDED:
        mark, became = _DECIDED[standing.status]
        return mark, f"Proposal {standing.number} {became}"
    if standing is not None:
        stands = (
            "The vote on Proposal {} is open"
            if standing.status == "open"
            else "Proposal {} is in debate"
        )
        against = " and cannot be carried out as the rules now stand" if illegal else ""
        # While it is debated, what its author changes counts.
        is_refused = verdict.refused and standing.status == "debate"
        if is_refused and not illegal:
            against = ", and its changed file cannot be taken as it is"
        mark = "❌" if illegal or is_refused else "🗳️" if standing.status == "open" else "💬"
        return mark, stands.format(standing.number) + against
    if verdict.refused:
        return "❌", _REFUSED.get(
            verdict.kind, f"{KIND_WORDS[verdict.kind].capitalize()} that cannot be taken as it is"
        )
    if verdict.kind == "proposal":
        return _headline_of_draft(preview, illegal=illegal)
    if verdict.kind == "machinery":
        return "✅", "This changes the machinery, and a rulekeeper has allowed it"
    if verdict.kind in ("judgement", "act", "correction", "player", "turn"):
        return "✅", f"Nothing stands against this {KIND_WORDS[verdict.kind].partition(' ')[2]}"
    return "ℹ️", "This pull request changes nothing"


def _headline_of_draft(preview: Preview | None, *, illegal: bool) -> tuple[str, str]:
    if illegal:
        return "❌", "This proposal is against the rules as they now stand"
    if preview is not None and not preview.legal:
        return "❌", "This proposal cannot get its number yet"
    if preview is not None and preview.ossifies:
        return "⚠️", "This proposal is legal, but after it no vote could change any rule"
    asked = questions_about(preview)
    if asked:
        said = "; ".join(_QUESTIONS[one.slug][0] or one.message for one in asked)
        return "⚠️", f"This proposal is legal, but {said}"
    if preview is not None and preview.overruled:
        return "⚠️", "This proposal is legal, but another rule overrides a part of it"
    waits = (
        preview.next_step.waits if preview is not None and preview.next_step is not None else None
    )
    # If it waits for neither a player's turn nor a day, nobody knows how long.
    known = waits is None or waits.player is not None or waits.since is not None
    return "✅" if known else "⚠️", waits.words if waits is not None else "This proposal is legal"
