"""Pieces that several pages share: links to instruments, turns and rules, lines of points, and what filters read."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.activity import PlayerStatus
from nomicgen.archive.game_events import count_votes
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.diagnostics import counted
from nomicgen.formats.scores_text import signed
from nomicgen.law.replay_state import ScoreLine, Tally
from nomicgen.model import Award, Instrument, JudgementMatter, Moment, ProposalMatter, RuleRef
from nomicgen.site.addresses import SCORES, TIME, instrument_page
from nomicgen.site.data_parts import data_file
from nomicgen.site.site_view import Site
from nomicgen.site.svg import cut

STATUS = {"draft": "draft", "debate": "in debate", "open": "open for votes", "upheld": "given"}
"""How the status of a proposal or a judgement is said, where it is not said by its own word."""
_TONES = {
    "adopted": "good",
    "defeated": "bad",
    "void": "bad",
    "open": "open",
    "upheld": "good",
    "overruled": "bad",
    "pending": "open",
}
# Browsers make a list of choices as wide as its widest.
_NAME = 30
# The same links stand on the pages of all players: each is written once.
_link = functools.lru_cache(maxsize=16384, typed=True)(Markup('<a class="n-ref" href="{}">{}</a>').format)


def joined(parts: Iterable[Markup | str], between: str = ", ") -> Markup:
    """Parts of a sentence, each escaped if it is no HTML yet."""
    return Markup(between).join(parts)


def said_of_standing(state: PlayerStatus) -> str:
    """Whether somebody plays, as a reader is told."""
    return {"dummy": "empty seat", "to come": "joins later"}.get(state, state)


def over_since(site: Site, one: Instrument) -> Moment | None:
    """When the vote on an open proposal ended that nobody has counted yet; None while it goes on, or without an end."""
    tally = site.archive.replay.tallies.get(one.path)
    is_open = isinstance(one.matter, ProposalMatter) and one.matter.status == "open"
    closes = tally.closes if tally is not None and is_open else None
    return closes if closes is not None and not site.today.precedes(closes) else None


def verdict_of(site: Site, one: Instrument) -> tuple[str, str]:
    """What has become of a proposal or a judgement, in words, and the tone of its badge; ('', 'plain') for an act."""
    matter = one.matter
    if over_since(site, one) is not None:
        return "over, to be resolved", "open"
    if isinstance(matter, ProposalMatter | JudgementMatter):
        return STATUS.get(matter.status, matter.status), _TONES.get(matter.status, "plain")
    return "", "plain"


def knows_only_adopted(site: Site) -> bool:
    """Whether the archive lacks proposals, and has none that was decided and not adopted: what failed is not known."""
    records = site.archive.records
    decided = (one.matter.status for one in records.of_kind("proposal"))
    return bool(records.settings.lost.proposals) and not {"defeated", "withdrawn", "void"}.intersection(decided)


def instrument_link(site: Site, one: Instrument, page: str, *, titled: bool = False) -> Markup:
    """`Proposal 301`, or `Proposal 301 · A floor`, as a link to its page."""
    return _link(site.instrument_href(one, page), site.titled(one) if titled else one.name)


def turn_link(site: Site, ident: str | None, page: str) -> Markup:
    """A turn as a link to its line among the turns; '' where there is none."""
    if ident is None or ident not in site.archive.records.turns:
        return Markup("{}").format(ident or "")
    return Markup('<a class="n-turn-id" href="{}">{}</a>').format(site.addresses.href(SCORES, page, ident), ident)


def turn_badge(site: Site, ident: str | None, page: str) -> Sequence[Mapping[str, Any]]:
    """The turn of an instrument, as a badge."""
    return [{"text": turn_link(site, ident, page), "kind": ""}] if ident else []


def rule_link(site: Site, number: int, page: str, moment: Moment | None = None) -> Markup:
    """`Rule 203` as a link to the rule that bore the number at a moment."""
    rule = site.archive.replay.on(moment).get(number) if moment and _was_given_again(site, number) else None
    history = site.archive.histories.rules.get(rule.identity) if rule else site.archive.histories.of_number(number)
    if history is None or number not in history.numbers:
        return Markup("Rule {}").format(number)
    return _link(site.rule_href(history, page, number), f"Rule {number}")


def _was_given_again(site: Site, number: int) -> bool:
    return len(site.archive.histories.bearers.get(number, ())) > 1


def neighbours(site: Site, all_: Sequence[Instrument], index: int) -> tuple[Mapping[str, str] | None, ...]:
    """The links to the one before and the one after."""
    page = instrument_page(all_[index])
    return tuple(
        {
            "href": site.instrument_href(all_[at], page),
            "text": site.titled(all_[at]),
        }
        if 0 <= at < len(all_)
        else None
        for at in (index - 1, index + 1)
    )


def elsewhere(site: Site, one: Instrument, page: str) -> Sequence[Mapping[str, str]]:
    """Links to the law right after an instrument, to its data, and to its file."""
    found = []
    step = site.steps.get(one.path)
    if step is not None and step.outcome == "applied" and one.path not in site.archive.replay.previews:
        after = site.addresses.href(TIME, page, one.path.removesuffix(".md"))
        found.append({"href": after, "text": f"The ruleset after this {one.kind}"})
    return [*found, *same_elsewhere(site, instrument_page(one), one.path)]


def same_elsewhere(site: Site, page: str, path: str) -> Sequence[Mapping[str, str]]:
    """Links to what a page tells as data, and to the file that it tells of."""
    found = [{"href": site.addresses.href(data_file(page), page), "text": "The same as JSON"}]
    href = site.file(path)
    return [*found, *([{"href": href, "text": "Its file in the repository"}] if href else [])]


def award_views(site: Site, one: Instrument, page: str) -> Sequence[Mapping[str, Any]]:
    """The points that an instrument brought, or that its file names till then; who got the same stand together."""
    groups: dict[tuple[object, ...], list[Award | ScoreLine]] = {}
    for line in site.awards_of.get(one.path) or one.matter.points or ():
        rule = line.rule if isinstance(line, ScoreLine) else None
        groups.setdefault((line.amount, line.reason, rule), []).append(line)
    return [
        {
            "players": joined(site.who(line.player, page) for line in lines),
            "amount": f"{signed(lines[0].amount)}{' each' if len(lines) > 1 else ''}",
            "reason": lines[0].reason,
            "rule": _by_rule(site, lines[0], page),
        }
        for lines in groups.values()
    ]


def _by_rule(site: Site, one: Award | ScoreLine, page: str) -> Markup | str:
    rule = one.rule if isinstance(one, ScoreLine) else None
    return rule_link(site, rule, page, one.moment) if isinstance(one, ScoreLine) and rule is not None else ""


def score_view(site: Site, line: ScoreLine, page: str) -> Mapping[str, Any]:
    """A line of a score: when, who, how many, why, by which rule, and the instrument or turn that it came from."""
    path = line.span.file
    one = site.archive.records.instruments.get(path)
    turn = path.removeprefix("turns/").removesuffix(".yml") if path.startswith("turns/") else None
    return {
        "player": site.who(line.player, page),
        "amount": signed(line.amount),
        "reason": line.reason,
        "rule": _by_rule(site, line, page),
        "when": site.when(line.moment, page),
        "source": instrument_link(site, one, page) if one else turn_link(site, turn, page),
        "source_name": one.name if one else turn or "",
    }


def said_of_votes(tally: Tally) -> str:
    """`3 for, 1 against`: who has yet to vote is named beside it."""
    return count_votes(tally.worth(tally.for_), tally.worth(tally.against), tally.worth(tally.abstain))


def chance(tally: Tally) -> str:
    """What is still needed to pass an open vote; '' where that cannot be said."""
    if tally.adopted is None and not tally.conditions:
        return ""
    if tally.fewest is None:
        return "It cannot pass any more."
    if tally.fewest == 0:
        if not tally.missing and not tally.silent:
            return "It has the votes that it needs."
        return "It passes whatever they vote." if tally.must_vote else "It passes if nobody else votes."
    return f"{counted(tally.fewest, 'more vote')} in favour would pass it."


def touched(site: Site, one: Instrument) -> Sequence[tuple[RuleHistory, RuleRef | None]]:
    """The rules that an instrument changes, or would: each once, with the revision as the instrument names it."""
    step = site.steps.get(one.path)
    done = {change.instruction.index: change for change in step.changes} if step else {}
    found: dict[int, tuple[RuleHistory, RuleRef | None]] = {}
    for instruction in one.instructions:
        change = done.get(instruction.index)
        target = instruction.target
        identity = change.rule.identity if change else None
        history = site.archive.histories.rules.get(identity) if identity is not None else None
        if history is None and target is not None:
            history = site.addresses.bearer(target)
        if history is not None:
            found.setdefault(history.identity, (history, target))
    return tuple(found.values())


def linked_changes(site: Site, one: Instrument, page: str) -> Markup:
    """The headings of an instrument's changes, with each rule that they name as a link."""
    return joined(linked_words(site, instruction.heading, instruction.target, page) for instruction in one.instructions)


def linked_words(site: Site, words: str, ref: RuleRef | None, page: str) -> Markup:
    """Words in which the rule `ref` is named once, and becomes a link to that revision."""
    named = f"Rule {ref}"
    history = site.addresses.bearer(ref) if ref is not None and named in words else None
    if ref is None or history is None:
        return Markup("{}").format(words)
    borne = any((one.rule.number, one.rule.revision) == (ref.number, ref.revision) for one in history.entries)
    before, _, after = words.partition(named)
    href = site.rule_href(history, page, ref.number, ref.revision if borne else None)
    return Markup("{}{}{}").format(before, _link(href, named), after)


def search_text(*parts: object) -> str:
    """What the words of a filter are looked for in; tags are no words."""
    said = (part.striptags() if isinstance(part, Markup) else str(part) for part in parts if part)
    return " ".join(" ".join(said).split()).lower()


def choices(*values: object) -> str:
    """The values of an item that a select may ask for; several are parted by a bar."""
    return "|".join(" ".join(str(value).replace("|", "/").split()) for value in values if value not in (None, ""))


def select(name: str, label: str, options: Iterable[tuple[object, str]]) -> Mapping[str, Any]:
    """A select of a filter, by (value, words)."""
    return {
        "name": name,
        "label": label,
        "options": [{"value": choices(value), "text": words} for value, words in options],
    }


def useful(selects: Iterable[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The selects that leave a choice."""
    return [one for one in selects if len(one["options"]) > 1]


def moment_of(one: Instrument) -> Moment | None:
    """When an instrument was decided, given or done; else when it was put to the vote, or put forward."""
    matter = one.matter
    return (matter.decided or matter.opened or matter.date) if isinstance(matter, ProposalMatter) else matter.date


def year_of(one: Instrument) -> str:
    """The year of an instrument; '' if unknown."""
    moment = moment_of(one)
    return f"{moment.day.year:04}" if moment else ""


def people(site: Site, name: str, label: str, idents: Iterable[str | None]) -> Mapping[str, Any]:
    """A select of players, by their names."""
    named = sorted({(site.name(ident), ident) for ident in idents if ident})
    return select(name, label, ((ident, cut(words, _NAME)) for words, ident in named))
