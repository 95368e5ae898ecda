"""When a proposal that is not decided would take effect, in words."""

from __future__ import annotations

from nomicgen.law.precedence import Law
from nomicgen.law.provisions.effect import due_moment, own_moment, when_words
from nomicgen.model.records import Instrument
from nomicgen.model.values import Moment


def effect_words(instrument: Instrument, law: Law, decided: Moment) -> str:
    """When a proposal would take effect that is decided so; '' where that is at once, or with the next turn."""
    said, own = law.says("effect", "moment"), own_moment(instrument, law)
    due = due_moment(instrument, law, decided, None)
    if due is not None and due == own and decided.precedes(due):
        return f"on {due}, by its own words"
    if due is None and own is not None and said is not None:
        return f"on {own} or {when_words(said.value)}, whichever is later (Rule {said.rule})"
    if said is not None and isinstance(said.value, int):
        return f"{when_words(said.value)} (Rule {said.rule})"
    return ""
