"""The step *See who allows which commit*. A keeper's comment `/machinery` names the commit that may
change the machinery: the workflows, settings and site by which the game is kept and judged.
"""

from __future__ import annotations

import re
from typing import Any

from nomicgen.pulls.forge.workflow import (
    NUMBER,
    Failed,
    ask_api,
    of_repository,
    outputs,
    run_step,
    step_variable,
)

_LINE = r"/machinery ([0-9a-f]{40}(?:[0-9a-f]{24})?)"
_LOGIN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
_MAY_WRITE = ("admin", "maintain", "write")  # permissions on GitHub


def main() -> None:
    """Set the step's outputs `address`, `author` and `head` if the comment allows a commit; else
    print why it does not.
    """
    ident, number, login = step_variable("COMMENT"), step_variable("NUMBER"), step_variable("LOGIN")
    _require(r"[1-9][0-9]{0,18}", ident)
    _require(NUMBER, number)
    _require(_LOGIN, login)
    comment, pull = (
        ask_api(of_repository(f"issues/comments/{ident}")),
        ask_api(of_repository(f"pulls/{number}")),
    )
    _require(rf"{_LOGIN}(\[bot\])?", pull["user"]["login"])
    _require(r"[!-~]+", pull["html_url"])
    # The runner obeys certain lines that are printed. These are safe: all that comes from users is
    # logins and ids.
    if why := _hindrance(comment, pull, login):
        print(f"::notice::nothing was allowed: {why}", flush=True)
        return
    head = pull["head"]["sha"]
    print(f"::notice::{login} allows {head} to change how the game is kept and judged", flush=True)
    outputs(address=pull["html_url"], author=pull["user"]["login"], head=head)


def _require(pattern: str, value: str) -> None:
    if re.fullmatch(pattern, value) is None:
        raise Failed(f"the forge gave something that does not look like {pattern}")


def _hindrance(comment: Any, pull: Any, login: str) -> str:
    """Return why the comment allows nothing; '' where it allows the newest commit. `login` is the
    comment's author.
    """
    if comment["created_at"] != comment["updated_at"]:
        return "the comment was edited"
    lines = (comment["body"] or "").split("\n")
    named = {match[1] for line in lines if (match := re.fullmatch(_LINE, line.rstrip()))}
    if len(named) != 1:
        return "no line says /machinery and one commit's whole id, or several lines name several"
    if pull["state"] != "open" or pull["base"]["ref"] != step_variable("BRANCH"):
        return "the pull request is closed, or for another branch"
    head = pull["head"]["sha"]
    if named != {head}:
        return f"the comment names {named.pop()}, and the pull request's newest commit is {head}"
    if login.lower() == pull["user"]["login"].lower():
        return f"{login} is the author of the pull request"
    if ask_api(of_repository(f"collaborators/{login}/permission"))["permission"] not in _MAY_WRITE:
        return f"{login} may not write to the repository"
    return ""


if __name__ == "__main__":
    run_step(main)
