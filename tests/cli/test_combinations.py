"""Any options of the commands that write, in any combination: an answer or a refusal, never a
traceback or a half.
"""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.cli.program import main
from tests.cli.playing import TEA, begun, registered, run, snapshot
from tests.deep import examples, sampled
from tests.support import GitRepo

DATES = (
    "2026-01-01",
    "2026-01-02",
    "2026-01-04",
    "2026-01-05T10:30",
    "2026-01-06",
    "2026-02-01",
    "0001-01-01",
)
LATE = ("9999-12-31", "9999-12-31T23:59", "2026-02-30", "today")
PLAYERS = ("osprey", "quill", "wren", "chair", "umpire", "gone", "away", "nobody", "W", "")
NUMBERS = ("301", "302", "303", "304", "1", "2", "0", "-1", "999999999999999999999", "x")
FACES = ("1", "3", "6", "7", "0", "-1", "99999999999999999999", "x")
TURNS = ("R1T1", "R1T2", "R1T3", "R2T1", "R9T9", "R999999T999999", "r1t1", "")
RULES = ("203", "205/0", "213", "999", "203/9", "0", "x/y")


FILES = ("ruling", "repeal", "void", "wrong", "open", "empty", "bytes", "missing", ".")


def texts(folder: Path) -> None:
    """Files for judgements; `missing` is none."""
    found = {
        "ruling": "So it is.\n",
        "repeal": "## Repeal Rule 213/0\n",
        "void": "## Mark Rule 205/0\n\n```yaml rule\nvoid: true\n```\n",
        "wrong": "## Amend Rule 999/9\n\nNo.\n\n## Abolish everything\n",
        "open": "```\nno end\n",
        "empty": "",
    }
    for name, text in found.items():
        (folder / name).write_text(text)
    (folder / "bytes").write_bytes(b"\xff\xfe\x00")


ARGUMENT, FLAG = "", ("",)
MOVE: dict[str, tuple[str, ...]] = {"--on": (*DATES, *LATE), "--dry-run": FLAG, "--commit": FLAG}
WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "vote": {
        ARGUMENT: (*NUMBERS, "for", "against", "abstain", "maybe"),
        "--player": PLAYERS,
        "--die": FACES,
    },
    "proposal resubmit": {ARGUMENT: NUMBERS},
    "proposal resolve": {ARGUMENT: NUMBERS},
    "proposal withdraw": {ARGUMENT: NUMBERS},
    "judgement overrule": {ARGUMENT: NUMBERS, "--by": PLAYERS, "--judgement": NUMBERS},
    "player leave": {ARGUMENT: PLAYERS},
    "player return": {ARGUMENT: PLAYERS},
    "player rest": {ARGUMENT: PLAYERS, "--until": (*DATES, *LATE)},
    "player join": {
        ARGUMENT: (*PLAYERS, "crake"),
        "--order": FACES,
        "--kind": ("person", "dummy", "bot", "cat"),
        "--name": ("Crake", "", "a\nb"),
    },
    "turn": {ARGUMENT: TURNS, "--player": PLAYERS, "--dice": FACES, "--end": FLAG, "--pass": FLAG},
    "judgement file": {
        "--judge": PLAYERS,
        "--called-by": PLAYERS,
        "--late": PLAYERS,
        "--rule": RULES,
        "--proposal": NUMBERS,
        "--voids": NUMBERS,
        "--turn": TURNS,
        "--under": ("212", "211", *NUMBERS),
        "--ruling": FILES,
        "--changes": FILES,
        "--question": FILES,
    },
}
"""What may stand behind each command: its options with their values, and its arguments."""


def typed(command: str) -> st.SearchStrategy[list[tuple[str, ...]]]:
    """Up to six of a command's arguments and options, the first most often an argument."""
    found = {**WORDS[command], **MOVE}
    parts = [
        tuple(filter(None, (name, value))) or ("",)
        for name, values in found.items()
        for value in values
    ]
    return st.lists(st.sampled_from(parts), min_size=1, max_size=6, unique=True)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with something of everything in it, out of git: 301 is open, 302 tied, 303 in debate,
    304 decided.
    """
    root = tmp_path_factory.mktemp("played")
    ballot = {
        "debate": 1,
        "dummy": {"die": 6, "for": [1, 2], "against": [3]},
        "tie_break": {"by": "umpire"},
    }
    law: dict[int, dict[str, Any]] = {
        105: {"ballot": {"electorate": "players", "everyone_votes": True}},
        111: {
            "ballot": {
                **ballot,
                "silence": "for",
                "closes_after": 3,
                "resubmissions": 1,
                "penalty": {"points": 3},
            }
        },
        201: {"turns": {"order": "seat", "passing": True, "passes_after": 9}},
        203: {"adoption": {"needs": "majority", "of": "eligible"}},
        206: {"sunset": {"after": {"date": "2026-01-20"}, "becomes": "repealed"}},
        212: {
            "authority": {"by": "judgement", "to": ["amend", "repeal"]},
            "judgements": {"judge": "anyone"},
        },
    }
    files = {
        "players/chair.yml": "name: Chair\nkind: dummy\njoined: 2026-01-01\n",
        "players/umpire.yml": "name: Umpire\nkind: bot\n",
        "players/gone.yml": "name: Gone\njoined: 2026-01-01\nleft: 2026-01-02\n",
        "players/away.yml": "name: Away\njoined: 2026-01-01\n"
        "inactive: [{since: 2026-01-04, until: 2026-01-09}]\n",
    }
    game = begun(GitRepo(root / "game"), law, files=files)
    run(game.path, "turn --on 2026-01-02")
    run(game.path, "turn --dice 4 --end --on 2026-01-02")
    run(game.path, "turn --on 2026-01-02")
    for number in (301, 302, 303, 304):
        (game.path / "turns/R1T2.yml").rename(root / "kept") if number == 301 else None
        registered(game, number, "2026-01-02", TEA.replace("There", f"There, {number},"))
    (root / "kept").rename(game.path / "turns/R1T2.yml")
    run(game.path, "vote 301 for --player quill --on 2026-01-04")
    run(game.path, "vote 302 for --player osprey --player quill --on 2026-01-03")
    run(game.path, "vote 302 against --player wren --player away --on 2026-01-03")
    run(
        game.path,
        "vote 304 against --player osprey --player wren --player quill --player away --on "
        "2026-01-03",
    )
    run(game.path, "proposal resolve 304 --on 2026-01-06")
    run(
        game.path,
        "judgement file --judge wren --rule 203 --ruling - --on 2026-01-06",
        feed="So it is.\n",
    )
    run(game.path, "judgement file --judge quill --rule 203 --on 2026-01-06")
    shutil.rmtree(game.path / ".git")
    return game.path


@pytest.mark.deep
@pytest.mark.parametrize("command", sampled(WORDS, every=4))
def test_an_answer_or_a_refusal(
    command: str, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts(tmp_path)
    monkeypatch.chdir(tmp_path)
    before, today = snapshot(played), datetime.now(UTC).date().isoformat()
    root = tmp_path / "game"

    @settings(max_examples=examples(0.25))
    @given(typed(command))
    def holds(parts: list[tuple[str, ...]]) -> None:
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(played, root)
        line = [command, *(word for part in parts for word in part)]
        result = CliRunner().invoke(main, ["-C", str(root), *line])
        assert result.exception is None or isinstance(result.exception, SystemExit), line
        assert result.exit_code in (0, 1, 2), line
        if result.exit_code or "--dry-run" in line:
            assert snapshot(root) == before, line
        if result.exit_code:
            assert "help: " in result.output or "Error: " in result.output, line
        else:
            days = [part[1] for part in parts if part[0] == "--on"]
            later = ("--on", days[-1]) if days and days[-1] > today else ()
            assert "error[" not in run(root, "check", *later), line

    holds()
