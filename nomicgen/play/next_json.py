"""What can be done now, as JSON."""

from __future__ import annotations

from nomicgen.formats.documents import FORMAT, Shape, at
from nomicgen.play.open_tasks import Task

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
        "what does it instead, or what to do where it would be refused",
        str | None,
    ),
    address="what to open in a browser, where the game is on a forge",
    comment="the comment on any pull request that does it, where the game is on GitHub",
    needs_choice="whether a person is needed; `nomicgen next --do` does the others",
)
NEXT = Shape(
    "NextView",
    "What can be done now, and by whom.",
    format=FORMAT,
    tasks=TASK.many("the most pressing first"),
)
