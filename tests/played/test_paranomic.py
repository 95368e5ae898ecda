"""The scripted game of Paranomic II, decision by decision."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from nomicgen.law.replay.awarded_points import totals
from nomicgen.law.replay.player_spans import holders
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.values import Moment
from nomicgen.play.rulesets import shipped
from tests.mutations.mutation import swap
from tests.played.paranomic import ACT, TIERS, broken, loaded, matter, played, proposal, ruling

DEFEATED = ""
# Number, votes for, against, silent; the rules whose conditions were put, those not met in
# brackets; what came of it.
DECISIONS = [
    (301, "bramble cobalt dunnock ember", "", "", "204", "301/0 302/0"),
    (302, "bramble cobalt dunnock ember", "", "cobalt", "204", "303/0"),
    (303, "bramble dunnock ember", "cobalt", "", "(204)", DEFEATED),
    (305, "bramble cobalt dunnock ember", "", "", "108 204", "105/0"),
    (306, "bramble dunnock ember", "cobalt", "", "(204)", DEFEATED),
    (307, "cobalt ember", "dunnock", "", "(204)", DEFEATED),
    (308, "dunnock ember fathom", "cobalt", "", "204", "210/1"),
    (309, "cobalt ember fathom", "dunnock", "", "204", "105/1 -302/0"),
    (310, "cobalt dunnock fathom", "ember", "fathom", "(108) 204", DEFEATED),
    (311, "cobalt dunnock ember fathom", "", "", "204", "301/1 303/0 311/0"),
    (312, "cobalt ember fathom", "dunnock", "cobalt", "204", "203/1"),
    (313, "cobalt dunnock ember", "fathom", "ember", "204", "313/0"),
]


def test_the_scripted_game_is_clean() -> None:
    assert played().findings == ()
    numbers = [one.number for one in played().records.of_kind("proposal")]
    assert numbers == list(range(301, 316))
    decided = [
        number for number in range(301, 316) if matter(number).status in ("adopted", "defeated")
    ]
    assert decided == [number for number, *_ in DECISIONS]


@pytest.mark.parametrize(
    ("number", "for_", "against", "silent", "conditions", "made"),
    DECISIONS,
    ids=[str(one[0]) for one in DECISIONS],
)
def test_decision(
    number: int, for_: str, against: str, silent: str, conditions: str, made: str
) -> None:
    tally = played().replay.tallies[proposal(number)]
    assert (tally.for_, tally.against, tally.silent) == (
        *map(tuple, (for_.split(), against.split(), silent.split())),
    )
    assert tally.abstain == ()
    put = " ".join(str(one.rule) if one.met else f"({one.rule})" for one in tally.conditions)
    assert put == conditions
    adopted = "(" not in conditions
    assert tally.adopted is adopted
    assert matter(number).status == ("adopted" if adopted else "defeated")
    steps = [step for step in played().replay.steps if step.instrument.path == proposal(number)]
    refs = [
        change.after.ref if change.after else f"-{change.before.ref if change.before else ''}"
        for step in steps
        for change in step.changes
    ]
    assert " ".join(refs) == made
    assert [step.outcome for step in steps] == (["applied"] if adopted else [])


def test_two_circuits_of_unanimity_then_a_majority() -> None:
    """Rule 204 changes by itself when R2T4 is over: the same words fail 3-1 before, and pass 3-1
    after.
    """
    before, after = (
        played().replay.on(Moment.parse(day)).get(204) for day in ("2025-04-14", "2025-04-15")
    )
    assert before is not None
    assert after is not None
    assert (before.ref, after.ref) == ("204/0", "204/1")
    assert before.provisions is not None
    sunset: Any = before.provisions["sunset"]
    becomes = sunset["becomes"]
    assert (after.text, after.provisions) == (becomes["text"], becomes["provisions"])
    step = next(one for one in played().replay.steps if one.instrument.path == ACT)
    assert (step.outcome, str(step.effective), step.instrument.actor) == (
        "applied",
        "2025-04-15",
        "204",
    )
    ends = {ident: str(turn.matter.ended) for ident, turn in played().records.turns.items()}
    assert ends["R2T4"] == "2025-04-15"

    first, second = (played().replay.tallies[proposal(number)] for number in (303, 308))
    assert (
        [len(one.for_) for one in (first, second)]
        == [len(one.against) * 3 for one in (first, second)]
        == [3, 3]
    )
    assert matter(303).digest == matter(308).digest
    assert [one.conditions[0].arithmetic for one in (first, second)] == [
        "3 for; all eligible voters (4): 4 needed",
        "3 for; more than half of eligible voters (4): more than 2 needed",
    ]
    assert [one.unanimity for one in (first, second)] == [True, False]


def test_silence_is_a_vote_for_and_costs_what_the_law_of_the_day_says() -> None:
    silent = {
        number: (tally.silent, str(tally.closes))
        for number, *_ in DECISIONS
        if (tally := played().replay.tallies[proposal(number)]).silent
    }
    assert silent == {
        302: (("cobalt",), "2025-03-20"),
        310: (("fathom",), "2025-05-01"),
        312: (("cobalt",), "2025-05-11"),
        313: (("ember",), "2025-05-15"),
    }
    for number, (voters, closes) in silent.items():
        one = matter(number)
        assert one.votes is not None
        assert {voter for voter, vote in one.votes.items() if vote.cast_by == "silence"} == set(
            voters
        )
        assert str(one.decided) == closes
    fines = {
        line.span.file: (line.player, line.amount)
        for line in played().replay.awards
        if line.rule == 203
    }
    # Proposal 312 makes silence dearer, and is itself decided under the old price.
    assert fines == {
        proposal(302): ("cobalt", Fraction(-3)),
        proposal(310): ("fathom", Fraction(-3)),
        proposal(312): ("cobalt", Fraction(-3)),
        proposal(313): ("ember", Fraction(-5)),
    }


def test_a_taken_number_gives_the_next_free_one() -> None:
    steps = {step.instrument.path: step for step in played().replay.steps}
    born = {
        number: [
            change.rule.number
            for change in steps[proposal(number)].changes
            if change.verb == "enact"
        ]
        for number in (301, 302, 311, 313)
    }
    assert born == {301: [301, 302], 302: [303], 311: [311], 313: [313]}
    whisper, again = steps[proposal(301)].changes[1].after, steps[proposal(313)].changes[0].after
    assert whisper is not None
    assert again is not None
    assert (whisper.number, again.number) == (302, 313)
    assert (whisper.identity, whisper.text) == (again.identity, again.text)


def test_a_transmuted_and_an_amended_rule_keep_their_numbers() -> None:
    papers = [
        change.rule
        for step in played().replay.steps
        for change in step.changes
        if change.rule.number == 105
    ]
    assert [(rule.ref, rule.tier) for rule in papers] == [
        ("105/0", "mutable"),
        ("105/1", "mutable"),
    ]


def test_no_vote_reaches_a_constitutional_rule() -> None:
    tally = played().replay.tallies[proposal(304)]
    assert (len(tally.for_), tally.against, tally.eligible) == (4, (), tally.for_)
    assert matter(304).status == "void"
    assert proposal(304) not in {step.instrument.path for step in played().replay.steps}
    assert {rule.ref for rule in played().replay.current if rule.tier == "constitutional"} == {
        f"{number}/0" for number in TIERS["constitutional"]
    }
    assert [line for line in played().replay.awards if line.span.file == proposal(304)] == []
    for status, slug in (
        ("adopted\neffective: 2025-03-30", "tier-protected"),
        ("defeated", "votes-enough"),
    ):
        game = broken(proposal(304), swap("status: void", f"status: {status}"))
        assert [(one.slug, one.span.file) for one in game.findings] == [(slug, proposal(304))]
        if slug == "tier-protected":
            assert (game.findings[0].rule, game.findings[0].message) == (
                101,
                "Rule 4/0 is constitutional; Rule 101 forbids the amendment of constitutional "
                "rules (it allows: nothing)",
            )


def test_turns_go_by_seats_and_two_are_passed() -> None:
    turns = sorted(played().records.turns.values(), key=lambda one: one.order)
    assert " ".join(
        f"{one.ident}:{one.matter.player}{'*' * one.matter.passed}" for one in turns
    ) == (
        "R1T1:dunnock R1T2:bramble R1T3:ember R1T4:cobalt "
        "R2T1:dunnock R2T2:bramble R2T3:ember R2T4:cobalt* "
        "R3T1:dunnock R3T2:ember R3T3:cobalt R3T4:fathom "
        "R4T1:dunnock* R4T2:ember R4T3:cobalt R4T4:fathom R5T1:dunnock"
    )
    following = played().replay.next_turn
    assert following is not None
    assert (following.ident, following.player) == ("R5T2", "ember")
    for one in played().records.of_kind("proposal"):
        said = one.matter
        assert isinstance(said, ProposalMatter)
        assert said.turn is not None
        assert played().records.turns[said.turn].matter.player == said.author


def test_players_come_and_go_and_the_umpire_hands_over() -> None:
    voters = {
        number: played().replay.tallies[proposal(number)].eligible for number in (306, 307, 308)
    }
    assert voters == {
        306: ("bramble", "cobalt", "dunnock", "ember"),
        307: ("cobalt", "dunnock", "ember"),
        308: ("cobalt", "dunnock", "ember", "fathom"),
    }
    days = ("2025-03-03", "2025-04-15", "2025-04-16", "2025-05-18")
    assert [holders("umpire", played().records.players, Moment.parse(day)) for day in days] == [
        ("ember",),
        ("ember",),
        ("dunnock",),
        ("dunnock",),
    ]


def test_judges_are_late_confirmed_and_overruled() -> None:
    said = {number: ruling(number) for number in range(1, 5)}
    assert {
        number: (one.judge, one.late, one.status, str(one.overruled))
        for number, one in said.items()
    } == {
        1: ("dunnock", ["cobalt"], "upheld", "None"),
        2: ("cobalt", [], "upheld", "None"),
        3: ("bramble", [], "overruled", "2025-03-30"),
        4: ("dunnock", [], "upheld", "None"),
    }
    assert {number: one.proposal for number, one in said.items()} == {
        1: 302,
        2: 302,
        3: 304,
        4: 304,
    }
    # As long as it was in dispute what it says, the green paper stayed green (Rule 209).
    opened = matter(302).opened
    assert said[2].date is not None
    assert opened is not None
    assert said[2].date.precedes(opened)


def test_the_open_vote_passes_with_no_further_vote() -> None:
    tally = played().replay.tallies[proposal(314)]
    assert (tally.for_, tally.missing, tally.may_end, tally.adopted) == (
        ("ember", "fathom"),
        ("cobalt", "dunnock"),
        False,
        None,
    )
    assert (str(tally.closes), tally.fewest) == ("2025-05-19", 0)
    later = loaded(shipped("paranomic").tree(), Moment.parse("2025-05-20")).replay.tallies[
        proposal(314)
    ]
    assert (later.silent, later.adopted) == (("cobalt", "dunnock"), True)
    refused = broken(proposal(314), swap("ember: for", "ember: against")).replay.tallies[
        proposal(314)
    ]
    assert refused.fewest is None
    assert matter(315).status == "debate"


# Player, points, the rule that awards them (None: the file says so itself), the file.
AWARDS = """
dunnock 10 202 proposals/301
dunnock 10 207 proposals/301
cobalt -3 209 judgements/1
ember -10 209 judgements/2
bramble 10 202 proposals/302
bramble 10 207 proposals/302
cobalt -3 203 proposals/302
ember 15/2 202 proposals/303
ember -10 207 proposals/303
dunnock 10 202 proposals/305
dunnock 10 207 proposals/305
bramble 15/2 202 proposals/306
bramble -10 207 proposals/306
ember 20/3 202 proposals/307
ember -10 207 proposals/307
dunnock 15/2 202 proposals/308
cobalt 10 205 proposals/308
dunnock 10 207 proposals/308
ember 15/2 202 proposals/309
dunnock 10 205 proposals/309
ember 10 207 proposals/309
cobalt 15/2 202 proposals/310
cobalt -10 207 proposals/310
fathom -3 203 proposals/310
fathom 10 202 proposals/311
fathom 10 207 proposals/311
ember 15/2 202 proposals/312
dunnock 10 205 proposals/312
ember 10 207 proposals/312
cobalt -3 203 proposals/312
cobalt 15/2 202 proposals/313
fathom 10 205 proposals/313
cobalt 10 207 proposals/313
ember -5 203 proposals/313
"""


def test_scores_line_by_line() -> None:
    lines = [
        f"{one.player} {one.amount} {one.rule} {one.span.file.removesuffix('.md')}"
        for one in played().replay.awards
    ]
    assert sorted(lines) == sorted(AWARDS.split("\n")[1:-1])
    order = list(dict.fromkeys(one.rsplit(" ", 1)[1] for one in lines))
    assert order == list(dict.fromkeys(one.rsplit(" ", 1)[1] for one in AWARDS.split("\n")[1:-1]))
    assert totals(played().replay.awards) == {
        "bramble": Fraction(35, 2),
        "cobalt": Fraction(16),
        "dunnock": Fraction(155, 2),
        "ember": Fraction(85, 6),
        "fathom": Fraction(27),
    }
    assert played().replay.winner is None


def test_the_rules_that_stand_at_the_end() -> None:
    marks = {"constitutional": "!", "immutable": "*", "mutable": ""}
    assert " ".join(f"{rule.ref}{marks[rule.tier]}" for rule in played().replay.current) == (
        "1/0! 2/0! 3/0! 4/0! 5/0! 6/0! "
        "101/0* 102/0* 103/0* 104/0* 105/1 106/0* 107/0* 108/0* 109/0* 110/0* 111/0* 112/0* "
        "201/0 202/0 203/1 204/1 205/0 206/0 207/0 208/0 209/0 210/1 211/0 212/0 301/1 303/0 "
        "311/0 313/0"
    )
    changed = {
        rule.number: rule.provisions
        for rule in played().replay.current
        if rule.number in (105, 203, 204, 210)
    }
    assert changed == {
        105: {"ballot": {"debate": "2", "resubmissions": "0", "withdrawal": "until-opened"}},
        203: {
            "ballot": {
                "everyone_votes": "true",
                "silence": "for",
                "closes_after": "3",
                "penalty": {"points": "5"},
            }
        },
        204: {"adoption": {"needs": "majority", "of": "eligible"}},
        210: {"victory": {"points": "100"}},
    }
    titles = {rule.number: rule.title for rule in played().replay.current if rule.number > 300}
    assert titles == {
        301: "The watchword",
        303: "The suspects",
        311: "Above suspicion",
        313: "The whisper",
    }
