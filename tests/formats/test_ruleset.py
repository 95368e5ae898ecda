"""The long and short formats, as Markdown and as plain text."""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.files.yaml_writing import write_front_matter, write_rule
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line, history_link, judgement_text
from tests.ledger import UNANIMOUS, Ledger
from tests.rulesets import history_of_tree

FILE = "https://forge.example/game/blob/{sha}/{path}"
SHA = "7" * 40


def lines(found: GameHistory, number: int) -> list[str]:
    history = found.histories.of_number(number)
    assert history is not None
    names: dict[str, str] = {
        ident: player.matter.name for ident, player in found.records.players.items()
    }
    return [history_line(entry, names) for entry in history.entries]


def small(**settings: Any) -> Ledger:
    made = Ledger.start({101: UNANIMOUS, 201: {}}, name="Lantern", **settings)
    made.player("wren", name="Wren *of* the [Hill]")
    return made


def test_the_long_format_of_a_small_game() -> None:
    made = small(links={"file": FILE}).proposal(
        301, "01-05", "## Amend Rule 201/0\n\nA lamp is lit at dusk.", commit=SHA, turn="R1T1"
    )
    made.judgement(
        1, "01-06", "Is a candle a lamp?\n\n## Ruling\n\nIt is,\nif it *burns*.", rules=["201/1"]
    )
    assert long_md(history_of_tree(made.tree)) == (
        "# LANTERN RULESET (LONG FORMAT)\n---\n"
        "## 101/0 (IMMUTABLE)\n\nThe text of 101.\n\n"
        "##### *History*\n\n*Initial immutable Rule 101, Jan 1, 2026*\n\n"
        "## 201/1\n\nA lamp is lit at dusk.\n\n"
        "##### *History*\n\n*Initial mutable Rule 201, Jan 1, 2026*  \n"
        "[*Amended (1) by Proposal 301 (Wren \\*of\\* the \\[Hill\\]), Jan 5, 2026 (R1T1)*]"
        f"(https://forge.example/game/blob/{SHA}/rules/201.md)\n\n"
        "##### *Judgments*\n\n*It is, if it *burns*. (quill), Jan 6, 2026*\n"
    )


def test_the_short_format_of_a_small_game() -> None:
    assert short_md(history_of_tree(small().tree)) == (
        "# LANTERN RULESET (SHORT FORMAT)\n---\n## 101 (IMMUTABLE)\n\nThe text of 101.\n\n"
        "## 201\n\nThe text of 201."
    )


def test_the_long_format_as_plain_text() -> None:
    made = small().judgement(1, "01-06", "## Ruling\n\nIt *is* one.", rules=["201"], turn="R1T2")
    assert long_txt(history_of_tree(made.tree)) == (
        f"LANTERN RULESET (LONG FORMAT)\n\n{'=' * 70}\n{'-' * 70}\n"
        "Rule 101/0 (IMMUTABLE)\n\n      The text of 101.\n\n"
        f"History:\nInitial immutable Rule 101, Jan 1, 2026\n\n{'-' * 70}\n"
        "Rule 201/0\n\n      The text of 201.\n\n"
        "History:\nInitial mutable Rule 201, Jan 1, 2026\n\n"
        f"Judgments:\nIt *is* one. (quill), Jan 6, 2026 (R1T2)\n\n{'-' * 70}"
    )


def test_the_short_format_as_plain_text() -> None:
    assert short_txt(history_of_tree(small().tree)) == (
        f"LANTERN RULESET (SHORT FORMAT)\n\n{'=' * 70}\n{'-' * 70}\n"
        f"Rule 101 (IMMUTABLE)\n\n      The text of 101.\n\n{'-' * 70}\n"
        f"Rule 201\n\n      The text of 201.\n\n{'-' * 70}"
    )


def test_each_kind_of_line() -> None:
    made = small().rule(202).rule(203)
    authority = [{"by": "judgement", "to": "amend"}, {"by": "act", "to": "enact"}]
    made.rule(204, {"authority": authority, "judgements": {"judge": "anyone"}})
    made.proposal(301, "01-05", "## Transmute Rule 201/0 to immutable", turn="R1T1")
    made.proposal(302, "01-06", "## Retitle Rule 201/0: Lamps")
    made.proposal(303, "01-07", "## Renumber Rule 201/0 to 299")
    made.proposal(304, "01-08", "## Mark Rule 299/0\n\n```yaml rule\nnote: dim\n```", author=None)
    made.proposal(305, "01-09", "## Repeal Rule 202/0")
    made.proposal(306, "01-10", "## Enact Rule\n\nNew.")
    made.judgement(1, "01-11", "## Ruling\n\nSo.\n\n## Amend Rule 203/0\n\nJudged.", under=204)
    made.act(
        "wish",
        "01-12",
        "## Enact Rule 601\n\nWished.",
        cause="Wish 7",
        by="203",
        under=204,
        turn="R2T1",
    )
    found = history_of_tree(made.tree)
    assert lines(found, 299) == [
        "Initial mutable Rule 201, Jan 1, 2026",
        "Transmuted to immutable by Proposal 301 (Wren *of* the [Hill]), Jan 5, 2026 (R1T1)",
        "Retitled by Proposal 302 (Wren *of* the [Hill]), Jan 6, 2026",
        "Renumbered from 201 by Proposal 303 (Wren *of* the [Hill]), Jan 7, 2026",
        "Marked by Proposal 304, Jan 8, 2026",
    ]
    assert lines(found, 202)[-1] == "Repealed by Proposal 305 (Wren *of* the [Hill]), Jan 9, 2026"
    assert lines(found, 306) == ["Enacted by Proposal 306 (Wren *of* the [Hill]), Jan 10, 2026"]
    assert lines(found, 203)[-1] == "Amended (1) by Judgement 1 (quill), Jan 11, 2026"
    assert lines(found, 601) == ["Created from Wish 7 (Rule 203), Jan 12, 2026 (R2T1)"]
    assert "## 202" not in long_md(found)


def test_a_line_leaves_out_what_is_not_known() -> None:
    made = small()
    matter = {"number": 301, "status": "adopted", "votes": "unrecorded"}
    made.tree["proposals/301.md"] = write_front_matter(matter, "## Amend Rule 201/0\n\nNew.")
    assert lines(history_of_tree(made.tree), 201)[-1] == "Amended (1) by Proposal 301"


def test_the_date_is_that_of_the_decision() -> None:
    made = small().proposal(301, "01-05", "## Amend Rule 201/0\n\nNew.", effective="2026-01-09")
    assert lines(history_of_tree(made.tree), 201)[-1].endswith(", Jan 5, 2026")


def test_a_number_taken_from_the_proposal_goes_unsaid() -> None:
    made = Ledger.start({101: {**UNANIMOUS, "numbering": {"amended": "proposal"}}, 201: {}})
    made.proposal(301, "01-05", "## Amend Rule 201/0\n\nNew.")
    assert lines(history_of_tree(made.tree), 301) == [
        "Initial mutable Rule 201, Jan 1, 2026",
        "Amended (1) by Proposal 301 (wren), Jan 5, 2026",
    ]


def test_a_renumbering_to_the_proposals_own_number_is_printed_unless_it_amends() -> None:
    made = small().rule(202)
    made.proposal(301, "01-05", "## Amend Rule 201/0\n\nNew.\n\n## Renumber Rule 201/0 to 301")
    made.proposal(302, "01-06", "## Renumber Rule 202/0 to 302")
    printed = long_md(history_of_tree(made.tree))
    assert "Renumbered from 201" not in printed
    assert "*Renumbered from 202 by Proposal 302 " in printed


def test_a_lost_text_says_so() -> None:
    made = small()
    made.tree["rules/initial/202.md"] = write_rule(
        number=202, mutability="mutable", revision=0, text=None
    )
    found = history_of_tree(made.tree)
    assert "## 202/0\n\n*(text lost)*\n\n##### *History*" in long_md(found)
    assert "Rule 202\n\n      *(text lost)*\n\n" in short_txt(found)


def test_a_void_rule_stands() -> None:
    made = small().proposal(301, "01-05", "## Mark Rule 201/0\n\n```yaml rule\nvoid: true\n```")
    assert "## 201\n\nThe text of 201." in short_md(history_of_tree(made.tree))


def test_of_three_tiers_the_last_goes_unsaid() -> None:
    made = Ledger.start({}, tiers=["constitutional", "immutable", "mutable"], name="T")
    made.rule(1, tier="constitutional").rule(101).rule(201)
    headings = [
        line for line in long_md(history_of_tree(made.tree)).splitlines() if line.startswith("## ")
    ]
    assert headings == ["## 1/0 (CONSTITUTIONAL)", "## 101/0 (IMMUTABLE)", "## 201/0"]


def test_judgements_that_do_not_stand_are_not_printed() -> None:
    made = small()
    made.judgement(1, "01-06", "## Ruling\n\nOne.", rules=["201/0"], status="pending")
    made.judgement(
        2, "01-07", "## Ruling\n\nTwo.", rules=["201/0"], status="overruled", overruled="2026-01-08"
    )
    made.judgement(3, "01-08", "## Ruling\n\nThree.", rules=["201/0", "101/0"])
    printed = long_md(history_of_tree(made.tree))
    assert "One." not in printed
    assert "Two." not in printed
    assert printed.count("*Three. (quill), Jan 8, 2026*") == 2


def test_a_judgement_on_an_older_revision_stays_with_its_rule() -> None:
    made = small().judgement(1, "01-04", "## Ruling\n\nDim is lit.", rules=["201/0"])
    made.proposal(301, "01-05", "## Amend Rule 201/0\n\nNew.\n\n## Renumber Rule 201/0 to 301")
    printed = long_md(history_of_tree(made.tree))
    assert printed.endswith("##### *Judgments*\n\n*Dim is lit. (quill), Jan 4, 2026*\n")


def test_a_judgement_without_a_ruling_shows_its_question() -> None:
    found = history_of_tree(
        small().judgement(1, "01-04", "Is it?\n\nPerhaps.", judge=None, date=None).tree
    )
    assert judgement_text(found.records.instruments["judgements/1.md"]) == "Is it? Perhaps."


@pytest.mark.parametrize(
    ("links", "address"),
    [
        ({"file": FILE}, f"https://forge.example/game/blob/{SHA}/rules/301.md"),
        (
            {"file": "https://f.example/{sha}/law/{number}-{revision}.md"},
            f"https://f.example/{SHA}/law/301-1.md",
        ),
        ({"commit": "https://f.example/c/{sha}"}, f"https://f.example/c/{SHA}"),
        (
            {"commit": "https://f.example/c/{sha}", "file": FILE},
            f"https://forge.example/game/blob/{SHA}/rules/301.md",
        ),
        ({"commit": "https://f.example/a (b)/{sha}"}, f"https://f.example/a%20%28b%29/{SHA}"),
        ({"commit": "javascript:alert('{sha}')"}, None),
        ({}, None),
    ],
)
def test_the_address_of_a_line(links: dict[str, str], address: str | None) -> None:
    made = small(links=links).proposal(
        301, "01-05", "## Amend Rule 201/0\n\nNew.\n\n## Renumber Rule 201/0 to 301", commit=SHA
    )
    found = history_of_tree(made.tree)
    history = found.histories.of_number(301)
    assert history is not None
    assert history_link(found, history.identity, 2) == address
    assert history_link(found, history.identity, 0) is None


def test_a_repository_is_enough_for_a_link() -> None:
    made = small(repository="https://forge.example/game/").proposal(
        301, "01-05", "## Amend Rule 201/0\n\nNew.", commit=SHA
    )
    assert f"Jan 5, 2026*](https://forge.example/game/commit/{SHA})\n" in long_md(
        history_of_tree(made.tree)
    )


def test_the_initial_set_and_repeals_link_to_files_that_are_there() -> None:
    made = small(links={"file": FILE})
    made.tree["rules/initial/202.md"] = write_rule(
        number=202, mutability="mutable", revision=0, text="Old.", commit="1" * 40
    )
    made.proposal(301, "01-05", "## Repeal Rule 202/0", commit=SHA)
    found = history_of_tree(made.tree)
    history = found.histories.of_number(202)
    assert history is not None
    assert [history_link(found, history.identity, index) for index in (0, 1)] == [
        f"https://forge.example/game/blob/{'1' * 40}/rules/initial/202.md",
        f"https://forge.example/game/blob/{SHA}/proposals/301.md",
    ]
