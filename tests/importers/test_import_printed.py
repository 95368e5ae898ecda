"""Rulesets as programs print them, read back: this one's formats, and Agora's Logical Rulesets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nomicgen.history.archive_view import Archive
from nomicgen.files import write_rule
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from tests.importers.archives import Asked, Story
from tests.importers.archives import imported as imported_past
from tests.importers.texts import imported, said
from tests.ledger import Ledger
from tests.rulesets import archive, errors
from tests.support import GitRepo

TEXTS = {
    101: "All *obey*, as one always did:\n\n1) now  \n"
    "2) then, and whenever it may be that a lamp is lit by one who has oil\n\nSo be it.",
    201: "| lamp | oil |\n|---|---|\n| a very long name of a lamp that is wide |"
    " more oil than any table of a text has room for |",
    202: "A text of one who\nwrapped it <sup>by hand</sup>,  \nand `broke` it.",
}


def game() -> Archive:
    made = Ledger.start({}, name="Lamps", tiers=["core", "open"])
    for number, text in TEXTS.items():
        matter: Any = {
            "mutability": "core" if number == 101 else "open",
            "title": "Oil: a rule" if number == 201 else None,
        }
        made.tree[f"rules/initial/{number}.md"] = write_rule(number=number, revision=0, text=text, **matter)
    made.proposal(301, "01-05", "## Retitle Rule 202/0: Hands")
    return archive(made.tree)


@pytest.mark.parametrize("prints", [long_md, long_txt, short_md, short_txt])
def test_every_text_title_and_tier_is_read_back(prints: Callable[[Archive], str]) -> None:
    before = game()
    name = "rules.md" if prints in (long_md, short_md) else "rules.txt"
    found = imported(prints(before), name)
    after = archive(found.files)
    assert errors(after) == []
    said_of = [(one.number, one.tier, one.title, one.text) for one in after.replay.current]
    assert said_of == [(one.number, one.tier, one.title, one.text) for one in before.replay.current]
    assert after.records.settings.tiers == ["core", "open"]
    if prints in (long_md, long_txt):
        assert prints(after) == prints(before)


def test_what_another_printed_in_that_format_is_plain_text() -> None:
    printed = (
        f"LAMPS RULESET (SHORT FORMAT)\n\n{'=' * 70}\n{'-' * 70}\nRule 101 (IMMUTABLE)\n\n"
        f"      • Lamps are lit.\n      • They go out.\n\n{'-' * 70}\n"
        f"Rule 201\n\n      So * be * it.\n\n{'-' * 70}\n"
    )
    found = [(one.tier, one.text) for one in archive(imported(printed).files).replay.current]
    assert found == [
        ("immutable", "- Lamps are lit.\n- They go out."),
        ("mutable", "So \\* be \\* it."),
    ]


LOGICAL = f"""THE SHORT LOGICAL RULESET

Number of rules currently enacted: 3

{"=" * 72}
Lamps
   What gives light, and to
   whom.
{"-" * 72}
Rule 101/2 (Power=3.10)
Obedience

      All obey. A line of this text is as long as lines of texts are,
      which are wrapped.

          (a) now;
          (b) then.

History:

Enacted by P301 'Light' (Wren), 3 May 1999
Amended(1) by P302 (Quill), 4 May 1999

Annotations:
CFJ 12 (called 5 May 1999): it is so.

{"-" * 72}
Rule 7/0 (Power=1)
Oil

      Oil is free.

{"-" * 72}
{"=" * 72}
Pictures

{"-" * 72}
Rule 2029/1 (Power=4)
A Lamp

         _
        / \\
       <\\_/>
      It stands.

{"-" * 72}
"""


def test_agoras_rulesets_are_read_as_agora_has_them() -> None:
    found = imported(LOGICAL, "slr.txt")
    rules = {one.number: one for one in archive(found.files).replay.current}
    assert {number: (one.tier, one.title, one.section, one.revision) for number, one in rules.items()} == {
        7: ("power-1", "Oil", "Lamps", 0),
        101: ("power-3-1", "Obedience", "Lamps", 2),
        2029: ("power-4", "A Lamp", "Pictures", 1),
    }
    assert rules[101].text == (
        "All obey. A line of this text is as long as lines of texts are,\nwhich are wrapped.\n\n"
        "    (a) now;\n    (b) then."
    )
    assert rules[2029].text == "```text\n   _\n  / \\\n <\\_/>\nIt stands.\n```"
    assert [line for line in said(found) if "not part of it" in line] == [
        "21 import-outside: `History` stands below the text of Rule 101, and is not part of it",
        "25 import-outside: `Annotations` stands below the text of Rule 101, and is not part of it",
    ]


def test_a_printed_ruleset_in_a_repository_is_read_alike(git_repo: Callable[..., GitRepo]) -> None:
    story = Story(git_repo())
    story.commit("The ruleset", {"slr.txt": LOGICAL})
    story.commit("Proposal 303", {"slr.txt": LOGICAL.replace("Oil is free.", "Oil is dear.").replace("7/0", "7/1")})
    got = imported_past(story.repo.path, Asked(patterns=("slr.txt",)))
    rules = {one.number: one for one in archive(got.files).replay.current}
    assert (str(rules[7].ref), rules[7].text, rules[7].tier, rules[7].title) == (
        "7/1",
        "Oil is dear.",
        "power-1",
        "Oil",
    )
    assert rules[2029].text == "```text\n   _\n  / \\\n <\\_/>\nIt stands.\n```"
    assert [one.message for one in got.report.warnings if one.slug == "history-printed"] == [
        "`History` stands below the text of Rule 101, and is not part of it",
        "`Annotations` stands below the text of Rule 101, and is not part of it",
    ]


@pytest.mark.parametrize("head", ["History:", "#### *Amendment History*", "**Amendments**"])
def test_a_history_below_a_text_is_none_of_it(head: str) -> None:
    text = (
        f"## 101\n\nAll obey.\n\n{head}\n\n- Enacted by Wren, 1999\n- see there\n\n## 102\n\nA history:\n\nIt was dark."
    )
    assert [one.text for one in archive(imported(text, "rules.md").files).replay.current] == [
        "All obey.",
        "A history:\n\nIt was dark.",
    ]
