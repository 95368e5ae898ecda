"""What an import of a story tells, in a form that tests can compare."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nomicgen.files.game_files import read_game
from nomicgen.importers.git.importer import ImportedRepository
from nomicgen.law.replay.results import RuleChange
from nomicgen.law.replay.run import replay
from nomicgen.model.front_matters import ProposalMatter
from tests.importers.archives import Asked, Story, imported, proved, rule
from tests.rulesets import errors, history_of_tree

__all__ = ["BURNING", "Event", "Read", "events_of", "read"]

BURNING = rule("201/1", "Lamps burn.")


class Event(NamedTuple):
    """Something that a ledger does to a rule: its number and revision are those afterwards (before,
    for a repeal).
    """

    commit: str | None
    what: str
    number: int
    revision: int
    path: str


def events_of(files: Mapping[str, bytes]) -> list[Event]:
    """What the ledger of a game does, in its order."""
    return [*_events(files)]


def _events(files: Mapping[str, bytes]) -> Iterator[Event]:
    records, _ = read_game(files)
    played = replay(records)
    for path, file in records.initial.items():
        rule = played.initial.once_numbered(file.matter.number)
        assert rule is not None
        yield Event(file.matter.commit, "initial", rule.number, rule.revision, path)
    ever = {rule.identity for rule in played.initial}
    for step in played.steps:
        instrument = step.instrument
        for change in step.changes:
            rule = change.rule
            now = step.after.by_identity(rule.identity) or rule
            what = _verb(change, returns=rule.identity in ever)
            yield Event(instrument.matter.commit, what, now.number, now.revision, instrument.path)
            ever.add(rule.identity)


def _verb(change: RuleChange, *, returns: bool) -> str:
    before, after = change.before, change.after
    if change.verb == "enact":
        return "returned" if returns else "enacted"
    if change.verb == "mark":
        return "voided" if after is not None and after.void else "revived"
    if (
        before is not None
        and after is not None
        and change.verb == "amend"
        and before.text == after.text
    ):
        return "recounted"
    return {"renumber": "renumbered", "transmute": "transmuted"}.get(
        change.verb, f"{change.verb.removesuffix('e')}ed"
    )


class Read:
    """What an import gives; that the game is without errors and proves itself is held for each."""

    def __init__(self, story: Story, got: ImportedRepository, *patterns: str) -> None:
        # The stories of one keeper have no author: `tests/importers/test_credit.py` is about that.
        slugs = Counter(one.slug for one in got.warnings if one.slug != "author-unsaid")
        assert "not-read" not in slugs
        self.game_history = history_of_tree(got.files)
        self.proved = proved(story.repo.path, got, *patterns)
        assert errors(self.game_history) == []
        self.got = got
        self.slugs = dict(sorted(slugs.items()))
        self.events = [
            f"{story.named(one.commit or '')} {one.what} {one.number}/{one.revision} "
            f"{_name(one.path)}"
            for one in events_of(got.files)
        ]
        self.later = [one for one in self.events if " initial " not in one]

    def said(self, slug: str) -> list[str]:
        return [one.message for one in self.got.warnings if one.slug == slug]

    def text(self, number: int) -> str | None:
        found = self.game_history.replay.current.get(number)
        assert found is not None
        return found.text

    def proposal(self, number: int) -> ProposalMatter:
        matter = self.game_history.records.instruments[f"proposals/{number}.md"].matter
        assert isinstance(matter, ProposalMatter)
        return matter


def _name(path: str) -> str:
    return re.sub(r"acts/\d{4}-\d\d-\d\d-", "acts/", path).removesuffix(".md")


def read(story: Story, *patterns: str) -> Read:
    return Read(
        story, imported(story.repo.path, Asked(patterns=patterns or ("r/*.md",))), *patterns
    )
