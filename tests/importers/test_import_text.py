"""A ruleset that was kept as text, made a game: where rules begin, what is no rule, tiers, marks and numbers."""

from __future__ import annotations

import pytest

from nomicgen.importers.provided import Provided
from nomicgen.importers.text import import_text
from nomicgen.importers.text_tiers import TierMap
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


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_tier_is_said_above(form: str) -> None:
    parts = [form.format(n=number, text=text) for number, text in LAMPS.items()]
    inline = "run-on" in next(name for name, one in FORMS.items() if one == form)
    headings = (" I. Immutable Rules.", " II. Mutable Rules. ") if inline else ("Immutable Rules\n\n", "\nMutable Rules\n\n")
    found = imported(f"{headings[0]}{''.join(parts[:2])}{headings[1]}{''.join(parts[2:])}".rstrip())
    assert bodies(found) == LAMPS
    assert tiers(found) == {101: "immutable", 102: "immutable", 201: "mutable", 203: "mutable"}
    assert {one.slug for one in found.findings} <= {"import-outside"}


def test_the_files_of_a_game() -> None:
    found = imported("Immutable Rules\n\n101. All obey.\n\nMutable Rules\n\n201. [void] Tea is served.\n")
    assert found.findings == ()
    assert {path: data.decode() for path, data in found.files.items()} == {
        "nomic.yml": "format: 1\nname: Nomic\ntiers: [immutable, mutable]\n",
        "rules/101.md": "---\nnumber: 101\nmutability: immutable\nrevision: 0\n---\n\nAll obey.\n",
        "rules/201.md": "---\nnumber: 201\nmutability: mutable\nrevision: 0\nvoid: true\n---\n\nTea is served.\n",
        "rules/initial/101.md": "---\nnumber: 101\nmutability: immutable\nrevision: 0\n---\n\nAll obey.\n",
        "rules/initial/201.md": "---\nnumber: 201\nmutability: mutable\nrevision: 0\nvoid: true\n---\n\nTea is served.\n",
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
        text = "101. Of Rules 101-102, 102 is last, 2. Then there are 5. Or 6, of Rule 103. (1) one, (2) two. 102. Done."
        assert bodies(imported(text)) == {101: text[5:-11], 102: "Done."}

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
        assert finding.message == "a part of line 1 stands above the first rule, and is left out: `The rules.`"

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

    def test_wide_gaps_that_are_everywhere_end_nothing(self) -> None:
        found = imported("Rule 201\n\nOne.\n\n\nTwo.\n\n\nRule 202\n\nThree.\n\n\nFour.\n")
        assert bodies(found) == {201: "One.\n\nTwo.", 202: "Three.\n\nFour."}

    def test_headings_that_name_no_tier(self) -> None:
        text = "Mutable Rules\n\n201. Tea.\n\nPart II: Voting\n\n202. Votes.\n\nRepealed Rules\n\n203. Coffee.\n"
        assert said(imported(text)) == [
            "5 import-outside: line 5 stands between Rule 201 and the next, and is left out: `Part II: Voting`",
            "9 import-outside: line 9 stands between Rule 202 and the next, and is left out: `Repealed Rules`",
            "11 import-tier: nothing says the tier of Rule 203: mutable, the least entrenched, is taken",
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


class TestMarks:
    """What stands in brackets behind a rule's number."""

    @pytest.mark.parametrize(
        ("head", "keys"),
        [
            ("201. [void]", "mutable\nrevision: 0\nvoid: true\n"),
            ("201 [VOID].", "mutable\nrevision: 0\nvoid: true\n"),
            ("201. (void)", "mutable\nrevision: 0\nvoid: true\n"),
            ("201. [void since 2020-08-01]", "mutable\nrevision: 0\nvoid: 2020-08-01\n"),
            ("201. [void, by judgement 4]", "mutable\nrevision: 0\nvoid: true\nnote: void, by judgement 4\n"),
            ("201. [void] [see 202]", "mutable\nrevision: 0\nvoid: true\nnote: see 202\n"),
            ("201. [see 202][once  203]", "mutable\nrevision: 0\nnote: see 202; once 203\n"),
            ("201. [immutable]", "immutable\nrevision: 0\n"),
            ("201. (IMMUTABLE)", "immutable\nrevision: 0\n"),
            ("Rule 201 (Immutable)", "immutable\nrevision: 0\n"),
            ("Rule 201/3 [see 202]:", "mutable\nrevision: 3\nnote: see 202\n"),
            ("## 201/1 (IMMUTABLE)", "immutable\nrevision: 1\n"),
        ],
    )
    def test_marks(self, head: str, keys: str) -> None:
        assert rules(imported(f"{head}\nTea is served.\n")) == {201: f"{keys}---\n\nTea is served.\n"}

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("201. (if any) Tea.", "(if any) Tea."),
            ("201. Tea [sic].", "Tea [sic]."),
            ("201. [intentionally left blank]", "[intentionally left blank]"),
        ],
    )
    def test_brackets_that_are_the_text(self, text: str, written: str) -> None:
        assert bodies(imported(text)) == {201: written}

    def test_a_rule_that_is_marked_as_gone(self) -> None:
        found = imported("201. [repealed]\n\n202. [repealed] Tea.\n\n203. Tea.\n")
        assert rules(found)[202] == "mutable\nrevision: 0\nnote: repealed\n---\n\nTea.\n"
        assert [one for one in said(found) if "unread" in one] == [
            "1 import-unread: Rule 201 is marked `repealed`, and has no text",
            "3 import-unread: Rule 202 is marked `repealed`, and its text stands here",
        ]

    @pytest.mark.parametrize(
        ("text", "title", "words"),
        [
            ("Rule 201: Tea\n\nIt is served.", "Tea", "It is served."),
            ("Rule 201 – High Tea\n\nIt is served.", "High Tea", "It is served."),
            ("## 201. Tea ##\nIt is served.", "Tea", "It is served."),
            ("**201. Tea**\nIt is served.", "Tea", "It is served."),
            ("Rule 201: Tea is served, and\n\nat five.", "Tea is served, and", "at five."),
            ("Rule 201: Tea is served,\n\nat five.", None, "Tea is served,\n\nat five."),
            ("Rule 201: Tea is served.\n\nAt five.", None, "Tea is served.\n\nAt five."),
            ("201. Tea\n\nIt is served.", None, "Tea\n\nIt is served."),
            ("Rule 201: Tea", None, "Tea"),
            ("**201. Tea** is served.", None, "**Tea** is served."),
        ],
    )
    def test_titles(self, text: str, title: str | None, words: str) -> None:
        found = rules(imported(f"{text}\n"))[201]
        assert found == f"mutable\nrevision: 0\n{f'title: {title}' if title else ''}{chr(10) if title else ''}---\n\n{words}\n"


class TestTiers:
    """A tier is what stands behind the number, else the heading, else what the set says, else what is typed."""

    SETS = (
        "Rules 101-116 (immutable) and 201-213 (mutable).",
        "Rules 101 through 116 are immutable and rules 201 to 213 are mutable.",
        "Initially, rules in the 100's are immutable and rules in the 200’s are mutable.",
        "rules in the 100s are immutable and in the 200s are all initially mutable.",
        "In the initial set the hundreds are immutable, the two hundreds mutable.",
        "Rules numbered lower than 200 are immutable; rules numbered above 199 are mutable.",
        "Rule 101 (immutable) and Rules #102–#199 (immutable), Rules 200—299 (mutable).",
    )

    @pytest.mark.parametrize("text", SETS)
    @pytest.mark.parametrize("number", [1, 101, 102, 150])
    def test_as_the_set_says(self, text: str, number: int) -> None:
        found = imported(f"{number}. {text}\n\n201. Tea.\n", tiers=None)
        assert tiers(found)[201] == "mutable"
        if number in (101, 102):
            assert tiers(found)[number] == "immutable"
            assert not any(one.slug == "import-tier" for one in found.findings)

    def test_rules_101_and_102_are_believed_first(self) -> None:
        text = "1. Rules in the 200's are immutable.\n\n102. Rules in the 200's are mutable.\n\n201. Tea.\n"
        assert tiers(imported(text))[201] == "mutable"

    def test_what_is_denied_says_nothing(self) -> None:
        found = imported("101. Rules in the 100's are no longer immutable, nor are they not mutable.\n")
        assert tiers(found) == {101: "mutable"}
        assert [one.slug for one in found.findings] == ["import-tier"]

    def test_the_order_of_what_is_believed(self) -> None:
        text = (
            "101. Rules in the 200's are mutable.\n\n201. Said.\n\n301. Typed.\n\n401. Nothing.\n\n"
            "Constitutional Rules\n\n202. Headed.\n\n203. (immutable) Marked.\n"
        )
        found = imported(text, tiers="constitutional,immutable=300-399,mutable=201")
        assert tiers(found) == {
            **{101: "mutable", 201: "mutable", 202: "constitutional"},
            **{203: "immutable", 301: "immutable", 401: "mutable"},
        }
        assert [one for one in said(found) if "tier" in one] == [
            "1 import-tier: nothing says the tier of Rules 101, 401: mutable, the least entrenched, is taken",
            "11 import-tier: Rule 202 stands among the constitutional, and the set's own rules call its number mutable",
            "13 import-tier: Rule 203 stands among the immutable, and the set's own rules call its number mutable",
        ]

    def test_what_is_typed_overrules_nothing(self) -> None:
        found = imported("Immutable Rules\n\n101. All obey.\n", tiers="immutable,mutable=101")
        assert tiers(found) == {101: "immutable"}
        assert said(found) == ["3 import-tier: --tiers calls Rule 101 mutable, and the text calls it immutable"]

    def test_what_to_type(self) -> None:
        (finding,) = imported("1. Rules in the 10's are immutable.\n\n10. A.\n\n20. B.\n\n30. C.\n").findings
        assert finding.help == "say so, or say otherwise: `--tiers immutable,mutable=1-30`"

    @pytest.mark.parametrize(
        ("heading", "tier"),
        [
            ("IMMUTABLE RULES", "immutable"),
            ("=== Immutable Rules ===", "immutable"),
            ("I. Immutable rules:", "immutable"),
            ("Part 1 - Immutable", "immutable"),
            ("The Initial Immutable Rules (101-116)", "immutable"),
            ("## **Immutable**", "immutable"),
            ("Constitutional Rules.", "constitutional"),
            ("immutable rules", None),
            ("Immutable rules are old.", None),
            ("Rules", None),
        ],
    )
    def test_headings(self, heading: str, tier: str | None) -> None:
        found = imported(f"{heading}\n\n101. All obey.\n")
        assert tiers(found) == {101: tier or "mutable"}
        assert any(one.slug == "import-tier" for one in found.findings) is (tier is None)

    def test_a_list_of_headings_is_none(self) -> None:
        found = imported("Home\nImmutable Rules\nMutable Rules\nPlayers\n\n101. All obey.\n")
        assert any(one.slug == "import-tier" for one in found.findings)

    def test_tiers_of_other_names(self) -> None:
        text = "Fundamental Rules\n\n1. A.\n\nOrdinary Rules\n\n10. B.\n"
        found = imported(text, tiers="fundamental,ordinary")
        assert tiers(found) == {1: "fundamental", 10: "ordinary"}
        assert settings(found).endswith("tiers: [fundamental, ordinary]\n")
        assert found.findings == ()
        unnamed = imported(text)
        assert tiers(unnamed) == {1: "mutable", 10: "mutable"}
        assert "if it names a tier, name that in --tiers" in unnamed.findings[0].help

    def test_the_tiers_of_the_game(self) -> None:
        for heading, typed, wanted in (
            ("Mutable", None, "[immutable, mutable]"),
            ("Constitutional", None, "[constitutional, immutable, mutable]"),
            ("Immutable", "mutable", "[immutable, mutable]"),
            ("Mutable", "mutable,immutable", "[mutable, immutable]"),
        ):
            assert f"\ntiers: {wanted}\n" in settings(imported(f"{heading} Rules\n\n1. A.\n", tiers=typed))


class TestTierMap:
    """What is typed behind `--tiers`."""

    @pytest.mark.parametrize("text", ["immutable,mutable", "a=1-9,b=10-,a=305", "constitutional=1-6,immutable,mutable=7-"])
    def test_it_is_read_and_written(self, text: str) -> None:
        assert str(TierMap.parse(text)) == text
        assert TierMap.parse(f" {text.replace(',', ' , ')}") == TierMap.parse(text)

    def test_its_numbers(self) -> None:
        typed = TierMap.parse("immutable=-199, mutable=200-,immutable=305")
        assert typed.names == ("immutable", "mutable")
        assert [typed.of(number) for number in (1, 199, 200, 305, 999_999_999)] == [
            *("immutable", "immutable", "mutable", "mutable", "mutable"),
        ]

    @pytest.mark.parametrize(
        ("text", "wrong"),
        [
            ("", "should name tiers"),
            ("Immutable", "should name tiers"),
            ("a,,b", "should name tiers"),
            ("a=", "'' does not"),
            ("a=x", "'x' does not"),
            ("a=-", "'-' does not"),
            ("a=1-2-3", "'1-2-3' does not"),
            ("a=9-1", "should say numbers that ascend"),
            ("a=1234567890", "'1234567890' does not"),
        ],
    )
    def test_nonsense_is_refused(self, text: str, wrong: str) -> None:
        with pytest.raises(ValueError, match=wrong):
            TierMap.parse(text)


class TestNumbers:
    """What a text says of its own numbers."""

    def test_what_the_set_says_it_has(self) -> None:
        found = imported("101. The Initial Set is Rules 101-104 (immutable) and 201-203 (mutable).\n\n104. A.\n\n202. B.\n")
        assert said(found) == [
            "1 import-numbers: Rule 101 says that the set is Rules 101–104, 201–203, and 102–103, 201, 203 are not here"
        ]

    def test_numbers_of_proposals_are_spent(self) -> None:
        found = imported("Mutable Rules\n\n201. Proposals are numbered, beginning with 301.\n\n303. A.\n\n305. B.\n")
        assert settings(found).endswith("lost:\n  proposals: [301, 302, 303, 304, 305]\n")
        assert said(found) == [
            "5 import-numbers: Rules 303, 305 must have come of proposals, of which nothing is here"
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "The numbers shall begin with 301.",
            "Numbering starts at 301.",
            "The first proposal shall be numbered 301 and so on.",
        ],
    )
    def test_how_the_first_number_is_said(self, text: str) -> None:
        assert "proposals: [301]" in settings(imported(f"108. {text}\n\n301. A.\n"))
        assert "lost" not in settings(imported(f"108. {text}\n\n213. A.\n"))

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            ("Rule 1\n\nThe name of the game is Lamps & Oil II.\n", "Lamps & Oil II"),
            ('Rule 1\n\nThe name of this game shall be "Lamps".\n', "Lamps"),
            ("THE INITIAL RULES OF THE LAMPS\n\nRule 1\n\nA.\n", "The Lamps"),
            ("The rules for Lamp Nomic, as kept by Wren\n\nRule 1\n\nA.\n", "Lamp Nomic"),
            ("# LAMPS RULESET (SHORT FORMAT)\n---\n## 1\n\nA.\n", "Lamps"),
            ("Rule 1\n\nA.\n", "Nomic"),
        ],
    )
    def test_the_name_of_the_game(self, text: str, name: str) -> None:
        assert archive(imported(text).files).records.settings.name == name

    def test_a_name_that_is_given(self) -> None:
        found = import_text(b"Rule 1\n\nThe name of the game is Oil.\n", "r.txt", name="Lamps: a game")
        assert archive(found.files).records.settings.name == "Lamps: a game"


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
        "201. A rhyme:\n\n     one two\n     three four\n\n     and so on and on until this line is long enough to be one\n"
    )
    from nomicgen.formats.ruleset import short_md, short_txt

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
    assert b"```yaml rule\nprovisions:\n  adoption: {needs: unanimous}\n```\n\nOil is free.\n" in found.files["proposals/301.md"]
    assert (found.numbers, found.provided) == ((201,), (201,))
    assert said(found) == [
        "1 import-provisions: the provisions of Rule 202 find no rule here",
        "1 import-tier: this is a ruleset in the long format, whose histories say every rule's tier",
    ]


def test_every_line_has_its_place() -> None:
    taken_apart(
        "Title\n\nImmutable Rules\n-----\n\n101. [a] (immutable) A.\n  1. one\n\n\nPart 2: More\n\nMutable Rules\n\nWhy?\n\n"
        "201.\nB.\n\n=====\n\nBack to the top\n"
    )
