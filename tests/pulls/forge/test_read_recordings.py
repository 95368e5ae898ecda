"""Recordings of GitHub's API, read: what everybody said, and what cannot count whoever said it.

A case of `recordings/` is one: its files are as the API gives them, `expected.txt` is what is read of them. Most of
them leave out what GitHub repeats of everybody (`avatar_url` and so on); the reviews in `rest` have all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicgen.pulls.forge.github import Cast, Recorded, read_recorded
from tests.case_files import case_folder, case_names

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
    on = " ".join(filter(None, (f"commit {one.commit[:8]}" if one.commit else "", one.ballot, (one.digest or "")[:8])))
    who = f"{one.by}{' (bot)' if one.bot else ''}"
    where = (one.url or "nowhere").rpartition("#")[2]
    return f"{what}: {one.kind} {where} by {who} at {one.at}: {one.choice} {on} {_fault(one.fault)}".rstrip()


def _fault(fault: str) -> str:
    return f" -- {fault}" if fault else ""


@pytest.mark.parametrize("case", case_names(RECORDED))
def test_a_recording_is_read_as_expected(case: str) -> None:
    folder = case_folder(RECORDED, case)
    files = sorted(path for path in folder.rglob("*.json"))
    found = read_recorded([(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files])
    assert shown(found) == (folder / "expected.txt").read_text("utf-8")
