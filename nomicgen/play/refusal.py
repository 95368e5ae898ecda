"""What every command must be ready for, whatever it loads: a move that cannot be made."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from nomicgen.model.findings import Findings
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment


class Wait(Struct, frozen=True, kw_only=True):
    """What a lawful move waits for, in `words` without a full stop: perhaps a player's turn, or a moment.

    `turn` is that turn (`R2T1`), None where no rule says which it will be.
    """

    words: str
    player: PlayerId | None = None
    turn: str | None = None
    since: Moment | None = None


# Not frozen: a context manager that it passes gives it another traceback.
@dataclass(eq=False)
class Refused(Exception):
    """A move that cannot be made: `message` says why, `remedy` what to type, `findings` what would be wrong.

    With `waits` nothing is wrong with it: it can be made later.
    """

    message: str
    remedy: str = ""
    findings: Findings = ()
    waits: Wait | None = None
