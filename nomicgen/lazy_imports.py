"""What keeps a start short: modules that are loaded when a name of theirs is asked for first, and no collector.

A command waits for what it imports, and most of a package is for other commands. Such a package imports its names for
type checkers, and gives `__getattr__` the table of the modules that they stand in. Where a function has its module's
name, `from package import name` would give whichever of the two was bound last: a test forbids it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector of cyclic garbage, while much is made that stays: modules, records, a replay.

    They make no such garbage, and to look for it takes a sixth of the time of a long game.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def later(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """A package's `__getattr__`, by the names that each of its modules gives (PEP 562)."""
    places = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{places[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
