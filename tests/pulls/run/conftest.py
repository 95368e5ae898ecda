"""A game of three with accounts, and the forge that it is played on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pulls.pulling import Forge, forged
from tests.support import GitRepo


@pytest.fixture
def forge(tmp_path: Path) -> Forge:
    return Forge(tmp_path / "forge")


@pytest.fixture
def game(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return forged(git_repo())
