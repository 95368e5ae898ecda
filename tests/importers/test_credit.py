"""Whose a commit is, of which day, and what front matter, a folder or a file's name says of a
rule.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import ImportedRepository, import_git
from nomicgen.importers.git.pictures import pictures_beside, pictures_in
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import SourceMap, parse_map, shipped_maps
from nomicgen.importers.text.importer import import_text
from tests.importers.archives import FAIR, KEEPER, Asked, Story, imported, rule
from tests.importers.telling import events_of
from tests.rulesets import history_of_tree
from tests.support import GitRepo

FINCH, QUILL = "Finch <finch@example.org>", "Quill <quill@example.org>"


@pytest.fixture
def story(git_repo: Callable[..., GitRepo]) -> Story:
    return Story(git_repo())


def walked(
    story: Story, one: SourceMap | None = None, *, by_commits: bool = False
) -> ImportedRepository:
    past = read_past(
        story.repo.path, "HEAD", ["r/**/*.md"], MapReader(one or shipped_maps()["file-a-rule"])
    )
    return import_git(past, by_commits=by_commits)


def law(found: ImportedRepository) -> dict[int, tuple[str | None, str, str | None]]:
    """Title, tier and text of each rule in force."""
    return {
        one.number: (one.title, one.tier, one.text)
        for one in history_of_tree(found.files).replay.current
    }


def whats(found: ImportedRepository) -> list[str]:
    return [one.what for one in events_of(found.files) if one.what != "initial"]


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
    found = walked(
        story, parse_map("rule: {path: '.*'}\nfront_matter: {number: rule, tier: type}\n")
    )
    assert law(found) == {
        101: (None, "immutable", "Obey."),
        309: (None, "immutable", "Vote at dusk."),
    }
    assert whats(found) == ["transmuted", "renumbered"]


def test_a_rule_of_which_only_a_name_tells_keeps_its_tier_under_a_new_number(story: Story) -> None:
    story.commit(
        "Begin",
        {"r/101.md": "## 101/0 (IMMUTABLE)\n\nObey.\n", "r/201.md": "Lamps are lit at dusk.\n"},
    )
    story.commit("Proposal 301", {"r/101.md": None, "r/301.md": "Obey.\n"})
    found = walked(story)
    assert law(found)[301] == (None, "immutable", "Obey.")
    assert whats(found) == ["renumbered"]


def test_a_folder_may_say_the_tier(story: Story) -> None:
    files = {
        "r/immutable/101.md": "# Rule 101\n\nObey.\n",
        "r/mutable/201.md": "# Rule 201\n\nLamps.\n",
    }
    story.commit("Begin", files)
    story.commit(
        "Proposal 301", {"r/mutable/201.md": None, "r/immutable/201.md": "# Rule 201\n\nLamps.\n"}
    )
    found = walked(story)
    assert {number: tier for number, (_, tier, _) in law(found).items()} == {
        101: "immutable",
        201: "immutable",
    }
    assert whats(found) == ["transmuted"]


@pytest.fixture
def lamps(story: Story) -> Story:
    story.commit("Begin", {"r/201.md": "## 201/0\n\nLamps.\n"})
    return story


def change(story: Story, numbers: range, authors: tuple[str, ...] = (KEEPER,)) -> None:
    for at in numbers:
        author = authors[at % len(authors)]
        story.commit(
            f"Proposal {at}", {"r/201.md": f"## 201/{at - 300}\n\nLamps {at}.\n"}, author=author
        )


def test_a_merged_pull_request_is_of_the_day_of_the_merge_and_by_its_author(lamps: Story) -> None:
    change(lamps, range(301, 306))
    lamps.branch("oil")
    lamps.commit("Oil", {"r/202.md": "## 202/0\n\nOil.\n"}, author=FINCH, day=-400)
    lamps.merge("oil", "Merge pull request #9 from finch/oil")
    (act,) = [
        data.decode() for path, data in walked(lamps).files.items() if path.startswith("acts/")
    ]
    assert "by: finch\n" in act
    assert "date: 2021-03-08\n" in act


def test_who_only_commits_is_nobodys_author(lamps: Story) -> None:
    change(lamps, range(301, 305))
    lamps.commit(f"Proposal 305\n\nProposed-by: {QUILL}", {"r/201.md": "## 201/5\n\nLamps 305.\n"})
    found = walked(lamps)
    assert b"author:" not in found.files["proposals/301.md"]
    assert b"author: quill\n" in found.files["proposals/305.md"]
    (told,) = [one for one in found.warnings if one.slug == "author-unsaid"]
    assert told.message == "4 of 5 instruments name no author, and only who committed them is known"


@pytest.mark.parametrize(("merger", "author"), [(FINCH, None), (KEEPER, "finch")])
def test_a_merge_says_whose_a_change_is_if_somebody_else_merged_it(
    lamps: Story, merger: str, author: str | None
) -> None:
    lamps.branch("oil")
    lamps.commit("Proposal 301", {"r/202.md": "## 202/0\n\nOil.\n"}, author=FINCH)
    lamps.merge("oil", "Merge branch 'oil'")
    lamps.repo.git("commit", "--quiet", "--amend", "--no-edit", f"--author={merger}")
    told = walked(lamps).files["proposals/301.md"].decode()
    assert ("author: finch\n" in told) is (author is not None)


def test_players_who_commit_their_own_are_authors_where_the_map_says_so(lamps: Story) -> None:
    change(lamps, range(301, 305), (FINCH, QUILL))
    assert b"author:" not in walked(lamps).files["proposals/301.md"]
    found = walked(lamps, by_commits=True)
    assert b"author: quill\n" in found.files["proposals/301.md"]
    assert b"author: finch\n" in found.files["proposals/302.md"]


# Pictures that rules show are brought along, into a game's `images/`.


PNG, GIF = b"\x89PNG\r\n\x1a\n", b"GIF89a"


def test_a_repositorys_pictures_are_brought_as_the_last_commit_had_them(
    git_repo: Callable[..., GitRepo],
) -> None:
    story = Story(git_repo())
    text = (
        "Lamps:\n\n"
        "![lit](../../art/Lit%20Lamp.PNG) ![old](../old.gif) ![drawn](../../art/x.svg) "
        "![](../no.png)"
    )
    files: dict[str, str | bytes | None] = {
        "g/md/101.md": FAIR,
        "art/Lit Lamp.PNG": PNG + b"1",
        "g/old.gif": GIF,
        "art/x.svg": "<svg/>",
    }
    story.commit("Begin", files)
    story.commit(
        "Proposal 301",
        {"g/md/301.md": rule("301/0", f"{text} ![](../../art/word.png)"), "art/word.png": "x"},
    )
    story.commit("New art", {"art/Lit Lamp.PNG": PNG + b"2", "g/old.gif": None})
    got = imported(
        story.repo.path, Asked(patterns=("g/md/*.md",)), pictures_in(story.repo.path, "HEAD")
    )
    assert {path: data for path, data in got.files.items() if path.startswith("images/")} == {
        "images/lit-lamp.png": PNG + b"2",
        "images/old.gif": GIF,
        "images/word.png": b"x",
    }
    shown = history_of_tree(got.files).replay.current.get(301)
    assert shown is not None
    assert shown.text == (
        "Lamps:\n\n"
        "![lit](../images/lit-lamp.png) ![old](../images/old.gif) ![drawn](../../art/x.svg)"
        " ![](../images/no.png) ![](../images/word.png)"
    )
    assert [(one.quote, one.outcome) for one in got.warnings if one.slug == "picture-left"] == [
        ("art/x.svg", "a game's pictures are png, jpg, gif, webp or avif"),
        ("g/no.png", "it is not in the source, or is larger than 16 MiB"),
    ]


def test_pictures_of_one_name_get_two(git_repo: Callable[..., GitRepo]) -> None:
    story = Story(git_repo())
    text = rule("101/0", "![](a/x.png) ![](b/x.png) ![](a/x.png) ![](https://e.example/x.png)")
    story.commit("Begin", {"r/101.md": text, "r/a/x.png": PNG, "r/b/x.png": PNG + b"b"})
    got = imported(
        story.repo.path, Asked(patterns=("r/*.md",)), pictures_in(story.repo.path, "HEAD")
    )
    shown = got.files["rules/initial/101.md"]
    assert b"![](../images/x.png) ![](../images/x-2.png) ![](../images/x.png) ![](https:" in shown
    assert got.files["images/x-2.png"] == PNG + b"b"


def test_a_texts_pictures_lie_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "club" / "rules"
    (place / "art").mkdir(parents=True)
    (place / "art" / "lamp.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    (place / "link.png").symlink_to(tmp_path / "secret.png")
    text = "![](art/lamp.png) ![](../../secret.png) ![](link.png) ![](images/own.png)"
    file = place / "rules.md"
    data = f"## 101/0\n\n{text}\n".encode()
    found = import_text(data, file.name, shipped_maps()["headings"], pictures=pictures_beside(file))
    assert [path for path in found.files if path.startswith("images/")] == ["images/lamp.png"]
    shown = history_of_tree(found.files).replay.current.get(101)
    assert shown is not None
    assert (
        shown.text == "![](../images/lamp.png) ![](../images/secret.png) ![](../images/link.png) "
        "![](images/own.png)"
    )
    assert [one.message for one in found.findings if "picture" in one.message] == [
        f"the picture `{path}` is not brought along"
        for path in ("../../secret.png", "images/own.png", "link.png")
    ]
