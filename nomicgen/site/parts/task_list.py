"""What can be done now: the tasks of `nomicgen next` in the words of the site, with a button to do
each on the forge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from markupsafe import Markup
from msgspec import Struct

from nomicgen.files.urls import is_web
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.open_tasks import play_workflow
from nomicgen.play.tasks import Task
from nomicgen.site.addresses import PROPOSE
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site, values_by_key

# The words of a task, by its kind: about an instrument, and about a turn.
_INSTRUMENT_TASKS: Mapping[str, str] = {
    "apply": "Write what {} changed into the ruleset",
    "resolve": "End the vote on {}, which is over",
    "open": "Open the vote on {}, whose debate is over",
    "resubmit": "Mend {}, which is not what the vote opened on, or put it to the vote again",
    "tie": "Break the tie on {}",
    "vote": "Vote on {}",
    "poll": "Vote on {}, on its pull request",
    "judge": "Give {}",
    "register": "Register {}",
    "put": "Put {} to the vote",
    "change-vote": "Vote on {}",
    "close": "End the vote on {} as it stands",
    "debate": "Debate {}",
}
_TURN_TASKS: Mapping[str, str] = {
    "propose": "Propose something, in turn {}",
    "throw": "Throw the dice of turn {}, and end it",
    "end": "End turn {}",
    "pass": "Pass turn {}",
}
# What is done in a turn by editing its file.
_DONE_BY_EDITING = ("throw", "end", "pass")
# The words on the button of a task, by its kind; those of any other are `Open`.
_BUTTONS: Mapping[str, str] = {
    **dict.fromkeys(("tie", "poll"), "Vote"),
    "begin": "Begin it",
    "judge": "Write the ruling",
    **dict.fromkeys(_DONE_BY_EDITING, "Edit its file"),
    "propose": "Propose",
    "debate": "Debate",
}

_YOURS = PlayerId("your-id")
"""What stands where a player writes their own id."""


class GroupedTask(Struct, frozen=True, kw_only=True):
    """Something that can be done now, by any of the `players`. Where that is empty, anybody may do
    it (`for_all`), or `words` say who. `button` leads to `href`, and `command` does it at a shell;
    `href` and `command` may be None.
    """

    words: Markup
    players: Sequence[str]
    for_all: bool
    command: str | None
    href: str | None
    button: str


def is_hindered(site: Site, task: Task) -> bool:
    """Return whether a task is the next step of a proposal, and cannot be done yet."""
    return (
        task.kind in ("register", "open", "put", "resolve")
        and task.path in site.game_history.hindered
    )


def what_to_do(page: Page, task: Task) -> Markup:
    """Return a task in few words, without the player: `Vote on Proposal 301 · Lamps`."""
    instrument = page.records.instruments.get(task.path)
    if instrument is not None and is_hindered(page.site, task):
        why = page.site.game_history.hindered[task.path]
        return Markup("{}: {}").format(page.instrument_link(instrument, titled=True), why)
    turn, following = page.records.turn_at(task.path), page.replay.next_turn
    if task.kind == "open" and task.since is not None and instrument is not None:
        link, ends = page.instrument_link(instrument, titled=True), f"{task.since.clock:%H:%M}"
        return Markup("Open the vote on {}, once its debate ends today at {}").format(link, ends)
    if task.kind in _INSTRUMENT_TASKS and instrument is not None:
        return Markup(_INSTRUMENT_TASKS[task.kind]).format(
            page.instrument_link(instrument, titled=True)
        )
    if task.kind == "begin" and following is not None:
        won = ", though the game is won" if page.replay.winner is not None else ""
        return Markup("Begin the next turn, {}{}").format(page.turn_link(following.ident), won)
    if task.kind in _TURN_TASKS and turn is not None:
        return Markup(_TURN_TASKS[task.kind]).format(page.turn_link(turn.ident))
    return Markup("{}").format(task.what[:1].upper() + task.what[1:])


def grouped_tasks(page: Page) -> Iterator[GroupedTask]:
    """Yield what can be done now, the most pressing first, except votes: the first page has a list
    of its own for them.
    """
    tasks = (task for task in page.site.tasks if task.kind not in ("vote", "change-vote"))
    same_task = values_by_key(((task.kind, task.path or task.what), task) for task in tasks)
    for first, *others in same_task.values():
        yield GroupedTask(
            words=what_to_do(page, first) + _what_to_write(page, first),
            players=(players := [task.who for task in (first, *others) if task.who is not None]),
            for_all=not players and first.kind != "do",
            # If several players can do it, each has a command of their own.
            command=None if others or is_hindered(page.site, first) else first.command,
            href=(href := _where(page, first)),
            button=_button(page, first, href),
        )


def _what_to_write(page: Page, task: Task) -> Markup:
    """Return what a player writes on the forge: into a file, or as a comment."""
    if task.comment is not None:
        shown = Markup("; in a browser, comment <code>{}</code> on any open pull request")
        return shown.format(task.comment)
    judgement = page.records.instruments.get(task.path or "")
    if task.kind == "judge" and judgement and judgement.actor and task.who != judgement.actor:
        return Markup("; in its file write <code>judge: {}</code>").format(task.who or _YOURS)
    if _begins_for_anybody(page, task) and page.site.addresses.has_editor:
        return Markup("; in its file write <code>player: {}</code>").format(_YOURS)
    turn = page.records.turn_at(task.path)
    if task.kind not in _DONE_BY_EDITING or turn is None or not page.site.addresses.has_editor:
        return Markup("")
    dice = [str(face) for face in turn.matter.dice] + ["4"] * task.throws if task.throws else []
    # If a throw is all that a deadline waits for (`is_stuck`), `next --do` then writes `ended`.
    lines = [
        *([f"dice: [{', '.join(dice)}]"] if dice else []),
        *(["passed: true"] if task.kind == "pass" else []),
        *([] if task.is_stuck else [f"ended: {page.today.day}"]),
    ]
    shown = Markup(" and ").join(Markup("<code>{}</code>").format(line) for line in lines)
    own = [*(["your throw"] if dice else []), *([] if task.is_stuck else ["the day"])]
    return Markup("; in its file write {}, with {}").format(shown, " and ".join(own))


def _button(page: Page, task: Task, href: str | None) -> str:
    """Return the words on the button that leads to `href`."""
    if href is not None and href == play_workflow(page.records):
        return "Run"
    return "Open" if is_hindered(page.site, task) else _BUTTONS.get(task.kind, "Open")


def _begins_for_anybody(page: Page, task: Task) -> bool:
    """Return whether a task begins a turn that no rule gives to a player."""
    return task.kind == "begin" and page.replay.next_turn is None


def _where(page: Page, task: Task) -> str | None:
    """Return the address at which a task is done in a browser; None if there is none."""
    following = page.replay.next_turn
    if task.kind == "begin" and page.site.addresses.has_editor:
        # Its player cannot run the workflow.
        ident = following.ident if following is not None else PurePosixPath(task.path).stem
        player = following.player if following is not None else _YOURS
        return page.site.addresses.begin(ident, player, page.today.day)
    if is_web(task.address):
        return task.address
    if task.kind == "judge" or task.kind in _DONE_BY_EDITING:
        return page.site.addresses.edit(task.path)
    return page.href(PROPOSE) if task.kind == "propose" else None
