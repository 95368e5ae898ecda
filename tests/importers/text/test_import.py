"""A ruleset that was kept as text, made a game by a map: its files, tiers, marks, numbers and
provisions.
"""

from __future__ import annotations

import pytest

from nomicgen.formats.ruleset_text import short_md
from nomicgen.importers.tiers import TierMap
from tests.importers.texts import imported, rules, said, settings, tiers
from tests.rulesets import history_of_tree


def test_the_files_of_a_game() -> None:
    found = imported(
        "Immutable Rules\n\n101. All obey.\n\nMutable Rules\n\n201. [void] Tea is served.\n",
        "numbered",
    )
    assert found.findings == ()
    tea = "---\nnumber: 201\nmutability: mutable\nrevision: 0\nvoid: true\n---\n\nTea is served.\n"
    assert {path: data.decode() for path, data in found.files.items()} == {
        "nomic.yml": "format: 1\nname: Nomic\ntiers: [immutable, mutable]\n",
        "rules/101.md": "---\nnumber: 101\nmutability: immutable\nrevision: 0\n---\n\nAll obey.\n",
        "rules/201.md": tea,
        "rules/initial/101.md": "---\nnumber: 101\nmutability: immutable\nrevision: 0\n---\n\n"
        "All obey.\n",
        "rules/initial/201.md": tea,
    }


@pytest.mark.parametrize(
    ("head", "which", "keys"),
    [
        ("201. [void]", "numbered", "void: true\n"),
        ("201. [see 202]", "numbered", "note: see 202\n"),
        ("## 201/3 (VOIDED)", "headings", "void: true\n"),
        ("## Rule 201: Tea ##", "headings", "title: Tea\n"),
    ],
)
def test_marks(head: str, which: str, keys: str) -> None:
    revision = 3 if "/3" in head else 0
    matter = (
        f"revision: {revision}\n{keys}" if "title" not in keys else f"{keys}revision: {revision}\n"
    )
    (text,) = rules(imported(f"{head}\nTea is served.\n", which, tiers="mutable")).values()
    assert sorted(text.split("\n")) == sorted(
        f"mutable\n{matter}---\n\nTea is served.\n".split("\n")
    )


def test_a_rule_that_is_marked_as_repealed_is_left_out() -> None:
    found = imported(
        "## 201 [repealed]\n\n## 202 [repealed]\n\nTea.\n\n## 203\n", "headings", tiers="mutable=1-"
    )
    assert [*rules(found)] == [203]
    assert said(found) == [
        "1 import-unread: Rule 201 is marked as repealed",
        "3 import-unread: Rule 202 is marked as repealed",
        "7 import-unread: Rule 203 has no text",
    ]


class TestTiers:
    """The mark in a heading, else the section, else the map's numbers, else what is typed in their
    place.
    """

    def test_the_order_of_what_is_believed(self) -> None:
        own = (
            "rule: {heading: '(?P<number>\\d+)(?: (?P<tier>\\w+))?$'}\n"
            "section: ['(?P<tier>\\w+) Rules$']\n"
        )
        text = "101\n\nA.\n\n201\n\nB.\n\nCore Rules\n\n202\n\nC.\n\n203 open\n\nD.\n"
        found = imported(text, f"{own}tiers: {{core: 101, open: }}\n")
        assert tiers(found) == {101: "core", 201: "open", 202: "core", 203: "open"}
        assert settings(found).endswith("tiers: [core, open]\n")
        assert found.findings == ()
        typed = imported(text, f"{own}tiers: {{core: 101, open: }}\n", tiers="open=101,core=201")
        assert tiers(typed) == {101: "open", 201: "core", 202: "core", 203: "open"}

    def test_what_nothing_says_is_told(self) -> None:
        found = imported("# 1\n\nA.\n\n# 20 (immutable)\n\nB.\n\n# 30\n\nC.\n", "headings")
        assert tiers(found) == {1: "mutable", 20: "immutable", 30: "mutable"}
        (one,) = found.findings
        assert said(found) == [
            "1 import-tier: nothing says the tier of Rules 1, 30: mutable, the least entrenched, "
            "is taken"
        ]
        assert (
            one.help == "to say it: `tiers:` in the map, or --tiers immutable=101-199,mutable=200-"
        )

    @pytest.mark.parametrize(
        ("tier", "typed", "wanted"),
        [
            ("Mutable", None, "[immutable, mutable]"),
            ("Constitutional", None, "[constitutional, immutable, mutable]"),
            ("Power=3.10", None, "[power-3-1]"),
            ("Immutable", "mutable", "[immutable, mutable]"),
            ("Mutable", "mutable,immutable", "[mutable, immutable]"),
        ],
    )
    def test_the_tiers_of_the_game(self, tier: str, typed: str | None, wanted: str) -> None:
        assert f"\ntiers: {wanted}\n" in settings(
            imported(f"# 1 ({tier})\n\nA.\n", "headings", tiers=typed)
        )

    @pytest.mark.parametrize(
        "text",
        ["immutable,mutable", "a=1-9,b=10-,a=305", "constitutional=1-6,immutable,mutable=7-"],
    )
    def test_what_is_typed_is_read_and_written(self, text: str) -> None:
        assert str(TierMap.parse(text)) == text
        assert TierMap.parse(f" {text.replace(',', ' , ')}") == TierMap.parse(text)

    def test_the_numbers_that_are_typed(self) -> None:
        typed = TierMap.parse("immutable=-199, mutable=200-,immutable=305")
        assert typed.names == ("immutable", "mutable")
        assert [typed.tier_of(number) for number in (1, 199, 200, 305, 999_999_999)] == [
            *("immutable", "immutable", "mutable", "mutable", "mutable"),
        ]

    def test_the_only_tier_is_that_of_all_rules(self) -> None:
        assert TierMap.parse("house").tier_of(7) == "house"
        assert TierMap.parse("house,moot").tier_of(7) is None

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
            (
                "a,b,c=4-",
                "should give the numbers of all tiers but one, and does not say those of a",
            ),
        ],
    )
    def test_nonsense_is_refused(self, text: str, wrong: str) -> None:
        with pytest.raises(ValueError, match=wrong):
            TierMap.parse(text)


def test_numbers_of_proposals_are_spent() -> None:
    for last, lost in (
        (305, "lost:\n  proposals: [301-305]\n"),
        (301, "lost:\n  proposals: [301]\n"),
        (213, ""),
    ):
        found = imported(f"201. A.\n\n{last}. B.\n", "numbered")
        assert settings(found) == f"format: 1\nname: Nomic\ntiers: [immutable, mutable]\n{lost}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("Just words.\n", "no line in this file begins a rule"),
        ("\0", "the file holds no text"),
    ],
)
def test_a_text_without_rules(text: str, message: str) -> None:
    found = imported(text, "headings")
    assert found.files == {}
    assert said(found) == [f"1 import-unread: {message}"]


def test_what_a_game_exports_is_read_again() -> None:
    first = imported(
        "Immutable Rules\n\n101. All *obey*, 2*3 times:\n  - now\n  - then\n    and again\n\n"
        "Mutable Rules\n\n"
        "201. A rhyme:\n\n     one two\n     three four\n\n"
        "     and so on until this line is long enough to be one\n",
        "numbered",
    )
    assert rules(imported(short_md(history_of_tree(first.files)), "headings")) == rules(first)
