"""What stands in for mutmut's trampolines: they cost every call some microseconds, this costs
nothing.

A module with its mutants imports `kept` from here. It gives each function back as it is, and knows
it; `switch` gives a function the code of one of its mutants, for good: that is what a child process
is for.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType, MethodType

from mutmut.mutation.trampoline_templates import mangle_function_name
from mutmut.utils.format_utils import mangled_name_from_mutant_name

MutantDict = dict[str, FunctionType | MethodType]
IMPORT = "from mutmut.mutation.trampoline import wrap_in_trampoline as _mutmut_mutated, MutantDict"
"""What mutmut writes into each module, and what we want there."""
OURS = f"from {__name__} import kept as _mutmut_mutated, MutantDict"

_KNOWN: dict[str, tuple[FunctionType, MutantDict]] = {}


def kept(
    mutants: MutantDict, is_classmethod: bool = False
) -> Callable[[FunctionType], FunctionType]:
    """Decorates a function, whose mutants will be put into the mapping."""

    def keep(function: FunctionType) -> FunctionType:
        inside, _, name = function.__qualname__.rpartition(".")
        mangled = mangle_function_name(name=name, class_name=inside or None)
        _KNOWN[f"{function.__module__}.{mangled}"] = (function, mutants)
        return function

    return keep


def functions() -> dict[CodeType, str]:
    """The functions that have been imported, each by mutmut's name for it."""
    return {function.__code__: name for name, (function, _) in _KNOWN.items()}


def switch(mutant: str) -> None:
    """Makes a mutant of its function. Raises KeyError for one that has not been imported."""
    function, mutants = _KNOWN[mangled_name_from_mutant_name(mutant)]
    found = mutants[mutant.rpartition(".")[2]]
    made = found.__func__ if isinstance(found, MethodType) else found
    assert isinstance(made, FunctionType)
    function.__code__ = made.__code__
    function.__defaults__ = made.__defaults__
    function.__kwdefaults__ = made.__kwdefaults__
