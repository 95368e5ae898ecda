"""What can be done now: a task, as lines of text and as JSON."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from nomicgen.formats.documents import FORMAT, Shape, at
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment

Kind = Literal[
    "mend", "open-game", "apply", "advance", "resolve", "open", "begin", "resubmit", "tie", "vote",
    "poll", "judge",
    "throw", "register", "put", "do", "propose", "end", "pass", "change-vote", "close", "debate",
    "due",
]  # fmt: skip
"""What is to be done, the most pressing first: `urgency` goes by this order last."""

_WIDTH = 100
"""Characters of a line that holds a task and its command."""


class Task(Struct, frozen=True, kw_only=True):
    """Something that can be done now: `what` says so in a sentence, `who` is a player's id, None if
    anybody may do it, or one of several.

    `command` is what to type; what only a person knows is in capitals. It is None if no command
    does it. `help` says more: what does it instead, what prevents it, or what a word of the command
    stands for; '' for nothing. `address` is what to open in
    a browser, `comment` what to write on any open pull request. `path`, `proposal` and `rule` say
    what it is about. `needs_choice` is False if its result follows from the rules alone. `since` is
    the moment as of which it happens, if not now. `is_stuck` says that it is due, and that
    something prevents it. `throws` counts the throws of dice that it asks for.
    """

    kind: Kind
    what: str
    who: PlayerId | None = None
    command: str | None = None
    address: str | None = None
    comment: str | None = None
    help: str = ""
    path: str = ""
    proposal: int | None = None
    rule: int | None = None
    since: Moment | None = None
    needs_choice: bool = True
    is_stuck: bool = False
    throws: int = 0


def urgency(task: Task) -> tuple[bool, bool, Moment, int]:
    """Return a task's sort key: what needs no choice comes first, and of that what is due longest.

    Openings of votes and starts of turns come last in their group. Else the order is `Kind`'s.
    """
    dated = not task.needs_choice and task.since is not None
    moment = task.since if dated and task.since is not None else Moment.parse("0001-01-01")
    return (
        task.needs_choice,
        task.kind in ("open", "begin"),
        moment,
        get_args(Kind).index(task.kind),
    )


def task_lines(task: Task) -> tuple[str, ...]:
    """Return the lines that show a task: its sentence and its command, on one line if they fit,
    then help and address.
    """
    what = " ".join(task.what.split())
    more = [f"  {task.help}"] if task.help else []
    more += [f"  in the browser: {task.address}"] if task.address else []
    if task.comment is not None:
        more.append(f"  in the browser: the comment `{task.comment}` on any open pull request")
    if task.command is None:
        return (what, *more)
    line = f"{what}: {task.command}"
    return (line, *more) if len(line) <= _WIDTH else (f"{what}:", f"  {task.command}", *more)


TASK = Shape(
    "TaskView",
    "Something that can be done now.",
    Task,
    kind="what is to be done, in a word",
    what="the same in a sentence",
    who="the id of the player who does it; null where anybody may, or one of those in `what`",
    proposal="the proposal that it is about",
    rule="the rule that it is about",
    path=at(lambda task: task.path or None, "the file that it is about", str | None),
    since="as of when it happens, if not now",
    command="what to type, in capitals what only a person knows; null where no command does it",
    help=at(
        lambda task: task.help or None,
        "what else helps, or what to do where it would be refused",
        str | None,
    ),
    address="what to open in a browser, where the game is on a forge",
    comment="the comment on any open pull request that does it, where the game is on GitHub",
    needs_choice="whether a person is needed; `nomicgen next --do` does the others",
)
NEXT = Shape(
    "NextView",
    "What can be done now, and by whom.",
    format=FORMAT,
    tasks=TASK.many("the most pressing first"),
)
