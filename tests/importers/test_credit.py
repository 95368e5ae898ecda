"""Whose a commit is, of which day, and what front matter, a folder or a file's name says of a rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import GitImported, import_git
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import SourceMap, parse_map, shipped_maps
from tests.importers.archives import KEEPER, Story
from tests.rulesets import archive
from tests.support import GitRepo

FINCH, QUILL = "Finch <finch@example.org>", "Quill <quill@example.org>"


@pytest.fixture
def story(git_repo: Callable[..., GitRepo]) -> Story:
    return Story(git_repo())


def walked(story: Story, one: SourceMap | None = None) -> GitImported:
    return import_git(
        read_past(story.repo.path, "HEAD", ["r/**/*.md"], MapReader(one or shipped_maps()["file-a-rule"])), "archive"
    )


def law(found: GitImported) -> dict[int, tuple[str | None, str, str | None]]:
    """Title, tier and text of each rule in force."""
    return {one.number: (one.title, one.tier, one.text) for one in archive(found.files).replay.current}


def whats(found: GitImported) -> list[str]:
    return [one.what for one in found.report.events if one.what != "initial"]


def fronted(number: int, tier: str, text: str) -> str:
    return f"---\nRULE: {number}\nAuthor: {FINCH}\nType: {tier}\nTags:\n- a\n---\n\n{text}\n"


def test_front_matter_says_number_and_tier_and_is_no_text(story: Story) -> None:
    files = {
        "r/rule101.md": fronted(101, "Immutable", "Obey."),
        "r/rule105.md": fronted(105, "Mutable", "Vote at dusk."),
    }
    story.commit("Begin", files)
    moved = {"r/rule105.md": None, "r/rule309.md": fronted(309, "Immutable", "Vote at dusk.")}
    story.commit("Proposal 309: make 105 immutable", moved)
    found = walked(story, parse_map("rule: {path: '.*'}\nfront_matter: {number: rule, tier: type}\n"))
    assert law(found) == {101: (None, "immutable", "Obey."), 309: (None, "immutable", "Vote at dusk.")}
    assert whats(found) == ["transmuted", "renumbered"]


def test_a_rule_of_which_only_a_name_tells_keeps_its_tier_under_a_new_number(story: Story) -> None:
    story.commit("Begin", {"r/101.md": "## 101/0 (IMMUTABLE)\n\nObey.\n", "r/201.md": "Lamps are lit at dusk.\n"})
    story.commit("Proposal 301", {"r/101.md": None, "r/301.md": "Obey.\n"})
    found = walked(story)
    assert law(found)[301] == (None, "immutable", "Obey.")
    assert whats(found) == ["renumbered"]


def test_a_folder_may_say_the_tier(story: Story) -> None:
    files = {"r/immutable/101.md": "# Rule 101\n\nObey.\n", "r/mutable/201.md": "# Rule 201\n\nLamps.\n"}
    story.commit("Begin", files)
    story.commit("Proposal 301", {"r/mutable/201.md": None, "r/immutable/201.md": "# Rule 201\n\nLamps.\n"})
    found = walked(story)
    assert {number: tier for number, (_, tier, _) in law(found).items()} == {101: "immutable", 201: "immutable"}
    assert whats(found) == ["transmuted"]


@pytest.fixture
def lamps(story: Story) -> Story:
    story.commit("Begin", {"r/201.md": "## 201/0\n\nLamps.\n"})
    return story


def change(story: Story, numbers: range, authors: tuple[str, ...] = (KEEPER,)) -> None:
    for at in numbers:
        author = authors[at % len(authors)]
        story.commit(f"Proposal {at}", {"r/201.md": f"## 201/{at - 300}\n\nLamps {at}.\n"}, author=author)


def test_a_merged_pull_request_is_of_the_day_of_the_merge_and_by_its_author(lamps: Story) -> None:
    change(lamps, range(301, 306))
    lamps.branch("oil")
    lamps.commit("Oil", {"r/202.md": "## 202/0\n\nOil.\n"}, author=FINCH, day=-400)
    lamps.merge("oil", "Merge pull request #9 from finch/oil")
    (act,) = [data.decode() for path, data in walked(lamps).files.items() if path.startswith("acts/")]
    assert "by: finch\n" in act
    assert "date: 2021-03-08\n" in act


def test_who_only_commits_is_nobodys_author(lamps: Story) -> None:
    change(lamps, range(301, 305))
    lamps.commit(f"Proposal 305\n\nProposed-by: {QUILL}", {"r/201.md": "## 201/5\n\nLamps 305.\n"})
    lamps.commit("Proposal 306", {"r/201.md": "## 201/6\n\nLamps 306.\n"}, author=FINCH)
    found = walked(lamps)
    assert b"author:" not in found.files["proposals/301.md"]
    assert b"author: quill\n" in found.files["proposals/305.md"]
    assert b"author: finch\n" in found.files["proposals/306.md"]
    (told,) = [one for one in found.report.warnings if one.slug == "author-unsaid"]
    assert told.message.endswith("of 4 of its 6 instruments nothing else says whose they are")


def test_players_who_commit_their_own_are_authors(lamps: Story) -> None:
    change(lamps, range(301, 305), (FINCH, QUILL))
    found = walked(lamps)
    assert b"author: quill\n" in found.files["proposals/301.md"]
    assert b"author: finch\n" in found.files["proposals/302.md"]
