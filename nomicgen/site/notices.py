"""What must be said of a rule before its text: that it moved, has no force, is about to change; what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.rule_history import RuleHistory
from nomicgen.law.replay_state import Rule, Ruleset
from nomicgen.model import Instruction, Instrument, Moment, ProposalMatter
from nomicgen.site.linked_history import said_of_bounds
from nomicgen.site.shared_pieces import instrument_link, joined
from nomicgen.site.site_view import Site

Coming = Mapping[int, Sequence[tuple[Instrument, Instruction, Moment | None]]]
"""For each rule, by identity, what is to be done to it: by which instrument, by which instruction, when (if known)."""

_UNDECIDED = {"draft": "draft", "debate": "in debate", "open": "open"}
_VERBS = {
    "amend": "amend this rule",
    "repeal": "repeal this rule",
    "transmute": "transmute this rule",
    "retitle": "give this rule another title",
    "renumber": "give this rule another number",
    "mark": "mark this rule anew",
}


def coming_changes(site: Site) -> tuple[Coming, Coming, Coming]:
    """What was decided and has not taken effect; what is before the players; what was proposed and did not pass."""
    replay = site.archive.replay
    pending = [(step.instrument, step.effective) for step in replay.pending]
    proposals = site.archive.records.of_kind("proposal")
    live = [(one, None) for one in proposals if _status(one) in _UNDECIDED]
    failed = [(one, None) for one in proposals if _status(one) not in {*_UNDECIDED, "adopted"}]
    then = {path: step.before for path, step in site.steps.items()}
    return _by_rule(site, pending), _by_rule(site, live), _by_rule(site, failed, then)


def _status(one: Instrument) -> str:
    return one.matter.status if isinstance(one.matter, ProposalMatter) else ""


def _by_rule(
    site: Site, instruments: Sequence[tuple[Instrument, Moment | None]], then: Mapping[str, Ruleset] | None = None
) -> Coming:
    """By the rules that bear the numbers that they name; those in `then`, by path, by the rules that bore them then."""
    found: dict[int, list[tuple[Instrument, Instruction, Moment | None]]] = {}
    for one, moment in instruments:
        ruleset = site.archive.replay.current if then is None else then.get(one.path)
        for instruction in one.instructions:
            target = instruction.target
            rule = ruleset.named(target.number) if ruleset is not None and target is not None else None
            if rule is not None:
                found.setdefault(rule.identity, []).append((one, instruction, moment))
    return found


def notices(
    site: Site, history: RuleHistory, rule: Rule, number: int, page: str, pending: Coming, *, main: bool
) -> Iterator[Markup | str]:
    """The notices of a rule's page, what matters most first."""
    if not main:
        fate = "was repealed; it was last" if history.current is None else "is now"
        was = "The rule that was" if len(site.archive.histories.bearers[number]) > 1 else "What was"
        yield Markup("{} Rule {} {} {}. Below is its text from when it was Rule {}.").format(
            was, number, fate, rule_mention(site, history, page), number
        )
    elif history.current is None:
        yield _repealed(site, history, page)
    else:
        yield from _force(site, rule, page)
        yield from _pending(site, history, page, pending)
        yield from _due(site, history, page)
    yield from _lost(history, rule, number, main=main)
    former = [one for one in history.numbers if one != rule.number] if main else []
    if former:
        yield Markup("This rule was formerly {}.").format(
            joined(rule_mention(site, history, page, one) for one in former)
        )
    for other in site.archive.histories.bearers[number]:
        if other != history.identity:
            bearer = site.archive.histories.rules[other]
            yield Markup("Another rule bore this number too: {}.").format(rule_mention(site, bearer, page, number))


def rule_mention(site: Site, history: RuleHistory, page: str, number: int | None = None) -> Markup:
    """A link to a rule, or to what it was under a number."""
    rule = history.last
    if number is not None:
        rule = [one.rule for one in history.entries if one.rule.number == number][-1]
    href = site.rule_href(history, page, number)
    return Markup('<a class="n-ref" href="{}">{}</a>').format(href, site.heading(rule))


def _repealed(site: Site, history: RuleHistory, page: str) -> Markup:
    entry = history.entries[-1]
    by = Markup(" by {}").format(instrument_link(site, entry.instrument, page)) if entry.instrument else ""
    on = Markup(" on {}").format(site.when(entry.moment, page)) if entry.moment else ""
    told = said_of_bounds(site, entry, page) if entry.moment is None else ""
    lies = Markup(": {}").format(told) if told else ""
    unknown = Markup(" The day is not recorded{}.").format(lies) if entry.moment is None else ""
    return Markup("This rule was repealed{}{}.{} Its last text is kept here.").format(by, on, unknown)


def _force(site: Site, rule: Rule, page: str) -> Iterator[Markup | str]:
    if rule.void_on(site.today):
        yield "This rule stands in the ruleset but has no force."
    elif isinstance(rule.void, Moment):
        yield Markup("This rule loses its force on {}.").format(site.when(rule.void, page))


def _pending(site: Site, history: RuleHistory, page: str, pending: Coming) -> Iterator[Markup]:
    for one, instruction, moment in pending.get(history.identity, ()):
        decided = getattr(one.matter, "decided", None) or one.matter.date
        done = "adopted" if one.kind == "proposal" else "given" if one.kind == "judgement" else "done"
        on = Markup(", {} on {},").format(done, site.when(decided, page)) if decided else ""
        when = Markup("on {}").format(site.when(moment, page)) if moment else "when the next turn begins"
        yield Markup("{}{} will {} {}. Until then the text below is in force.").format(
            instrument_link(site, one, page), on, _deed(instruction), when
        )


def _deed(instruction: Instruction) -> str:
    tier = f" to {instruction.tier}" if instruction.verb == "transmute" and instruction.tier else ""
    return f"{_VERBS[instruction.verb]}{tier}"


def proposed_changes(site: Site, history: RuleHistory, page: str, live: Coming) -> Sequence[Mapping[str, Any]]:
    """What proposals would do to a rule, or would have done."""
    return [
        {
            "link": instrument_link(site, one, page, titled=True),
            "would": f"{'would' if _status(one) in _UNDECIDED else 'was to'} {_deed(instruction)}",
            "status": _UNDECIDED.get(_status(one), _status(one)),
        }
        for one, instruction, _ in live.get(history.identity, ())
    ]


def _due(site: Site, history: RuleHistory, page: str) -> Iterator[Markup]:
    for one in site.archive.replay.due:
        if one.rule.identity == history.identity:
            deed = "be repealed" if isinstance(one.provision.becomes, str) else "change"
            yield Markup("By its own words this rule was to {} on {}, and nobody has recorded that yet.").format(
                deed, site.when(one.moment, page)
            )


def _lost(history: RuleHistory, rule: Rule, number: int, *, main: bool) -> Iterator[str]:
    lost = [one.rule for one in history.revisions if one.rule.text is None and (main or one.rule.number == number)]
    if rule.text is None:
        yield f"The text of {rule.ref} is lost: no copy of it has come down to us."
        lost = [one for one in lost if one.ref != rule.ref]
    if lost:
        *before, last = _ranges(lost)
        said = f"{', '.join(before)} and {last}" if before else last
        yield f"The text of {said} is lost." if len(lost) == 1 else f"The texts of {said} are lost."


def _ranges(rules: Sequence[Rule]) -> Sequence[str]:
    """Revisions, those that follow each other as one: `2154/0–60`."""
    found: list[tuple[Rule, Rule]] = []
    for one in rules:
        if found and (one.number, one.revision) == (found[-1][1].number, found[-1][1].revision + 1):
            found[-1] = (found[-1][0], one)
        else:
            found.append((one, one))
    return [first.ref if first is last else f"{first.ref}–{last.revision}" for first, last in found]
