"""Names that a reader cannot tell apart: what counts as alike, and what is said of it."""

from __future__ import annotations

import pytest

from nomicgen.files.game_files import read_game
from nomicgen.files.look_alikes import appearances
from nomicgen.law.checks.run import check
from nomicgen.law.replay.run import replay
from nomicgen.model.values import Moment

SETTINGS = {"nomic.yml": b"format: 1\nname: Alike\n"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tallow", "Tаllow"),  # with a Cyrillic letter
        ("Tallow", "TALLOW"),
        ("Alice", "AIice"),
        ("Alice", "A1ice"),
        ("Bob", "B0b"),
        ("Warner", "Wamer"),
        ("Vivian", "Viνian"),  # with a Greek letter
        ("Ada", "Ａｄａ"),
        ("Ada", "𝐀𝐝𝐚"),
        ("Ada Lock", "Ada\u00a0 Lock"),
        ("Ada", "Ada\ufe0f"),
        ("Ohm", "Օհm"),  # with Armenian letters
        ("Иван", "Иван"),
    ],
)
def test_what_looks_alike(one: str, other: str) -> None:
    assert any(
        first == second for first, second in zip(appearances(one), appearances(other), strict=True)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ali", "All"),
        ("Ada", "Ida"),
        ("Bo", "Bob"),
        ("Zoë", "Zoe"),
        ("Иван", "Игорь"),
        ("王", "玉"),
        ("o", "a"),
    ],
)
def test_what_does_not(one: str, other: str) -> None:
    assert not any(
        first == second for first, second in zip(appearances(one), appearances(other), strict=True)
    )


def said(players: dict[str, str], day: str = "2026-06-01", slug: str = "name-alike") -> list[str]:
    files = {f"players/{ident}.yml": text.encode() for ident, text in players.items()}
    records, findings = read_game({**SETTINGS, **files})
    assert findings == ()
    found = check(records, replay(records, Moment.parse(day)))
    return [f"{one.span} {one.message}" for one in found if one.slug == slug]


def doubled(players: dict[str, str], day: str = "2026-06-01") -> list[str]:
    return said(players, day, "name-doubled")


def test_it_is_said_of_the_second_where_its_name_stands() -> None:
    players = {"ada": "name: Ada\njoined: 2026-01-01\n", "bo": "joined: 2026-01-01\nname: Аda\n"}
    assert said(players) == ["players/bo.yml:2:7 ada already has a name that looks like bo's"]


def test_ids_are_looked_at_too() -> None:
    players = {
        ident: f"name: {name}\njoined: 2026-01-01\n"
        for ident, name in (("arne", "One"), ("ame", "Two"))
    }
    assert said(players) == ["players/arne.yml:1:7 ame already has an id that looks like arne's"]


def test_of_those_who_have_left_nothing_is_said() -> None:
    players = {
        "ada": "name: Ada\njoined: 2026-01-01\nleft: 2026-02-01\n",
        "bo": "name: ADA\njoined: 2026-01-01\n",
    }
    assert said(players) == []
    assert said(players, "2026-01-15") == [
        "players/bo.yml:1:7 ada already has a name that looks like bo's"
    ]


# The very same name

ADA, BO = "name: Ada\njoined: 2026-01-01\n", "name: Ada\njoined: 2026-02-01\n"
SAME = ["players/bo.yml:1:7 ada plays under that name too"]


def test_two_who_play_have_not_the_same_name() -> None:
    assert doubled({"ada": ADA, "bo": BO}) == SAME
    assert said({"ada": ADA, "bo": BO}) == []


@pytest.mark.parametrize("name", ["ADA", "Аda", "Ada\u200d", "Ada\u00a0"])
def test_a_name_that_only_looks_the_same_is_another(name: str) -> None:
    players = {"ada": ADA, "bo": f'name: "{name}"\njoined: 2026-01-01\n'}
    records, _ = read_game(
        {**SETTINGS, **{f"players/{one}.yml": text.encode() for one, text in players.items()}}
    )
    slugs = {one.slug for one in check(records, replay(records, Moment.parse("2026-06-01")))}
    assert "name-doubled" not in slugs


@pytest.mark.parametrize("kind", ["bot", "dummy"])
def test_whoever_does_not_vote_has_a_name_of_its_own_too(kind: str) -> None:
    assert doubled({"ada": ADA, "bo": f"{BO}kind: {kind}\n"}) == SAME


@pytest.mark.parametrize(
    ("ada", "bo"),
    [
        (f"{ADA}left: 2026-03-01\n", BO),  # they played together, and one of them has left
        (f"{ADA}left: 2026-02-01\n", BO),  # one left as the other came
        (f"{ADA}left: 2026-09-01\n", "name: Ada\njoined: 2026-09-01\n"),  # as it will be
        ("name: Ada\nleft: 2026-03-01\n", "name: Ada\n"),  # nobody knows since when
    ],
)
def test_who_has_left_keeps_no_name(ada: str, bo: str) -> None:
    assert doubled({"ada": ada, "bo": bo}) == []


@pytest.mark.parametrize(
    ("ada", "bo"),
    [
        (
            "name: Ada\n",
            "name: Ada\n",
        ),  # who has no day of joining has always played, as for a vote
        (ADA, "name: Ada\njoined: 2026-09-01\n"),  # who joins later will be beside the other
        (f"{ADA}left: 2026-09-01\n", "name: Ada\njoined: 2026-08-01\n"),
        (f"{ADA}inactive: [{{since: 2026-02-01}}]\n", BO),  # who rests is there
    ],
)
def test_who_plays_keeps_the_name(ada: str, bo: str) -> None:
    assert doubled({"ada": ada, "bo": bo}) == SAME


def test_a_third_is_told_of_too() -> None:
    assert len(doubled({"ada": ADA, "bo": BO, "cy": ADA})) == 2


@pytest.mark.parametrize(("forge", "alike"), [("github", True), ("gitlab", False)])
def test_accounts_of_one_forge_are_looked_at(forge: str, *, alike: bool) -> None:
    players = {"ada": f"name: Ada\njoined: 2026-01-01\naccounts: {{{forge}: marl}}\n"}
    players["bo"] = "name: Bo\njoined: 2026-01-01\naccounts: {github: rnarl}\n"
    told = "players/bo.yml:3:20 ada already has an account on github that looks like bo's"
    assert said(players) == ([told] if alike else [])
