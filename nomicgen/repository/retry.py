"""Waiting for what another command holds, and lets go of in a moment."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

_PAUSE = 0.02
_T = TypeVar("_T")


def retry_while(attempt: Callable[[], _T], held: type[Exception], wait: float = 2.0) -> _T:
    """Return what `attempt` returns. While it raises the error `held`, it is tried again; after
    `wait` seconds that error is raised.
    """
    deadline = monotonic() + wait
    while True:
        try:
            return attempt()
        except held:
            if monotonic() >= deadline:
                raise
            sleep(_PAUSE)
