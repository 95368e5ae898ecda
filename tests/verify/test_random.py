"""Games played at random, commit by commit in memory: lawful play is clean, and another past is
found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.files.file_editing import set_body, set_keys, set_value
from nomicgen.history.decisions import Decisions
from nomicgen.history.past.append_only import HappenedSoFar
from nomicgen.model.identifiers import CommitId
from nomicgen.model.line_commits import CommitLine, LineCommit, TouchedFile
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from nomicgen.verify.findings import CommitFinding
from nomicgen.verify.past import changes_of_the_past
from nomicgen.verify.read import PastReader, files_of
from tests.deep import examples
from tests.ledger import PLAYERS, Ledger

BODY = "Why.\n\n## Enact Rule: Tea\n\nThere is tea.\n"
EFFECTS: list[dict[str, Any]] = [
    {},
    {"effect": "at-once"},
    {"effect": "next-turn"},
    {"effect": {"after": 3}},
]
AWARDS = [
    {"on": "turn", "to": "player", "die": 6},
    {"on": "adopted", "to": "author", "amount": "5"},
]
Edit = Callable[[bytes], bytes | None]


def sha(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


class Play:
    """A game that is played: what each commit left, and the day that it is."""

    def __init__(self, draw: st.DataObject) -> None:
        self.draw = draw
        self.made = Ledger.start(
            {
                101: {"ballot": {"silence": "ignored", "electorate": "active"}},
                102: draw.draw(st.sampled_from(EFFECTS)),
                201: {"adoption": {"needs": "majority", "of": "cast"}},
                202: {"points": AWARDS},
                203: {"victory": {"points": 20}} if draw.draw(st.booleans()) else {},
            }
        )
        self.waits = self.made.tree["rules/initial/102.md"].find(b"next-turn") >= 0
        self.late = 3 if b"after" in self.made.tree["rules/initial/102.md"] else 0
        self.commits: list[dict[str, bytes]] = [dict(self.made.tree)]
        self.day, self.number, self.turns, self.acts = 2, 301, 0, 0
        self.judgements = 0
        self.rests: list[dict[str, str]] = []
        self.open: list[int] = []
        self.waiting: list[int] = []

    @property
    def today(self) -> str:
        return f"2026-{1 + self.day // 28:02}-{1 + self.day % 28:02}"

    def commit(self) -> None:
        self.commits.append(dict(self.made.tree))

    def move(self, *, seats: bool = True) -> None:
        """A move of some kind, today or on a later day, in a commit of its own; of turns and
        absences with `seats`.
        """
        kinds = [self.put, self.decide, self.act, self.judge, self.join]
        kinds += [self.turn, self.rest] if seats else []
        kind = self.draw.draw(st.sampled_from(kinds), label="move")
        self.day += self.draw.draw(
            st.integers(1 if kind in (self.rest, self.join, self.turn) else 0, 2), label="days"
        )
        kind()
        self.commit()
        self.day += 1 if kind in (self.rest, self.join, self.turn) else 0

    def put(self) -> None:
        self.made.proposal(
            self.number,
            self.today,
            BODY,
            self.draw.draw(st.sampled_from(["ffaf", "aaf.", "ffff"])),
            "open",
        )
        self.open.append(self.number)
        self.number += 1

    def decide(self) -> None:
        if not self.open:
            return
        path = f"proposals/{self.open.pop(0)}.md"
        data = self.made.tree[path]
        adopted = data.count(b": for\n") > data.count(b": against\n")
        said: dict[str, object] = {
            "status": "adopted" if adopted else "defeated",
            "decided": self.today,
        }
        if adopted and self.late:
            self.day += self.late
            said["effective"] = self.today
            self.day -= self.late
        elif adopted and self.waits:
            self.waiting.append(int(path[10:13]))
        self.made.tree[path] = set_keys(data, said)

    def act(self) -> None:
        self.acts += 1
        points = [
            {"player": self.draw.draw(st.sampled_from(PLAYERS)), "amount": "7", "reason": "verse"}
        ]
        self.made.act(f"verse-{self.acts:03}", self.today, "So.", by="wren", points=points)

    def judge(self) -> None:
        self.judgements += 1
        self.made.judgement(self.judgements, self.today, "Why?\n\n## Ruling\n\nSo.")

    def turn(self) -> None:
        """A turn that is written down when it is over; what waited takes effect when the next one
        begins.
        """
        began = self.today
        self.turns += 1
        dice = [self.draw.draw(st.integers(1, 6))]
        self.made.turn(
            f"R1T{self.turns}", self.draw.draw(st.sampled_from(PLAYERS)), began, dice=dice
        )
        for number in self.waiting:
            path = f"proposals/{number}.md"
            self.made.tree[path] = set_keys(self.made.tree[path], {"effective": began})
        self.waiting.clear()
        self.commit()
        path = f"turns/R1T{self.turns}.yml"
        self.made.tree[path] = set_keys(self.made.tree[path], {"ended": self.today})

    def rest(self) -> None:
        """Tallow is inactive, or active again."""
        if self.rests and "until" not in self.rests[-1]:
            self.rests[-1]["until"] = self.today
        else:
            self.rests.append({"since": self.today})
        path = "players/tallow.yml"
        self.made.tree[path] = set_keys(self.made.tree[path], {"inactive": self.rests})

    def join(self) -> None:
        self.made.player(f"new-{len(self.commits)}", joined=self.today)

    def faults(self) -> tuple[CommitFinding, ...]:
        """What is found of the whole."""
        known: dict[str, bytes] = {}
        line: list[LineCommit] = []
        before: dict[str, bytes] = {}
        for index, files in enumerate(self.commits):
            paths = sorted(path for path in before | files if before.get(path) != files.get(path))
            known |= {sha(files[path]): files[path] for path in paths if path in files}
            touched = tuple(
                TouchedFile(path, sha(files[path]) if path in files else None) for path in paths
            )
            line.append(
                LineCommit(
                    sha=CommitId(f"{index:040}"), tree="0" * 40, touched=touched, index=index
                )
            )
            before = files
        reader = PastReader(Path("game"), {**known})
        game = load_tree(Path("game"), reader.tree(files_of(line)), Moment.parse("2027-01-01"))
        walked = CommitLine(head=line[-1].sha, tree="0" * 40, commits=tuple(line))
        return changes_of_the_past(
            walked, game, reader, Decisions.read(line, 0, reader.known)
        ).faults


def played(draw: st.DataObject) -> Play:
    game = Play(draw)
    for _ in range(draw.draw(st.integers(1, 12), label="moves")):
        game.move()
    return game


@settings(max_examples=examples(2))
@given(st.data())
def test_lawful_play_is_clean(draw: st.DataObject) -> None:
    assert [one.finding.message for one in played(draw).faults()] == []


@settings(max_examples=examples(1))
@given(st.data())
def test_what_is_not_replayed_would_not_come_out_otherwise(draw: st.DataObject) -> None:
    """The same games, and every commit of them replayed: the short way says the same as the long
    one.
    """
    game = played(draw)
    if draw.draw(st.booleans(), label="by hand"):
        by_hand(draw, game)
    short = game.faults()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HappenedSoFar, "only_adds", lambda *_: False)
        assert game.faults() == short


@pytest.mark.nightly
@settings(max_examples=examples(2))
@given(st.data())
def test_a_hand_that_changes_the_past_is_found(draw: st.DataObject) -> None:
    game = played(draw)
    at = by_hand(draw, game)
    for _ in range(draw.draw(st.integers(0, 3), label="moves after it")):
        game.move(seats=False)
    assert {one.commit.index for one in game.faults() if one.commit is not None} == {at}


def by_hand(draw: st.DataObject, game: Play) -> int:
    """A commit that changes a file of what happened; its index."""
    game.put()
    game.commit()
    while game.open:
        game.decide()
        game.commit()
    game.day += 1
    told = [path for path in game.made.tree if not path.startswith("rules/")]
    path = draw.draw(st.sampled_from(sorted(told)), label="file")
    data = game.made.tree[path]
    edits = [edit for edit in EDITS[path.partition("/")[0]] if _changes(edit, data)]
    now = draw.draw(st.sampled_from(edits), label="edit")(data)
    if now is None:
        del game.made.tree[path]
    else:
        game.made.tree[path] = now
    game.commit()
    return len(game.commits) - 1


def _changes(edit: Edit, data: bytes) -> bool:
    try:
        return edit(data) != data
    except ValueError:
        return False


def keys(**values: object) -> Edit:
    return lambda data: set_keys(data, values)


def gone(_: bytes) -> bytes | None:
    return None


INSTRUMENT: list[Edit] = [
    gone,
    keys(title="Other"),
    keys(points=[]),
    lambda data: set_body(data, "Else."),
]
EDITS: dict[str, list[Edit]] = {
    "nomic.yml": [keys(timezone="Asia/Tokyo"), keys(started="2026-01-02"), keys(tiers=["a", "b"])],
    "players": [
        gone,
        keys(joined="2026-01-02"),
        keys(joined=None),
        keys(kind="dummy"),
        keys(left="2026-01-01"),
    ],
    "turns": [
        gone,
        keys(dice=[9]),
        keys(player="nobody"),
        keys(ended="2026-01-01"),
        keys(passed=True),
    ],
    "acts": [
        gone,
        keys(date="2026-01-01"),
        keys(by="quill"),
        lambda data: data.replace(b"7", b"8"),
    ],
    "judgements": [
        *INSTRUMENT[:2],
        keys(judge="wren"),
        keys(date="2026-01-01"),
        keys(status="pending"),
    ],
    "proposals": [
        *(
            gone,
            keys(title="Other"),
            keys(decided="2026-01-01"),
            keys(author="quill"),
            keys(status="open"),
        ),
        lambda data: set_value(data, "votes.wren", "abstain"),
    ],
}
