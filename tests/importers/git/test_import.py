"""Archives in git, imported: each story's report and files are exactly those that are written
down.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.importers.game_writing import ABOVE
from nomicgen.importers.git.importer import ImportedRepository
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.import_report import report_markdown
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import shipped_maps
from tests.case_files import case_folder
from tests.importers.archives import LAMPS, STORIES, TURNS, Asked, Story, imported, proved
from tests.rulesets import errors, history_of_tree
from tests.support import GitRepo

EXPECTED = Path(__file__).parent
Repos = Callable[..., GitRepo]


def told(name: str, repo: GitRepo) -> tuple[Story, ImportedRepository]:
    story = Story(repo)
    asked = STORIES[name](story)
    return story, imported(repo.path, asked)


def written_out(story: Story, got: ImportedRepository) -> str:
    """Every file but the players' and the derived rules, one below the other."""
    kept = {
        path: data
        for path, data in got.files.items()
        if not path.startswith(("players/", "rules/")) or path.startswith("rules/initial/")
    }
    return story.named("".join(f"===== {path}\n{data.decode()}" for path, data in kept.items()))


@pytest.mark.parametrize("name", STORIES)
def test_a_story_gives_its_report_and_its_files(name: str, git_repo: Repos) -> None:
    story, got = told(name, git_repo())
    assert story.named(report_markdown("archive", got.findings, got.warnings)) == (
        case_folder(EXPECTED, name) / "report.md"
    ).read_text("utf-8")
    assert written_out(story, got) == (case_folder(EXPECTED, name) / "files.txt").read_text("utf-8")
    assert errors(history_of_tree(got.files)) == []


def test_words_of_the_archive_are_code_in_the_report(git_repo: Repos) -> None:
    """Nobody is called, and nothing is markup, in a report that is sent to somebody."""
    repo = git_repo()
    story = Story(repo)
    story.commit("Begin", {"r/201.md": "## 201/0\n\nOne.\n"})
    story.commit("@all: see `#1` | <b>now</b>", {"r/201.md": "## 201/1\n\nTwo.\n"})
    story.commit("Proposal 301", {"r/201.md": "## 201/2\n\nThree.\n"})
    story.commit("@all: see `#1` | <b>now</b>", {"r/201.md": "## 201/3\n\nFour.\n"})
    report = report_markdown("archive", (), imported(repo.path).warnings)
    assert "`` @all: see `#1` | <b>now</b> ``" not in report
    assert "``@all: see `#1` | <b>now</b>``" in report


def test_without_a_rule_nothing_is_made(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", {"r/notes.md": "No rule.\n"})
    got = imported(repo.path)
    assert (dict(got.files), [one.slug for one in got.warnings]) == (
        {},
        ["file-without-rule", "no-rules"],
    )


SUBJECTS = {
    "Proposal 329": "proposal 329",
    "P329": "proposal 329",
    "Prop. 329: A floor": "proposal 329: A floor",
    "Adopt proposal 329": "proposal 329",
    "Rule-change 329": "proposal 329",
    "Rule change 329": "proposal 329",
    "#329 A floor": "proposal 329",
    "Judgement 4": "judgement 4",
    "Judgment 4": "judgement 4",
    "CFJ 4": "judgement 4",
    "Call for judgement 4": "judgement 4",
    "Temporary Rule 601": "act Temporary Rule 601",
    "Merge branch 'proposal-329'": "proposal 329",
    "Proposals 329 and 330": "proposal 329 and others",
    "Proposals 329-331": "proposal 329 and others",
    "P329, P330 & P332": "proposal 329 and others",
    "Proposals 329 to 900": "proposal 329 and others",
    "P. 329 passes": "proposal 329",
    'Revert "Proposal 329"': "None",
    "Proposal 329 - 20 points": "proposal 329: 20 points",
    "Proposal 329 and 2 typos": "proposal 329",
    "Merge pull request #12 from wren/words": "None",
    "Amend Rule 203": "None",
    "Update 203.md": "None",
    "Play over P2P": "None",
    "Judge 5 games": "None",
    "Proposal 007": "None",
}


@pytest.mark.parametrize(("subject", "expected"), SUBJECTS.items())
def test_what_a_subject_names(subject: str, expected: str) -> None:
    found = Subjects().read(subject)
    shown = f"{found.kind} {found.cause}" if found.kind else "None"
    shown += f": {found.title}" if found.title else ""
    assert shown + (" and others" if found.several else "") == expected


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("(", "`(?i)(` is no pattern that RE2 takes: missing ): (?i)("),
        ("Motion ([0-9]+)", "should have a group (?P<proposal>…), (?P<judgement>…) or (?P<act>…)"),
    ],
)
def test_a_pattern_that_cannot_be_used(pattern: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        Subjects((pattern,))


HEADINGS = {
    "## 203/1": "203/1",
    "## 203": "203",
    "## 203/0 (IMMUTABLE)": "203/0 immutable",
    "## 203/0 (Power=1.7)": "203/0 power-1-7",
    "## 203 [void]": "203 void",
    "## 203/2 (MUTABLE) (VOID)": "203/2 mutable void",
    "## 203/1: Adoption": "203/1 “Adoption”",
    "# Rule 203": "203",
    "##203": "203",
    "## 203/1(IMMUTABLE)": "203/1 immutable",
    "## 203 / 1": "203/1",
    "## **Rule 203**": "203",
    "## 203 players": "None",
    "## Adoption": "None",
    "## 0/1": "None",
}


@pytest.mark.parametrize(("line", "expected"), HEADINGS.items())
def test_what_a_heading_says(line: str, expected: str) -> None:
    found = MapReader(shipped_maps()["headings"]).read(f"{line}\n\nWords.\n".encode()).passages
    if not found:
        assert expected == "None"
        return
    (one,) = found
    shown = f"{one.number}" + (f"/{one.revision}" if one.revision is not None else "")
    shown += "".join(f" {word}" for word in (one.tier, one.mark) if word)
    assert shown + (f" “{one.title}”" if one.title else "") == expected


def test_a_title_that_no_heading_can_have_is_told_once(git_repo: Repos) -> None:
    repo = git_repo()
    story = Story(repo)
    story.commit("Begin", {"r/201.md": "## 201/0: A <script>lamp\n\nOne.\n"})
    story.commit("Proposal 301", {"r/201.md": "## 201/1: A <script>lamp\n\nTwo.\n"})
    story.commit("Proposal 302", {"r/201.md": "## 201/2: The <script>lamp\n\nThree.\n"})
    got = imported(repo.path)
    assert [(one.quote, one.path, one.line) for one in got.warnings if one.slug == "title"] == [
        ("A <script>lamp", "r/201.md", 1),
        ("The <script>lamp", "r/201.md", 1),
    ]
    assert b"title" not in got.files["rules/initial/201.md"]


def test_what_stood_above_the_rules_is_a_page_as_it_was_each_time(git_repo: Repos) -> None:
    repo = git_repo()
    story = Story(repo)
    story.commit("Begin", {"rules.md": f"How we *play*:\n\nat dusk.\n\n{LAMPS}"})
    story.commit("Proposal 301", {"rules.md": f"How we play: at dawn.\n\n{LAMPS}"})
    story.commit("Proposal 302", {"rules.md": f"How we play: at dawn.\n\n{LAMPS}{TURNS}"})
    got = imported(repo.path, Asked(patterns=("rules.md",)))
    assert got.files[ABOVE].decode() == (
        "# Above the rules\n\nHow we play: at dawn.\n\n## As of 2021-03-01\n\n"
        "How we &#42;play&#42;:\n\nat dusk.\n"
    )
    assert proved(repo.path, got, "rules.md").told == (
        "3 of 3 states identical, every word placed, 30.6 % on a page"
    )
