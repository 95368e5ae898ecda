"""The fixed English sentence of each kind of provision (2-law.md): nobody votes for prose and gets other numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from nomicgen.law.provisions import Provisions, TierTable, parse_provisions
from nomicgen.law.shapes import (
    Adoption,
    After,
    Amount,
    Authority,
    Awards,
    Ballot,
    Changeable,
    Die,
    Effect,
    Judgements,
    Numbering,
    Points,
    Sunset,
    Threshold,
    Turns,
    Victory,
)

__all__ = ["needs_words", "points_words", "sentence", "sentences"]

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
            f" It goes before what {_rules(provision.over)} {'says' if len(provision.over) == 1 else 'say'} of this."
        )
    if provision.under:
        parts.append(f" It gives way to {_rules(provision.under)}.")
    return "".join(parts)


def _rules(numbers: tuple[int, ...]) -> str:
    return f"Rule{'s' * (len(numbers) > 1)} {_join(numbers)}"


def _adoption(one: Adoption) -> str:
    about = _changes(one)
    about += f" of {_join(one.from_, 'or')} rules" if one.from_ else ""
    about += f" into {_join(one.into, 'or')} rules" if one.into else ""
    asked = _votes(one.needs, one.of)
    if one.and_:
        also = _votes(one.and_.threshold, one.and_.of)
        asked += f", and {also.removeprefix('the votes ') if asked.startswith('the votes ') else also}"
    return _sentence(f"{about} need {asked}")


def _changes(one: Adoption) -> str:
    """The kinds of change that a condition can be about: only some lead into a tier, and a new rule leaves none."""
    if one.to is None and one.into is None:
        return "rule-changes"
    verbs = [verb for verb in one.to or _VERBS if not one.into or verb in ("enact", "transmute")]
    return _join(_VERBS[verb] for verb in verbs if not one.from_ or verb != "enact")


def _votes(needs: str | Threshold, of: str) -> str:
    """`the votes of all eligible voters`, `more than half of votes cast`, `at least 3 votes`."""
    words = needs_words(needs, of)
    return words if of == "cast" or words.endswith((" vote", " votes")) else f"the votes of {words}"


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
    sides = [f"{side} on {_join(faces)}" for faces, side in ((one.for_, "for"), (one.against, "against")) if faces]
    other = len(one.for_) + len(one.against) < one.die
    return f"a die of {one.die} sides ({', '.join(sides)}{', no vote on any other face' if other else ''})"


def _ballot(one: Ballot) -> str:
    parts = []
    if one.electorate:
        parts.append("all players may vote" if one.electorate == "players" else "only active players may vote")
    if one.inactive_may_vote is not None:
        parts.append(
            "an inactive player may vote, and is active again"
            if one.inactive_may_vote
            else "no inactive player may vote"
        )
    if one.everyone_votes is not None:
        parts.append("everyone who may vote must" if one.everyone_votes else "nobody has to vote")
    if one.debate is not None:
        days = f"no sooner than {_days(one.debate)} after its proposal was put forward"
        parts.append(f"a vote opens {days}" if one.debate else "a vote may open as soon as its proposal is put forward")
    if one.closes_after is not None:
        parts.append(f"a vote closes {_days(one.closes_after)} after it opened")
    if one.silence:
        said = {"waits": "holds a vote open", "for": "counts as a vote for", "against": "counts as a vote against"}
        parts.append(f"silence {said.get(one.silence, 'is no vote')}")
    if one.penalty:
        parts.append(f"silence that counts as a vote costs {points_words(one.penalty.points)}")
    return _sentence("; ".join([*parts, *_ways_of_voting(one)]) or "no way of voting is laid down")


def _ways_of_voting(one: Ballot) -> Iterator[str]:
    if one.abstention:
        said = {
            "forbidden": "nobody may abstain",
            "counts": "an abstention counts as a vote cast",
            "ignored": "who abstains counts as no eligible voter",
        }
        yield said[one.abstention]
    if one.author_votes_for is not None:
        silent = "who has not voted counts as a vote for" if one.author_votes_for else "votes like anyone else"
        yield f"an author {silent}"
    if one.tie_break:
        die = one.tie_break.throws
        how = f" and votes by {_faces(die)}" if die else ""
        yield f"a tie is broken by {one.tie_break.by}, who has no other vote{how}"
    if one.dummy:
        yield f"a dummy player votes by {_faces(one.dummy)}"
    if one.withdrawal:
        until = {"until-opened": "the vote on it opens", "until-complete": "everyone has voted on it"}
        yield f"an author may withdraw a proposal until {until[one.withdrawal]}"
    if one.resubmissions is not None:
        times = {0: "", 1: " once"}.get(one.resubmissions, f" up to {one.resubmissions} times")
        yield f"a proposal may {'' if one.resubmissions else 'not '}be put to the vote again{times}"


def _days(count: int) -> str:
    return "a day" if count == 1 else f"{count} days"


def _limit(words: str) -> Callable[[TierTable], str]:
    def say(one: TierTable) -> str:
        parts = (f"{count} {tier} {'rule' if count == 1 else 'rules'}" for tier, count in one.tiers.items())
        return f"There may be {words} {_join(parts)}."

    return say


def _changeable(one: Changeable) -> str:
    what = (
        "no vote could ever change any rule again"
        if one.when == "always"
        else "no vote could ever amend or enact a rule"
    )
    return f"A change after which {what} is refused."


def _points(one: Points) -> str:
    amount = f"the throw of a die of {one.die} sides" if one.amount is None else points_words(one.amount)
    times = {
        "share-for": " times the share of votes for among those for and against",
        "changes": " for each change in it",
    }.get(one.times or "", "")
    return f"{_occasion(one)}, {_receiver(one)} gets {amount}{times}."


def _occasion(one: Points) -> str:
    by_role = not isinstance(one.to, str)
    which = {
        "unanimity-needed": " that needed every eligible vote",
        "unanimity-not-needed": " that did not need every eligible vote",
    }.get(one.if_ or "", "")
    return {
        "turn": "At the end of a turn that is not passed",
        "passed": "At the end of a turn that is passed",
        "judged": "When a judgement is given",
        "late-judge": f"When a judgement is given{' after a judge was late' if by_role else ''}",
        "silence": f"When a proposal is decided{' and silence counted as a vote' if by_role else ''}",
    }.get(one.on, f"When a proposal{which} is {one.on}")


def _receiver(one: Points) -> str:
    if not isinstance(one.to, str):
        role = one.to["role"]
        return f"each {role}" if one.die is None else f"the player whose turn it was, if a holder of the role {role},"
    people = {
        "author": "its author",
        "for": "each voter for",
        "against": "each voter against",
        "silent": "each voter whose silence counted",
        "player": "the player whose turn it was",
        "judge": "each judge who was late" if one.on == "late-judge" else "the judge",
    }
    return people[one.to]


def points_words(amount: Fraction) -> str:
    """`1 point`, `20/3 points`, with a minus that is one."""
    return f"{_number(amount)} {'point' if abs(amount) == 1 else 'points'}"


def _awards(one: Awards) -> str:
    kinds = " or ".join(f"{'an' if kind == 'act' else 'a'} {kind}" for kind in one.in_)
    bounds = [("at least", one.at_least), ("at most", one.at_most)]
    parts = [f"{words} {_number(bound)}" for words, bound in bounds if bound is not None]
    many = f"{_join(parts)} points" if parts else "points"
    return _sentence(f"{kinds} may give {many if one.amount is None else points_words(one.amount)}, with the reason")


def _judgements(one: Judgements) -> str:
    parts = []
    if one.judge:
        parts.append("the judge is the player before the one whose turn it is, and the one before that if overruled")
    if one.never:
        whose = {"caller": "a question that they asked", "author": "a question about their own proposal"}
        parts.append(f"nobody judges {_join((whose[party] for party in one.never), 'or')}")
    if one.overruled_by:
        how = {"others": "the votes of all other players", "judgement": "a later judgement by another judge"}
        parts.append(f"a judgement is overruled by {how[one.overruled_by]}")
    return _sentence("; ".join(parts) or "who judges is not laid down")


def _victory(one: Victory) -> str:
    if one.points is None:
        return "How many points win is not laid down."
    return f"Whoever first has {points_words(one.points)} wins."


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
        many = {0: "no proposal", 1: "one proposal, its player's"}
        more = f"up to {one.proposals} proposals, all its player's"
        parts.append(f"a turn has {many.get(one.proposals, more)}")
    if one.passing is not None:
        parts.append("a turn may be passed" if one.passing else "nobody may pass a turn")
    if one.proposal_required is not None:
        parts.append(f"a turn {'must' if one.proposal_required else 'need not'} have a proposal")
    if one.overlap is not None:
        when = (
            "may begin before the one before it has ended" if one.overlap else "begins when the one before it has ended"
        )
        parts.append(f"a turn {when}")
    if one.passes_after is not None:
        parts.append(f"a turn without a proposal passes by itself after {_days(one.passes_after)}")
    if one.joins:
        joins = {
            "last": "last",
            "before-current": "just before whoever has the turn then",
            "next-circuit": "from the next round on",
        }
        parts.append(f"who joins plays {joins[one.joins]}")
    return _sentence("; ".join(parts) or "no order of turns is laid down")


def _sunset(one: Sunset) -> str:
    unless = ", unless its text was amended by then" if one.unless else ""
    if isinstance(one.becomes, str):
        return f"{_when(one.after)}, this rule is repealed by itself{unless}."
    text = "the same text" if one.becomes.text is None else "a new text"
    then = "its other provisions."
    if one.becomes.provisions is not None:
        new = " ".join(sentences(parse_provisions(one.becomes.provisions, None)[0]))
        then = f"these provisions: {new}" if new else "no provisions."
    return f"{_when(one.after)}, this rule changes by itself{unless}. It then has {text} and {then}"


def _when(after: After) -> str:
    if after.date is not None:
        return f"On {after.date}"
    if after.event is not None:
        return f"When this happens: {after.event.strip().rstrip('.')}"
    count, unit, over = (after.circuits, "round", "completed") if after.circuits else (after.turns, "turn", "ended")
    one = count == 1
    done = f"has {'been ' * (unit == 'round')}{over}" if one else f"have {'been ' * (unit == 'round')}{over}"
    return f"When {'a' if one else count} {unit}{'' if one else 's'} {done} since it came into force"


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
    "awards": _awards,
    "judgements": _judgements,
    "victory": _victory,
    "turns": _turns,
    "sunset": _sunset,
}
