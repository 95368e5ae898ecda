"""A game with its history: what pages, exports and commands read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo
from functools import cached_property

from msgspec import Struct

from nomicgen.files.text_encoding import Oddity
from nomicgen.history.rule_history import Histories
from nomicgen.law.replay.results import Replay
from nomicgen.model.commits import GitState, Origin
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import Digest
from nomicgen.model.records import Instrument, Records


class GameHistory(Struct, frozen=True, kw_only=True, dict=True):
    """A game with its history: records, their replay, each rule's history, and each text's origin.

    `origins` is by (identity of the rule, index of the entry in its history); `touched` gives for
    each path the commit that last changed it, `decided` for an instrument the commit that decided
    it. They are empty where git has nothing to say, and `git` says why. `findings` are the game's,
    `zone` is the time zone in which its days begin and end.

    The rest is given only to a game that is to be published: `tree` is the id of HEAD's tree,
    `digest` the ledger's (`ledger_digest.py`), `files` are the game's own, by path. `hindered`
    tells, by path, of each proposal whose next step cannot be made yet: what it waits for, or what
    stands against it.
    """

    records: Records
    replay: Replay
    histories: Histories
    git: GitState
    origins: Mapping[tuple[int, int], Origin] = {}
    touched: Mapping[str, Origin] = {}
    decided: Mapping[str, Origin] = {}
    findings: tuple[Finding, ...] = ()
    zone: tzinfo = UTC
    hindered: Mapping[str, str] = {}
    tree: str | None = None
    digest: Digest | None = None
    files: Mapping[str, bytes | Oddity] = {}

    @cached_property
    def upheld(self) -> Mapping[int, tuple[Instrument, ...]]:
        """For each rule, by identity, the standing judgements that construe it, by number."""
        judgements_of: dict[int, list[Instrument]] = {}
        for judgement in self.records.of_kind("judgement"):
            matter = judgement.matter
            if matter.status == "upheld":
                for identity in {self._bearer(rule.number, rule.revision) for rule in matter.rules}:
                    if identity is not None:
                        judgements_of.setdefault(identity, []).append(judgement)
        return {identity: tuple(judgements) for identity, judgements in judgements_of.items()}

    def _bearer(self, number: int, revision: int | None) -> int | None:
        """Return the identity of the rule that `N` or `N/R` names: the last that had this revision
        under this number, else the last to bear the number. None if no rule ever bore it.
        """
        for identity in reversed(self.histories.bearers.get(number, ())):
            entries = self.histories.rules[identity].entries
            if any(
                entry.rule.number == number and entry.rule.revision == revision for entry in entries
            ):
                return identity
        named = self.histories.of_number(number)
        return named.identity if named else None
