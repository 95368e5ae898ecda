"""What holds in every game: generated ones, played by asking the law what is possible, and others
that break it.
"""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nomicgen.files.game_files import read_game
from nomicgen.files.rule_files import read_rule
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.precedence import Law, Laws
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Replay, Rule, Ruleset, Step
from nomicgen.law.replay.run import replay
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instrument
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from tests.deep import examples
from tests.games import (
    FIRST,
    NUMBERING,
    RIVALS,
    VERBS,
    Provisions,
    ballot_papers,
    ballots,
    block,
    legal_games,
    on,
    path_of,
    rivals,
    seats,
    tiers,
    wild_games,
)
from tests.ledger import PLAYERS, Ledger, day
from tests.oracle import TIERS, Oracle, faults

BOUNDED = settings(
    max_examples=examples(0.25), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
WIDE = settings(BOUNDED, max_examples=examples(0.4))
SMALL = settings(BOUNDED, max_examples=examples(2))


def check_state(ruleset: Ruleset) -> None:
    """What a ruleset says of itself agrees with its rules; no number is borne twice, nor is a rule
    there twice.
    """
    standing = list(ruleset)
    assert [rule.number for rule in standing] == sorted({rule.number for rule in standing})
    assert len({rule.identity for rule in standing}) == len(standing) == len(ruleset)
    for rule in standing:
        assert (
            ruleset.get(rule.number)
            is ruleset.once_numbered(rule.number)
            is ruleset.by_identity(rule.identity)
            is rule
        )
    assert dict(ruleset.with_provisions) == {rule.number: rule for rule in standing if rule.law}
    assert {tier: ruleset.count(tier) for tier in TIERS} == {
        tier: sum(1 for rule in standing if rule.tier == tier) for tier in TIERS
    }
    assert set(ruleset.rules) <= set(ruleset.last_holder)
    assert ruleset.highest == max(ruleset.last_holder)


claims = st.fixed_dictionaries(
    {"mutable": st.integers(1, 9).map(str)},
    optional={
        key: st.lists(st.integers(1, 5).map(str), min_size=1, max_size=2)
        for key in ("over", "under")
    },
)
voids = st.sampled_from([None, None, True, day("02-03"), day("02-05")])


@st.composite
def rules(draw: st.DrawFn, identity: int) -> Rule:
    """A rule of one of few numbers, that claims to go before others or yields to them, and may be
    void one day.
    """
    raw = draw(st.one_of(st.none(), claims.map(lambda one: {"cap": one})))
    law, problems = parse_provisions(raw, TIERS)
    assert problems == ()
    number, tier, void = draw(st.integers(1, 5)), draw(tiers), draw(voids)
    return Rule(
        identity=identity,
        number=number,
        revision=0,
        tier=tier,
        text="Text.",
        provisions=raw,
        law=law,
        void=void,
    )


@SMALL
@given(st.data())
def test_rulesets_share_what_they_have_and_are_what_they_were(data: st.DataObject) -> None:
    plain: dict[int, Rule] = {}
    bore: dict[int, int] = {}
    ruleset, game = Ruleset(), Settings(format=1, name="Test")
    laws, seen = Laws(game), []
    for identity in range(1, data.draw(st.integers(2, 12))):
        before = data.draw(st.sampled_from([None, *plain.values()]))
        known = before.identity if before and data.draw(st.booleans()) else identity
        after = data.draw(st.one_of(rules(known), st.none() if before else rules(known)))
        if after is not None and after.number in plain and plain[after.number] is not before:
            continue
        plain = {number: rule for number, rule in plain.items() if rule is not before}
        if after is not None:
            plain[after.number] = after
            bore[after.number] = after.identity
        if before is None and after is None:
            continue
        ruleset = ruleset.replaced(before, after)
        seen.append((ruleset, dict(plain), dict(bore)))
        for one in data.draw(st.lists(st.sampled_from(seen), max_size=3)):
            moment = day(data.draw(st.sampled_from(["02-01", "02-03", "02-04", "02-06"])))
            assert laws.of(one[0], moment) == Law.of(one[0], game, moment)
    for kept, expected, ever in seen:
        assert list(kept) == [expected[number] for number in sorted(expected)]
        assert dict(kept.last_holder) == ever
        for number, identity in ever.items():
            bearer = next((rule for rule in expected.values() if rule.identity == identity), None)
            assert kept.once_numbered(number) is expected.get(number, bearer)
        check_state(kept)


@BOUNDED
@given(legal_games())
def test_a_legal_game_stays_consistent(made: Ledger) -> None:
    records, played = made.play()
    # What only warns is lawful: the last rules that votes could change may go.
    assert {one.slug for one in made.applied().findings()} <= {"change-transmutes-only"}
    for _, ruleset in played.states():
        check_state(ruleset)
        assert Oracle.of(ruleset).broken(ruleset) == []
    for step in played.steps:
        assert step.outcome == "applied"
    for rule in played.current:
        path = f"rules/{rule.number}.md"
        file, _ = read_rule(path, ruleset_files(played.current)[path])
        assert file is not None
        matter = file.matter
        assert (matter.number, matter.revision, matter.mutability) == (
            rule.number,
            rule.revision,
            rule.tier,
        )
        assert (file.text, matter.provisions, matter.title) == (
            rule.text,
            rule.provisions,
            rule.title,
        )
    assert replay(records, day("12-31")) == played


@WIDE
@given(wild_games())
def test_what_the_check_passes_breaks_no_provision(made: Ledger) -> None:
    records, played = made.play()
    blamed = {one.span.file for one in made.applied().findings() if one.is_error}
    for step in played.steps:
        check_state(step.after)
        assert Oracle.of(step.after).broken(step.after) == []
        if step.instrument.path not in blamed:
            assert [*faults(step, records.players)] == []


@SMALL
@given(
    ballots, st.lists(rivals, max_size=3), ballot_papers, st.lists(seats, min_size=4, max_size=4)
)
def test_a_vote_comes_out_as_the_oracle_counts_it(
    ballot: Provisions, asked: list[Provisions], paper: str, players: list[Provisions]
) -> None:
    rules: dict[int, Provisions] = {101: {"numbering": NUMBERING}, 103: {"ballot": ballot}}
    made = Ledger.start(
        rules | {number: {"adoption": one} for number, one in zip(RIVALS, asked, strict=False)}
    )
    for ident, matter in zip(PLAYERS, players, strict=True):
        made.player(ident, **matter)
    made.proposal(
        FIRST, on(0), "## Enact Rule\n\nNew.", paper, opened=day("02-02"), decided=day("02-04")
    )
    records, played = made.play()
    instrument = records.instruments[path_of(0)]
    assert isinstance(instrument.matter, ProposalMatter)
    oracle = Oracle.of(played.initial)
    wanted = oracle.conditions("enact", None, "mutable")
    slugs = {one.slug for one in played.findings}
    assert ("adoption-missing" in slugs) == (wanted == [])
    enough = oracle.adopts(instrument.matter, wanted, records.players)
    assert slugs.isdisjoint({"votes-few", "vote-missing"}) == enough


def bare(ruleset: Ruleset) -> dict[int, Rule]:
    """The rules without the identities that they were given in the order of their coming."""
    return {rule.number: replace(rule, identity=0) for rule in ruleset}


@BOUNDED
@given(st.data())
def test_independent_instruments_may_come_in_any_order(data: st.DataObject) -> None:
    numbering = {**NUMBERING, "amended": data.draw(st.sampled_from(["keep", "proposal"]))}
    targets = data.draw(st.permutations(range(202, 208)))
    kinds = data.draw(
        st.lists(st.sampled_from(["enact", *VERBS, "retitle", "mark"]), min_size=2, max_size=5)
    )
    bodies = []
    for verb, number in zip(kinds, targets, strict=False):
        said = data.draw(
            st.sampled_from([None, {}, {"points": {"on": "judged", "to": "judge", "amount": "1"}}])
        )
        text = f"{block(said)}Text {number}."
        bodies.append(
            {
                "enact": f"## Enact Rule\n\n{text}",
                "amend": f"## Amend Rule {number}/0\n\n{text}",
                "repeal": f"## Repeal Rule {number}/0",
                "transmute": f"## Transmute Rule {number}/0 to immutable",
                "retitle": f"## Retitle Rule {number}/0: Called {number}",
                "mark": f"## Mark Rule {number}/0\n\n{block(said or {})}",
            }[verb]
        )
    orders = [range(len(bodies)), data.draw(st.permutations(range(len(bodies))))]

    def play(order: Any, *, one_day: bool) -> Replay:
        made = Ledger.start(
            {102: {"numbering": numbering}, 201: {"adoption": {"needs": "majority"}}}
        )
        for number in range(202, 208):
            made.rule(number)
        for place, index in enumerate(order):
            decided = day("02-20" if one_day else f"02-{place + 10}")
            made.proposal(FIRST + index, "02-01", bodies[index], decided=decided)
        assert made.slugs() == []
        return made.play()[1]

    first, second = (play(order, one_day=False) for order in orders)
    assert bare(first.current) == bare(second.current)
    assert bare(play(orders[0], one_day=True).current) == bare(first.current)


def decided(instrument: Instrument) -> Moment:
    matter = instrument.matter
    moment = matter.decided if isinstance(matter, ProposalMatter) else matter.date
    assert moment is not None
    return moment


def verdict(step: Step) -> tuple[object, ...]:
    return (
        step.instrument.path,
        step.outcome,
        step.decided,
        step.effective,
        step.changes,
        step.before,
        step.after,
    )


@BOUNDED
@given(wild_games(), st.data())
def test_what_was_judged_once_is_judged_so_for_ever(made: Ledger, data: st.DataObject) -> None:
    records, whole = made.play()
    moves = sorted(records.instruments.values(), key=decided)
    last = data.draw(st.integers(0, len(moves)))
    later = {one.path for one in moves[last:]}
    early_records, _ = read_game(
        {path: content for path, content in made.tree.items() if path not in later}
    )
    early = replay(early_records, day("12-31"))
    assert [verdict(one) for one in whole.steps[: len(early.steps)]] == [
        verdict(one) for one in early.steps
    ]
    assert {path: whole.tallies[path] for path in early.tallies} == early.tallies
    assert {path: verdict(whole.previews[path]) for path in early.previews} == {
        path: verdict(one) for path, one in early.previews.items()
    }
    assert whole.awards[: len(early.awards)] == early.awards
    assert [one for one in whole.findings if one.span.file not in later] == list(early.findings)
    # And so it stands in a replay of everything up to that day.
    if 0 < last < len(moves):
        until = replay(records, decided(moves[last - 1]))
        assert [verdict(one) for one in until.steps if one.outcome != "pending"] == [
            verdict(one) for one in early.steps
        ]
        assert {path: until.tallies[path] for path in early.tallies} == early.tallies
        assert until.current == early.current
