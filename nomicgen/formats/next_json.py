"""What can be done now, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from nomicgen.archive.open_tasks import Kind, Task
from nomicgen.formats.json_parts import Document, View, date_of


class TaskView(View):
    """Something that can be done now."""

    kind: Kind = Field(description="what is to be done, in a word")
    what: str = Field(description="the same in a sentence")
    who: str | None = Field(description="the id of the player who does it; null where anybody may")
    proposal: int | None = Field(description="the proposal that it is about")
    rule: int | None = Field(description="the rule that it is about")
    path: str | None = Field(description="the file that it is about")
    since: str | None = Field(description="as of when it happens, if not now")
    command: str | None = Field(
        description="what to type, in capitals what only a person knows; null where no command does it"
    )
    help: str | None = Field(description="what does it instead, or what to do where it would be refused")
    address: str | None = Field(description="what to open in a browser, where the game is on a forge")
    needs_choice: bool = Field(description="whether a person is needed; `nomicgen next --do` does the others")


class NextView(Document):
    """What can be done now, and by whom."""

    tasks: tuple[TaskView, ...] = Field(description="the most pressing first")


def next_json(tasks: Sequence[Task]) -> dict[str, Any]:
    """What can be done now; the order is kept."""
    views = tuple(
        TaskView(
            kind=one.kind,
            what=one.what,
            who=one.who,
            proposal=one.proposal,
            rule=one.rule,
            path=one.path or None,
            since=date_of(one.since),
            command=one.command,
            help=one.help or None,
            address=one.address,
            needs_choice=one.needs_choice,
        )
        for one in tasks
    )
    return NextView(tasks=views).model_dump(mode="json", by_alias=True)
