"""A keeper mends what was recorded: an archive may be mended until it is opened, and is no proof of its past."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.archives import entered, faults, lamps
from tests.cli.playing import run
from tests.support import GitRepo, once

OPEN = "open --adoption majority --adoption-rule 2 --player ada --on 2026-01-20 --commit"


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    repo = git_repo()
    text = repo.path.parent / "3.md"
    text.write_text("There is one lmap.\n", "utf-8")

    def play(new: GitRepo) -> None:
        made = lamps(new)
        for number, day in ((301, "2020-06-01"), (305, "2020-07-01")):
            run(made.path, f"record 3 --on {day} --text {text} --commit", "--by", f"Proposal {number}")

    return once("one lmap", repo, play)


def mended(archive: GitRepo, path: str, old: str, new: str) -> None:
    """A commit by hand that changes a file, and what follows of it."""
    file = archive.path / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    run(archive.path, "apply --on 2026-01-22")
    archive.git("add", "-A")
    archive.git("commit", "-qm", f"Mend {path}")


MENDED = [
    ("proposals/301.md", "decided: 2020-06-01", "decided: 2020-05-30"),
    ("proposals/301.md", "one lmap", "one lamp"),
    ("proposals/305.md", "one lmap", "one lamp"),
    ("nomic.yml", "tiers:", "started: 2020-01-01\ntiers:"),
    ("rules/initial/4.md", "oil", "oil enough"),
]


@pytest.mark.parametrize(("path", "old", "new"), MENDED)
def test_what_is_mended_in_an_archive_is_no_error(archive: GitRepo, path: str, old: str, new: str) -> None:
    mended(archive, path, old, new)
    assert faults(archive) == []
    head = archive.git("rev-parse", "HEAD").strip()
    said = run(archive.path, "verify")
    assert f"\nup to {head[:12]} this is an archive, which is no proof of its past\n" in said
    run(archive.path, OPEN)
    assert faults(archive) == []
    assert f"\nup to {head[:12]} this is an archive, which is no proof of its past\n" in run(archive.path, "verify")
    entered(archive, "4 --on 2020-06-10 --lost")
    assert faults(archive) == []


@pytest.mark.parametrize(("path", "old", "new"), MENDED)
def test_once_it_is_played_it_is_one(archive: GitRepo, path: str, old: str, new: str) -> None:
    run(archive.path, OPEN)
    mended(archive, path, old, new)
    assert "error[verify-past]" in run(archive.path, "verify", code=1)


def test_taking_the_provisions_out_makes_no_archive_of_a_game(archive: GitRepo) -> None:
    run(archive.path, OPEN)
    opening = archive.path / "acts/2026-01-20-opening.md"
    opening.unlink()
    run(archive.path, "apply --on 2026-01-22")
    archive.git("add", "-A")
    archive.git("commit", "-qm", "Not opened")
    assert "error[verify-past]" in run(archive.path, "verify", code=1)
