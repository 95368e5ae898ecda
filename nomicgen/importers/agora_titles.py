"""The titles that Agora's rules had: as their histories say, and as the files of a repository had them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from msgspec.structs import replace

from nomicgen.importers.agora_history import UNKNOWN_TITLE, AgoraHistory
from nomicgen.importers.agora_read import Data
from nomicgen.importers.agora_texts import At


def titled(history: AgoraHistory, names: Mapping[At, str], data: Data) -> AgoraHistory:
    """A rule's history with the titles that files had, by the state whose text stood in them.

    What a history says of titles is followed: a file tells only of what lies between one retitling and the next. Where
    no entry tells of a new title, the amendment with which a file first had it is taken to have given it.
    """
    states = history.states
    cuts = [at for at, one in enumerate(states) if at and one.verb == "retitle"]
    titles: list[str | None] = []
    for start, end in pairwise((0, *cuts, len(states))):
        known = {at: name for at in range(start, end) if (name := names.get((history.rule.number, at)))}
        said = states[start].title
        if said not in (None, UNKNOWN_TITLE):
            # It is the one that the rule had at the end of this time.
            last = max((at for at in history.texts if start <= at < end), default=start)
            known = {at: name for at, name in known.items() if at < last} | {last: said or ""}
        now = known[min(known)] if known else said
        for at in range(start, end):
            if (name := known.get(at, now)) != now:
                entry = states[at].entry
                message, made = (
                    "the rule has a new title, and no entry says how",
                    "this change is taken to have given it",
                )
                data.warn(
                    "title-unsaid",
                    history.rule.path,
                    None if entry is None else entry.line,
                    message,
                    made,
                    quote=name or "",
                )
            now = name
            titles.append(now)
    return AgoraHistory(
        rule=history.rule,
        states=tuple(replace(one, title=title) for one, title in zip(states, titles, strict=True)),
    )
