"""A preview, section by section, from templates that are filled for Markdown and for a terminal
alike.

What is filled into them is a player's word, unless a filter says that it is nomicgen's own. Each
form has its filters, and its marks for what is `good`, `bad` or to be looked at (`warn`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from nomicgen.formats.text_templates import Escaped, text_templates
from nomicgen.history.activity import who_may_vote
from nomicgen.history.differences import ReachChange
from nomicgen.history.past.effects_between import What
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.model.findings import counted

if TYPE_CHECKING:
    from jinja2 import Environment

_DIFFERENCE_WORDS: dict[What, str] = {
    "score": "points of ",
    "winner": "won by",
    "turn": "next turn",
    "due": "rules that are due to change by themselves",
    "voters": "may vote",
    "void": "rules without force",
}
_GAP = r"\n{3,}"


def preview_templates(players_words: Callable[[str], str]) -> Environment:
    """Return the templates of previews and comments, for a form in which `players_words` makes a
    player's word harmless.
    """

    def filled(value: object) -> object:
        return value if isinstance(value, Escaped | int) else players_words(str(value))

    def names(idents: Sequence[str], most: int | None = None) -> Escaped:
        """Names with commas between them, of more than `most` the first."""
        more = len(idents) - len(idents[:most])
        shown = ", ".join(map(players_words, idents[:most]))
        return Escaped(f"{shown}{f' and {more} more' if more else ''}" or "nobody")

    environment = text_templates("nomicgen.formats", filled)
    environment.filters |= {
        "as_it_is": Escaped,
        "by_words": _by_words,
        "counted": lambda count, thing: Escaped(counted(count, thing)),
        "names": names,
    }
    environment.globals |= {"may_vote": who_may_vote, "difference_words": _DIFFERENCE_WORDS}
    return environment


def filled_template(environment: Environment, name: str, **values: Any) -> str:
    """Return what a template says, without blank lines around it; nothing where it has nothing to
    say.
    """
    return closed_up(environment.get_template(name).render(values))


def closed_up(text: str) -> str:
    """Return a text without blank lines around it, and never with two of them."""
    return re.sub(_GAP, "\n\n", text.strip("\n"))


def signed_sentences(
    gone: Iterable[str] = (), come: Iterable[str] = (), kept: Iterable[str] = ()
) -> list[tuple[str, str]]:
    """Sentences that go, that come and that stay: each on one line, with its sign."""
    signs = (("-", gone), ("+", come), (" ", kept))
    return [
        (sign, " ".join(sentence.split())) for sign, sentences in signs for sentence in sentences
    ]


def _by_words(reach: Iterable[ReachChange]) -> list[tuple[str, list[ReachChange]]]:
    """Return the kinds of change that change in one way, by the words that say how."""
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
