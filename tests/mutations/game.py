"""A valid game with something of everything, to be broken in one place at a time.

It goes on from the small game in `tests/base.txt`: amendments that renumber, a repeal,
transmutations, proposals that failed, judgements, acts, turns, a picture, a player who came and
left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from nomicgen.files.instructions import instructions_digest
from nomicgen.files.text_encoding import Oddity
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.repository.game_tree import read_tree
from tests.explain_pages import BASE

Tree = Mapping[str, bytes | Oddity]
ON = Moment.parse("2026-02-01")
THREE = ("quill", "tallow", "wren")
FOUR = ("quill", "sable", "tallow", "wren")
_FIRST = re.compile(rb"^## (?!Ruling$)", re.MULTILINE)
_DIGEST = re.compile(rb"^digest: \S+$", re.MULTILINE)

SETTINGS = """\
format: 1
name: Lamplighters
repository: https://forge.example/lamplighters
started: 2026-01-01
tiers: [immutable, mutable]
sections:
  The square: what is done there
  The lamps: who keeps them
"""
SABLE = """\
name: Sable
accounts:
  github: sable-on-the-quay
joined: 2026-01-15
left: 2026-01-28
roles:
  - role: scribe
    since: 2026-01-16
"""
TURNS = {"R1T1": ("quill", 6, 2), "R1T2": ("tallow", 8, 5), "R1T3": ("wren", 10, 3)}

AMEND_CAP = """\
## Amend Rule 202/0

```yaml rule
provisions:
  cap: {mutable: 7}
  floor: {mutable: 3}
```

There are at most seven mutable rules, and never fewer than three.
"""
BROOMS = """\
## Enact Rule: Brooms

```yaml rule
section: The square
defines: [sweeper]
```

A **sweeper** is who comes first in the morning. The sweeper:

- sweeps the square, as Rule 302 leaves it;
- takes one point.
"""
MORE_BROOMS = """\
## Amend Rule 304/0

Who comes first in the morning sweeps the square.
"""
GATE = """\
## Enact Rule: The gate

This sign stands at the gate:

![a lamp on a blue ground](../images/sign.png)

## Retitle Rule 302/1: Lamps and voices
"""
TEMPORARY = """\
## Enact Rule 601

```yaml rule
section: The lamps
```

Until spring, lamps burn an hour longer.
"""
ACT = f"""\
---
cause: Temporary Rule 601
by: quill
under: 307
date: 2026-01-23
turn: R1T3
points: [{{player: quill, amount: 20/3, reason: a long night}}]
---

The winter is dark.

{TEMPORARY}"""
CORRECTION = """\
---
cause: correction
by: tallow
date: 2026-01-24
---

A comma was lost on the site.

## Amend Rule 302/1

Whoever holds a lamp may speak in the square after dusk. Who holds two lends one.
"""
FIRST_JUDGEMENT = """\
---
number: 1
called_by: sable
judge: wren
date: 2026-01-25
turn: R1T3
rules: [302/1]
proposal: 302
status: upheld
---

Is a candle a lamp?

## Ruling

It is.
"""
SECOND_JUDGEMENT = """\
---
number: 2
called_by: wren
judge: tallow
date: 2026-01-26
rules: [310/0]
status: upheld
under: 307
---

Does the rule about the gate say anything?

## Ruling

It shows a picture, and asks nothing of anybody.

## Mark Rule 310/0

```yaml rule
void: 2026-01-26
note: see judgement 2
```
"""
OPEN = """\
## Repeal Rule 309/0
"""
DRAFT = """\
---
title: Quiet hours
author: tallow
date: 2026-01-30
status: draft
---

The square is loud at night.

## Enact Rule: Quiet hours

Nobody sings in the square after midnight.
"""


def proposal(
    number: int,
    day: int,
    title: str,
    instructions: str,
    votes: Mapping[str, str],
    status: str = "adopted",
    author: str = "wren",
    more: str = "",
) -> str:
    """A numbered proposal, put forward on a day of January and decided on the next."""
    opened, decided = f"2026-01-{day:02}", f"2026-01-{day + 1:02}"
    lines = [
        f"number: {number}",
        f"title: {title}",
        f"author: {author}",
        f"date: {opened}",
        *more.splitlines(),
    ]
    lines.append(f"status: {status}")
    if status != "debate":
        lines.append(f"opened: {opened}")
    if status not in ("debate", "open"):
        lines.append(f"decided: {decided}")
    if status == "adopted":
        lines.append(f"effective: {decided}")
    if votes:
        lines += ["votes:", *(f"  {voter}: {vote}" for voter, vote in votes.items())]
        lines.append(f"digest: {instructions_digest(instructions.encode())}")
    return "\n".join(["---", *lines, "---", "", f"This is why: {title}.", "", instructions])


def cast(voters: tuple[str, ...], against: tuple[str, ...] = ()) -> dict[str, str]:
    """Everyone's vote: for, but of those `against`."""
    return {voter: "against" if voter in against else "for" for voter in voters}


def valid_tree() -> dict[str, bytes | Oddity]:
    """The files of the game, `rules/` included."""
    texts = {
        "nomic.yml": SETTINGS,
        "players/sable.yml": SABLE,
        "proposals/303.md": proposal(
            303, 6, "Room for more", AMEND_CAP, cast(THREE, ("wren",)), more="turn: R1T1"
        ),
        "proposals/304.md": proposal(304, 8, "Brooms", BROOMS, cast(THREE), author="tallow"),
        "proposals/305.md": proposal(305, 10, "More brooms", MORE_BROOMS, cast(THREE, ("tallow",))),
        "proposals/306.md": proposal(
            306, 12, "No brooms", "## Repeal Rule 305/1\n", cast(THREE, ("quill",))
        ),
        "proposals/307.md": proposal(
            307, 16, "The keeper stays", _transmute("203/0", "immutable"), cast(FOUR)
        ),
        "proposals/308.md": proposal(
            308,
            18,
            "Votes for all",
            _transmute("103/0", "mutable"),
            cast(FOUR, ("sable",)),
            "defeated",
        ),
        "proposals/309.md": proposal(
            309, 19, "Votes again", _transmute("103/0", "mutable"), cast(FOUR)
        ),
        "proposals/310.md": proposal(
            310, 20, "The gate", GATE, cast(FOUR, ("quill",)), author="sable"
        ),
        "proposals/311.md": proposal(
            311, 27, "Never mind", "## Repeal Rule 601/0\n", {}, "withdrawn"
        ),
        "proposals/312.md": proposal(312, 29, "No more votes", OPEN, {"wren": "for"}, "open"),
        "proposals/313.md": proposal(
            313, 30, "Fewer lamps", "## Repeal Rule 302/1\n", {}, "debate", "quill"
        ),
        "proposals/quiet-hours.md": DRAFT,
        "acts/2026-01-23-temporary-rule-601.md": ACT,
        "acts/2026-01-24-correction.md": CORRECTION,
        "judgements/1.md": FIRST_JUDGEMENT,
        "judgements/2.md": SECOND_JUDGEMENT,
    }
    for ident, (player, day, die) in TURNS.items():
        texts[f"turns/{ident}.yml"] = (
            f"player: {player}\nbegan: 2026-01-{day:02}\nended: 2026-01-{day + 1:02}\n"
            f"dice: [{die}]\n"
        )
    tree: dict[str, bytes | Oddity] = {**read_tree(BASE), "images/sign.png": b""}
    return applied({**tree, **{path: text.encode() for path, text in texts.items()}})


def _transmute(rule: str, tier: str) -> str:
    return f"## Transmute Rule {rule} to {tier}\n"


def loaded(tree: Tree) -> Game:
    """The game that a tree makes, on the day of the test."""
    return load_tree(BASE, tree, ON)


def applied(tree: Tree) -> dict[str, bytes | Oddity]:
    """The tree with `rules/` as the ledger then gives it: whoever breaks the ledger can write that
    too.
    """
    kept = {path: data for path, data in tree.items() if not re.fullmatch(r"rules/\d+\.md", path)}
    return {**kept, **ruleset_files(loaded(kept).replay.current)}


def redigested(data: bytes) -> bytes:
    """A proposal with the digest of the instructions that it has now."""
    start = _FIRST.search(data)
    assert start is not None
    digest = instructions_digest(data[start.start() :])
    found, count = _DIGEST.subn(f"digest: {digest}".encode(), data)
    assert count == 1
    return found
