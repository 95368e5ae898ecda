"""GitHub's expressions, as far as the workflows use them: what stands between `${{` and `}}`, and
what `if:` says.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<number>\d+)|(?P<name>[A-Za-z_][\w-]*)|(?P<sign>&&|\|\||==|!=|[!().,*]))"
)
_EMBEDDED = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_STATUS = re.compile(r"\b(?:cancelled|always|failure|success)\(")

Contexts = Mapping[str, Any]


def evaluated(text: str, contexts: Contexts) -> Any:
    """A value of a workflow: that of an expression where the text is one, else the text with values
    in it.
    """
    if (whole := _EMBEDDED.fullmatch(text.strip())) is not None:
        return value_of(whole[1], contexts)
    return _EMBEDDED.sub(lambda match: as_text(value_of(match[1], contexts)), text)


def holds(condition: str | bool | None, contexts: Contexts) -> bool:
    """Whether an `if:` holds; one that asks for no status asks for success."""
    if condition is None or isinstance(condition, bool):
        return condition is not False and bool(contexts["success"])
    whole = _EMBEDDED.fullmatch(condition.strip())
    text = whole[1] if whole else condition
    return bool(value_of(text, contexts)) and bool(_STATUS.search(text) or contexts["success"])


def as_text(value: Any) -> str:
    """A value in a text: nothing is empty, and truth is a word."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_of(text: str, contexts: Contexts) -> Any:
    """The value of an expression. Raises ValueError for what is none."""
    reader = _Reader(text, contexts)
    value = reader.either()
    if reader.sign is not None:
        raise ValueError(f"{reader.sign!r} is left over in {text!r}")
    return value


class _Reader:
    """Reads an expression from left to right, one token ahead."""

    def __init__(self, text: str, contexts: Contexts) -> None:
        self.contexts = contexts
        self.tokens: list[tuple[str, str]] = []
        at, text = 0, text.strip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                raise ValueError(f"no expression: {text!r}")
            self.tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        self.tokens.reverse()

    @property
    def sign(self) -> str | None:
        return self.tokens[-1][1] if self.tokens else None

    def takes(self, sign: str) -> bool:
        if self.sign == sign and self.tokens[-1][0] == "sign":
            self.tokens.pop()
            return True
        return False

    def either(self) -> Any:
        value = self.both()
        while self.takes("||"):
            other = self.both()
            value = value or other
        return value

    def both(self) -> Any:
        value = self.equal()
        while self.takes("&&"):
            other = self.equal()
            value = value and other
        return value

    def equal(self) -> Any:
        value = self.opposite()
        while self.sign in ("==", "!="):
            wanted = self.tokens.pop()[1] == "=="
            value = (_same(value, self.opposite())) == wanted
        return value

    def opposite(self) -> Any:
        if self.takes("!"):
            return not self.opposite()
        return self.path()

    def path(self) -> Any:
        value = self.primary()
        while self.takes("."):
            if self.takes("*"):
                self.tokens.append(("sign", "."))
                self.takes(".")
                value = [self.member(one) for one in self.each(value)]
            else:
                value = _member(value, self.name())
        return value

    def each(self, value: Any) -> list[Any]:
        if not self.takes("."):
            raise ValueError("`*` is followed by a name")
        self.wanted = self.name()
        return list(value or ())

    def member(self, value: Any) -> Any:
        return _member(value, self.wanted)

    def name(self) -> str:
        kind, text = self.tokens.pop()
        if kind != "name":
            raise ValueError(f"{text!r} is no name")
        return text

    def primary(self) -> Any:
        if self.takes("("):
            value = self.either()
            self.must(")")
            return value
        kind, text = self.tokens.pop()
        if kind == "string":
            return text[1:-1].replace("''", "'")
        if kind == "number":
            return int(text)
        if kind != "name":
            raise ValueError(f"{text!r} is no value")
        if self.takes("("):
            return self.call(text)
        constants = {"true": True, "false": False, "null": None}
        return constants[text] if text in constants else self.contexts[text]

    def call(self, name: str) -> Any:
        given = []
        while not self.takes(")"):
            given.append(self.either())
            self.takes(",")
        if name in ("cancelled", "always", "success", "failure"):
            done = bool(self.contexts["success"])
            return {"cancelled": False, "always": True, "success": done, "failure": not done}[name]
        return _FUNCTIONS[name](*given)

    def must(self, sign: str) -> None:
        if not self.takes(sign):
            raise ValueError(f"{sign!r} is missing")


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _same(one: Any, other: Any) -> bool:
    """Texts whatever their case; what is of two kinds, as numbers; an object is only itself."""
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    if type(one) is type(other):
        return one is other if isinstance(one, dict | list) else bool(one == other)
    return _number(one) == _number(other)


def _number(value: Any) -> float:
    """Nothing and the empty text are nought; what is no number equals none."""
    try:
        return float(value or 0) if not isinstance(value, dict | list) else math.nan
    except ValueError:
        return math.nan


def _contains(where: Any, what: Any) -> bool:
    if isinstance(where, list):
        return any(_same(one, what) for one in where)
    return as_text(what).lower() in as_text(where).lower()


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "contains": _contains,
    "format": lambda text, *given: text.format(*map(as_text, given)),
    "startsWith": lambda text, start: as_text(text).lower().startswith(as_text(start).lower()),
}
