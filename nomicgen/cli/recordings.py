"""Recordings of a pull request, in files that a command is given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from nomicgen.cli.common import complain
from nomicgen.importers.github import LIMIT, Recorded, read_recorded
from nomicgen.repository.tree import shown_path

__all__ = ["recording"]


def recording(files: Sequence[BinaryIO], ballots_by: str) -> Recorded:
    """What files of a forge's JSON record. Ends the command, with all that is wrong, where it is not whole."""
    recorded = read_recorded(
        [(shown_path(getattr(stream, "name", "stdin")), stream.read(LIMIT + 1)) for stream in files],
        ballots_by=ballots_by,
    )
    if recorded.fatal:
        for one in recorded.fatal:
            complain(str(one), one.help)
        raise SystemExit(2)
    return recorded
