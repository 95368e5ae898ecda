"""The list of pull requests: what is none is passed over, and nothing that a file may hold is more than a problem."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nomicgen.pulls.forge.pull_list import PullRequest, read_pulls

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
    for repo in ({}, {"html_url": 3}, {"html_url": "javascript:alert(1)"}, {"html_url": "https://a.example/<b>"}):
        assert found([{**GOOD, "head": {**GOOD["head"], "repo": repo}}]) == ()


def test_what_is_closed_or_gone() -> None:
    (closed,) = found([{**GOOD, "state": "closed"}])
    assert (closed.number, closed.is_open) == (7, False)
    assert found([GOOD])[0].is_open
    assert found([{**GOOD, "user": None}])[0].login is None
    for user in ({}, {"login": "a b"}, {"login": 3}, {"login": "<eve>"}):
        assert found([{**GOOD, "user": user}]) == ()


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
