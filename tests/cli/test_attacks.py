"""Hostile input: what a player types or writes must give neither a traceback, nor a false line, nor
half a write.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from tests.cli.playing import EVERYONE, TEA, begun, passed, refused, registered, run, snapshot
from tests.support import GitRepo


def shell(line: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command as a shell runs it; `nomicgen` in it is this one."""
    typed = line.replace("nomicgen", f"{sys.executable} -m nomicgen")
    return subprocess.run(
        ["bash", "-c", typed],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\x1b[31m", "a\u202eb", "a\udcff", "a\x9b"])
def test_a_name_or_a_title_is_one_line_of_text(game: GitRepo, tmp_path: Path, text: str) -> None:
    for line in (
        "propose --author wren --title",
        "player join marl --name",
        "judgement file --judge wren --title",
        "init new --name",
    ):
        said = run(game.path, line, text, code=2)
        assert "should be one line of text, without control characters" in said
    assert game.git("status", "--porcelain") == ""


def test_a_turn_is_named_as_turns_are(game: GitRepo) -> None:
    for turn in ("R0T1", "../x", "R1T1\n", "x"):
        assert "should be a turn such as R4T3" in run(game.path, "turn --player wren", turn, code=2)
        assert "should be a turn such as R4T3" in run(
            game.path, "judgement file --judge wren --turn", turn, code=2
        )


def test_a_turn_does_not_change_hands(loose: GitRepo) -> None:
    run(loose.path, "turn R1T1 --player osprey --on 2026-01-02")
    assert run(loose.path, "turn R1T1 --player quill --end --on 2026-01-03", code=2) == (
        "error: R1T1 is the turn of osprey\nhelp: correct turns/R1T1.yml, or leave --player out\n"
    )
    run(loose.path, "turn R1T1 --player osprey --dice 2 --end --on 2026-01-03")


@pytest.mark.parametrize(
    "line",
    [
        "propose --title x --author wren --body",
        "judgement file --judge wren --ruling",
        "judgement file --judge wren --question",
    ],
)
def test_a_file_that_is_no_text_is_refused(game: GitRepo, tmp_path: Path, line: str) -> None:
    file = tmp_path / "text.md"
    file.write_bytes(b"\xff\xfeno")
    assert run(game.path, line, str(file), code=2).startswith(f"error: {file} is not UTF-8\n")
    file.write_bytes(b" \n")
    assert run(game.path, line, str(file), code=2).startswith(f"error: {file} is empty\n")


def test_a_directory_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    below = tmp_path / "file" / "game"
    assert run(tmp_path, "init --name x", str(below), code=2).startswith(
        f"error: {below}: Not a directory\n"
    )
    long = tmp_path / ("a" * 300)
    assert "File name too long" in run(tmp_path, "init --name x", str(long), code=2)


def test_only_a_file_is_imported(tmp_path: Path) -> None:
    said = run(tmp_path, "import long /dev/zero --into", str(tmp_path / "game"), code=2)
    assert said.startswith("error: /dev/zero cannot be read: it is no ordinary file\n")


def test_a_vote_before_the_vote_opened_is_refused(game: GitRepo) -> None:
    run(game.path, "propose --title tea --author osprey --on 2026-01-02 --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-02")
    run(game.path, "vote 301 for --player wren --on 2026-01-05")
    assert run(game.path, "vote 301 for --player quill --on 2026-01-04", code=2) == (
        "error: the vote on proposal 301 opened on 2026-01-05\n"
        "help: give --on that day or a later one\n"
    )


def test_a_title_in_other_letters_gives_a_readable_name(game: GitRepo) -> None:
    said = run(game.path, "propose --author wren --title", "Über Été", "--body", "-", feed=TEA)
    assert said.startswith("proposals/uber-ete.md is the draft")


def test_the_name_of_a_file_forges_no_finding(game: GitRepo) -> None:
    (game.path / "proposals").mkdir(exist_ok=True)
    (
        game.path / "proposals" / "a\n::error file=x::forged\nnomic.yml:1:1: error[html]: forged"
    ).write_text("x")
    lines = run(game.path, "check", code=1).splitlines()
    assert [line for line in lines if line.startswith(("::", "nomic.yml"))] == []
    assert sum("forged" in line for line in lines) == 2  # a misnamed file, which is not committed


def test_a_title_forges_no_line_and_its_escapes_are_found(game: GitRepo) -> None:
    run(game.path, "propose --title tea --author wren --body -", feed=TEA)
    draft = game.path / "proposals/tea.md"
    draft.write_text(
        draft.read_text().replace("title: tea", r'title: "x\e[31m\x9b\nrules/203.md:1:1: forged"')
    )
    lines = run(game.path, "status").splitlines()
    assert "Draft tea, x\\x1b[31m\\x9b rules/203.md:1:1: forged" in lines
    said = run(game.path, "check", code=1)
    assert (
        "error[control-character]: the value holds `\\x1b`, spelt out, which readers cannot see"
        in said
    )
    assert "error[value-wrong]: `title` cannot be" in said
    assert r"write `title: x[31m rules/203.md:1:1: forged`" in said.replace('"', "")


def test_json_holds_nothing_that_a_terminal_obeys(game: GitRepo) -> None:
    settings = game.path / "nomic.yml"
    settings.write_text(settings.read_text().replace("name: Tea", r'name: "Té\x9b31m\u202e"'))
    said = run(game.path, "status --format json")
    assert said.isascii()
    assert json.loads(said)["name"] == "Té\x9b31m\u202e"


def test_a_reader_that_goes_away_is_no_error(game: GitRepo) -> None:
    for line in ("show 203", "status --rules", "export long", "check --format json"):
        done = shell(f"nomicgen {line} | head -c 1 > /dev/null; exit ${{PIPESTATUS[0]}}", game.path)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.nightly
def test_an_output_that_cannot_be_written_is_an_error(game: GitRepo) -> None:
    for line in ("show 203", "export long", "status --format json"):
        done = shell(f"nomicgen {line} > /dev/full", game.path)
        assert done.returncode == 2
        assert (
            done.stderr.splitlines()[0]
            == "error: the output cannot be written: No space left on device"
        )
        assert shell(f"nomicgen {line} >&-", game.path).stderr == ""


@pytest.mark.deep
def test_a_terminal_without_a_character_gets_its_escape(game: GitRepo) -> None:
    run(game.path, "player join marl --name", "Märl")
    done = shell(
        "nomicgen player join tove --name 'Tøve…' --dry-run", game.path, PYTHONIOENCODING="ascii"
    )
    assert done.returncode == 0
    assert "+name: T\\xf8ve\\u2026" in done.stdout.splitlines()


@pytest.mark.deep
def test_what_cannot_be_committed_is_not_written(game: GitRepo) -> None:
    before = snapshot(game.path)
    branch = game.git("symbolic-ref", "HEAD")
    for lock in (".git/index.lock", f".git/{branch}.lock"):
        (game.path / lock).write_text("")
        said = run(game.path, "player join marl --on 2026-01-02 --commit", code=2)
        assert said.startswith("error: another git command holds the ")
        (game.path / lock).unlink()
        assert snapshot(game.path) == before
    game.git("config", "commit.gpgSign", "true")
    game.git("config", "gpg.program", "false")
    assert run(game.path, "player join marl --on 2026-01-02 --commit", code=2).startswith(
        "error: `git commit-tree` failed"
    )
    assert snapshot(game.path) == before
    assert game.git("status", "--porcelain") == ""


@pytest.mark.deep
def test_a_resolution_that_cannot_be_committed_is_undone(game: GitRepo) -> None:
    body = "Why.\n\n## Amend Rule 203/0\n\nA majority decides.\n"
    run(
        game.path,
        "propose --title tea --author osprey --on 2026-01-04 --commit --body -",
        feed=body,
    )
    run(game.path, "register tea --on 2026-01-04 --commit")
    run(
        game.path,
        "vote 301 for --on 2026-01-05 --commit --player osprey --player quill --player wren",
    )
    before = snapshot(game.path)
    branch = game.git("symbolic-ref", "HEAD")
    (game.path / f".git/{branch}.lock").write_text("")
    run(game.path, "proposal resolve 301 --on 2026-01-05 --commit", code=2)
    (game.path / f".git/{branch}.lock").unlink()
    assert snapshot(game.path) == before
    assert game.git("status", "--porcelain") == ""
    assert run(game.path, "proposal resolve 301 --on 2026-01-05 --commit").startswith(
        "proposal 301 is adopted"
    )


@pytest.mark.nightly
def test_commands_at_the_same_time_all_commit(game: GitRepo) -> None:
    ids = [f"p{number}" for number in range(4)]
    line = " & ".join(f"nomicgen player join {one} --on 2026-01-02 --commit" for one in ids)
    shell(f"{line} & wait", game.path)
    assert sorted(game.git("log", "-4", "--format=%s").splitlines()) == [
        f"{one} joins" for one in ids
    ]
    assert game.git("status", "--porcelain") == ""


def test_a_game_that_began_before_git_had_dates(
    tmp_path: Path, git_repo: Callable[..., GitRepo]
) -> None:
    repo = git_repo("old")
    run(repo.path, "init --name Old --player wren --on 1960-01-01 --commit", str(repo.path))
    assert repo.git("log", "--format=%s") == "Begin Old"
    assert "nothing is wrong" in run(repo.path, "check")


def test_a_rule_block_that_is_left_open_at_the_end(game: GitRepo) -> None:
    (game.path / "proposals").mkdir(exist_ok=True)
    draft = "---\nauthor: wren\nstatus: draft\n---\n\nWhy.\n\n## Mark Rule 203/0\n\n```yaml rule"
    for end in ("", "\n"):
        (game.path / "proposals/tea.md").write_text(draft + end)
        assert "error[fence-open]" in run(game.path, "check", code=1)


@pytest.mark.parametrize("space", ["\u2800", "\u3164", "\u115f", "\uffa0"])
def test_a_blank_that_is_none_hides_no_instruction(game: GitRepo, space: str) -> None:
    (game.path / "proposals").mkdir(exist_ok=True)
    text = (
        f"---\nauthor: wren\nstatus: draft\n---\n\n{space}## Repeal Rule 201/0\n\n"
        "## Repeal Rule 202/0\n"
    )
    (game.path / "proposals/tea.md").write_text(text)
    assert "error[instruction-hidden]" in run(game.path, "check", code=1)


@pytest.mark.deep
def test_an_authority_over_some_numbers_reaches_no_other(game: GitRepo) -> None:
    block = (
        "```yaml rule\nprovisions:\n"
        "  authority: {by: act, to: [enact, amend], numbers: {from: 601}}\n```"
    )
    passed(
        game, 301, f"Why.\n\n## Enact Rule: Clerk\n\n{block}\n\nA clerk renumbers.\n", "2026-01-05"
    )
    (game.path / "acts").mkdir()
    front = "---\ncause: Clerk\nunder: 301\ndate: 2026-01-0"
    (game.path / "acts/desk.md").write_text(
        f"{front}6\n---\n\n## Enact Rule 601\n\nThere is a desk.\n"
    )
    for rule, number, found in (("601/0", 1, True), ("601/0", 602, False), ("201/0", 602, True)):
        (game.path / "acts/clerk.md").write_text(
            f"{front}7\n---\n\n## Renumber Rule {rule} to {number}\n"
        )
        said = (
            CliRunner().invoke(main, ["-C", str(game.path), "check", "--on", "2026-01-08"]).output
        )
        assert ("error[authority-missing]" in said) == found


@pytest.mark.deep
def test_a_tie_is_broken_though_somebody_is_silent_who_may_be(
    git_repo: Callable[..., GitRepo],
) -> None:
    law: dict[int, Any] = {
        105: {"ballot": {"silence": "ignored", "tie_break": {"by": "umpire"}}},
        203: {"adoption": {"needs": "majority", "of": "cast"}},
        111: {},
    }
    game = begun(
        git_repo("game"),
        law,
        files={"players/umpire.yml": "name: Umpire\nkind: bot\njoined: 2026-01-01\n"},
    )
    registered(game, 301, "2026-01-02")
    run(game.path, "vote 301 for --player osprey --on 2026-01-02")
    assert "there is none" in refused(game.path, "vote 301 for --player umpire --on 2026-01-02")
    run(game.path, "vote 301 against --player quill --on 2026-01-02")
    assert "nomicgen vote 301 for|against --player umpire" in refused(
        game.path, "proposal resolve 301 --on 2026-01-02"
    )
    run(game.path, "vote 301 against --player umpire --on 2026-01-02")
    run(game.path, "vote 301 for --player umpire --on 2026-01-02")
    assert run(game.path, "proposal resolve 301 --on 2026-01-02").startswith(
        "proposal 301 is adopted: 2 for, 1 against, "
    )


@pytest.mark.nightly
def test_what_is_adopted_before_the_first_turn_takes_effect_with_it(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo("game"), {107: {}, 205: {"effect": "next-turn"}, 111: {}})
    for number, rule in ((301, "## Repeal Rule 213/0"), (302, "## Repeal Rule 213/0")):
        registered(game, number, "2026-01-02", f"Why not.\n\n{rule}\n")
        run(game.path, f"vote {number} for --on 2026-01-02", *EVERYONE)
    for number in (301, 302):
        run(game.path, f"proposal resolve {number} --on 2026-01-02")
        assert (game.path / "rules/213.md").exists()
    run(game.path, "turn --on 2026-01-03")
    run(game.path, "apply --on 2026-01-03")
    assert not (game.path / "rules/213.md").exists()
    said = run(game.path, "check --on 2026-01-03")
    assert (
        "warning[change-overtaken]: decided on 2026-01-02, and impossible on 2026-01-03: there "
        "is no Rule 213" in said
    )
    assert "0 errors" in said


@pytest.mark.deep
def test_nobody_leaves_before_a_silence_that_was_counted(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(
        git_repo("game"), {105: {"ballot": {"silence": "for", "closes_after": "3"}}, 111: {}}
    )
    registered(game, 301, "2026-01-02")
    run(game.path, "vote 301 for --player osprey --player quill --on 2026-01-02")
    assert "(by silence: wren)" in run(game.path, "proposal resolve 301 --on 2026-01-07")
    assert "error[voter-unknown]: wren voted, but was no" in refused(
        game.path, "player leave wren --on 2026-01-06", code=1
    )
    run(game.path, "player leave wren --on 2026-01-08")
