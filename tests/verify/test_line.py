"""Commits that changed `rules/`: which are lawful, and what is said of the others."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.history.ledger_digest import ledger_digest
from nomicgen.repository.game_tree import read_tree
from tests.cli.playing import EVERYONE, TEA, passed, registered, run
from tests.support import GitRepo
from tests.verify.histories import LAMP, by_hand, clean, found, lamplit, log

pytestmark = pytest.mark.deep

Repos = Callable[..., GitRepo]
ADA = "Ada Player"


@pytest.mark.nightly
def test_a_game_that_only_commands_have_changed_is_clean(game: GitRepo) -> None:
    said = clean(game)
    assert said["commit"] == game.git("rev-parse", "HEAD")
    assert said["tree"] == game.git("rev-parse", "HEAD^{tree}")
    assert said["ledger"] == ledger_digest(read_tree(game.path))
    assert said["since"] == log(game, "Begin Tea")
    assert (said["commits"], said["instruments"], said["signed"]) == (9, 2, 0)
    assert said["admitted"] == []


def test_what_a_person_reads_of_a_clean_game(game: GitRepo) -> None:
    head, tree = game.git("rev-parse", "HEAD", "HEAD^{tree}").split()
    assert run(game.path, "verify").splitlines() == [
        f"commit {head}",
        f"tree   {tree}",
        f"ledger {ledger_digest(read_tree(game.path))}",
        "seen for the first time: remembered",
        "votes: 6 recorded by hand",
        f"9 commits since {log(game, 'Begin Tea')[:12]}, 2 instruments carried out: nothing is "
        "wrong",
    ]


def test_a_file_edited_by_hand(game: GitRepo) -> None:
    edit = by_hand(game, "rules/301.md", "hall", "yard")
    assert run(game.path, "verify", code=1).splitlines() == [
        "rules/301.md:8:1: error[rules-differ]: the file of Rule 301/0 differs from what the "
        "ledger gives",
        "  help: do not edit rules/ by hand: `nomicgen apply` restores the file; to change the "
        "rule, restore it, then `nomicgen propose --title TITLE --amend 301`",
        "    --- rules/301.md",
        "    +++ what the ledger gives",
        "    @@ -7,2 +7,2 @@",
        "",
        "    -A lamp burns in the yard.",
        "    +A lamp burns in the hall.",
        f"rules/301.md:1:1: error[verify-hand-edit]: commit {edit[:12]} (Ada Player, 2020-01-02) "
        "made this differ from the ledger: rules/301.md",
        "  help: `nomicgen apply --commit` brings rules/ back; to admit what happened, write into "
        f"nomic.yml `admitted: {{{edit}: WHY}}`",
        "    --- what the ledger gives",
        f"    +++ rules/301.md of {edit[:12]}",
        "    @@ -7,2 +7,2 @@",
        "",
        "    -A lamp burns in the hall.",
        "    +A lamp burns in the yard.",
        "",
        *run(game.path, "verify", code=1).splitlines()[-6:-2],
        "votes: 6 recorded by hand",
        f"10 commits since {log(game, 'Begin Tea')[:12]}, 2 instruments carried out: 2 errors, 0 "
        "warnings",
    ]


def test_an_edit_that_was_undone_is_found_and_what_undid_it_is_not(game: GitRepo) -> None:
    edit = by_hand(game, "rules/301.md", "hall", "yard")
    run(game.path, "apply --commit")
    passed(game, 303, TEA, "2026-01-07")
    names = {"EDIT": edit, "UNDO": log(game, "Bring rules/ back")}
    assert found(game, names=names) == [
        f"verify-hand-edit: commit EDIT ({ADA}, 2020-01-02) made this differ from the ledger: "
        "rules/301.md; undone by commit UNDO"
    ]


def test_what_is_lawful_on_top_of_an_edit_is_not_blamed_for_it(game: GitRepo) -> None:
    edit = by_hand(game, "rules/301.md", "hall", "yard")
    game.git("revert", "--no-edit", "HEAD")
    by_hand(game, "rules/201.md", "turn", "turn ", "Blanks")
    assert [line.split(":")[0] for line in found(game)] == ["verify-hand-edit", "verify-hand-edit"]
    assert (
        found(game, names={"EDIT": edit})[0].partition(" (")[0] == "verify-hand-edit: commit EDIT"
    )


def test_several_files_in_one_commit_are_one_finding(game: GitRepo) -> None:
    game.commit("Tidy", {"rules/301.md": None, "rules/302.md": "none", "rules/notes.md": "notes"})
    assert found(game, names={"TIDY": game.git("rev-parse", "HEAD")}) == [
        f"verify-hand-edit: commit TIDY ({ADA}, 2020-01-02) made this differ from the ledger: "
        "rules/301.md, rules/302.md, rules/notes.md"
    ]


def test_a_link_in_the_place_of_a_rule(game: GitRepo) -> None:
    (game.path / "rules/301.md").unlink()
    (game.path / "rules/301.md").symlink_to("../proposals/301.md")
    game.commit("A shortcut")
    assert [line.split(":")[0] for line in found(game)] == ["verify-hand-edit"]


def test_a_rule_carried_out_without_a_word(game: GitRepo) -> None:
    registered(game, 303, "2026-01-07")
    run(game.path, "vote 303 for --on 2026-01-08 --commit", *EVERYONE)
    run(game.path, "proposal resolve 303 --on 2026-01-08")
    sha = game.commit("Adopt 303")
    assert found(game, code=0, names={"SHA": sha}) == [
        f"verify-unnamed: commit SHA ({ADA}, 2020-01-02) carries out Proposal 303, but does not "
        "name it"
    ]
    assert found(game, "--strict", names={"SHA": sha})


def test_a_commit_that_names_the_wrong_instrument(game: GitRepo) -> None:
    registered(game, 303, "2026-01-07")
    run(game.path, "vote 303 for --on 2026-01-08 --commit", *EVERYONE)
    run(game.path, "proposal resolve 303 --on 2026-01-08")
    sha = game.commit("Adopt 303\n\nInstrument: proposals/301.md\nInstrument: proposals/999.md")
    where = f"commit SHA ({ADA}, 2020-01-02)"
    assert found(game, names={"SHA": sha}) == [
        f"verify-impostor: {where} names 'proposals/999.md' as its instrument, but there is no "
        "such file",
        f"verify-impostor: {where} names Proposal 301 as its instrument, but neither decides it "
        "nor carries it out",
        f"verify-unnamed: {where} carries out Proposal 303, but does not name it",
    ]


def test_an_impostor_that_touches_no_file_of_the_game(game: GitRepo) -> None:
    sha = game.commit("Words\n\nInstrument: proposals/302.md", {"README.md": "Hello.\n"})
    assert found(game, names={"SHA": sha}) == [
        f"verify-impostor: commit SHA ({ADA}, 2020-01-02) names Proposal 302 as its instrument, "
        "but neither decides it "
        "nor carries it out"
    ]


def test_a_proposal_that_names_itself_before_it_is_decided(game: GitRepo) -> None:
    run(game.path, "propose --title tea --author wren --on 2026-01-07 --body -", feed=TEA)
    run(game.path, "register tea --on 2026-01-07")
    sha = game.commit("Register\n\nInstrument: proposals/303.md")
    assert found(game, names={"SHA": sha}) == [
        f"verify-impostor: commit SHA ({ADA}, 2020-01-02) names Proposal 303 as its instrument, "
        "but neither decides it "
        "nor carries it out"
    ]


def test_a_defeated_proposal_is_named_by_the_commit_that_decides_it(game: GitRepo) -> None:
    passed(game, 303, TEA, "2026-01-07", votes="against")
    clean(game)


def waiting(game: GitRepo) -> None:
    """Two proposals that are adopted, each in a commit that says so, and not carried out."""
    for number in (303, 304):
        registered(game, number, "2026-01-07", TEA.replace("Tea", f"Tea {number}"))
        run(game.path, f"vote {number} for --on 2026-01-08 --commit", *EVERYONE)
    for number in (303, 304):
        run(game.path, f"proposal resolve {number} --on 2026-01-08")
        for written in (303, 304):
            (game.path / f"rules/{written}.md").unlink(missing_ok=True)
        game.commit(f"Adopted: {number}\n\nInstrument: proposals/{number}.md")


@pytest.mark.nightly
def test_two_instruments_carried_out_later_each_in_its_commit(game: GitRepo) -> None:
    waiting(game)
    run(game.path, "apply --commit")
    assert clean(game)["instruments"] == 4


@pytest.mark.nightly
def test_two_instruments_carried_out_in_one_commit_that_names_both(game: GitRepo) -> None:
    waiting(game)
    run(game.path, "apply")
    game.commit("Apply\n\nInstrument: proposals/303.md\nInstrument: proposals/304.md")
    assert clean(game)["instruments"] == 4


@pytest.mark.nightly
def test_two_instruments_carried_out_in_one_commit_that_names_one(game: GitRepo) -> None:
    waiting(game)
    run(game.path, "apply")
    sha = game.commit("Apply\n\nInstrument: proposals/304.md")
    assert found(game, code=0, names={"SHA": sha}) == [
        f"verify-unnamed: commit SHA ({ADA}, 2020-01-04) carries out Proposal 303, but does not "
        "name it"
    ]


def test_a_reverted_adoption(game: GitRepo) -> None:
    game.git("revert", "--no-edit", "HEAD")
    game.git("revert", "--no-edit", "HEAD")
    names = {"ONE": game.git("rev-parse", "HEAD~1"), "TWO": game.git("rev-parse", "HEAD")}
    lines = [
        line.replace(game.git("log", "-1", "--format=%as"), "TODAY")
        for line in found(game, names=names)
    ]
    assert lines == [
        f"verify-past: commit ONE ({ADA}, TODAY) changed the past: Proposal 302 is decided: "
        "`decided`, `effective`, "
        "`status` can no longer change",
        f"verify-hand-edit: commit ONE ({ADA}, TODAY) took rules/ back to what they were before "
        "Proposal 302",
        f"verify-unnamed: commit TWO ({ADA}, TODAY) carries out Proposal 302, but does not name it",
    ]


@pytest.mark.nightly
def test_a_game_whose_first_commits_are_older_than_nomicgen(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit(
        "Our rules", {"rules/203.md": "Everybody votes.\n", "proposals/301.md": "an idea\n"}
    )
    repo.commit(
        "Oops\n\nInstrument: proposals/301.md", {"rules/203.md": None, "proposals/301.md": None}
    )
    assert clean(lamplit(repo))["instruments"] == 2


def test_rules_of_older_days_that_are_still_there(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Our rules", {"rules/999.md": "Everybody votes.\n"})
    game = lamplit_beside(repo)
    assert found(game, names={"BEGIN": log(game, "Begin Tea")}) == [
        f"verify-hand-edit: commit BEGIN ({ADA}, 2020-01-02) made this differ from the ledger: "
        "rules/999.md"
    ]


def lamplit_beside(repo: GitRepo) -> GitRepo:
    """A game that begins in a repository with rules of another form."""
    run(repo.path, "init --ruleset suber --name Tea --on 2026-01-01", *EVERYONE, str(repo.path))
    repo.commit("Begin Tea")
    return repo


def test_the_initial_set_may_change_until_something_is_decided(git_repo: Repos) -> None:
    repo = lamplit_beside(git_repo())
    for old, new in (("eligible", "entitled"), ("entitled", "proper")):
        path = repo.path / "rules/initial/105.md"
        path.write_text(path.read_text().replace(old, new))
        run(repo.path, "apply --on 2026-01-01")
        repo.commit("Better words")
    said = clean(repo)
    assert (said["commits"], said["since"]) == (1, repo.git("rev-parse", "HEAD"))


def inside(repo: GitRepo, name: str) -> GitRepo:
    """A folder of a repository, to work in."""
    found = GitRepo(repo.path / name)
    shutil.rmtree(found.path / ".git")
    return found


@pytest.mark.nightly
def test_a_game_in_a_folder_of_a_repository_with_another_game(
    git_repo: Repos, tmp_path: Path
) -> None:
    repo = git_repo()
    repo.commit("Two games", {"README.md": "Two games.\n"})
    for name in ("lamps", "teas"):
        run(
            tmp_path,
            "init --ruleset suber --on 2026-01-01",
            "--name",
            name,
            *EVERYONE,
            str(repo.path / name),
        )
        repo.commit(f"Begin {name}")
    lamps, teas = (inside(repo, name) for name in ("lamps", "teas"))
    for number in (301, 302):
        passed(lamps, number, LAMP, f"2026-01-0{number - 296}", title=f"t{number}")
        repo.commit("Beside it", {"README.md": f"{number}\n"})
    assert clean(lamps)["commit"] == repo.git("rev-parse", "HEAD")
    assert clean(teas)["instruments"] == 0
    edit = by_hand(lamps, "rules/301.md", "hall", "yard")
    assert [line.partition(" (")[0] for line in found(lamps, names={"EDIT": edit})] == [
        "verify-hand-edit: commit EDIT"
    ]
    clean(teas)
    said = run(lamps.path, "verify --format github", code=1)
    assert "::error file=lamps/rules/301.md,line=1,col=1,title=verify-hand-edit::" in said


@pytest.mark.nightly
def test_a_repository_of_longer_ids(git_repo: Repos, tmp_path: Path) -> None:
    root = tmp_path / "sha256"
    root.mkdir()
    repo = GitRepo(root / "game")
    (repo.path / ".git").rename(root / "old")
    repo.git("init", "--quiet", "--initial-branch=main", "--object-format=sha256")
    game = lamplit(repo)
    assert len(clean(game)["commit"]) == 64
    by_hand(game, "rules/301.md", "hall", "yard")
    assert len(found(game)) == 1
