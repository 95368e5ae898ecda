"""What commands print with `--format json`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from nomicgen.formats.findings import findings_json
from nomicgen.formats.json_parts import SCORES, scores_fields
from nomicgen.history.standings import standings_of
from nomicgen.play.command_json import RULE, STATUS, history_json, status_fields
from nomicgen.play.game_status import status_of
from nomicgen.play.open_tasks import open_tasks
from nomicgen.play.tasks import NEXT
from tests.ledger import UNANIMOUS, Ledger, day
from tests.reference.schemas import view_schema
from tests.rulesets import history_of_tree


def game() -> Ledger:
    made = Ledger.start({101: UNANIMOUS, 201: {}}, links={"commit": "https://forge.example/{sha}"})
    made.proposal(301, "01-05", "## Amend Rule 201/0\n\nA new text.", commit="7" * 40, turn="R1T1")
    made.proposal(302, "01-06", "## Repeal Rule 201/1", votes="fa..", status="open", title="Away")
    return made


def test_a_rule() -> None:
    rule = history_of_tree(game().tree).replay.current.rules[101]
    assert RULE.write(rule) == {
        "format": 1,
        "number": 101,
        "revision": 0,
        "tier": "immutable",
        "title": None,
        "section": None,
        "text": "The text of 101.",
        "provisions": {"adoption": {"needs": "unanimous", "of": "eligible"}},
        "sentences": ["Rule-changes need the votes of all eligible voters."],
        "defines": [],
        "unread": [],
        "void": False,
        "note": None,
    }


def test_a_history() -> None:
    found = history_of_tree(game().tree)
    history = found.histories.of_number(201)
    assert history is not None
    told = history_json(found, history)
    assert told["number"] == 201
    assert told["numbers"] == [201]
    assert told["current"]["text"] == "A new text."
    assert told["entries"][1] == {
        "line": "Amended (1) by Proposal 301 (wren), Jan 5, 2026 (R1T1)",
        "verb": "amend",
        "number": 201,
        "revision": 1,
        "tier": "mutable",
        "by": "Proposal 301",
        "player": "wren",
        "decided": "2026-01-05",
        "effective": "2026-01-05",
        "turn": "R1T1",
        "file": "proposals/301.md",
        "commit": "7" * 40,
        "link": f"https://forge.example/{'7' * 40}",
    }
    assert told["entries"][0]["by"] is None
    assert json.loads(json.dumps(told)) == told


def test_a_repealed_rule_has_no_current_state() -> None:
    found = history_of_tree(game().proposal(303, "01-07", "## Repeal Rule 201/1").tree)
    history = found.histories.of_number(201)
    assert history is not None
    assert history_json(found, history)["current"] is None


def test_a_status() -> None:
    found = history_of_tree(game().tree)
    status = status_of(found.records, found.replay, day("01-10"))
    told = STATUS.write(status, **status_fields(found.records, found.replay, status, 0))
    assert told == {
        "format": 1,
        "name": "Test",
        "tiers": {"immutable": {"rules": 1, "cap": None}, "mutable": {"rules": 1, "cap": None}},
        "turn": None,
        "running": [],
        "next_turn": None,
        "winner": None,
        "due": [],
        "open": [
            {
                "file": "proposals/302.md",
                "number": 302,
                "title": "Away",
                "player": "wren",
                "for": ["osprey"],
                "against": ["quill"],
                "abstain": [],
                "silent": [],
                "missing": ["tallow", "wren"],
                "closes": None,
                "may_end": True,
                "fewest": None,
                "adopted": False,
                "discussion": None,
            }
        ],
        "decided_since": [],
        "debate": [],
        "drafts": [],
        "pending": [],
        "next_number": 303,
        "rules": [
            {"number": 101, "revision": 0, "tier": "immutable", "title": None},
            {"number": 201, "revision": 1, "tier": "mutable", "title": None},
        ],
        "unguarded": [],
        "coming": [],
        "errors": 0,
    }


def printed() -> dict[str, Any]:
    """What each command prints of a game with open votes, points, a lost text and a finding."""
    made = game().player("heron", left=day("01-03"))
    made.file(
        "turns/R1T1.yml",
        "player: wren\nbegan: 2026-01-02\nended: 2026-01-03\n"
        "points: [{player: wren, amount: 20/3, reason: luck}]\n",
    )
    made.proposal(303, "01-07", "## Amend Rule 101/9\n\nNever.", status="debate")
    found = history_of_tree(made.tree)
    new = found.replay.current.rules[201]
    status = status_of(found.records, found.replay, day("01-10"))
    standings = standings_of(found.records, found.replay, day("01-10"))
    return {
        "check": findings_json(found.findings),
        "status": STATUS.write(status, **status_fields(found.records, found.replay, status, 1)),
        "next": NEXT.write(tasks=open_tasks(found.records, found.replay, day("01-10"))),
        "scores": SCORES.write(standings, **scores_fields(standings)),
        "show": RULE.write(new),
        "history": [history_json(found, one) for one in found.histories.rules.values()],
    }


@pytest.mark.parametrize("name", ["check", "status", "next", "scores", "show", "history"])
def test_what_a_command_prints_is_of_its_schema(name: str) -> None:
    told = printed()[name]
    validator = Draft202012Validator(view_schema(name))
    assert list(validator.iter_errors(told)) == []
    wrong = told[0] if name == "history" else told
    wrong["another"] = 1
    assert [one.message for one in validator.iter_errors(told)] == [
        "Additional properties are not allowed ('another' was unexpected)"
    ]


def test_exact_amounts_stay_exact() -> None:
    assert printed()["scores"]["scores"][0]["total"] == "20/3"
