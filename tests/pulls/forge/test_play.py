"""The whole way of a proposal, from a draft in the web editor to the law, as its players see it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files.file_editing import set_keys
from tests.pulls.forge.conftest import Playing, draft, pushed
from tests.pulls.forge.forge import Forge
from tests.pulls.forge.runner import Run, Runner
from tests.recording import deleted
from tests.support import GitRepo

pytestmark = pytest.mark.deep

DONE = {"play": "success", "answer": "success", "answer / answer": "success"}
PUBLISHED = {"publish": "success", "publish / build": "success", "publish / deploy": "success"}


def played(runs: list[Run]) -> Run:
    """The run of Play that an event started."""
    (run,) = [one for one in runs if one.workflow == "play.yml"]
    return run


def opened(
    forge: Forge,
    runner: Runner,
    title: str = "Tea",
    author: str = "wren",
    login: str = "wren-plays",
) -> int:
    """A draft in debate, which its author has asked the vote for, two days later; its vote is
    open.
    """
    number, event = forge.open(
        login, {f"proposals/{title.lower()}.md": draft(title, author)}, title=title
    )
    runner.start(event)
    runner.start(forge.comment(number, login, "/open"))
    forge.later(days=2)
    runner.start(forge.schedule())
    return number


def ballot(forge: Forge, number: int) -> str:
    """What voters write, as the bot shows it."""
    match = re.search(
        r"^/vote for ([0-9]+-[0-9a-z]{10})$", "\n".join(forge.bodies(number)), re.MULTILINE
    )
    assert match is not None, forge.bodies(number)
    return match[1]


def votes(text: str) -> dict[str, dict[str, str]]:
    """The votes of a proposal's file, with when and where they were cast."""
    found: dict[str, dict[str, str]] = yaml.load(text.split("---\n")[1], Loader=yaml.BaseLoader)[
        "votes"
    ]
    return found


def test_a_draft_becomes_law(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()}, title="Tea, please")
    runner.start(event)
    run = played(runner.start(forge.comment(number, "wren-plays", "/open")))
    assert run.results == DONE | PUBLISHED, run.log
    registered = forge.file("proposals/301.md")
    assert "status: debate\n" in registered
    assert f"discussion: https://github.com/us/game/pull/{number}\n" in registered

    forge.later(days=2)
    run = played(runner.start(forge.schedule()))
    assert run.results == DONE | PUBLISHED, run.log
    assert "status: open\n" in forge.file("proposals/301.md")
    sticky, posted = forge.bodies(number)
    assert re.match(r"<!-- nomicgen:ballot 301-[0-9a-z]{10} digest=[0-9a-f]{64} -->\n", posted)
    assert sticky.startswith("<!-- nomicgen:comment -->\n")

    runner.builds = True
    reviewed = forge.review(number, "Quill-Writes", "APPROVED")
    forge.react(forge.ballot(number), "osprey-flies", "-1")
    event = forge.comment(number, "wren-plays", f"/vote for {ballot(forge, number)}")
    last = event.payload["comment"]["id"]
    run = played(runner.start(event))
    assert run.results == DONE | PUBLISHED, run.log
    decided = forge.file("proposals/301.md")
    assert "status: adopted\n" in decided
    where = f"https://github.com/us/game/pull/{number}#"
    assert {
        ident: (vote["vote"], vote["at"], vote["source"]) for ident, vote in votes(decided).items()
    } == {
        "osprey": ("against", "2026-01-07T12:00", f"{where}issuecomment-{forge.ballot(number)}"),
        "quill": ("for", "2026-01-07T12:00", f"{where}pullrequestreview-{reviewed}"),
        "wren": ("for", "2026-01-07T12:00", f"{where}issuecomment-{last}"),
    }
    assert "There is tea." in forge.file("rules/301.md")
    pull = forge.pull(number)
    assert (pull["state"], pull["merged_at"] is not None) == ("closed", True)
    assert forge.bare("rev-list", "--parents", "-n", "1", "main").split()[2] == pull["head"]["sha"]
    author = forge.bare(
        "log", "-1", "--format=%an <%ae>|%cn|%(trailers:key=Outcome,valueonly,separator=)", "main"
    )
    assert author == "Wren <wren-plays@users.noreply.github.com>|github-actions[bot]|adopted"
    assert "adopted" in forge.bodies(number)[0].lower()
    assert (runner.sites[-1] / "rules/301/index.html").is_file()

    before, comments = forge.tip, forge.load()["comments"]
    run = played(runner.start(forge.schedule()))
    assert run.results == DONE | {"publish": "skipped"}, run.log
    assert (forge.tip, forge.load()["comments"]) == (before, comments)


@pytest.mark.nightly
def test_a_defeated_proposal_is_recorded_and_its_pull_request_closed(playing: Playing) -> None:
    forge, runner = playing
    number = opened(forge, runner)
    line = ballot(forge, number)
    for login in ("osprey-flies", "quill-writes"):
        runner.start(forge.comment(number, login, f"/vote against {line}"))
    run = played(runner.start(forge.comment(number, "wren-plays", f"/vote for {line}")))
    assert run.results == DONE | PUBLISHED, run.log
    assert "status: defeated\n" in forge.file("proposals/301.md")
    pull = forge.pull(number)
    assert (pull["state"], pull["merged_at"]) == ("closed", None)
    assert len(forge.bodies(number)) == 3  # the comment, the ballot, why it was closed
    before = forge.load()["comments"]
    runner.start(forge.schedule())
    assert forge.load()["comments"] == before


@pytest.mark.nightly
def test_a_vote_goes_on_when_somebody_closes_its_pull_request(playing: Playing) -> None:
    forge, runner = playing
    number = opened(forge, runner)
    state = forge.load()
    state["pulls"][str(number)]["state"] = "closed"
    forge.save(state)
    for login in ("osprey-flies", "quill-writes", "wren-plays"):
        forge.review(number, login, "APPROVED")
    run = played(runner.start(forge.schedule()))
    assert run.results == DONE | PUBLISHED, run.log
    assert "status: adopted\n" in forge.file("proposals/301.md")


@pytest.mark.nightly
def test_a_comment_that_was_deleted_is_told_of(playing: Playing) -> None:
    forge, runner = playing
    number = opened(forge, runner)
    state = forge.load()
    state["timeline"][str(number)] = [deleted(9, "quill-writes", forge.time)]
    forge.save(state)
    assert played(runner.start(forge.schedule())).results["play"] == "success"
    assert (
        "a comment was deleted by quill-writes, and what it said is not recorded"
        in forge.bodies(number)[0]
    )


@pytest.mark.nightly
def test_two_drafts_at_once_get_two_numbers(playing: Playing) -> None:
    forge, runner = playing
    numbers = []
    for title, author, login in (("Tea", "wren", "wren-plays"), ("Cocoa", "quill", "quill-writes")):
        number, event = forge.open(login, {f"proposals/{title.lower()}.md": draft(title, author)})
        runner.start(event)
        numbers.append(number)
    late = forge.comment(numbers[1], "quill-writes", "/open")
    runner.start(forge.comment(numbers[0], "wren-plays", "/open"))
    runner.start(late)
    found = {re.search(r"title: (\w+)", forge.file(f"proposals/{one}.md")) for one in (301, 302)}
    assert {match[1] for match in found if match} == {"Tea", "Cocoa"}
    assert set(forge.bare("ls-tree", "--name-only", "main:proposals").split()) == {
        ".gitkeep",
        "301.md",
        "302.md",
    }


@pytest.mark.nightly
def test_a_label_asks_for_the_vote_too_and_other_labels_do_not(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    assert played(runner.start(forge.label(number, "nice"))).results["play"] == "skipped"
    assert played(runner.start(forge.label(number, "open"))).results["play"] == "success"
    assert "status: debate\n" in forge.file("proposals/301.md")


@pytest.mark.nightly
def test_words_that_ask_for_nothing_start_nothing(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    run = played(runner.start(forge.comment(number, "quill-writes", "I like tea.")))
    assert set(run.results.values()) == {"skipped"}
    # It takes nobody's place in the queue.
    assert run.group.startswith("nothing-")
    assert (
        played(runner.start(forge.comment(number, "quill-writes", "/open"))).group
        == "nomicgen-base"
    )
    assert forge.subjects() == ["Begin Tea"]


@pytest.mark.nightly
def test_a_deed_starts_a_run_and_is_answered(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    runner.start(forge.comment(number, "wren-plays", "/open"))
    run = played(runner.start(forge.comment(number, "quill-writes", "Good.\r\n\r\n/second")))
    assert run.results == DONE | {"publish": "skipped"}, run.log
    assert "no rule in force lets players second" in forge.bodies(number)[0]


@pytest.mark.nightly
def test_a_missed_day_changes_nothing(playing: Playing, begin_other: Playing) -> None:
    ends = []
    for forge, runner in (playing, begin_other):
        number = opened(forge, runner)
        forge.review(number, "quill-writes", "APPROVED")
        forge.review(number, "osprey-flies", "APPROVED")
        forge.review(number, "wren-plays", "CHANGES_REQUESTED")
        if forge is playing[0]:
            runner.start(forge.schedule())
        forge.later(days=4)
        runner.start(forge.schedule())
        said = re.sub(r"(?<=\nballot: )[0-9a-z]{10}\n", "TOKEN\n", forge.file("proposals/301.md"))
        ends.append((said, forge.file("rules/301.md"), forge.pull(number)["state"]))
    assert ends[0] == ends[1]
    assert ends[0][2] == "closed"


@pytest.mark.nightly
def test_what_overtook_a_run_is_kept_and_played_on(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    moved = forge.local.git(
        "commit-tree", "-p", forge.tip, "-m", "By hand", f"{forge.tip}^{{tree}}"
    )
    forge.local.git("push", "--quiet", "origin", f"{moved}:refs/heads/aside")
    (forge.origin / "overtaken-by").write_text(moved)
    run = played(runner.start(forge.comment(number, "wren-plays", "/open")))
    assert run.results == DONE | PUBLISHED, run.log
    assert "attempt 1: main has moved" in run.log
    assert forge.subjects()[1:] == ["By hand", "Begin Tea"]


@pytest.mark.nightly
def test_a_branch_that_takes_no_commit_is_told(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    (forge.origin / "refuses").touch()
    run = played(runner.start(forge.comment(number, "wren-plays", "/open")))
    assert run.results == {"play": "failure", "answer": "skipped", "publish": "skipped"}
    assert (
        "::error::main does not take the commits, and git says why above; "
        ".github/workflows/play.yml" in run.log
    )
    assert run.log.count("GH013: Repository rule violations found") == 1
    assert "has moved" not in run.log
    (forge.origin / "refuses").unlink()
    assert played(runner.start(forge.dispatch())).results == DONE | PUBLISHED


@pytest.mark.nightly
def test_what_cannot_be_read_decides_nothing(playing: Playing) -> None:
    """The forge fails while votes are read: nothing is counted that may lack some."""
    forge, runner = playing
    number = opened(forge, runner)
    for login in ("osprey-flies", "quill-writes", "wren-plays"):
        forge.review(number, login, "APPROVED")
    calls = (
        "GET .*/reviews",
        "GET .*/issues/[0-9]+/comments",
        "GET .*/pulls[?]",
        "GET .*/reactions",
        "GET .*timeline",
    )
    for call in calls:
        before = forge.tip
        forge.save({**forge.load(), "trouble": [call]})
        run = played(runner.start(forge.schedule()))
        assert run.results == {"play": "failure", "answer": "skipped", "publish": "skipped"}, call
        assert forge.tip == before
    assert played(runner.start(forge.schedule())).results == DONE | PUBLISHED
    assert "status: adopted\n" in forge.file("proposals/301.md")


@pytest.mark.nightly
def test_the_daily_run_makes_the_site_anew(playing: Playing) -> None:
    forge, runner = playing
    run = played(runner.start(forge.schedule("41 4 * * *")))
    assert run.results == DONE | PUBLISHED | {"answer": "success"}, run.log
    assert len(runner.sites) == 1


@pytest.mark.nightly
def test_without_pages_the_site_is_built_and_not_published(playing: Playing) -> None:
    forge, runner = playing
    forge.save({**forge.load(), "has_pages": False})
    run = played(runner.start(forge.schedule("41 4 * * *")))
    assert run.results["publish / deploy"] == "skipped"
    assert "::notice::the site was built, and not published" in run.log
    assert runner.sites == []


# What hostile pull requests try


@pytest.mark.nightly
def test_a_commit_that_hides_a_workflow_in_its_past_is_not_merged(playing: Playing) -> None:
    """The forge takes no push of a run that brings workflows; and the past of a pull request is
    nobody's law.
    """
    forge, runner = playing
    number, event = forge.open(
        "wren-plays", {"proposals/tea.md": draft(), ".github/workflows/evil.yml": "on: push\n"}
    )
    runner.start(event)
    runner.start(forge.update(number, {".github/workflows/evil.yml": None}))
    runner.start(forge.comment(number, "wren-plays", "/open"))
    forge.later(days=2)
    runner.start(forge.schedule())
    for login in ("osprey-flies", "quill-writes", "wren-plays"):
        forge.review(number, login, "APPROVED")
    run = played(runner.start(forge.schedule()))
    assert run.results == DONE | PUBLISHED, run.log
    assert "status: adopted\n" in forge.file("proposals/301.md")
    assert "evil" not in forge.bare("log", "--name-only", "--format=", "main")
    assert forge.pull(number)["state"] == "closed"


@pytest.mark.nightly
def test_a_vote_is_for_the_text_that_was_voted_on(playing: Playing) -> None:
    """The author swaps the text once the others have approved it: what was voted on becomes law,
    and nothing else.
    """
    forge, runner = playing
    number = opened(forge, runner)
    forge.review(number, "quill-writes", "APPROVED")
    forge.review(number, "osprey-flies", "APPROVED")
    runner.start(forge.update(number, {"proposals/tea.md": draft(body="## Repeal Rule 211/0\n")}))
    forge.review(number, "wren-plays", "APPROVED")
    run = played(runner.start(forge.schedule()))
    assert run.results["play"] == "success", run.log
    assert "status: open\n" in forge.file("proposals/301.md")
    line = ballot(forge, number)
    run = played(runner.start(forge.comment(number, "wren-plays", f"/vote for {line}")))
    assert run.results == DONE | PUBLISHED, run.log
    assert "There is tea." in forge.file("rules/301.md")
    assert "status: adopted\n" in forge.file("proposals/301.md")
    assert (
        len(forge.bare("rev-list", "--parents", "-n", "1", "main").split()) == 2
    )  # what it holds now is not merged
    assert (forge.pull(number)["state"], forge.pull(number)["merged_at"]) == ("closed", None)


@pytest.mark.nightly
def test_nobody_votes_twice_or_for_another(playing: Playing) -> None:
    forge, runner = playing
    number = opened(forge, runner)
    line = ballot(forge, number)
    for login in (
        "wren-plays",
        "wren_plays",
        "wren-plays-2",
        "quill\N{CYRILLIC SMALL LETTER IE}-writes",
    ):
        runner.start(forge.comment(number, login, f"/vote for {line}"))
    forge.review(number, "wren-plays", "APPROVED")
    run = played(runner.start(forge.schedule()))
    assert run.results["play"] == "success", run.log
    assert "status: open\n" in forge.file("proposals/301.md")
    comment = forge.bodies(number)[0]
    assert "So far: 1 for, 0 against" in comment
    assert "wren-plays-2" in comment


@pytest.mark.nightly
def test_only_the_author_asks_for_the_vote(playing: Playing) -> None:
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    runner.start(event)
    runner.start(forge.comment(number, "quill-writes", "/open"))
    assert forge.subjects() == ["Begin Tea"]
    # And nobody registers in another's name.
    other, event = forge.open("quill-writes", {"proposals/cocoa.md": draft("Cocoa", author="wren")})
    runner.start(event)
    runner.start(forge.comment(other, "quill-writes", "/open"))
    assert forge.subjects() == ["Begin Tea"]


@pytest.mark.nightly
def test_a_head_that_is_gone_is_still_known(playing: Playing) -> None:
    """The fork was deleted: the forge keeps the commit under the pull request's own name."""
    forge, runner = playing
    number, event = forge.open("wren-plays", {"proposals/tea.md": draft()})
    event.payload["pull_request"]["head"] |= {"repo": None, "user": None}
    runner.start(event)
    assert len(forge.bodies(number)) == 1
    run = played(runner.start(forge.label(number, "open")))
    assert run.results == DONE | PUBLISHED, run.log


@pytest.mark.nightly
def test_what_is_long_overdue_is_written_when_a_keeper_runs_play(
    template: Path, tmp_path: Path
) -> None:
    shutil.copytree(template, tmp_path / "late/game")
    game = GitRepo(tmp_path / "late/game")
    rule = game.path / "rules/initial/111.md"
    law = {"deadline": {"for": "judgement", "within": 3, "then": "replaced"}}
    rule.write_bytes(set_keys(rule.read_bytes(), {"provisions": law}))
    file = game.path / "judgements/1.md"
    file.write_text(
        "---\nnumber: 1\njudge: wren\ndate: 2026-01-01\nstatus: pending\n---\n\n"
        "Is humming singing?\n"
    )
    assert (
        CliRunner().invoke(main, ["-C", str(game.path), "apply", "--on", "2026-01-01"]).exit_code
        == 0
    )
    game.commit("Ask")
    forge = pushed(game.path, tmp_path / "forge")
    forge.later(days=4)
    runner = Runner(forge)
    run = played(runner.start(forge.schedule()))
    assert (
        "judgements/1.md has been due since 2026-01-04, and what the rule says is written when"
        in run.log
    )
    assert "judge: wren\n" in forge.file("judgements/1.md")
    played(runner.start(forge.dispatch()))
    assert "judge: wren\n" not in forge.file("judgements/1.md")
    assert "late: [wren]" in forge.file("judgements/1.md")
