"""Hostile files cost little time and memory, and a finding says what they are, whichever command
reads them.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from nomicgen.files.mkdocs_config import SiteConfigError, read_site_config
from nomicgen.repository.data_folder import read_bundle
from nomicgen.repository.errors import RepositoryError, Unreadable
from nomicgen.repository.named_files import read_given
from tests.deep import sampled
from tests.explain_pages import BASE
from tests.hostile.forked import Forked
from tests.hostile.trees import DRAFT, TREES, Tree

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def forked() -> Iterator[Forked]:
    with Forked() as there:
        yield there


def laid(tree: Tree, root: Path) -> Path:
    shutil.copytree(BASE, root)
    lay(tree, root)
    return root


def lay(tree: Tree, root: Path) -> None:
    for path, data in tree.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    if tree.make is not None:
        tree.make(root)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "game"


@pytest.mark.parametrize("name", sampled(TREES, every=6))
def test_check_says_what_is_wrong_in_little_time_and_memory(
    name: str, root: Path, forked: Forked
) -> None:
    tree = TREES[name]
    code, said = forked.run(laid(tree, root), "check")
    if tree.refused is not None:
        assert code == 2
        assert tree.refused in said
        assert len(said) < 50_000
        return
    assert code == 1
    for line in tree.said:
        assert line in said, said[:3000]
    assert max(map(len, said.splitlines())) < 2000
    assert len(said) < 200_000


SLOW = ["pictures without an end", "brackets in 4 KiB", "emphasis"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", sampled(SLOW, every=3))
def test_a_text_beyond_bounds_reaches_no_other_command(
    name: str, root: Path, forked: Forked
) -> None:
    laid(TREES[name], root)
    said = TREES[name].said[0]
    code, shown = forked.run(root, "proposal", "preview", "echo")
    assert (code, said in shown) == (1, True), shown[:2000]
    text = (root / DRAFT).read_bytes()
    code, shown = forked.run(root, "proposal", "preview", "-", given=str(root / DRAFT))
    assert (code, said.replace(DRAFT, "stdin") in shown) == (1, True), shown[:2000]
    code, shown = forked.run(root, "register", "echo")
    assert (code, said in shown, f"{DRAFT} could not be read" in shown) == (1, True, True), shown[
        :2000
    ]
    assert (root / DRAFT).read_bytes() == text


@pytest.mark.nightly
def test_a_slow_text_is_refused_by_an_import(tmp_path: Path, forked: Forked) -> None:
    (tmp_path / "rules.md").write_text("## 101\n\n" + "![" * 400_000 + "\n\n## 102\n\nA rule.\n")
    code, said = forked.run(
        tmp_path, "import", "text", "rules.md", "--into", "club", "--accept", "50", "--dry-run"
    )
    place = "rules/initial/101.md:7:1: error[markdown-intricate]"
    assert (code, place in said, (tmp_path / "club").exists()) == (1, True, False), said[:2000]


HARD = {
    "a pipe": ["a pipe"],
    "much at once": [
        "brackets in 4 KiB",
        "marks in a rule",
        "a name of two lines",
        "a sparse picture",
        "a deep list",
    ],
}
COMMANDS = [
    "check --format json",
    "check --format sarif",
    "check --format github",
    "check --base main",
    "proposal preview --base main --format markdown",
    "status",
    "next --format json",
    "next --do --dry-run",
    "show 301",
    "rule history 203",
    "rule blame 203",
    "rule cite 203",
    "rule diff 203/0 203/0",
    "export long",
    "scores",
    "verify",
    "register --from main --dry-run",
    "apply --dry-run",
    "plumbing pages ../pages",
    "mkdocs build -q -d ../site",
]


@pytest.mark.parametrize("name", sampled(HARD, every=2))
def test_every_command_ends_soon_with_findings_or_an_error(
    name: str, root: Path, forked: Forked
) -> None:
    shutil.copytree(BASE, root)
    git = ["git", "-c", "user.name=Wren", "-c", "user.email=wren@example.org"]
    for words in ("init -q -b main", "add -A", "commit -qm Begin"):
        subprocess.run([*git, *words.split()], cwd=root, check=True, capture_output=True)
    for tree in HARD[name]:
        lay(TREES[tree], root)
    (root / "mkdocs.yml").write_text("site_name: A game\nplugins: [nomicgen]\n")
    (root / "docs").mkdir()
    for command in COMMANDS:
        code, said = forked.run(root, *command.split())
        assert len(said) < 200_000, command
        if name == "a pipe" and command not in (
            "register --from main --dry-run",
            "verify",
        ):  # they read commits
            assert (code, "rules/400.md cannot be read: it is no ordinary file" in said) != (
                0,
                False,
            ), command


@pytest.mark.nightly
def test_what_is_named_is_read_if_it_is_a_file(tmp_path: Path, root: Path, forked: Forked) -> None:
    laid(Tree(), root)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "large").open("wb") as stream:
        stream.truncate(1 << 40)
    (tmp_path / "deep").write_text("[" * 100_000)
    (tmp_path / "digits").write_text('{"id": ' + "9" * 1_000_000 + "}")
    (tmp_path / "half").write_text(
        '[{"id": 1, "user": {"login": "\\ud800"}, "body": "/vote for", "state": "X"}]'
    )
    asked = (
        "plumbing tally 302 --reviews FILE",
        "import text FILE --into ../club",
        "import long FILE --into ../club",
        "import agora FILE --into ../club",
        "verify --published FILE",
        "pages ../pages --config FILE",
        "preview FILE",
        "propose --title A --author wren --dry-run --body FILE",
    )
    for command in asked:
        for name in ("circle", "folder", "large", "/dev/zero", "/proc/self/mem"):
            code, said = forked.run(
                root, *(str(tmp_path / name) if one == "FILE" else one for one in command.split())
            )
            assert (code in (1, 2), len(said) < 3000) == (True, True), (command, name, said[:3000])
    for name in ("deep", "digits", "half"):
        code, said = forked.run(root, "plumbing", "tally", "302", "--reviews", str(tmp_path / name))
        assert len(said) < 3000, said[:3000]
    for name in ("circle", "pipe"):
        code, said = forked.run(root, "-C", str(tmp_path / name), "check")
        assert code == 2, said
    code, said = forked.run(root, "import", "agora", str(tmp_path / "pipe"), "--into", "../club")
    assert "it is no ordinary file" in said
    assert not (tmp_path / "club").exists()
    assert not (tmp_path / "pages").exists()


def test_a_pipe_that_nobody_fills_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="nothing comes out of it"):
        read_given(tmp_path / "pipe", 10, silent=0.05)
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"some words",))
    writer.start()
    assert read_given(tmp_path / "pipe", 100) == b"some words"
    writer.join()


SETTINGS = {
    "digits": "a: " + "9" * 5000,
    "a day": "a: 2026-02-30",
    "a tag": "a: !!int",
    "deep": "a: " + "[" * 2000,
    "a circle": "nav: &a [*a]",
    "a bomb": "a: &a [x, x]\n"
    + "\n".join(f"{c}: &{c} [*{b}, *{b}]" for b, c in pairwise("abcdefghijklmnopqrst")),
    "half a character": 'a: "\\ud800"',
    "no path": 'docs_dir: "a\\0b"',
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_a_site_that_cannot_be_used(name: str) -> None:
    with pytest.raises(SiteConfigError):
        assert read_site_config(f"site_name: A\n{SETTINGS[name]}\n", str).docs_dir


def test_an_archive_does_not_come_out_larger_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = tarfile.TarInfo("data/rules/101")
    head.size = 1 << 30
    with gzip.open(tmp_path / "bomb.tar.gz", "wb", compresslevel=1) as stream:
        stream.write(head.tobuf() + bytes(1 << 20))
    monkeypatch.setattr("nomicgen.repository.data_folder._UNPACKED", 1 << 16)
    with pytest.raises(RepositoryError, match="come out of the archive"):
        read_bundle(tmp_path / "bomb.tar.gz", ["rules"], bool)
    name = tarfile.TarInfo("name")
    name.type, name.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    (tmp_path / "name.tar").write_bytes(name.tobuf() + bytes(1024))
    with pytest.raises(Unreadable):
        read_bundle(tmp_path / "name.tar", ["rules"], bool)


@pytest.mark.parametrize("command", ["check", "check --format json", "--help"])
def test_a_full_disk_is_told_in_a_line(command: str, root: Path, forked: Forked) -> None:
    code, said = forked.run(laid(Tree(), root), *command.split(), out="/dev/full")
    assert (code, said.splitlines()[0]) == (
        2,
        "error: the output cannot be written: No space left on device",
    )
