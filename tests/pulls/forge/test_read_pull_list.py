"""The list of pull requests: what is none is passed over, and nothing that a file may hold is more
than a problem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.pulls.forge.github import Cast, Recorded, read_recorded
from nomicgen.pulls.forge.pull_list import PullRequest, read_pulls
from tests.case_files import case_folder, case_names
from tests.pulls.forge.api import ROUTES, Denied, answered, token_for
from tests.pulls.forge.conftest import Playing, draft
from tests.pulls.forge.expressions import value_of
from tests.pulls.forge.recorded import PROBES, contexts, rows, used

GOOD: dict[str, Any] = {
    "number": 7,
    "state": "open",
    "html_url": "https://forge.example/tea/game/pull/7",
    "user": {"login": "wren-gh", "type": "User"},
    "head": {"sha": "a" * 40, "ref": "tea"},
    "labels": [{"name": "vote"}],
}
_KEYS = st.sampled_from([*GOOD, "login", "sha", "name"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=6),
    max_leaves=20,
)


def found(value: object) -> tuple[PullRequest, ...]:
    return read_pulls("pulls.json", json.dumps(value).encode())[0]


def test_pages_documents_and_lists_are_read_alike() -> None:
    wanted = PullRequest(
        number=7,
        url="https://forge.example/tea/game/pull/7",
        login="wren-gh",
        head="a" * 40,
        labels=frozenset({"vote"}),
    )
    other = {**GOOD, "number": 3}
    one, two = json.dumps([other]), json.dumps([GOOD])
    for text in (f"[{one}, {two}]", f"{one}\n{two}", json.dumps([GOOD, other])):
        pulls, problems = read_pulls("pulls.json", text.encode())
        assert [pull.number for pull in pulls] == [3, 7]
        assert pulls[1] == wanted
        assert problems == ()


def test_the_branch_of_a_pull_request() -> None:
    fork = {"html_url": "https://forge.example/wren/game"}
    (pull,) = found([{**GOOD, "head": {**GOOD["head"], "repo": fork}}])
    assert pull.branch == "https://forge.example/wren/game/tree/tea"
    assert found([{**GOOD, "head": {**GOOD["head"], "repo": None}}])[0].branch is None
    for repo in (
        {},
        {"html_url": 3},
        {"html_url": "javascript:alert(1)"},
        {"html_url": "https://a.example/<b>"},
    ):
        assert found([{**GOOD, "head": {**GOOD["head"], "repo": repo}}]) == ()


def test_what_is_closed_or_gone() -> None:
    (closed,) = found([{**GOOD, "state": "closed"}])
    assert (closed.number, closed.is_open) == (7, False)
    assert found([GOOD])[0].is_open
    assert found([{**GOOD, "user": None}])[0].login is None
    for user in ({}, {"login": "a b"}, {"login": 3}, {"login": "<eve>"}):
        assert found([{**GOOD, "user": user}]) == ()


@pytest.mark.deep
@given(_JSON)
def test_any_json_is_read(value: object) -> None:
    for item in (value, [value], [{**GOOD, **value}] if isinstance(value, dict) else [[value]]):
        pulls, _ = read_pulls("pulls.json", json.dumps(item).encode())
        for one in pulls:
            assert 0 < one.number <= 10**9
            assert re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", one.head)
            assert one.url.isascii()
            assert not re.search(r"[\s<>]", one.url)


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    read_pulls("pulls.json", data)


# Recordings of GitHub's API, read: what everybody said, and what cannot count whoever said it.
#
# A case of `recordings/` is one: its files are as the API gives them, `expected.txt` is what is
# read of them. Most of them leave out what GitHub repeats of everybody (`avatar_url` and so on);
# the reviews in `rest` have all of it.


RECORDED = Path(__file__).parent / "recordings"


def shown(found: Recorded) -> str:
    """All that a recording says, in lines."""
    return "".join(f"{ascii(line)[1:-1]}\n" for line in _lines(found))


def _lines(found: Recorded) -> Iterator[str]:
    yield from (_cast("vote", one) for one in found.casts)
    for request in found.requests:
        yield f"asked: {request.what} by {request.by} {request.at}{_fault(request.fault)}"
    yield from (f"ballot: {name}" for name in sorted(found.ballots))
    yield from (_cast("deleted", one) for one in found.deleted)
    yield from (f"note: {note}" for note in found.notes)
    yield from (f"{'fatal' if one.fatal else 'odd'}: {one} -- {one.help}" for one in found.problems)


def _cast(what: str, one: Cast) -> str:
    on = " ".join(
        filter(
            None,
            (f"commit {one.commit[:8]}" if one.commit else "", one.ballot, (one.digest or "")[:8]),
        )
    )
    who = f"{one.by}{' (bot)' if one.bot else ''}"
    where = (one.url or "nowhere").rpartition("#")[2]
    return (
        f"{what}: {one.kind} {where} by {who} at {one.at}: {one.choice} {on} {_fault(one.fault)}"
    ).rstrip()


def _fault(fault: str) -> str:
    return f" -- {fault}" if fault else ""


@pytest.mark.parametrize("case", case_names(RECORDED))
def test_a_recording_is_read_as_expected(case: str) -> None:
    folder = case_folder(RECORDED, case)
    files = sorted(path for path in folder.rglob("*.json"))
    found = read_recorded(
        [(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]
    )
    assert shown(found) == (folder / "expected.txt").read_text("utf-8")


# The home-made expressions and the served routes, held against what GitHub's own descriptions say.


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
        assert value == wanted or (isinstance(value, dict) and wanted == "(Dictionary)"), (
            text,
            context,
        )
        assert type(value) is type(wanted) or isinstance(value, dict)


TOKEN = token_for({"issues": "write", "pull-requests": "write"})


@pytest.mark.parametrize(
    ("call", "given", "said"),
    [
        ("GET /pulls", {"states": "open"}, "GET /pulls takes no states"),
        (
            "PATCH /pulls/101",
            {"state": "closed", "status": "closed"},
            "PATCH /pulls/{pull_number} takes no status",
        ),
        ("GET /pulls/101/votes", {}, "Not Found"),
        ("POST /pulls", {}, "Not Found"),
    ],
)
def test_what_the_api_does_not_take_is_refused(
    playing: Playing, call: str, given: dict[str, str], said: str
) -> None:
    forge, _ = playing
    number, _ = forge.open("wren-plays", {"proposals/tea.md": draft()})
    assert number == 101
    method, path = call.split()
    with pytest.raises(Denied, match=re.escape(said)):
        answered(forge.load(), TOKEN, method, f"/repos/us/game{path}", given)


def test_what_is_answered_has_only_what_the_api_s_answers_have(playing: Playing) -> None:
    forge, _ = playing
    number, _ = forge.open("wren-plays", {"proposals/tea.md": draft()})
    state = json.loads(
        json.dumps(forge.load()).replace('"author_association"', '"authors_association"')
    )
    with pytest.raises(AssertionError, match="authors_association"):
        answered(state, TOKEN, "GET", f"/repos/us/game/pulls/{number}", {})
