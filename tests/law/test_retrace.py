"""A replay that goes on from another is the one that begins anew, whatever was changed between the
two.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomicgen import law
from nomicgen.files.game_files import Known, read_game
from nomicgen.law.replay.run import _places, replay, retrace
from nomicgen.model.values import Moment
from tests.benchmarks.games import generate
from tests.deep import examples
from tests.games import wild_games
from tests.ledger import Ledger, day

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
_MANY = settings(max_examples=examples(0.6), deadline=None, suppress_health_check=_SLOW)
_DAY = re.compile(rb"(?<=: )[0-9]{4}-[0-9]{2}-[0-9]{2}$", re.MULTILINE)
_WORDS = (
    (b"adopted", b"defeated"),
    (b"adopted", b"void"),
    (b"adopted", b"open"),
    (b"defeated", b"withdrawn"),
    (b"upheld", b"overruled\noverruled: 1990-01-20\noverruled_by: 2"),
    (b"rules: [", b"voids: 1004\nrules: ["),
    (b": for", b": against"),
    (b"author: ", b"turn: R1T2\nauthor: "),
    (b"turn: R", b"note: R"),
    (b"author: anvil", b"author: briar"),
    (b"ended: ", b"note: "),
    (b"joined: 1990", b"joined: 1991"),
    (b"amend", b"repeal"),
)
"""What somebody may write instead of something."""


@cache
def _long() -> dict[str, bytes]:
    return generate(30, 100)


@st.composite
def _changed(draw: st.DrawFn, tree: dict[str, bytes]) -> dict[str, bytes]:
    """A tree in which some files are gone, are others, have another name or say other words."""
    made = dict(tree)
    names = sorted(
        path for path in made if not path.startswith("rules/") or draw(st.integers(0, 30)) == 0
    )
    for path in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
        how, data = (
            draw(st.sampled_from(("gone", "other", "more", "words", "words", "day", "day"))),
            made[path],
        )
        if how == "gone":
            del made[path]
        elif how == "other":
            made[path] = made[draw(st.sampled_from([one for one in names if one in made]))]
        elif how == "more":
            made[path.replace("/", "/1", 1)] = re.sub(rb"(?<=number: )", b"1", data, count=1)
        elif how == "words":
            was, now = draw(
                st.sampled_from([one for one in _WORDS if one[0] in data] or [(b"", b"")])
            )
            made[path] = data.replace(was, now, 1)
        else:
            days = sorted({one for data in made.values() for one in _DAY.findall(data)})
            made[path] = _DAY.sub(draw(st.sampled_from(days)), data, count=draw(st.integers(1, 3)))
    return made


def _is_gone_on_with(data: st.DataObject, tree: dict[str, bytes], days: list[Moment]) -> None:
    """One game after the other, each from the one before; with copies at every event, or as they
    always are.
    """
    dates = st.none() | st.sampled_from(days)
    known: Known | None = None
    trail = None
    with patch("nomicgen.law.replay.run._places", data.draw(st.sampled_from((range, _places)))):
        for _ in range(data.draw(st.integers(2, 4))):
            records, unread = read_game(tree, known)
            fresh, told = read_game(tree)
            assert (records, unread) == (fresh, told)
            until = data.draw(dates)
            played, trail = retrace(records, until, trail)
            assert played == replay(fresh, until)
            known = (dict(tree), records, unread)
            tree = data.draw(_changed(tree))


@pytest.mark.nightly
@_MANY
@given(st.data())
def test_a_long_game_is_gone_on_with(data: st.DataObject) -> None:
    days = [Moment.parse(f"1990-{month:02}-{on:02}") for month in (1, 2) for on in range(1, 28, 3)]
    _is_gone_on_with(data, _long(), days)


@settings(_MANY, max_examples=examples(0.5))
@given(wild_games(), st.data())
def test_any_game_is_gone_on_with(made: Ledger, data: st.DataObject) -> None:
    _is_gone_on_with(data, made.tree, [day(f"02-0{one}") for one in range(1, 9)])


def test_a_game_without_events_is_gone_on_with_other_turns() -> None:
    made = Ledger.start({201: {"points": {"on": "turn", "to": "player", "amount": 4}}})
    records, unread = read_game(made.tree)
    _, trail = retrace(records, None)
    known = (dict(made.tree), records, unread)
    others, _ = read_game(made.turn("R1T1", "osprey", "01-02", "01-03").tree, known)
    played, _ = retrace(others, None, trail)
    assert played == replay(others)
    assert played.awards


def test_a_move_repeats_little() -> None:
    """Of a long game whose last vote changes, most is taken over."""
    tree = _long()
    records, unread = read_game(tree)
    _, trail = retrace(records, None)
    path = max(path for path in tree if path.startswith("proposals/"))
    changed = {**tree, path: tree[path].replace(b": for", b": against", 1)}
    others, _ = read_game(changed, (tree, records, unread))
    assert {
        one
        for one in records.instruments
        if records.instruments[one] is not others.instruments[one]
    } == {path}
    with patch("nomicgen.law.replay.fold.Fold.take", autospec=True) as take:
        retrace(others, None, trail)
    assert 0 < take.call_count <= 16


def test_the_law_asks_for_instruments_where_that_is_kept() -> None:
    """A replay looks at other instruments through its ledger alone."""
    folder = Path(law.__file__).parent
    found = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if re.search(r"\.of_kind\(|records\.instruments\b", path.read_text("utf-8"))
    }
    asking = {one for one in found if not one.startswith("checks/")}
    assert asking == {
        "prospects.py",
        "replay/events.py",
        "replay/fold.py",
        "replay/watched_records.py",
    }
