"""What an import of a story tells, in a form that tests can compare."""

from __future__ import annotations

import re
from collections import Counter

from nomicgen.importers.git.importer import GitImported
from nomicgen.model.front_matters import ProposalMatter
from tests.importers.archives import Asked, Story, imported, proved, rule
from tests.rulesets import archive, errors

__all__ = ["BURNING", "Read", "read"]

BURNING = rule("201/1", "Lamps burn.")


class Read:
    """What an import gives; that the game is without errors and proves itself is held for each."""

    def __init__(self, story: Story, got: GitImported, *patterns: str) -> None:
        # The stories of one keeper have no author: `tests/importers/test_credit.py` is about that.
        slugs = Counter(one.slug for one in got.report.warnings if one.slug != "author-unsaid")
        assert "not-read" not in slugs
        self.archive = archive(got.files)
        self.proved = proved(story.repo.path, got, *patterns)
        assert errors(self.archive) == []
        self.got = got
        self.slugs = dict(sorted(slugs.items()))
        self.events = [
            f"{story.named(one.commit or '')} {one.what} {one.rule}/{one.revision} {_name(one.instrument)}"
            for one in got.report.events
        ]
        self.later = [one for one in self.events if " initial " not in one]

    def said(self, slug: str) -> list[str]:
        return [one.message for one in self.got.report.warnings if one.slug == slug]

    def text(self, number: int) -> str | None:
        found = self.archive.replay.current.get(number)
        assert found is not None
        return found.text

    def proposal(self, number: int) -> ProposalMatter:
        matter = self.archive.records.instruments[f"proposals/{number}.md"].matter
        assert isinstance(matter, ProposalMatter)
        return matter


def _name(path: str) -> str:
    return re.sub(r"acts/\d{4}-\d\d-\d\d-", "acts/", path).removesuffix(".md")


def read(story: Story, *patterns: str) -> Read:
    return Read(story, imported(story.repo.path, Asked(patterns=patterns or ("r/*.md",))), *patterns)
