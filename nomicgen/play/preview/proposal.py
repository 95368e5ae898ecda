"""The preview of a proposal: all that its readers and voters should see of what it would do, as the
rules now stand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgen.history.differences import LawChange, Overruled, law_changes, overruled_provisions
from nomicgen.history.past.effects_between import (
    Effects,
    ballots_asked,
    votes_asked,
    would_bring_about,
)
from nomicgen.history.redline import Segment, redline
from nomicgen.history.references import cited_numbers, citing_rules
from nomicgen.history.supposed import Supposed, as_registered, settle_overtaken, suppose
from nomicgen.law.change_kinds import NOUNS, judged_verb
from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.prospects import against_opening
from nomicgen.law.questions import (
    bounds_of,
    effect_words,
    own_moment,
    quorum_of,
    quorum_sentence,
    rule_of_effect,
    waiting_text,
)
from nomicgen.law.replay.results import Replay, Rule, Ruleset
from nomicgen.law.replay.scene import Scene
from nomicgen.law.sentences import sentence, sentences
from nomicgen.model.findings import Finding, counted, ordered
from nomicgen.model.records import Instrument, Proposal, Records
from nomicgen.model.values import Moment
from nomicgen.play.game_status import next_number
from nomicgen.play.next_step import NextStep
from nomicgen.play.preview.interactions import Interaction, interactions

_WORD = r"\w+(?:['’‐‑-]\w+)*"
_DANGLING = "reference-dangling"


class PreviewedRule(Struct, frozen=True, kw_only=True):
    """What would become of one rule; `before` is None for a new one, `after` for one that is
    repealed.

    `words` says what becomes of it in English. `segments` is the redline, None if one of the texts
    is lost; `later` is that of the text which a new sunset will give the rule, None without one.
    `gone` and `come` are the sentences of provisions that go and come, `kept` those that stay.
    `cited_by` has the rules that refer to it.
    """

    before: Rule | None
    after: Rule | None
    words: tuple[str, ...]
    segments: tuple[Segment, ...] | None
    later: tuple[Segment, ...] | None = None
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    cited_by: tuple[int, ...] = ()

    @property
    def provisions_stay(self) -> bool:
        """Whether the text changes under provisions that do not."""
        texts = (
            None
            if self.before is None or self.after is None
            else (self.before.text, self.after.text)
        )
        return bool(
            texts and texts[0] != texts[1] and self.kept and not self.gone and not self.come
        )


class AdoptionNeed(Struct, frozen=True, kw_only=True):
    """A condition of adoption. `arithmetic` says how many votes that is: `3 of 4 needed`."""

    rule: int
    sentence: str
    arithmetic: str


class TierCount(Struct, frozen=True, kw_only=True):
    """How many rules of a tier there are before and after a proposal, and how many there may be
    then: at least `floor`, at most `cap`, None without such a limit.
    """

    tier: str
    before: int
    after: int
    cap: int | None
    floor: int | None


class LooseReference(Struct, frozen=True, kw_only=True):
    """A reference of a rule that would lead nowhere (`gone`), or to an `other` rule than now."""

    rule: int
    number: int
    kind: Literal["gone", "other"]


class Changeable(Struct, frozen=True):
    """Whether votes could change the rules, before and after."""

    before: bool
    after: bool


class Preview(Struct, frozen=True, kw_only=True):
    """What a proposal would do on a day. `path` is the file as its reader named it.

    `supposed` is None if the file could not be read: `findings` say why. `next_number` is what a
    draft would get; None if it has a number. `changeable` says whether votes could still change the
    rules, before and after; None in a game without provisions. `elsewhere` counts the errors of the
    game that are not in undecided proposals. `next_step` is tried; None if the proposal has errors.
    `before_vote` says what players must do before its vote can open.
    """

    path: str
    moment: Moment
    findings: tuple[Finding, ...]
    supposed: Supposed | None = None
    next_number: int | None = None
    summary: tuple[str, ...] = ()
    rules: tuple[PreviewedRule, ...] = ()
    needs: tuple[AdoptionNeed, ...] = ()
    before_vote: tuple[Finding, ...] = ()
    effects: Effects = field(default_factory=Effects)
    law: tuple[LawChange, ...] = ()
    overruled: tuple[Overruled, ...] = ()
    tiers: tuple[TierCount, ...] = ()
    loose: tuple[LooseReference, ...] = ()
    dangling: tuple[Finding, ...] = ()
    changeable: Changeable | None = None
    interactions: tuple[Interaction, ...] = ()
    elsewhere: int = 0
    next_step: NextStep | None = None

    @property
    def legal(self) -> bool:
        """Whether it lacks only the votes that it needs, and what it waits for."""
        return not any(finding.is_error for finding in self.findings) and (
            self.next_step is None or self.next_step.is_lawful
        )

    @property
    def ossifies(self) -> bool:
        """Whether it would leave no vote that could change any rule."""
        return self.changeable is not None and not self.changeable.after


def preview(
    instrument: Proposal,
    records: Records,
    replay: Replay,
    findings: Sequence[Finding],
    moment: Moment,
    path: str,
) -> Preview:
    """Return what an undecided proposal of `records` would do at `moment`.

    `findings` are all those of the game. `path` names the file for the reader. `next_step` is left
    to the caller.
    """
    number = next_number(records, replay, moment)
    scene = Scene.of(replay.current, records, moment)
    supposed = suppose(as_registered(instrument, number), scene)
    # On a day on which players come or go, a vote that is open knows who takes part in it.
    if instrument.matter.status == "open" and instrument.path in replay.tallies:
        supposed = replace(supposed, tally=replay.tallies[instrument.path])
    own = [finding for finding in findings if finding.span.file == instrument.path]
    # Others changed its rules during the vote: what it can no longer do is not carried out.
    if any(finding.slug == "change-overtaken" for finding in own):
        supposed = settle_overtaken(supposed)
    # The replay and `suppose` may find the same in other words: a draft has a number only here.
    known = {(finding.slug, finding.span) for finding in own}
    new = [finding for finding in supposed.findings if (finding.slug, finding.span) not in known]
    before, after = scene, supposed.after
    changes = tuple(_rule_changes(supposed))
    undecided = {
        proposal.path for proposal in records.of_kind("proposal") if proposal.matter.is_undecided
    }
    return Preview(
        path=path,
        moment=moment,
        findings=ordered(finding for finding in (*own, *new) if finding.slug != _DANGLING),
        supposed=supposed,
        next_number=number if instrument.number is None else None,
        summary=(*_summary(supposed, changes), *_commencement(supposed, moment)),
        rules=changes,
        needs=tuple(_needs(supposed)),
        before_vote=tuple(_before_vote(instrument, records, replay, moment)),
        effects=would_bring_about(supposed),
        law=tuple(law_changes(before.law, before.ruleset, after.law, after.ruleset)),
        overruled=tuple(
            idle
            for change in changes
            if change.after
            for idle in overruled_provisions(change.before, change.after, after.law)
        ),
        tiers=tuple(_tier_counts(supposed)),
        loose=tuple(_loose_references(before.ruleset, after.ruleset)),
        dangling=tuple(finding for finding in own if finding.slug == _DANGLING),
        changeable=None if after.lawless else Changeable(_changeable(before), _changeable(after)),
        interactions=tuple(_encounters(supposed, instrument, records, replay, number)),
        elsewhere=sum(
            1 for finding in findings if finding.is_error and finding.span.file not in undecided
        ),
    )


def _changeable(scene: Scene) -> bool:
    return any(change.possible for change in possible_changes(scene))


def _encounters(
    supposed: Supposed, instrument: Instrument, records: Records, replay: Replay, number: int
) -> Iterator[Interaction]:
    live = (
        proposal
        for proposal in records.of_kind("proposal")
        if proposal.matter.is_undecided and proposal.path != instrument.path
    )
    # A draft that passes after this one is registered after it, too.
    later = number + (instrument.number is None)
    others = (as_registered(proposal, later) for proposal in live)
    pending = (step.instrument for step in replay.pending)
    return interactions(supposed, others, pending)


def _rule_changes(supposed: Supposed) -> Iterator[PreviewedRule]:
    """Yield what becomes of each rule, in the order in which they are first changed."""
    ends: dict[tuple[int, int], tuple[Rule | None, Rule | None]] = {}
    bearers: Counter[int] = Counter()
    for change in supposed.changes:
        identity = change.rule.identity
        known = ends.get((identity, bearers[identity]))
        if known is not None and known[1] is not None and change.before is None:
            # Two enactments of one number have one identity here, and are two rules.
            bearers[identity] += 1
            known = None
        ends[identity, bearers[identity]] = (
            known[0] if known is not None else change.before,
            change.after,
        )
    citing = citing_rules(supposed.before.ruleset)
    for (identity, _), (before, after) in ends.items():
        cited_by = citing.get(before.number, ()) if before else ()
        yield _rule_change(
            before, after, cited_by, identity in supposed.before.ruleset.last_holder.values()
        )


def _rule_change(
    before: Rule | None, after: Rule | None, cited_by: tuple[int, ...], existed: bool
) -> PreviewedRule:
    lost = any(rule is not None and rule.text is None for rule in (before, after))
    old, new = (sentences(rule.law) if rule else () for rule in (before, after))
    kept = Counter(old) & Counter(new)
    return PreviewedRule(
        before=before,
        after=after,
        words=tuple(_words(before, after, existed)),
        segments=None if lost else redline(_text(before), _text(after)),
        later=_later_redline(before, after),
        gone=tuple((Counter(old) - kept).elements()),
        come=tuple((Counter(new) - kept).elements()),
        kept=tuple(kept.elements()),
        cited_by=cited_by,
    )


def _later_redline(before: Rule | None, after: Rule | None) -> tuple[Segment, ...] | None:
    """Return the redline of a text that waits in a sunset that the rule did not have before."""
    text = waiting_text(before, after) if after is not None else None
    return None if text is None else redline(_text(after), text.strip("\n"))


def _text(rule: Rule | None) -> str:
    return (rule.text or "") if rule else ""


def _words(before: Rule | None, after: Rule | None, existed: bool) -> Iterator[str]:
    """Yield what becomes of a rule. A rule that is enacted again `existed`, and was repealed."""
    if before is None or after is None:
        yield "repealed" if after is None else "enacted again" if existed else "new"
        return
    if before.text != after.text:
        yield "amended"
    if before.number != after.number:
        yield f"renumbered from {before.number}"
    if before.tier != after.tier:
        yield f"transmuted from {before.tier} to {after.tier}"
    for name, word in _ASPECTS.items():
        if getattr(before, name) != getattr(after, name):
            yield word
    if before == replace(after, revision=before.revision):
        yield "left as it is"


# What may change in a rule besides text, number and tier, by attribute.
_ASPECTS = {
    "title": "retitled",
    "provisions": "its provisions changed",
    "section": "moved to another section",
    "defines": "its defined terms changed",
    "unread": "what no program reads of it changed",
    "void": "marked as to its force",
    "note": "its note changed",
}


def _summary(supposed: Supposed, changes: Sequence[PreviewedRule]) -> Iterator[str]:
    """Yield what its instructions do, in nomicgen's words alone: none here is its author's."""
    for change in changes:
        rule = change.after or change.before
        assert rule is not None
        if change.before is None:
            again = "again " * ("enacted again" in change.words)
            alone = "" if rule.law or supposed.before.lawless else " Only players enforce it."
            yield (
                f"It enacts {again}Rule {rule.number}, "
                f"{rule.tier}{_length(rule)}{_provisions(change)}.{alone}"
            )
        elif change.after is None:
            yield f"It repeals Rule {rule.ref}, {rule.tier}{_provisions(change)}."
        else:
            becomes = (
                f", which becomes Rule {rule.ref}" if change.before.number != rule.number else ""
            )
            yield f"It changes Rule {change.before.ref}{becomes}: {_changed(change)}."
    for instruction in supposed.failed:
        target = f"Rule {instruction.target}" if instruction.target else "a rule"
        yield f"Its instruction to {instruction.verb} {target} cannot be carried out."
    for instruction in () if supposed.before.lawless else supposed.instrument.instructions:
        judged_as = judged_verb(instruction)
        is_void = instruction.verb == "mark" and judged_as == "repeal"
        if judged_as is not None and (is_void or instruction.verb in ("retitle", "renumber")):
            what = "to say whether a rule is void" if is_void else f"to {instruction.verb} a rule"
            yield (
                f"Its votes are counted as for the {NOUNS[judged_as]} of a rule. Whether the "
                "rules let a vote be "
                f"held {what} is for the players."
            )
    if not supposed.instrument.instructions:
        yield "It has no heading that changes a rule, and so changes nothing."


def _commencement(supposed: Supposed, moment: Moment) -> Iterator[str]:
    """Yield when it would take effect, if not at once; and if it names a day that does not count,
    that a rule says when.
    """
    instrument, law = supposed.instrument, supposed.before.law
    if words := effect_words(instrument, law, moment):
        yield f"It takes effect {words}."
    own = instrument.matter.commences
    rule = rule_of_effect(law)
    if moment.precedes(own) and own_moment(instrument, law) is None and rule is not None:
        yield f"It says that it takes effect on {own}, but Rule {rule} says when it does."


def _length(rule: Rule) -> str:
    return (
        ", its text lost"
        if rule.text is None
        else f", with {counted(len(re.findall(_WORD, rule.text)), 'word')}"
    )


def _provisions(rule: PreviewedRule) -> str:
    if rule.gone and rule.come:
        return "; what the program does changes"
    parts = [
        f"{counted(len(many), 'provision')} {word}"
        for many, word in ((rule.gone, "gone"), (rule.come, "new"))
        if many
    ]
    return f"; {', '.join(parts)}" if parts else ""


def _changed(rule: PreviewedRule) -> str:
    parts = []
    for word in rule.words:
        if word == "amended" and rule.segments is not None:
            gone, come = (
                sum(
                    len(re.findall(_WORD, part.text)) for part in rule.segments if part.kind == kind
                )
                for kind in ("delete", "insert")
            )
            parts.append(f"{counted(gone, 'word')} out, {come} in")
        elif not word.startswith("renumbered") and word != _ASPECTS["provisions"]:
            parts.append("its text is lost" if word == "amended" else word)
    words = f"{'; '.join(parts)}{_provisions(rule)}".removeprefix("; ")
    return words or rule.words[-1]


def _needs(supposed: Supposed) -> Iterator[AdoptionNeed]:
    for rule, adoption in supposed.needs:
        yield AdoptionNeed(
            rule=rule.number,
            sentence=sentence(adoption),
            arithmetic=votes_asked(adoption, supposed),
        )
    quorum = quorum_of(supposed.before.law)
    if quorum is not None:
        asked = ballots_asked(quorum.value, supposed)
        yield AdoptionNeed(
            rule=quorum.rule, sentence=quorum_sentence(quorum.value), arithmetic=asked
        )


def _before_vote(
    proposal: Proposal, records: Records, replay: Replay, moment: Moment
) -> Iterator[Finding]:
    """Yield what prevents the opening of its vote, except days that pass by themselves."""
    for finding in against_opening(proposal, records, replay, moment):
        if finding.waits is None or finding.waits.since is None:
            yield finding


def _tier_counts(supposed: Supposed) -> Iterator[TierCount]:
    """Yield the tiers in which it changes the number of rules."""
    before, after = supposed.before, supposed.after
    for tier in before.settings.tiers:
        counts = [scene.ruleset.count(tier) for scene in (before, after)]
        if counts[0] != counts[1]:
            floor, cap = bounds_of(tier, after.law)
            yield TierCount(tier=tier, before=counts[0], after=counts[1], cap=cap, floor=floor)


def _loose_references(before: Ruleset, after: Ruleset) -> Iterator[LooseReference]:
    """Yield the references that lead nowhere, or to another rule, because of the changes."""
    for rule in after:
        was = before.by_identity(rule.identity)
        had = set(cited_numbers(was)) if was else set()
        for number in dict.fromkeys(cited_numbers(rule)):
            old, new = before.once_numbered(number), after.once_numbered(number)
            if new is None and (
                old is not None or (number in before.last_holder and number not in had)
            ):
                yield LooseReference(rule=rule.number, number=number, kind="gone")
            elif (
                old is not None
                and new is not None
                and old.identity != new.identity
                and number in had
            ):
                yield LooseReference(rule=rule.number, number=number, kind="other")
