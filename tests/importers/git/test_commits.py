"""Commits as archives really have them: nothing is lost, and the report says it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping

import pytest

from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import import_git
from nomicgen.model.values import Moment
from tests.importers.archives import FAIR, LAMPS, TURNS, Story, reader_for, rule
from tests.importers.telling import BURNING, Read, read
from tests.support import GitRepo

Repos = Callable[..., GitRepo]


@pytest.fixture
def story(git_repo: Repos) -> Story:
    return Story(git_repo())


# --- subjects -------------------------------------------------------------------------------------


def test_a_revert_is_no_proposal(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": BURNING})
    story.commit('Revert "Proposal 301"\n\nThis reverts commit.', {"r/201.md": LAMPS})
    story.commit('Reapply "Proposal 301"', {"r/201.md": BURNING})
    found = read(story)
    assert found.later == [
        "c2 amended 201/1 proposals/301",
        "c3 amended 201/0 acts/correction",
        "c4 amended 201/1 acts/correction",
    ]
    assert found.slugs == {"revision-differs": 1, "taken-back": 2}


def test_several_in_one_subject_are_a_correction(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit(
        "Proposals 301-302", {"r/301.md": rule("301/0", "One."), "r/302.md": rule("302/0", "Two.")}
    )
    found = read(story)
    assert found.later == ["c2 enacted 301/0 acts/correction", "c2 enacted 302/0 acts/correction"]
    assert found.slugs == {"several": 1}


def test_an_octopus_of_several_is_a_correction(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/202.md": TURNS})
    arms = {
        "one": ("Proposal 301: Lamps", {"r/201.md": BURNING}),
        "two": ("P302", {"r/202.md": rule("202/1", "Two days.")}),
    }
    for name, (subject, files) in arms.items():
        story.branch(name)
        story.commit(subject, files, author=f"{name.capitalize()} <x@example.org>")
        story.repo.git("checkout", "--quiet", "main")
    story.repo.git("merge", "--quiet", "--no-ff", "--message=Octopus", *arms)
    story.shas.append(story.repo.git("rev-parse", "HEAD"))
    found = read(story)
    assert found.later == ["c4 amended 201/1 acts/correction", "c4 amended 202/1 acts/correction"]
    assert found.slugs["several"] == 1


# --- commits --------------------------------------------------------------------------------------


def fast(repo: GitRepo, *commits: tuple[str, str, Mapping[str, str]]) -> None:
    """Commits that git itself would not make: of each the author's line, the subject, the files."""
    stream = ""
    for author, subject, files in commits:
        stream += (
            f"commit refs/heads/main\nauthor {author}\n"
            "committer Wren <w@example.org> 1600000000 +0000\n"
        )
        stream += f"data {len(subject)}\n{subject}\n"
        for path, text in files.items():
            stream += f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"
    command = [
        "git",
        "-C",
        str(repo.path),
        "fast-import",
        "--quiet",
        "--date-format=raw-permissive",
    ]
    subprocess.run(command, input=stream.encode(), check=True)


@pytest.mark.parametrize(
    ("author", "day", "name", "slugs"),
    [
        (" <x@example.org> 1600000000 +0000", "2020-09-13", None, {}),
        ("Finch <x@example.org> 1600000000 +1400", "2020-09-14", "finch", {}),
        ("Finch <x@example.org> 1600000000 -1200", "2020-09-13", "finch", {}),
        ("Finch <x@example.org> 1600000000 +9959", "2020-09-17", "finch", {}),
        ("Finch <x@example.org> 4102444800 +0000", "2020-09-13", "finch", {"date-future": 1}),
        ("Finch <x@example.org> 100 +0000", "1970-01-01", "finch", {"date-before-start": 1}),
    ],
)
def test_an_odd_author_line(
    author: str, day: str, name: str | None, slugs: Mapping[str, int], git_repo: Repos
) -> None:
    repo = git_repo()
    begin = (
        "Wren <w@example.org> 1500000000 +0000",
        "Begin",
        {"r/101.md": FAIR, "r/201.md": LAMPS},
    )
    fast(repo, begin, (author, "Proposal 301", {"r/201.md": BURNING}), (begin[0], "Nothing", {}))
    past = read_past(repo.path, "main", ["r/*.md"], reader_for(["r/*.md"]))
    found = Read(Story(repo), import_git(past, until=Moment.parse("2026-01-01"), by_commits=True))
    matter = found.proposal(301)
    assert (str(matter.decided), matter.author, found.slugs) == (day, name, slugs)


def test_a_tag_is_a_branch_as_well(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": BURNING})
    story.repo.git("tag", "--annotate", "--message=The end", "v1")
    story.commit("Proposal 302", {"r/201.md": LAMPS})
    past = read_past(story.repo.path, "v1", ["r/*.md"], reader_for(["r/*.md"]))
    assert Read(story, import_git(past)).later == ["c2 amended 201/1 proposals/301"]


def test_dates_that_run_backwards_keep_the_order_of_the_commits(story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": BURNING}, day=20)
    story.commit("Proposal 302", {"r/201.md": rule("201/2", "Lamps glow.")}, day=10)
    story.commit("Proposal 303", {"r/201.md": rule("201/3", "Lamps gleam.")}, day=5)
    found = read(story)
    assert found.text(201) == "Lamps gleam."
    assert found.slugs == {"order": 2}


SUBJECTS: dict[str, str] = {
    "Merge branch master": "acts/correction",
    "fix typo in 314": "acts/correction",
    "Update 206.md": "acts/correction",
    "prop 330": "proposals/330",
    "P. 330 passes": "proposals/330",
    "P.330": "proposals/330",
    "Undo proposal 330": "acts/correction",
    "Rollback of P330": "acts/correction",
}


@pytest.mark.parametrize(("subject", "instrument"), SUBJECTS.items())
def test_a_commit_is_what_its_subject_says(subject: str, instrument: str, story: Story) -> None:
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS})
    story.commit("Proposal 301", {"r/201.md": BURNING})
    story.commit(subject, {"r/201.md": rule("201/2", "Lamps glow.")})
    assert read(story).later[1:] == [f"c3 amended 201/2 {instrument}"]


# --- the initial set ------------------------------------------------------------------------------


def test_who_sets_up_a_game_has_a_month_for_it(story: Story) -> None:
    story.commit("Begin", {"r/201.md": LAMPS}, day=0)
    story.commit("Tidy", {"r/201.md": rule("201/0", "Lamps are lit at dusk!")}, day=30)
    story.commit("Brighter", {"r/201.md": BURNING}, day=32)
    story.commit("Proposal 301", {"r/202.md": TURNS}, day=50)
    found = read(story)
    assert found.later == ["c3 amended 201/1 acts/correction", "c4 enacted 202/0 proposals/301"]
    assert found.slugs == {"initial-changed": 1, "unclassed": 1}


def test_a_heading_that_only_says_what_was_counted_changes_nothing(story: Story) -> None:
    story.commit("Begin", {"rules.md": "### Rule 201\n\nLamps.\n\n### Rule 202\n\nOil.\n"})
    story.commit(
        "Proposal 301", {"rules.md": "### Rule 201\n\nLamps burn.\n\n### Rule 202\n\nOil.\n"}
    )
    story.commit("Numbers", {"rules.md": "### Rule 201/1\n\nLamps burn.\n\n### Rule 202\n\nOil.\n"})
    found = read(story, "rules.md")
    assert found.later == ["c2 amended 201/1 proposals/301"]
    assert found.slugs == {}
