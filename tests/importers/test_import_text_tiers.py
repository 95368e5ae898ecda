"""A ruleset that was kept as text: the marks of its rules, their tiers, and what it says of its own numbers."""

from __future__ import annotations

import pytest

from nomicgen.importers.text_import import import_text
from nomicgen.importers.tiers import TierMap
from tests.importers.texts import bodies, imported, rules, said, settings, tiers
from tests.rulesets import archive


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
        key = f"title: {title}\n" if title else ""
        assert rules(imported(f"{text}\n")) == {201: f"mutable\nrevision: 0\n{key}---\n\n{words}\n"}


class TestTiers:
    """A tier is what stands behind the number, else the heading, else what the set says, else what is typed."""

    SETS = (
        "Rules 101-116 (immutable) and 201-213 (mutable).",
        "Rules 101 through 116 are immutable and rules 201 to 213 are mutable.",
        "Initially, rules in the 100's are immutable and rules in the 200’s are mutable.",
        "rules in the 100s are immutable and in the 200s are all initially mutable.",
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
            101: "constitutional",
            201: "mutable",
            202: "constitutional",
            203: "immutable",
            301: "immutable",
            401: "constitutional",
        }
        assert [one for one in said(found) if "tier" in one] == [
            "11 import-tier: Rule 202 stands among the constitutional, and the set's own rules call its number mutable",
            "13 import-tier: Rule 203 stands among the immutable, and the set's own rules call its number mutable",
        ]

    def test_the_tier_without_numbers_has_all_others(self) -> None:
        found = imported("1. A.\n\n3. B.\n\n4. C.\n\n5. D.\n", tiers="immutable,mutable=4-")
        assert tiers(found) == {1: "immutable", 3: "immutable", 4: "mutable", 5: "mutable"}
        assert found.findings == ()

    def test_what_is_typed_overrules_nothing(self) -> None:
        found = imported("Immutable Rules\n\n101. All obey.\n", tiers="immutable,mutable=101")
        assert tiers(found) == {101: "immutable"}
        assert said(found) == ["3 import-tier: --tiers calls Rule 101 mutable, and the text calls it immutable"]

    def test_what_to_type(self) -> None:
        (finding,) = imported("1. Rules in the 10's are immutable.\n\n10. A.\n\n20. B.\n\n30. C.\n").findings
        assert finding.help == "to confirm or change that: `--tiers immutable,mutable=1-30`"

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

    @pytest.mark.parametrize(
        "text", ["immutable,mutable", "a=1-9,b=10-,a=305", "constitutional=1-6,immutable,mutable=7-"]
    )
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
            ("a,b,c=4-", "should give the numbers of all tiers but one, and does not say those of a"),
        ],
    )
    def test_nonsense_is_refused(self, text: str, wrong: str) -> None:
        with pytest.raises(ValueError, match=wrong):
            TierMap.parse(text)


class TestNumbers:
    """What a text says of its own numbers."""

    def test_numbers_of_proposals_are_spent(self) -> None:
        found = imported("Mutable Rules\n\n201. Proposals are numbered, beginning with 301.\n\n303. A.\n\n305. B.\n")
        assert settings(found).endswith("lost:\n  proposals: [301-305]\n")
        assert said(found) == ["5 import-numbers: Rules 303, 305 must have come from proposals that are not here"]

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
            ("# LAMPS RULESET (SHORT FORMAT)\n---\n## 1\n\nA.\n", "Lamps"),
            ("Rule 1\n\nA.\n", "Nomic"),
        ],
    )
    def test_the_name_of_the_game(self, text: str, name: str) -> None:
        assert archive(imported(text).files).records.settings.name == name

    def test_a_name_that_is_given(self) -> None:
        found = import_text(b"Rule 1\n\nThe name of the game is Oil.\n", "r.txt", name="Lamps: a game")
        assert archive(found.files).records.settings.name == "Lamps: a game"
