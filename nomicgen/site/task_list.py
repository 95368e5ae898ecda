"""What can be done now, on the site: the list of `nomicgen next`, with the button that does it on the forge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgen.archive.open_tasks import Task
from nomicgen.files.urls import is_web
from nomicgen.site.shared_pieces import instrument_link, joined, turn_link
from nomicgen.site.site_view import Site

_DEEDS: Mapping[str, str] = {
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
_BUTTONS: Mapping[str, str] = {
    **dict.fromkeys(("tie", "vote", "poll", "change-vote"), "Vote"),
    **dict.fromkeys(("apply", "advance", "resolve", "open", "begin"), "Run"),
    "judge": "Write the ruling",
    "propose": "Propose",
    "debate": "Debate",
}


def what_to_do(site: Site, task: Task, page: str) -> Markup:
    """A task as a sentence of few words, without who is to do it."""
    one = site.archive.records.instruments.get(task.path)
    turn, following = site.status.turn, site.archive.replay.next_turn
    if task.kind in _DEEDS and one is not None:
        return Markup(_DEEDS[task.kind]).format(instrument_link(site, one, page, titled=True))
    if task.kind == "begin" and following is not None:
        won = ", though the game is won" if site.archive.replay.winner is not None else ""
        return Markup("Begin the next turn, {}{}").format(turn_link(site, following.ident, page), won)
    if task.kind in ("propose", "throw", "end") and turn is not None:
        deed = {"propose": "Propose something, in turn {}", "throw": "Throw the dice of turn {}", "end": "End turn {}"}
        return Markup(deed[task.kind]).format(turn_link(site, turn.ident, page))
    return Markup("{}").format(task.what[:1].upper() + task.what[1:])


def task_views(site: Site, page: str) -> Iterator[Mapping[str, Any]]:
    """Everything that can be done now, the most pressing first: each once, with all who may do it."""
    groups: dict[tuple[str, str, str | None], list[Task]] = {}
    for task in site.tasks:
        alike = "vote" if task.kind == "change-vote" else task.kind
        groups.setdefault((alike, task.path, task.what if task.path == "" else None), []).append(task)
    for same in groups.values():
        first = same[0]
        by = [site.who(one.who, page) for one in same if one.who is not None]
        yield {
            "kind": first.kind,
            "what": what_to_do(site, first, page),
            "who": joined(by) if by else Markup("anybody"),
            "href": _forge(site, first),
            "button": _BUTTONS.get(first.kind, "Open"),
            # Of several players each types their own.
            "command": first.command if len(same) == 1 else None,
        }


def _forge(site: Site, task: Task) -> str | None:
    """Where a task is done in a browser."""
    if is_web(task.address):
        return task.address
    if task.kind == "judge":
        return site.addresses.edit(task.path)
    return site.addresses.propose() if task.kind == "propose" else None
