"""A ruleset that was kept as text, made a game: where rules begin, what is no rule, tiers, marks and numbers."""

from __future__ import annotations

import textwrap

import pytest

from nomicgen.formats.ruleset_text import short_md, short_txt
from nomicgen.importers.given_provisions import Provided
from nomicgen.importers.text_import import import_text
from nomicgen.importers.tiers import TierMap
from tests.importers.texts import bodies, imported, rules, said, settings, taken_apart, tiers
from tests.rulesets import archive, errors

LAMPS = {101: "Whoever plays obeys.", 102: "Whoever obeys plays.", 201: "Lamps are lit at dusk.", 203: "Oil is free."}

FORMS = {
    "numbers with dots": "{n}. {text}\n\n",
    "numbers without dots": "{n} {text}\n\n",
    "numbers in brackets": "({n}) {text}\n\n",
    "numbers with brackets": "{n}) {text}\n",
    "numbers with colons": "{n}: {text}\n",
    "numbers and dashes": "{n} – {text}\n",
    "paragraphs": "§ {n}. {text}\n\n",
    "numbers on their own lines": "{n}.\n{text}\n",
    "bare numbers on their own lines": "{n}\n{text}\n\n",
    "indented numbers": "   {n}. {text}\n",
    "rules by name": "Rule {n}\n\n{text}\n\n",
    "rules by name, close together": "Rule {n}\n{text}\n",
    "rules by name with their text": "Rule {n}: {text}\n",
    "rules by name in capitals": "RULE {n}.\n{text}\n\n",
    "rules by name, underlined": "Rule {n}\n--------\n{text}\n\n",
    "headings": "## {n}\n\n{text}\n\n",
    "headings with names": "### Rule {n}.\n{text}\n",
    "bold numbers": "**{n}.** {text}\n\n",
    "bold names with text": "**Rule {n}** {text}\n\n",
    "bold names": "__Rule {n}__\n\n{text}\n\n",
    "one run-on line": " {n}. {text}",
    "one run-on line without dots": " {n} {text}",
    "a run-on paragraph with names": "Rule {n}. {text} ",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_rule_begins_in_many_ways(form: str) -> None:
    found = imported("".join(form.format(n=number, text=text) for number, text in LAMPS.items()).rstrip())
    assert bodies(found) == LAMPS
    assert [one.slug for one in found.findings if one.slug not in ("import-outside", "import-tier")] == []


@pytest.mark.parametrize("name", FORMS)
def test_a_tier_is_said_above(name: str) -> None:
    parts = [FORMS[name].format(n=number, text=text) for number, text in LAMPS.items()]
    first, second = "Immutable Rules\n\n", "\nMutable Rules\n\n"
    if "run-on" in name:
        first, second = " I. Immutable Rules.", " II. Mutable Rules. "
    found = imported("".join([first, *parts[:2], second, *parts[2:]]).rstrip())
    assert bodies(found) == LAMPS
    assert tiers(found) == {101: "immutable", 102: "immutable", 201: "mutable", 203: "mutable"}
    assert {one.slug for one in found.findings} <= {"import-outside"}


def test_the_files_of_a_game() -> None:
    found = imported("Immutable Rules\n\n101. All obey.\n\nMutable Rules\n\n201. [void] Tea is served.\n")
    assert found.findings == ()
    tea = "---\nnumber: 201\nmutability: mutable\nrevision: 0\nvoid: true\n---\n\nTea is served.\n"
    assert {path: data.decode() for path, data in found.files.items()} == {
        "nomic.yml": "format: 1\nname: Nomic\ntiers: [immutable, mutable]\n",
        "rules/101.md": "---\nnumber: 101\nmutability: immutable\nrevision: 0\n---\n\nAll obey.\n",
        "rules/201.md": tea,
        "rules/initial/101.md": "---\nnumber: 101\nmutability: immutable\nrevision: 0\n---\n\nAll obey.\n",
        "rules/initial/201.md": tea,
    }


class TestWhatParts:
    """What parts a rule from the next, and what only looks as if it did."""

    def test_numbers_that_a_text_mentions(self) -> None:
        text = (
            "101. Rules 101-116 stand first; the numbers begin with\n301, and there are\n25. Of these\n"
            "Rule 102 says more.\n\n102. See above.\n"
        )
        assert bodies(imported(text))[102] == "See above."
        assert imported(text).numbers == (101, 102)

    def test_a_run_on_text_that_mentions_numbers(self) -> None:
        text = (
            "101. Of Rules 101-102, 102 is last, 2. Then there are 5. Or 6, of Rule 103. (1) one, (2) two. 102. Done."
        )
        assert bodies(imported(text)) == {101: text[5:-11], 102: "Done."}

    @pytest.mark.parametrize("width", [25, 40, 72])
    def test_a_run_on_text_that_is_wrapped(self, width: int) -> None:
        texts = {number: f"{text} It is so, and Rule {number + 1} is not." for number, text in LAMPS.items()}
        pieces = [f"{number}. {text}" for number, text in texts.items()]
        text = " ".join(["Of 3 May. I. Immutable Rules.", *pieces[:2], "II. Mutable Rules.", *pieces[2:]])
        found = imported("\n".join(textwrap.wrap(text, width)) + "\n")
        assert {number: body.split() for number, body in bodies(found).items()} == {
            number: body.split() for number, body in texts.items()
        }
        assert list(tiers(found).values()) == ["immutable", "immutable", "mutable", "mutable"]

    def test_a_list_in_a_rule_whose_items_begin_where_rules_do(self) -> None:
        found = imported("101. Say:\n1. why\n2. when\n3. where\n\n102. Then wait.\n")
        assert bodies(found) == {101: "Say:\n\n1. why\n2. when\n3. where", 102: "Then wait."}

    def test_an_indented_list_in_rules_that_are_a_list(self) -> None:
        found = imported("1. Say:\n   1. why\n   2. when\n2. Wait.\n3. Vote.\n")
        assert bodies(found) == {1: "Say:\n\n1. why\n2. when", 2: "Wait.", 3: "Vote."}

    def test_a_list_that_could_be_rules_is_told_of(self) -> None:
        found = imported("1. Say:\n1. why\n2. when\n2. Wait.\n3. Vote.\n")
        assert bodies(found) == {1: "Say:\n\n1. why\n2. when", 2: "Wait.", 3: "Vote."}
        assert "3 import-unread: 2 begins a line as a rule's number does, but is out of order" in said(found)

    def test_numbers_aligned_to_the_right(self) -> None:
        found = imported("  9. Nine.\n 10. Ten.\n100. A hundred.\n")
        assert bodies(found) == {9: "Nine.", 10: "Ten.", 100: "A hundred."}

    def test_rules_out_of_order(self) -> None:
        assert imported("203. Three.\n\n201. One.\n\n202. Two.\n").numbers == (201, 202, 203)
        assert imported("Rule 203\n\nThree.\n\nRule 201\n\nOne.\n").numbers == (201, 203)

    def test_steps_above_the_rules_are_none(self) -> None:
        above = "How to play:\n\n1. Sit down.\n2. Have tea.\n\n"
        headed = imported(f"{above}Immutable Rules\n\n101. All obey.\n102. All play.\n")
        told = imported(f"{above}101. The initial set has Rules 101-102.\n\n102. All play.\n")
        for found in (headed, told):
            assert found.numbers == (101, 102)
            assert said(found)[0] == (
                "1 import-outside: lines 1–4 stand above the first rule, and are left out:"
                " `How to play:` to `2. Have tea.`"
            )

    def test_a_table_of_contents_is_none(self) -> None:
        named = "Contents\nRule 101\nRule 102\n\nRule 101\nAll obey.\nRule 102\nAll play.\n"
        counted = "101. Obeying\n102. Playing\n\n101. All obey.\n\n102. All play.\n"
        for text in (named, counted):
            assert bodies(imported(text)) == {101: "All obey.", 102: "All play."}

    def test_code_holds_no_rules(self) -> None:
        found = imported("## 101\n\n```\n## 102\n```\n\n## 103\n\nMore.\n", "rules.md")
        assert bodies(found) == {101: "```\n## 102\n```", 103: "More."}

    def test_commentary_on_rules_by_name_begins_none(self) -> None:
        found = imported("101. All obey.\n\nRule 101 says little.\n\n102. All play.\n\n103. All win.\n")
        assert bodies(found)[101] == "All obey.\n\nRule 101 says little."


class TestWhatIsNoRule:
    """What is left out is said to be, line by line."""

    def test_mail_and_navigation_above(self) -> None:
        text = "From: wren@example.org\nSubject: Rules of Tallow\n\nHome * Rules * Players\n\n\nRule 101\n\nAll obey.\n"
        assert said(imported(text))[0] == (
            "1 import-outside: lines 1–4 stand above the first rule, and are left out:"
            " `From: wren@example.org` to `Home * Rules * Players`"
        )

    def test_words_above_in_the_line_of_a_rule(self) -> None:
        found = imported("The rules. I. Immutable Rules. 101. All obey. 102. All play.")
        (finding,) = found.findings
        assert str(finding.span) == "rules.txt:1:1"
        assert finding.message == "line 1 stands above the first rule, and is left out: `The rules.`"

    @pytest.mark.parametrize(
        ("below", "lines"),
        [
            ("\n\n\nKept by Wren,\nsince 2020", "lines 6–7 stand"),
            ("\n-- \nWren", "lines 4–5 stand"),
            ("\n\nLast updated: 3 May\nBack to the club", "lines 5–6 stand"),
            ("\n\nEditor: Wren\n\n\n\nHome", "lines 5–9 stand"),
            ("\n\n(c) 2020 Wren", "line 5 stands"),
            ("\n\nEnd of the rules.", "line 5 stands"),
        ],
    )
    def test_the_foot_of_a_page(self, below: str, lines: str) -> None:
        found = imported(f"Mutable Rules\n\n201. Tea.{below}\n")
        assert bodies(found) == {201: "Tea."}
        (told,) = said(found)
        assert f"{lines} below Rule 201, the last, and" in told

    def test_a_last_paragraph_is_no_foot(self) -> None:
        text = "Contact between players is allowed.\n\nCreated rules have numbers.\n\nHome is where the lamps are."
        assert bodies(imported(f"Rule 201\n\n{text}\n")) == {201: text}

    def test_a_last_line_that_is_code(self) -> None:
        text = "# 101\n\nA.\n\n~~~\nb\n\n~~~\n\n    c\n\n    "
        assert bodies(imported(text, "rules.md")) == {101: "A.\n\n~~~\nb\n\n~~~\n\n    c"}
        assert bodies(imported("## 101\n\n```\na\n\n", "rules.md")) == {101: "\\`\\`\\`  \na"}

    def test_wide_gaps_that_are_everywhere_end_nothing(self) -> None:
        found = imported("Rule 201\n\nOne.\n\n\nTwo.\n\n\nRule 202\n\nThree.\n\n\nFour.\n")
        assert bodies(found) == {201: "One.\n\nTwo.", 202: "Three.\n\nFour."}

    def test_headings_that_name_no_tier(self) -> None:
        text = "Mutable Rules\n\n201. Tea.\n\nPart II: Voting\n\n202. Votes.\n\nOther Rules\n\n203. Coffee.\n"
        assert said(imported(text)) == [
            "5 import-outside: line 5 stands between Rule 201 and the next, and is left out: `Part II: Voting`",
            "9 import-outside: line 9 stands between Rule 202 and the next, and is left out: `Other Rules`",
            "11 import-tier: nothing says the tier of Rule 203: mutable, the least entrenched, is taken",
        ]

    def test_rules_that_are_in_force_no_more(self) -> None:
        past = "Repealed Rules\n\nThey were bad.\n\n202. Coffee.\n\n203. Milk,\nand so on.\n\n"
        found = imported(
            f"Mutable Rules\n\n201. Tea.\n\n{past}Immutable Rules\n\n101. All obey.\n\nProposed Rules\n\nNone.\n"
        )
        assert bodies(found) == {101: "All obey.", 201: "Tea."}
        assert [one.partition(", and")[0] for one in said(found)] == [
            "5 import-outside: lines 5–7 stand between Rule 201 and the next",
            "9 import-unread: Rule 202 stands below `Repealed Rules`",
            "11 import-unread: Rule 203 stands below `Repealed Rules`",
            "18 import-outside: lines 18–20 stand below Rule 101, the last",
        ]

    def test_words_below_a_heading(self) -> None:
        found = imported("Immutable Rules\nThese stay.\n\n101. A.\n\nMutable Rules\n\nThese may go.\n\n201. B.\n")
        assert bodies(found) == {101: "A.", 201: "B."}
        assert tiers(found)[201] == "mutable"
        assert said(found)[-1] == (
            "8 import-outside: line 8 stands between Rule 101 and the next, and is left out: `These may go.`"
        )

    def test_rulers(self) -> None:
        found = imported("=====\nRule 101\n\nAll obey.\n-----\nRule 102\n\nAll play.\n-----\n")
        assert bodies(found) == {101: "All obey.", 102: "All play."}
        assert said(found)[0] == "1 import-outside: 3 lines of dashes or the like, from here on, say nothing"

    def test_a_text_without_rules(self) -> None:
        for text in ("", "Just words.\n", "There are 3 rules.\n"):
            found = imported(text)
            assert found.files == {}
            assert said(found) == [
                "1 import-unread: no rule stands here: nothing begins as `Rule 101`, `101.` or `## 101` does"
            ]

    def test_numbers_that_no_game_can_have(self) -> None:
        found = imported("Rule 0\n\nBe.\n\nRule 1\n\nDo.\n\nRule 1\n\nAgain.\n\nRule 3\n")
        assert rules(found) == {1: "mutable\nrevision: 0\n---\n\nDo.\n", 3: "mutable\nrevision: 0\ntext: lost\n---\n"}
        assert [one for one in said(found) if "unread" in one] == [
            "1 import-unread: no rule of a game has the number 0",
            "9 import-unread: Rule 1 stands in line 5 already",
            "13 import-unread: Rule 3 has no text",
        ]


class TestProvisions:
    """Provisions are put into the rules that bear their numbers, and only when they are asked for."""

    TEXT = "Immutable Rules\n\n101. A.\n\nMutable Rules\n\n203. B.\n\n305. C.\n"
    LAW = Provided(
        initial={101: {"entrenchment": {"immutable": ["transmute"]}}, 203: {"cap": {"mutable": "25"}}, 7: {"x": "y"}},
        later={203: {"cap": {"mutable": "9"}}, 305: {"victory": {"points": "100"}}, 306: {"x": "y"}},
    )

    def test_they_are_put_where_the_numbers_are(self) -> None:
        found = import_text(self.TEXT.encode(), "r.txt", provisions=self.LAW)
        assert errors(archive(found.files)) == []
        assert found.provided == (101, 203, 305)
        assert {number: text.split("---")[0] for number, text in rules(found).items()} == {
            101: "immutable\nrevision: 0\nprovisions:\n  entrenchment: {immutable: [transmute]}\n",
            203: "mutable\nrevision: 0\nprovisions:\n  cap: {mutable: 25}\n",
            305: "mutable\nrevision: 0\nprovisions:\n  victory: {points: 100}\n",
        }
        assert said(found) == ["3 import-provisions: the provisions of Rules 7, 306 find no rule here"]

    def test_none_are_assumed(self) -> None:
        assert imported(self.TEXT).provided == ()
        assert "provisions" not in "".join(rules(imported(self.TEXT)).values())


def test_what_a_game_exports_is_read_again() -> None:
    first = imported(
        "Immutable Rules\n\n101. All *obey*, 2*3 times:\n  - now\n  - then\n    and again\n\nMutable Rules\n\n"
        "201. A rhyme:\n\n     one two\n     three four\n\n     and so on until this line is long enough to be one\n"
    )
    whole = archive(first.files)
    again = imported(short_md(whole), "rules-s.md")
    assert rules(again) == rules(first)
    printed = short_txt(whole)
    assert short_txt(archive(imported(printed).files)) == printed


def test_a_text_in_the_long_format_is_read_as_that() -> None:
    text = (
        "# LAMPS RULESET (LONG FORMAT)\n---\n## 201/1\n\nOil is free.\n\n##### *History*\n\n"
        "*Initial mutable Rule 201, Mar 1, 2021*  \n*Amended (1) by Proposal 301 (Wren), Mar 2, 2021*\n"
    )
    law = Provided(
        initial={201: {"adoption": {"needs": "majority"}}},
        later={201: {"adoption": {"needs": "unanimous"}}, 202: {"x": "y"}},
    )
    found = import_text(text.encode(), "rules.txt", name="Oil", tiers=TierMap.parse("mutable"), provisions=law)
    assert errors(archive(found.files)) == []
    assert settings(found).startswith("format: 1\nname: Oil\nstarted: 2021-03-01\n")
    assert rules(found) == {201: "mutable\nrevision: 0\nprovisions:\n  adoption: {needs: majority}\ntext: lost\n---\n"}
    assert (
        b"```yaml rule\nprovisions:\n  adoption: {needs: unanimous}\n```\n\nOil is free.\n"
        in found.files["proposals/301.md"]
    )
    assert (found.numbers, found.provided) == ((201,), (201,))
    assert said(found) == [
        "1 import-provisions: the provisions of Rule 202 find no rule here",
        "1 import-tier: this is a ruleset in the long format, whose histories say every rule's tier",
    ]


def test_every_line_has_its_place() -> None:
    taken_apart(
        "Title\n\nImmutable Rules\n-----\n\n101. [a] (immutable) A.\n  1. one\n\n\nPart 2: More\n\n"
        "Mutable Rules\n\nWhy?\n\n201.\nB.\n\n=====\n\nBack to the top\n"
    )
