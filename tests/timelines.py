"""The time machine's data of a game, and a second reading of it, written from what the format
says of itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nomicgen.history.game_history import GameHistory
from nomicgen.law.replay.results import Ruleset
from nomicgen.model.values import Moment
from nomicgen.site.addresses import Addresses
from nomicgen.site.pages.time_page import time_pages
from nomicgen.site.site_view import Site

Standing = dict[int, tuple[Any, ...]]
"""The rules that stand, by identity: number, revision, tier, title, section, void, text."""


def site_of(game_history: GameHistory, today: Moment) -> Site:
    addresses = Addresses(
        settings=game_history.records.settings,
        git=game_history.git,
        histories=game_history.histories,
    )
    return Site(game_history=game_history, today=today, addresses=addresses)


def files(game_history: GameHistory, today: Moment) -> Mapping[str, str]:
    """The time machine's page, documents and scripts, by their path."""
    return dict(time_pages(site_of(game_history, today)))


def documents(game_history: GameHistory, today: Moment) -> Mapping[str, Any]:
    """The time machine's documents, by their path, as a program would read them."""
    return {
        path: json.loads(text)
        for path, text in files(game_history, today).items()
        if path.endswith(".json")
    }


class Reader:
    """Reads the documents as `Timeline` and `Texts` say."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        self.timeline = documents["api/v1/timeline.json"]
        self.texts: dict[int, str] = {}
        for number, first in enumerate(self.timeline["bundles"], 1):
            bundle = documents[f"api/v1/texts/{number}.json"]
            assert bundle["first"] == first == len(self.texts)
            self.texts |= {first + place: text for place, (text, _) in enumerate(bundle["texts"])}

    def on(self, day: str) -> Standing:
        """The ruleset at the end of a day."""
        moments = self.timeline["moments"]
        late = (
            place
            for place, one in enumerate(moments)
            if one["effective"] and one["effective"][:10] > day
        )
        return self._after(next(late, len(moments)))

    def after(self, path: str) -> Standing:
        """The ruleset right after an instrument."""
        return self._after(1 + [one["path"] for one in self.timeline["moments"]].index(path))

    def _after(self, count: int) -> Standing:
        rules: Standing = {}
        changes = [*self.timeline["initial"]]
        for moment in self.timeline["moments"][:count]:
            changes += moment["changes"]
        for rule, number, revision, tier, title, section, void, verb, text in changes:
            where = None if section is None else self.timeline["sections"][section]
            words = None if text is None else self.texts[text]
            rules[rule] = (
                number,
                revision,
                self.timeline["tiers"][tier],
                title,
                where,
                void,
                words,
            )
            if verb == "repeal":
                del rules[rule]
        return rules


def standing(ruleset: Ruleset) -> Standing:
    """A ruleset as the replay has it, in the same form."""
    return {
        rule.identity: (
            rule.number,
            rule.revision,
            rule.tier,
            rule.title,
            rule.section,
            str(rule.void) if isinstance(rule.void, Moment) else bool(rule.void),
            rule.text,
        )
        for rule in ruleset
    }
