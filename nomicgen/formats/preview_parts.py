"""A preview as sections of lines, before it is laid out: own words, and words that players wrote, kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from nomicgen.archive.activity import who_may_vote
from nomicgen.archive.differences import ReachChange
from nomicgen.archive.effects_between import Effects, StateDifference, What
from nomicgen.archive.interactions import Influence, Interaction
from nomicgen.archive.proposal_preview import Preview, PreviewedRule
from nomicgen.archive.redline import Segment
from nomicgen.diagnostics import Finding, counted
from nomicgen.identifiers import PlayerId
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.law.replay_state import Rule
from nomicgen.model import Instrument, ProposalMatter


class Quote(Struct, frozen=True):
    """Words that a player wrote, such as a title."""

    text: str


class Name(Struct, frozen=True):
    """A name that a player chose, such as an id or a file's."""

    text: str


_SHOWN, _MOST = 12, 500
"""How many names and how many effects are listed."""

Word = str | Quote | Name
Tone = Literal["", "good", "bad", "warn"]


class Line(Struct, frozen=True):
    """A line of words; those that are plain strings are nomicgen's own."""

    words: tuple[Word, ...]
    tone: Tone = ""
    level: int = 0


class Subheading(Struct, frozen=True):
    """A heading within a section."""

    words: tuple[Word, ...]


class Redline(Struct, frozen=True):
    """What becomes of a text."""

    segments: tuple[Segment, ...]


class SentenceChanges(Struct, frozen=True):
    """Sentences of provisions, which may quote what players wrote: those that go, that come, that stay."""

    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[tuple[Literal["-", "+", " "], str], ...]:
        """Each sentence on one line, with its sign."""
        signs: tuple[tuple[Literal["-", "+", " "], tuple[str, ...]], ...] = (
            ("-", self.gone),
            ("+", self.come),
            (" ", self.kept),
        )
        return tuple((sign, " ".join(one.split())) for sign, many in signs for one in many)


class FindingList(Struct, frozen=True):
    """Findings, as `check` prints them."""

    findings: tuple[Finding, ...]


Block = Subheading | Line | Redline | SentenceChanges | FindingList


class Section(Struct, frozen=True):
    """A part of the preview under its heading."""

    heading: str
    blocks: tuple[Block, ...]


def preview_title(preview: Preview) -> tuple[Word, ...]:
    """What the whole is about."""
    if preview.supposed is None:
        return ("What ", Name(preview.path), " would do")
    number = preview.supposed.instrument.number
    name: tuple[Word, ...]
    if preview.next_number is None:
        name = (f"Proposal {number}",)
    else:
        name = ("the draft ", Name(preview.path), f", as Proposal {number},")
    return ("What ", *name, " would do")


def preview_sections(preview: Preview) -> tuple[Section, ...]:
    """Everything that the preview says, in order; a section that has nothing to say is left out."""
    parts = (
        Section("In short", tuple(_in_short(preview))),
        Section("The rules", tuple(block for one in preview.rules for block in _rule(one))),
        Section("What it needs", tuple(_needs(preview))),
        Section("Findings", tuple(_findings(preview))),
        Section("What it would bring about", effects_blocks(preview.effects)),
        Section("What the rules in force would say", tuple(_law(preview))),
        Section("References", tuple(_references(preview))),
        Section("Other proposals", tuple(_encounters(preview.interactions))),
    )
    return tuple(part for part in parts if part.blocks)


def _in_short(preview: Preview) -> Iterator[Block]:
    supposed = preview.supposed
    if supposed is None:
        yield Line(("It cannot be read, so nothing can be said of what it would do.",), "bad")
        return
    matter = supposed.instrument.matter
    assert isinstance(matter, ProposalMatter)
    yield from (Line((said,)) for said in preview.summary)
    by: tuple[Word, ...] = (", by ", Name(matter.author)) if matter.author else ()
    called: tuple[Word, ...] = (", called ", Quote(matter.title)) if matter.title else ()
    yield Line((f"status: {matter.status}", *by, *called, f"; judged as of {preview.moment}"))
    if preview.legal:
        yield Line(("As the rules now stand, it could be adopted and carried out.",), "good")
    else:
        yield Line(("As the rules now stand, it would be refused.",), "bad")
    yield from ossification(preview)
    if preview.elsewhere:
        yield Line(
            (f"The game has {counted(preview.elsewhere, 'error')} elsewhere, so this may be wrong: nomicgen check",),
            "warn",
        )


def ossification(preview: Preview) -> Iterator[Block]:
    """A line on a proposal that would leave no vote that could change any rule."""
    if not preview.ossifies:
        return
    before = preview.changeable is not None and preview.changeable[0]
    again = "" if before else " (nor can one now)"
    yield Line((f"After it, no vote could change any rule{again}.",), "bad" if before else "warn")


def _rule(one: PreviewedRule) -> Iterator[Block]:
    rule = one.after or one.before
    assert rule is not None
    head = f"Rule {one.before.ref}" if one.before else f"Rule {rule.ref}"
    if one.before and one.after and one.before.ref != one.after.ref:
        head += f", then {one.after.ref}"
    yield Subheading((head, *_titled(rule), f", {rule.tier}: {', '.join(one.words)}"))
    if one.before and one.after and one.before.title != one.after.title:
        yield Line(("title: ", *_or_none(one.before.title), " -> ", *_or_none(one.after.title)), level=1)
    if one.segments is None:
        yield Line(("a text is lost, so no redline can be shown",), "warn", 1)
    elif any(part.kind != "equal" for part in one.segments):
        yield Redline(one.segments)
    else:
        yield Line(("its text stays as it is",), level=1)
    if one.gone or one.come:
        yield Line(("what a program reads of it:",), level=1)
        yield SentenceChanges(one.gone, one.come)
    if one.later is not None:
        yield Line(("the text that it gives itself then:",), "warn", 1)
        yield Redline(one.later)
    if one.provisions_stay:
        yield Line(("the text changes, and what a program reads stays:",), "warn", 1)
        yield SentenceChanges(kept=one.kept)
    if one.cited_by:
        which = ", ".join(f"Rule {number}" for number in one.cited_by)
        yield Line((f"{which} refer{'s' if len(one.cited_by) == 1 else ''} to it",), level=1)


def _titled(rule: Rule) -> tuple[Word, ...]:
    return (" (", Quote(rule.title), ")") if rule.title else ()


def _or_none(text: str | None) -> tuple[Word, ...]:
    return (Quote(text),) if text else ("none",)


def _needs(preview: Preview) -> Iterator[Block]:
    if preview.supposed is None:
        return
    tally, scene = preview.supposed.tally, preview.supposed.before
    if scene.lawless:
        yield Line(("No rule of this game carries provisions, so only its players know what it needs.",))
        return
    for need in preview.needs:
        yield Line((f"Rule {need.rule}: {need.sentence} That is {need.arithmetic}.",))
    yield Line(("may vote: ", *names(who_may_vote(tally))))
    if tally.for_ or tally.against or tally.abstain:
        yield Line(("so far: " + ", ".join(f"{tally.worth(who)} {word}" for who, word in _sides(preview)),))
        yield Line(("yet to vote: ", *names(tally.missing)))
    if tally.fewest is not None and tally.missing:
        yield Line((f"{counted(tally.fewest, 'more vote')} in favour would do",))


def _sides(preview: Preview) -> Iterator[tuple[tuple[PlayerId, ...], str]]:
    assert preview.supposed is not None
    tally = preview.supposed.tally
    yield from ((tally.for_, "for"), (tally.against, "against"))
    if tally.abstain:
        yield tally.abstain, "abstaining"


def names(idents: Sequence[str], most: int | None = None) -> tuple[Word, ...]:
    """Names with commas between them, of more than `most` the first; `nobody` where there are none."""
    words: list[Word] = []
    for ident in idents[:most]:
        words += [", "] * bool(words) + [Name(ident)]
    more = len(idents) - (len(idents) if most is None else most)
    return (*words, *((f" and {more} more",) if more > 0 else ())) or ("nobody",)


def _findings(preview: Preview) -> Iterator[Block]:
    if preview.findings:
        yield FindingList(preview.findings)


def effects_blocks(made: Effects) -> tuple[Block, ...]:
    """Each effect with what permits it, then what differs; none where nothing comes about."""
    effects = (
        Line((Name(one.words), f" \N{EM DASH} {one.reason}"), "bad" if one.refused else "")
        for one in made.effects[:_MOST]
    )
    more = len(made.effects) - _MOST
    cut = (Line((f"and {counted(more, 'more effect')}",)),) if more > 0 else ()
    return (*effects, *cut, *map(_difference, made.differences), *_reach(made.reach))


_WHAT: dict[What, str] = {
    "score": "points of ",
    "winner": "won by",
    "turn": "next turn",
    "due": "rules that are due to change by themselves",
    "voters": "may vote",
    "void": "rules without force",
}


def _difference(one: StateDifference) -> Line:
    """`points of wren: 5 -> 105`; of what may be many how many there are, and which come and go."""
    head = (_WHAT[one.what], *((Name(one.player),) if one.player is not None else ()), ": ")
    if one.what in ("score", "winner", "turn"):
        before, after = (names(many) if many else ("none",) for many in (one.before, one.after))
        return Line((*head, *before, " -> ", *after))
    words: list[Word] = [f"{len(one.before)} -> {len(one.after)}"]
    for said, many, others in ((", with ", one.after, one.before), (", without ", one.before, one.after)):
        if moved := sorted({*many} - {*others}):
            words += [said, *names(moved, _SHOWN)]
    return Line((*head, *words))


def _reach(reach: Iterable[ReachChange]) -> Iterator[Block]:
    """Kinds of change that change in one way stand in one line."""
    groups: dict[str, list[ReachChange]] = {}
    for one in reach:
        groups.setdefault(_reach_words(one), []).append(one)
    for said, many in groups.items():
        lost = many[0].before.possible and not many[0].after.possible
        yield Line((f"{', '.join(one.after.words for one in many)}: {said}",), "warn" if lost else "")


def _reach_words(one: ReachChange) -> str:
    if not one.after.possible:
        return f"becomes impossible: {one.after.reason}"
    if not one.before.possible:
        return f"becomes possible, and needs {_needs_words(one.after)} (before: {one.before.reason})"
    return f"needs {_needs_words(one.before)} -> {_needs_words(one.after)}"


def _needs_words(one: PossibleChange) -> str:
    return "; and ".join(one.needs)


def _law(preview: Preview) -> Iterator[Block]:
    for tier in preview.tiers:
        sides = ((tier.cap, "at most"), (tier.floor, "at least"))
        limits = ", ".join(f"{count} {word}" for count, word in sides if count is not None)
        yield Line((f"{tier.tier} rules: {tier.before} -> {tier.after}{f' ({limits})' if limits else ''}",))
    for one in preview.law:
        yield Line(
            (f"{one.what}: ", *_said_by(one.before, one.before_rule), " -> ", *_said_by(one.after, one.after_rule))
        )


def _said_by(said: str | None, rule: int | None) -> tuple[Word, ...]:
    return ("no rule says",) if said is None else (Name(said), f" (Rule {rule})")


def _references(preview: Preview) -> Iterator[Block]:
    for one in preview.loose:
        what = "would be gone" if one.kind == "gone" else "would be another rule"
        yield Line((f"Rule {one.rule} refers to Rule {one.number}, which {what}",), "warn")
    if preview.dangling:
        yield FindingList(preview.dangling)


def _encounters(many: Iterable[Interaction]) -> Iterator[Block]:
    alone: list[Word] = []
    for one in many:
        if one.independent:
            alone += [", "] * bool(alone) + list(_name(one.other))
            continue
        yield Line((*_name(one.other), _standing(one)))
        first = "takes effect" if one.pending else "passes first"
        if one.this_after is None:
            yield Line(("it cannot pass as the rules now stand",), level=1)
        else:
            yield from _influence(f"if it {first}, this", one.this_after)
        if not one.pending and one.other_after is not None:
            yield from _influence("if this passes first, it", one.other_after)
    if alone:
        yield Line(("independent of this, whichever passes first: ", *alone))


def _name(instrument: Instrument) -> tuple[Word, ...]:
    if instrument.path.startswith("proposals/") and not instrument.path[10:11].isdigit():
        return ("the draft ", Name(instrument.path[10:-3]))
    if instrument.number is None:
        return (Name(instrument.path),)
    return (f"{instrument.kind.capitalize()} {instrument.number}",)


def _standing(one: Interaction) -> str:
    if one.pending:
        return ", decided, takes effect later:"
    matter = one.other.matter
    return f", {matter.status}:" if isinstance(matter, ProposalMatter) and matter.status != "draft" else ":"


_FATES: dict[str, tuple[str, Tone]] = {
    "stale": ("becomes stale", "bad"),
    "illegal": ("becomes illegal", "bad"),
    "legal": ("becomes legal, which it is not now", "good"),
    "different": ("comes out different", "warn"),
    "independent": ("stays as it is", ""),
}


def _influence(head: str, one: Influence) -> Iterator[Block]:
    said, tone = _FATES[one.kind]
    yield Line((f"{head} {said}{':' if one.findings or one.differences else ''}",), tone, 1)
    for found in one.findings:
        rule = f" (Rule {found.rule})" if found.rule is not None else ""
        yield Line((f"{found.slug}{rule}: ", Name(found.message)), level=2)
    for difference in one.differences:
        yield Line((difference,), level=2)
