"""The scripted game of Nomic IV with one thing changed: what is found then."""

from __future__ import annotations

import pytest

from tests.deep import sampled
from tests.played import broken

NOMIC = "nomic-iv"
ADOPTED = [("status: defeated", "status: adopted")]
FIRST_WORDS = "acts/2021-06-25-temporary-rule-601.md"
LAST_WORDS = "acts/2021-07-08-temporary-rule-603.md"
ITSELF = "acts/2021-07-17-rule-603.md"


def p(number: int, slug: str, rule: int | None = None) -> str:
    return f"proposals/{number}.md: {slug}{f' (Rule {rule})' if rule else ''}"


def adopted(decided: str, effective: str) -> list[tuple[str, str]]:
    """A proposal that was defeated is said to be adopted, and to take effect."""
    return [*ADOPTED, (f"decided: {decided}\n", f"decided: {decided}\neffective: {effective}\n")]


CASES: dict[str, tuple[str, list[tuple[str, str]], list[str]]] = {
    # When it takes effect
    "a turn early": (
        "proposals/318.md",
        [("effective: 2021-07-03T18:00", "effective: 2021-07-02T20:00")],
        [p(318, "effect-wrong", 204)],
    ),
    "before the vote was over": (
        "proposals/318.md",
        [("effective: 2021-07-03T18:00", "effective: 2021-07-02T19:00")],
        [p(318, "effect-early", 204)],
    ),
    "a turn late": (
        "proposals/301.md",
        [("effective: 2021-06-03T18:00", "effective: 2021-06-05T18:00")],
        [p(301, "effect-wrong", 204)],
    ),
    # How many votes are enough
    "half of the votes": (
        "proposals/305.md",
        adopted("2021-06-10T20:45", "2021-06-11T18:00"),
        [p(305, "votes-few", 203)],
    ),
    "a majority that is denied": (
        "proposals/309.md",
        [("status: adopted", "status: defeated"), ("effective: 2021-06-20T18:00\n", "")],
        [p(309, "votes-enough", 203)],
    ),
    "exactly 15 %": (
        "proposals/330.md",
        adopted("2021-07-18T18:00", "2021-07-18T18:00"),
        [p(330, "votes-few", 203), p(330, "points-unlawful", 304)],
    ),
    "exactly 15 %, had nobody left": (
        "players/anchovy.yml",
        [("left: 2021-07-18T20:00\n", "")],
        [p(331, "transmutation-votes", 203)],
    ),
    "seven of eight for a transmutation": (
        "proposals/314.md",
        [("mothball: for", "mothball: against")],
        [p(314, "transmutation-votes", 108)],
    ),
    # Who votes, and how
    "a vote of a player who is inactive": (
        "proposals/330.md",
        [("  lintel: for", "  gravel: against\n  lintel: for")],
        [p(330, "voter-unknown", 207)],
    ),
    "a vote of a player who slept through it": (
        "proposals/308.md",
        [("  hex-key: for", "  gravel: for\n  hex-key: for")],
        [p(308, "voter-unknown", 207)],
    ),
    "an active player who has not voted": (
        "proposals/318.md",
        [("  nightbus: against\n", "")],
        [p(318, "vote-missing", 205)],
    ),
    "an abstention before Rule 326": (
        "proposals/322.md",
        [("ferret-tax: against", "ferret-tax: abstain")],
        [p(322, "vote-unlawful", 205)],
    ),
    "a third resubmission": (
        "proposals/325.md",
        [("earlier:\n", "earlier:\n  - opened: 2021-07-09T18:15\n    votes: {}\n")],
        [p(325, "resubmissions-many", 210)],
    ),
    # The die of the bot
    "a face that gives another vote": (
        "proposals/324.md",
        [("die: 1", "die: 2")],
        [p(324, "vote-unlawful", 323)],
    ),
    "a face that is no vote": (
        "proposals/325.md",
        [("die: 2", "die: 3")],
        [p(325, "vote-unlawful", 323)],
    ),
    "a face that the die does not have": (
        "proposals/333.md",
        [("die: 3", "die: 4")],
        [p(333, "vote-unlawful", 323)],
    ),
    "a die that was not thrown": (
        "proposals/324.md",
        [("    cast_by: die\n    die: 1\n", "")],
        [p(324, "vote-unlawful", 323)],
    ),
    "a tie to break where there is none": (
        "proposals/326.md",
        [("  lintel: for\n", "  lintel: for\n  nomitron: {vote: against, cast_by: die, die: 2}\n")],
        [p(326, "vote-unlawful", 323)],
    ),
    "a bot that votes before its rule": (
        "proposals/319.md",
        [
            (
                "  lintel: against\n",
                "  lintel: against\n  nomitron: {vote: against, cast_by: die, die: 2}\n",
            )
        ],
        [p(319, "voter-unknown", 205)],
    ),
    "an author whom no rule lets be silent": (
        "proposals/319.md",
        [("  saltmarsh: for\n", "")],
        [p(319, "vote-missing", 205)],
    ),
    # Rules that are made by no proposal
    "a temporary rule below 601": (
        FIRST_WORDS,
        [("Enact Rule 601", "Enact Rule 599")],
        [f"{FIRST_WORDS}: authority-missing (Rule 308)"],
    ),
    "a temporary rule under no rule": (
        FIRST_WORDS,
        [("under: 308\n", "")],
        [f"{FIRST_WORDS}: authority-missing"],
    ),
    "words before there was a rule about them": (
        FIRST_WORDS,
        [("date: 2021-06-25T20:00", "date: 2021-06-17T21:00"), ("turn: R2T5", "turn: R1T8")],
        [f"{FIRST_WORDS}: authority-missing (Rule 308)"],
    ),
    "words after the rule about them is gone": (
        "proposals/322.md",
        [
            *adopted("2021-07-07T18:00", "2021-07-07T18:00"),
            ("quarkling: against", "quarkling: for"),
        ],
        [
            f"{LAST_WORDS}: authority-missing (Rule 308)",
            f"{ITSELF}: authority-missing (Rule 603)",
            f"{ITSELF}: reference-unknown",
        ],
    ),
    "a judgement that repeals what was voted for": (
        "judgements/5.md",
        [("Repeal Rule 602/0", "Repeal Rule 312/0")],
        ["judgements/5.md: authority-missing (Rule 308)"],
    ),
    "a rule that repeals another": (
        ITSELF,
        [("Repeal Rule 603/0", "Repeal Rule 601/0")],
        [f"{ITSELF}: authority-missing (Rule 603)"],
    ),
    "a rule that nobody thanked": (
        ITSELF,
        [("by: tin-whistle\n", "")],
        [f"{ITSELF}: sunset-wrong (Rule 603)"],
    ),
    # Turns
    "a turn that is passed": (
        "turns/R2T7.yml",
        [("dice: [3]", "passed: true")],
        ["turns/R2T7.yml: turn-passed (Rule 201)"],
    ),
    "a throw of seven": (
        "turns/R3T2.yml",
        [("dice: [5]", "dice: [7]")],
        ["turns/R3T2.yml: dice-wrong (Rule 212)"],
    ),
    "no throw": (
        "turns/R2T7.yml",
        [("dice: [3]\n", "")],
        ["turns/R2T7.yml: dice-wrong (Rule 212)"],
    ),
    "two throws": (
        "turns/R3T2.yml",
        [("dice: [5]", "dice: [5, 6]")],
        ["turns/R3T2.yml: dice-wrong"],
    ),
    "somebody else's turn": (
        "proposals/303.md",
        [("author: pudding", "author: gravel")],
        [p(303, "turn-proposals", 202)],
    ),
    "a newcomer who is skipped": (
        "players/jampot.yml",
        [
            (
                "  - since: 2021-07-14T18:00",
                "  - since: 2021-07-14T18:00\n    until: 2021-07-21T18:00",
            )
        ],
        [p(333, "vote-missing", 205), "turns/R5T4.yml: turn-order (Rule 201)"],
    ),
    "a newcomer who comes a turn earlier": (
        "players/ferret-tax.yml",
        [("joined: 2021-07-05T21:00", "joined: 2021-07-05T17:00")],
        [
            p(320, "vote-missing", 205),
            *(f"turns/R4T{turn}.yml: turn-order (Rule 201)" for turn in (6, 7, 8)),
        ],
    ),
}


@pytest.mark.parametrize("name", sampled(CASES, every=3))
def test_one_change_is_found(name: str) -> None:
    path, changes, found = CASES[name]
    assert broken(NOMIC, path, *changes) == found


@pytest.mark.parametrize(
    ("path", "changes", "found"),
    [
        # The law is what the rules say: without the floor, without the author's vote, without the
        # bot.
        (
            "proposals/329.md",
            [(", and: {more_than: 15%, of: players}", "")],
            [p(330, "votes-enough", 203), p(332, "votes-enough", 203)],
        ),
        (
            "proposals/320.md",
            [("author_votes_for: true", "author_votes_for: false")],
            [p(321, "votes-few", 203), p(321, "vote-missing", 205)],
        ),
        (
            "proposals/323.md",
            [("for: [1], against: [2]", "for: [2], against: [1]")],
            [p(324, "vote-unlawful", 323), p(325, "vote-unlawful", 323)],
        ),
        (
            "proposals/326.md",
            [("abstention: ignored", "abstention: counts")],
            [p(327, "votes-few", 203)],
        ),
        (
            "proposals/317.md",
            [("Amend Rule 116/0", "Amend Rule 104/0")],
            [p(317, "tier-protected", 103)],
        ),
        (
            "proposals/301.md",
            [("Amend Rule 219/0", "Amend Rule 219/1")],
            [p(301, "revision-stale")],
        ),
    ],
)
def test_another_law_judges_otherwise(
    path: str, changes: list[tuple[str, str]], found: list[str]
) -> None:
    assert broken(NOMIC, path, *changes, redigest=True) == found


def test_what_was_voted_on_cannot_be_changed_afterwards() -> None:
    assert broken(NOMIC, "proposals/329.md", ("15%, of", "5%, of")) == [
        p(329, "digest-differs"),
        p(330, "votes-enough", 203),
        p(332, "votes-enough", 203),
    ]


def test_a_proposal_holds_one_change() -> None:
    more = ("## Repeal Rule 303/0\n", "## Repeal Rule 303/0\n\n## Repeal Rule 304/0\n")
    assert broken(NOMIC, "proposals/313.md", more, redigest=True) == [p(313, "changes-many", 107)]
