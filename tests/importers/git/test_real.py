"""Files as archives really have them: whatever was done to them, nothing is lost, and the report
says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.importers.archives import FAIR, LAMPS, TURNS, Asked, Story, imported, rule, ruleset
from tests.importers.telling import BURNING, read
from tests.support import GitRepo

Repos = Callable[..., GitRepo]


@pytest.fixture
def story(git_repo: Repos) -> Story:
    return Story(git_repo())


# --- moved ----------------------------------------------------------------------------------------


def moved(story: Story, old: str, new: str) -> None:
    first = {"101.md": FAIR, "201.md": LAMPS, "202.md": TURNS}
    story.commit("Begin", {f"{old}{name}": text for name, text in first.items()})
    story.commit("Proposal 301", {f"{old}201.md": BURNING, f"{old}202.md": None})
    last = {"101.md": FAIR, "201.md": BURNING}
    story.commit(
        "A folder for each game",
        {f"{old}{name}": None for name in last}
        | {f"{new}{name}": text for name, text in last.items()},
    )
    story.commit("Proposal 302", {f"{new}302.md": rule("302/0", "Bells ring.")})


MOVED = [
    "c1 initial 101/0 rules/initial/101",
    "c1 initial 201/0 rules/initial/201",
    "c1 initial 202/0 rules/initial/202",
    "c2 repealed 202/0 proposals/301",
    "c2 amended 201/1 proposals/301",
    "c4 enacted 302/0 proposals/302",
]


@pytest.mark.parametrize(
    ("old", "new"),
    [("rules/md/", "Game_4/rules/md/"), ("Game_4/md/", "md/"), ("a/b/", "c/"), ("", "rules/")],
)
@pytest.mark.parametrize("given", ["both", "new", "old"])
def test_a_folder_that_moves_is_neither_repealed_nor_enacted(
    story: Story, old: str, new: str, given: str
) -> None:
    moved(story, old, new)
    patterns = {
        "both": (f"{old}*.md", f"{new}*.md"),
        "new": (f"{new}*.md",),
        "old": (f"{old}*.md",),
    }[given]
    found = read(story, *patterns)
    assert found.events == MOVED
    assert found.slugs.get("path-followed", 0) == (given != "both")


def test_a_folder_that_moves_twice_is_followed(story: Story) -> None:
    story.commit("Begin", {"a/101.md": FAIR, "a/201.md": LAMPS})
    story.commit("Proposal 301", {"a/201.md": BURNING})
    story.commit(
        "Move", {"a/101.md": None, "a/201.md": None, "b/101.md": FAIR, "b/201.md": BURNING}
    )
    story.commit(
        "Move", {"b/101.md": None, "b/201.md": None, "c/101.md": FAIR, "c/201.md": BURNING}
    )
    found = read(story, "c/*.md")
    assert found.later == ["c2 amended 201/1 proposals/301"]
    assert sorted(found.said("path-followed")) == [
        "this commit moves the files of b/*.md without a change, and no path names a/*.md",
        "this commit moves the files of c/*.md without a change, and no path names b/*.md",
    ]


def test_a_file_that_is_put_away_for_a_new_game_is_not_followed(story: Story) -> None:
    story.commit("Begin", {"rules.md": ruleset(FAIR, LAMPS)})
    story.commit("Proposal 301", {"rules.md": ruleset(FAIR, BURNING)})
    story.commit("The game is won", {"rules.md": None, "Game_1/rules.md": ruleset(FAIR, BURNING)})
    story.commit("Once more", {"rules.md": ruleset(FAIR, LAMPS)})
    found = read(story, "rules.md")
    assert found.later == [
        "c2 amended 201/1 proposals/301",
        "c3 repealed 101/0 acts/correction",
        "c3 repealed 201/1 acts/correction",
        "c4 returned 101/0 acts/correction",
        "c4 enacted 201/0 acts/correction",
    ]
    assert "path-followed" not in found.slugs


@pytest.mark.parametrize(
    "subject", ["302", "Rule 302: bells", "Bells, closes #302", "Merge branch 302-bells"]
)
def test_a_bare_number_is_none_of_a_proposal_unless_a_pattern_says_so(
    story: Story, subject: str
) -> None:
    story.commit("Begin", {"101.md": FAIR, "201.md": LAMPS})
    story.commit("Proposal 301", {"201.md": BURNING})
    story.commit(subject, {"302.md": rule("302/0", "Bells ring.")})
    assert read(story, "*.md").later[1:] == ["c3 enacted 302/0 acts/correction"]
    asked = Asked(patterns=("*.md",), subjects=(r"\b(?P<proposal>302)",))
    assert "proposals/302.md" in imported(story.repo.path, asked).files


def test_one_file_that_moves_is_followed(story: Story) -> None:
    story.commit("Begin", {"rules.md": ruleset(FAIR, LAMPS)})
    story.commit("Proposal 301", {"rules.md": ruleset(FAIR, BURNING)})
    story.commit("Tidy", {"rules.md": None, "game/ruleset.md": ruleset(FAIR, BURNING)})
    assert read(story, "game/ruleset.md").later == ["c2 amended 201/1 proposals/301"]


def test_a_draft_that_becomes_a_rule_is_not_followed(story: Story) -> None:
    bells = rule("302/0", "Bells ring.")
    story.commit(
        "Begin",
        {"r/201.md": LAMPS, "r/202.md": TURNS, "drafts/302.md": "## 302/0\n\nBells may ring.\n"},
    )
    story.commit("A better draft", {"drafts/302.md": bells})
    story.commit("Proposal 302", {"drafts/302.md": None, "r/302.md": bells})
    found = read(story)
    assert (found.later, found.slugs) == (["c3 enacted 302/0 proposals/302"], {})


def test_a_folder_that_is_changed_as_it_moves_is_moved_by_what_stays(story: Story) -> None:
    story.commit("Begin", {"a/101.md": FAIR, "a/201.md": LAMPS, "a/202.md": TURNS})
    story.commit(
        "Proposal 301",
        dict.fromkeys(("a/101.md", "a/201.md", "a/202.md"))
        | {"b/101.md": FAIR, "b/201.md": BURNING, "b/202.md": TURNS},
    )
    assert read(story, "b/*.md").events == [
        "c1 initial 101/0 rules/initial/101",
        "c1 initial 201/0 rules/initial/201",
        "c1 initial 202/0 rules/initial/202",
        "c2 amended 201/1 proposals/301",
    ]


# --- files as people leave them -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "slugs"),
    [
        ("line ends", b"## 201/1\r\n\r\nLamps burn.\r\n", {"bytes": 1}),
        ("a mark", b"\xef\xbb\xbf## 201/1\n\nLamps burn.\n", {}),
        ("no space", b"##201/1\n\nLamps burn.\n", {}),
        ("small letters", b"## 201/1 (mutable)\n\nLamps burn.\n", {}),
        ("blank lines", b"\n\n## 201/1\n\n\n\nLamps burn.\n\n\n", {}),
        ("spaces at the heading", b"## 201/1  \n\nLamps burn.\n", {}),
        ("no line feed", b"## 201/1\n\nLamps burn.", {}),
    ],
)
def test_a_file_says_the_same_however_it_is_typed(
    name: str, data: bytes, slugs: Mapping[str, int], story: Story
) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": data})
    story.commit("Tidy the file", {"r/201.md": BURNING})
    found = read(story)
    assert (found.later, found.text(201)) == (["c2 amended 201/1 proposals/301"], "Lamps burn."), (
        name
    )
    assert found.slugs == slugs


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Lamps burn.  \nAll night.   ", "Lamps burn.  \nAll night.   "),
        ("Lamps &amp; wicks &lt;burn&gt;.", "Lamps &amp; wicks &lt;burn&gt;."),
        ("Lamps <s>burn</s> glow.", "Lamps ~~burn~~ glow."),
        ("Lamps ~~burn~~ glow.", "Lamps ~~burn~~ glow."),
        ("![A lamp](https://forge.example/lamp.png)", "![A lamp](https://forge.example/lamp.png)"),
        ("![A lamp](../images/lamp.png)", "![A lamp](../images/lamp.png)"),
        ("# Lamps\n\nburn", "### Lamps\n\nburn"),
        (
            "{: .note }\n\n| a | b |\n|---|---|\n| 1 | 2 |",
            "{: .note }\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        ),
        ("---\n\nLamps burn.\n\n---", "---\n\nLamps burn.\n\n---"),
        (
            "1. one\n2. two\n\n   ```\n   ## 301/0\n   ```",
            "1. one\n2. two\n\n   ```\n   ## 301/0\n   ```",
        ),
    ],
)
def test_a_text_is_kept(text: str, kept: str, story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": f"## 201/1\n\n{text}\n"})
    assert read(story).text(201) == kept


def test_twins_in_another_form_are_left_out(story: Story) -> None:
    story.commit(
        "Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/201.txt": "201. Lamps are lit at dusk.\n"}
    )
    story.commit("Proposal 301", {"r/201.md": BURNING, "r/201.txt": "201. Lamps burn.\n"})
    found = read(story, "r/*")
    assert (found.later, found.text(201)) == (["c2 amended 201/1 proposals/301"], "Lamps burn.")
    assert found.slugs == {"heading-missing": 1, "rule-doubled": 1}


def test_an_emptied_file_loses_its_text_and_nothing_else(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": BURNING})
    story.commit("An accident", {"r/101.md": ""})
    story.commit("Mend it", {"r/101.md": FAIR})
    found = read(story)
    assert found.later == [
        "c2 amended 201/1 proposals/301",
        "c3 amended 101/1 acts/correction",
        "c4 amended 101/0 acts/correction",
    ]
    rules = [step.after.get(101) for step in found.game_history.replay.steps]
    assert [(one.tier, one.text) for one in rules if one] == [
        ("immutable", "Play fair, and write it down."),
        ("immutable", None),
        ("immutable", "Play fair, and write it down."),
    ]
    assert found.slugs == {"revision-differs": 1, "text-empty": 1, "unclassed": 2}


def test_a_rule_that_gets_its_proposals_number(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/203.md": TURNS})
    story.commit(
        "Proposal 305",
        {"r/203.md": None, "r/305.md": rule("305/1", "A turn is one day long, and not longer.")},
    )
    assert read(story).later == [
        "c2 amended 305/1 proposals/305",
        "c2 renumbered 305/1 proposals/305",
    ]


def test_a_rule_that_went_comes_back(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": None})
    story.commit("Proposal 302", {"r/201.md": LAMPS})
    story.commit("Proposal 303", {"r/201.md": None})
    assert [one.split(" ", 1)[1] for one in read(story).later] == [
        "repealed 201/0 proposals/301",
        "returned 201/0 proposals/302",
        "repealed 201/0 proposals/303",
    ]


def test_a_file_that_is_too_large_is_not_read_and_its_rules_stand(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": BURNING})
    story.commit("An accident", {"r/201.md": b"x" * ((16 << 20) + 1)})
    story.commit("Mend it", {"r/201.md": BURNING})
    found = read(story)
    assert (found.later, found.slugs) == (["c2 amended 201/1 proposals/301"], {"file-too-large": 1})


def test_the_report_names_a_path_that_nobody_gave(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    moved(story, "rules/md/", "Game_4/rules/md/")
    story.repo.git("clone", "--quiet", "--bare", str(story.repo.path), str(tmp_path / "bare"))
    got = imported(tmp_path / "bare", Asked(patterns=("Game_4/rules/md/*.md",)))
    assert [(one.message, one.commit) for one in got.warnings if one.slug == "path-followed"] == [
        (
            "this commit moves the files of Game_4/rules/md/*.md without a change, and no path "
            "names rules/md/*.md",
            story.shas[2],
        )
    ]
