"""`nomicgen import git`, typed: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
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
    line = ("import git", str(repo.path), "--path", "r/*.md", "--into", str(root / "game"), "--on", "2026-01-10")
    return run(root, *line, *more, code=code).replace(str(root), "ROOT").replace(str(repo.path), "REPO")


def test_a_game_is_written_and_checked(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--name", "Lantern", "--commit", "--report", str(root / "report.json")).splitlines()[
        :2
    ] == [
        "ROOT/report.json holds the report: 2 oddities, 5 events",
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
    report = json.loads((root / "report.json").read_text("utf-8"))
    assert [one["slug"] for one in report["oddities"]] == ["unclassed", "author-unsaid"]


def test_a_dry_run_writes_the_report_and_nothing_else(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    root = tmp_path / "new"
    root.mkdir()
    assert typed(story.repo, root, "--dry-run", "--report", str(root / "report.md")) == (
        "ROOT/report.md holds the report: 2 oddities, 5 events\n"
        "import.json would say: 3 of 3 states identical\n"
        "ROOT/game would hold Nomic, in 14 files; nothing was written (--dry-run)\n"
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
    said = run(root, "import git", str(story.repo.path), "--path", "x/*.md", "--into", str(root / "game"), code=2)
    assert said.replace(str(story.repo.path), "REPO") == (
        "error: no commit of HEAD has a rule in x/*.md\n"
        "help: see where the rules are: `nomicgen import survey REPO`; a pattern is a path from the top\n"
    )
    assert "a pattern of --subject should have a group" in typed(story.repo, root, "--subject", "Motion", code=2)
    assert not (root / "game").exists()


SURVEY = """\
rules     sure    3 rules, a file each: r/*.md (101, 201–202)
tiers     likely  said with the rules: 1 immutable; 2 say none, and are of the least entrenched
history   sure    3 commits changed them (2021-03-01 to 2021-03-03); 3 of them have rules that can be read
authors   sure    Wren Keeper committed 100% of what no merge brought, and is the author only where a subject,\
 a trailer or a pull request says so: Wren Keeper 3
subjects  unsure  1 of 3 name a proposal, a judgement or an act; the others become corrections, unless --subject\
 says how to read them
left out  sure    nothing of these files
  nomicgen import git REPO --path 'r/*.md' --into GAME
"""


def test_a_survey_says_what_there_is_and_the_command(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    assert run(tmp_path, "import survey", str(story.repo.path)).replace(str(story.repo.path), "REPO") == SURVEY


def test_without_a_path_a_survey_comes_first(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    line = ("import git", str(story.repo.path), "--into", str(tmp_path / "club"), "--on", "2026-01-10")
    said = run(tmp_path, *line, code=2)
    assert said.endswith("help: accept this with --yes, or say where the rules are: --path GLOB\n")
    assert not (tmp_path / "club").exists()
    said = run(tmp_path, *line, "--yes").replace(str(story.repo.path), "REPO")
    assert said.startswith(SURVEY)
    assert (tmp_path / "club/proposals/301.md").exists()


def test_bylaws_are_refused_by_survey_and_import(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    text = "# Bylaws\n\n" + "".join(f"## Duty {at}\n1. A member does it.\n2. Twice.\n\n" for at in range(1, 7))
    story.commit("Begin", {"bylaws.md": text})
    file = tmp_path / "bylaws.md"
    file.write_text(text, "utf-8")
    for line in (
        ("import survey", str(story.repo.path)),
        ("import survey", str(file)),
        ("import git", str(story.repo.path), "--path", "bylaws.md", "--into", str(tmp_path / "club")),
        ("import git", str(story.repo.path), "--yes", "--into", str(tmp_path / "club")),
    ):
        said = run(tmp_path, *line, code=2)
        assert "7 headings such as `# Bylaws` part this text into articles or sections" in said
        assert said.endswith("help: a game needs numbered rules: number its parts as rules, or keep it in docs/\n")
    assert not (tmp_path / "club").exists()


def test_a_repository_without_rules_has_no_command(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    story.commit("Begin", {"README.md": "# A club\n\nWords.\n", "lamp.png": b"\x89PNG"})
    said = run(tmp_path, "import survey", str(story.repo.path), code=2)
    assert said.startswith("rules  likely  no file of the newest commit has numbered rules\nerror: ")


def test_rules_in_a_format_that_is_not_read_are_pointed_at(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    story.commit("Begin", {"Season 2/Rules/index.html": "<ol><li>Obey.</ol>", "README.md": "# A club\n"})
    said = run(tmp_path, "import survey", str(story.repo.path), code=2)
    assert "`Season 2/Rules/index.html` may have some, in a format that is not read" in said
    assert "\nhelp: write its text as Markdown or as plain text, one rule below the other" in said


def test_of_many_files_with_numbers_somebody_must_say_which_are_the_rules(git_repo: Repos, tmp_path: Path) -> None:
    story = Story(git_repo())
    laws = {f"laws/{name}.md": f"## 1 {name}\n\nObey.\n\n## 2 Oil\n\nShare.\n\n## 3 Go\n\nOn.\n" for name in "abcdefg"}
    story.commit("Begin", laws)
    said = run(tmp_path, "import survey", str(story.repo.path), code=2)
    assert "7 files have lines or headings with numbers, and none of them has most" in said
    options = "`--path laws/a.md`, or `--path laws/b.md`, or `--path laws/c.md`"
    assert f"help: say which are the rules: {options}" in said
    assert "3 rules, in one file: laws/b.md" in run(
        tmp_path, "import survey", str(story.repo.path), "--path", "laws/b.md"
    )


def test_options_that_decide_must_be_right(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    for option, value, message in (
        ("--heading", "(", "is no regular expression"),
        ("--heading", "Law [0-9]+", "should have a group (?P<number>[0-9]+)"),
        ("--front-matter", "Type=what", "should name keys and what they mean"),
    ):
        assert message in typed(story.repo, tmp_path, option, value, code=2)


def test_a_file_is_surveyed(tmp_path: Path) -> None:
    file = tmp_path / "rules.txt"
    file.write_text("101. Obey.\n\n102. (immutable) Oil.\n\n201. Lamps.\n\n202. Dusk.\n\n\nKept by Wren\n", "utf-8")
    assert run(tmp_path, "import survey", str(file)).replace(str(file), "FILE") == (
        "rules     sure    4 rules (101–102, 201–202)\n"
        "tiers     unsure  nothing says the tier of Rules 101, 201–202: mutable, the least entrenched, is taken\n"
        "left out  sure    line 10 stands below Rule 202, the last, and is left out: `Kept by Wren`\n"
        "  nomicgen import text FILE --into GAME\n"
    )
    file.write_bytes(b"a\xff\n")
    assert run(tmp_path, "import survey", str(file), code=2).endswith("help: save it as UTF-8\n")
