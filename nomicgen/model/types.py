"""Types of what stands in YAML: how an annotation reads a value, and its JSON Schema.

Every scalar arrives as the text that was written, and its type says how to read it. All that is
wrong with a value is reported at once.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Protocol,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from msgspec import Struct

JsonSchema = dict[str, Any]
_Reader = Callable[[Any], Any]


class Fault(NamedTuple):
    """What is wrong with a value: `path` leads to it, and `wanted` says what it should be.

    `about` says what kind of fault it is. `missing` and `unknown` are about the key at the end of
    the path, `key` about the spelling of that key in a table whose keys have a type: an id, for
    example. `choices` are the words that would have been right, if these are known.
    """

    path: tuple[str | int, ...]
    wanted: str
    about: Literal["value", "missing", "unknown", "key"] = "value"
    choices: tuple[str, ...] = ()


class InvalidValue(ValueError):
    """A value that does not fit its type; it has every fault."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(fault.wanted for fault in self.faults))


def faults_of(error: ValueError, *steps: str | int) -> tuple[Fault, ...]:
    """Return the faults of an error; each path gets `steps` in front, the way to the value."""
    faults = error.faults if isinstance(error, InvalidValue) else (Fault((), str(error)),)
    return tuple(fault._replace(path=(*steps, *fault.path)) for fault in faults)


# --- what an annotation may carry -----------------------------------------------------------------


class Type(NamedTuple):
    """How a value is read, and its JSON Schema.

    `schema` adds the schemas of models that it refers to, by name, to its argument.
    """

    read: _Reader
    schema: Callable[[dict[str, JsonSchema]], JsonSchema]


class ReadWith(Struct, frozen=True, eq=False):
    """`Annotated[T, ReadWith(function, schema)]`: the function reads it or raises ValueError."""

    function: _Reader
    own_schema: JsonSchema

    def refine(self, _: Type) -> Type:
        return Type(self.function, lambda _: dict(self.own_schema))


class Prepare(Struct, frozen=True, eq=False):
    """`Annotated[T, Prepare(function)]`: T reads the result of the function; `widen` makes of the
    schema of T one that also allows what the function accepts.
    """

    function: _Reader
    widen: Callable[[JsonSchema], JsonSchema] = lambda schema: schema

    def refine(self, base: Type) -> Type:
        return Type(
            lambda value: base.read(self.function(value)),
            lambda defined: self.widen(base.schema(defined)),
        )


class Bounds(NamedTuple):
    """`Annotated[T, Bounds(least=1)]`: a number with bounds."""

    least: int | None = None
    most: int | None = None
    above: int | None = None

    def refine(self, base: Type) -> Type:
        def read(value: Any) -> Any:
            number = base.read(value)
            if self.least is not None and number < self.least:
                raise ValueError(f"should be {self.least} or more")
            if self.most is not None and number > self.most:
                raise ValueError(f"should be {self.most} or less")
            if self.above is not None and number <= self.above:
                raise ValueError(f"should be more than {self.above}")
            return number

        named = {"minimum": self.least, "maximum": self.most, "exclusiveMinimum": self.above}
        limits = {name: limit for name, limit in named.items() if limit is not None}
        return Type(read, lambda defined: base.schema(defined) | limits)


class NotEmpty(NamedTuple):
    """`Annotated[list[T], NotEmpty()]`: a list or a table with something in it."""

    wanted: str = "should not be empty"

    def refine(self, base: Type) -> Type:
        def read(value: Any) -> Any:
            items = base.read(value)
            if not items:
                raise ValueError(self.wanted)
            return items

        def schema(defined: dict[str, JsonSchema]) -> JsonSchema:
            whole = base.schema(defined)
            for branch in whole.get("anyOf", [whole]):
                if branch.get("type") in ("array", "object"):
                    branch["minItems" if branch["type"] == "array" else "minProperties"] = 1
            return whole

        return Type(read, schema)


def matching(pattern: str, wanted: str, longest: int | None = None) -> ReadWith:
    """Return how to read a text that a regular expression of JSON Schema must match as a whole.

    `wanted` is the message if it does not match. A text may have at most `longest` characters.
    """
    # In Python `$` would also match before a line feed at the end.
    whole = re.compile(pattern.removesuffix("$") + r"\Z")

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("should be a text")
        if whole.match(value) is None:
            raise ValueError(wanted)
        if longest is not None and len(value) > longest:
            raise ValueError(f"should have at most {longest} characters")
        return value

    return ReadWith(
        read, {"type": "string", "pattern": pattern} | ({"maxLength": longest} if longest else {})
    )


# --- the types ------------------------------------------------------------------------------------


@runtime_checkable
class _Model(Protocol):
    """A `Model` (`file_model.py`) as it is needed here: a model can be the type of a key."""

    def read(self, data: Any) -> Any: ...

    def reference(self, defined: dict[str, JsonSchema]) -> JsonSchema: ...


def annotation_of(owner: type, attribute: str) -> Any:
    """Return the type that a class gives an attribute, without resolving its other annotations."""
    base = next(base for base in owner.__mro__ if attribute in inspect.get_annotations(base))
    annotation = inspect.get_annotations(base)[attribute]
    if not isinstance(annotation, str):
        return annotation
    alone = SimpleNamespace(__annotations__={attribute: annotation})
    return get_type_hints(alone, vars(sys.modules[base.__module__]), include_extras=True)[attribute]


def type_of(annotation: Any) -> Type:
    """Return how to read values of a type. Raises TypeError if no value of a file has it."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        refinements = annotation.__metadata__
        # `ReadWith` reads the value by itself: the type under it may be any class.
        base = _ANYTHING if isinstance(refinements[0], ReadWith) else type_of(annotation.__origin__)
        return functools.reduce(
            lambda known, refinement: refinement.refine(known), refinements, base
        )
    if annotation in (Any, object):
        return _ANYTHING
    if origin is Literal:
        return _choice(parts)
    if origin in (Union, UnionType):
        return _union(
            [type_of(part) for part in parts if part is not NoneType], optional=NoneType in parts
        )
    if origin in (list, tuple):
        return _sequence(origin, type_of(parts[0]))
    if origin is dict:
        return _mapping(type_of(parts[0]), type_of(parts[1]))
    if isinstance(annotation, _Model):
        return Type(annotation.read, annotation.reference)
    if annotation is str:
        return Type(_text, lambda _: {"type": "string"})
    raise TypeError(f"{annotation} is no type of a file's values")


_ANYTHING = Type(lambda value: value, lambda _: {})


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("should be a text")
    return value


def _choice(choices: tuple[str, ...]) -> Type:
    known = frozenset(choices)
    named = (
        f"`{choices[0]}`" if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"
    )
    fault = Fault((), f"should be {named}", choices=choices)

    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in known:
            raise InvalidValue([fault])
        return value

    schema = (
        {"const": choices[0], "type": "string"}
        if len(choices) == 1
        else {"enum": [*choices], "type": "string"}
    )
    return Type(read, lambda _: dict(schema))


def _sequence(make: Callable[[list[Any]], Any], item: Type) -> Type:
    def read(value: Any) -> Any:
        if not isinstance(value, list | tuple):
            raise ValueError(f"should be a list, e.g. `[{_table(value, item) or 'one, another'}]`")
        return make(_each(enumerate(value), item.read))

    return Type(read, lambda defined: {"items": item.schema(defined), "type": "array"})


def _table(value: Any, item: Type) -> str:
    """Return what was written in place of a list as its one table, `{since: 2026-11-12}`; '' if it
    is none, not even as the only key that a table needs.
    """
    defined: dict[str, JsonSchema] = {}
    name = item.schema(defined).get("$ref", "").rpartition("/")[2]
    needed = defined.get(name, {}).get("required", ())
    table = {needed[0]: value} if isinstance(value, str) and len(needed) == 1 else value
    try:
        item.read(table)
    except ValueError:
        return ""
    pairs = table.items() if isinstance(table, Mapping) else ()
    plain = all(re.fullmatch(r"[\w.-]{1,40}", str(part)) for pair in pairs for part in pair)
    return f"{{{', '.join(f'{key}: {text}' for key, text in pairs)}}}" if pairs and plain else ""


def _each(values: Iterable[tuple[str | int, Any]], read: _Reader) -> list[Any]:
    items: list[Any] = []
    faults: list[Fault] = []
    for step, value in values:
        try:
            items.append(read(value))
        except ValueError as error:
            faults += faults_of(error, step)
    if faults:
        raise InvalidValue(faults)
    return items


def _mapping(name: Type, item: Type) -> Type:
    def read(value: Any) -> dict[Any, Any]:
        if not isinstance(value, Mapping):
            raise ValueError("should be a table of keys")
        faults: list[Fault] = []
        items: list[Any] = []
        for step in value:
            try:
                name.read(step)
            except ValueError as error:
                faults += [fault._replace(path=(step,), about="key") for fault in faults_of(error)]
        try:
            items = _each(value.items(), item.read)
        except InvalidValue as error:
            faults += error.faults
        if faults:
            raise InvalidValue(faults)
        return dict(zip(value, items, strict=True))

    def schema(defined: dict[str, JsonSchema]) -> JsonSchema:
        values, names = item.schema(defined), name.schema(defined)
        if pattern := names.pop("pattern", None):
            named = {"maxLength": names["maxLength"]} if "maxLength" in names else None
            return {"patternProperties": {pattern: values}, "type": "object"} | (
                {"propertyNames": named} if named else {}
            )
        if names != {"type": "string"}:
            return {"additionalProperties": values, "propertyNames": names, "type": "object"}
        return {"additionalProperties": values or True, "type": "object"}

    return Type(read, schema)


def _union(branches: list[Type], *, optional: bool) -> Type:
    if len(branches) == 1 and not optional:
        return branches[0]

    def read(value: Any) -> Any:
        if optional and value is None:
            return None
        if len(branches) == 1:
            return branches[0].read(value)
        faults: list[Fault] = []
        for branch in branches:
            try:
                return branch.read(value)
            except ValueError as error:
                faults += faults_of(error)
        raise InvalidValue(_nearest(faults))

    def schema(defined: dict[str, JsonSchema]) -> JsonSchema:
        return (
            branches[0].schema(defined)
            if len(branches) == 1
            else {"anyOf": [branch.schema(defined) for branch in branches]}
        )

    return Type(read, schema)


def _nearest(faults: list[Fault]) -> list[Fault]:
    """Return the faults of a union's branches, without one that has another deeper in its value."""
    places = {fault.path for fault in faults}
    deepest = [
        path
        for path in places
        if not any(other[: len(path)] == path for other in places if len(other) > len(path))
    ]
    nearest = []
    for path in sorted(deepest, key=[fault.path for fault in faults].index):
        here = [fault for fault in faults if fault.path == path]
        first, *others = dict.fromkeys(fault.wanted for fault in here)
        wanted = ", or ".join([first, *(other.removeprefix("should be ") for other in others)])
        choices = tuple(choice for fault in here for choice in fault.choices)
        nearest.append(here[0]._replace(wanted=wanted, choices=choices))
    return nearest
