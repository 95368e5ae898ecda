"""A rule as it is printed: what a program reads of it, and what none reads."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.cli.playing import run
from tests.ledger import UNANIMOUS, Ledger
from tests.support import GitRepo


def lines_of(repo: GitRepo, block: str) -> list[str]:
    game = Ledger.start({101: UNANIMOUS, 202: {"floor": {"mutable": "1"}}})
    game.proposal(301, "01-05", f"## Amend Rule 202/0\n\n```yaml rule\n{block}\n```\n\nTea is hot. It is late.")
    repo.write(game.applied().tree)
    return run(repo.path, "show 202").splitlines()[3:]


def test_a_rule_that_no_program_reads(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    assert lines_of(repo, "provisions: {}\nunread: true") == ["", "No program reads this rule."]
    assert json.loads(run(repo.path, "show 202 --format json"))["unread"] is True


def test_sentences_that_no_program_reads(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    found = lines_of(repo, "provisions:\n  floor: {mutable: 1}\nunread: [Tea is hot., It is late.]")
    assert found[:2] == ["", "Machine-readable meaning:"]
    assert found[3:] == ["", "No program reads these sentences:", "  “Tea is hot.”", "  “It is late.”"]
    assert json.loads(run(repo.path, "show 202 --format json"))["unread"] == ["Tea is hot.", "It is late."]


def test_a_rule_that_claims_nothing(git_repo: Callable[..., GitRepo]) -> None:
    assert lines_of(git_repo(), "provisions: {}") == []
