"""Other words in an argument change the page of its proposal, its data, the feed, and what tells of the whole."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from nomicgen.history.archive_view import Archive
from nomicgen.model import Instrument
from nomicgen.site import is_reworded, pages, rebuilt_pages
from tests.site.example import TODAY
from tests.site.small import LANTERN, ON, small_archive

DRAFT = "---\ntitle: Wick\nauthor: ada\nstatus: draft\n---\n\nIt is short.\n\n## Amend Rule 301/1\n\nTrim it.\n"


def _with(archive: Archive, path: str, **changes: Any) -> Archive:
    """An archive with one instrument of the records replaced."""
    one = replace(archive.records.instruments[path], **changes)
    instruments = {**archive.records.instruments, path: one}
    return replace(archive, records=replace(archive.records, instruments=instruments))


def _proposals(archive: Archive) -> list[Instrument]:
    return list(archive.records.of_kind("proposal"))


def test_no_other_page_shows_an_argument(archive: Archive) -> None:
    made = pages(archive, today=TODAY)
    for one in _proposals(archive):
        new = _with(archive, one.path, preamble=f"{one.preamble}\n\nAn afterthought on Rule 203 and Proposal 301.")
        new = replace(new, git=replace(new.git, dirty=(one.path,)), digest="ab" * 32)
        whole = pages(new, today=TODAY)
        assert whole[one.path.replace("turnout", "draft-turnout")] != made[one.path.replace("turnout", "draft-turnout")]
        assert rebuilt_pages(made, new, [one.path], today=TODAY) == whole


def test_a_draft_in_other_words_is_the_same_site_but_for_them() -> None:
    old = small_archive({**LANTERN, "proposals/wick.md": DRAFT})
    path = ["proposals/wick.md"]
    new = small_archive({**LANTERN, "proposals/wick.md": DRAFT.replace("It is short.", "It is short.\n\nToo short.")})
    assert is_reworded(old, new, path)
    assert rebuilt_pages(pages(old, today=ON), new, path, today=ON) == pages(new, today=ON)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Trim it.", "Trim it well."),
        ("title: Wick", "title: Wicks"),
        ("author: ada", "author: bo"),
        ("Rule 301/1", "Rule 301/0"),
        ("It is short.", "It is short: Rule 999 says so."),
    ],
)
def test_anything_else_is_another_site(before: str, after: str) -> None:
    old = small_archive({**LANTERN, "proposals/wick.md": DRAFT})
    records = {**LANTERN, "proposals/wick.md": DRAFT.replace(before, after)}
    try:
        new = small_archive(records)
    except AssertionError:
        return
    told = is_reworded(old, new, ["proposals/wick.md"])
    assert not told or rebuilt_pages(pages(old, today=ON), new, ["proposals/wick.md"], today=ON) == pages(new, today=ON)
    assert not told or before == "It is short."


def test_what_is_no_argument_is_another_site(archive: Archive) -> None:
    path = "proposals/302.md"
    digest = "ab" * 32
    matter = archive.records.instruments[path].matter
    voted = _with(archive, path, matter=matter.replace(digest=digest))
    words = _with(voted, path, preamble="Other words.")
    assert is_reworded(archive, _with(archive, path, preamble="Other words."), [path])
    # What was voted on is not what is written, or more than the instructions.
    assert not is_reworded(voted, words, [path])
    for other in (
        replace(archive, git=replace(archive.git, head="ab" * 20)),
        replace(archive, git=replace(archive.git, dirty=("rules/203.md",))),
        replace(archive, touched={}),
        replace(archive, origins={}),
    ):
        assert not is_reworded(archive, other, [path])
    assert not is_reworded(archive, archive, ["judgements/1.md"])
    assert not is_reworded(archive, archive, ["proposals/999.md"])
