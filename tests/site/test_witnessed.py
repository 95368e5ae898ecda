"""Who has seen the history, on the first page, at the foot of every page and in the data; or nothing of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from nomicgen.history.archive_view import Archive
from nomicgen.model.identifiers import CommitId
from nomicgen.site.build import pages
from nomicgen.verify.witness_notes import LatestNote, WitnessSummary
from tests.site.example import TODAY
from tests.site.small import words

HEAD = "ab" * 20


def made(archive: Archive, found: WitnessSummary | None) -> Mapping[str, str]:
    return pages(replace(archive, tree="cd" * 20, digest="ef" * 32, witnessed=found), today=TODAY)


def told(site: Mapping[str, str]) -> tuple[str, Any, Any]:
    """What the first page says, the foot of every page, and the data."""
    section = re.search(r"<dt>Seen by</dt><dd>(.*?)</dd>", site["index.md"], re.DOTALL)
    data = json.loads(site["api/v1/index.json"])["witnessed"]
    return words(section[1]) if section else "", json.loads(site["assets/verified.json"]).get("seen"), data


@pytest.mark.parametrize("found", [None, WitnessSummary(players=3)])
def test_where_nobody_has_a_key_or_a_note_nothing_is_said(archive: Archive, found: WitnessSummary | None) -> None:
    assert told(made(archive, found)) == ("", None, None)


def test_where_nobody_has_seen_it_the_count_alone_is_said(archive: Archive) -> None:
    site = made(archive, WitnessSummary(players=3, asked=True))
    assert told(site) == ("0 of 3 players", "Seen by 0 of 3 players", {"players": 3, "seen": [], "ahead": []})


def test_who_has_seen_how_much_is_said(archive: Archive) -> None:
    first, second = list(archive.records.players)[:2]
    seen = (
        LatestNote(player=first, date="2026-03-02", commit=CommitId(HEAD)),
        LatestNote(player=second, date="2026-03-01", commit=CommitId(HEAD), behind=3),
    )
    site = made(archive, WitnessSummary(players=3, seen=seen, asked=True))
    names = [archive.records.players[one].matter.name for one in (first, second)]
    said, foot, data = told(site)
    assert said == (f"2 of 3 players {names[0]}, Mar 2, 2026 this commit {names[1]}, Mar 1, 2026 3 commits ago")
    assert foot == "Seen by 2 of 3 players"
    assert [(one["player"], one["behind"]) for one in data["seen"]] == [(first, 0), (second, 3)]
    assert f'href="players/{first}' in site["index.md"]


def test_only_what_tells_of_head_is_another_page(archive: Archive) -> None:
    """A note changes no page but the first: else each would change the whole site."""
    before, after = made(archive, None), made(archive, WitnessSummary(players=3, asked=True))
    assert sorted(path for path in before if before[path] != after[path]) == [
        "api/v1/index.json",
        "assets/verified.json",
        "index.md",
    ]
