"""Names that a reader cannot tell apart: what counts as alike, and what is said of it."""

from __future__ import annotations

import pytest

from nomicgen.files import read_game
from nomicgen.law.alike import looks
from nomicgen.law.checks import check
from nomicgen.law.replay import replay
from nomicgen.model import Moment

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
    assert any(first == second for first, second in zip(looks(one), looks(other), strict=True))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ali", "All"), ("Ada", "Ida"), ("Bo", "Bob"), ("Zoë", "Zoe"), ("Иван", "Игорь"), ("王", "玉"), ("o", "a")],
)
def test_what_does_not(one: str, other: str) -> None:
    assert not any(first == second for first, second in zip(looks(one), looks(other), strict=True))


def said(players: dict[str, str], day: str = "2026-06-01") -> list[str]:
    files = {f"players/{ident}.yml": text.encode() for ident, text in players.items()}
    records, findings = read_game({**SETTINGS, **files})
    assert findings == ()
    found = check(records, replay(records, Moment.parse(day)))
    return [f"{one.span} {one.message}" for one in found if one.slug == "name-alike"]


def test_it_is_said_of_the_second_where_its_name_stands() -> None:
    players = {"ada": "name: Ada\njoined: 2026-01-01\n", "bo": "joined: 2026-01-01\nname: Аda\n"}
    assert said(players) == ["players/bo.yml:2:7 the name of bo looks like that of ada"]


def test_ids_are_looked_at_too() -> None:
    players = {ident: f"name: {name}\njoined: 2026-01-01\n" for ident, name in (("arne", "One"), ("ame", "Two"))}
    assert said(players) == ["players/arne.yml:1:7 the id of arne looks like that of ame"]


def test_of_those_who_have_left_nothing_is_said() -> None:
    left = "name: Ada\njoined: 2026-01-01\nleft: 2026-02-01\n"
    assert said({"ada": left, "bo": "name: Ada\njoined: 2026-01-01\n"}) == []
    assert said({"ada": left, "bo": "name: Ada\njoined: 2026-01-01\n"}, "2026-01-15") == [
        "players/bo.yml:1:7 the name of bo looks like that of ada"
    ]
