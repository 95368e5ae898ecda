"""Mutations of votes, statuses, dates and numbers. Each is found where it is.

Where a mutation changes instructions with `law`, it gives the digest that they have then, and
`rules/` is written anew: what finds it is the law of the game and not a sum that no longer fits.
"""

from __future__ import annotations

import re

import pytest

from tests.mutations.game import BROOMS, proposal
from tests.mutations.mutation import (
    ACT,
    CORRECTION,
    DRAFT,
    J1,
    J2,
    P301,
    P303,
    P304,
    P305,
    P306,
    P307,
    P308,
    P309,
    P310,
    P311,
    P312,
    P314,
    R102,
    SABLE,
    Change,
    Mutation,
    add,
    check_mutation,
    drop,
    gone,
    law,
    m,
    new,
    put,
    swap,
)


def unrecorded(data: bytes) -> bytes:
    """The proposal without the record of its votes."""
    return re.sub(rb"votes:\n(?:  .*\n)+", b"votes: unrecorded\n", data)


def numbered(number: int) -> Change:
    """The file is one more proposal, in debate, with a number of its own."""
    return put(proposal(number, 31, "One more", BROOMS, {}, "debate"))


VOTES = (
    m("a vote flipped that was needed", P303, swap("quill: for", "quill: against"), "votes-few"),
    m("two votes flipped", P301, swap("wren: for", "wren: abstain"), "votes-few"),
    m(
        "votes for a proposal that failed",
        P308,
        swap("sable: against", "sable: for"),
        "votes-enough",
    ),
    m(
        "a defeated proposal adopted",
        P308,
        swap("status: defeated", "status: adopted"),
        "transmutation-votes",
    ),
    m(
        "an adopted proposal defeated",
        P303,
        swap("status: adopted", "status: defeated"),
        "votes-enough",
    ),
    m(
        "a transmutation against one vote",
        P307,
        swap("sable: for", "sable: against"),
        "transmutation-votes",
    ),
    m(
        "a second transmutation against one vote",
        P309,
        swap("wren: for", "wren: against"),
        "transmutation-votes",
    ),
    m(
        "an abstention in a transmutation",
        P307,
        swap("quill: for", "quill: abstain"),
        "transmutation-votes",
    ),
    m("a vote taken out", P304, drop("  wren: for"), "vote-missing"),
    m("a vote against taken out", P303, drop("  wren: against"), "vote-missing"),
    m(
        "no votes at all",
        P304,
        swap("votes:\n  quill: for\n  tallow: for\n  wren: for\n", ""),
        "vote-missing",
    ),
    m("a vote by nobody", P304, swap("  wren: for", "  wren: for\n  ghost: for"), "voter-unknown"),
    m(
        "a vote before joining",
        P304,
        swap("  wren: for", "  wren: for\n  sable: for"),
        "voter-unknown",
    ),
    m(
        "a vote after leaving",
        P312,
        swap("  wren: for", "  wren: for\n  sable: for"),
        "voter-unknown",
    ),
    m("a vote under another's name", P312, swap("wren: for", "wrenn: for"), "voter-unknown"),
    m(
        "a player who had not joined yet",
        SABLE,
        swap("joined: 2026-01-15", "joined: 2026-01-21"),
        "voter-unknown",
        P307,
    ),
    m(
        "a player who had left",
        SABLE,
        swap("left: 2026-01-28", "left: 2026-01-20"),
        "voter-unknown",
        P310,
    ),
    m(
        "a player who joined earlier",
        SABLE,
        swap("joined: 2026-01-15", "joined: 2026-01-02"),
        "vote-missing",
        P303,
    ),
    m("a player without a file", SABLE, gone, "voter-unknown", P307),
    m(
        "a player more",
        "players/moth.yml",
        put("name: Moth\njoined: 2026-01-10\n"),
        "vote-missing",
        P307,
    ),
    m(
        "a bot who voted",
        "players/wren.yml",
        swap("name: Wren", "name: Wren\nkind: bot"),
        "voter-unknown",
        P301,
    ),
    m(
        "a vote cast too late",
        P303,
        swap("quill: for", "quill: {vote: for, at: 2026-01-09}"),
        "dates-disorder",
    ),
    m(
        "a vote cast too early",
        P303,
        swap("quill: for", "quill: {vote: for, at: 2026-01-05}"),
        "dates-disorder",
    ),
    m(
        "a vote on a draft",
        DRAFT,
        swap("status: draft", "status: draft\nvotes: {wren: for}"),
        "status-incomplete",
    ),
    m("votes not recorded", P304, unrecorded, "votes-unrecorded"),
    m(
        "a digest taken out",
        P304,
        lambda data: re.sub(rb"digest: .*\n", b"", data),
        "digest-missing",
    ),
    m("a text changed", P304, swap("takes one point", "takes ten points"), "digest-differs"),
    m("a space at a line's end", P304, swap("the square, as", "the square,  as"), "digest-differs"),
    m("a block changed", P303, swap("mutable: 7", "mutable: 70"), "digest-differs"),
    m("an instruction added", P312, add("\n## Repeal Rule 201/0\n"), "digest-differs"),
    m("a heading changed", P312, swap("Repeal Rule 309/0", "Repeal Rule 201/0"), "digest-differs"),
    m("a failed text changed", P308, swap("to mutable", "to immutable"), "digest-differs"),
    m(
        "another digest",
        P312,
        lambda data: re.sub(rb"(?<=digest: )\S+", b"0" * 64, data),
        "digest-differs",
    ),
)

STATUS = (
    m("an open vote without a day", P312, drop("opened: 2026-01-29"), "status-incomplete"),
    m("adopted without a day", P304, drop("decided: 2026-01-09"), "status-incomplete"),
    m("defeated without a day", P308, drop("decided: 2026-01-19"), "status-incomplete"),
    m("open and decided", P312, swap("opened", "decided: 2026-01-30\nopened"), "status-incomplete"),
    m("overruled without a day", J1, swap("upheld", "overruled"), "status-incomplete"),
    m(
        "upheld and overruled",
        J1,
        swap("upheld", "upheld\noverruled: 2026-01-30"),
        "status-incomplete",
    ),
    m(
        "overruled before it was made",
        J1,
        swap("upheld", "overruled\noverruled: 2026-01-20"),
        "dates-disorder",
    ),
    m(
        "an act that does nothing",
        CORRECTION,
        lambda data: data[: data.index(b"\n## ")],
        "status-incomplete",
    ),
    m(
        "decided before it was opened",
        P304,
        swap("opened: 2026-01-08", "opened: 2026-01-10"),
        "dates-disorder",
    ),
    m(
        "opened before it was put forward",
        P304,
        swap("opened: 2026-01-08", "opened: 2026-01-07"),
        "dates-disorder",
    ),
    m(
        "an effect before the decision",
        P304,
        swap("effective: 2026-01-09", "effective: 2026-01-08"),
        "effect-early",
    ),
    m(
        "an effect of years ago",
        P304,
        swap("effective: 2026-01-09", "effective: 2020-01-09"),
        "effect-early",
    ),
    m(
        "an effect too late",
        P304,
        swap("effective: 2026-01-09", "effective: 2026-01-10"),
        "effect-wrong",
    ),
    m(
        "an effect in the future",
        P310,
        swap("effective: 2026-01-21", "effective: 2026-03-01"),
        "effect-wrong",
    ),
    m(
        "an act with an effect before it",
        ACT,
        swap("turn:", "effective: 2026-01-20\nturn:"),
        "effect-early",
    ),
    m(
        "a proposal out of order",
        P306,
        swap("date: 2026-01-12", "date: 2026-01-02"),
        "number-wrong",
    ),
)

DATES = (
    m(
        "a player who left before joining",
        SABLE,
        swap("left: 2026-01-28", "left: 2026-01-14"),
        "dates-disorder",
    ),
    m(
        "a role that ends before it begins",
        SABLE,
        swap("    since: 2026-01-16", "    since: 2026-01-16\n    until: 2026-01-15"),
        "dates-disorder",
    ),
    m(
        "a strength that ends before it begins",
        SABLE,
        add("strength: [{votes: 2, since: 2026-01-16, until: 2026-01-15}]\n"),
        "dates-disorder",
    ),
    m(
        "a turn that ended before it began",
        "turns/R1T2.yml",
        swap("ended: 2026-01-09", "ended: 2026-01-07"),
        "dates-disorder",
    ),
    m(
        "turns out of order",
        "turns/R1T3.yml",
        swap("began: 2026-01-10", "began: 2026-01-07"),
        "dates-disorder",
    ),
    m(
        "a proposal before the game",
        P301,
        swap("\ndate: 2026-01-02", "\ndate: 2025-12-31"),
        "dates-disorder",
    ),
    m(
        "an act before the game",
        CORRECTION,
        swap("date: 2026-01-24", "date: 2019-01-24"),
        "dates-disorder",
    ),
    m(
        "a game that started later",
        "nomic.yml",
        swap("started: 2026-01-01", "started: 2026-01-03"),
        "dates-disorder",
        P301,
    ),
    m(
        "a decision in the future",
        P310,
        swap("decided: 2026-01-21", "decided: 2026-12-21"),
        "date-future",
    ),
    m(
        "an effect before a decision in the future",
        P310,
        swap("decided: 2026-01-21", "decided: 2026-12-21"),
        "effect-early",
    ),
)

NUMBERS = (
    m("a proposal that is gone", P308, gone, "number-missing", P309),
    m("a withdrawn proposal that is gone", P311, gone, "number-missing", P312),
    m("an adopted proposal that is gone", P304, gone, "rule-unknown", P305),
    m("a judgement that is gone", J1, gone, "number-missing", J2),
    m("a number skipped", "proposals/320.md", numbered(320), "number-missing"),
    m("a number too low", "proposals/17.md", numbered(17), "number-wrong"),
    m(
        "a lost proposal that is there",
        "nomic.yml",
        swap("started", "lost: {proposals: [304]}\nstarted"),
        "number-doubled",
    ),
    m(
        "another number enacted",
        P304,
        law("Enact Rule: Brooms", "Enact Rule 299: Brooms"),
        "number-wrong",
    ),
    m("a number taken", P314, new("## Renumber Rule 201/0 to 302\n"), "number-wrong"),
    m(
        "an act below its numbers",
        ACT,
        swap("Enact Rule 601", "Enact Rule 600"),
        "authority-missing",
    ),
    m(
        "an act with a number that is not the next",
        ACT,
        swap("Enact Rule 601", "Enact Rule 102"),
        "authority-missing",
    ),
    m("numbers from 400", R102, swap("first: 301", "first: 400"), "number-wrong", P301),
    m(
        "the next number instead of the proposal's",
        R102,
        swap("amended: proposal", "amended: keep"),
        "rule-unknown",
        P306,
    ),
    m(
        "three changes",
        P310,
        law("voices\n", "voices\n\n## Retitle Rule 201/0: Yes\n"),
        "changes-many",
    ),
    m("one change allowed", R102, swap("changes: 2", "changes: 1"), "changes-many", P310),
)

ALL = (*VOTES, *STATUS, *DATES, *NUMBERS)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_it_is_found(one: Mutation) -> None:
    check_mutation(one)
