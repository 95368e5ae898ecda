"""Regular expressions that are compiled when they are first used: a start of the program uses few of two hundred."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AnyStr

__all__ = ["lazy_pattern"]


class _Pattern:
    """Stands for a compiled expression, and becomes as quick as one: its methods are kept where they are looked up."""

    def __init__(self, text: Any, flags: int = 0) -> None:
        self.pattern = text
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self.flags), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:

    def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """The expression. Raises re.error where it is used first, if it is none."""

else:
    lazy_pattern = _Pattern
