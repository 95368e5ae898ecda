"""The rulesets that were really kept as text, compared rule by rule with another reading of their files."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from nomicgen.formats.ruleset_text import long_md, short_md
from nomicgen.importers.recognised_rulesets import provisions_that_ship, recognised_ruleset
from nomicgen.importers.long.importer import ImportedGame, import_long
from nomicgen.importers.text_import import import_text
from nomicgen.importers.tiers import TierMap
from tests.importers.texts import bare, bodies, rules, said, settings, taken_apart, tiers, visible
from tests.rulesets import archive, errors

SUBER = [*range(101, 117), *range(201, 214)]
BULLETS = re.compile(r"(?m)^\s+•")


@dataclass(frozen=True)
class Seed:
    """A file, and how a person reads its rules: `parts` gives each number with the words that belong to it."""

    file: str
    ruleset: str
    numbers: list[int]
    parts: Callable[[str], list[tuple[str, str]]]
    least: int
    """The lowest number of a mutable rule."""


def by_lines(form: str, ends: tuple[str, ...]) -> Callable[[str], list[tuple[str, str]]]:
    """Reads a text whose rules begin with a line, or the start of one, of some form; `ends` are lines outside."""

    def parts(text: str) -> list[tuple[str, str]]:
        kept = [line for line in text.split("\n") if not line.startswith(ends)]
        pieces = re.split(form, "\n".join(kept), flags=re.MULTILINE)
        return list(zip(pieces[1::2], pieces[2::2], strict=True))

    return parts


SEEDS = (
    Seed(
        "suber-initial-set-usenet.txt",
        "suber",
        SUBER,
        lambda text: by_lines(r"(?<=[.)] )(\d{3})\. (?=[A-Z])", ())(text.replace("II. Mutable Rules. ", "")),
        201,
    ),
    Seed("discordian-nomic.txt", "discordian", SUBER, by_lines(r"^Rule (\d+)$", ("Mutable Rules",)), 201),
    Seed(
        "pokey-nomic-rules.txt",
        "pokey",
        [*range(101, 117), 202, *range(204, 214), 301, 304, 305, 308, 309, 310, 312, 313],
        by_lines(r"^(\d{3})\.(?: \[void\])?$", ("Editor: ", "Created: ", "Revised: ")),
        202,
    ),
    Seed(
        "paranomic-2-initial-rules.txt",
        "paranomic",
        [*range(1, 7), *range(101, 113), *range(201, 213)],
        by_lines(r"^(\d{1,3}) (?=[A-Z])", ("Immutable Rules", "Mutable Rules", "Back to")),
        201,
    ),
)
IDS = [seed.ruleset for seed in SEEDS]


each = pytest.mark.parametrize("seed", SEEDS, ids=IDS)


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "seeds"


@cache
def read(file: Path) -> tuple[str, ImportedGame]:
    """A seed's text, and what it is imported as."""
    data = file.read_bytes()
    return data.decode(), import_text(data, file.name)


@each
def test_every_rule_with_its_number(seed: Seed, folder: Path) -> None:
    text, found = read(folder / seed.file)
    assert list(found.numbers) == seed.numbers
    assert [int(number) for number, _ in seed.parts(text)] == seed.numbers


@each
def test_every_rule_with_its_words(seed: Seed, folder: Path) -> None:
    text, found = read(folder / seed.file)
    written = bodies(found)
    for number, words in seed.parts(text):
        assert visible(written[int(number)]) == bare(BULLETS.sub("", words)), number


@each
def test_every_rule_with_its_tier(seed: Seed, folder: Path) -> None:
    _, found = read(folder / seed.file)
    for number, tier in tiers(found).items():
        wanted = "constitutional" if number < 100 else "immutable" if number < seed.least else "mutable"
        assert tier == wanted, number


@each
def test_every_letter_is_in_a_rule_or_said_to_be_left_out(seed: Seed, folder: Path) -> None:
    text, _ = read(folder / seed.file)
    taken_apart(text)


@each
def test_every_line_that_is_left_out_is_named(seed: Seed, folder: Path) -> None:
    """The lines of the findings, the headings of tiers and the lines of the rules are all the lines there are."""
    text, found = read(folder / seed.file)
    whole = taken_apart(text)
    named: set[int] = set()
    for message in (one.message for one in found.findings if one.slug == "import-outside"):
        first, last = re.findall(r"line(?:s)? (\d+)(?:–(\d+))?", message)[0]
        named.update(range(int(first), int(last or first) + 1))
    kept = {line.number for part in whole.outline.parts for line in part.lines}
    kept |= {part.line for part in whole.outline.parts} | {line.number for line in whole.outline.headings}
    written = {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert written <= kept | named
    if len(written) > 1:
        assert not kept & named


@each
def test_the_game_is_clean_and_stays_so(seed: Seed, folder: Path) -> None:
    _, found = read(folder / seed.file)
    whole = archive(found.files)
    assert errors(whole) == []
    assert {one.slug for one in whole.findings} <= {"law-unread", "proposals-lost"}
    again = import_text(short_md(whole).encode(), "rules-s.md")
    unmarked = {number: re.sub(r"void: true\n", "", text) for number, text in rules(found).items()}
    assert rules(again) == unmarked


@each
def test_it_is_recognised_and_its_provisions_fit(seed: Seed, folder: Path) -> None:
    text, found = read(folder / seed.file)
    assert recognised_ruleset(found.numbers, text) == seed.ruleset
    enforced = import_text(text.encode(), seed.file, provisions=provisions_that_ship(seed.ruleset))
    assert bodies(enforced) == bodies(found)
    whole = archive(enforced.files)
    assert errors(whole) == []
    assert {one.slug for one in whole.findings} <= {"proposals-lost"}
    assert enforced.provided == tuple(sorted(provisions_that_ship(seed.ruleset).numbers & set(seed.numbers)))
    assert len(enforced.provided) > 12


@each
@pytest.mark.parametrize("width", [40, 72])
def test_a_seed_that_is_wrapped_reads_the_same(seed: Seed, width: int, folder: Path) -> None:
    text, found = read(folder / seed.file)
    wrapped = import_text(wrap(text.replace("\xa0", " "), width).encode(), seed.file)
    assert {number: visible(words) for number, words in bodies(wrapped).items()} == {
        number: visible(words) for number, words in bodies(found).items()
    }
    assert tiers(wrapped) == tiers(found)


def wrap(text: str, width: int) -> str:
    """A text as a program of old would have sent it; items of lists hang."""
    lines: list[str] = []
    for line in text.split("\n"):
        hang = " " * (len(line) - len(line.lstrip()) + 3 * bool(re.match(r"\s+(?:\d+\.|•)", line)))
        lines += textwrap.wrap(line, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False) or [
            ""
        ]
    return "\n".join(lines)


WHAT_IS_SAID = {
    "suber": ["1 import-outside: line 1 stands above the first rule, and is left out"],
    "discordian": [
        "1 import-outside: lines 1–21 stand above the first rule, and are left out",
    ],
    "pokey": [
        "1 import-outside: lines 1–10 stand above the first rule, and are left out",
        "86 import-numbers: Rules 301, 304–305, 308–310, 312–313 must have come from proposals that are not here",
        "86 import-tier: nothing says the tier of Rules 301, 304–305, 308–310, 312–313",
        "117 import-markdown: the plain text of Rule 313 is written as Markdown",
        "157 import-outside: lines 157–159 stand below Rule 313, the last, and are left out",
    ],
    "paranomic": [
        "1 import-outside: lines 1–5 stand above the first rule, and are left out",
        "98 import-outside: line 98 stands below Rule 212, the last, and is left out",
    ],
}


@each
def test_what_is_said_of_it(seed: Seed, folder: Path) -> None:
    _, found = read(folder / seed.file)
    assert [": ".join(one.split(": ")[:2]) for one in said(found)] == WHAT_IS_SAID[seed.ruleset]


@pytest.fixture
def pokey(folder: Path) -> ImportedGame:
    return read(folder / "pokey-nomic-rules.txt")[1]


class TestPokey:
    def test_its_tiers_and_its_spent_numbers(self, pokey: ImportedGame) -> None:
        assert settings(pokey) == (
            "format: 1\nname: Nomic\ntiers: [immutable, mutable]\nlost:\n  proposals: [301-313]\n"
        )

    def test_what_is_void(self, pokey: ImportedGame) -> None:
        assert [number for number, text in rules(pokey).items() if "\nvoid: true\n" in text] == [304, 309, 310]

    def test_the_shape_of_its_verse(self, pokey: ImportedGame) -> None:
        shape = [re.sub(r"\S.*?(?=  $|$)", "x", line, count=1) for line in bodies(pokey)[313].split("\n")]
        words, poem, haiku = ["   x"] * 16, ["x  ", *["   x  "] * 6, "   x"], ["x  ", *["   x  "] * 4, "   x"]
        assert shape == ["x", "", "x", "", "x", *words, *poem, *haiku, "", "x"]
        verse = bodies(pokey)[313].split("\n")
        assert [line[:3] for line in verse if line[:1].isdigit()] == ["1. ", "2. ", "3. "]
        assert all(line.startswith("   - ") for line in verse[5:21])

    def test_a_tier_that_is_typed(self, folder: Path) -> None:
        typed = TierMap.parse("immutable,mutable=301-")
        found = import_text((folder / "pokey-nomic-rules.txt").read_bytes(), "p.txt", tiers=typed)
        assert not any(one.slug == "import-tier" for one in found.findings)
        assert set(list(tiers(found).values())[-8:]) == {"mutable"}


@pytest.fixture
def data(folder: Path) -> bytes:
    """Nomic IV, as it was really kept."""
    return (folder / "nomic-4-long-format.md").read_bytes()


class TestNomicFour:
    """The long format is read as `import long` reads it, and can be given provisions as well."""

    def test_it_is_the_same_import(self, data: bytes) -> None:
        found = import_text(data, "nomic-4.md")
        wanted = import_long(data, "nomic-4.md")
        assert (found.files, found.findings) == (wanted.files, wanted.findings)
        assert len(found.numbers) == 57
        assert recognised_ruleset(found.numbers, data.decode()) == "nomic-iv"

    def test_with_provisions_it_still_prints_as_it_was(self, data: bytes) -> None:
        found = import_text(data, "nomic-4.md", provisions=provisions_that_ship("nomic-iv"))
        whole = archive(found.files)
        assert errors(whole) == []
        assert "law-unread" not in {one.slug for one in whole.findings}
        assert set(found.provided) == provisions_that_ship("nomic-iv").numbers
        assert long_md(whole) == long_md(archive(import_long(data, "nomic-4.md").files))
