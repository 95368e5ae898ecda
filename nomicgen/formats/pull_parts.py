"""What the comment on a pull request says, in parts: own words, and words that players wrote, kept apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.archive.activity import who_may_vote
from nomicgen.archive.mending import Mended
from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.pull_request import Kind, PullVerdict
from nomicgen.archive.pull_status import ProposalStatus
from nomicgen.diagnostics import Finding, counted, ordered
from nomicgen.formats.preview_parts import (
    Block,
    Found,
    Line,
    Name,
    Quote,
    Section,
    Word,
    effects_blocks,
    names,
    ossification,
    view,
)
from nomicgen.formats.pull_next import Typed, next_step
from nomicgen.formats.pull_take import Link, Whole, take_over
from nomicgen.model import ProposalMatter

__all__ = ["Link", "Part", "Piece", "Typed", "Whole", "Wrong", "headline", "kind_words", "parts"]

_SHOWN = 12
"""How many paths or votes are listed."""


class Wrong(Struct, frozen=True):
    """Findings, each with what to do."""

    findings: tuple[Finding, ...]


Piece = Block | Typed | Wrong | Link | Whole


class Part(Struct, frozen=True):
    """A part of the comment under its heading."""

    heading: str
    pieces: tuple[Piece, ...]


_KINDS: dict[Kind, str] = {
    "proposal": "a proposal",
    "judgement": "a judgement",
    "act": "an act",
    "correction": "a correction",
    "player": "a player's file",
    "turn": "a turn",
    "rules": "an edit of the rules by hand",
    "machinery": "a change of the machinery: of what the game is kept and judged with, not of the game",
    "mixed": "several things at once",
    "nothing": "nothing that changes the game",
}
_REFUSED: dict[Kind, str] = {
    "proposal": "This proposal cannot go to the vote as it is",
    "rules": "The rules are not edited by hand",
    "machinery": "This changes the machinery, and nobody has allowed it",
    "mixed": "This pull request does more than one thing",
}
_TAKEN: dict[Kind, str] = {
    "judgement": "Nothing stands against this judgement",
    "act": "Nothing stands against this act",
    "correction": "Nothing stands against this correction",
    "player": "Nothing stands against this player's file",
    "turn": "Nothing stands against this turn",
    "machinery": "This changes the machinery, and a rulekeeper has allowed it",
}
_DECIDED = {
    "adopted": ("✅", "was adopted"),
    "defeated": ("❌", "was defeated"),
    "withdrawn": ("↩️", "was withdrawn"),
    "void": ("❌", "is void"),
}
_FROM_PREVIEW = {
    "The rules": "What would change in the rules",
    "Other proposals": "Other proposals",
    "What the rules in force would say": "What the rules in force would say",
    "References": "References",
}


def kind_words(kind: Kind) -> str:
    """A kind of pull request, as a sentence calls it: `a proposal`."""
    return _KINDS[kind]


def _wrong_with(verdict: PullVerdict, preview: Preview | None) -> tuple[Finding, ...]:
    """What is wrong with the pull request, errors first; what it would do to the rules counts, too."""
    found = list(verdict.findings)
    known = {(one.slug, one.span, one.rule) for one in found}
    # A preview says some of it in other words.
    others = (*preview.findings, *preview.dangling) if preview else ()
    found += [one for one in others if (one.slug, one.span, one.rule) not in known]
    return tuple(sorted(ordered(found), key=lambda one: not one.is_error))


def headline(verdict: PullVerdict, preview: Preview | None, standing: ProposalStatus | None) -> tuple[str, str]:
    """A mark and the comment's heading."""
    illegal = preview is not None and not preview.legal
    if standing is not None and standing.status in _DECIDED:
        mark, became = _DECIDED[standing.status]
        return mark, f"Proposal {standing.number} {became}"
    if standing is not None:
        stands = "The vote on Proposal {} is open" if standing.status == "open" else "Proposal {} is in debate"
        against = " and cannot be carried out as the rules now stand" if illegal else ""
        mark = "❌" if illegal else "🗳️" if standing.status == "open" else "💬"
        return mark, stands.format(standing.number) + against
    if verdict.refused:
        return "❌", _REFUSED.get(
            verdict.kind, f"{kind_words(verdict.kind).capitalize()} that cannot be taken as it is"
        )
    if verdict.kind == "proposal":
        return _proposal(preview, illegal=illegal)
    return ("✅", _TAKEN[verdict.kind]) if verdict.kind in _TAKEN else ("ℹ️", "This pull request changes nothing")


def _proposal(preview: Preview | None, *, illegal: bool) -> tuple[str, str]:
    if illegal:
        return "❌", "This proposal is against the rules as they now stand"
    if preview is not None and preview.ossifies:
        return "⚠️", "This proposal is legal, but after it no vote could change any rule"
    return "✅", "This proposal is legal"


def parts(
    verdict: PullVerdict,
    preview: Preview | None,
    standing: ProposalStatus | None,
    undone: Sequence[Line] = (),
    head: str | None = None,
    mended: Mended | None = None,
    editor: str | None = None,
) -> tuple[Part, ...]:
    """Everything that the comment says, the most important first; a part that has nothing to say is left out.

    `undone` says why what was asked for was not done; `head` is the id of the last commit, if there is one; `mended` is
    the whole file as it could be, and `editor` the address where the forge lets its author change it.
    """
    refused = Part("What could not be done", tuple(undone))
    if standing is not None and not standing.is_undecided:
        # What is left of the draft in the pull request is nobody's concern any more.
        ended = [Part("What became of it", tuple(next_step(verdict, None, standing)))]
        many = [*ended, refused, Part("The votes", tuple(_votes(standing)))]
        return tuple(one for one in many if one.pieces)
    wrong, shown = _wrong_with(verdict, preview), preview
    many = [
        Part("What it does" if shown is None else "What it would do", tuple(_short(verdict, shown))),
        Part("What happens next", tuple(next_step(verdict, shown, standing, head, is_mended=mended is not None))),
        Part("The whole file, put right", tuple(take_over(mended, editor)) if mended is not None else ()),
        refused,
        Part(
            "What is wrong" if any(one.is_error for one in wrong) else "What to look at", tuple(_wrong(verdict, wrong))
        ),
    ]
    sections = {one.heading: one for one in view(shown)} if shown else {}
    rules, *others = (
        _taken(sections[heading], name) if heading in sections else Part(name, ())
        for heading, name in _FROM_PREVIEW.items()
    )
    many += [_effects(verdict, shown), Part("The votes it needs", tuple(_needs(shown)))]
    return tuple(one for one in (*many, Part("The votes", tuple(_votes(standing))), rules, *others) if one.pieces)


def _effects(verdict: PullVerdict, preview: Preview | None) -> Part:
    if preview is None:
        return Part("What it brings about", effects_blocks(verdict.effects))
    return Part("What it would bring about", effects_blocks(preview.effects))


def _taken(section: Section, heading: str) -> Part:
    signs: tuple[Piece, ...] = ()
    if heading == _FROM_PREVIEW["The rules"]:
        signs = (Line(("Lines with ", Name("-"), " go, lines with ", Name("+"), " come, all others stay.")),)
    # What is wrong has a part of its own.
    return Part(heading, (*signs, *(_milder(one) for one in section.blocks if not isinstance(one, Found))))


def _milder(block: Block) -> Block:
    """A mark of what is wrong is for that alone: what a proposal takes away is for its readers to judge."""
    return replace(block, tone="warn") if isinstance(block, Line) and block.tone == "bad" else block


def _short(verdict: PullVerdict, preview: Preview | None) -> Iterator[Piece]:
    if preview is None or preview.supposed is None:
        unread = ", which cannot be read yet, so its effect is not known" if preview is not None else ""
        yield Line((f"It is {kind_words(verdict.kind)}{unread}.",))
        yield from _touches(verdict)
    else:
        yield from (Line((said,)) for said in preview.summary)
        yield from ossification(preview)
        matter = preview.supposed.instrument.matter
        assert isinstance(matter, ProposalMatter)
        if matter.title:
            yield Line(("Its author calls it ", Quote(matter.title), "; this comment is made from its instructions."))
    yield from _actor(verdict)


def _touches(verdict: PullVerdict) -> Iterator[Piece]:
    if verdict.paths:
        yield Line(("It touches ", *names(verdict.paths, _SHOWN), "."))


def _actor(verdict: PullVerdict) -> Iterator[Piece]:
    if verdict.actor is None:
        return
    plays: tuple[Word, ...] = ("which is no player's yet",)
    if verdict.players:
        plays = ("which plays as ", *names(verdict.players))
    yield Line(("It comes from the account ", Name(verdict.actor), ", ", *plays, "."))


def _wrong(verdict: PullVerdict, findings: Sequence[Finding]) -> Iterator[Piece]:
    if findings:
        yield Wrong(tuple(findings))
    if verdict.old:
        found = counted(len(verdict.old), "finding")
        yield Line((f"The game also has {found} that this pull request did not bring.",))


def _needs(preview: Preview | None) -> Iterator[Piece]:
    if preview is None or preview.supposed is None:
        return
    if preview.supposed.before.lawless:
        yield Line(("No rule of this game carries provisions, so only its players know what it needs.",))
        return
    yield from (Line((f"Rule {one.rule}: {one.sentence} That is {one.arithmetic}.",)) for one in preview.needs)
    yield Line(("These may vote: ", *names(who_may_vote(preview.supposed.tally)), "."))


def _votes(standing: ProposalStatus | None) -> Iterator[Piece]:
    if standing is None or not standing.is_counted or standing.status == "debate":
        return
    sides = f"{standing.count('for')} for, {standing.count('against')} against"
    if standing.count("abstain"):
        sides += f", {standing.count('abstain')} abstaining"
    yield Line((f"{'So far' if standing.is_undecided else 'In all'}: {sides}.",))
    for choice in ("for", "against", "abstain"):
        who = [one.player for one in standing.ballots if one.choice == choice]
        if who:
            yield Line((f"{choice}: ", *names(who)), level=1)
    if standing.is_undecided:
        yield Line(("Yet to vote: ", *names(standing.missing), "."))
        yield from _chance(standing)
    if standing.strays:
        yield Line(("Not counted:",), "warn")
    for stray in standing.strays[:_SHOWN]:
        who_: Word = Name(stray.login) if stray.login else "an account that is gone"
        yield Line((who_, ": ", Name(stray.reason)), level=1)
    if len(standing.strays) > _SHOWN:
        yield Line((f"and {len(standing.strays) - _SHOWN} more",), level=1)


def _chance(standing: ProposalStatus) -> Iterator[Piece]:
    if not standing.missing:
        return
    if standing.fewest is None:
        yield Line(("It cannot pass any more.",))
    elif standing.fewest:
        yield Line((f"{counted(standing.fewest, 'more vote')} in favour would pass it.",))
    else:
        yield Line(("As it stands, it passes.",))
