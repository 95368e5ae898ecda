"""`nomicgen import git`, typed: what it prints, what it writes, how it ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.cli.playing import run
from tests.importers.archives import FAIR, LAMPS, TURNS, Story, rule
from tests.support import GitRepo

Repos = Callable[..., GitRepo]


def told(repo: GitRepo) -> Story:
    story = Story(repo)
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/202.md": TURNS})
    story.commit("Proposal 301: Dawn", {"r/201.md": rule("201/1", "Lamps are lit at dawn.")})
    story.commit("an update", {"r/202.md": rule("202/1", "A turn is two days long.")})
    return story


def typed(repo: GitRepo, root: Path, *more: str, code: int = 0) -> str:
    line = (
        "import git",
        str(repo.path),
        "--map",
        "file-a-rule",
        "--path",
        "r/*.md",
        "--into",
        str(root / "game"),
        "--on",
        "2026-01-10",
    )
    return (
        run(root, *line, *more, code=code)
        .replace(str(root), "ROOT")
        .replace(str(repo.path), "REPO")
    )


def test_a_game_is_written_and_checked(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(
        story.repo, root, "--name", "Lantern", "--commit", "--report", str(root / "report.md")
    ).splitlines()[:2] == [
        "ROOT/report.md holds all that is odd about the source",
        "ROOT/game holds Lantern: 3 rules",
    ]
    assert (root / "game/acts/2021-03-03-correction.md").read_text("utf-8") == (
        "---\n"
        "cause: Correction\n"
        "date: 2021-03-03\n"
        f"commit: {story.shas[2]}\n"
        "note: an update\n"
        "---\n"
        "\n"
        "## Amend Rule 202/0\n"
        "\n"
        "A turn is two days long.\n"
    )
    assert "0 errors" in run(root / "game", "check")
    report = (root / "report.md").read_text("utf-8")
    assert re.findall(r": ([a-z-]+): ", report) == ["unclassed", "author-unsaid"]


def test_a_dry_run_writes_the_report_and_nothing_else(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--dry-run", "--report", str(root / "report.md")) == (
        "ROOT/report.md holds all that is odd about the source\n"
        "import.json would say: 3 of 3 states identical, every word placed\n"
        "ROOT/game would hold Nomic, in 17 files; nothing was written (--dry-run)\n"
    )
    assert [path.name for path in root.iterdir()] == ["report.md"]
    assert (root / "report.md").read_text("utf-8").startswith("# Import of `")


def test_what_cannot_be_read_is_said(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--branch", "nope", code=2) == (
        "error: git knows no commit called 'nope'\n"
        "help: fetch it first (`git fetch origin`), or name another: `git log --all`\n"
    )
    line = ("import git", str(story.repo.path), "--path", "x/*.md", "--into", str(root / "game"))
    assert run(root, *line, code=3) == (
        "nothing was imported: without --map, a map that ships is taken only if it reads "
        "everything, no other finds many more rules, and it is clear that these are rules\n"
        "no file of HEAD has a path like x/*.md: a pattern is a path from the top\n"
    )
    said = run(root, *line, "--map", "file-a-rule", code=2)
    assert said.replace(str(story.repo.path), "REPO") == (
        "error: no commit of HEAD has a rule in x/*.md\n"
        "help: see where the rules are: `nomicgen import survey REPO`; a pattern is a path from "
        "the top\n"
    )
    assert "a pattern of --subject or of `subjects` should have a group" in typed(
        story.repo, root, "--subject", "Motion", code=2
    )
    assert not (root / "game").exists()


SURVEY = """\
map file-a-rule, for r/*.md: 3 rules (101, 201–202), 100.0 % of the words
history   3 commits changed the files (2021-03-01 to 2021-03-03); 3 of them have rules that can be\
 read
subjects  1 of 3 name a proposal, a judgement or an act; the others become the initial\
 set or corrections, unless `subjects:` in the map, or --subject, reads them
  nomicgen import git REPO --map file-a-rule --path 'r/*.md' --into GAME
no file's name says that these are rules: if they are, run the command
"""


def test_a_survey_says_what_there_is_and_the_command(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    assert (
        run(tmp_path, "import survey", str(story.repo.path)).replace(str(story.repo.path), "REPO")
        == SURVEY
    )


def test_without_a_map_one_is_taken_where_it_reads_everything(
    git_repo: Repos, tmp_path: Path
) -> None:
    story = told(git_repo())
    line = (
        "import git",
        str(story.repo.path),
        "--into",
        str(tmp_path / "club"),
        "--on",
        "2026-01-10",
    )
    # Nothing says that the files in r/ are rules: somebody has to.
    assert run(tmp_path, *line, code=3).replace(str(story.repo.path), "REPO").endswith(SURVEY)
    assert not (tmp_path / "club").exists()
    run(tmp_path, *line, "--path", "r/*.md", "--map", "file-a-rule")
    assert (tmp_path / "club/proposals/301.md").exists()
    assert "paths:\n- r/*.md\n" in (tmp_path / "club/import.yml").read_text("utf-8")


def test_a_list_of_things_to_do_is_shown_and_not_taken(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    story.commit("Begin", {"rules/tasks.md": "# To do\n\n1. Buy oil.\n2. Sell lamps.\n3. Sleep.\n"})
    said = run(
        tmp_path, "import git", str(story.repo.path), "--into", str(tmp_path / "club"), code=3
    )
    assert "\nmap numbered, for rules/tasks.md: 3 rules (1–3), 80.0 % of the words" in said
    assert not (tmp_path / "club").exists()


def test_a_repository_without_rules_has_no_map(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    story.commit("Begin", {"README.md": "# A club\n\nWords.\n", "lamp.png": b"\x89PNG"})
    said = run(tmp_path, "import survey", str(story.repo.path), code=2)
    assert said.endswith(
        "error: no map reads this\n"
        "help: name the files with rules, such as --path rules.md; or write a map that says how a "
        "rule begins, and import with --map FILE\n"
    )
    story.commit("Rules", {"rules.md": "## 1: Lamps\n\nLit.\n\n## 2: Wicks\n\nDry.\n"})
    said = run(tmp_path, "import survey", str(story.repo.path), "--path", "rules.md")
    assert said.startswith("map headings, for rules.md: 2 rules (1–2)")


def test_a_map_is_saved_edited_and_used(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    text = "# Bylaws\n\n" + "".join(
        f"## Duty {at}\n\nA member does it each day.\n\n" for at in range(1, 7)
    )
    story.commit("Begin", {"bylaws.md": text})
    file = tmp_path / "my.yml"
    said = run(tmp_path, "import survey", str(story.repo.path), "--write", str(file))
    assert "a map made for it, for bylaws.md: 6 rules (1–6)" in said
    assert r"## Duty (?P<number>[1-9]\d*)" in file.read_text("utf-8")
    run(
        tmp_path,
        "import git",
        str(story.repo.path),
        "--map",
        str(file),
        "--into",
        str(tmp_path / "club"),
    )
    assert (tmp_path / "club/rules/6.md").exists()


def test_a_map_that_cannot_be_used_is_said_with_its_line(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    file = tmp_path / "my.yml"
    for text, message in (
        (
            "rule:\n  heading: '('\n",
            "my.yml:2: rule.heading: `(` is no pattern that RE2 takes: missing ): (",
        ),
        (
            "rule:\n  heading: 'Law [0-9]+'\n",
            "my.yml:1: the map: no group (?P<number>…) says which number a rule has",
        ),
        ("paths: [a]\nrules: {}\n", "rules"),
        ("a: [", "this is not YAML"),
    ):
        file.write_text(text, "utf-8")
        assert message in typed(story.repo, tmp_path, "--map", str(file), code=2), text
    assert "the maps that ship are agora, " in typed(story.repo, tmp_path, "--map", "nope", code=2)


def test_a_folder_that_is_used_again_may_hold_another_game(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    story.commit("The game is won", {"r/101.md": None, "r/201.md": None, "r/202.md": None})
    story.commit(
        "Once more", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/203.md": rule("203/0", "Bells.")}
    )
    said = typed(story.repo, tmp_path, code=2)
    short = story.shas[4][:12]
    assert said == (
        f"error: commit {short} (`Once more`) fills files again that were emptied: this may be "
        "another game\n"
        f"help: import the earlier with --branch {story.shas[2][:12]}, the later with `commits: "
        f"{short}..` in a map, or both as one game with --continue\n"
    )
    typed(story.repo, tmp_path, "--branch", story.shas[2][:12])
    assert (tmp_path / "game/rules/initial/202.md").exists()
    file = tmp_path / "later.yml"
    run(tmp_path, "import survey", str(story.repo.path), "--write", str(file))
    file.write_text(f"commits: {short}..\n{file.read_text('utf-8')}", "utf-8")
    line = (
        "import git",
        str(story.repo.path),
        "--map",
        str(file),
        "--into",
        str(tmp_path / "later"),
    )
    run(tmp_path, *line, "--on", "2026-01-10")
    assert sorted(path.name for path in (tmp_path / "later/rules/initial").iterdir()) == [
        "101.md",
        "201.md",
        "203.md",
    ]
