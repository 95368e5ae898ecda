"""What people did on the forge, as files that `nomicgen plumbing pulls` reads: the beginning of the
step *Play*.

Anything that cannot be read ends the run, with these exceptions: a commit that is too large, and a
commit or a pull request that the forge no longer has.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nomicgen.pulls.forge.workflow import (
    COMMIT,
    LARGEST,
    NUMBER,
    Failed,
    ask_api,
    fetch_commit,
    is_too_large,
    of_repository,
    one_line,
    pages,
    run_nomicgen,
    step_variable,
)

_BALLOT = "<!-- nomicgen:ballot "  # the beginning of a ballot's first line
# The query for the pull requests that were closed last.
_LATELY = "state=closed&sort=updated&direction=desc&per_page=5"


def read() -> None:
    """Write into the runner's temporary folder `forge/`, with what was recorded of each pull
    request that the run reads, and `closed.json`, the list of those with a registered proposal that
    were closed lately.
    """
    temporary = Path(step_variable("RUNNER_TEMP"))
    forge = temporary / "forge"
    forge.mkdir()
    branch = step_variable("BRANCH")
    pulls = [pull for page in pages("pulls") for pull in page if pull["base"]["ref"] == branch]
    known = {pull["number"] for pull in pulls}
    # A vote goes on even if somebody closes its pull request, or moves it to another branch.
    pulls += [
        pull
        for number in _voted_on()
        if number not in known and (pull := _pull(number)) is not None
    ]
    _write(forge / "pulls.json", pulls)
    # Nothing more is asked about a stranger's pull request, unless it holds a registered proposal.
    heads = dict(_heads(forge))
    _write(forge / "pulls.json", [pull for pull in pulls if pull["number"] in heads])
    for number, head in heads.items():
        _fetch(head, number)
        _read(forge / str(number), number)
    _write(temporary / "closed.json", list(_closed_lately(branch)))


def _tell(words: str) -> None:
    """Say in the log and on the page of the run that something was left out."""
    print(f"::notice::{one_line(words)}", flush=True)
    with Path(step_variable("GITHUB_STEP_SUMMARY")).open("a", encoding="utf-8") as stream:
        stream.write(f"- {one_line(words)}\n")


def _voted_on() -> Iterator[int]:
    """Yield the numbers of the repository's pull requests on which a vote is open."""
    done = run_nomicgen("status", "--format", "json")
    if done.returncode:
        raise Failed(done.stderr)
    place = f"/{step_variable('REPOSITORY')}/pull/"
    for vote in json.loads(done.stdout)["open"]:
        _, found, number = (vote["discussion"] or "").rpartition(place)
        if found and re.fullmatch(NUMBER, number):
            yield int(number)


def _pull(number: int) -> Any:
    """Return a pull request; None where the forge says that there is none."""
    try:
        return ask_api(of_repository(f"pulls/{number}"))
    except Failed as error:
        if "(HTTP 404)" not in error.said:
            raise
        print(error.said, flush=True)
        return None


def _heads(forge: Path) -> Iterator[tuple[int, str]]:
    """Yield the pull requests to read, with their newest commits; the others are reported."""
    done = run_nomicgen("plumbing", "pulls", str(forge), "--choose")
    if done.returncode:
        raise Failed(done.stderr)
    for line in done.stderr.splitlines():
        _tell(line)
    for line in done.stdout.splitlines():
        match = re.fullmatch(f"({NUMBER}) ({COMMIT})", line)
        if match is None:
            raise Failed(f"nomicgen names no pull request: {line}")
        yield int(match[1]), match[2]


def _fetch(commit: str, number: int) -> None:
    """Fetch a commit of a pull request, or report that it is too large or gone. Raise Failed where
    git fails otherwise.
    """
    if not (why := fetch_commit(commit)):
        return
    print(why, flush=True)
    if is_too_large(why):
        _tell(
            f"pull request {number}: {commit} brings more than {LARGEST >> 20} MiB, and was not "
            "fetched"
        )
    elif "not our ref" in why:
        _tell(f"pull request {number}: the forge no longer has {commit}")
    else:
        raise Failed(why)


def _read(folder: Path, number: int) -> None:
    """Write the reviews, comments, timeline and reactions of a pull request, and fetch the commits
    that its reviews are of.
    """
    (folder / "reactions").mkdir(parents=True)
    reviews, comments = pages(f"pulls/{number}/reviews"), pages(f"issues/{number}/comments")
    _write(folder / "reviews.json", reviews)
    _write(folder / "comments.json", comments)
    _write(folder / "review-comments.json", pages(f"pulls/{number}/comments"))
    _write(folder / "timeline.json", pages(f"issues/{number}/timeline"))
    for comment in (comment for page in comments for comment in page):
        author = comment["user"] or {}
        if author.get("type") == "Bot" and (comment["body"] or "").startswith(_BALLOT):
            _write(
                folder / "reactions" / f"{comment['id']}.json",
                pages(f"issues/comments/{comment['id']}/reactions"),
            )
    # A review is of a commit, perhaps of one that was replaced since. If it is missing, the count
    # says so.
    for commit in sorted(
        {review["commit_id"] for page in reviews for review in page if review["commit_id"]}
    ):
        if re.fullmatch(COMMIT, commit) is None:
            raise Failed(f"a review is of no commit: {commit}")
        there = [
            "git",
            "-C",
            step_variable("GITHUB_WORKSPACE"),
            "cat-file",
            "-e",
            f"{commit}^{{commit}}",
        ]
        if subprocess.run(there, capture_output=True, check=False).returncode:
            _fetch(commit, number)


def _closed_lately(branch: str) -> Iterator[tuple[int, str, str]]:
    """Yield number, newest commit and address of each pull request that was closed lately and holds
    a registered proposal: a run may have left it unanswered.
    """
    discussed = set(_discussion_addresses(Path(step_variable("GITHUB_WORKSPACE"))))
    for pull in ask_api(of_repository(f"pulls?{_LATELY}")):
        number, head, address = pull["number"], pull["head"]["sha"], pull["html_url"]
        if pull["base"]["ref"] == branch and address in discussed:
            _fetch(head, number)
            yield number, head, address


def _discussion_addresses(root: Path) -> Iterator[str]:
    """Yield the addresses that the game's proposals name as their discussion."""
    for file in sorted(root.glob("proposals/*.md")):
        for line in file.read_text("utf-8", "replace").split("\n"):
            if line.startswith("discussion: "):
                yield line.removeprefix("discussion: ")


def _write(file: Path, value: Sequence[Any]) -> None:
    file.write_text(json.dumps(value), "utf-8")
