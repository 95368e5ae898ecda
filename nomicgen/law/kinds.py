"""The kinds of provisions that there are: the modules of `law/provisions`, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from nomicgen.law import provisions
from nomicgen.law.kind import Combination, Kind, Provision


@cache
def kinds() -> Mapping[str, Kind[Provision]]:
    """Return every kind by its name, in alphabetical order. The first call imports them."""
    names = sorted(module.name for module in iter_modules(provisions.__path__))
    return {name: module_of(name).KIND for name in names}


@cache
def schemas_of(*ways: Combination) -> tuple[type[Provision], ...]:
    """Return the schemas of the kinds whose words combine in one of these ways."""
    return tuple(kind.schema for kind in kinds().values() if kind.combines in ways)


def module_of(kind: str) -> ModuleType:
    """Return the module of a kind."""
    return import_module(f"{provisions.__name__}.{kind}")
