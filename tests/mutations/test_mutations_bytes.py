"""Whatever byte changes in `rules/` or in the instructions of a decided proposal, it is found."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.files.text_encoding import Oddity
from tests.deep import examples
from tests.mutations.game import loaded
from tests.mutations.mutation import valid

_DECIDED = ("adopted", "defeated")
_INSTRUCTION = re.compile(rb"^## ", re.MULTILINE)


def bound() -> dict[str, int]:
    """Each file whose bytes are bound, and from where on."""
    found = {}
    for path, data in valid().items():
        assert not isinstance(data, Oddity)
        if re.fullmatch(r"rules/\d+\.md", path):
            found[path] = 0
        elif path.startswith("proposals/") and any(
            f"\nstatus: {one}\n".encode() in data for one in _DECIDED
        ):
            heading = _INSTRUCTION.search(data)
            assert heading is not None
            found[path] = heading.start()
    return found


def changed(data: bytes, start: int, draw: st.DrawFn) -> bytes:
    """The bytes with one of them flipped, taken out or put in, after `start`."""
    how = draw(st.sampled_from(("flip", "delete", "insert")))
    # What is put in right before the first instruction belongs to the argument, which nobody votes
    # on.
    first, last = (start + 1, len(data)) if how == "insert" else (start, len(data) - 1)
    at = draw(st.integers(first, last))
    if how == "flip":
        return data[:at] + bytes([data[at] ^ draw(st.integers(1, 255))]) + data[at + 1 :]
    if how == "delete":
        return data[:at] + data[at + 1 :]
    return data[:at] + draw(st.binary(min_size=1, max_size=4)) + data[at:]


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, bytes]:
    """A bound file of the valid game, and other bytes for it."""
    files = bound()
    path = draw(st.sampled_from(sorted(files)))
    data = valid()[path]
    assert isinstance(data, bytes)
    return path, changed(data, files[path], draw)


def blamed(path: str, data: bytes) -> set[str]:
    """The files that are found to be wrong; with a line feed at the end nothing is lost, and there
    is a warning.
    """
    game, whole = loaded({**valid(), path: data}), valid()[path]
    assert isinstance(whole, bytes)
    found = game.findings if data.rstrip(b"\n") == whole.rstrip(b"\n") else game.errors
    return {one.span.file for one in found}


def test_the_bound_files_are_the_rules_and_what_was_decided() -> None:
    proposals = [f"proposals/{number}.md" for number in range(301, 311)]
    rules = [f"rules/{number}.md" for number in (101, 102, 201, 302, 303, 307, 309, 310, 601)]
    assert sorted(bound()) == sorted(proposals + rules)


@settings(max_examples=examples(3), deadline=None)
@given(mutations())
def test_a_changed_byte_is_found(mutation: tuple[str, bytes]) -> None:
    path, data = mutation
    assert path in blamed(path, data)


@settings(max_examples=examples(0.5), deadline=None)
@given(st.data())
def test_a_file_that_is_cut_is_found(data: st.DataObject) -> None:
    files = bound()
    path = data.draw(st.sampled_from(sorted(files)))
    whole = valid()[path]
    assert isinstance(whole, bytes)
    length = data.draw(st.integers(0, len(whole) - 1))
    assert path in blamed(path, whole[:length])
