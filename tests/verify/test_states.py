"""Where in a ledger's states a commit's files are: in a history made at random, of which all is
known.
"""

from __future__ import annotations

import hashlib
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.game_files import read_game
from nomicgen.history.ledger_digest import ledger_digest
from nomicgen.history.ruleset_states import States, Tracker
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.model.line_commits import TouchedFile
from nomicgen.play.rulesets import shipped
from tests.cli.playing import run
from tests.support import GitRepo
from tests.verify.histories import clean, found


def _id(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


@cache
def ledger() -> tuple[States, tuple[dict[str, str], ...]]:
    """The states of a game that ships played, and the same as whole rulesets."""
    ships = shipped("suber")
    settings = b"format: 1\nname: Lanterns\n"
    played = replay(read_game({"nomic.yml": settings, **ships.initial, **ships.played})[0])
    rulesets = [
        {path: _id(data) for path, data in ruleset_files(one).items()} for _, one in played.states()
    ]
    distinct = [one for at, one in enumerate(rulesets) if not at or one != rulesets[at - 1]]
    return States(played, _id), tuple(distinct)


def touches(before: dict[str, str], after: dict[str, str]) -> list[TouchedFile]:
    paths = sorted(before.keys() | after.keys())
    return [
        TouchedFile(path, after.get(path)) for path in paths if before.get(path) != after.get(path)
    ]


@given(st.data())
def test_every_commit_is_where_it_was_made(data: st.DataObject) -> None:
    states, rulesets = ledger()
    tracker = Tracker(states)
    now, at, edits, wrong = dict(rulesets[0]), 0, 0, set[str]()
    tracker.touch(touches({}, now))
    assert tracker.find() == ()
    while at < len(states.steps):
        if data.draw(st.booleans(), label="an edit by hand"):
            path = data.draw(st.sampled_from(sorted({*now, "rules/999.md"})), label="of")
            edits += 1
            after = {**now, path: _id(b"%d" % edits)}
            settled = tracker.settle(touches(now, after))
            assert settled is not None
            assert (settled.before, settled.after, settled.fresh) == (at, at, (path,))
            wrong.add(path)
            now = after
        ahead = data.draw(st.integers(1, min(3, len(states.steps) - at)), label="carried out")
        here, there = rulesets[at], rulesets[at + ahead]
        changed = {path for path in here.keys() | there.keys() if here.get(path) != there.get(path)}
        after = {path: one for path, one in now.items() if path not in changed}
        after |= {path: there[path] for path in changed if path in there}
        settled = tracker.settle(
            touches(now, after), [states.steps[at + ahead - 1].instrument.path]
        )
        assert settled is not None
        assert (settled.before, settled.after, settled.fresh) == (at, at + ahead, ())
        assert set(settled.mended) == wrong & changed
        wrong -= changed
        now, at = after, at + ahead
        assert tracker.wrong == wrong


def test_a_state_is_known_by_its_files() -> None:
    states, rulesets = ledger()
    assert len(rulesets) == len(states.steps) + 1 > 8
    assert [states.place_of(one) for one in rulesets] == list(range(len(rulesets)))
    other = {**rulesets[3], "rules/101.md": _id(b"no rule")}
    assert states.place_of(other) is None
    assert states.place_of(other, ["rules/101.md"]) == 3


def test_the_digest_is_that_of_a_list_of_hashes() -> None:
    files = {
        "rules/101.md": b"derived",
        "proposals/b.md": b"b",
        "proposals/B.md": b"B",
        "nomic.yml": b"n",
        "images/a.png": b"",
        "players/index.yml": b"",
        "proposals-old/a.md": b"a",
    }
    listed = "".join(
        f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n"
        for path in ("nomic.yml", "players/index.yml", "proposals/B.md", "proposals/b.md")
    )
    assert ledger_digest(files) == hashlib.sha256(listed.encode()).hexdigest()


@pytest.mark.deep
def test_many_edits_are_held_against_few_ledgers(
    game: GitRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nomicgen.verify.line._LEDGERS", 2)
    for number in range(6):
        game.commit(f"Edit {number}", {"rules/301.md": f"{number}\n"})
    lines = found(game)
    assert [line.partition(":")[0] for line in lines] == [
        "verify-unproven",
        *["verify-hand-edit"] * 6,
    ]
    assert lines[0] == (
        "verify-unproven: 4 commits could be compared only with today's ledger, not with that of "
        "their own time"
    )
    run(game.path, "apply --commit")
    assert all("; undone by commit " in line for line in found(game)[1:])
    game.git("reset", "--quiet", "--hard", "HEAD~7")
    clean(game)
