"""What a player would like to get away with, tried in each scripted game: a provision of a rule
refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from nomicgen.play.rulesets import shipped
from tests.mutations.game import redigested
from tests.mutations.mutation import swap
from tests.played import loaded

SUBER, DISCORDIAN, POKEY, PARANOMIC, NOMIC = "suber", "discordian", "pokey", "paranomic", "nomic-iv"
GIFT = "acts/gift.md"
# The last day of each game, and somebody who plays then.
LAST = {
    SUBER: ("2025-05-02", "cobalt"),
    DISCORDIAN: ("2025-06-08", "sorrel"),
    POKEY: ("2025-03-24", "quarry"),
    PARANOMIC: ("2025-05-18", "cobalt"),
    NOMIC: ("2021-07-22", "lintel"),
}


def refused(
    name: str,
    changes: Mapping[str, list[tuple[str, str]]],
    added: Mapping[str, str],
    gone: tuple[str, ...] = (),
) -> list[str]:
    """`file: slug (Rule N)` for each error of a scripted game with some files changed, added or
    taken out.
    """
    tree = {path: data for path, data in shipped(name).tree().items() if path not in gone}
    for path, pairs in changes.items():
        for old, new in pairs:
            tree[path] = swap(old, new)(tree[path])
        if re.search(rb"^digest:", tree[path], re.MULTILINE):
            tree[path] = redigested(tree[path])
    game = loaded({**tree, **{path: text.encode() for path, text in added.items()}}, name)
    found = (
        f"{one.span.file}: {one.slug}{f' (Rule {one.rule})' if one.rule else ''}"
        for one in game.errors
    )
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(
    ("name", "rule"),
    [(SUBER, 202), (DISCORDIAN, 202), (POKEY, 305), (PARANOMIC, 202), (NOMIC, 312)],
)
def test_nobody_helps_themselves_to_points(name: str, rule: int) -> None:
    day, player = LAST[name]
    line = f"points: [{{player: {player}, amount: 100, reason: I should like to win}}]"
    act = f"---\ncause: A present\nby: {player}\ndate: {day}\n{line}\n---\n\nFrom me, to me.\n"
    assert refused(name, {}, {GIFT: act}) == [f"{GIFT}: points-unlawful (Rule {rule})"]


@pytest.mark.parametrize(
    ("name", "path", "change", "rule"),
    [
        (POKEY, "proposals/315.md", ("amount: 1\n", "amount: 3\n"), 313),
        (POKEY, "turns/R3T2.yml", ("amount: -10", "amount: 10"), 305),
        (PARANOMIC, "judgements/2.md", ("amount: -10", "amount: 10"), 209),
        (NOMIC, "turns/R3T6.yml", ("amount: 2", "amount: 20"), 318),
        (NOMIC, "proposals/330.md", ("under: 304", "under: 318"), 304),
        (NOMIC, "acts/2021-06-28-temporary-rule-602.md", ("amount: 5", "amount: 50"), 312),
    ],
)
def test_a_rule_that_lets_points_be_given_says_how_many(
    name: str, path: str, change: tuple[str, str], rule: int
) -> None:
    assert refused(name, {path: [change]}, {}) == [f"{path}: points-unlawful (Rule {rule})"]


@pytest.mark.parametrize(
    ("name", "number", "judge", "caller", "under", "target", "turn", "entrenched"),
    [
        (SUBER, 2, "juniper", "cobalt", 110, 113, None, 103),
        (DISCORDIAN, 2, "sorrel", "bramble", 211, 113, None, 103),
        (POKEY, 5, "tinder", "brindle", 110, 109, "R5T1", 103),
        (PARANOMIC, 5, "cobalt", "ember", 109, 108, "R5T1", 101),
        (PARANOMIC, 5, "cobalt", "ember", 208, 4, "R5T1", 101),
        (NOMIC, 6, "inkling", "lintel", 109, 108, "R5T4", 103),
    ],
)
def test_no_judge_voids_an_immutable_rule(
    name: str,
    number: int,
    judge: str,
    caller: str,
    under: int,
    target: int,
    turn: str | None,
    entrenched: int,
) -> None:
    day, path = LAST[name][0], f"judgements/{number}.md"
    lines = [
        f"number: {number}\ntitle: Is it there?\ncalled_by: {caller}\njudge: {judge}\ndate: {day}",
        *([f"turn: {turn}"] if turn else []),
        f"rules: [{target}/0]\nstatus: upheld\nunder: {under}",
    ]
    mark = f"## Mark Rule {target}/0\n\n```yaml rule\nvoid: {day}\n```\n"
    text = "---\n{}\n---\n\nNo.\n\n## Ruling\n\nIt has no force.\n\n{}".format(
        "\n".join(lines), mark
    )
    nobody = (
        [] if turn else [f"{path}: judge-wrong (Rule 212)"]
    )  # the last turn is over, and has no judge any more
    assert refused(name, {}, {path: text}) == [
        *nobody,
        f"{path}: tier-protected (Rule {entrenched})",
    ]


@pytest.mark.parametrize(("number", "under"), [(1, 211), (2, 110), (4, 110)])
def test_a_judge_who_voids_a_rule_names_the_rule_that_lets_them(number: int, under: int) -> None:
    path = f"judgements/{number}.md"
    assert f"{path}: authority-missing" in refused(POKEY, {path: [(f"under: {under}\n", "")]}, {})
    # What only says who judges lets no judge void anything.
    found = refused(POKEY, {path: [(f"under: {under}\n", "under: 212\n")]}, {})
    assert f"{path}: authority-missing (Rule 212)" in found


@pytest.mark.parametrize(
    ("name", "enacted", "section", "voted", "vote", "rule"),
    [
        (SUBER, 309, "section: Play\ndefines: [notice board]", 311, "juniper", 105),
        (DISCORDIAN, 303, "section: Play", 305, "sorrel", 105),
        (POKEY, 309, "section: Play", 316, "quarry", 105),
        (PARANOMIC, 302, "section: Play", 308, "cobalt", 106),
    ],
)
def test_no_mutable_rule_lets_a_vote_be_sat_out(
    name: str, enacted: int, section: str, voted: int, vote: str, rule: int
) -> None:
    rule_change = [(f"{section}\n", f"{section}\nprovisions:\n  ballot: {{abstention: ignored}}\n")]
    path = f"proposals/{voted}.md"
    changes = {
        f"proposals/{enacted}.md": rule_change,
        path: [(f"  {vote}: against", f"  {vote}: abstain")],
    }
    assert refused(name, changes, {}) == [f"{path}: vote-unlawful (Rule {rule})"]


@pytest.mark.parametrize(
    ("name", "turn", "ended", "later", "following"),
    [
        (SUBER, "R2T1", "2025-03-21", "2025-03-23", "R2T2"),
        (DISCORDIAN, "R2T1", "2025-05-14", "2025-05-16", "R2T2"),
        (NOMIC, "R1T3", "2021-06-07T18:00", "2021-06-08T18:00", "R1T4"),
    ],
)
def test_no_turn_begins_over_another(
    name: str, turn: str, ended: str, later: str, following: str
) -> None:
    changes = {f"turns/{turn}.yml": [(f"ended: {ended}", f"ended: {later}")]}
    assert refused(name, changes, {}) == [f"turns/{following}.yml: turn-overlap (Rule 201)"]


@pytest.mark.parametrize(
    ("name", "gone", "turn", "rule"),
    [
        (SUBER, ("proposals/314.md",), "R4T2", 201),
        (DISCORDIAN, ("proposals/313.md",), "R7T1", 201),
        (POKEY, ("proposals/320.md", "proposals/321.md"), "R4T5", 301),
    ],
)
def test_no_turn_ends_without_a_proposal(
    name: str, gone: tuple[str, ...], turn: str, rule: int
) -> None:
    assert refused(name, {}, {}, gone) == [f"turns/{turn}.yml: turn-empty (Rule {rule})"]


@pytest.mark.parametrize(
    ("name", "number", "judge", "day", "rule"),
    [
        (SUBER, 1, "cobalt", "2025-03-31", 212),
        (DISCORDIAN, 1, "bramble", "2025-05-11", 212),
        (POKEY, 2, "tinder", "2025-02-14", 212),
        (PARANOMIC, 2, "cobalt", "2025-03-16", 209),
        (NOMIC, 4, "mothball", "2021-06-19T23:00", 215),
    ],
)
def test_no_judge_overrules_their_own_judgement(
    name: str, number: int, judge: str, day: str, rule: int
) -> None:
    path = f"judgements/{number}.md"
    alone = f"status: overruled\noverruled: {day}\noverruled_by: [{judge}]\n"
    assert refused(name, {path: [("status: upheld\n", alone)]}, {}) == [
        f"{path}: overruling-wrong (Rule {rule})"
    ]


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("judgements/2.md", ("overruled_by: [hex-key, lintel, ", "overruled_by: [hex-key, ")),
        (
            "judgements/2.md",
            ("overruled_by: [hex-key, lintel, mothball, pudding, quarkling, saltmarsh]\n", ""),
        ),
    ],
)
def test_all_the_others_have_to_vote_to_overrule(path: str, change: tuple[str, str]) -> None:
    assert refused(NOMIC, {path: [change]}, {}) == [
        f"{path}: overruling-wrong (Rule 215)",
        "judgements/3.md: judge-wrong (Rule 215)",  # so the next judge had no question to judge
    ]


@pytest.mark.parametrize("by", ["2", "[cobalt, dunnock, ember]"])
def test_only_a_second_judge_overrules_the_first(by: str) -> None:
    found = refused(
        PARANOMIC, {"judgements/3.md": [("overruled_by: 4", f"overruled_by: {by}")]}, {}
    )
    assert found == ["judgements/3.md: overruling-wrong (Rule 209)"]


@pytest.mark.parametrize(
    ("name", "number", "judge", "instead", "rule"),
    [
        (SUBER, 1, "cobalt", "fenwick", 212),
        (DISCORDIAN, 1, "bramble", "sorrel", 212),
        (POKEY, 3, "tinder", "quarry", 212),
        (PARANOMIC, 2, "cobalt", "ember", 209),
        (PARANOMIC, 2, "cobalt", "bramble", 209),
        (NOMIC, 4, "mothball", "lintel", 215),
    ],
)
def test_nobody_makes_themselves_the_judge(
    name: str, number: int, judge: str, instead: str, rule: int
) -> None:
    path = f"judgements/{number}.md"
    found = refused(name, {path: [(f"\njudge: {judge}\n", f"\njudge: {instead}\n")]}, {})
    assert found == [f"{path}: judge-wrong (Rule {rule})"]


@pytest.mark.parametrize(
    ("name", "number", "status", "rule"),
    [
        (SUBER, 302, "withdrawn", 104),
        (SUBER, 302, "void", 104),
        (DISCORDIAN, 311, "withdrawn", 104),
        (POKEY, 302, "withdrawn", 104),
        (PARANOMIC, 303, "withdrawn", 105),
        (PARANOMIC, 303, "void", 105),
        (NOMIC, 302, "withdrawn", 207),
        (NOMIC, 302, "void", 207),
    ],
)
def test_a_vote_that_is_lost_is_lost(name: str, number: int, status: str, rule: int) -> None:
    path = f"proposals/{number}.md"
    found = refused(name, {path: [("status: defeated", f"status: {status}")]}, {})
    assert f"{path}: withdrawal-late (Rule {rule})" in found


@pytest.mark.parametrize(("name", "rule"), [(SUBER, 201), (DISCORDIAN, 201), (POKEY, 301)])
def test_a_newcomer_takes_the_last_seat(name: str, rule: int) -> None:
    files = {seat: f"name: newcomer\njoined: {LAST[name][0]}\norder: {seat}\n" for seat in (1, 9)}
    first, last = (refused(name, {}, {"players/newcomer.yml": text}) for text in files.values())
    assert (first, last) == ([f"players/newcomer.yml: seat-taken (Rule {rule})"], [])
