"""Pokey as it became: turns that overlap, three thresholds, Live Chickens and Bricks, void rules,
paid verse.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.importers.text.importer import import_text
from nomicgen.law.precedence import Law
from nomicgen.law.provisions.adoption import Adoption
from nomicgen.model.front_matters import JudgementMatter
from nomicgen.model.values import Moment
from nomicgen.play.game_status import next_number
from nomicgen.play.load import load, load_tree
from nomicgen.play.rulesets import shipped
from nomicgen.play.wordings import provisions_of
from tests.importers.texts import map_of
from tests.played import ON, account, broken, copied, decisions, played, scores, standing, texts
from tests.played.test_init import run

POKEY = "pokey"


def test_the_initial_set_is_suber_s() -> None:
    assert shipped(POKEY).initial == shipped("suber").initial
    assert len(shipped(POKEY).initial) == 29


def test_a_new_game_begins_with_the_rules_that_the_text_has(shared: Path, tmp_path: Path) -> None:
    """The text is of a game that was played: rules from 301 on, three of them void, and 201 and 203
    amended away.
    """
    seed = import_text(
        (shared / "seeds" / "pokey-nomic-rules.txt").read_bytes(), "p.txt", map_of("numbered")
    )
    text = load_tree(Path(), seed.files, ON).replay.current
    root = tmp_path / "game"
    line = [
        "init",
        str(root),
        "--ruleset",
        POKEY,
        "--forge",
        "none",
        "--player",
        "ada",
        "--on",
        "2025-12-01",
    ]
    assert CliRunner().invoke(main, [*line, "--commit"]).exit_code == 0
    game = load(root, ON)
    assert [(one.number, one.tier, one.void) for one in game.replay.current] == [
        (one.number, one.tier, one.void) for one in text
    ]
    law = Law.of(game.replay.current, game.settings, ON)
    assert [rule.number for rule, _ in law.every(Adoption)] == [109, 308, 312]
    assert next_number(game.records, game.replay, ON) == 314
    assert game.findings == ()
    said = (
        CliRunner()
        .invoke(main, ["-C", str(root), "status", "--rules", "--on", "2025-12-01"])
        .output.splitlines()
    )
    assert "rules: 16 immutable, 19 mutable (of 25 at most); 3 of them void" in said
    listed = [line.split()[0] for line in said if " void: " in line]
    assert listed == ["304/0", "309/0", "310/0"]


def test_it_is_in_our_own_words(shared: Path) -> None:
    seed = (shared / "seeds" / "pokey-nomic-rules.txt").read_text("utf-8")
    assert copied(seed, texts(POKEY)) == []


def test_every_decision() -> None:
    assert played(POKEY).findings == ()
    assert decisions(POKEY) == [
        "301 adopted 5-0 by 203: 201/0 > 301/1",
        "302 defeated 4-1 not by 203",
        "303 defeated 4-1 not by 109 203",
        "304 adopted 5-0 by 203: +304/0",
        # Void by Judgement 1, Rule 304 asks for nothing: Rule 203 alone decides what follows.
        "305 adopted 5-0 by 203: +305/0",
        "306 defeated 4-1 not by 203",
        "307 defeated 3-2 not by 203",
        "308 adopted 5-0 by 203: 203/0 > 308/1",
        "309 adopted 3-2 by 308: +309/0",
        "310 adopted 3-2 by 308: +310/0",
        "312 adopted 4-1 by 308: +312/0",
        "313 adopted 3-2 by 308: +313/0",
        "314 defeated 4-1 not by 312",
        "315 adopted 5-0 by 312: 207/0 > 315/0 immutable",
        "316 adopted 3-2 by 308: 206/0 > 316/1",
        "317 defeated 4-1 not by 109",
        "318 adopted 5-0 by 109: 111/0 > 318/0 mutable",
        "319 adopted 3-2 by 308: -210/0",
        "320 defeated 2-3 not by 308",
    ]


def test_the_rules_at_the_end() -> None:
    immutable = [number for number in range(101, 117) if number != 111]
    assert standing(POKEY) == {
        "immutable": " ".join(f"{number}/0" for number in (*immutable, 315)),
        "mutable": "202/0 204/0 205/0 208/0 209/0 211/0 212/0 213/0 "
        "301/1 [304/0] 305/0 308/1 [309/0] [310/0] 312/0 313/0 316/1 318/0",
    }


def test_the_rules_that_the_real_game_had_carry_its_provisions() -> None:
    rules = ("109/0", "301/1", "304/0", "305/0", "308/1", "309/0", "310/0", "312/0", "313/0")
    law = {int(rule.partition("/")[0]): provisions_of(POKEY, rule) for rule in rules}
    assert law[109] == {
        "adoption": {
            "needs": "unanimous",
            "of": "eligible",
            "to": ["transmute"],
            "into": ["mutable"],
        }
    }
    assert law[301] == {
        "turns": {
            "order": "seat",
            "proposals": "1",
            "passing": "false",
            "overlap": "true",
            "proposal_required": "voted",
            "votes_in_order": "true",
        }
    }
    assert law[304] == {"adoption": {"needs": "majority", "of": "eligible"}}
    assert law[305] == {
        "points": [
            {"on": "adopted", "to": {"role": "live-chicken"}, "amount": "2", "times": "changes"},
            {"on": "turn", "to": {"role": "brick"}, "die": "6"},
        ],
        "awards": {
            "in": ["act", "turn"],
            "to": "self",
            "amount": "-10",
            "between": ["live-chicken", "brick"],
        },
    }
    assert law[308] == {
        "adoption": {"needs": "majority", "of": "eligible", "to": ["enact", "amend", "repeal"]}
    }
    assert law[312] == {
        "adoption": {
            "needs": "unanimous",
            "of": "eligible",
            "to": ["transmute"],
            "into": ["immutable"],
        }
    }
    own = {"in": "proposal", "on": "adopted", "by": "author", "to": "self"}
    assert law[313] == {
        "awards": [
            {**own, "amount": "1", "once": "true"},
            {**own, "amount": "2", "once": "true"},
            {**own, "amount": "10", "in_all": "23"},
        ]
    }
    assert law[309] == law[310] == {}


def test_rules_are_void_by_judgement() -> None:
    game = played(POKEY)
    voided = {}
    for instrument in game.records.of_kind("judgement"):
        assert isinstance(instrument.matter, JudgementMatter)
        marked = [str(one.target) for one in instrument.instructions]
        voided[instrument.number] = (instrument.matter.judge, " ".join(marked))
    assert voided == {
        1: ("quarry", "304/0"),
        2: ("tinder", "309/0"),
        3: ("tinder", ""),
        4: ("brindle", "310/0"),
    }
    assert {rule.number: rule.void for rule in game.replay.current if rule.void} == {
        304: Moment.parse("2025-01-24"),
        309: Moment.parse("2025-02-14"),
        310: Moment.parse("2025-02-18"),
    }


def test_turns_begin_before_the_last_has_ended() -> None:
    turns = sorted(played(POKEY).records.turns.values(), key=lambda one: one.order)
    overlapping = []
    for before, turn in pairwise(turns):
        assert turn.matter.began is not None
        assert before.matter.ended is not None
        if turn.matter.began < before.matter.ended:
            overlapping.append(turn.ident)
    # From Rule 301 on all of them but three: before that came into force, and where somebody waited
    # for a judge.
    assert len(turns) == 21
    assert sorted({one.ident for one in turns} - set(overlapping)) == ["R1T1", "R1T2", "R3T2"]


def test_nothing_is_voted_on_before_the_vote_of_the_turn_before_is_complete() -> None:
    matters = [one.matter for one in played(POKEY).records.of_kind("proposal")]
    voted = [one for one in matters if one.opened]
    for before, after in pairwise(voted):
        assert before.decided is not None
        assert after.opened is not None
        assert before.decided <= after.opened


HANDED = ("from Brick to Live Chicken", "lintel", "haiku", "rhyme", "marmalade")


def test_chickens_bricks_and_poets_are_paid() -> None:
    # A Brick throws twice, until ten points make a Live Chicken of it.
    assert account(POKEY, "gannet") == (
        "-10(206) +3(202) -10(206) +4(202) +2(305) +10(204) +2(305) +1(202) -10(305) +10(204) "
        "+2(305) +2(305) +10(204) +2(305) -5(316) +6(202) +2(305) +2(305)"
    )
    assert account(POKEY, "quarry") == (
        "+6(202) +3(202) +6(305) +10(204) +10(204) -10(206) +5(202) +5(305) +10(204) +1(313) "
        "+2(202) +4(305)"
    )
    assert scores(POKEY) == {"brindle": 52, "gannet": 23, "moss": 32, "quarry": 52, "tinder": 48}
    by_hand = [one for one in played(POKEY).replay.awards if one.reason in HANDED]
    said = [(one.player, int(one.amount), one.rule, one.reason) for one in by_hand]
    assert said == [
        ("gannet", -10, 305, "from Brick to Live Chicken"),
        ("tinder", 1, 313, "lintel"),
        ("brindle", 10, 313, "haiku"),
        ("moss", 2, 313, "rhyme"),
        ("quarry", 1, 313, "marmalade"),
    ]
    assert all(one.rule is not None for one in played(POKEY).replay.awards)
    assert played(POKEY).replay.winner is None


def test_a_proposal_is_open_at_the_end() -> None:
    tally = played(POKEY).replay.tallies["proposals/321.md"]
    assert (tally.for_, tally.against, tally.missing) == (
        ("brindle", "moss"),
        ("quarry",),
        ("gannet", "tinder"),
    )
    assert tally.fewest == 1


def test_a_player_is_a_chicken_or_a_brick_and_pays_for_a_change(tmp_path: Path) -> None:
    """Rule 305: the first choice is free, each other one costs ten points, and nobody is both."""
    root = tmp_path / "game"
    run(
        "init",
        str(root),
        "--ruleset",
        POKEY,
        "--forge",
        "none",
        "--player",
        "ada",
        "--on",
        "2025-12-01",
        "--commit",
    )

    def role(name: str, day: str, code: int = 0) -> str:
        return run(
            "-C", str(root), "player", "role", "ada", name, "--on", day, "--commit", code=code
        )

    assert role("brick", "2025-12-01").splitlines()[0] == "ada is a brick from 2025-12-01"
    assert role("live-chicken", "2025-12-03").splitlines()[:2] == [
        "ada is a live-chicken from 2025-12-03",
        "  ada −10: from brick to live-chicken (Rule 305)",
    ]
    assert (
        "roles:\n  - role: brick\n    since: 2025-12-01\n    until: 2025-12-03\n"
        in (root / "players/ada.yml").read_text()
    )
    assert role("live-chicken", "2025-12-04", 2).startswith(
        "error: ada is a live-chicken on 2025-12-04\n"
    )
    # Nobody goes back behind what was paid.
    assert role("brick", "2025-12-02", 2).startswith(
        "error: Rule 305 was decided on 2025-12-03, after 2025-12-02\n"
    )
    assert "no provision speaks of the role chicken; they speak of brick and live-chicken" in role(
        "chicken", "2025-12-04"
    )
    assert load(root, ON).errors == ()
    path = root / "players/ada.yml"
    path.write_text(path.read_text().replace("    until: 2025-12-03\n", ""))
    (error,) = load(root, ON).errors
    assert (
        error.message
        == "ada has the roles live-chicken and brick; by Rule 305 a player has one of them at a "
        "time"
    )


VOTES = (
    "opened: 2025-02-13\nvotes: {brindle: for, gannet: for, moss: for, quarry: for, tinder: for}\n"
)


@pytest.mark.parametrize(
    ("path", "changes", "found"),
    [
        # The three thresholds, each missed by one vote.
        (
            "proposals/314.md",
            [("status: defeated", "status: adopted\neffective: 2025-03-01")],
            ["proposals/314.md: transmutation-votes (Rule 312)"],
        ),
        (
            "proposals/317.md",
            [("status: defeated", "status: adopted\neffective: 2025-03-12")],
            ["proposals/317.md: transmutation-votes (Rule 109)"],
        ),
        (
            "proposals/320.md",
            [("status: defeated", "status: adopted\neffective: 2025-03-22")],
            ["proposals/320.md: votes-few (Rule 308)"],
        ),
        # A Brick owes two throws, a Live Chicken one.
        (
            "turns/R2T2.yml",
            [("dice: [4, 2]", "dice: [4]")],
            ["turns/R2T2.yml: dice-wrong (Rule 305)"],
        ),
        ("turns/R3T2.yml", [("dice: [1]", "dice: [1, 1]")], ["turns/R3T2.yml: dice-wrong"]),
        # The role that a player holds on the day of a decision is the one that is paid.
        (
            "players/gannet.yml",
            [("until: 2025-02-17", "until: 2025-02-23")],
            ["turns/R3T2.yml: dice-wrong (Rule 305)"],
        ),
    ],
)
def test_what_breaks_it_is_found(
    path: str, changes: list[tuple[str, str]], found: list[str]
) -> None:
    assert broken(POKEY, path, *changes) == found


def test_before_rule_312_no_vote_makes_a_rule_immutable() -> None:
    adopted = (
        "status: void\ndecided: 2025-02-16\n",
        f"status: adopted\ndecided: 2025-02-16\neffective: 2025-02-16\n{VOTES}",
    )
    digest = ("\n---\n", f"\ndigest: {'0' * 64}\n---\n")
    found = broken(POKEY, "proposals/311.md", adopted, digest, redigest=True)
    assert found[0] == "proposals/311.md: adoption-missing"
