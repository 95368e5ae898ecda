"""Patterns that strangers write: RE2 matches them in linear time, so that none can run for ever.

The syntax: https://github.com/google/re2/wiki/Syntax
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple

import re2

from nomicgen.model.types import Type

_HAS_BYTE = r"(?s)(?:[^\\]|\\[^C])*\\C"
"""A pattern that has the sign for a single byte."""


@cache
def compile_linear(pattern: str | bytes) -> Any:
    """Return a pattern compiled by RE2: a `str` matches text, `bytes` match UTF-8.

    Raises ValueError, which says what is wrong with it.
    """
    words = pattern.decode() if isinstance(pattern, bytes) else pattern
    if re.match(_HAS_BYTE, words):
        raise ValueError("\\C matches a byte, which may be a part of a letter")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        said = error.args[0]
        why = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        raise ValueError(f"`{words}` is no pattern that RE2 takes: {why}") from None


class Checked(NamedTuple):
    """A mark of a type, `Annotated[T, Checked(function)]`: a value for which the function raises
    ValueError is refused.
    """

    check: Callable[[Any], object]

    def refine(self, base: Type) -> Type:
        def read(value: Any) -> Any:
            known = base.read(value)
            self.check(known)
            return known

        return Type(read, base.schema)


Pattern = Annotated[str, Checked(compile_linear)]
"""The type of a map's key that holds a pattern."""
