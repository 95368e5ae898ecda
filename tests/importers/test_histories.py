"""Histories, names and addresses that an import meets: what is made of them, and what is said where
they do not fit.
"""

from __future__ import annotations

import pytest

from nomicgen.formats.ruleset_text import long_md
from tests.importers.test_certificate import held
from tests.rulesets import (
    RULE,
    TITLE,
    errors,
    history_of_tree,
    imported,
    shown,
    slips,
    texts,
    with_history,
    with_text,
)


class TestWhatARuleCanHoldInItsText:
    def test_what_looks_like_another_rule_in_a_fence(self) -> None:
        text = with_text("Lamps are lit.", "```\n## 999/0\n\n##### *History*\n```")
        assert slips(text) == []
        assert long_md(history_of_tree(imported(text).files)) == text

    def test_a_heading_of_a_history_in_a_text(self) -> None:
        text = with_text(
            "lit.", "lit.\n\n##### *History*\n\n*Initial mutable Rule 9*\n\nA long one."
        )
        assert slips(text) == []
        assert long_md(history_of_tree(imported(text).files)) == text

    def test_spaces_and_blank_lines_inside(self) -> None:
        text = with_text("Lamps are lit.", "    Lamps  \n\n\n  are lit. ")
        assert slips(text) == []
        assert long_md(history_of_tree(imported(text).files)) == text

    def test_a_heading_of_level_two_is_lowered(self) -> None:
        text = with_text("lit.", "lit.\n\n## Of the dark\n\nDark.")
        assert [one.split(":")[:2] for one in slips(text)] == [["5", "1 import-markdown"]]
        assert "lit.\n\n### Of the dark\n\nDark." in imported(text).files["rules/201.md"].decode()

    def test_what_reads_like_the_heading_of_an_instruction_is_a_line_in_bold(self) -> None:
        text = with_text("lit.", "lit.\n\n## Amend Rule 201/0\n\nDark.")
        assert [one.split(":")[:2] for one in slips(text)] == [["5", "1 import-markdown"]]
        assert (
            "lit.\n\n**Amend Rule 201/0**\n\nDark." in imported(text).files["rules/201.md"].decode()
        )

    def test_a_rule_block_is_only_yaml(self) -> None:
        text = with_history("Enacted by Proposal 301, Mar 1, 2021", heading="301/0")
        text = text.replace("Lamps are lit.", "```yaml rule\nmutability: immutable\n```\n\nLit.")
        assert [one.split(":")[0] for one in slips(text)] == ["5"]
        found = history_of_tree(imported(text).files)
        assert found.replay.current.rules[301].tier == "mutable"
        assert found.replay.current.rules[301].text == "```yaml\nmutability: immutable\n```\n\nLit."

    def test_no_text_is_a_lost_one(self) -> None:
        text = with_text("Lamps are lit.\n\n", "")
        assert slips(text) == ["3:1 import-unread: Rule 201 has no text"]
        assert history_of_tree(imported(text).files).replay.current.rules[201].text is None


class TestHistoriesThatDoNotFit:
    @pytest.mark.parametrize(
        ("lines", "said"),
        [
            (
                (
                    "Initial mutable Rule 201, Mar 1, 2021",
                    "Amended (1) by somebody's whim (Wren)",
                    "A lamp fell.",
                ),
                "11:1 import-unread: `*A lamp fell.*` is no line of a history",
            ),
            (
                (
                    "Initial mutable Rule 201, Mar 1, 2021",
                    "Amended (1) by Proposal 301, Feb 30, 2021",
                ),
                "10:1 import-unread: Feb 30, 2021 is not in the calendar",
            ),
            (
                ("Enacted by Proposal 201, Mar 1, 2021", "Enacted by Proposal 301, Mar 2, 2021"),
                "10:1 import-unread: by the rule's history and its heading, this "
                "cannot have happened",
            ),
            (
                ("Initial mutable Rule 201, Mar 1, 2021", "Repealed by Proposal 301, Mar 2, 2021"),
                "10:1 import-unread: by the rule's history and its heading, this "
                "cannot have happened",
            ),
            (
                ("Amended (1) by Proposal 301, Mar 2, 2021",),
                "3:1 import-unread: the history of Rule 201 does not say how the rule began",
            ),
            (
                (
                    "Initial immutable Rule 201, Mar 1, 2021",
                    "Amended (1) by Proposal 301, Mar 2, 2021",
                ),
                None,
            ),
            (
                (
                    "Enacted by Proposal 201, Mar 1, 2021",
                    "Amended (1) by Proposal 201 (Wren), Mar 2, 2021",
                ),
                "10:1 import-unread: by the rule's history and its heading, this "
                "cannot have happened",
            ),
            (
                ("Initial mutable Rule 201, Mar 1, 2021", "Marked by Proposal 301, Mar 2, 2021"),
                "10:1 import-unread: the format does not say what was marked",
            ),
            (
                ("Initial mutable Rule 201, Mar 1, 2021", "Retitled by Proposal 301, Mar 2, 2021"),
                "10:1 import-unread: the format does not say which title the rule got",
            ),
            (
                (
                    "Initial mutable Rule 201, Mar 1, 2021",
                    "Transmuted to mutable by Proposal 301, Mar 2, 2021",
                ),
                "10:1 import-unread: Proposal 301 changed nothing",
            ),
            (
                ("Initial mutable Rule 201, Mar 1, 2021", "Amended (1) by Spell 7 (Wren)"),
                "10:1 import-unread: Spell 7 has no date, and an act needs one",
            ),
        ],
    )
    def test_each_is_noted(self, lines: tuple[str, ...], said: str | None) -> None:
        text = with_history(*lines)
        found = imported(text)
        if said is None:
            assert history_of_tree(found.files).replay.current.rules[201].tier == "immutable"
        else:
            assert said in shown(found.findings)
        assert "rules/201.md" in found.files

    @pytest.mark.parametrize(
        ("heading", "lines", "nowhere"),
        [
            (
                "201/1",
                ("Initial mutable Rule 201", "Amended (2) by Proposal 301, Mar 2, 2021"),
                ["10 Amended 2 by Proposal 301 Mar 2 2021"],
            ),
            (
                "201/3",
                ("Enacted by Proposal 201", "Amended (1) by Proposal 301, Mar 2, 2021"),
                ["3 3"],
            ),
            ("201/0 (IMMUTABLE)", ("Initial mutable Rule 201, Mar 1, 2021",), ["3 IMMUTABLE"]),
            (
                "201/1",
                ("Initial mutable Rule 205", "Amended (1) by Proposal 301, Mar 2, 2021"),
                ["9 mutable Rule 205"],
            ),
            ("201/1", ("Initial mutable Rule 201", "Amended by Proposal 301, Mar 2, 2021"), []),
        ],
    )
    def test_what_a_line_or_a_heading_says_otherwise_is_in_the_certificate(
        self, heading: str, lines: tuple[str, ...], nowhere: list[str]
    ) -> None:
        found = imported(with_history(*lines, heading=heading))
        certificate = held(found.observed, found.files)
        assert [
            f"{one.place.partition(':')[2]} {one.text}" for one in certificate.passages
        ] == nowhere

    def test_two_lines_that_say_another_thing_of_one_proposal(self) -> None:
        lines = (
            "Initial mutable Rule {}, Mar 1, 2021",
            "Amended (1) by Proposal 301 ({}), Mar {}, 2021",
        )
        text = with_history(lines[0].format(201), lines[1].format("Wren", 2))
        other = with_history(
            lines[0].format(202), lines[1].format("Tallow", 3), heading="202/1"
        ).removeprefix(TITLE)
        found = imported(f"{text}\n{other}")
        assert shown(found.findings) == [
            "19:1 import-unread: the line gives Proposal 301 another player and date than line 10"
        ]
        assert (
            "author: wren\nstatus: adopted\ndecided: 2021-03-02\n"
            in found.files["proposals/301.md"].decode()
        )

    def test_a_rule_that_stands_twice(self) -> None:
        text = f"{TITLE}{RULE}\n{RULE}"
        assert slips(text) == ["11:1 import-unread: Rule 201 stands in line 3 already"]

    def test_the_initial_set_has_one_day(self) -> None:
        other = RULE.replace("201", "202").replace("Mar 1", "Mar 5")
        assert slips(f"{TITLE}{RULE}\n{other}") == [
            "17:1 import-unread: this line of the initial set says 2021-03-05, and another says "
            "2021-03-01"
        ]

    def test_a_rule_that_was_repealed_and_enacted_again(self) -> None:
        text = with_history(
            "Initial mutable Rule 201, Mar 1, 2021",
            "Repealed by Proposal 301, Mar 2, 2021",
            "Enacted by Proposal 302, Mar 3, 2021",
            heading="302/0",
        )
        found = imported(text)
        assert "reenacts: 201" in found.files["proposals/302.md"].decode()
        assert long_md(history_of_tree(found.files)) == text

    def test_judgements_that_no_line_tells_of_are_lost(self) -> None:
        found = imported(
            with_history(
                "Initial mutable Rule 201, Mar 1, 2021",
                "Amended (1) by Judgement 3 (Wren), Mar 2, 2021",
            )
        )
        assert "lost:\n  judgements: [1-2]\n" in found.files["nomic.yml"].decode()
        assert errors(history_of_tree(found.files)) == []

    def test_a_repeal_that_only_lost_lines_follow(self) -> None:
        lines = (
            "Initial mutable Rule 201, Mar 1, 2021",
            "Repealed by Proposal 301",
            "Amended (1) by Proposal 302",
        )
        assert slips(with_history(*lines, heading="201/0")) == [
            "10:1 import-unread: by the rule's history and its heading, this cannot have happened",
            "11:1 import-unread: by the rule's history and its heading, this cannot have happened",
        ]

    def test_three_tiers(self) -> None:
        text = (
            with_history(
                "Initial constitutional Rule 1, Mar 1, 2021", heading="1/0 (CONSTITUTIONAL)"
            )
            + "\n"
            + with_history(
                "Initial immutable Rule 101, Mar 1, 2021", heading="101/0 (IMMUTABLE)"
            ).removeprefix(TITLE)
            + "\n"
            + with_history("Initial mutable Rule 201, Mar 1, 2021", heading="201/0").removeprefix(
                TITLE
            )
        )
        found = imported(text)
        assert "tiers: [constitutional, immutable, mutable]\n" in found.files["nomic.yml"].decode()
        assert long_md(history_of_tree(found.files)) == text

    def test_a_rule_that_was_transmuted_after_its_enactment(self) -> None:
        text = with_history(
            "Enacted by Proposal 301, Mar 1, 2021",
            "Transmuted to immutable by Proposal 302, Mar 2, 2021",
            heading="301/0 (IMMUTABLE)",
        )
        assert slips(text) == []
        assert long_md(history_of_tree(imported(text).files)) == text

    def test_changes_of_one_day_keep_the_order_of_the_history(self) -> None:
        text = with_history(
            "Initial mutable Rule 201, Mar 1, 2021",
            "Amended (1) by Proposal 305 (Wren), Mar 2, 2021",
            "Amended (2) by Proposal 301 (Tallow), Mar 2, 2021",
            "Amended (3) by Spell 7 (Tallow), Mar 2, 2021",
            heading="201/3",
        )
        found = imported(text)
        assert "\nseq: 1\n" in found.files["proposals/301.md"].decode()
        assert "\nseq: 2\n" in found.files["acts/2021-03-02-spell-7.md"].decode()
        assert errors(history_of_tree(found.files)) == []
        assert long_md(history_of_tree(found.files)) == text

    def test_decisions_that_took_effect_in_another_order(self) -> None:
        text = with_history(
            "Initial mutable Rule 201, Mar 1, 2021",
            "Amended (1) by Proposal 302, Mar 5, 2021",
            "Amended (2) by Proposal 301, Mar 2, 2021",
            "Amended (3) by Proposal 303, Mar 5, 2021",
            heading="201/3",
        )
        found = imported(text)
        assert (
            "decided: 2021-03-02\neffective: 2021-03-06\n"
            in found.files["proposals/301.md"].decode()
        )
        assert errors(history_of_tree(found.files)) == []
        assert long_md(history_of_tree(found.files)) == text

    def test_one_proposal_may_have_made_rules_of_other_numbers(self) -> None:
        text = (
            with_history("Enacted by Proposal 301 (Wren), Mar 2, 2021", heading="301/0")
            + "\n"
            + with_history(
                "Enacted by Proposal 301 (Wren), Mar 2, 2021", heading="302/0"
            ).removeprefix(TITLE)
        )
        found = imported(text)
        assert errors(history_of_tree(found.files)) == []
        assert long_md(history_of_tree(found.files)) == text


class TestNames:
    def test_names_that_would_be_one_id(self) -> None:
        text = with_history(
            "Enacted by Proposal 201 (Wren!), Mar 1, 2021",
            "Amended (1) by Proposal 301 (wren), Mar 2, 2021",
            "Amended (2) by Proposal 302 (鳥), Mar 3, 2021",
            "Amended (3) by Proposal 303 (7 owls), Mar 4, 2021",
            "Amended (4) by Proposal 304 (Émile (the 2nd)), Mar 5, 2021",
            heading="201/4",
        )
        found = imported(text)
        assert texts(found.files, "players/") == {
            "players/emile-the-2nd.yml": "name: Émile (the 2nd)\nkind: past\n",
            "players/player-7-owls.yml": "name: 7 owls\nkind: past\n",
            "players/player.yml": "name: 鳥\nkind: past\n",
            "players/wren-2.yml": "name: wren\nkind: past\n",
            "players/wren.yml": "name: Wren!\nkind: past\n",
        }
        assert long_md(history_of_tree(found.files)) == text

    def test_a_rule_that_acts_by_itself_is_no_player(self) -> None:
        text = with_history(
            "Initial mutable Rule 201, Mar 1, 2021",
            "Amended (1) by The clock (Rule 201), Mar 2, 2021",
        )
        found = imported(text)
        assert texts(found.files, "players/") == {}
        assert "\nby: 201\n" in found.files["acts/2021-03-02-the-clock.md"].decode().replace(
            '"', ""
        )
        assert long_md(history_of_tree(found.files)) == text


class TestAddresses:
    SHA = "ab" * 20

    def text(self, *urls: str) -> str:
        rules = []
        for at, url in enumerate(urls):
            rule = RULE.replace("201", str(201 + at))
            rules.append(
                rule.replace(
                    f"*Initial mutable Rule {201 + at}, Mar 1, 2021*",
                    f"[*Initial mutable Rule {201 + at}, Mar 1, 2021*]({url})",
                )
            )
        return TITLE + "\n".join(rules)

    @pytest.mark.parametrize(
        ("urls", "links"),
        [
            (
                ("https://f.example/{sha}/x-201.md", "https://f.example/{sha}/x-202.md"),
                "file: https://f.example/{sha}/x-{number}.md",
            ),
            (
                ("https://f.example/c/{sha}", "https://f.example/c/{sha}"),
                "commit: https://f.example/c/{sha}",
            ),
            (
                (
                    "https://f.example/{sha}/rules/initial/201.md",
                    "https://f.example/{sha}/rules/initial/202.md",
                ),
                "file: https://f.example/{sha}/{path}",
            ),
        ],
    )
    def test_the_template_gives_them_back(self, urls: tuple[str, ...], links: str) -> None:
        text = self.text(*(url.replace("{sha}", self.SHA) for url in urls))
        found = imported(text)
        assert found.findings == ()
        assert f"links:\n  {links}\n" in found.files["nomic.yml"].decode()
        assert long_md(history_of_tree(found.files)) == text

    def test_one_that_is_made_otherwise_is_noted(self) -> None:
        text = self.text(
            f"https://f.example/{self.SHA}/201.md",
            f"https://g.example/{self.SHA}/202.md",
            "https://x.example/v1",
        )
        assert [one.split(" is ")[1] for one in slips(text)] == ["not made like the others"] * 2
