"""The rules at a moment, and the law that they make: what a change is judged by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.law.precedence import Law, Laws
from nomicgen.law.replay.results import RuleChange, Ruleset
from nomicgen.law.rule_keys import initial_ruleset
from nomicgen.model.records import Instrument, Players, Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment


class Scene(Struct, frozen=True, kw_only=True, dict=True):
    """A ruleset at a moment, and who plays. `lawless`: no rule has a provision, or had one in the
    initial set or in the scene from which `with_rules` made this one.

    `laws` makes the law of this ruleset, and of those that changes make of it. `moment` is None if
    nobody knows it.
    """

    ruleset: Ruleset
    laws: Laws
    players: Players
    moment: Moment | None
    lawless: bool = False

    @classmethod
    def of(cls, ruleset: Ruleset, records: Records, moment: Moment | None) -> Scene:
        """Return the scene of a ruleset of a game."""
        lawless = not ruleset.with_provisions and not initial_ruleset(records).with_provisions
        laws = Laws(records.settings)
        return cls(
            ruleset=ruleset, laws=laws, players=records.players, moment=moment, lawless=lawless
        )

    @cached_property
    def law(self) -> Law:
        """The law that is in force."""
        return self.laws.of(self.ruleset, self.moment)

    @property
    def settings(self) -> Settings:
        return self.laws.settings

    def with_rules(self, ruleset: Ruleset) -> Scene:
        """Return the same moment under another ruleset; a game that gets its first provision is
        lawless no more.
        """
        return replace(self, ruleset=ruleset, lawless=self.lawless and not ruleset.with_provisions)


class RulesetChange(Struct, frozen=True, kw_only=True):
    """What an instrument makes of the rules: the scenes before and after it, at one moment.

    `law` is the law on the day when it is carried out; the scenes may be of a later day.
    """

    instrument: Instrument
    changes: Sequence[RuleChange]
    law: Law
    before: Scene
    after: Scene
