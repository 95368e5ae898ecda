"""How a rule can be changed: what the law in force lets a proposal do to it, and the votes that
this needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.law.possible_changes import PossibleChange, possible_changes
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.site.parts.page import Page
from nomicgen.site.site_view import Site, values_by_key

_RULE = r"Rule (\d+)"
# By the verb of an instruction: the words of its button, and those of a sentence.
_BUTTONS = {"amend": "Amend it", "repeal": "Repeal it", "transmute": "Change its tier"}
_PARTICIPLES = {"amend": "amended", "repeal": "repealed"}


class Ways(Struct, frozen=True, kw_only=True):
    """What proposals can do to the rules of each tier, in `reach`. If it is not `known`, no rule of
    the game has provisions.
    """

    known: bool
    reach: Mapping[str, tuple[PossibleChange, ...]]

    @classmethod
    def of(cls, site: Site) -> Ways:
        """Return the ways of a game as it stands. They are the same for all rules of a tier."""
        scene = Scene.of(site.replay.current, site.records, site.today)
        reach: dict[str, list[PossibleChange]] = {}
        for way in () if scene.lawless else possible_changes(scene):
            if way.from_ is not None:
                reach.setdefault(way.from_, []).append(way)
        return cls(
            known=not scene.lawless, reach={tier: tuple(ways) for tier, ways in reach.items()}
        )


def ways_of(rule: Rule, ways: Ways) -> Mapping[str, Any]:
    """Return the template's values for a rule: what may be done to it, the buttons, a command."""
    reach = ways.reach.get(rule.tier, ())
    first = next((way for way in reach if way.possible), None)
    stuck = ways.known and first is None
    verbs = {way.verb for way in reach if way.possible}
    return {
        "known": ways.known,
        "groups": list(_groups(reach)),
        "transmute_first": "transmute" in verbs and "amend" not in verbs,
        "buttons": [
            (verb, words)
            for verb, words in _BUTTONS.items()
            if verb in (verbs if ways.known else ("amend", "repeal"))
        ],
        "stuck": stuck,
        "command": ()
        if stuck
        else ("nomicgen propose", "--title TITLE", "--author ID", _option(rule, first)),
    }


def _option(rule: Rule, first: PossibleChange | None) -> str:
    if first is not None and first.verb == "transmute":
        return f"--transmute {rule.number} {first.into}"
    return f"--{first.verb if first else 'amend'} {rule.number}"


def _groups(reach: Sequence[PossibleChange]) -> Iterator[tuple[str, PossibleChange, bool]]:
    """Yield groups of ways: those that need the same, or that the same rules make impossible.

    Each group is a triple: what is done, in words (`amended or repealed`), the first way, and
    whether it is the only one.
    """
    alike = values_by_key(
        ((not way.possible, way.needs, way.rules, "" if way.rules else way.reason), way)
        for way in reach
    )
    for same in sorted(alike.values(), key=lambda group: not group[0].possible):
        *others, last = (_PARTICIPLES.get(way.verb, f"made {way.into}") for way in same)
        yield f"{', '.join(others)} or {last}" if others else last, same[0], len(same) == 1


def linked_rules(page: Page, words: str) -> Markup:
    """Return words of nomicgen (not a player's) with a link for each `Rule N` in them."""
    parts = re.split(_RULE, words)
    return Markup("").join(
        page.rule_link(int(part)) if index % 2 else part for index, part in enumerate(parts)
    )
