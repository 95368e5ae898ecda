"""The exception for a move that cannot be made, which every command has to expect."""

from __future__ import annotations

from dataclasses import dataclass

from nomicgen.model.findings import Findings, Wait

__all__ = ["Refused", "Wait"]


# Not frozen: a context manager that it passes through sets its traceback.
@dataclass(eq=False)
class Refused(Exception):
    """A move that cannot be made: `message` says why, `remedy` what to do, `findings` what would be
    wrong.

    If it has `waits`, nothing is wrong with the move itself, and it can be made later.
    """

    message: str
    remedy: str = ""
    findings: Findings = ()
    waits: Wait | None = None
