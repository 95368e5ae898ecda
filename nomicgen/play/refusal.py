"""What every command must be ready for, whatever it loads: a move that cannot be made."""

from __future__ import annotations

from dataclasses import dataclass

from nomicgen.model.findings import Findings, Wait

__all__ = ["Refused", "Wait"]


# Not frozen: a context manager that it passes gives it another traceback.
@dataclass(eq=False)
class Refused(Exception):
    """A move that cannot be made: `message` says why, `remedy` what to type, `findings` what would
    be wrong.

    With `waits` nothing is wrong with it: it can be made later.
    """

    message: str
    remedy: str = ""
    findings: Findings = ()
    waits: Wait | None = None
