"""A history against what a site said when it was built; clones that are not whole; what is not
committed.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.playing import TEA, begun, passed, run
from tests.deep import sampled
from tests.importers.git.test_command import told, typed
from tests.support import ROOT, GitRepo
from tests.verify.histories import LAW, by_hand, clean, found
from tests.verify.test_seen import forged

pytestmark = pytest.mark.deep

Repos = Callable[..., GitRepo]
RULESETS = ("suber", "nomic-iv", "discordian", "paranomic", "pokey")
RECIPE = (
    "git ls-files -z nomic.yml rules/initial proposals judgements acts players turns"
    " | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum"
)


def published(game: GitRepo, **changes: Any) -> str:
    """The option that names what a build of the game as it is now would publish."""
    run(game.path, "plumbing pages", str(game.path.parent / "site"))
    index = json.loads((game.path.parent / "site/docs/api/v1/index.json").read_text("utf-8"))
    file = game.path.parent / "index.json"
    file.write_text(json.dumps({**index, **changes}), "utf-8")
    return str(file)


def test_what_was_published_is_what_git_and_a_hash_tool_say(game: GitRepo) -> None:
    index = json.loads(Path(published(game)).read_text("utf-8"))
    assert index["commit"] == game.git("rev-parse", "HEAD")
    assert index["tree"] == game.git("rev-parse", "HEAD^{tree}")
    digest = subprocess.run(
        ["bash", "-c", RECIPE], cwd=game.path, capture_output=True, check=True
    ).stdout
    assert index["ledger"] == digest.decode().split()[0]
    assert index["ledger"] == clean(game)["ledger"]


def test_memory_an_older_clone_and_a_published_digest_each_find_a_rewritten_past(
    game: GitRepo, tmp_path: Path
) -> None:
    """The keeper pushes another past by force: each commit is lawful, and as of its day."""
    older, seen = str(tmp_path / "older"), game.git("rev-parse", "HEAD")
    game.git("clone", "--quiet", "--no-local", str(game.path), older)
    option = published(game)
    run(Path(older), "verify")
    forged(game, tmp_path)
    fresh = str(tmp_path / "fresh")
    game.git("clone", "--quiet", "--no-local", str(game.path), fresh)
    assert "nothing is wrong" in run(Path(fresh), "verify --no-memory")
    # The site that was looked at before.
    assert "verify-rewritten" in run(Path(fresh), "verify --no-memory --published", option, code=1)
    # What this machine remembers of the address.
    assert f"commit {seen[:12]}, which was seen on" in run(Path(fresh), "verify", code=1)
    # The older clone itself, with git alone.
    subprocess.run(["git", "fetch", "--quiet"], cwd=older, check=True)
    goes_on = ["git", "merge-base", "--is-ancestor", "HEAD", "origin/HEAD"]
    assert subprocess.run(goes_on, cwd=older).returncode == 1


@pytest.mark.deep
def test_the_first_page_says_it_too(game: GitRepo) -> None:
    published(game)
    page = (game.path.parent / "site/docs/index.md").read_text("utf-8")
    head = game.git("rev-parse", "HEAD")
    assert f'<code title="{head}">{head[:12]}</code>' in page
    assert clean(game)["ledger"] in page


def test_the_first_page_says_what_the_game_owns_up_to(game: GitRepo) -> None:
    edit = by_hand(game, "rules/301.md", "hall", "yard")
    run(game.path, "apply --commit")
    assert "own up to" not in _first_page(game)
    settings = (game.path / "nomic.yml").read_text("utf-8")
    game.commit(
        "Own up", {"nomic.yml": f"{settings}admitted: {{{edit}: A typo <b>mended</b> by hand.}}\n"}
    )
    page = _first_page(game)
    assert (
        f'<code title="{edit}">{edit[:12]}</code> A typo &lt;b&gt;mended&lt;/b&gt; by hand.' in page
    )


def _first_page(game: GitRepo) -> str:
    published(game)
    return (game.path.parent / "site/docs/index.md").read_text("utf-8")


def test_a_history_that_goes_on(game: GitRepo) -> None:
    option = published(game)
    passed(game, 303, TEA, "2026-01-07")
    clean(game, "--published", option)


def test_a_last_commit_that_is_amended(game: GitRepo) -> None:
    option = published(game)
    old = game.git("rev-parse", "HEAD")
    game.git("commit", "--quiet", "--amend", "--no-edit", "--date", "2020-02-02T12:00:00")
    (fault,) = found(game, "--published", option)
    assert fault.startswith(
        f"verify-rewritten: commit {old[:12]}, which was published, is not in the history of "
        "HEAD any more; HEAD is "
    )
    assert fault.endswith(
        f": 1 commit is gone, and the last that both have is {game.git('rev-parse', 'HEAD~1')[:12]}"
    )


@pytest.mark.deep
def test_a_history_that_was_pushed_by_force_and_cloned_anew(game: GitRepo, tmp_path: Path) -> None:
    option = published(game)
    old = game.git("rev-parse", "HEAD")
    game.git("reset", "--quiet", "--hard", "HEAD~1")
    passed(game, 303, TEA, "2026-01-07")
    game.git("clone", "--quiet", "--no-local", str(game.path), str(tmp_path / "clone"))
    clone = GitRepo(tmp_path / "clone")
    head = clone.git("rev-parse", "HEAD")
    assert (
        f"verify-rewritten: commit {old[:12]}, which was published, is not in this repository; "
        f"HEAD is {head[:12]}"
    ) in found(clone, "--published", option)


def test_a_tree_and_a_ledger_that_are_not_what_was_published(game: GitRepo) -> None:
    head, tree = (game.git("rev-parse", one) for one in ("HEAD", "HEAD^{tree}"))
    now = clean(game)["ledger"]
    other = hashlib.sha256(b"another").hexdigest()
    assert found(game, "--published", published(game, tree=other[:40], ledger=other)) == [
        f"verify-rewritten: commit {head[:12]}, which was published, had the tree {other[:12]}, "
        f"and has {tree[:12]}",
        f"verify-rewritten: commit {head[:12]}, which was published, had the ledger "
        f"{other[:12]}, and has {now[:12]}",
    ]


@pytest.mark.deep
def test_an_object_that_stands_in_for_another_is_not_heeded(game: GitRepo) -> None:
    """`git replace` shows another commit under the old id."""
    option = published(game)
    old = game.git("rev-parse", "HEAD")
    edit = by_hand(game, "proposals/301.md", "Light.", "Dark.")
    game.git("reset", "--quiet", "--hard", old)
    game.git("replace", old, edit)
    assert "Dark." in game.git("show", "HEAD:proposals/301.md")
    clean(game, "--published", option)


@pytest.mark.deep
def test_a_site_of_files_that_were_not_committed(game: GitRepo) -> None:
    head = game.git("rev-parse", "HEAD")
    assert found(game, "--published", published(game, uncommitted=2, ledger="0" * 64), code=0) == [
        f"verify-unproven: the site of commit {head[:12]} was built with files that were not "
        "committed: its ledger is "
        "not compared"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<html>",
        "[" * 100_000,
        "[]",
        '{"format": 1}',
        '{"format": 1, "commit": null}',
        '{"format": 1, "commit": "HEAD"}',
        '{"format": 1, "commit": "--all"}',
        f'{{"format": 1, "commit": "{"0" * 40}", "tree": 7}}',
    ],
)
def test_what_is_no_index_is_refused(game: GitRepo, text: str) -> None:
    file = game.path.parent / "index.json"
    file.write_text(text)
    said = run(game.path, "verify --published", str(file), code=2)
    assert said.startswith(
        "error: --published is not the index.json of a site that was built with git: "
    )
    assert said.endswith("\nhelp: use api/v1/index.json from the site\n")


@pytest.mark.nightly
def test_a_shallow_clone_is_said_and_not_guessed(game: GitRepo, tmp_path: Path) -> None:
    option = published(game)
    passed(game, 303, TEA, "2026-01-07")
    game.git("clone", "--quiet", "--no-local", "--depth=2", str(game.path), str(tmp_path / "clone"))
    clone = GitRepo(tmp_path / "clone")
    end = clone.git("rev-parse", "HEAD~1")
    known = game.git("rev-parse", "HEAD~4")
    assert found(clone, "--published", option) == [
        f"verify-shallow: this clone is shallow: nothing before commit {end[:12]} is verified",
        f"verify-unproven: commit {known[:12]}, which was published, is not in this shallow clone",
    ]
    by_hand(clone, "rules/301.md", "hall", "yard")
    assert [line.partition(":")[0] for line in found(clone)] == [
        "verify-shallow",
        "verify-hand-edit",
    ]
    clone.git("reset", "--quiet", "--hard", "HEAD~1")
    clone.git("fetch", "--quiet", "--unshallow")
    clean(clone, "--published", option)


def test_what_is_not_committed_is_a_warning_and_not_verified(game: GitRepo) -> None:
    (game.path / "rules/301.md").write_text("Mine!\n")
    said = run(game.path, "verify")
    assert "rules/301.md:1:1: warning[git-uncommitted]: not committed: rules/301.md" in said
    assert said.endswith("2 instruments carried out: 0 errors, 1 warning\n")
    run(game.path, "verify --strict", code=1)


def test_without_git_there_is_nothing_to_verify(tmp_path: Path) -> None:
    run(tmp_path, "init --ruleset suber --name Tea --on 2026-01-01", str(tmp_path / "tea"))
    assert run(tmp_path / "tea", "verify", code=2) == (
        f"error: {tmp_path / 'tea'} is in no git repository\nhelp: make one with `git init`\n"
    )
    repo = GitRepo(tmp_path / "tea")
    assert run(repo.path, "verify", code=2).startswith("error: nothing has been committed yet\n")
    repo.git("commit", "--quiet", "--allow-empty", "--message=Nothing")
    assert run(repo.path, "verify", code=2).startswith("error: no commit has nomic.yml yet\n")


@pytest.mark.nightly
@pytest.mark.parametrize("ruleset", sampled(RULESETS, every=5))
def test_the_games_that_ship_played_are_clean(ruleset: str, tmp_path: Path) -> None:
    run(tmp_path, f"init --played --commit --ruleset {ruleset}", str(tmp_path / "game"))
    assert clean(GitRepo(tmp_path / "game"))["instruments"] > 5


@pytest.mark.deep
def test_an_archive_that_is_imported_is_clean(git_repo: Repos, tmp_path: Path) -> None:
    story = told(git_repo())
    (tmp_path / "new").mkdir()
    typed(story.repo, tmp_path / "new", "--name", "Lantern", "--commit")
    game = GitRepo(tmp_path / "new/game")
    assert clean(game)["instruments"] == 2
    by_hand(game, "rules/201.md", "dawn", "dusk")
    assert [line.partition(":")[0] for line in found(game)] == ["verify-hand-edit"]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no clone of the repository")
def test_the_game_of_this_repository_is_clean() -> None:
    said = json.loads(run(ROOT, "verify --format json"))
    assert [one["finding"]["message"] for one in said["faults"]] == []
    assert (said["errors"], said["instruments"]) == (0, 10)


@pytest.mark.deep
def test_names_that_a_hostile_repository_can_have(git_repo: Repos) -> None:
    game = begun(git_repo(), LAW)
    game.git("branch", "HEAD~0@{0}".replace("@{0}", "").replace("~0", "x"))
    game.git("update-ref", "refs/tags/HEAD", "HEAD")
    game.git(
        "update-ref",
        "refs/heads/HEAD",
        game.commit("Bell\x1b[31m\n\nInstrument: \x1b[2Jproposals/301.md"),
    )
    game.write(
        {
            "rules/\x1b[2J::error.md": "x\n",
            "rules/a\nb.md": "x\n",
            ".mailmap": "Wren <ada@example.org>\n",
        }
    )
    game.git("add", "--all")
    game.git("commit", "--quiet", "--message=Names", "--author=A\x1b[31m::error::<x> <a@b>")
    said = run(game.path, "verify", code=1)
    assert "\x1b" not in said
    github = run(game.path, "verify --format github", code=1)
    assert "\x1b" not in github
    assert all(
        line.startswith(("::error file=", "::warning file=")) for line in github.splitlines()
    )
    assert "Wren" not in said


@pytest.mark.deep
def test_a_graph_of_commits_is_not_believed(game: GitRepo) -> None:
    edit = by_hand(game, "rules/301.md", "hall", "yard")
    game.git("commit-graph", "write", "--reachable")
    before = found(game)
    assert edit[:12] in before[0]
    graph = game.path / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    graph.write_bytes(b"CGPH" + bytes(100))
    assert found(game) == before


def test_a_huge_file_is_not_read(game: GitRepo) -> None:
    game.commit("Big", {"proposals/big.md": b"x" * (2 << 20)})
    said = run(game.path, "verify", code=1)
    assert "proposals/big.md:1:1: error[file-too-large]" in said
