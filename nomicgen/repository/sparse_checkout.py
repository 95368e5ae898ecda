"""Whether a sparse checkout leaves files of the game out: what is left of it is another game.

Git need not be asked where there is no such checkout, and so it is not loaded.
"""

from __future__ import annotations

import os
from pathlib import Path

from nomicgen import repository
from nomicgen.repository.errors import Hung, RepositoryError, Sparse, Special
from nomicgen.repository.paths import real
from nomicgen.repository.special_files import pointed


def require_whole(root: Path) -> None:
    """That every file of the game that git has is on disk, in a checkout that may leave some out.

    Raises Sparse, and Hung and Special, as whoever asks git next would wait again.
    """
    here = real(root)
    for directory in (here, *here.parents):
        if os.path.lexists(directory / ".git"):
            if os.path.lexists(pointed(directory / ".git") / "info" / "sparse-checkout"):
                _require_present(root)
            return


def _require_present(root: Path) -> None:
    try:
        repository.require_present(root)
    except (Sparse, Hung, Special):
        raise
    except RepositoryError:
        return  # whoever needs git will hear of it
