"""The cause of a change of Agora's rules, worked out from the agent that its data names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from nomicgen.importers.agora.read import AgoraEntry, Data, in_words

_NUMBER = r"[1-9][0-9]{0,8}"
_UNKNOWN = "unrecorded cause"


class Cause(Struct, frozen=True):
    """What made a change: in words, with the number of the proposal or of the rule that acted, and
    with the player who did, as far as that is known.
    """

    words: str
    proposal: int | None = None
    rule: int | None = None
    player: str | None = None


def cause_of(entry: AgoraEntry, data: Data) -> Cause:
    """Return the cause of an entry. An agent of an unknown form gives a warning, and its own words
    are the cause; no agent gives one, too, and the cause is unrecorded.
    """
    agent = entry.agent
    if not isinstance(agent, Mapping) or len(agent) != 1:
        if agent in (None, ""):
            message, outcome = "the entry names no agent", "its cause is said not to be recorded"
            data.warn("agent-missing", entry.path, entry.line, message, outcome)
            return Cause(_UNKNOWN)
        return _strange(entry, data)
    ((kind, said),) = agent.items()
    text = said if isinstance(said, str) else ""
    keys: Mapping[str, object] = said if isinstance(said, Mapping) else {}
    match kind:
        case "proposal" if text:
            return _proposal(text, entry, data)
        case "index":
            return Cause("Left out of the index" if said == "left out" else "Listed in the index")
        case "rule" if re.fullmatch(_NUMBER, text):
            return Cause(f"Rule {text}", rule=int(text))
        case "cleaning" | "refiling" if set(keys) <= {"by"}:
            return Cause(kind.capitalize(), player=in_words(keys.get("by", "")) or None)
        case "decree" if text:
            return Cause("Decree", player=in_words(text))
        case "experiment" if set(keys) <= {"id", "engineer"}:
            words = f"Experiment {in_words(keys.get('id', ''))}".strip()
            return Cause(words, player=in_words(keys.get("engineer", "")) or None)
        case "convergence" if set(keys) == {"proposal"}:
            return Cause(f"Convergence caused by Proposal {in_words(keys['proposal'])}")
        case "ratification" if "document" in keys and set(keys) <= {"document", "agent"}:
            return _ratification(keys)
        case _:
            return _strange(entry, data)


def _proposal(said: str, entry: AgoraEntry, data: Data) -> Cause:
    number = in_words(said)
    if number not in data.proposals:
        message, outcome = "there is no file of this proposal", "its author and title are not known"
        data.warn("proposal-missing", entry.path, entry.line, message, outcome, quote=number)
    if not re.fullmatch(_NUMBER, number):
        message, outcome = "the proposal has no plain number", "what it did is an act of that name"
        data.warn("proposal-number", entry.path, entry.line, message, outcome, quote=number)
        known = data.proposals.get(number)
        return Cause(f"Proposal {number}", player=known.author if known else None)
    return Cause(f"Proposal {number}", proposal=int(number))


def _ratification(keys: Mapping[str, object]) -> Cause:
    words, agent = f"Ratification of {in_words(keys['document'])}", keys.get("agent")
    if not isinstance(agent, Mapping):
        return Cause(f"{words} ({in_words(agent)})" if agent else words)
    if set(agent) == {"proposal"}:
        return Cause(f"{words} by Proposal {in_words(agent['proposal'])}")
    if set(agent) == {"without-objection"}:
        return Cause(
            f"{words} without objection", player=in_words(agent["without-objection"]) or None
        )
    return Cause(f"{words} ({in_words(agent)})")


def _strange(entry: AgoraEntry, data: Data) -> Cause:
    words = in_words(entry.agent) or _UNKNOWN
    message, outcome = "nobody can tell what the agent is", "its own words are the cause"
    data.warn("agent-unknown", entry.path, entry.line, message, outcome, quote=words)
    return Cause(words)
