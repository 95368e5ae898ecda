"""Each ruleset that ships, played to a winner by commands alone; what `rulesets show` says of each
sentence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from nomicgen.cli.program import main
from nomicgen.law.kinds import kinds
from nomicgen.law.precedence import Law
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Rule
from nomicgen.model.findings import CODES
from nomicgen.play.enforcement import enforced_of_ruleset, our_rule, sentences_of, table_of
from nomicgen.play.rulesets import NAMES
from tests.cli.playing import run
from tests.deep import sampled
from tests.originals import SEEDS
from tests.played import played
from tests.support import GitRepo

pytestmark = pytest.mark.deep

PLAYERS = ("osprey", "quill", "wren")
FEWER = """\
It takes long.

## Amend Rule {number}/0

```yaml rule
provisions:
  victory: {{points: {points}}}
```

The first player to have {points} points wins.
"""
EMPTY = (
    "Why not?\n\n## Enact Rule: Custom {count}\n\nOn turn {count} everybody greets the others.\n"
)


def state(root: Path, on: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(root, f"status --format json --on {on}"))
    return found


def tasks(root: Path, on: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(root, f"next --format json --on {on}"))["tasks"]
    return found


def day(number: int) -> str:
    return str(date(2026, 1, 1) + timedelta(days=number))


def play_turn(root: Path, count: int, at: int, body: str) -> int:
    """Play a turn from its beginning on a day; return the day after its end."""
    run(root, f"turn --on {day(at)} --commit")
    who = next(
        player
        for player in PLAYERS
        for task in tasks(root, day(at))
        if task["kind"] == "propose" and player in task["what"]
    )
    run(
        root, f"propose --title t{count} --author {who} --on {day(at)} --commit --body -", feed=body
    )
    said = run(root, f"register t{count} --on {day(at)} --commit")
    number = said.partition(" is now proposals/")[2].partition(".md")[0]
    run(root, f"register {number} --open --on {day(at + 1)} --commit")
    run(
        root,
        f"vote {number} for --on {day(at + 1)} --commit",
        *(part for one in PLAYERS for part in ("--player", one)),
    )
    run(root, f"proposal resolve {number} --on {day(at + 1)} --commit")
    dice = (
        ["--dice", "6"] if any(task["kind"] == "throw" for task in tasks(root, day(at + 1))) else []
    )
    run(root, f"turn --end --on {day(at + 1)} --commit", *dice)
    return at + 2


@pytest.mark.parametrize("name", sampled(NAMES, every=5))
def test_a_game_is_played_to_its_winner(name: str, git_repo: Callable[..., GitRepo]) -> None:
    root = git_repo().path
    everyone = [part for one in PLAYERS for part in ("--player", one)]
    run(root, f"init --ruleset {name} --forge none --on {day(0)} --commit", *everyone, str(root))
    number, points = {"paranomic": (210, 30), "nomic-iv": (213, 8)}.get(name, (208, 8))
    winner: object = None
    at = play_turn(root, 1, 0, FEWER.format(number=number, points=points))
    for count in range(2, 9):
        winner = state(root, day(at))["winner"]
        if winner is not None:
            break
        at = play_turn(root, count, at, EMPTY.format(count=count))
    assert winner is not None
    assert run(root, f"check --on {day(at)}").splitlines()[-1].endswith("nothing is wrong")


@pytest.mark.nightly
@pytest.mark.parametrize("name", sampled(SEEDS, every=5))
def test_an_original_is_imported_and_played_on(
    name: str, git_repo: Callable[..., GitRepo], shared: Path
) -> None:
    repo = git_repo()
    root, (file, command, *options) = repo.path, SEEDS[name]
    everyone = [part for one in PLAYERS for part in ("--player", one)]
    begun = ("--into", str(root), "--on", day(0), "--commit", *options)
    run(root.parent, f"import {command} {shared / 'seeds' / file}", *begun)
    run(root, f"open --provisions {name} --on {day(1)} --commit", *everyone)
    at, first = 2, next(count for count in range(1, 99) if f"{300 + count}" not in lost(root))
    for count in range(first, first + 5):
        at = play_turn(root, count, at, EMPTY.format(count=count))
    assert len([*(root / "turns").glob("*.yml")]) == 5
    base = repo.git("rev-parse", "HEAD").strip()
    draft = (
        "---\ntitle: Doors\nauthor: quill\nstatus: draft\n---\n\n## Enact Rule: Doors\n\n"
        "Doors are shut.\n"
    )
    repo.commit("Propose: Doors", {"proposals/doors.md": draft})
    assert "refused" not in run(root, f"check --base {base} --on {day(at)}").splitlines()[
        -1
    ].replace("not refused", "")
    run(root, f"judgement file --judge {judge(root, at)} --title Doors --on {day(at)} --commit")
    run(root, f"plumbing pages {root / 'pages'}")
    assert any("Custom" in page.read_text("utf-8") for page in (root / "pages").rglob("*.md"))


def lost(root: Path) -> str:
    """Return what the archive says of numbers that were given before it was imported."""
    settings = (root / "nomic.yml").read_text("utf-8")
    numbers = re.search(r"proposals: \[([^\]]*)\]", settings)
    ranges = (
        part.strip().split("-")
        for part in (numbers[1].split(",") if numbers else ())
        if part.strip()
    )
    spent = [
        str(number)
        for low, *high in ranges
        for number in range(int(low), int((high or [low])[0]) + 1)
    ]
    return " ".join([*spent, *(path.stem for path in (root / "proposals").glob("*.md"))])


def judge(root: Path, at: int) -> str:
    """Return who may judge: whoever comes before the player of the next turn, or anybody."""
    line = f"judgement file --on {day(at)} --dry-run --judge"
    able = (
        one
        for one in PLAYERS
        if CliRunner().invoke(main, ["-C", str(root), *line.split(), one]).exit_code == 0
    )
    return next(able)


PEOPLE = ("players", "shown")


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_every_sentence_has_a_line_in_the_order_of_the_text(name: str) -> None:
    for rule in enforced_of_ruleset(name):
        rows = table_of(name)[int(rule.ref.partition("/")[0])]
        assert [
            (said.text, row["says"])
            for said, row in zip(rule.said, rows, strict=True)
            if words(said.text)[: len(words(row["says"]))] != words(row["says"])
        ] == []
        assert [said for said in rule.said if said.by in PEOPLE and said.finding] == []


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def test_a_ruleset_that_begins_a_game_has_all_its_rules() -> None:
    for name in ("suber", "paranomic", "nomic-iv"):
        assert sorted(table_of(name)) == sorted(rule.number for rule in played(name).replay.initial)
    assert set(table_of("pokey")) - set(table_of("suber")) == {
        301,
        304,
        305,
        308,
        309,
        310,
        312,
        313,
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_is_enforced_is_said_by_a_provision_that_makes_a_difference(name: str) -> None:
    game = played(name)
    initial = game.replay.initial
    law = Law.of(initial, game.records.settings, None)
    for rule in enforced_of_ruleset(name):
        for said in rule.said:
            if said.by in PEOPLE:
                continue
            assert said.by in kinds(), said
            assert said.finding == "" or said.finding in CODES, said
            held = our_rule(name, said.rule)
            if said.by not in (held.provisions or {}):
                assert said.why, said  # by what the program does where no rule says other
                continue
            begun = initial.once_numbered(held.number)
            if begun is not None and begun.ref == held.ref:
                without = initial.replaced(begun, begun_without(begun, said.by))
                other = Law.of(without, game.records.settings, None)
                assert (law.fields, law.listed) != (other.fields, other.listed), said


def begun_without(rule: Rule, kind: str) -> Rule:
    left = {key: value for key, value in (rule.provisions or {}).items() if key != kind}
    return replace(rule, provisions=left, law=parse_provisions(left, None)[0])


def test_sentences_are_told_apart() -> None:
    text = "One. Two!\n\n- Three? “Four.” Five\n2. Rule 203/0 is no. 5 of the set, e.g. here."
    assert sentences_of(text) == [
        "One.",
        "Two!",
        "Three?",
        "“Four.”",
        "Five",
        "Rule 203/0 is no. 5 of the set, e.g. here.",
    ]


def test_the_table_is_printed() -> None:
    said = run(Path(), "rulesets show suber")
    assert (
        "Rule 209/0: The ceiling\n  There are never more than 25 mutable rules.\n"
        "    enforced by `cap`, a breach is" in said
    )
    assert re.search(
        r"\n[0-9]+ sentences: [0-9]+ enforced, [0-9]+ shown, [0-9]+ left to the players\n\Z", said
    )
