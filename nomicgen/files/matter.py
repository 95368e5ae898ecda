"""A front matter against its model: every departure a finding at its place, in words that a player can act on."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from nomicgen.files.front import Composed
from nomicgen.files.notes import Notes, quoted
from nomicgen.model import Commit, Digest, Ident, Matter, TurnId

__all__ = ["nearest", "validate"]

M = TypeVar("M", bound=Matter)


def _pattern(annotated: Any) -> str:
    return str(next(one.pattern for one in annotated.__metadata__ if getattr(one, "pattern", None)))


# What other texts name a thing by: in a list of rules, in a line of a history.
_ONE_LINE = frozenset({"title", "name", "cause", "section", "tagline"})

_PATTERNS = {
    _pattern(Ident): "should be an id: small letters, digits and hyphens, beginning with a letter",
    _pattern(TurnId): "should be a turn such as R4T3",
    _pattern(Digest): "should be a SHA-256 digest, 64 hexadecimal digits in small letters",
    _pattern(Commit): "should be the whole id of a commit, 40 or 64 hexadecimal digits in small letters",
}

_WANTED: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "value_error": lambda ctx: str(ctx["error"]),
    "string_pattern_mismatch": lambda ctx: _PATTERNS[ctx["pattern"]],
    "string_too_short": lambda ctx: "should say something; delete the key where there is nothing to say",
    "string_too_long": lambda ctx: f"should have at most {ctx['max_length']} characters",
    "string_type": lambda ctx: "should be a text",
    "int_type": lambda ctx: "should be a whole number such as 203",
    "bool_type": lambda ctx: "should be true or false",
    "fraction_type": lambda ctx: "should be an exact number such as 3, 20/3 or 15%",
    "greater_than_equal": lambda ctx: f"should be {ctx['ge']} or more",
    "less_than_equal": lambda ctx: f"should be {ctx['le']} or less",
    "literal_error": lambda ctx: f"should be {_one_of(_choices(ctx))}",
    "list_type": lambda ctx: "should be a list, e.g. `[one, another]`",
    "dict_type": lambda ctx: "should hold keys with values",
    "model_type": lambda ctx: "should hold keys with values",
    "too_short": lambda ctx: "should name at least one",
}


def validate(model: type[M], composed: Composed, notes: Notes) -> M | None:
    """The front matter as its model, or None; what is wrong with it is added to `notes`."""
    if not composed.complete:
        return None
    for key in _ONE_LINE & composed.data.keys():
        if "\n" in str(composed.data[key]):
            message = f"`{key}` cannot be {_shown(composed.data[key])}"
            notes.add("value-wrong", composed.source.at(key), message, "it should be one line of text")
    try:
        matter = model.model_validate(composed.data)
    except ValidationError as error:
        for one in error.errors(include_url=False):
            _explain(model, composed, one, notes)
        return None
    return None if composed.holes else matter


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that `word` is most likely a slip of."""
    found = difflib.get_close_matches(word.casefold(), known, n=1, cutoff=0.6)
    return found[0] if found else None


def _explain(model: type[Matter], composed: Composed, error: ErrorDetails, notes: Notes) -> None:
    source = composed.source
    path = _real_path(composed, error["loc"], lacks=error["type"] == "missing")
    if any(path[: len(hole)] == hole for hole in composed.holes):
        return
    if error["type"] == "missing":
        holder, key = path[:-1], str(path[-1])
        span = source.value(holder) or source.at(*holder)
        where = f" in `{_dotted(holder)}`" if holder else ""
        notes.add("key-missing", span, f"the key `{key}` is missing{where}", _add_help(model, path))
    elif error["type"] == "extra_forbidden":
        known = list(_model_at(model, path[:-1]).model_fields)
        meant = nearest(str(path[-1]), known)
        help = f"perhaps `{meant}` is meant" if meant else f"the keys here are {', '.join(known)}"
        notes.add("key-unknown", source.key(*path), f"there is no key {quoted(_dotted(path))} here", help)
    elif error["loc"] and error["loc"][-1] == "[key]":
        notes.add("value-wrong", source.key(*path), f"{quoted(str(path[-1]))} cannot stand here", _it(_wanted(error)))
    else:
        _wrong(composed, path, error, notes)


def _wrong(composed: Composed, path: tuple[str | int, ...], error: ErrorDetails, notes: Notes) -> None:
    value = _value(composed.data, path)
    where = _dotted(path)
    message = f"`{where}` is empty" if value in ("", [], {}) else f"`{where}` cannot be {_shown(value)}"
    help = _it(_wanted(error))
    if error["type"] == "literal_error" and isinstance(value, str):
        meant = nearest(value, _choices(error.get("ctx", {})))
        help += f"; perhaps `{meant}` is meant" if meant else ""
    if path == ("format",) and error["type"] == "less_than_equal":
        help = "this nomicgen reads format 1; a newer one may read this game"
    notes.add("value-wrong", composed.source.at(*path), message, help)


def _wanted(error: ErrorDetails) -> str:
    return _WANTED[error["type"]](error.get("ctx", {}))


def _it(wanted: str) -> str:
    return f"it {wanted}" if wanted.startswith("should") else wanted


def _add_help(model: type[Matter], path: tuple[str | int, ...]) -> str:
    key = str(path[-1])
    told = _model_at(model, path[:-1]).model_fields[key].description
    return f"add `{key}: …`: {told}" if told else f"add `{key}: …`"


def _real_path(composed: Composed, loc: tuple[str | int, ...], *, lacks: bool) -> tuple[str | int, ...]:
    """The part of a validation's path that stands in the file, or that it `lacks`: unions add steps of their own."""
    path: list[str | int] = []
    node: Any = composed.data
    for at, step in enumerate(loc):
        if step in (node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()):
            node = node[step]
        elif lacks and isinstance(node, dict) and at == len(loc) - 1:
            node = None
        else:
            break
        path.append(step)
    return tuple(path)


def _value(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def _dotted(path: tuple[str | int, ...]) -> str:
    """`points[0].amount`, each step shortened and printable."""
    shown = ""
    for step in path:
        if isinstance(step, int):
            shown += f"[{step}]"
        else:
            shown += ("." if shown else "") + quoted(step, 40)[1:-1]
    return shown


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    return "a list" if isinstance(value, list) else "keys with values"


def _choices(ctx: Mapping[str, Any]) -> list[str]:
    return str(ctx["expected"]).split("'")[1::2]


def _one_of(choices: Sequence[str]) -> str:
    return f"`{choices[0]}`" if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"


def _model_at(model: type[BaseModel], path: tuple[str | int, ...]) -> type[BaseModel]:
    """The model of the mapping at `path`. Each field leads to one model at most, through lists and mappings."""
    for step in path:
        if isinstance(step, str) and step in model.model_fields:
            model = next(_models(model.model_fields[step].annotation), model)
    return model


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
