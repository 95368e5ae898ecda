"""A pull request as text and as JSON."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from nomicgen.formats.documents import document_schema
from nomicgen.formats.styled_text import styled, unstyled
from nomicgen.history.past.effects_between import Effects, StateDifference
from nomicgen.pulls.as_json import PULL, pull_json
from nomicgen.pulls.as_json import VERDICT as VERDICT_SHAPE
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.as_text import verdict_text
from nomicgen.pulls.request import PullVerdict
from tests.pulls.comments import (
    DRAFT,
    OPEN,
    STANDINGS,
    VERDICT,
    WRONG,
    effects_of,
    previewed,
)


def test_a_verdict_as_text() -> None:
    verdict = replace(VERDICT, findings=(WRONG,), old=(WRONG, WRONG), paths=(DRAFT, "a\x1b[31m\nb.md"))
    assert [unstyled(one) for one in verdict_text(verdict)] == [
        "players/wren.yml:2:1: error[value-wrong]: no such day\n  help: correct it",
        "",
        "It is a proposal: proposals/oil.md, a\\x1b[31m b.md",
        "from wren-of-the-wharf, who plays as wren",
        "2 findings of the base not shown: nomicgen check",
        "refused: 1 error, 0 warnings",
    ]
    many = replace(VERDICT, actor="quill9", players=(), paths=tuple(f"{number}.md" for number in range(14)))
    shown = ", ".join(f"{number}.md" for number in range(12))
    assert [unstyled(one) for one in verdict_text(many)] == [
        f"It is a proposal: {shown} and 2 more",
        "from quill9, who is no player",
        "nothing is wrong with it",
    ]
    warned = PullVerdict(kind="nothing", paths=(), findings=(replace(WRONG, slug="text-lost"),))
    assert [unstyled(one) for one in verdict_text(warned)][2:] == [
        "It is nothing that changes the game",
        "not refused: 1 warning",
    ]


def test_what_comes_about_says_what_permits_it() -> None:
    made = effects_of("wren", "marl joins", "Rule 302 becomes mutable")
    many = StateDifference(what="void", before=(), after=tuple(f"{number}/0" for number in range(201, 220)))
    verdict = PullVerdict(kind="act", paths=(), effects=replace(made, differences=(*made.differences, many)))
    licence = "Rule 203/1, 3 for; all eligible voters (3): 3 needed"
    assert [unstyled(one) for one in verdict_text(verdict)] == [
        "It is an act",
        "",
        "What it brings about",
        "  wren: 5 → 105 points (marl joins) — no rule permits it",
        f"  Rule 302 becomes mutable — {licence}; {licence}",
        "  marl joins — no rule speaks of it",
        "  points of wren: 5 -> 105",
        "  won by: none -> marl joins, Rule 302 becomes mutable",
        "  next turn: Rule 302 becomes mutable -> none",
        "  may vote: 1 -> 2, with 2marl joins, 3Rule 302 becomes mutable, without 1wren",
        f"  rules without force: 0 -> 19, with {', '.join(f'{number}/0' for number in range(201, 213))} and 7 more",
        "  amending a mutable rule: becomes impossible: Rule 103 forbids it",
        "",
        "nothing is wrong with it",
    ]
    *_, last, blank, _ = verdict_text(replace(verdict, effects=Effects(effects=made.effects * 200)))
    assert (unstyled(last), unstyled(blank)) == ("  and 100 more effects", "")
    licence_lacks = "  wren: 5 → 105 points (marl joins) — no rule permits it"
    assert styled(licence_lacks, "bold red") in verdict_text(verdict)
    assert "\n- ❌ `wren: 5 → 105 points (marl joins)` — no rule permits it\n" in comment_markdown(verdict, None, None)


@pytest.mark.parametrize("name", [None, *STANDINGS])
def test_a_pull_request_as_json_is_of_its_schema(name: str | None) -> None:
    standing = STANDINGS[name] if name else None
    verdict = replace(VERDICT, findings=(WRONG,), old=(WRONG,), effects=effects_of("x", "y", "z"))
    told = pull_json(verdict, None if name == "void" else previewed(), standing)
    assert list(told) == list(PULL.keys)
    assert list(Draft202012Validator(document_schema(PULL, "x")).iter_errors(told)) == []
    assert told["verdict"] == VERDICT_SHAPE.write(verdict)
    assert list(Draft202012Validator(document_schema(VERDICT_SHAPE, "x")).iter_errors(told["verdict"])) == []
    assert (told["verdict"]["refused"], told["verdict"]["kind"]) == (True, "proposal")
    assert [one["slug"] for one in told["verdict"]["old"]] == ["value-wrong"]
    assert json.loads(json.dumps(told)) == told


def test_json_has_every_vote() -> None:
    standing = pull_json(VERDICT, None, OPEN)["standing"]
    assert standing["ballots"][1] == {
        "player": "quill",
        "choice": "against",
        "at": "2026-02-02T10:00",
        "url": "https://github.com/o/g/pull/7#c1",
    }
    assert [one["login"] for one in standing["strays"]] == ["Tallow-`s`-twin", None, "quill9"]
    assert (standing["status"], standing["closes"], standing["missing"]) == ("open", "2026-02-08T18:30", ["tallow"])
