"""Pull requests made at random: none ends nomicgen, and none that is accepted changes what was
decided.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from nomicgen.model.findings import Finding
from nomicgen.pulls.examine import Pull, examine
from nomicgen.pulls.request import players_of
from tests.deep import examples
from tests.pulls.cases import (
    LINK,
    MODULE,
    ON,
    PROGRAM,
    Files,
    Item,
    Story,
    add_branch,
    judged,
    lay_out,
    small_game,
)

# On the base something is wrong already, in a draft and in a decided proposal's file.
_GAME = small_game()
BASE = {
    **_GAME,
    b"proposals/nets.md": Item(
        _GAME[b"proposals/nets.md"].data.replace(b"Nets lie", b"Nets <b>lie</b>")
    ),
    b"proposals/Odd.md": Item(b"x\n"),
    b"rules/204.md": Item(_GAME[b"rules/204.md"].data.replace(b"one berth", b"some berth")),
}
PATHS = sorted(path for path in BASE if not path.startswith(b"rules/1"))
DECIDED = [
    b"acts/2026-01-25-temporary-rule-601.md",
    b"judgements/1.md",
    b"proposals/301.md",
    b"proposals/302.md",
    b"proposals/303.md",
]
NEW = [
    *(
        b"proposals/quiet.md",
        b"proposals/306.md",
        b"proposals/quiet",
        b"proposals/a\nb.md",
        b"Proposals/x.md",
    ),
    *(
        b"judgements/3.md",
        b"acts/2026-02-20-act.md",
        b"players/ysolde.yml",
        b"turns/R1T3.yml",
        b"images/gull.png",
    ),
    *(
        b"rules/999.md",
        b"rules/initial/205.md",
        b"nomicgen/law.py",
        b"vendor",
        b"\xff",
        b"images/x.svg",
    ),
]
SNIPPETS = [
    *(
        b"",
        b"\n",
        b"---\n",
        b"status: adopted\n",
        b"status: draft\n",
        b"note: x\n",
        b"note: |\n  a\n\n  b\n",
        b"seq: 3\n",
    ),
    *(
        b"2026-02-20",
        b"2026-01-01",
        b"odo",
        b"maren",
        b"for",
        b"against",
        b"## Repeal Rule 301/1\n",
        b"# ",
        b"'",
        b'"',
    ),
    *(
        b"effective: 2026-02-20\n",
        b"left: 2026-02-20\n",
        b"\xff",
        b"\0",
        b"\r",
        b"{",
        b"joined: 2026-02-20\n",
        b"  ",
    ),
]
DRAFTS = [
    b"---\ntitle: Bells\nauthor: %s\nstatus: draft\n---\n\nWhy.\n\n## Enact Rule: Bells\n\n"
    b"There are bells.\n" % who
    for who in (b"maren", b"odo")
]
LOGINS = ["maren-k", "odo-pike", "Tamsin", "mallory"]


@st.composite
def edited(draw: st.DrawFn, data: bytes) -> bytes:
    """The bytes with one or two places replaced, mostly whole lines."""
    for _ in range(draw(st.integers(1, 2))):
        lines = data.split(b"\n")
        at = draw(st.integers(0, len(lines) - 1))
        snippet = draw(st.sampled_from(SNIPPETS) | st.binary(max_size=5))
        if draw(st.booleans()):
            data = b"\n".join(
                [*lines[:at], snippet.removesuffix(b"\n"), *lines[at + draw(st.integers(0, 1)) :]]
            )
        else:
            start = draw(st.integers(0, len(data)))
            data = data[:start] + snippet + data[start + draw(st.integers(0, 12)) :]
    return data


@st.composite
def items(draw: st.DrawFn, path: bytes) -> Item | None:
    """What becomes of a path: another text, one of another file, a link, a submodule, nothing."""
    there = (
        BASE[path].data
        if path in BASE
        else draw(st.sampled_from([*DRAFTS, *(item.data for item in BASE.values())]))
    )
    match draw(st.sampled_from(["edit", "edit", "edit", "copy", "gone", "link", "module", "mode"])):
        case "edit":
            return Item(draw(edited(there)))
        case "copy":
            return Item(draw(st.sampled_from([*DRAFTS, *(item.data for item in BASE.values())])))
        case "link":
            return Item(draw(st.sampled_from([b"../x", b"/etc/passwd", b"301.md", b"\xff"])), LINK)
        case "module":
            return Item(b"5e" * 20, MODULE)
        case "mode":
            return Item(there, PROGRAM)
    return None


@st.composite
def heads(draw: st.DrawFn, paths: Sequence[bytes] = (*PATHS, *NEW)) -> dict[bytes, Item]:
    head = dict(BASE)
    for path in draw(st.lists(st.sampled_from(paths), min_size=1, max_size=3, unique=True)):
        item = draw(items(path))
        if item is None:
            head.pop(path, None)
        else:
            head[path] = item
    return head


# What hypothesis shares with the tests of a module is made once: its repository grows a branch an
# example.
ONE = settings(
    max_examples=examples(0.4),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


class Court:
    """A repository with the base, to which heads are brought one after the other."""

    def __init__(self, root: Path) -> None:
        self.where = lay_out(Story(base=BASE, head=BASE), root)
        self.numbers = count()

    def judge(self, head: Files, actor: str | None = None) -> Pull:
        branch = f"head-{next(self.numbers)}"
        add_branch(self.where, branch, head)
        return examine(self.where, "main", branch, actor=actor, until=ON)


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Court:
    return Court(tmp_path_factory.mktemp("court") / "game")


def told(findings: Sequence[Finding]) -> Counter[tuple[object, ...]]:
    return Counter((one.slug, one.span.file, one.message, one.rule, one.detail) for one in findings)


@ONE
@given(head=heads(), actor=st.sampled_from([None, *LOGINS]))
def test_no_change_ends_nomicgen_and_old_findings_stay_old(
    court: Court, head: Files, actor: str | None
) -> None:
    pull = court.judge(head, actor)
    verdict = pull.verdict
    event(f"{verdict.kind}: {'refused' if verdict.refused else 'accepted'}")
    base, laid = told(pull.base.findings), told(pull.laid.findings)
    assert told(verdict.old) == base & laid
    assert not (laid - base) - told(verdict.findings)
    assert not told(verdict.findings) & base
    assert list(verdict.paths) == sorted(set(verdict.paths))
    assert verdict.refused or not any(one.refused for one in verdict.effects.effects)
    if not verdict.refused:
        holds(pull, head, actor)


# What a player might well bring, and what goes a little further: paths with what may come to stand
# there.
LIKELY: dict[bytes, list[bytes | None]] = {
    b"proposals/nets.md": [_GAME[b"proposals/nets.md"].data.replace(b"north", b"south"), None],
    b"proposals/quiet.md": [
        *DRAFTS,
        DRAFTS[0].replace(b"## Enact Rule: Bells", b"## Amend Rule 201/0"),
    ],
    b"proposals/305.md": [_GAME[b"proposals/305.md"].data.replace(b"the bell", b"no bell")],
    b"proposals/302.md": [
        _GAME[b"proposals/302.md"].data.replace(b"digest:", b"note: so\ndigest:")
    ],
    b"images/gull.png": [b"gull\n"],
    b"players/odo.yml": [
        _GAME[b"players/odo.yml"].data + more
        for more in (
            b"left: 2026-01-25\n",
            b"left: 2026-02-20\n",
            b"inactive: [{since: 2026-01-25}]\n",
            b"note: x\n",
        )
    ],
    b"players/ysolde.yml": [
        b"name: Y\naccounts: {github: mallory}\njoined: %s\n" % day
        for day in (b"2026-01-25", b"2026-02-20")
    ],
    b"turns/R1T2.yml": [_GAME[b"turns/R1T2.yml"].data + b"ended: 2026-02-20\n"],
    b"turns/R1T3.yml": [b"player: tamsin\nbegan: 2026-02-20\n"],
    b"judgements/3.md": [
        _GAME[b"judgements/1.md"]
        .data.replace(b"number: 1", b"number: 3")
        .replace(b"2026-01-20", day)
        for day in (b"2026-01-25", b"2026-02-20")
    ],
    b"acts/2026-02-20-act.md": [
        b"---\ncause: Ice\nby: odo\nunder: 202\ndate: %s\n---\n\n## Enact Rule 602: Ice\n\nIce.\n"
        % day
        for day in (b"2026-01-25", b"2026-01-25T12:00", b"2026-02-20")
    ],
}


@ONE
@given(data=st.data(), actor=st.sampled_from(["odo-pike", "maren-k", "mallory"]))
def test_what_is_accepted_changes_nothing_of_the_past(
    court: Court, data: st.DataObject, actor: str
) -> None:
    head = dict(BASE)
    first = data.draw(st.sampled_from(sorted(LIKELY)))
    for path in {
        first,
        data.draw(st.sampled_from([first, first, b"turns/R1T2.yml", b"images/gull.png"])),
    }:
        text = data.draw(st.sampled_from(LIKELY[path]))
        if text is None:
            del head[path]
        else:
            head[path] = Item(text)
    pull = court.judge(head, actor)
    event(f"{pull.verdict.kind}: {'refused' if pull.verdict.refused else 'accepted'}")
    if pull.verdict.refused:
        return
    holds(pull, head, actor)
    if pull.verdict.kind == "proposal":
        assert pull.laid.records.derived_rules == pull.base.records.derived_rules
        assert pull.laid.replay.current == pull.base.replay.current


def holds(pull: Pull, head: Files, actor: str | None) -> None:
    """What no accepted pull request changes, were its head merged as it is."""
    base, laid = pull.base, pull.laid
    for path in {*BASE, *head}:
        if BASE.get(path) != head.get(path) and path.partition(b"/")[0] not in (b"images",):
            data = [item.data for item in (BASE.get(path), head.get(path)) if item is not None]
            assert (
                path.decode() == pull.verdict.path
                or len({*data}) == 1
                or path.startswith((b"turns/", b"proposals/"))
            )
    for path, item in BASE.items():
        if path.startswith((b"rules/", b"nomic", b".github", b"mkdocs", b"images/")):
            assert head[path].data == item.data
    for name, tally in base.replay.tallies.items():
        if not getattr(base.records.instruments[name].matter, "is_undecided", False):
            assert laid.replay.tallies[name] == tally
    was = [(step.instrument.path, step.outcome, step.after) for step in base.replay.steps]
    now = [(step.instrument.path, step.outcome, step.after) for step in laid.replay.steps]
    assert now[: len(was)] == was
    for ident, player in base.records.players.items():
        assert laid.records.players[ident].matter.joined == player.matter.joined
        if actor is not None and ident not in players_of(actor, [player]):
            assert laid.records.players[ident] == player


@ONE
@given(data=st.data(), path=st.sampled_from(DECIDED))
def test_of_what_is_decided_only_the_note_may_change(
    court: Court, data: st.DataObject, path: bytes
) -> None:
    before = BASE[path].data
    after = data.draw(edited(before))
    assume(after != before)
    pull = court.judge({**BASE, path: Item(after)})
    rest = without_note(after)
    event("note" if rest == without_note(before) else "other")
    if rest != without_note(before):
        assert pull.verdict.refused


@ONE
@given(
    path=st.sampled_from(DECIDED),
    at=st.integers(0, 3),
    note=st.sampled_from(
        [b"note: x\n", b"note: 'a: b'\n", b"note: |\n  a\n\n  b\n", b"note: >-\n  # no\n  votes:\n"]
    ),
)
def test_a_note_may_stand_anywhere(court: Court, path: bytes, at: int, note: bytes) -> None:
    lines = BASE[path].data.splitlines(keepends=True)
    pull = court.judge({**BASE, path: Item(b"".join([*lines[: 1 + at], note, *lines[1 + at :]]))})
    assert pull.verdict.findings == ()


def without_note(data: bytes) -> bytes:
    """A file without the lines of its note: those from the key to the next line that is not
    indented.
    """
    front, mark, body = data.partition(b"\n---\n")
    kept: list[bytes] = []
    noted = False
    for line in front.split(b"\n"):
        noted = line.startswith(b"note:") or (noted and line[:1] in (b"", b" "))
        if not noted:
            kept.append(line)
    return b"\n".join(kept) + mark + body


def test_the_story_of_a_court_is_that_of_a_case(court: Court, tmp_path: Path) -> None:
    head = {**BASE, b"proposals/quiet.md": Item(DRAFTS[0])}
    story = Story(base=BASE, head=head, options={"--actor": "github:maren-k"})
    assert (
        court.judge(head, "maren-k").verdict
        == judged(story, lay_out(story, tmp_path / "game")).verdict
    )
