"""The titles that Agora's rules had, as their histories say, and the files of the repository."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from msgspec.structs import replace

from nomicgen.importers.agora.history import AgoraHistory, AgoraState
from nomicgen.importers.agora.instructions import sound_title
from nomicgen.importers.agora.read import Data
from nomicgen.importers.agora.texts import StateKey
from nomicgen.importers.instruments import UNKNOWN_TITLE


def with_titles(history: AgoraHistory, names: Mapping[StateKey, str], data: Data) -> AgoraHistory:
    """Return a rule's history with the titles that entries and files give; `names` are the titles
    in the files, by the state whose text the file had.

    Entries are believed first: a file only says which title the rule had between two retitlings. If
    files have a new title in between, and no entry tells of it, the first state with it is taken to
    have given it, with a warning.
    """
    states = history.states
    cuts = [at for at, state in enumerate(states) if at and state.verb == "retitle"]
    titles: list[str | None] = []
    for start, end in pairwise((0, *cuts, len(states))):
        last = (
            _title_in_entry(states[end], "old") if end < len(states) else history.rule.name or None
        )
        last = last or (_title_in_entry(states[start], "new") if start else None)
        known = {
            at: name for at in range(start, end) if (name := names.get((history.rule.number, at)))
        }
        if last is not None:
            # The rule had that title at the end of this stretch.
            final = max((at for at in history.text_states if start <= at < end), default=start)
            known = {at: name for at, name in known.items() if at < final} | {final: last}
        elif start and not known:
            _warn(
                "title-lost",
                states[start],
                "the entry does not say the new title",
                "it is said to be lost",
                data,
            )
            known = {start: UNKNOWN_TITLE}
        now = known[min(known)] if known else None
        for at in range(start, end):
            if (name := known.get(at, now)) != now:
                message = "the rule has a new title, and no entry says how"
                _warn(
                    "title-unsaid",
                    states[at],
                    message,
                    "this change is taken to have given it",
                    data,
                    name or "",
                )
            now = name
            titles.append(now)
    sound = {title: sound_title(title or "", history.rule.path, data) for title in titles}
    replaced = (
        replace(state, title=sound[title]) for state, title in zip(states, titles, strict=True)
    )
    return replace(history, states=tuple(replaced))


def _title_in_entry(state: AgoraState, when: str) -> str | None:
    """Return the `old` or the `new` title, as an entry gives it; None where it gives none."""
    change = state.entry.change if state.entry is not None else {}
    return change.get(f"{when}-title", change.get(f"{when}-name")) or None


def _warn(
    slug: str, state: AgoraState, message: str, outcome: str, data: Data, quote: str = ""
) -> None:
    if state.entry is not None:
        data.warn(slug, state.entry.path, state.entry.line, message, outcome, quote=quote)
