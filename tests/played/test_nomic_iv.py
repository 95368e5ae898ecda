"""The set of Nomic IV as it ships, and the game that was scripted under it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from nomicgen.files.rule_files import read_rule
from nomicgen.law.replay.results import Step
from nomicgen.model.front_matters import ActMatter, ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.rulesets import shipped
from nomicgen.play.wordings import provisions_of
from tests.played import account, copied, decisions, played, scores, standing, texts

NOMIC = "nomic-iv"


def proposal(number: int) -> ProposalMatter:
    matter = played(NOMIC).records.instruments[f"proposals/{number}.md"].matter
    assert isinstance(matter, ProposalMatter)
    return matter


def arithmetic(number: int) -> list[str]:
    """The conditions of a vote: the rule that makes each, and its arithmetic."""
    return [
        f"{one.rule}: {one.arithmetic}"
        for one in played(NOMIC).replay.tallies[f"proposals/{number}.md"].conditions
    ]


def step_of(path: str) -> Step:
    return next(step for step in played(NOMIC).replay.steps if step.instrument.path == path)


# The initial set


def test_the_initial_set_has_the_numbers_tiers_and_provisions_of_its_original() -> None:
    rules = [read_rule(path, data) for path, data in shipped(NOMIC).initial.items()]
    assert [findings for _, findings in rules if findings] == []
    matters = [rule.matter for rule, _ in rules if rule is not None]
    assert [one.number for one in matters] == [*range(101, 118), *range(201, 220)]
    assert {one.mutability for one in matters if one.number < 200} == {"immutable"}
    assert {one.mutability for one in matters if one.number > 200} == {"mutable"}
    assert all(one.title and one.section in shipped(NOMIC).settings["sections"] for one in matters)
    assert {one.number: one.provisions for one in matters if one.provisions} == {
        103: {"entrenchment": {"immutable": ["transmute"]}},
        104: {"ballot": {"withdrawal": "never", "under": "207"}},
        106: {"effect": {"when": "at-once", "under": "204"}},
        107: {
            "numbering": {
                "first": "301",
                "enacted": "proposal",
                "amended": "keep",
                "transmuted": "keep",
                "changes": "1",
            }
        },
        108: {
            "adoption": {
                "needs": "unanimous",
                "of": "eligible",
                "to": ["transmute"],
                "from": ["immutable"],
            }
        },
        109: {"authority": {"by": "judgement", "to": ["void"]}},
        111: {"changeable": "always"},
        201: {
            "turns": {
                "order": "random",
                "passing": "false",
                "overlap": "false",
                "joins": "before-current",
            }
        },
        202: {"turns": {"proposals": "1"}},
        203: {"adoption": {"needs": "majority", "of": "eligible"}},
        204: {"effect": "next-turn"},
        205: {"ballot": {"electorate": "active", "everyone_votes": "true", "silence": "waits"}},
        206: {
            "turns": {"proposal_required": "false"},
            "deadline": {
                "for": "turn",
                "within": "1",
                "with_proposal": "1",
                "then": "ends",
                "idle": "inactive",
            },
        },
        207: {"ballot": {"inactive_may_vote": "true", "withdrawal": "when-inactive"}},
        210: {"ballot": {"resubmissions": "2"}, "deadline": {"for": "resubmission", "within": "1"}},
        212: {"points": [{"on": "turn", "to": "player", "die": "6"}]},
        213: {"victory": {"points": "100"}},
        215: {
            "judgements": {
                "judge": "previous",
                "overruled_by": "others",
                "overruled_until": "next-turn",
            }
        },
        216: {"guards": {"keep": "victory"}},
    }


def test_what_the_game_became_can_be_offered_to_its_original() -> None:
    law = {
        rule: provisions_of(NOMIC, rule)
        for rule in ("203/0", "203/1", "308/0", "320/0", "323/0", "326/0")
    }
    assert law["203/0"] == {"adoption": {"needs": "majority", "of": "eligible"}}
    assert law["203/1"] == {
        "adoption": {
            "needs": "majority",
            "of": "eligible",
            "and": {"more_than": "15%", "of": "players"},
        }
    }
    assert law["308/0"] == {
        "authority": [
            {
                "by": "act",
                "to": ["enact"],
                "numbers": {"from": "600"},
                "when": "turn-begins",
                "defers": "true",
            },
            {"by": "act", "to": ["repeal"], "numbers": {"from": "600"}},
            {"by": "judgement", "to": ["repeal"], "numbers": {"from": "600"}},
        ]
    }
    assert law["320/0"] == {"ballot": {"author_votes_for": "true"}}
    assert law["323/0"] == {
        "ballot": {"tie_break": {"by": "nomitron", "die": "3", "for": ["1"], "against": ["2"]}}
    }
    assert law["326/0"] == {"ballot": {"abstention": "ignored"}}


def test_it_is_in_our_own_words(shared: Path) -> None:
    seed = (shared / "seeds" / "nomic-4-long-format.md").read_text("utf-8")
    assert (
        copied(
            seed, {"seed": "One turn consists of proposing one rule-change and having it voted on."}
        )
        != []
    )
    initial = {f"Rule {rule.number}": rule.text or "" for rule in played(NOMIC).replay.initial}
    assert copied(seed, {**initial, **texts(NOMIC)}) == []


# The decisions


def test_every_decision() -> None:
    assert played(NOMIC).findings == ()
    assert decisions(NOMIC) == [
        "301 adopted 7-1 by 203: 219/0 > 219/1",
        "302 defeated 3-5 not by 203",
        "303 adopted 6-2 by 203: +303/0",
        "304 adopted 5-3 by 203: +304/0",
        "305 defeated 4-4 not by 203",
        "306 defeated 7-1 by 203 not by 108",
        "308 adopted 4-3 by 203: +308/0",
        "309 adopted 5-2 by 203: +309/0",
        "310 adopted 6-2 by 203: +310/0",
        "311 adopted 6-2 by 203: 206/0 > 206/1",
        "312 adopted 7-1 by 203: +312/0",
        "313 defeated 3-5 not by 203",
        "314 adopted 8-0 by 108 203: 116/0 > 116/0 mutable",
        "315 defeated 3-4 not by 203",
        "316 adopted 4-3 by 203: +316/0",
        "317 adopted 5-2 by 203: 116/0 > 116/1",
        "318 adopted 5-2 by 203: +318/0",
        "319 defeated 4-4 not by 203",
        "320 adopted 6-2 by 203: +320/0",
        "321 adopted 5-4 by 203: +321/0",
        "322 defeated 4-5 not by 203",
        "323 adopted 6-3 by 203: +323/0",
        "324 adopted 5-4 by 203: +324/0",
        "325 defeated 4-5 not by 203",
        "326 adopted 6-2 by 203: +326/0",
        "327 adopted 3-2 by 203: +327/0",
        "328 adopted 5-2 by 203: 210/0 > 210/1",
        "329 adopted 5-2 by 203: 203/0 > 203/1",
        "330 defeated 3-2 not by 203",
        "331 adopted 3-2 by 203: 208/0 > 208/0 immutable",
        "332 defeated 2-1 not by 203",
        "333 defeated 3-3 not by 203",
    ]


def test_the_majority_is_of_those_who_are_active_that_day() -> None:
    half = "more than half of eligible voters"
    assert arithmetic(301) == [f"203: 7 for; {half} (8): more than 4 needed"]
    assert arithmetic(306) == [
        "108: 7 for; all eligible voters (8): 8 needed",
        f"203: 7 for; {half} (8): more than 4 needed",
    ]
    # Gravel fell asleep in the turn before: four of seven are a majority, and four of eight were
    # none.
    assert arithmetic(305) == [f"203: 4 for; {half} (8): more than 4 needed"]
    assert arithmetic(308) == [f"203: 4 for; {half} (7): more than 3.5, so at least 4 needed"]
    tallies = played(NOMIC).replay.tallies
    eligible = {
        number: len(tallies[f"proposals/{number}.md"].eligible) for number in range(301, 334)
    }
    by_count = {
        count: [number for number, found in eligible.items() if found == count]
        for count in range(5, 10)
    }
    assert by_count == {
        5: [330, 331],
        6: [332, 333],
        7: [307, 308, 309, 315, 316, 317, 318, 327, 329],
        8: [*range(301, 307), *range(310, 315), 319, 320, 324, 325, 326, 328],
        9: [321, 322, 323],
    }
    players = [
        len(tallies[f"proposals/{number}.md"].players)
        for number in (301, 310, 321, 326, 327, 330, 331)
    ]
    assert players == [8, 9, 10, 10, 20, 20, 19]


def test_fifteen_per_cent_of_all_players_is_a_floor() -> None:
    half, floor = "more than half of eligible voters", "more than 15% of all players"
    assert arithmetic(329) == [f"203: 5 for; {half} (7): more than 3.5, so at least 4 needed"]
    # Three of five, twice: exactly 15 % of twenty is too few, and one player leaves before the
    # second vote ends.
    assert arithmetic(330) == [
        f"203: 3 for; {half} (5): more than 2.5, so at least 3 needed; 3 for; {floor} (20): more "
        "than 3 needed"
    ]
    assert arithmetic(331) == [
        f"203: 3 for; {half} (5): more than 2.5, so at least 3 needed; 3 for; {floor} (19): more "
        "than 2.85, so at least 3 needed"
    ]
    # Who abstains is no eligible voter, and a player all the same: two of three, and two of
    # nineteen.
    assert arithmetic(332) == [
        f"203: 2 for; {half} (3): more than 1.5, so at least 2 needed; 2 for; {floor} (19): more "
        "than 2.85, so at least 3 needed"
    ]


def test_an_abstention_moves_the_base() -> None:
    tally = played(NOMIC).replay.tallies["proposals/327.md"]
    assert tally.abstain == ("ferret-tax", "hex-key")
    assert len(tally.eligible) == 7
    # Three of seven would be none.
    assert arithmetic(327) == [
        "203: 3 for; more than half of eligible voters (5): more than 2.5, so at least 3 needed"
    ]
    assert arithmetic(328) == [
        "203: 5 for; more than half of eligible voters (7): more than 3.5, so at least 4 needed"
    ]


def test_a_tie_is_broken_by_a_die_of_three() -> None:
    ties = {}
    for number in (324, 325, 333):
        vote = (proposal(number).votes or {})[PlayerId("nomitron")]
        tally = played(NOMIC).replay.tallies[f"proposals/{number}.md"]
        assert (tally.tie_broken_by, vote.cast_by, "nomitron" in tally.eligible) == (
            "nomitron",
            "die",
            False,
        )
        ties[number] = (vote.die, vote.vote, arithmetic(number)[0].split(";")[1].strip())
    half = "more than half of eligible voters"
    # The bot is one more eligible voter if it votes, and is not there if it does not.
    assert ties == {
        324: (1, "for", f"{half} (9): more than 4.5, so at least 5 needed"),
        325: (2, "against", f"{half} (9): more than 4.5, so at least 5 needed"),
        333: (3, "abstain", f"{half} (6): more than 3 needed"),
    }
    assert arithmetic(319) == [f"203: 4 for; {half} (8): more than 4 needed"]


def test_an_author_need_not_write_down_a_vote() -> None:
    assert "nightbus" not in (proposal(321).votes or {})
    tally = played(NOMIC).replay.tallies["proposals/321.md"]
    assert (tally.for_, tally.missing) == (
        ("ferret-tax", "nightbus", "pudding", "saltmarsh", "tin-whistle"),
        (),
    )
    assert "saltmarsh" in played(NOMIC).replay.tallies["proposals/334.md"].for_


def test_proposals_are_resubmitted_and_the_votes_begin_again() -> None:
    earlier = {number: proposal(number).earlier or [] for number in (310, 325)}
    cast = {
        number: [{who: vote.vote for who, vote in one.votes.items()} for one in many]
        for number, many in earlier.items()
    }
    against = dict.fromkeys(("lintel", "saltmarsh"), "against")
    assert cast == {
        310: [
            {"quarkling": "for", "hex-key": "for", "pudding": "against", "nightbus": "against"}
            | against
        ],
        325: [
            {"quarkling": "for"}
            | dict.fromkeys(("tin-whistle", "ferret-tax", "hex-key"), "against")
            | against,
            {"quarkling": "for", "pudding": "for"}
            | dict.fromkeys(("tin-whistle", "saltmarsh", "gravel"), "against"),
        ],
    }
    for number, many in earlier.items():
        digests = [one.digest for one in many] + [proposal(number).digest]
        opened = [one.opened for one in many] + [proposal(number).opened]
        assert len(set(digests)) == len(digests) == len(many) + 1
        assert all(one is not None for one in opened)
        assert opened == sorted(opened, key=str)


def test_the_open_vote_says_how_many_more_it_needs() -> None:
    tally = played(NOMIC).replay.tallies["proposals/334.md"]
    assert (tally.for_, tally.against) == (("lintel", "saltmarsh"), ())
    assert (tally.missing, tally.adopted, tally.fewest) == (
        ("ferret-tax", "inkling", "nightbus", "tin-whistle"),
        None,
        2,
    )


# When it takes effect


def test_what_is_decided_in_one_turn_is_law_from_the_next() -> None:
    turns = sorted(played(NOMIC).records.turns.values(), key=lambda one: one.order)
    begins = {turn.ident: after.matter.began for turn, after in pairwise(turns)}
    seen = 0
    for step in played(NOMIC).replay.steps:
        matter = step.instrument.matter
        if isinstance(matter, ProposalMatter):
            assert matter.turn is not None
            assert step.effective == begins[matter.turn]
            seen += 1
    assert seen == 21
    # Temporary rules: adopted on the 17th, in force from the 18th, when lintel's turn began.
    moments = (str(step_of("proposals/308.md").decided), str(step_of("proposals/308.md").effective))
    assert moments == ("2021-06-17T20:00", "2021-06-18T18:00")
    assert 308 not in played(NOMIC).replay.on(Moment.parse("2021-06-17")).rules
    assert 308 in played(NOMIC).replay.on(Moment.parse("2021-06-18")).rules
    # Abstaining is lawful from the turn after Proposal 326, which was decided when that turn began.
    assert proposal(326).decided == proposal(326).effective == begins["R4T4"]


def test_rules_are_made_of_words_and_unmade() -> None:
    acts = {
        path.removeprefix("acts/").removesuffix(".md"): one.matter
        for path, one in played(NOMIC).records.instruments.items()
        if isinstance(one.matter, ActMatter)
    }
    assert {name: (one.by, one.under, str(one.effective)) for name, one in acts.items()} == {
        "2021-06-25-temporary-rule-601": ("nightbus", 308, "2021-06-27T18:00"),
        "2021-06-28-temporary-rule-602": ("hex-key", 308, "2021-06-30T18:00"),
        "2021-07-08-temporary-rule-603": ("ferret-tax", 308, "2021-07-11T18:00"),
        "2021-07-17-rule-603": ("tin-whistle", 603, "None"),
    }
    words = [
        f"{step.instrument.kind} {change.verb} {change.rule.ref}"
        for step in played(NOMIC).replay.steps
        for change in step.changes
        if step.instrument.kind != "proposal"
    ]
    assert words == [
        "act enact 601/0",
        "act enact 602/0",
        "judgement repeal 602/0",
        "act enact 603/0",
        "act repeal 603/0",
    ]


def test_judgements_stand_fall_and_repeal() -> None:
    rulings = {one.number: one.matter for one in played(NOMIC).records.of_kind("judgement")}
    assert {
        number: (one.judge, one.status, [str(ref) for ref in one.rules])
        for number, one in rulings.items()
    } == {
        1: ("quarkling", "upheld", ["117/0"]),
        2: ("nightbus", "overruled", ["114/0"]),
        3: ("hex-key", "upheld", ["114/0"]),
        4: ("mothball", "upheld", ["206/0", "207/0"]),
        5: ("quarkling", "upheld", ["602/0", "308/0"]),
    }
    assert str(rulings[2].overruled) == "2021-06-17T12:30"
    # Overruled before the next turn began, and asked again of the active player before that Judge.
    turn = played(NOMIC).records.turns["R2T1"].matter.began
    assert rulings[2].overruled is not None
    assert turn is not None
    assert rulings[2].overruled.precedes(turn)
    # Rule 206 has moved on since judgement 4, and Rule 602 is gone since judgement 5.
    assert played(NOMIC).replay.current.rules[206].ref == "206/1"
    assert 602 not in played(NOMIC).replay.current.rules


# Turns, scores, and what is left


def test_turns_go_round_in_the_order_that_was_drawn_and_skip_who_sleeps() -> None:
    turns = sorted(played(NOMIC).records.turns.values(), key=lambda one: one.order)
    assert " ".join(f"{one.ident}:{one.matter.player}" for one in turns) == (
        "R1T1:lintel R1T2:quarkling R1T3:pudding R1T4:saltmarsh R1T5:hex-key R1T6:nightbus "
        "R1T7:gravel R1T8:mothball R2T1:lintel R2T2:quarkling R2T3:pudding R2T4:saltmarsh "
        "R2T5:hex-key R2T6:nightbus R2T7:mothball R3T1:lintel R3T2:tin-whistle R3T3:quarkling "
        "R3T4:pudding R3T5:saltmarsh R3T6:hex-key R3T7:nightbus R3T8:gravel R4T1:lintel "
        "R4T2:tin-whistle R4T3:quarkling R4T4:pudding R4T5:saltmarsh R4T6:hex-key R4T7:ferret-tax "
        "R4T8:nightbus R5T1:lintel R5T2:tin-whistle R5T3:inkling R5T4:saltmarsh"
    )
    assert not any(one.matter.passed for one in turns)
    following = played(NOMIC).replay.next_turn
    assert following is not None
    assert (following.ident, following.player) == ("R5T5", "ferret-tax")
    # Mothball proposed nothing in R2T7: the turn ended after a day, with its throw, and no number
    # was spent.
    made = {one.matter.turn for one in played(NOMIC).records.of_kind("proposal")}
    assert {one.ident for one in turns} - made == {"R2T7"}
    quiet = played(NOMIC).records.players[PlayerId("mothball")].matter.inactive
    assert [str(one.since) for one in quiet] == [
        str(played(NOMIC).records.turns["R2T7"].matter.ended)
    ]


def test_the_proposal_of_a_player_who_fell_asleep_counts_as_never_made() -> None:
    assert (proposal(307).status, proposal(307).author) == ("void", "gravel")
    assert 307 not in played(NOMIC).replay.current.rules
    assert proposal(308).turn == "R1T8"


def test_the_scores_line_by_line() -> None:
    assert account(NOMIC, "lintel") == "+4(212) +5(212) +2(212) +6(212) -1(304) +4(212)"
    assert account(NOMIC, "quarkling") == "+2(212) +3(212) +4(212) +2(318) +5(212)"
    assert account(NOMIC, "pudding") == "+6(212) +4(212) +1(212) +2(212)"
    assert account(NOMIC, "saltmarsh") == "+3(212) +1(212) +3(304) +6(212) +2(318) +4(212)"
    assert account(NOMIC, "hex-key") == "+1(212) +2(212) +5(312) +3(212) +3(212)"
    assert account(NOMIC, "nightbus") == "+5(212) +6(212) +4(212) +2(212)"
    assert account(NOMIC, "gravel") == "+2(212) +5(212) -1(324)"
    assert account(NOMIC, "mothball") == "+6(212) +3(212)"
    assert account(NOMIC, "tin-whistle") == "+5(212) +1(212) +3(212)"
    assert account(NOMIC, "ferret-tax") == "+6(212)"
    assert account(NOMIC, "inkling") == "+1(212)"
    by_hand = [one for one in played(NOMIC).replay.awards if one.rule != 212]
    written = [f"{one.player} {one.amount} ({one.rule}) {one.reason}" for one in by_hand]
    assert written == [
        "hex-key 5 (312) a quotation from Shakespeare",
        "saltmarsh 3 (304) a suggestion that was adopted as it stood",
        "quarkling 2 (318) a duel won",
        "saltmarsh 2 (318) a duel won",
        "gravel -1 (324) swearing at Nomitron",
        "lintel -1 (304) a suggestion that was defeated as it stood",
    ]
    assert scores(NOMIC) == {
        "ferret-tax": 6,
        "gravel": 6,
        "hex-key": 14,
        "inkling": 1,
        "lintel": 20,
        "mothball": 9,
        "nightbus": 17,
        "pudding": 13,
        "quarkling": 16,
        "saltmarsh": 19,
        "tin-whistle": 9,
    }
    assert played(NOMIC).replay.winner is None


def test_the_rules_at_the_end() -> None:
    immutable = [number for number in range(101, 118) if number != 116]
    amended = {116: 1, 203: 1, 206: 1, 210: 1, 219: 1}
    kept = [116, *(number for number in range(201, 220) if number != 208)]
    enacted = [303, 304, 308, 309, 310, 312, 316, 318, 320, 321, 323, 324, 326, 327, 601]
    assert standing(NOMIC) == {
        "immutable": " ".join(f"{number}/0" for number in (*immutable, 208)),
        "mutable": " ".join(f"{number}/{amended.get(number, 0)}" for number in (*kept, *enacted)),
    }
