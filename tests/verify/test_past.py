"""What was decided, and changed later; commits that the ledger names; what the game owns up to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.files.file_editing import set_keys
from tests.cli.playing import EVERYONE, TEA, passed, registered, run
from tests.pulls.pulling import FOR, Forge, asked, forged, play
from tests.support import GitRepo
from tests.verify.histories import by_hand, clean, found, lamplit

pytestmark = pytest.mark.deep

Repos = Callable[..., GitRepo]
POINTS = "points: [{player: wren, amount: 1, reason: kindness}]\n"
WHO = "(Ada Player, 2020-01-02)"


def keyed(game: GitRepo, path: str, **values: object) -> dict[str, bytes]:
    """A file with other values for some keys."""
    return {path: set_keys((game.path / path).read_bytes(), values)}


@pytest.mark.nightly
def test_a_decided_proposal_whose_words_change(game: GitRepo) -> None:
    sha = by_hand(game, "proposals/301.md", "Light.", "Let there be light.")
    assert found(game, names={"SHA": sha}) == [
        f"verify-past: commit SHA {WHO} changed the past: Proposal 301 is decided: its words can "
        "no longer change"
    ]


@pytest.mark.nightly
def test_votes_that_change_after_the_decision_and_back(game: GitRepo) -> None:
    """What brings the old text back is what the finding's help asks for, and is not found."""
    vote = ("wren:\n    vote: for", "wren:\n    vote: against")
    names = {"ONE": by_hand(game, "proposals/301.md", *vote)}
    game.git("revert", "--no-edit", "HEAD")
    first = ["verify-past: commit ONE"]
    assert [line.partition(" (")[0] for line in found(game, names=names)] == first
    again = {**names, "TWO": by_hand(game, "proposals/301.md", *vote)}
    assert [line.partition(" (")[0] for line in found(game, names=again)] == [
        *first,
        "verify-past: commit TWO",
    ]


def test_what_was_corrected_lawfully_cannot_be_brought_back(game: GitRepo) -> None:
    data = (game.path / "proposals/301.md").read_bytes()
    one = by_hand(game, "proposals/301.md", "Light.", "Dark.")
    game.commit("Back", {"proposals/301.md": data})
    game.commit("A note", keyed(game, "proposals/301.md", note="the keeper was absent"))
    two = game.commit("No note", {"proposals/301.md": data.replace(b"Light.", b"Dark.")})
    commits = [line.partition(" (")[0] for line in found(game, names={"ONE": one, "TWO": two})]
    assert commits == ["verify-past: commit ONE", "verify-past: commit TWO"]


def test_what_the_game_owns_up_to_is_not_taken_back(game: GitRepo) -> None:
    data = (game.path / "proposals/301.md").read_bytes()
    names = {"ONE": by_hand(game, "proposals/301.md", "Light.", "Dark.")}
    path = game.path / "nomic.yml"
    admitted = game.git("rev-parse", "HEAD")
    path.write_text(f"{path.read_text()}admitted: {{{admitted}: The keeper misread it}}\n")
    game.commit("Own up to it")
    names["TWO"] = game.commit("Back", {"proposals/301.md": data})
    said = [line.partition(" (")[0] for line in found(game, names=names)]
    assert said == ["verify-past: commit TWO"]


def test_a_note_may_come_later(game: GitRepo) -> None:
    game.commit("A note", keyed(game, "proposals/301.md", note="the keeper was absent"))
    clean(game)


def test_a_judgement_is_overruled_later_by_the_command(game: GitRepo) -> None:
    run(
        game.path,
        "judgement file --judge wren --on 2026-01-07 --title Why --commit --ruling -",
        feed="So.",
    )
    run(game.path, "judgement overrule 1 --by osprey --by quill --on 2026-01-08 --commit")
    clean(game)


def test_a_judgement_is_not_overruled_as_of_an_earlier_day(game: GitRepo) -> None:
    run(
        game.path,
        "judgement file --judge wren --on 2026-01-07 --title Why --commit --ruling -",
        feed="So.",
    )
    sha = game.commit(
        "Overruled", keyed(game, "judgements/1.md", status="overruled", overruled="2026-01-06")
    )
    assert found(game, names={"SHA": sha}) == [
        f"verify-past: commit SHA {WHO} changed the past: Judgement 1 is decided: `overruled`, "
        "`status` can no longer "
        "change"
    ]


def test_a_decided_proposal_that_is_removed_and_comes_back(game: GitRepo) -> None:
    passed(game, 303, TEA, "2026-01-07", votes="against")
    data = (game.path / "proposals/303.md").read_bytes()
    names = {"GONE": game.commit("Away with it", {"proposals/303.md": None})}
    game.commit("Back", {"proposals/303.md": data})
    assert found(game, names=names) == [
        f"verify-past: commit GONE {WHO} changed the past: Proposal 303 is removed, and it is "
        "decided: it stays in the "
        "archive"
    ]


def test_what_cannot_be_read_in_between_hides_no_change(game: GitRepo) -> None:
    data = (game.path / "proposals/301.md").read_bytes()
    game.commit("Broken", {"proposals/301.md": b"---\nstatus: adopted\nnumber: [\n---\n"})
    sha = game.commit("Mended", {"proposals/301.md": data.replace(b"Light.", b"Dark.")})
    assert [line.partition(" (")[0] for line in found(game, names={"SHA": sha})] == [
        "verify-past: commit SHA"
    ]


def test_a_status_in_another_hand_is_read_all_the_same(game: GitRepo) -> None:
    passed(game, 303, TEA, "2026-01-07", votes="against")
    path = "proposals/303.md"
    text = (game.path / path).read_text().replace("status: defeated", '"status": defeated')
    game.commit("Quotes", {path: text})
    sha = game.commit("Words", {path: text.replace("Tea helps.", "Tea hurts.")})
    assert found(game, names={"SHA": sha})[-1] == (
        f"verify-past: commit SHA {WHO.replace('02)', '03)')} changed the past: Proposal 303 is "
        "decided: its words can "
        "no longer change"
    )


def test_the_initial_set_is_changed_when_the_game_has_begun(game: GitRepo) -> None:
    for path in ("rules/initial/101.md", "rules/101.md"):
        file = game.path / path
        file.write_text(file.read_text("utf-8").rstrip("\n") + " So it is.\n", "utf-8")
    sha = game.commit("A better initial set")
    assert found(game, names={"SHA": sha}) == [
        f"verify-past: commit SHA {WHO} changed the initial set after the game had begun: "
        "rules/initial/101.md"
    ]
    assert run(game.path, "check --strict").endswith("nothing is wrong\n")


def test_an_act_of_an_earlier_day_that_is_added_later(game: GitRepo) -> None:
    act = (
        "---\ncause: Storm\nby: wren\ndate: 2026-01-05\nseq: 9\n---\n\nIt rained.\n\n"
        "## Mark Rule 301/0\n\n"
    )
    block = "```yaml rule\nnote: wet\n```\n"
    game.write({"acts/2026-01-05-storm.md": act + block})
    run(game.path, "apply")
    sha = game.commit("The storm\n\nInstrument: acts/2026-01-05-storm.md")
    assert found(game, names={"SHA": sha}) == [
        f"verify-past: commit SHA {WHO} changed the past: Storm is of 2026-01-05, and something "
        "was decided on 2026-01-06: the past is not rewritten"
    ]


@pytest.mark.nightly
def test_a_commit_of_this_repository_that_its_history_does_not_have(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Start", {"README.md": "Hello.\n"})
    repo.git("switch", "--quiet", "-c", "other")
    lost = repo.commit("Once upon a time", {"README.md": "Bye.\n"})
    repo.git("switch", "--quiet", "main")
    game = lamplit(repo)
    merged = game.git("rev-parse", "HEAD~1")
    act = (
        f"---\ncause: Of old\nby: wren\ndate: 2026-01-07\n{POINTS}commit: SHA\n---\n\nIt was so.\n"
    )
    for number, sha in enumerate((lost, merged, "0123456789" * 4)):
        game.write({f"acts/2026-01-07-{number}.md": act.replace("SHA", sha)})
    game.commit("Acts of old")
    said = [
        f"verify-unreachable: the ledger names commit {lost[:12]}, which is in the repository, "
        "and not in the history "
        "of this branch"
    ]
    assert found(game) == said
    path = game.path / "nomic.yml"
    path.write_text(f"{path.read_text()}repository: https://forge.example/tea/game\n")
    game.commit("Our repository")
    foreign = (
        "verify-unreachable: the ledger names commit 012345678901, which is not in this repository"
    )
    assert found(game) == [*said, foreign]
    path.write_text(
        f"{path.read_text()}links: {{commit: 'https://forge.example/old/game/commit/{{sha}}'}}\n"
    )
    game.commit("Commits of another")
    assert found(game) == said
    game.git("merge", "--quiet", "--no-edit", "--strategy=ours", "other")
    clean(game)


def test_a_link_in_a_text_is_a_commit_that_is_named(game: GitRepo) -> None:
    path = game.path / "nomic.yml"
    links = "links: {commit: 'https://forge.example/tea/game/commit/{sha}'}\n"
    path.write_text(f"{path.read_text()}repository: https://forge.example/tea/game\n{links}")
    game.write(
        {
            "acts/2026-01-07-link.md": "---\ncause: Note\nby: wren\ndate: 2026-01-07\n"
            f"{POINTS}---\n\nSee\n"
            f"https://forge.example/tea/game/commit/{'0123456789' * 4} for it.\n"
        }
    )
    game.commit("A link")
    said = run(game.path, "verify --format github", code=1)
    assert said.startswith(
        "::error file=acts/2026-01-07-link.md,line=9,col=1,title=verify-unreachable::"
    )


def test_an_amended_commit_that_an_act_names(game: GitRepo) -> None:
    """What `git commit --amend` and `git rebase` leave behind is there, and not in the history."""
    sha = game.git("rev-parse", "HEAD")
    game.git("commit", "--quiet", "--amend", "--no-edit", "--date", "2020-02-02T12:00:00")
    act = f"---\ncause: Note\nby: wren\ndate: 2026-01-07\n{POINTS}commit: SHA\n---\n\nSo.\n"
    game.write({"acts/2026-01-07-note.md": act.replace("SHA", sha)})
    game.commit("Note")
    assert found(game) == [
        f"verify-unreachable: the ledger names commit {sha[:12]}, which is in the repository, "
        "and not in the history "
        "of this branch"
    ]


def test_what_the_game_owns_up_to_is_told_and_counts_no_more(game: GitRepo) -> None:
    edit = by_hand(game, "rules/301.md", "hall", "yard")
    run(game.path, "apply --commit")
    path = game.path / "nomic.yml"
    path.write_text(f"{path.read_text()}admitted:\n  {edit}: The keeper mended a typo by hand.\n")
    game.commit("Own up to it")
    assert run(game.path, "verify --strict").splitlines()[0] == (
        f"admitted {edit[:12]} (verify-hand-edit): The keeper mended a typo by hand."
    )
    said = clean(game)
    assert [one["finding"]["slug"] for one in said["admitted"][0]["faults"]] == ["verify-hand-edit"]
    again = by_hand(game, "rules/301.md", "hall", "yard")
    assert [line.partition(" (")[0] for line in found(game, names={"AGAIN": again})] == [
        "verify-hand-edit: commit AGAIN"
    ]


def test_a_commit_that_is_not_to_blame_can_be_owned_up_to_as_well(game: GitRepo) -> None:
    path = game.path / "nomic.yml"
    path.write_text(f"{path.read_text()}admitted: {{{'0123456789' * 4}: Who knows}}\n")
    game.commit("Own up to it")
    assert (
        run(game.path, "verify").splitlines()[0]
        == "admitted 012345678901 (nothing is found of it): Who knows"
    )


def test_a_ledger_that_cannot_be_read_is_said_and_nobody_is_blamed(game: GitRepo) -> None:
    game.commit("Broken", {"proposals/301.md": "---\nnumber: [\n---\n"})
    assert found(game)[0] == (
        "verify-unproven: while proposals/301.md cannot be read, nobody knows what the ledger "
        "gives: no commit's rules/ was verified"
    )
    assert "error[yaml-syntax]" in run(game.path, "verify", code=1)


@pytest.mark.nightly
def test_merges_of_pull_requests_as_workflows_make_them(git_repo: Repos, tmp_path: Path) -> None:
    game = forged(git_repo())
    forge = Forge(tmp_path / "forge")
    head = asked(game, forge)
    play(game, forge, "2026-01-02T13:00")
    for line in (FOR, "thanks"):
        forge.comment(7, "wren-gh", line, "2026-01-03T09:00:00Z")
    forge.review(7, "quill-gh", "APPROVED", head, "2026-01-03T08:00:00Z")
    play(game, forge, "2026-01-09T00:01")
    assert game.git("log", "-1", "--format=%P").split()[1] == head
    assert clean(game)["instruments"] == 1


@pytest.mark.deep
def test_a_branch_with_several_adoptions_is_merged(game: GitRepo) -> None:
    game.git("switch", "--quiet", "-c", "side")
    passed(game, 303, TEA, "2026-01-07")
    passed(game, 304, TEA.replace("Tea", "Teapot"), "2026-01-08", title="pot")
    game.git("switch", "--quiet", "main")
    game.commit("Meanwhile", {"README.md": "Hello.\n"})
    game.git("merge", "--quiet", "--no-edit", "side")
    assert clean(game)["instruments"] == 4
    game.git("switch", "--quiet", "-c", "more")
    registered(game, 305, "2026-01-09")
    run(game.path, "vote 305 for --on 2026-01-10 --commit", *EVERYONE)
    run(game.path, "proposal resolve 305 --on 2026-01-10")
    game.commit("Adopted")
    game.git("switch", "--quiet", "main")
    game.git("merge", "--quiet", "--no-ff", "--no-edit", "more")
    assert [line.partition(":")[0] for line in found(game, code=0)] == ["verify-unnamed"]


@pytest.mark.nightly
def test_a_judgement_and_a_decision_carry_out_what_was_waiting_and_say_so(game: GitRepo) -> None:
    for number, command in ((303, "proposal resolve 304 --on 2026-01-09 --commit"), (305, "judge")):
        registered(game, number, "2026-01-07", TEA.replace("Tea", f"Tea {number}"))
        if command != "judge":
            registered(game, number + 1, "2026-01-07", TEA.replace("Tea", f"Tea {number + 1}"))
            run(game.path, f"vote {number + 1} for --on 2026-01-08 --commit", *EVERYONE)
        run(game.path, f"vote {number} for --on 2026-01-08 --commit", *EVERYONE)
        run(game.path, f"proposal resolve {number} --on 2026-01-09")
        (game.path / f"rules/{number}.md").unlink()
        game.commit(f"Adopted\n\nInstrument: proposals/{number}.md")
        if command == "judge":
            (ruling := game.path.parent / "ruling.md").write_text("So.")
            changes = "## Mark Rule 301/0\n\n```yaml rule\nnote: wet\n```\n"
            run(
                game.path,
                "judgement file --judge wren --on 2026-01-09 --title Wet --commit --changes -",
                "--ruling",
                str(ruling),
                feed=changes,
            )
        else:
            run(game.path, command)
    assert clean(game)["instruments"] == 6
