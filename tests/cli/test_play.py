"""A game played by typing the commands, in a real repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.play.move import Part
from tests.cli.playing import EVERYONE, TEA, passed, registered, run, snapshot
from tests.support import GitRepo


def test_a_new_game_is_clean(game: GitRepo) -> None:
    assert run(game.path, "check --strict --on 2026-01-01") == (
        "29 rules in force, 0 instruments replayed: nothing is wrong\n"
    )
    assert game.git("status", "--porcelain") == ""


@pytest.mark.deep
def test_a_change_from_draft_to_commit(game: GitRepo) -> None:
    said = passed(game, 301, TEA, "2026-01-05")
    assert said.splitlines()[:2] == [
        "proposal 301 is adopted: 3 for, 0 against, 0 abstaining",
        "  Rule 203: 3 for; all eligible voters (3): 3 needed (met)",
    ]
    assert game.git("log", "-1", "--format=%(trailers:only)").splitlines() == [
        "Instrument: proposals/301.md",
        "Outcome: adopted",
        "Proposed-by: osprey",
    ]
    assert game.git("show", "--name-only", "--format=").splitlines() == [
        "proposals/301.md",
        "rules/301.md",
    ]
    assert "There is tea." in run(game.path, "show 301")
    assert "0 errors, 1 warning\n" in run(game.path, "check --on 2026-01-06")  # no turn has begun
    head = game.git("rev-parse", "HEAD")
    assert head[:10] in run(game.path, "rule history 301")


def test_each_command_says_what_it_did(game: GitRepo) -> None:
    on = "--on 2026-01-05"
    said = run(game.path, f"propose --title tea --author osprey {on} --body -", feed=TEA)
    assert said.startswith("proposals/tea.md is the draft")
    assert run(game.path, f"register tea {on}").startswith(
        "proposals/tea.md is now proposals/301.md"
    )
    refused = run(game.path, f"vote 301 for --player wren {on}", code=2)
    assert refused.startswith(
        "error: Rule 111 leaves 1 day for debate: the vote opens on 2026-01-06 or later\n"
    )
    on = "--on 2026-01-06"
    said = run(game.path, f"vote 301 for --player wren {on}")
    waiting = (
        "proposal 301: 1 for, 0 against; waiting for osprey, quill\n"
        "  2 more votes in favour would pass it\n"
    )
    assert said == waiting
    assert f"open: tea (ballot 301-b000000001)\n  {waiting.replace('  2', '    2')}" in run(
        game.path, "status"
    )
    assert run(game.path, f"proposal resolve 301 {on}", code=2) == (
        "error: osprey, quill must vote before proposal 301 is resolved\n"
        "help: nomicgen vote 301 for|against --player osprey\n"
    )


def test_an_amendment_comes_with_its_text_and_takes_the_number(game: GitRepo) -> None:
    run(game.path, "propose --title quorum --author osprey --amend 203 --on 2026-01-05")
    draft = game.path / "proposals/quorum.md"
    text = draft.read_text()
    assert "## Amend Rule 203/0\n" in text
    assert (game.path / "rules/203.md").read_text().partition("---\n\n")[2] in text
    draft.write_text(
        text.replace("Why the rules should change so", "Because").rstrip() + " It is so.\n"
    )
    run(game.path, "register quorum --on 2026-01-05")
    run(game.path, "vote 301 for --on 2026-01-06", *EVERYONE)
    shown = run(game.path, "proposal resolve 301 --on 2026-01-06 --dry-run")
    assert "{+It is so.+}" in shown
    assert "nothing was written (--dry-run)" in shown
    assert (game.path / "rules/203.md").exists()
    run(game.path, "proposal resolve 301 --on 2026-01-06")
    assert not (game.path / "rules/203.md").exists()
    assert " {+It is so.+}" in run(game.path, "rule diff 203/0 301/1")
    assert "(Rule 203 is Rule 301 now)" in run(game.path, "show 203")
    assert "Rule 203/0" in run(game.path, "show 203 --on 2026-01-05")


@pytest.mark.nightly
def test_a_proposal_that_fails_spends_its_number(game: GitRepo) -> None:
    said = passed(game, 301, TEA, "2026-01-05", votes="against")
    assert said.startswith("proposal 301 is defeated: 0 for, 3 against")
    shown = run(game.path, "show 301", code=2)
    assert shown.endswith("help: Proposal 301 is in proposals/301.md\n")
    assert passed(game, 302, TEA, "2026-01-06").startswith("proposal 302 is adopted")
    assert (game.path / "rules/302.md").exists()


def test_what_is_proposed_is_voted_on_and_not_withdrawn(game: GitRepo) -> None:
    """Whoever withdrew a proposal would save the points that a defeat costs; the text has it voted
    on.
    """
    run(game.path, "propose --title tea --author osprey --on 2026-01-05 --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-05")
    before = snapshot(game.path)
    said = run(game.path, "proposal withdraw 301 --on 2026-01-06", code=1)
    assert "[withdrawal-late]: Proposal 301 cannot be withdrawn; Rule 104 never allows that" in said
    assert snapshot(game.path) == before
    run(game.path, "vote 301 against --on 2026-01-06", *EVERYONE)
    assert run(game.path, "proposal resolve 301 --on 2026-01-06").startswith(
        "proposal 301 is defeated"
    )


def test_what_the_law_forbids_is_not_resolved(game: GitRepo) -> None:
    before = snapshot(game.path)
    body = "No more entrenchment.\n\n## Repeal Rule 103/0\n"
    said = run(game.path, "propose --title gate --author wren --body -", feed=body, code=1)
    assert "proposals/gate.md:10:1: error[tier-protected]" in said
    assert "Rule 103" in said
    assert snapshot(game.path) == before


def test_nothing_is_written_when_anything_is_wrong(game: GitRepo) -> None:
    (game.path / "rules/203.md").write_text("spoilt")
    before = snapshot(game.path)
    said = run(game.path, "propose --title tea --author wren --body -", feed=TEA, code=1)
    assert "error[rules-differ]" in said
    assert snapshot(game.path) == before


def test_apply_mends_rules_and_is_idempotent(game: GitRepo) -> None:
    whole = snapshot(game.path)
    (game.path / "rules/203.md").write_text("spoilt")
    (game.path / "rules/204.md").unlink()
    (game.path / "rules/999.md").write_bytes(whole["rules/204.md"])
    assert run(game.path, "check", code=1).splitlines()[-1].startswith("29 rules in force")
    shown = run(game.path, "apply --dry-run")
    assert shown.splitlines()[:3] == [
        "writes rules/203.md",
        "writes rules/204.md",
        "removes rules/999.md",
    ]
    run(game.path, "apply")
    assert snapshot(game.path) == whole
    assert run(game.path, "apply") == "rules/ is what the ledger says: nothing to do\n"
    assert snapshot(game.path) == whole


@pytest.mark.nightly
def test_apply_commits_one_instrument_a_commit(game: GitRepo) -> None:
    passed(game, 301, TEA, "2026-01-05")
    passed(game, 302, TEA, "2026-01-06", title="more")
    game.git("rm", "-q", "rules/301.md", "rules/302.md")
    game.git("commit", "-q", "-m", "Lose two rules")
    assert "warning[not-applied]" in run(game.path, "check")
    run(game.path, "apply --commit")
    log = game.git(
        "log", "-2", "--reverse", "--format=%s|%(trailers:key=Instrument,valueonly,separator=,)"
    )
    assert log.splitlines() == [
        "Apply: Proposal 301|proposals/301.md",
        "Apply: Proposal 302|proposals/302.md",
    ]
    assert game.git("status", "--porcelain") == ""


@pytest.mark.deep
def test_a_commit_holds_nothing_else(game: GitRepo) -> None:
    (game.path / "notes.txt").write_text("mine")
    game.git("add", "notes.txt")
    passed(game, 301, TEA, "2026-01-05")
    assert game.git("status", "--porcelain") == "A  notes.txt"


def test_a_title_cannot_forge_a_trailer(game: GitRepo) -> None:
    run(game.path, "propose --author osprey --title tea --body -", feed=TEA)
    draft = game.path / "proposals/tea.md"
    draft.write_text(
        draft.read_text().replace("title: tea", r'title: "Tea\n\nInstrument: proposals/1.md"')
    )
    assert "it should be one line of text" in run(game.path, "register tea --commit", code=1)
    part = Part(
        subject="Tea\n\nInstrument: proposals/1.md", trailers=(("Instrument", "proposals/301.md"),)
    )
    assert part.message == "Tea Instrument: proposals/1.md\n\nInstrument: proposals/301.md\n"
    assert game.git("log", "-1", "--format=%(trailers:key=Instrument)") == ""


def test_judgements_and_turns_and_players(loose: GitRepo) -> None:
    run(loose.path, "turn R1T1 --player osprey --on 2026-01-02")
    run(loose.path, "turn R1T1 --dice 4 --end --on 2026-01-03 --commit")
    assert (loose.path / "turns/R1T1.yml").read_text() == (
        "player: osprey\nbegan: 2026-01-02\nended: 2026-01-03\ndice: [4]\n"
    )
    run(loose.path, "player join marl --account marl-plays --order 4 --on 2026-01-04 --commit")
    assert "marl" in (loose.path / "players/marl.yml").read_text()
    (loose.path / "ruling.md").write_text("It is so.\n")
    line = (
        "judgement file --judge marl --called-by wren --rule 203 --title Silence --on "
        "2026-01-04 --ruling"
    )
    run(loose.path, line, str(loose.path / "ruling.md"))
    text = (loose.path / "judgements/1.md").read_text()
    assert "rules: [203/0]" in text
    assert text.endswith("## Ruling\n\nIt is so.\n")
    assert run(loose.path, "judgement file --judge nobody --rule 203", code=2).startswith(
        "error: there is no player nobody"
    )


def test_json_stands_alone_on_stdout(game: GitRepo) -> None:
    (game.path / "rules/203.md").write_text("spoilt")
    for line in ("check", "show 203", "rule history 203", "status"):
        code = 1 if line == "check" else 0
        result = CliRunner().invoke(main, ["-C", str(game.path), *line.split(), "--format", "json"])
        assert result.exit_code == code
        printed = json.loads(result.stdout)
        assert printed
        if line in ("check", "status"):
            assert printed["errors"] == 1


def test_usage_errors_say_what_to_type(game: GitRepo, tmp_path: Path) -> None:
    assert "Did you mean `nomicgen proposal resolve`?" in run(game.path, "resolv", code=2)
    assert run(game.path, "show 999", code=2) == (
        "error: there never was a Rule 999\nhelp: `nomicgen status --rules` lists the rules\n"
    )
    assert "error: there is no player nobody" in run(
        game.path, "propose --title x --author nobody", code=2
    )
    assert "Invalid value for '--on': 2026-13-01 is not in the calendar" in run(
        game.path, "check --on 2026-13-01", code=2
    )
    said = run(tmp_path, "status", code=2)
    assert said.startswith("error: there is no nomic.yml in ")
    assert "nomicgen init" in said
    assert run(game.path, "init --name Again", str(game.path), code=2).startswith(
        f"error: {game.path} holds "
    )


def test_nothing_is_written_where_it_cannot_be_committed(tmp_path: Path) -> None:
    root = tmp_path / "game"
    run(tmp_path, "init --name Tea --player wren", str(root))
    before = snapshot(root)
    said = run(root, "turn R1T1 --player wren --commit", code=2)
    assert said == f"error: {root} is in no git repository\nhelp: make one with `git init`\n"
    assert snapshot(root) == before


@pytest.mark.deep
def test_a_change_that_waits_for_the_next_turn(game: GitRepo) -> None:
    body = (
        "Later is calmer.\n\n## Amend Rule 205/0\n\n```yaml rule\nprovisions:\n"
        "  effect: next-turn\n```\n\nLater.\n"
    )
    run(game.path, "turn --on 2026-01-04 --commit")
    passed(game, 301, body, "2026-01-05", title="later", author="osprey")
    run(game.path, "turn --dice 4 --end --on 2026-01-05 --commit")
    run(game.path, "turn --on 2026-01-06 --commit")
    passed(game, 302, TEA, "2026-01-07", author="quill")
    assert not (game.path / "rules/302.md").exists()
    assert run(game.path, "check --strict").endswith("nothing is wrong\n")
    run(game.path, "turn --dice 1 --end --on 2026-01-07 --commit")
    said = run(game.path, "turn --on 2026-01-08 --commit")
    assert said.startswith("R1T3: the turn of wren, from 2026-01-08\n")
    assert "\nProposal 302 takes effect\nwrites rules/302.md\n" in said
    assert game.git("log", "-2", "--format=%s").splitlines() == [
        "Apply: Proposal 302",
        "Turn R1T3 of wren",
    ]
    assert run(game.path, "check --strict").endswith("nothing is wrong\n")
    # The turn begins in its file alone, as in a browser. `apply` writes the day of the effect, too.
    whole = snapshot(game.path)
    game.git("reset", "-q", "--hard", "HEAD~2")
    (game.path / "turns/R1T3.yml").write_bytes(whole["turns/R1T3.yml"])
    game.git("add", "-A")
    game.git("commit", "-q", "-m", "Take my turn")
    assert "warning[not-applied]: adopted, due and not applied to rules/: Proposal 302" in run(
        game.path, "check"
    )
    assert run(game.path, "apply --commit").splitlines()[:2] == [
        "writes proposals/302.md",
        "writes rules/302.md",
    ]
    assert snapshot(game.path) == whole
    assert run(game.path, "verify").endswith("nothing is wrong\n")


def test_what_is_written_out_gets_its_number_at_once(game: GitRepo) -> None:
    line = "propose --title tea --author osprey --on 2026-01-05 --register --commit --body -"
    assert run(game.path, line, feed=TEA).splitlines()[:2] == [
        "proposals/301.md is written",
        "  Rule 111 leaves 1 day for debate: the vote opens on 2026-01-06 or later, "
        "with nomicgen vote 301 for --player ID",
    ]
    assert game.git("show", "--name-status", "--format=%s").split() == [
        *("Register", "proposal", "301:", "tea"),
        *("A", "proposals/301.md"),
    ]
    before = snapshot(game.path)
    said = run(
        game.path, "propose --title gin --author osprey --on 2026-01-05 --register --enact", code=2
    )
    assert said == (
        "error: proposals/gin.md still has the template's words\n"
        "help: leave --register out and edit the draft, or give its text with --body\n"
    )
    line = "propose --title gin --author osprey --on 2026-01-05 --register --amend 203 --body -"
    assert run(game.path, line, code=2, feed="A majority decides.").endswith(
        "help: --body is the argument here: put the change into it too, "
        "as `## Amend Rule 203/0` with the whole new text\n"
    )
    line = "propose --title gin --author osprey --on 2026-01-05 --body -"
    whole = f"---\ntitle: gin\nauthor: osprey\nvotes:\n  wren: for\n---\n\n{TEA}"
    for body in (whole, whole.replace("\n", "\r\n")):
        assert run(game.path, line, code=2, feed=body) == (
            "error: the body has front matter, so it is a whole proposal\n"
            "help: put the file itself into proposals/, as proposals/gin.md; "
            "then `nomicgen register`\n"
        )
    assert snapshot(game.path) == before


@pytest.mark.parametrize("registers", ["", " --register"])
def test_what_is_not_written_is_not_to_be_rebased(game: GitRepo, registers: str) -> None:
    line = f"propose --title gin --author osprey --on 2026-01-05 --body -{registers}"
    said = run(game.path, line, code=1, feed="Why.\n\n## Amend Rule 203/4\n\nGin is drunk.\n")
    assert "error[revision-stale]" in said
    assert (
        "  help: name the revision in force in the heading; the new text of an amendment has"
        in said
    )


def test_a_draft_without_an_author_gets_no_number(game: GitRepo) -> None:
    """It would count as a proposal of whoever has the turn."""
    (game.path / "proposals/gin.md").write_text(f"---\ntitle: gin\nstatus: draft\n---\n\n{TEA}")
    assert run(game.path, "register gin --on 2026-01-05", code=2) == (
        "error: proposals/gin.md names no author\n"
        "help: write `author: ID` into proposals/gin.md: who proposes it\n"
    )


def test_the_template_is_not_registered(game: GitRepo) -> None:
    run(game.path, "propose --title tea --author wren --enact --on 2026-01-05")
    assert run(game.path, "register tea --on 2026-01-05", code=2) == (
        "error: proposals/tea.md still has the template's words\n"
        "help: write your own words in proposals/tea.md: "
        "the new text of the rule, and why\n"
    )


def test_an_amendment_that_makes_no_difference_is_for_the_players_to_judge(game: GitRepo) -> None:
    """Rule 111 lets them argue against it; no rule forbids it."""
    run(game.path, "propose --title same --author osprey --amend 203 --on 2026-01-05")
    draft = game.path / "proposals/same.md"
    said = run(game.path, "register same --on 2026-01-05", code=2)
    assert said.startswith("error: proposals/same.md still has the template's words\n")
    draft.write_text(draft.read_text().replace("Why the rules should change so", "Because"))
    said = run(game.path, "register same --on 2026-01-05", code=2)
    assert said.startswith(
        "error: Amend Rule 203/0: the text and the provisions are those in force\n"
    )
    assert said.endswith("`meaning: stands` in a `yaml rule` block says so\n")
    draft.write_text(
        re.sub(
            r"```yaml rule\n(?:.*\n)+?```", "```yaml rule\nmeaning: stands\n```", draft.read_text()
        )
    )
    assert run(game.path, "register same --on 2026-01-05").startswith(
        "proposals/same.md is now proposals/301.md\n"
    )
    run(game.path, "vote 301 for --on 2026-01-06", *EVERYONE)
    assert run(game.path, "proposal resolve 301 --on 2026-01-06").startswith(
        "proposal 301 is adopted"
    )


def test_a_turn_that_ended_stays_as_it_was(loose: GitRepo) -> None:
    run(loose.path, "turn R1T1 --player osprey --on 2026-01-02")
    run(loose.path, "turn R1T1 --dice 4 --end --on 2026-01-03")
    said = run(loose.path, "turn R1T1 --dice 3 --on 2026-01-04", code=2)
    assert said == (
        "error: R1T1 ended on 2026-01-03\n"
        "help: if that is wrong: `nomicgen correct turns/R1T1.yml ended DATE --evidence TEXT`\n"
    )


def test_no_rule_before_the_game(game: GitRepo) -> None:
    said = run(game.path, "show 203 --on 1900-01-01", code=2)
    assert said == "error: the game began on 2026-01-01\nhelp: nomicgen show 203 --on 2026-01-01\n"


def test_a_site_asks_nothing_of_a_forge(tmp_path: Path) -> None:
    root = tmp_path / "game"
    run(tmp_path, "init --name Tea --player wren --repository https://github.com/us/tea", str(root))
    settings = (root / "mkdocs.yml").read_text()
    assert "repo_url" not in settings
    assert settings.startswith("site_name: Tea\nsite_url: https://us.github.io/tea/\n")


def test_a_commit_says_what_stays_out(game: GitRepo) -> None:
    run(game.path, "turn R1T1 --player osprey --on 2026-01-02")
    said = run(game.path, "player join marl --on 2026-01-02 --commit").splitlines()
    assert said[0] == "marl plays from 2026-01-02"
    assert said[2:] == [
        "not committed yet: turns/R1T1.yml",
        "  git add turns/R1T1.yml && git commit",
    ]
    for seat in range(6):
        (game.path / "proposals").mkdir(exist_ok=True)
        (game.path / f"proposals/d{seat}.md").write_text("---\nstatus: draft\n---\n\nWhy.\n")
    said = run(game.path, "player join nib --on 2026-01-02 --commit").splitlines()
    assert said[2:] == [
        "not committed yet: proposals/d0.md, proposals/d1.md, proposals/d2.md, proposals/d3.md, "
        "proposals/d4.md and 2 more",
        "  `git status` lists them: `git add` and `git commit` what is right",
    ]


def test_status_and_scores_of_a_past_day(game: GitRepo) -> None:
    run(game.path, "turn --on 2026-01-02 --commit")
    registered(game, 301, "2026-01-02")
    run(game.path, "vote 301 for --on 2026-01-04", *EVERYONE)
    run(game.path, "proposal resolve 301 --on 2026-01-06 --commit")
    assert "debated: Proposal 301, t301\n" in run(game.path, "status --on 2026-01-03")
    opened = run(game.path, "status --on 2026-01-05")
    assert "open: Proposal 301, t301" in opened
    assert "29 rules" not in opened
    before, now = (run(game.path, f"status {on}").splitlines()[1] for on in ("--on 2026-01-05", ""))
    assert before == "rules in force: 16 immutable, 13 mutable (of 25 at most)"
    assert now == "rules in force: 16 immutable, 14 mutable (of 25 at most)"
    assert "301" not in run(game.path, "status --on 2026-01-01").replace(
        "the next proposal is 301", ""
    )
    run(game.path, "turn --dice 4 --end --on 2026-01-07 --commit")
    assert [run(game.path, f"scores --on 2026-01-{day}").split()[:2] for day in ("06", "07")] == [
        ["osprey", "0"],
        ["osprey", "4"],
    ]
