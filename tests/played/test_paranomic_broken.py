"""The scripted game of Paranomic II with one thing changed: what is found then, and what comes of
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment
from nomicgen.play.advancing import advance
from nomicgen.play.rulesets import shipped
from tests.mutations.mutation import swap
from tests.played.paranomic import ACT, Change, broken, law, loaded, played, proposal


def found(findings: tuple[Finding, ...]) -> list[str]:
    """`slug file (Rule N)`, for each finding, sorted, each once; the rule is the one that is
    offended.
    """
    return sorted(
        {
            f"{one.slug} {one.span.file}{f' (Rule {one.rule})' if one.rule else ''}"
            for one in findings
        },
    )


def day(old: str, new: str) -> Callable[[bytes], bytes]:
    """Another day wherever the file names one."""
    return lambda data: data.replace(f"2025-{old}".encode(), f"2025-{new}".encode())


EARLY_VOTES = [f"votes-few proposals/{number}.md (Rule 204)" for number in (308, 309, 312, 313)]
ENACT = "## Enact Rule: Above suspicion\n\n```yaml rule\n"
BREAKS: dict[str, tuple[str, Change, list[str]]] = {
    "Rule 204 changes a day early": (
        ACT,
        swap("date: 2025-04-15", "date: 2025-04-14"),
        [f"sunset-wrong {ACT} (Rule 204)", *EARLY_VOTES],
    ),
    "it becomes something else": (
        ACT,
        swap("more than half", "at least half"),
        [f"sunset-wrong {ACT} (Rule 204)", *EARLY_VOTES],
    ),
    "its provisions do": (
        ACT,
        swap("of: eligible", "of: cast"),
        [f"sunset-wrong {ACT} (Rule 204)", *EARLY_VOTES],
    ),
    "it changes under no rule": (
        ACT,
        swap("under: 204\n", ""),
        [
            f"authority-missing {ACT}",
            "deadline-missed rules/204.md (Rule 204)",
            "sunset-missed proposals/308.md (Rule 204)",
            *EARLY_VOTES,
        ],
    ),
    "it does not change": (
        ACT,
        None,
        [
            "deadline-missed rules/204.md (Rule 204)",
            "sunset-missed proposals/308.md (Rule 204)",
            *EARLY_VOTES,
        ],
    ),
    "it changes after the next decision": (
        ACT,
        swap("date: 2025-04-15", "date: 2025-04-23"),
        ["sunset-missed proposals/308.md (Rule 204)", "votes-few proposals/308.md (Rule 204)"],
    ),
    "silence is counted on the second day": (
        proposal(310),
        day("05-01", "04-30"),
        ["vote-early proposals/310.md (Rule 203)"],
    ),
    "silence is a vote against": (
        proposal(302),
        swap("vote: for\n    cast_by: silence", "vote: against\n    cast_by: silence"),
        ["vote-unlawful proposals/302.md (Rule 203)"],
    ),
    "a vote on the fourth day": (
        proposal(312),
        day("05-11", "05-12"),
        ["vote-late proposals/312.md (Rule 203)"],
    ),
    "an abstention": (
        proposal(303),
        swap("cobalt: against", "cobalt: abstain"),
        ["vote-unlawful proposals/303.md (Rule 106)"],
    ),
    "a vote by somebody who has left": (
        proposal(307),
        swap("  cobalt: for", "  bramble: for\n  cobalt: for"),
        ["voter-unknown proposals/307.md (Rule 106)"],
    ),
    "a paper is white on the day on which it was green": (
        proposal(301),
        swap("date: 2025-03-04", "date: 2025-03-06"),
        ["debate-short proposals/301.md (Rule 105)"],
    ),
    "one day of debate, when two have become law": (
        proposal(311),
        swap("date: 2025-04-30", "date: 2025-05-01"),
        ["debate-short proposals/311.md (Rule 105)"],
    ),
    "a white paper is amended": (
        proposal(308),
        swap("A debt of 100", "A debt of 10"),
        ["digest-differs proposals/308.md"],
    ),
    "it is put to the vote again": (
        proposal(308),
        swap("digest:", "earlier:\n  - opened: 2025-04-19\n    votes: {ember: against}\ndigest:"),
        ["resubmissions-many proposals/308.md (Rule 105)"],
    ),
    "a majority transmutes": (
        proposal(310),
        swap("status: defeated", "status: adopted\neffective: 2025-05-01"),
        ["transmutation-votes proposals/310.md (Rule 108)"],
    ),
    "a majority does not adopt": (
        proposal(308),
        lambda data: swap("status: adopted", "status: defeated")(data).replace(
            b"effective: 2025-04-22\n", b""
        ),
        ["votes-enough proposals/308.md (Rule 204)"],
    ),
    "the umpire's rule is amended": (
        proposal(308),
        law("## Amend Rule 210/0", "## Amend Rule 2/0"),
        ["tier-protected proposals/308.md (Rule 101)"],
    ),
    "a constitutional rule is enacted": (
        proposal(311),
        law(ENACT, f"{ENACT}mutability: constitutional\n"),
        ["tier-protected proposals/311.md (Rule 101)"],
    ),
    "an immutable rule is amended": (
        proposal(308),
        law("## Amend Rule 210/0", "## Amend Rule 110/0"),
        ["tier-protected proposals/308.md (Rule 101)"],
    ),
    "an immutable rule is enacted": (
        proposal(311),
        law(ENACT, f"{ENACT}mutability: immutable\n"),
        ["tier-protected proposals/311.md (Rule 101)"],
    ),
    "a rule takes a number of its own choice": (
        proposal(311),
        law("## Enact Rule: Above", "## Enact Rule 312: Above"),
        ["number-wrong proposals/311.md (Rule 104)"],
    ),
    "a proposal is torn up": (proposal(306), None, ["number-missing proposals/307.md (Rule 104)"]),
    "a seventeenth mutable rule, where sixteen are the most": (
        "rules/initial/211.md",
        swap("mutable: 25", "mutable: 16"),
        ["cap-exceeded proposals/313.md (Rule 211)", "cap-exceeded proposals/315.md (Rule 211)"],
    ),
    "two proposals in a turn": (
        proposal(309),
        swap("turn: R3T2", "turn: R3T1"),
        ["turn-proposals proposals/309.md (Rule 202)"],
    ),
    "a turn out of order": (
        "turns/R4T1.yml",
        swap("player: dunnock", "player: cobalt"),
        ["turn-order turns/R4T1.yml (Rule 201)", "turn-order turns/R4T2.yml (Rule 201)"],
    ),
    "nobody may pass": (
        "rules/initial/201.md",
        swap("passing: true, passes_after: 3, ", "passing: false, "),
        ["turn-passed turns/R2T4.yml (Rule 201)", "turn-passed turns/R4T1.yml (Rule 201)"],
    ),
    "who joins in the second circuit has a turn in it": (
        "players/fathom.yml",
        swap("joined: 2025-04-17", "joined: 2025-04-14"),
        ["turn-order turns/R3T1.yml (Rule 201)"],
    ),
    "a late judge whom nobody knows": (
        "judgements/1.md",
        swap("late: [cobalt]", "late: [cobbler]"),
        ["reference-unknown judgements/1.md"],
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_broken(name: str) -> None:
    path, change, expected = BREAKS[name]
    assert found(broken(path, change).findings) == sorted(expected)


def test_a_number_that_is_written_out_is_the_one_that_numbering_gives() -> None:
    assert (
        broken(
            proposal(302), law("## Enact Rule: The usual", "## Enact Rule 303: The usual")
        ).findings
        == ()
    )


DAY_AFTER = Moment.parse("2025-04-16")


def two_circuits() -> dict[str, bytes]:
    """The game up to the end of its second circuit, when Rule 204 is due to change and has not
    yet.
    """
    later = re.compile(r"turns/R[3-5]|proposals/3(?:08|09|1)|judgements/[5-9]|players/fathom")
    tree = shipped("paranomic").tree()
    return {path: data for path, data in tree.items() if path != ACT and not later.match(path)}


def test_advance_writes_the_act_that_the_game_has() -> None:
    game = loaded(two_circuits(), DAY_AFTER)
    assert found(game.findings) == ["deadline-missed rules/204.md (Rule 204)"]
    move = advance(game, DAY_AFTER)
    made, shipped_act = move.after.records.instruments[ACT], played().records.instruments[ACT]
    assert (made.digest, made.matter) == (shipped_act.digest, shipped_act.matter)
    assert move.after.findings == ()


def test_unanimity_stays_where_rule_204_was_amended_in_time() -> None:
    tree = two_circuits()
    del tree[proposal(307)], tree[proposal(306)]
    text = tree["rules/initial/204.md"].decode()
    provisions = text[text.index("provisions:") : text.index("defines:")]
    amendment = (
        f"## Amend Rule 204/0\n\n```yaml rule\n{provisions}```\n\n"
        "It takes every vote, and will go on doing so."
    )
    tree[proposal(305)] = law("## Transmute Rule 105/0 to mutable", amendment)(tree[proposal(305)])
    game = loaded(tree, DAY_AFTER)
    assert game.findings == ()
    assert game.replay.due == ()
    rule = game.replay.current.get(204)
    assert rule is not None
    assert (rule.ref, rule.text) == ("204/1", "It takes every vote, and will go on doing so.")
    assert "sunset" in (rule.provisions or {})


def test_whoever_has_enough_when_less_is_enough_has_won() -> None:
    """Proposal 308 lowers the mark to 100; to 50, and Dunnock has passed it already."""
    winner = broken(proposal(308), law("points: 100", "points: 50")).replay.winner
    assert winner is not None
    assert (winner.players, winner.points, winner.rule, str(winner.moment)) == (
        ("dunnock",),
        Fraction(50),
        210,
        "2025-04-22",
    )
