"""What judges the game is changed by a commit that a keeper has read and names by its whole id, and
by no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.deep import sampled
from tests.pulls.forge.conftest import Playing, draft
from tests.pulls.forge.forge import Event, Forge
from tests.pulls.forge.runner import Run, Runner
from tests.pulls.forge.test_pull_request import only

pytestmark = pytest.mark.deep

ALLOWED = "### ✅ This changes the machinery, and a rulekeeper has allowed it"
REFUSED = "### ❌ This changes the machinery, and nobody has allowed it"
JUDGED = {
    "approval": "success",
    "judge": "success",
    "judge / check": "success",
    "judge / answer": "success",
    "judge / answer / answer": "success",
}
NOTHING = {"approval": "success", "judge": "skipped"}


def asked(playing: Playing, author: str = "wren-plays") -> tuple[Forge, Runner, int]:
    """A pull request that changes the site, which was judged; two may write to the repository."""
    forge, runner = playing
    forge.save(
        {
            **forge.load(),
            "permissions": {"quill-writes": "write", "wren-plays": "admin", "osprey-flies": "read"},
        }
    )
    number, event = forge.open(author, {"docs/help.md": "# Help\n"})
    assert only(runner.start(event)).results["check"] == "failure"
    assert forge.bodies(number)[0].splitlines()[1] == REFUSED
    return forge, runner, number


def head(forge: Forge, number: int) -> str:
    sha: str = forge.pull(number)["head"]["sha"]
    return sha


def answered(runner: Runner, event: Event) -> Run:
    (run,) = [one for one in runner.start(event) if one.workflow == "machinery.yml"]
    return run


@pytest.mark.nightly
def test_the_comment_has_the_line_to_write_and_a_later_commit_needs_another(
    playing: Playing,
) -> None:
    forge, runner, number = asked(playing)
    line = re.search(r"^/machinery ([0-9a-f]{40})$", forge.bodies(number)[0], re.MULTILINE)
    assert line is not None
    assert line[1] == head(forge, number)
    run = answered(
        runner, forge.comment(number, "quill-writes", f"I have read it.\r\n\r\n{line[0]} \r\n")
    )
    assert run.results == JUDGED, run.log
    assert [body.splitlines()[1] for body in forge.bodies(number)] == [ALLOWED]
    # A push between the reading and the next click: what was allowed is not what is there.
    run = only(runner.start(forge.update(number, {"docs/help.md": "# Other help\n"})))
    assert run.results == {"check": "failure", "answer": "success", "answer / answer": "success"}, (
        run.log
    )
    assert [body.splitlines()[1] for body in forge.bodies(number)] == [REFUSED]
    run = answered(runner, forge.comment(number, "quill-writes", line[0]))
    assert run.results == NOTHING
    assert (
        f"::notice::nothing was allowed: the comment names {line[1]}, and the pull request's newest"
        in run.log
    )
    assert forge.bodies(number)[0].splitlines()[1] == REFUSED
    newer = head(forge, number)
    assert (
        answered(runner, forge.comment(number, "quill-writes", f"/machinery {newer}")).results
        == JUDGED
    )
    assert forge.bodies(number)[0].splitlines()[1] == ALLOWED


@pytest.mark.parametrize(
    ("login", "why"),
    sampled(
        [
            ("osprey-flies", "osprey-flies may not write to the repository"),
            ("stranger", "stranger may not write to the repository"),
            ("Wren-Plays", "Wren-Plays is the author of the pull request"),
            ("wren-plays", "wren-plays is the author of the pull request"),
        ],
        every=2,
    ),
)
def test_only_a_keeper_who_is_not_its_author_allows_it(
    playing: Playing, login: str, why: str
) -> None:
    forge, runner, number = asked(playing)
    run = answered(runner, forge.comment(number, login, f"/machinery {head(forge, number)}"))
    assert run.results == NOTHING
    assert f"::notice::nothing was allowed: {why}\n" in run.log
    assert forge.bodies(number)[0].splitlines()[1] == REFUSED


WORDS: tuple[Callable[[str], str], ...] = (
    lambda sha: f"/machinery {sha[:12]}",
    lambda sha: f"/machinery {sha[:39]}",
    lambda sha: f"/machinery {sha}0",
    lambda sha: f"/machinery {sha.upper()}",
    lambda sha: f"> /machinery {sha}",
    lambda sha: f" /machinery {sha}",
    lambda sha: f"- /machinery {sha}",
    lambda sha: f"Write /machinery {sha}",
    lambda sha: f"/machinery {sha} please",
    lambda sha: f"/machinery\n{sha}",
    lambda sha: f"/machinery {sha}\n/machinery {'0' * 40}",
    lambda sha: f"/machinery  {sha}",
    lambda sha: "/machinery",
    lambda sha: "/machinery $(touch pwned)",
)


@pytest.mark.nightly
@pytest.mark.parametrize("words", WORDS, ids=lambda one: one("SHA"))
def test_only_a_line_of_its_own_with_one_whole_id_allows_anything(
    playing: Playing, words: Callable[[str], str]
) -> None:
    forge, runner, number = asked(playing)
    run = answered(runner, forge.comment(number, "quill-writes", words(head(forge, number))))
    assert run.results == NOTHING
    assert (
        "::notice::nothing was allowed: no line says /machinery and one commit's whole id"
        in run.log
    )
    assert not list(run.folder.rglob("pwned"))


@pytest.mark.nightly
def test_what_was_edited_deleted_or_closed_allows_nothing(playing: Playing) -> None:
    forge, runner, number = asked(playing)
    event = forge.comment(number, "quill-writes", f"/machinery {head(forge, number)}")
    ident, before = str(event.payload["comment"]["id"]), forge.load()
    forge.later(minutes=1)
    edited = {**before["comments"][ident], "updated_at": forge.time}
    forge.save({**before, "comments": {**before["comments"], ident: edited}})
    run = answered(runner, event)
    assert (run.results, "nothing was allowed: the comment was edited\n" in run.log) == (
        NOTHING,
        True,
    )
    # Nor does an edit start anything.
    assert runner.start(Event("issue_comment", {**event.payload, "action": "edited"})) == []

    state = {**before, "pulls": {str(number): {**before["pulls"][str(number)], "state": "closed"}}}
    forge.save(state)
    run = answered(runner, event)
    assert (run.results, "the pull request is closed, or for another branch\n" in run.log) == (
        NOTHING,
        True,
    )

    forge.save({**before, "comments": {}})
    assert answered(runner, event).results == {"approval": "failure", "judge": "skipped"}
    assert forge.bodies(number) == []


@pytest.mark.nightly
def test_what_the_forge_does_not_say_allows_nothing(playing: Playing) -> None:
    forge, runner, number = asked(playing)
    event = forge.comment(number, "quill-writes", f"/machinery {head(forge, number)}")
    for call in ("GET .*/comments/", "GET .*/pulls/", "GET .*/permission"):
        forge.save({**forge.load(), "trouble": [call]})
        assert answered(runner, event).results == {"approval": "failure", "judge": "skipped"}, call
    assert forge.bodies(number)[0].splitlines()[1] == REFUSED
    assert answered(runner, event).results == JUDGED


@pytest.mark.nightly
def test_a_program_s_comment_and_one_on_an_issue_start_nothing(playing: Playing) -> None:
    forge, runner, number = asked(playing)
    for change in ("bot", "issue", "words"):
        event = forge.comment(number, "quill-writes", f"/machinery {head(forge, number)}")
        payload = event.payload
        if change == "bot":
            payload["comment"]["user"]["type"] = "Bot"
        elif change == "issue":
            payload["issue"].pop("pull_request")
        else:
            payload["comment"]["body"] = "I like it."
        assert set(answered(runner, event).results.values()) == {"skipped"}


@pytest.mark.nightly
def test_dependabot_s_pull_request_is_answered_once_a_keeper_allows_it(playing: Playing) -> None:
    """A run that Dependabot starts may write nothing; one that a keeper's comment starts may."""
    forge, runner = playing
    forge.save({**forge.load(), "permissions": {"quill-writes": "maintain"}})
    number, event = forge.open("dependabot[bot]", {".github/nomicgen/locked.txt": "click==9.0\n"})
    assert only(runner.start(event)).results == {"check": "failure", "answer": "skipped"}
    run = answered(
        runner, forge.comment(number, "quill-writes", f"/machinery {head(forge, number)}")
    )
    assert run.results == JUDGED, run.log
    assert forge.bodies(number)[0].splitlines()[1] == ALLOWED


@pytest.mark.nightly
def test_what_is_no_machinery_is_not_made_lawful_by_it(playing: Playing) -> None:
    forge, runner = playing
    forge.save({**forge.load(), "permissions": {"quill-writes": "admin"}})
    number, event = forge.open(
        "wren-plays", {"proposals/tea.md": draft(), "docs/help.md": "# Help\n"}
    )
    runner.start(event)
    run = answered(
        runner, forge.comment(number, "quill-writes", f"/machinery {head(forge, number)}")
    )
    assert run.results == {**JUDGED, "judge": "failure", "judge / check": "failure"}, run.log
    assert "### ❌ This pull request does more than one thing\n" in forge.bodies(number)[0]


@pytest.mark.nightly
def test_a_label_allows_nothing(playing: Playing) -> None:
    forge, runner, number = asked(playing)
    for run in runner.start(forge.label(number, "machinery")):
        assert set(run.results.values()) == {"skipped"}, run.workflow
    assert forge.bodies(number)[0].splitlines()[1] == REFUSED
