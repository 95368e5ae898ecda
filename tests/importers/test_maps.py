"""Each map that ships reads its own fixture, a case of `maps/`, as `rules.txt` says, and better
than any other.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import shipped_maps
from nomicgen.importers.survey import Trial, survey_of_text, trials
from tests.case_files import case_folder, case_names
from tests.fuzz.target import parts_of
from tests.importers.texts import read, shown, texts, words, words_read

CASES = Path(__file__).with_name("maps")
NAMES = sorted(shipped_maps())


@cache
def sources(name: str) -> dict[str, bytes]:
    """The files of a fixture by their paths: one, or those of a file that has several."""
    (file,) = case_folder(CASES, name).glob("source.*")
    return (
        parts_of(file.read_bytes())
        if file.suffix == ".parts"
        else {f"rules{file.suffix}": file.read_bytes()}
    )


def whole(name: str) -> str:
    """All that is read of a fixture."""
    reader = MapReader(shipped_maps()[name])
    read = {path: shown(reader.read(data, path)) for path, data in sources(name).items()}
    return (
        "\n".join(f"@@ {path}\n{text}" for path, text in read.items())
        if len(read) > 1
        else "".join(read.values())
    )


def test_every_map_has_a_fixture() -> None:
    assert case_names(CASES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_map_reads_its_fixture(name: str) -> None:
    assert whole(name) == (case_folder(CASES, name) / "rules.txt").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_map_is_the_best_for_its_fixture(name: str) -> None:
    assert trials(sources(name))[0].name == name


@pytest.mark.parametrize("name", NAMES)
def test_no_word_of_a_fixture_comes_twice(name: str) -> None:
    for path, data in sources(name).items():
        assert not words_read(read(data, name, path)) - words(data.decode())


# --- what a survey takes, and what it shows -------------------------------------------------------


def best(text: str, path: str) -> Trial:
    return trials({path: text.encode()}, [path])[0]


TODO = "# To do\n\n" + "".join(
    f"## {at}: Lamp {at}\n\nClean lamp {at}, and say so to wren.\n\n" for at in range(1, 9)
)
LINES = "".join(
    f'{{"n": {at}, "text": "{at}. Lamp {at} is lit at dusk by whoever is there."}}\n'
    for at in range(101, 120)
)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("todo.md", TODO),
        ("docs/lamps.md", TODO),
        ("rules.jsonl", LINES),
        ("lamps.txt", LINES),
        ("rules.md", "1. Buy oil.\n2. Call wren.\n3. Sleep.\n"),
        ("rules.md", f"{'The rules are kept by wren. ' * 20}\n\n{TODO[9:]}"),
    ],
)
def test_what_may_be_no_law_is_shown_and_not_taken(path: str, text: str) -> None:
    found = survey_of_text(path, path, text.encode())
    assert found.best is not None
    assert not found.best.is_whole
    assert found.help


def test_what_is_called_rules_and_reads_whole_is_taken() -> None:
    taken = survey_of_text("rules.md", "rules.md", TODO.encode())
    assert taken.best is not None
    assert (taken.best.is_whole, taken.help) == (True, "")
    assert taken.command == "nomicgen import text rules.md --map headings --into GAME"


def test_a_coding_of_two_bytes_is_counted_in_words() -> None:
    plain, wide = (trials({"rules.md": TODO.encode(coding)})[0] for coding in ("utf-8", "utf-16"))
    assert (wide.rules, wide.words, wide.placed) == (plain.rules, plain.words, plain.placed)


def test_one_word_outside_of_all_rules_is_enough_to_ask() -> None:
    survey = survey_of_text("rules.md", "rules.md", f"{TODO}---\n\nWren.\n".encode())
    assert survey.best is not None
    assert survey.best.coverage > 0.98
    assert (survey.best.lines, survey.is_clear) == (("rules.md:35 `---`",), False)


def test_a_list_at_the_end_of_a_document_is_not_its_rules() -> None:
    parts = "".join(
        f"# {name}\n\nThe club has {name}, and wren keeps them.\n\n"
        for name in ("Oil", "Wicks", "Lamps", "Owls")
    )
    found = best(f"{parts}# Money\n\n1. gifts;\n2. fees;\n3. fines.\n", "statutes.md")
    assert (found.map.rule.number, found.rules) == ("order", (1, 2, 3, 4, 5))


def test_numbers_between_signs_of_emphasis_are_found() -> None:
    found = best("".join(f"_{at}._ Lamp {at} is lit.\n\n" for at in (101, 102, 103)), "rules.md")
    assert found.rules == (101, 102, 103)


def test_a_tier_behind_a_number_is_no_title() -> None:
    lines = "".join(
        f"Rule {at}{tier}\n{'=' * 20}\n\nLamps.\n\n"
        for at, tier in ((1, " (Immutable)"), (2, ""), (3, ""))
    )
    found = best(lines, "ruleset.rst")
    read = MapReader(found.map).read(lines.encode()).passages
    assert [(one.number, one.tier, one.title) for one in read] == [
        (1, "immutable", None),
        (2, None, None),
        (3, None, None),
    ]


def test_what_stands_under_a_number_that_another_file_has_is_not_placed() -> None:
    files = {f"bylaw-{at}.md": TODO.encode() for at in (1, 2)}
    found = trials(files, ["bylaw-*.md"])[0]
    assert 0.6 < found.coverage < 0.7
    assert found.lines[0] == "bylaw-2.md:3 `Rule 1 stands in bylaw-1.md already`"


def test_items_of_a_list_in_asciidoc_are_no_rules() -> None:
    text = "= Club\n\n" + "".join(
        f"== Rule {at}\n\n. one\n. two\n\n1. a\n2. b\n3. c\n\n" for at in (4, 5, 6)
    )
    assert (best(text, "rules.adoc").name, best(text, "rules.adoc").rules) == (
        "asciidoc",
        (4, 5, 6),
    )


def test_a_ruleset_with_histories_is_not_taken_for_one_without() -> None:
    history = "##### *History*\n\n*Initial mutable Rule 201, Mar 1, 2021*\n\n"
    text = "".join(f"## {at}/0\n\nLamp {at} is lit.\n\n{history}" for at in (201, 202, 203))
    assert not best(text, "rules-l.md").is_whole
    assert texts(read(text, "headings")) == {at: f"Lamp {at} is lit." for at in (201, 202, 203)}


def test_a_map_is_made_of_lines_that_look_alike() -> None:
    text = (
        "# Club\n\n"
        + "".join(f"### § {at} Lamp\n\nLamp {at} is lit.\n\n" for at in (1, 2, 4))
        + "## Notes\n\nWren.\n"
    )
    found = best(text, "club.md")
    assert (found.name, found.rules, found.map.paths) == (None, (1, 2, 4), ["club.md"])
    assert found.lines == ("club.md:15 `## Notes`",)
    assert found.in_words == (
        "a map made for it, for club.md: 3 rules (1–2, 4), 90.4 % of the words; in no rule: "
        "club.md:15 `## Notes`"
    )


def test_the_keys_of_front_matter_are_found() -> None:
    text = "---\nrule: {n}\ntype: Mutable\nname: Lamp\n---\n\nLamp {n} is lit.\n"
    files = {f"r/{at}.md": text.format(n=at).encode() for at in (7, 8, 9)}
    found = next(one for one in trials(files) if one.map.front_matter)
    assert found.map.front_matter == {"number": "rule", "tier": "type", "title": "name"}
    (one,) = MapReader(found.map).read(files["r/7.md"], "r/7.md").passages
    assert (one.number, one.tier, one.title, one.text) == (7, "mutable", "Lamp", "Lamp 7 is lit.")


@pytest.mark.parametrize(
    "path", ["LICENSE", "docs/COPYING.txt", "AGENTS.md", "TODO.md", ".github/rules.md"]
)
def test_licences_and_the_like_come_last(path: str) -> None:
    found = trials({path: TODO.encode() * 2, "club/bylaws.md": TODO.encode()})
    assert found[0].map.paths == ["club/bylaws.md"]
