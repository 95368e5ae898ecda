"""A write of hundreds of files, flushed by several threads, is carried out whole or not at all like any other."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from nomicgen.repository.errors import WriteFailed
from nomicgen.repository.write_plan import WritePlan, execute
from tests.repository.crash import OLD
from tests.repository.places import contents, fill


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return fill(tmp_path / "game", OLD)


def test_many_files_are_all_on_the_disk_before_the_write_is_decided(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: set[int] = set()
    missing: list[str] = []
    fsync, rename = os.fsync, os.rename

    def noted(handle: int) -> None:
        fsync(handle)
        flushed.add(os.fstat(handle).st_ino)

    def checked(source: Path, target: Path) -> None:
        if target.name == "commit":
            missing.extend(str(path) for path in source.iterdir() if path.stat().st_ino not in flushed)
        rename(source, target)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "rename", checked)
    writes = {f"acts/2020-01-01-{number}.md": b"%d\n" % number for number in range(300)}
    execute(game, WritePlan(writes=writes))
    assert missing == []
    assert contents(game) == OLD | writes


def test_a_disk_that_refuses_one_of_many_files_refuses_the_write(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync, made = os.fsync, []

    def refuse(handle: int) -> None:
        made.append(handle)
        if len(made) == 150:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(WriteFailed):
        execute(game, WritePlan(writes={f"acts/{number}.md": b"x\n" for number in range(300)}))
    assert contents(game) == OLD
    assert not (game / ".nomicgen").exists()
