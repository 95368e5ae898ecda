"""Hostile files cost little time and memory, and a finding says what they are. Each is read by a process of its own."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.explain_pages import BASE
from tests.hostile.trees import DRAFT, TREES, Tree

SECONDS = 25
"""Of processor time: several times what the slowest takes."""
MEMORY = 1 << 30


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def nomicgen(root: Path, *arguments: str, given: bytes = b"") -> tuple[int, str]:
    """What a command says within the limits, and how it ends."""
    done = subprocess.run(
        [sys.executable, "-m", "nomicgen", *arguments],
        cwd=root,
        input=given,
        capture_output=True,
        preexec_fn=_limited,
        check=False,
    )
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said, said[-2000:]
    assert re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", said) is None
    return done.returncode, said


def laid(tree: Tree, root: Path) -> Path:
    shutil.copytree(BASE, root)
    for path, data in tree.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    if tree.make is not None:
        tree.make(root)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "game"


@pytest.mark.parametrize("name", TREES)
def test_check_says_what_is_wrong_in_little_time_and_memory(name: str, root: Path) -> None:
    tree = TREES[name]
    code, said = nomicgen(laid(tree, root), "check")
    if tree.refused is not None:
        assert code == 2
        assert tree.refused in said
        assert len(said) < 50_000
        return
    assert code == 1
    for line in tree.said:
        assert line in said, said[:3000]
    assert max(map(len, said.splitlines())) < 2000
    assert len(said) < 50_000


SLOW = ["pictures without an end", "brackets in 4 KiB", "emphasis"]


@pytest.mark.parametrize("name", SLOW)
def test_a_text_beyond_bounds_reaches_no_other_command(name: str, root: Path) -> None:
    laid(TREES[name], root)
    said = TREES[name].said[0]
    code, shown = nomicgen(root, "preview", "echo")
    assert (code, said in shown) == (1, True), shown[:2000]
    text = (root / DRAFT).read_bytes()
    code, shown = nomicgen(root, "preview", "-", given=text)
    assert (code, said.replace(DRAFT, "stdin") in shown) == (1, True), shown[:2000]
    code, shown = nomicgen(root, "register", "echo")
    assert (code, "there is no draft echo" in shown) == (2, True), shown[:2000]
    assert (root / DRAFT).read_bytes() == text


def test_a_slow_text_is_refused_by_an_import(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("## 101\n\n" + "![" * 400_000 + "\n\n## 102\n\nA rule.\n")
    code, said = nomicgen(tmp_path, "import", "text", "rules.md", "--into", "club", "--dry-run")
    place = "rules/initial/101.md:7:1: error[markdown-intricate]"
    assert (code, place in said, (tmp_path / "club").exists()) == (1, True, False), said[:2000]
