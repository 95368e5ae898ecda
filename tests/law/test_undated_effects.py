"""What takes effect with the next turn, in random games: the day that a file may say is the day
that it has without it; and whose turn is said to come next can begin it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.replay.results import Replay, Step
from tests.deep import examples
from tests.ledger import PLAYERS, Ledger, day
from tests.turns import NEW

_WHEN = (
    "next-turn",
    {"when": "next-turn", "own_day": "true"},
    {"when": "next-turn", "impossible": "that"},
)
_AMENDMENTS = {
    201: (
        "turns: {order: seat}",
        "turns: {order: seat, overlap: true}",
        "turns: {order: alphabetical, own_turn: false}",
    ),
    203: ("adoption: {needs: majority, of: eligible}", "adoption: {needs: majority, of: cast}"),
    205: ("effect: at-once", "effect: {when: next-turn, own_day: true}", "effect: {after: 2}"),
}
_OTHERS = (
    NEW,
    "## Repeal Rule 206/0",
    "## Amend Rule 206/0\n\nTea.",
    "## Amend Rule 206/1\n\nTea.",
)
_DAYS = [f"01-{number:02}" for number in range(2, 9)]
moments = st.builds(
    lambda on, at: f"2026-{on}{at}",
    st.sampled_from(_DAYS),
    st.sampled_from(["", "T09:00", "T15:00"]),
)


@st.composite
def bodies(draw: Any) -> str:
    if draw(st.integers(0, 2)) == 0:
        return str(draw(st.sampled_from(_OTHERS)))
    number, revision = draw(st.sampled_from([201, 203, 205])), draw(st.sampled_from([0, 0, 0, 1]))
    said = draw(st.sampled_from(_AMENDMENTS[number]))
    amends = (
        f"## Amend Rule {number}/{revision}\n\n```yaml rule\nprovisions:\n  {said}\n```\n\nSoon."
    )
    more = draw(st.sampled_from(["", f"\n\n{NEW}", "\n\n## Repeal Rule 206/0"]))
    return f"{amends}{more}"


@st.composite
def games(draw: Any) -> Ledger:
    law = {"needs": draw(st.sampled_from(["unanimous", "majority"])), "of": "eligible"}
    made = Ledger.start(
        {
            201: {"turns": {"order": "alphabetical"}},
            203: {"adoption": law},
            205: {"effect": draw(st.sampled_from(_WHEN))},
            206: {},
            207: {"authority": {"by": "act", "to": ["repeal"]}},
        }
    )
    for seat, ident in enumerate(draw(st.permutations(PLAYERS)), 1):
        made.player(ident, order=seat)
    began = sorted(draw(st.lists(moments, max_size=5, unique=True)), key=day)
    idents = [f"R{index // 4 + 1}T{index % 4 + 1}" for index in range(len(began))]
    for index, ident in enumerate(idents):
        made.turn(ident, PLAYERS[index % 4], began[index], (*began, None)[index + 1])
    for number in range(301, 302 + draw(st.integers(0, 4))):
        matter: dict[str, Any] = {}
        if idents and draw(st.booleans()):
            matter["turn"] = draw(st.sampled_from(idents))
        if draw(st.integers(0, 3)) == 0:
            matter["commences"] = day(draw(moments))
        if draw(st.integers(0, 3)) == 0:
            matter["seq"] = draw(st.integers(0, 2))
        on = draw(moments)
        if draw(st.booleans()):
            matter["decided"] = day(max(on, draw(moments)))
        votes = draw(st.sampled_from(["ffff", "fffa", "ffa-"]))
        status = draw(st.sampled_from(["adopted", "adopted", "adopted", "defeated"]))
        made.proposal(number, on, draw(bodies()), votes, status, **matter)
    if draw(st.booleans()):
        made.act("a", draw(moments), "## Repeal Rule 206/0", under=207)
    return made


def dated(made: Ledger, played: Replay, chosen: Callable[[Step], bool]) -> Ledger:
    """The game with `effective` in the files of the chosen proposals, as the replay has it."""
    tree = dict(made.tree)
    for step in played.steps:
        path = step.instrument.path
        if step.instrument.kind == "proposal" and step.effective is not None and chosen(step):
            head, rest = tree[path].decode().split("\n---\n", 1)
            tree[path] = f"{head}\neffective: {step.effective}\n---\n{rest}".encode()
    return Ledger(tree)


def outcome(played: Replay) -> Any:
    steps = [
        (step.instrument.path, step.effective, step.outcome, [rule.ref for rule in step.after])
        for step in played.steps
    ]
    effects = [(one.words, str(one.moment), one.reason) for one in played.effects]
    return steps, effects, played.tallies, played.awards, played.next_turn, played.winner


def told(made: Ledger, until: str) -> list[tuple[str, str, str]]:
    return [(one.slug, one.span.file, one.message) for one in made.applied(until).findings(until)]


@given(games(), st.sampled_from([*_DAYS, "01-31"]), st.integers(0, 31))
@settings(max_examples=examples(2), deadline=None)
def test_whether_the_day_is_written_changes_nothing(made: Ledger, until: str, which: int) -> None:
    """Neither rules nor votes, nor what is judged later, nor any finding."""
    bare = dated(
        made,
        made.play(until)[1],
        lambda step: not step.lacks_effective and step.outcome != "pending",
    )
    played = bare.play(until)[1]
    assert outcome(played) == outcome(made.play(until)[1])
    written = dated(
        bare,
        played,
        lambda step: (
            step.lacks_effective and bool(which >> (step.instrument.number or 0) - 301 & 1)
        ),
    )
    assert outcome(written.play(until)[1]) == outcome(played)
    assert told(written, until) == told(bare, until)


@given(games(), st.sampled_from(["2026-01-09", "2026-01-09T09:00"]))
@settings(max_examples=examples(2), deadline=None)
def test_whoever_is_said_to_come_next_can_begin(made: Ledger, on: str) -> None:
    """By the rules that come with that turn, too."""
    following = made.play("01-09")[1].next_turn
    assert following is not None
    made.turn(following.ident, following.player, on)
    path = f"turns/{following.ident}.yml"
    assert not [one for one in made.findings("01-09") if one.span.file == path and one.is_error]
