"""The rulesets that were really kept as text, compared rule by rule with another reading of their
files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.omissions import left_out
from nomicgen.importers.open_archive import Opening, open_game
from nomicgen.importers.recognised_rulesets import recognised_rules, recognised_ruleset
from nomicgen.importers.survey import trials
from nomicgen.importers.text.importer import import_text
from nomicgen.importers.tiers import TierMap
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.wordings import hashed_runs, recognise_wording
from tests.importers.texts import (
    bare,
    map_of,
    read,
    rules,
    settings,
    texts,
    tiers,
    visible,
    words,
    words_read,
)
from tests.originals import lines_of, texts_of
from tests.rulesets import errors, history_of_tree
from tests.support import ROOT

SUBER = [*range(101, 117), *range(201, 214)]


@dataclass(frozen=True)
class Seed:
    """A file, its `map`, and how a person reads its rules: `parts` gives each number with the words
    that belong to it.

    `headings` are the words that only say a number or a tier.
    """

    file: str
    ruleset: str
    map: str
    numbers: list[int]
    parts: Callable[[str], list[tuple[str, str]]]
    headings: set[str]
    outside: list[str]
    """How what stands in no rule begins."""


def by_lines(form: str, ends: tuple[str, ...]) -> Callable[[str], list[tuple[str, str]]]:
    """Reads a text whose rules begin with a line, or the start of one, of some form; `ends` are
    lines outside.
    """

    def parts(text: str) -> list[tuple[str, str]]:
        kept = [line for line in text.split("\n") if not line.startswith(ends)]
        pieces = re.split(form, "\n".join(kept), flags=re.MULTILINE)
        return list(zip(pieces[1::2], pieces[2::2], strict=True))

    return parts


SEEDS = (
    Seed(
        "suber-initial-set-usenet.txt",
        "suber",
        "run-on",
        SUBER,
        lambda text: by_lines(r"(?<=[.)] )(\d{3})\. (?=[A-Z])", ())(
            text.replace("II. Mutable Rules. ", "")
        ),
        {"I", "II", "Immutable", "Mutable", "Rules"},
        ["From: "],
    ),
    Seed(
        "discordian-nomic.txt",
        "discordian",
        "named",
        SUBER,
        by_lines(r"^Rule (\d+)$", ("Mutable Rules",)),
        {"Rule", "Immutable", "Mutable", "Rules"},
        ["Nomic: The Self-Modifying Game"],
    ),
    Seed(
        "pokey-nomic-rules.txt",
        "pokey",
        "numbered",
        [*range(101, 117), 202, *range(204, 214), 301, 304, 305, 308, 309, 310, 312, 313],
        by_lines(r"^(\d{3})\.(?: \[void\])?$", ("Editor: ", "Created: ", "Revised: ")),
        {"void"},
        ["[Enhanced for Lynx]"],
    ),
    Seed(
        "paranomic-2-initial-rules.txt",
        "paranomic",
        "paranomic",
        [*range(1, 7), *range(101, 113), *range(201, 213)],
        by_lines(r"^(\d{1,3}) (?=[A-Z])", ("Immutable Rules", "Mutable Rules", "Back to")),
        {"Constitutional", "Immutable", "Mutable", "Rules"},
        ["Paranomic II"],
    ),
)
each = pytest.mark.parametrize("seed", SEEDS, ids=[seed.ruleset for seed in SEEDS])


DAY = Moment.parse("2026-01-10")


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "seeds"


@each
def test_every_rule_with_its_number_and_its_words(seed: Seed, folder: Path) -> None:
    text = (folder / seed.file).read_text("utf-8")
    found, parts = read(text, seed.map), seed.parts(text)
    assert [*texts(found)] == [int(number) for number, _ in parts] == seed.numbers
    for number, own in parts:
        assert visible(texts(found)[int(number)] or "") == bare(own), number


def opened(found: ImportedGame, ruleset: str) -> Game:
    """The game of an import, opened with a ruleset's provisions: it has no errors."""
    game = load_tree(Path(), found.files, DAY)
    return open_game(game, Opening(provisions=ruleset), {PlayerId("ada"): {}}, DAY).after


def bodies_of(game: Game) -> dict[int, str | None]:
    return {rule.number: rule.text for rule in game.replay.current}


@each
def test_every_word_is_in_a_rule_or_outside(seed: Seed, folder: Path) -> None:
    text = (folder / seed.file).read_text("utf-8")
    found = read(text, seed.map)
    assert len(found.outside) == len(seed.outside)
    for (_, part), begins in zip(found.outside, seed.outside, strict=True):
        assert part.strip().startswith(begins)
    lines, by = text.split("\n"), map_of(seed.map)
    gone = left_out(lines, by.omit)
    there, placed = (
        words("\n".join(line for at, line in enumerate(lines, 1) if at not in gone)),
        words_read(found),
    )
    assert not placed - there
    assert {word for word in there - placed if not word.isdigit()} <= seed.headings


@each
def test_the_survey_finds_its_map(seed: Seed, folder: Path) -> None:
    assert trials({seed.file: (folder / seed.file).read_bytes()})[0].name == seed.map


@each
def test_the_game_is_sound_and_its_provisions_fit(seed: Seed, folder: Path) -> None:
    data = (folder / seed.file).read_bytes()
    found = import_text(data, seed.file, map_of(seed.map))
    least = 202 if seed.ruleset == "pokey" else 201
    assert tiers(found) == {
        number: "constitutional" if number < 100 else "immutable" if number < least else "mutable"
        for number in seed.numbers
    }
    whole = history_of_tree(found.files)
    # The seed of the Discordian game has Suber's words, and no others.
    assert recognised_ruleset(whole.replay.current) == seed.ruleset.replace("discordian", "suber")
    known = recognised_rules(whole.replay.current, seed.ruleset)
    assert {rule.number for rule in whole.replay.current if not rule.void} == set(known)
    assert errors(whole) == []
    assert {one.slug for one in whole.findings} <= {"law-unread", "proposals-lost"}
    game = opened(found, seed.ruleset)
    assert bodies_of(game) == bodies_of(load_tree(Path(), found.files, DAY))
    assert {one.slug for one in game.findings} <= {"proposals-lost"}
    provided = [rule.number for rule in game.replay.current if rule.law]
    assert provided == sorted(number for number, law in known.items() if law)
    assert len(provided) > 12


class TestPokey:
    @pytest.fixture
    def data(self, folder: Path) -> bytes:
        return (folder / "pokey-nomic-rules.txt").read_bytes()

    def test_its_tiers_its_spent_numbers_and_what_is_void(self, data: bytes) -> None:
        pokey = import_text(data, "pokey.txt", map_of("numbered"))
        assert settings(pokey) == (
            "format: 1\nname: Pokey Nomic\ntiers: [immutable, mutable]\nlost:\n"
            "  proposals: [301-313]\n"
        )
        assert [number for number, text in rules(pokey).items() if "\nvoid: true\n" in text] == [
            304,
            309,
            310,
        ]

    def test_the_shape_of_its_verse(self, data: bytes) -> None:
        verse = (texts(read(data, "numbered"))[313] or "").split("\n")
        assert sum(line.endswith("  ") for line in verse) == 30
        assert sum(line.startswith("• ") for line in verse) == 16
        assert [line[:3] for line in verse if line[:1].isdigit()] == ["1\\.", "2\\.", "3\\."]

    def test_a_reasonable_time_is_no_number_of_days(self, data: bytes) -> None:
        game = history_of_tree(import_text(data, "p.txt", map_of("numbered")).files)
        offered = recognised_rules(game.replay.current, "pokey")
        assert offered[111] == {}
        assert offered[104] == {"ballot": {"withdrawal": "never"}}

    def test_a_tier_that_is_typed(self, data: bytes) -> None:
        found = import_text(
            data, "p.txt", map_of("numbered"), tiers=TierMap.parse("immutable,mutable=301-")
        )
        assert set(list(tiers(found).values())[-8:]) == {"mutable"}


def test_what_words_the_originals_have_is_known(folder: Path) -> None:
    texts = texts_of(folder, "pokey")
    known = (
        (ROOT / "nomicgen" / "rulesets" / "pokey" / "originals.txt").read_text("utf-8").splitlines()
    )
    assert set(known) <= set(lines_of("pokey", texts))
    assert recognise_wording(hashed_runs(texts["313/0"]), "pokey") is not None
    assert recognise_wording(hashed_runs(texts["313/0"]), "paranomic") is None
    assert (
        recognise_wording(hashed_runs(" ".join(reversed(texts["313/0"].split()))), "pokey") is None
    )
    assert recognise_wording(hashed_runs(texts["313/0"] + texts["305/0"]), "pokey") is None
