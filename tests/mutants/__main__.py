"""Mutation testing by hand: `python -m tests.mutants law files --count 300 --seed 1`, or `make
mutants COUNT=300`.

So many mutants of each part are drawn and tried; --all tries every one (a day). It fails if less
than nine tenths of them are killed, or if one survives that survivors.toml does not name. What each
became is in build/mutants/PART/.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.sampling import PARTS, Mutant, lay_out, mutated, sample
from tests.mutants.survivors import FILE, survivors

WANTED = 0.9
"""The share of mutants that the tests are to kill."""
PLACE = Path("build") / "mutants"
SELECTION = (
    *("law", "files", "history", "play", "played", "test_explain.py"),
    *("pulls/test_pulls.py", "repository/test_provenance.py"),
    *("mutations/test_mutations_law.py", "mutations/test_mutations_votes.py"),
)
"""Quick tests, most of which see the two parts closely. Those of the command line would kill some
more, in hours.
"""
LEFT_OUT = (
    "tests/play/test_scaffold.py",
    "tests/play/preview/test_command.py",
    "tests/played/test_init.py",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries the mutants, and says what became of them. Gives 1 where too many live, or one without
    a reason.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument(
        "--count", type=int, default=300, help="mutants to draw of each part (default: 300)"
    )
    parser.add_argument("--all", action="store_true", help="try them all")
    parser.add_argument(
        "--seed", type=int, default=1, help="other mutants for another number (default: 1)"
    )
    parser.add_argument(
        "--seconds", type=float, default=30, help="of tests for one mutant, at most (default: 30)"
    )
    asked = parser.parse_args(arguments)
    count = None if asked.all else asked.count
    return max([_part(part, count, asked.seed, asked.seconds) for part in asked.parts or PARTS])


def _part(part: str, count: int | None, seed: int, seconds: float) -> int:
    modules = mutated(part)
    drawn = sample(modules, count, seed)
    place = PLACE / part
    lay_out(place / "tree", {one.path: one.code for one in modules})
    (place / "mutants.json").write_text(json.dumps([one.name for one in drawn]), "utf-8")
    outcomes = place / "outcomes.json"
    for old in (outcomes, place / "tests.json"):
        old.unlink(missing_ok=True)
    _ran(place / "tree", seconds)
    became: dict[str, str] = json.loads(outcomes.read_text("utf-8"))
    return _told(part, drawn, became, sum(len(one.mutants) for one in modules))


def _ran(tree: Path, seconds: float) -> None:
    """Has pytest try them; what it says is shown."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n0",
        "-p",
        "tests.mutants.forks",
        "-p",
        "no:cacheprovider",
    ]
    command += [
        "--hypothesis-profile=mutants",
        "-W",
        "ignore::SyntaxWarning",
        f"--seconds={seconds}",
        "--no-header",
    ]
    command += ["--mutants=../mutants.json", "--outcomes=../outcomes.json"]
    command += [f"--ignore={name}" for name in LEFT_OUT] + [f"tests/{name}" for name in SELECTION]
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree.resolve()),
        "PYTHONHASHSEED": "0",
        "NOMICGEN_EXAMPLES": "quick",
    }
    subprocess.run(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, check=True)


def _told(part: str, drawn: Sequence[Mutant], became: dict[str, str], total: int) -> int:
    reasons = survivors()
    alive = [one for one in drawn if became[one.name] in {"survived", "untested"}]
    unnamed = [one for one in alive if one.change not in reasons]
    for one in unnamed:
        made = one.change
        print(f"\n{made.module} {made.function}: {became[one.name]}\n- {made.was}\n+ {made.now}")
    share = 1 - len(alive) / len(drawn)
    # The finite population matters: all of them leave nothing to guess.
    unknown = (total - len(drawn)) / max(total - 1, 1)
    error = 1.96 * math.sqrt(share * (1 - share) / len(drawn) * unknown)
    counts = ", ".join(
        f"{number} {what}" for what, number in sorted(Counter(became.values()).items())
    )
    print(f"{part}: {len(drawn)} of {total} mutants: {counts}; {share:.1%} ± {error:.1%} killed")
    print(f"{len(unnamed)} of those that live have no reason in {FILE.name}")
    return 1 if unnamed or share < WANTED else 0


if __name__ == "__main__":
    sys.exit(main())
