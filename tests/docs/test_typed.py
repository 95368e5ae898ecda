"""Pages of the guide that show what a shell prints: everything in them is typed, and prints just that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.deep import sampled
from tests.docs.typed import GUIDE, Fence, Typed, agrees, fences, play, shell, steps, typed
from tests.support import ROOT

PAGES = sorted(
    page.relative_to(GUIDE).as_posix()
    for page in GUIDE.rglob("*.md")
    if any(isinstance(step, Typed) for step in steps(page.read_text("utf-8")))
)
"""Those of the guide that show what is typed, and what is printed."""


@pytest.mark.parametrize("name", sampled(PAGES, every=len(PAGES), always=["player/tutorial.md"]))
def test_what_a_page_shows_is_what_a_shell_prints(name: str, tmp_path: Path) -> None:
    done = play((GUIDE / name).read_text("utf-8"), tmp_path)
    assert done
    wrong = [
        f"{name}:{step.line}: $ {step.command}\n--- the page\n{step.shown}\n--- the shell\n{output}"
        for step, output in done
        if not agrees(step.shown, output)
    ]
    assert not wrong, "\n\n".join(wrong)


def test_the_readme_can_be_typed_in_order(tmp_path: Path) -> None:
    blocks = [fence.content for fence in fences((ROOT / "README.md").read_text("utf-8")) if fence.info == "sh"]
    status, output = shell("set -e\n" + "".join(one for one in blocks if "nomicgen " in one), tmp_path)
    assert status == 0, output
    assert "\nnothing was written (--dry-run)\n" in output
    assert re.search(
        r"\n  [0-9a-f]{10}  Enacted by Proposal 301 \(wren\), .*\n30 rules in force, .*nothing is wrong\n$", output
    )


def test_a_console_block_is_read_as_commands_with_their_output() -> None:
    fence = Fence("console", "$ one \\\n    --two\nthree\n\nfour\n\n$ five\n", 10)
    assert list(typed(fence)) == [
        Typed(line=11, command="one \\\n    --two", shown="three\n\nfour"),
        Typed(line=17, command="five"),
    ]


@pytest.mark.parametrize(
    ("shown", "output", "expected"),
    [
        ("commit 0123456789ab", "commit ba9876543210\n", True),
        ("commit 0123456789ab", "comment ba9876543210\n", False),
        ("one\n…\nfour", "one\ntwo\nthree\nfour\n", True),
        ("one\n…\nfour", "one\nfive\n", False),
        ("one", "one\ntwo\n", False),
        ("", "an error\n", False),
        ("accede to it", "accede to it\n", True),
    ],
)
def test_only_ids_and_left_out_lines_may_differ(shown: str, output: str, expected: bool) -> None:
    assert agrees(shown, output) is expected
