"""Previews from templates, which are the same for Markdown and for a terminal.

A value that is filled in may be a player's words, unless a filter says that it is nomicgen's own.
Each form has filters of its own, and its own marks `good`, `bad` and `warn`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nomicgen.formats.text_templates import Escaped, text_templates
from nomicgen.history.activity import who_may_vote
from nomicgen.history.differences import ReachChange
from nomicgen.history.past.effects_between import StatePart
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.model.findings import counted

if TYPE_CHECKING:
    from jinja2 import Environment

_DIFFERENCE_WORDS: dict[StatePart, str] = {
    "score": "points of ",
    "winner": "won by",
    "turn": "next turn",
    "due": "rules that are due to change by themselves",
    "voters": "may vote",
    "void": "rules without force",
}
"""How a line begins that says what would differ between the game now and then."""
_GAP = r"\n{3,}"


def preview_templates(players_words: Callable[[str], str]) -> Environment:
    """Return the templates of previews and comments, for a form in which `players_words` makes a
    player's word harmless.
    """

    def fill_in(value: object) -> object:
        return value if isinstance(value, Escaped | int) else players_words(str(value))

    def names(idents: Sequence[str], most: int | None = None) -> Escaped:
        """Return names with commas, after the first `most` only a count; `nobody` for none."""
        more = len(idents) - len(idents[:most])
        shown = ", ".join(map(players_words, idents[:most]))
        return Escaped(f"{shown}{f' and {more} more' if more else ''}" or "nobody")

    environment = text_templates("nomicgen.formats", fill_in)
    environment.filters |= {
        "as_it_is": Escaped,
        "by_words": _by_words,
        "counted": lambda count, thing: Escaped(counted(count, thing)),
        "names": names,
    }
    environment.globals |= {"may_vote": who_may_vote, "difference_words": _DIFFERENCE_WORDS}
    return environment


def filled_template(environment: Environment, name: str, **values: Any) -> str:
    """Return a filled template without blank lines around it; '' if it has nothing to say."""
    return closed_up(environment.get_template(name).render(values))


def closed_up(text: str) -> str:
    """Return a text without blank lines around it, and never with two of them."""
    return re.sub(_GAP, "\n\n", text.strip("\n"))


def signed_sentences(
    gone: Iterable[str] = (), come: Iterable[str] = (), kept: Iterable[str] = ()
) -> list[tuple[str, str]]:
    """Return sentences that go, come and stay: pairs of a sign and the sentence on one line."""
    signs = (("-", gone), ("+", come), (" ", kept))
    return [
        (sign, " ".join(sentence.split())) for sign, sentences in signs for sentence in sentences
    ]


def _by_words(reach: Iterable[ReachChange]) -> list[tuple[str, list[ReachChange]]]:
    """Return groups of what becomes harder or easier in the same way, each after the words for it,
    such as `needs 3 votes -> 4 votes`.
    """
    groups: dict[str, list[ReachChange]] = {}
    for change in reach:
        groups.setdefault(_reach_words(change), []).append(change)
    return [*groups.items()]


def _reach_words(change: ReachChange) -> str:
    if not change.after.possible:
        return f"becomes impossible: {change.after.reason}"
    if not change.before.possible:
        return (
            f"becomes possible, and needs {_needs(change.after)} (before: {change.before.reason})"
        )
    return f"needs {_needs(change.before)} -> {_needs(change.after)}"


def _needs(change: PossibleChange) -> str:
    return "; and ".join(change.needs)
