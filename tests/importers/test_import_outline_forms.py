"""Forms that were met in archives: chapters, letters, emphasis, tables; and where a survey finds rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomicgen.importers.git_outline import ArchiveForm
from nomicgen.importers.commit_log import Past
from nomicgen.importers.survey import places, survey_of_past
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_rule_forms import RuleForm
from tests.importers.archives import Story
from tests.importers.test_import_outline import TEXTS, law, refused, walked
from tests.support import GitRepo


@pytest.fixture
def story(git_repo: Callable[..., GitRepo]) -> Story:
    return Story(git_repo())


def test_rules_in_chapters_of_several_depths_are_one_numbering() -> None:
    text = (
        "# Lantern law\n\n## Part 1\n\n### § 1 Obey\n\nWhoever plays obeys.\n\n### § 2 Oil\n\nOil is shared.\n\n"
        "## Part 2\n\n### 1. Chapter: Lamps\n\n#### § 3 Lamps\n\nLamps are lit at dusk.\n\n"
        "##### § 4 Wicks\n\nWicks are cut.\n\n### 2. Chapter: Glass\n\n#### § 5 Glass\n\nGlass is cleaned.\n"
    )
    found = import_text(text.encode(), "law.md")
    numbers = [1, 2, 3, 4, 5]
    assert sorted(law(found.files)) == numbers
    assert law(found.files)[4] == ("Wicks", "mutable", "Wicks are cut.")


LETTERED = "".join(
    f"## § {at} {title}\n\n{text}\n\n"
    for at, title, text in (
        ("1", "Obey", TEXTS[0]),
        ("2", "Oil", TEXTS[1]),
        ("2a", "Whale oil", "None is burnt."),
        ("3", "Lamps", TEXTS[2]),
        ("4", "Wicks", "Wicks are cut."),
    )
)


def test_a_number_with_a_letter_is_refused_and_an_expression_makes_it_a_part_of_the_rule(story: Story) -> None:
    found = import_text(LETTERED.encode(), "law.md")
    (unsure,) = [one for one in found.findings if one.slug == "import-unsure"]
    assert unsure.span.line == 9
    assert "`## § 2a Whale oil`" in unsure.message
    pattern = unsure.help.partition("--heading '")[2].partition("'")[0]
    read = import_text(LETTERED.encode(), "law.md", shape=RuleForm(pattern=pattern))
    assert sorted(law(read.files)) == [1, 2, 3, 4]
    assert law(read.files)[2] == ("Oil", "mutable", "Oil is shared.\n\n### § 2a Whale oil\n\nNone is burnt.")
    story.commit("The law", {"law.md": LETTERED})
    story.commit("Proposal 5", {"law.md": LETTERED.replace("None is burnt.", "It is burnt.")})
    past, _ = walked(story, "law.md", ArchiveForm(shape=RuleForm(pattern=pattern)))
    assert past.doubt is None
    (path,) = past.newest
    (text,) = (one for (oid, _), one in past.texts.items() if oid == past.newest[path])
    assert text.passages[1].text == "Oil is shared.\n\n### § 2a Whale oil\n\nIt is burnt."


def test_a_tier_may_be_emphasised_behind_the_number() -> None:
    lines = (
        "**101.** *immutable.* Obey.",
        "**102.** _Immutable_: Oil is shared.",
        "**201.** *(mutable)* Lamps are lit.",
    )
    found = import_text("\n\n".join(lines).encode(), "law.md")
    assert {number: (tier, text) for number, (_, tier, text) in law(found.files).items()} == {
        101: ("immutable", "Obey."),
        102: ("immutable", "Oil is shared."),
        201: ("mutable", "Lamps are lit."),
    }


@pytest.mark.parametrize(
    ("line", "help"),
    [
        (
            "| {n} | Oil | Lamp {n} is lit. |",
            "rules that stand in a table are not read: write them one below the other",
        ),
        ("<h3>Rule {n}</h3>\n\n<p>Lamp {n} is lit.</p>", "write its text as Markdown, or as a browser shows it"),
    ],
)
def test_tables_and_pages_of_html_are_refused_with_what_to_do(line: str, help: str) -> None:
    text = "# Club\n\n" + "\n\n".join(line.format(n=number) for number in range(101, 107)) + "\n"
    assert refused(text)[1] == help


@pytest.mark.parametrize("head", ["## Rule {n}: Oil {{#r{n}}}", "RULE {n} -- Oil"])
def test_a_title_is_without_its_dress(head: str) -> None:
    text = "\n\n".join(f"{head.format(n=number)}\n\nLamp {number} is lit." for number in (101, 102, 201))
    found = law(import_text(text.encode(), "rules.md").files)
    assert {title for title, _, _ in found.values()} == {"Oil"}


def numbered(many: int) -> bytes:
    return "".join(f"{at}. Lamp {at} is lit.\n\n" for at in range(1, many + 1)).encode()


@pytest.mark.parametrize(
    ("texts", "first"),
    [
        ({"LICENSE": numbered(12), "docs/COPYING.txt": numbered(12), "AGENTS.md": numbered(12)}, None),
        ({"DESIGN.md": numbered(9), "club/bylaws.md": numbered(4)}, "club/bylaws.md"),
        ({"DESIGN.md": numbered(20), "club/bylaws.md": numbered(4)}, "DESIGN.md"),
        ({"rules-l.md": numbered(12), "r/101.md": b"", "r/102.md": b"", "r/103.md": b""}, "rules-l.md"),
    ],
)
def test_licences_and_short_lists_are_no_rules(texts: dict[str, bytes], first: str | None) -> None:
    found = places(texts, texts)
    assert (found[0].pattern if found else None) == first


def test_a_short_list_that_nobody_calls_rules_is_refused_with_what_takes_it() -> None:
    texts = {"DESIGN.md": numbered(5)}
    found = survey_of_past("club", Past(), places(texts, texts), texts)
    assert found.command is None
    assert found.help == "if they are, `--path DESIGN.md` takes them; a text without numbers cannot be a game"
