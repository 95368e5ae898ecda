"""The fixed English sentence of each kind of provision (2-law.md): nobody votes for prose and gets other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from nomicgen.law.provisions import Provisions, TierTable
from nomicgen.law.shapes import (
    Adoption,
    Amount,
    Authority,
    Ballot,
    Changeable,
    Die,
    Effect,
    Numbering,
    Points,
    Sunset,
    Threshold,
    Turns,
    Victory,
)

__all__ = ["needs_words", "sentence", "sentences"]

_BASES = {"eligible": "eligible voters", "cast": "votes cast", "players": "all players"}
_VERBS = {"enact": "enactments", "amend": "amendments", "repeal": "repeals", "transmute": "transmutations"}


def sentences(provisions: Provisions) -> tuple[str, ...]:
    """One sentence for each provision of a rule, in the order of the rule."""
    return tuple(sentence(kind, one) for kind, many in provisions.kinds.items() for one in many)


def sentence(kind: str, provision: Any) -> str:
    """The sentence of one provision, as `Provisions.of(kind)` gives it."""
    return _SENTENCES[kind](provision) + _precedence(provision)


def needs_words(needs: str | Threshold, base: str) -> str:
    """What a threshold asks for, e.g. `more than 15% of all players`."""
    of = _BASES[base]
    if isinstance(needs, Threshold):
        word, amount = ("more than", needs.more_than) if needs.more_than is not None else ("at least", needs.at_least)
        assert amount is not None
        return f"{word} {_amount(amount, of)}"
    words = {
        "unanimous": f"all {of}",
        "majority": f"more than half of {of}",
        "two-thirds": f"at least two thirds of {of}",
    }
    return words[needs].replace("all all", "all")


def _amount(amount: Amount, of: str) -> str:
    return f"{amount} of {of}" if amount.share else f"{amount} {'vote' if amount.value == 1 else 'votes'}"


def _join(words: Iterable[object], last: str = "and") -> str:
    listed = [str(word) for word in words]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def _number(value: Fraction) -> str:
    return f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)


def _precedence(provision: Any) -> str:
    parts = []
    if provision.over:
        parts.append(
            f" It goes before what Rule{'s' * (len(provision.over) > 1)} {_join(provision.over)} says of this."
        )
    if provision.under:
        parts.append(f" It gives way to Rule{'s' * (len(provision.under) > 1)} {_join(provision.under)}.")
    return "".join(parts)


def _adoption(one: Adoption) -> str:
    about = _join(_VERBS[verb] for verb in one.to) if one.to else "rule-changes"
    about += f" of {_join(one.from_, 'or')} rules" if one.from_ else ""
    about += f" into {_join(one.into, 'or')} rules" if one.into else ""
    asked = f"{about.capitalize()} need the votes of {needs_words(one.needs, one.of)}"
    return f"{asked}{f', and of {needs_words(one.and_.threshold, one.and_.of)}' if one.and_ else ''}."


def _entrenchment(one: TierTable) -> str:
    parts = []
    for tier, verbs in one.tiers.items():
        allowed = {"enact": "enacted", "amend": "amended", "repeal": "repealed", "transmute": "transmuted"}
        said = f"may only be {_join((allowed[verb] for verb in verbs), 'or')}" if verbs else "may not be changed at all"
        parts.append(f"{tier} rules {said}")
    return _sentence("; ".join(parts))


def _authority(one: Authority) -> str:
    what = "An act" if one.by == "act" else "A judgement"
    numbers = f" numbered from {one.numbers.from_}" if one.numbers else ""
    if one.own:
        return f"A rule{numbers} may {_join(one.to, 'or')} itself, by an act under this rule."
    return f"{what} under this rule may {_join(one.to, 'or')} rules{numbers}."


def _numbering(one: Numbering) -> str:
    parts = []
    if one.first is not None:
        parts.append(f"proposals are numbered from {one.first}")
    said = {"proposal": "takes its proposal's number", "next": "takes the next free number", "keep": "keeps its number"}
    for word in ("enacted", "amended", "transmuted"):
        if how := getattr(one, word):
            article = "a newly" if word == "enacted" else "a" if word == "transmuted" else "an"
            parts.append(f"{article} {word} rule {said[how]}")
    if one.taken:
        parts.append(
            "a number that is taken " + ("gives the next free one" if one.taken == "next-free" else "may not be given")
        )
    if one.changes is not None:
        many = (
            "any number of changes"
            if one.changes == "any"
            else "one change"
            if one.changes == 1
            else f"up to {one.changes} changes"
        )
        parts.append(f"a proposal holds {many}")
    return _sentence("; ".join(parts) or "no numbering is laid down")


def _effect(one: Effect) -> str:
    when = "as soon as it is adopted" if one.when == "at-once" else "at the start of the next turn"
    return f"An adopted change takes effect {when}."


def _faces(one: Die) -> str:
    sides = [f"{_join(faces)} {side}" for faces, side in ((one.for_, "for"), (one.against, "against")) if faces]
    other = len(one.for_) + len(one.against) < one.die
    return f" by a die of {one.die} sides ({_join(sides)}{', any other face not at all' if other else ''})"


def _ballot(one: Ballot) -> str:
    parts = []
    if one.electorate:
        parts.append("all players may vote" if one.electorate == "players" else "players who are active may vote")
    if one.everyone_votes is not None:
        parts.append("everyone who may vote must" if one.everyone_votes else "nobody has to vote")
    if one.silence:
        said = {"waits": "holds the vote open", "for": "counts as a vote for", "against": "counts as a vote against"}
        parts.append(f"silence {said.get(one.silence, 'is ignored')}")
    if one.debate is not None:
        parts.append(f"the vote opens after {_days(one.debate)} of debate")
    if one.closes_after is not None:
        parts.append(f"the vote closes after {_days(one.closes_after)}")
    if one.penalty:
        parts.append(f"silence costs {_number(one.penalty.points)} points")
    if one.abstention:
        said = {
            "forbidden": "is not allowed",
            "counts": "counts as a vote cast",
            "ignored": "takes the voter out of the count",
        }
        parts.append(f"an abstention {said[one.abstention]}")
    if one.author_votes_for is not None:
        how = "for, unless they vote otherwise" if one.author_votes_for else "like anyone else"
        parts.append(f"who proposes votes {how}")
    if one.tie_break:
        die = one.tie_break.throws
        parts.append(f"{one.tie_break.by} breaks a tie{_faces(die) if die else ''}, and has no other vote")
    if one.dummy:
        parts.append(f"a dummy player votes{_faces(one.dummy)}")
    if one.resubmissions is not None:
        times = {0: "not be resubmitted", 1: "be resubmitted once"}.get(one.resubmissions)
        parts.append(f"a proposal may {times or f'be resubmitted {one.resubmissions} times'}")
    return _sentence("; ".join(parts) or "no way of voting is laid down")


def _days(count: int) -> str:
    return "a day" if count == 1 else f"{count} days"


def _limit(words: str) -> Callable[[TierTable], str]:
    def say(one: TierTable) -> str:
        parts = (f"{count} {tier} {'rule' if count == 1 else 'rules'}" for tier, count in one.tiers.items())
        return f"There may be {words} {_join(parts)}."

    return say


def _changeable(_: Changeable) -> str:
    return "A change after which no vote could change any rule is refused."


def _points(one: Points) -> str:
    moments = {
        "adopted": "When a proposal is adopted",
        "defeated": "When a proposal is defeated",
        "decided": "When a proposal is decided",
        "turn": "At the end of a turn",
        "passed": "When a turn is passed",
        "judged": "When a judgement is made",
        "silence": "When somebody does not vote",
        "late-judge": "When a judge is late",
    }
    people = {
        "author": "its author",
        "for": "each voter for",
        "against": "each voter against",
        "silent": "each silent voter",
        "player": "the player",
        "judge": "the judge",
    }
    who = people[one.to] if isinstance(one.to, str) else f"each {one.to['role']}"
    if one.die is not None and not isinstance(one.to, str):
        who = f"the player, if a {one.to['role']},"
    what = f"the throw of a die of {one.die} sides" if one.amount is None else f"{_number(one.amount)} points"
    times = {"share-for": " times the share of votes for", "changes": " for each change"}.get(one.times or "", "")
    condition = {
        "unanimity-needed": ", where unanimity was needed",
        "unanimity-not-needed": ", where unanimity was not needed",
    }.get(one.if_ or "", "")
    return f"{moments[one.on]}{condition}, {who} gets {what}{times}."


def _victory(one: Victory) -> str:
    return (
        f"Whoever first has {_number(one.points)} points wins." if one.points is not None else "Nobody wins by points."
    )


def _turns(one: Turns) -> str:
    parts = []
    orders = {
        "alphabetical": "in the alphabetical order of names",
        "joined": "in the order of joining",
        "seat": "in the order of seats",
        "random": "in an order drawn by lot",
    }
    if one.order:
        parts.append(f"turns go round {orders[one.order]}")
    if one.proposals is not None:
        parts.append("a turn has one proposal" if one.proposals == 1 else f"a turn has up to {one.proposals} proposals")
    if one.passing is not None:
        parts.append("a turn may be passed" if one.passing else "no turn is passed")
    if one.passes_after is not None:
        parts.append(f"a turn passes by itself after {_days(one.passes_after)}")
    if one.joins:
        joins = {
            "last": "last",
            "before-current": "just before the current player",
            "next-circuit": "in the next round",
        }
        parts.append(f"who joins plays {joins[one.joins]}")
    return _sentence("; ".join(parts) or "no order of turns is laid down")


def _sunset(one: Sunset) -> str:
    after = one.after
    if after.date is not None:
        when = f"On {after.date}"
    else:
        count, unit = (after.circuits, "round") if after.circuits else (after.turns, "turn")
        when = f"After {count} {unit}{'' if count == 1 else 's'}"
    unless = ", unless it was amended" if one.unless else ""
    becomes = "is repealed" if isinstance(one.becomes, str) else "is changed"
    return f"{when} this rule {becomes} by itself{unless}."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


_SENTENCES: dict[str, Callable[[Any], str]] = {
    "adoption": _adoption,
    "entrenchment": _entrenchment,
    "authority": _authority,
    "numbering": _numbering,
    "effect": _effect,
    "ballot": _ballot,
    "cap": _limit("at most"),
    "floor": _limit("no fewer than"),
    "changeable": _changeable,
    "points": _points,
    "victory": _victory,
    "turns": _turns,
    "sunset": _sunset,
}
