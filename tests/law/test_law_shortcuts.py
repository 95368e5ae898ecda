"""What the replay does not look for, or does not look for again, is what it would have found."""

from __future__ import annotations

from datetime import date, time
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from nomicgen.files import read_game
from nomicgen.identifiers import PlayerId
from nomicgen.law import order_ambiguity
from nomicgen.law.electorate import Electorate, is_active, is_player
from nomicgen.law.replay import replay
from nomicgen.law.replay_state import Rule
from nomicgen.model import Moment, Player, PlayerMatter, Source, Stretch

_MOMENTS = st.builds(
    lambda day, clock: Moment(date(2026, 2, day), clock or time.min, clock is not None),
    st.integers(1, 6),
    st.sampled_from((None, None, time(0), time(12), time(18, 30))),
)


@st.composite
def _players(draw: st.DrawFn) -> dict[PlayerId, Player]:
    found = {}
    for ident in draw(st.sets(st.sampled_from(("wren", "finch", "quill", "hal")))):
        rests = draw(st.lists(st.tuples(_MOMENTS, st.none() | _MOMENTS), max_size=2))
        matter = PlayerMatter(
            name=ident.capitalize(),
            kind=draw(st.sampled_from(("person", "person", "dummy", "bot"))),
            joined=draw(st.none() | _MOMENTS),
            left=draw(st.none() | _MOMENTS),
            inactive=[Stretch(since=since, until=until) for since, until in rests],
        )
        found[PlayerId(ident)] = Player(
            ident=PlayerId(ident), matter=matter, source=Source(file=f"players/{ident}.yml")
        )
    return found


_ASKED = st.tuples(st.none() | _MOMENTS, st.booleans(), st.booleans(), st.none() | st.just(PlayerId("wren")))


@given(_players(), st.lists(_ASKED, max_size=12))
def test_a_roll_knows_at_every_moment_who_may_vote(
    players: dict[PlayerId, Player], asked: list[tuple[Moment | None, bool, bool, PlayerId | None]]
) -> None:
    roll = Electorate(players)
    assert (dict(roll), len(roll)) == (players, len(players))
    assert Electorate.of(roll) is roll
    for moment, dummies, active, breaker in asked:
        kinds = ("person", "dummy") if dummies else ("person",)
        seated = [one for one in players.values() if one.matter.kind in kinds and is_player(one, moment)]
        voting = [one for one in seated if one.ident != breaker and (not active or is_active(one, moment))]
        wanted = tuple(sorted(one.ident for one in voting)), tuple(sorted(one.ident for one in seated))
        assert roll.lists(moment, dummies=dummies, active=active, breaker=breaker) == wanted


def test_an_amended_rule_is_the_same_but_for_its_text() -> None:
    rule = Rule(
        identity=1,
        number=203,
        revision=1,
        tier="mutable",
        text="Old.",
        title="Tea",
        section="Drinks",
        provisions={"effect": "at-once"},
        defines=("tea",),
        unread=("Old.",),
        void=True,
        note="steep",
    )
    assert rule.amended("Old.", 1) == rule
    amended = rule.amended(None, 2)
    # A passage goes with its text.
    assert (amended.text, amended.revision, amended.unread) == (None, 2, ())
    assert replace(amended.amended("Old.", 1), unread=("Old.",)) == rule
    assert amended.law is rule.law


_CHANGES = st.sampled_from(
    (
        *(
            "## Amend Rule 101/0\n\nA.",
            "## Amend Rule 101/1\n\nB.",
            "## Amend Rule 102/0\n\nC.",
            "## Repeal Rule 101/0",
        ),
        *("## Repeal Rule 103/0", "## Retitle Rule 102/0: Tea", "## Transmute Rule 103/0 to immutable"),
        *("## Renumber Rule 103/0 to 104", "## Renumber Rule 102/0 to 101", "## Enact Rule 104\n\nD."),
        *("## Enact Rule 105: E\n\nE.", "## Enact Rule\n\nF.", "## Amend Rule 104/0\n\nG.", "## Repeal Rule 104/0"),
        *("## Enact Rule 101\n\nH.", "## Mark Rule 102/0\n\n```yaml rule\nnote: x\n```"),
        "## Enact Rule 106\n\n```yaml rule\nreenacts: 103\n```\n\nI.",
        "## Amend Rule 103/0\n\n```yaml rule\nprovisions: {numbering: {taken: error}}\n```\n\nJ.",
    )
)
_PAPERS = st.lists(st.lists(_CHANGES, min_size=1, max_size=2).map("\n\n".join), min_size=2, max_size=4)


@given(_PAPERS, st.sampled_from(["acts", "proposals"]))
def test_the_other_order_is_not_tried_only_where_it_says_nothing(papers: list[str], folder: str) -> None:
    tree = {"nomic.yml": b"format: 1\nname: Tea\n"}
    for number in (101, 102, 103):
        keys = f"number: {number}\nmutability: mutable\nrevision: 0\n"
        tree[f"rules/initial/{number}.md"] = f"---\n{keys}---\n\nText.\n".encode()
    for index, body in enumerate(papers, 301):
        if folder == "acts":
            tree[f"acts/a-{index}.md"] = f"---\ncause: Tea\ndate: 2026-02-01\n---\n\n{body}\n".encode()
        else:
            keys = f"number: {index}\nstatus: adopted\ndecided: 2026-02-01\nvotes: unrecorded\n"
            tree[f"proposals/{index}.md"] = f"---\n{keys}---\n\n{body}\n".encode()
    records, findings = read_game(tree)
    assert [one.slug for one in findings if one.is_error] == []
    found = replay(records)
    with patch.object(order_ambiguity, "_apart", lambda *_: False):
        assert replay(records).findings == found.findings


@pytest.mark.parametrize("seed", [1, 2])
def test_instruments_are_given_by_number_whatever_they_were_read_in(seed: int) -> None:
    keys = "status: adopted\ndecided: 2026-02-01\nvotes: unrecorded\n"
    paths = [*(f"proposals/{number}.md" for number in (2, 10, 9)), "proposals/zeal.md", "proposals/draft.md"]
    tree = dict.fromkeys(paths[3:], b"---\nstatus: draft\n---\n\nWords.\n")
    tree |= {path: f"---\nnumber: {path[10:-3]}\n{keys}---\n\nWords.\n".encode() for path in paths[:3]}
    tree["acts/tea.md"] = b"---\ncause: Tea\ndate: 2026-02-01\n---\n\nWords.\n"
    mixed = [*tree.items()]
    Random(seed).shuffle(mixed)
    records, _ = read_game({"nomic.yml": b"format: 1\nname: Tea\n", **dict(mixed)})
    names = ["2", "9", "10", "draft", "zeal"]
    assert [one.path for one in records.of_kind("proposal")] == [f"proposals/{name}.md" for name in names]
    assert [one.path for one in records.of_kind("act")] == ["acts/tea.md"]
    assert records.of_kind("judgement") == ()
