"""The home-made expressions and the served routes, held against what GitHub's own descriptions say."""

from __future__ import annotations

import json
import re

import pytest

from tests.pulls.forge.api import ROUTES, Denied, answered, token_for
from tests.pulls.forge.conftest import Playing, draft
from tests.pulls.forge.expressions import value_of
from tests.pulls.forge.recorded import PROBES, contexts, rows, used


def test_what_is_recorded_is_what_is_used() -> None:
    """Else `python -m tests.pulls.forge.recorded` records anew; its docstring says how."""
    assert sorted(rows("expressions.json")) == sorted({*used(), *PROBES})
    assert list(rows("rest.json")) == [f"{method} {route}" for method, route, _, _ in ROUTES]
    assert {len(values) for values in rows("expressions.json").values()} == {len(contexts())}


@pytest.mark.parametrize("text", [*used(), *PROBES])
def test_an_expression_has_the_value_that_github_s_own_library_gives(text: str) -> None:
    recorded = rows("expressions.json")[text]
    for context, wanted in zip(contexts(), recorded, strict=True):
        value = value_of(text, {**context, "success": True})
        # Objects are truths here and there, and nobody writes them out.
        assert value == wanted or (isinstance(value, dict) and wanted == "(Dictionary)"), (text, context)
        assert type(value) is type(wanted) or isinstance(value, dict)


TOKEN = token_for({"issues": "write", "pull-requests": "write"})


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [
        ("GET /pulls", {"states": "open"}, "GET /pulls takes no states"),
        ("PATCH /pulls/101", {"state": "closed", "status": "closed"}, "PATCH /pulls/{pull_number} takes no status"),
        ("GET /pulls/101/votes", {}, "Not Found"),
        ("POST /pulls", {}, "Not Found"),
    ],
)
def test_what_the_api_does_not_take_is_refused(playing: Playing, call: str, given: dict[str, str], said: str) -> None:
    forge, _ = playing
    number, _ = forge.open("wren-plays", {"proposals/tea.md": draft()})
    assert number == 101
    method, path = call.split()
    with pytest.raises(Denied, match=re.escape(said)):
        answered(forge.load(), TOKEN, method, f"/repos/us/game{path}", given)


def test_what_is_answered_has_only_what_the_api_s_answers_have(playing: Playing) -> None:
    forge, _ = playing
    number, _ = forge.open("wren-plays", {"proposals/tea.md": draft()})
    state = json.loads(json.dumps(forge.load()).replace('"author_association"', '"authors_association"'))
    with pytest.raises(AssertionError, match="authors_association"):
        answered(state, TOKEN, "GET", f"/repos/us/game/pulls/{number}", {})
