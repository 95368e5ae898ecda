"""A ruleset in the long format, made a game: what is read, what is said of slips, and that it
prints as it was.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.files.markdown import parser
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.formats.ruleset_text import long_md
from nomicgen.importers.game_writing import ABOVE, ImportedGame
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.open_archive import Opening, open_game
from nomicgen.importers.recognised_rulesets import recognised_rules
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from tests.rulesets import RULE, TITLE, errors, history_of_tree, imported, shown, texts, with_text

LANTERN = (Path(__file__).parent / "lantern-long.md").read_bytes()
SPELL = "acts/2021-03-06-spell-7.md"


class TestTheLanternGame:
    """A small ruleset in our own words, with every kind of thing that the format can say."""

    def test_nothing_is_wrong_with_it(self) -> None:
        assert import_long(LANTERN, "l.md").findings == ()

    def test_it_prints_as_it_was(self) -> None:
        found = history_of_tree(import_long(LANTERN, "l.md").files)
        assert errors(found) == []
        assert long_md(found).encode() == LANTERN

    def test_its_settings(self) -> None:
        assert import_long(LANTERN, "l.md").files["nomic.yml"].decode() == (
            "format: 1\nname: LANTERN\n"
            "links:\n  file: https://forge.example/lantern/blob/{sha}/law/{number}.md\n"
            "started: 2021-03-01\ntiers: [immutable, mutable]\nlost:\n  proposals: [305, 307-308]\n"
        )

    def test_its_players_keep_their_names(self) -> None:
        assert texts(import_long(LANTERN, "l.md").files, "players/") == {
            "players/quill-the-elder.yml": "name: Quill [the elder]\nkind: past\n",
            "players/tallow.yml": "name: tallow\nkind: past\n",
            "players/wren-of-the-hill.yml": "name: Wren of the Hill\nkind: past\n",
        }

    def test_earlier_texts_are_lost(self) -> None:
        files = import_long(LANTERN, "l.md").files
        assert files["rules/initial/202.md"].decode() == (
            "---\nnumber: 202\nmutability: mutable\nrevision: 0\ntext: lost\n---\n"
        )
        assert files["rules/initial/101.md"].decode() == (
            f"---\nnumber: 101\nmutability: immutable\nrevision: 0\ncommit: {'a1' * 20}\n---\n\n"
            "Who walks at night carries a lantern. Rules created from spells are numbered from "
            "601.\n"
        )
        assert files["proposals/301.md"].decode() == (
            "---\nnumber: 301\nauthor: wren-of-the-hill\nturn: R1T1\nstatus: adopted\n"
            "decided: 2021-03-02\n"
            f"votes: unrecorded\ncommit: {'b2' * 20}\n---\n\n## Amend Rule 201/0\n\n"
            "```yaml rule\ntext: lost\n```\n"
        )

    def test_a_number_that_a_rule_took_from_its_proposal(self) -> None:
        assert (
            import_long(LANTERN, "l.md")
            .files["proposals/309.md"]
            .decode()
            .endswith(
                "## Amend Rule 203/0\n\nNobody whistles under the arch.\n\n"
                "## Renumber Rule 203/0 to 309\n"
            )
        )

    def test_its_judgements(self) -> None:
        assert texts(import_long(LANTERN, "l.md").files, "judgements/") == {
            "judgements/1.md": "---\nnumber: 1\njudge: wren-of-the-hill\ndate: 2021-03-03\n"
            "turn: R1T2\nrules: [101/0]\n"
            "status: upheld\n---\n\n## Ruling\n\nA lamp counts as a lantern, if it *burns*.\n",
            "judgements/2.md": "---\nnumber: 2\njudge: quill-the-elder\ndate: 2021-03-09\n"
            "rules: [101/0]\n"
            "status: upheld\n---\n\n## Ruling\n\nA torch does not.\n",
            "judgements/3.md": "---\nnumber: 3\njudge: quill-the-elder\ndate: 2021-03-10\n"
            "status: upheld\n---\n\n"
            "## Ruling\n\n## Amend Rule 201/1\n\n```yaml rule\ntext: lost\n```\n",
        }

    def test_its_act(self) -> None:
        assert import_long(LANTERN, "l.md").files[SPELL].decode() == (
            "---\ncause: Spell 7\nby: tallow\ndate: 2021-03-06\nturn: R2T2\n---\n\n"
            "## Enact Rule 601\n\nA fourth gate stands open.\n"
        )

    def test_the_derived_ruleset_is_there(self) -> None:
        files = import_long(LANTERN, "l.md").files
        assert sorted(
            path for path in files if path.startswith("rules/") and "initial" not in path
        ) == [f"rules/{number}.md" for number in (101, 201, 302, 305, 309, 601)]


ALIKE = [
    LANTERN.replace(b"---\n## 101", b"## 101", 1),
    LANTERN.replace(b"---\n## 101", b"---\n\n## 101", 1),
    LANTERN.replace(b"---\n## 101", b"---\nWelcome.\n\n## 101", 1),
    LANTERN.replace(b"## 302/0\n\n", b"##  302/0 ##\n", 1),
    LANTERN.replace(b"(IMMUTABLE)\n", b"(Immutable) \t\n", 1),
    LANTERN.replace(b"##### *History*", b"#### History", 1),
    LANTERN.replace(b"##### *Judgments*", b"##### *Judgements*", 1),
    LANTERN.replace(b"(R1T2)*  \n", b"(R1T2)*\n", 1),
    LANTERN.replace(b"(R1T2)*  \n", b"(R1T2)*  \n \n", 1),
    LANTERN.replace(b"\n\n## 302/0", b"\n \n## 302/0", 1),
    LANTERN.removesuffix(b"\n"),
    LANTERN + b"\n\n",
    b"\xef\xbb\xbf" + LANTERN,
]
ODD = [
    (
        LANTERN.replace(b"\n", b"\r\n"),
        "1:1 import-unread: lines end in CR LF or CR from here on",
    ),
    (
        LANTERN.replace(b"bell", "bell\u200b\u202e".encode()),
        "42:1 import-unread: characters are invisible from here on",
    ),
]


@pytest.mark.parametrize("text", ALIKE, ids=range(len(ALIKE)))
def test_a_text_says_the_same_however_it_is_laid_out(text: bytes) -> None:
    found = import_long(text, "l.md")
    assert found.findings == ()
    assert long_md(history_of_tree(found.files)).encode() == LANTERN


@pytest.mark.parametrize(("text", "said"), ODD, ids=range(len(ODD)))
def test_what_no_file_of_a_game_holds_is_noted_once_and_stops_nothing(
    text: bytes, said: str
) -> None:
    found = import_long(text, "l.md")
    assert shown(found.findings) == [said]
    assert long_md(history_of_tree(found.files)).encode() == LANTERN


def test_what_stands_above_the_rules_is_a_page() -> None:
    found = import_long(LANTERN.replace(b"---\n## 101", b"---\nWelcome.\n\n## 101", 1), "l.md")
    assert found.files[ABOVE].decode() == "# Above the rules\n\nWelcome.\n"


def test_nothing_on_that_page_is_markup() -> None:
    words = b"Welcome\n=======\n1. one\n- two\n+ three\n<b>*four*</b>\n\n"
    found = import_long(LANTERN.replace(b"---\n## 101", b"---\n" + words + b"## 101", 1), "l.md")
    shown_page = parser().render(found.files[ABOVE].decode())
    assert shown_page == (
        "<h1>Above the rules</h1>\n<p>Welcome\n=======\n1. one\n- two\n+ three\n"
        "&lt;b&gt;*four*&lt;/b&gt;</p>\n"
    )


def test_what_changed_nothing_is_no_instrument() -> None:
    found = imported(
        with_text(
            "Rule 201, Mar 1, 2021*",
            "Rule 201, Mar 1, 2021*  \n*Transmuted to mutable by Proposal 303*",
        )
    )
    assert errors(history_of_tree(found.files)) == []
    assert "proposals/303.md" not in found.files
    assert shown(found.findings) == [
        "10:1 import-unread: Proposal 303 changed nothing",
    ]


def test_letters_are_composed() -> None:
    found = imported(with_text("lit", "lit by Ame\u0301lie"))
    assert shown(found.findings) == [
        "5:1 import-unread: letters are not in Unicode normal form C from here on"
    ]
    assert "Am\u00e9lie" in found.files["rules/201.md"].decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no rule with a history stands here"),
        ("Just some words.\n", "no rule with a history stands here"),
        (
            "# LANTERN RULESET (SHORT FORMAT)\n---\n## 201\n\nLamps.",
            "no rule with a history stands here",
        ),
        (f"{TITLE}", "no rule with a history stands here"),
        (f"{TITLE}## 201/0\n\nLamps are lit.\n", "no rule with a history stands here"),
    ],
)
def test_another_text_gives_no_files(text: str, said: str) -> None:
    found = imported(text)
    assert found.files == {}
    assert {one.slug for one in found.findings} == {"import-unread"}
    assert any(one.message.startswith(said) for one in found.findings)


def test_bytes_that_are_no_text() -> None:
    found = import_long(b"# LANTERN\nab\0", "l.md")
    assert found.files == {}
    assert "1:1 import-unread: the file holds no text" in shown(found.findings)


def test_a_missing_title_stops_nothing() -> None:
    found = imported(RULE)
    assert found.findings == ()
    assert "name: Nomic\n" in found.files["nomic.yml"].decode()
    assert "rules/201.md" in found.files


def corrected(seed: str) -> str:
    """The seed without its own slips: four headings, one blank line, spaces after two lines."""
    assert seed.count("\n#### *History*\n") == 4
    assert seed.count("/210.md)\n## 211/0\n") == 1
    assert seed.count("/308.md)  \n\n") == seed.count("/336.md)  \n\n") == 1
    seed = seed.replace("\n#### *History*\n", "\n##### *History*\n").replace(
        "\n## 211/0\n", "\n\n## 211/0\n"
    )
    return seed.replace("/308.md)  \n", "/308.md)\n").replace("/336.md)  \n", "/336.md)\n")


@pytest.fixture(scope="module")
def seed(shared: Path) -> str:
    """Nomic IV, as it was really kept."""
    return (shared / "seeds" / "nomic-4-long-format.md").read_text("utf-8")


@pytest.fixture(scope="module")
def found(seed: str) -> ImportedGame:
    return import_long(seed.encode(), "rules-l.md")


class TestNomicFour:
    def test_nothing_is_wrong_with_it(self, found: ImportedGame) -> None:
        assert found.findings == ()

    def test_it_prints_as_it_was_but_for_its_slips(self, found: ImportedGame, seed: str) -> None:
        assert long_md(history_of_tree(found.files)) == corrected(seed)

    def test_its_slips_change_nothing(self, found: ImportedGame, seed: str) -> None:
        assert import_long(corrected(seed).encode(), "rules-l.md").files == found.files

    def test_only_its_holes_are_warned_of(self, found: ImportedGame) -> None:
        assert sorted(one.slug for one in history_of_tree(found.files).findings) == [
            "image-missing",
            "law-unread",
            "proposals-lost",
            "text-lost",
            "votes-unrecorded",
        ]

    def test_what_it_holds(self, found: ImportedGame) -> None:
        whole = history_of_tree(found.files)
        assert len(whole.replay.current) == 57
        assert whole.replay.current.count("immutable") == 17
        assert sum(len(one.entries) for one in whole.histories.rules.values()) == 67
        assert len(whole.records.of_kind("proposal")) == 30
        assert whole.records.settings.lost.proposals == [
            302,
            307,
            310,
            313,
            315,
            321,
            331,
            334,
            337,
        ]
        assert whole.records.players[PlayerId("thunder-thighs")].matter.name == "THUNDER THIGHS"
        assert whole.records.turns == {}
        assert found.files["acts/2020-08-14-temporary-rule-601.md"].startswith(
            b"---\ncause: Temporary Rule 601\nby: fenris-wolf\ndate: 2020-08-14\nturn: R5T8\n"
        )
        assert b"judge: coconutpies\n" in found.files["judgements/1.md"]
        assert b"rules: [117/0]\n" in found.files["judgements/1.md"]

    def test_what_its_rules_let_players_do_is_offered(self, found: ImportedGame) -> None:
        """Points under Rules 305, 330 and 336; the tie that a bot breaks; rules from 600 on, and
        their end.
        """
        current = history_of_tree(found.files).replay.current
        offered = recognised_rules(current, "nomic-iv")
        assert offered[305] == {"awards": {"in": ["act", "proposal", "turn"], "amount": "35"}}
        assert offered[330] == {"awards": {"in": ["act", "turn"], "at_least": "1"}}
        assert offered[336]["awards"][0] == {"in": ["act", "turn"], "amount": "-1"}
        assert offered[323]["ballot"]["tie_break"]["by"] == "nomitron"
        assert [one["to"] for one in offered[308]["authority"]] == [
            ["enact"],
            ["repeal"],
            ["repeal"],
        ]
        assert offered[104] == {"ballot": {"withdrawal": "never", "under": "207"}}
        assert offered[214] == offered[327] == {}

    def test_points_that_its_texts_give_are_given(self, found: ImportedGame) -> None:
        on = Moment.parse("2021-01-10")
        who: dict[PlayerId, dict[str, str]] = {PlayerId(name): {} for name in ("ada", "bob")}
        game = load_tree(Path(), found.files, on)
        opened = open_game(game, Opening(provisions="nomic-iv"), who, on).after

        def found_with(**points: object) -> list[str]:
            matter = {"cause": "Coins", "date": "2021-01-11", "by": "ada", "points": [points]}
            tree = {**opened.tree, "acts/2021-01-11-coins.md": write_front_matter(matter, "Coins.")}
            return [
                one.message for one in load_tree(Path(), tree, Moment.parse("2021-01-12")).errors
            ]

        assert found_with(player="ada", amount=1, reason="four coins", under=330) == []
        assert found_with(player="ada", amount=-1, reason="bob is stinky", under=336) == []
        assert found_with(player="bob", amount=35, reason="the corner", under=305) == []
        (why,) = found_with(player="bob", amount=36, reason="the corner", under=305)
        assert "gives bob 36 points under Rule 305" in why
