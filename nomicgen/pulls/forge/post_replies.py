"""The step *Post them*: files that another job of the run has written for pull requests become
comments.

They are read as data. Only files with these names are read, where N is a pull request's number:

- `N.md`: the comment that is kept up to date; it begins with a marker
- `N.ballot.md`: a comment that is never edited; reactions to it are votes on the text whose ballot
  and digest its first line gives
- `N.close`: the comment that says why the pull request is closed; then it is closed

Running it again changes nothing that is as it should be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nomicgen.pulls.forge.workflow import (
    MARKER,
    NUMBER,
    Failed,
    ask_api,
    change_on_forge,
    of_repository,
    one_line,
    pages,
    run_step,
    step_variable,
)

_BOT = ("github-actions[bot]", "Bot")  # the login and the type of the workflows' account


def main() -> None:
    """Answer each pull request that has a reply, or only the one that the step names, unless it has
    a newer commit by now. Raise Failed where one could not be answered.
    """
    only, head = step_variable("ONLY"), step_variable("HEAD")
    if head:
        if re.fullmatch(NUMBER, only) is None:
            raise Failed(f"this is no number of a pull request: {one_line(only)}")
        if ask_api(of_repository(f"pulls/{only}"))["head"]["sha"] != head:
            print("there is a newer commit, and its own run answers", flush=True)
            return
    folder = Path(step_variable("RUNNER_TEMP"), "replies")
    names = (
        re.fullmatch(rf"({NUMBER})\.(md|ballot\.md|close)", file.name)
        for file in folder.iterdir()
        if _is_file(file)
    )
    found = sorted({int(name[1]) for name in names if name is not None})
    answered = [_answer_pull(folder, number) for number in found if only in ("", str(number))]
    if not all(answered):
        raise Failed("some pull requests could not be answered")


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _answer_pull(folder: Path, number: int) -> bool:
    """Answer a pull request, and return whether all went well. If one part fails, the others are
    still tried.
    """
    parts: dict[str, Callable[[int, str, list[Any]], None]] = {
        "md": _keep,
        "ballot.md": _say_once,
        "close": _close,
    }
    went_well = True
    try:
        written = [comment for page in pages(f"issues/{number}/comments") for comment in page]
    except Failed as error:
        return _not_answered(number, error)
    own = [
        one
        for one in written
        if one["user"] and (one["user"]["login"], one["user"]["type"]) == _BOT
    ]
    for ending, answer in parts.items():
        if _is_file(file := folder / f"{number}.{ending}"):
            try:
                answer(number, file.read_text("utf-8"), own)
            except Failed as error:
                went_well = _not_answered(number, error)
    return went_well


def _not_answered(number: int, error: Failed) -> bool:
    print(one_line(error.said))
    print(
        f"::error::pull request {number} could not be answered; the next run tries again",
        flush=True,
    )
    return False


def _keep(number: int, text: str, own: list[Any]) -> None:
    """Write or update the one comment that begins with the marker."""
    kept = [one for one in own if (one["body"] or "").startswith(MARKER)]
    if not kept:
        change_on_forge("POST", f"issues/{number}/comments", {"body": text})
    elif _clean(kept[0]["body"]) != _clean(text):
        change_on_forge("PATCH", f"issues/comments/{kept[0]['id']}", {"body": text})
    # Two runs at once may each have found none, and written one.
    for one in kept[1:]:
        change_on_forge("DELETE", f"issues/comments/{one['id']}")


def _say_once(number: int, text: str, own: list[Any]) -> None:
    """Write a comment, unless the bot has written one with the same first line."""
    first = _clean(text).partition("\n")[0]
    if all(_clean(one["body"] or "").partition("\n")[0] != first for one in own):
        change_on_forge("POST", f"issues/{number}/comments", {"body": text})


def _close(number: int, text: str, own: list[Any]) -> None:
    """Say why, then close; one that is closed or merged by now stays as it is."""
    if ask_api(of_repository(f"pulls/{number}"))["state"] == "open":
        _say_once(number, text, own)
        change_on_forge("PATCH", f"pulls/{number}", {"state": "closed"})


def _clean(text: str) -> str:
    """Return a text as the forge may return it: without carriage returns and final blanks."""
    return text.replace("\r", "").rstrip()


if __name__ == "__main__":
    run_step(main)
