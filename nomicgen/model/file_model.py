"""Models: tables of YAML are read into frozen objects, and all their errors are reported at once.

A class declares its keys as annotations. `read` makes an object of a table in a file, and
`json_schema` describes the same table for other programs.

No library does this: pydantic takes longer to import than `nomicgen status` may take, and msgspec
tells only the first thing that is wrong.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator, KeysView, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Self, dataclass_transform, get_args

from nomicgen.model.types import (
    Fault,
    InvalidValue,
    JsonSchema,
    Type,
    annotation_of,
    faults_of,
    type_of,
)

_NOTHING: Any = object()
"""The default of a key that has none, and must be written."""
_HANDS = {"author": "its author", "keeper": "the rulekeeper", "program": "the game"}
"""Names of the `Hand`s, for the reference."""
_UNTIL = {
    "once": "once",
    "numbered": "until it has a number",
    "settled": "until it is settled",
    "overruled": "until it is settled, and when it is overruled",
}
"""Words for `Until`, for the reference."""

Hand = Literal["author", "keeper", "program"]
"""Who writes a key: the file's author, the rulekeeper on the base, or a command on the base."""
Until = Literal["once", "numbered", "settled", "overruled", "ever"]
"""Until when the author of a file may write a key: until it has a value, or the file is settled
(`once`); until the draft has its number; until the file is settled; likewise, and again when a
judgement is overruled; always.
"""


class Key(NamedTuple):
    """A key of a model: what it means, what holds where it is not written, and who may write it.

    `by` says who writes it, and `until` how long its author may. A key of a part (such as
    `Vote.at`) without `by` is written by whoever writes the key that holds the part. A key of a
    whole file without `by` is closed: no pull request may write it. `bound` says which digest
    covers the key once the vote is open: with `changes` both digests, with `whole` only that of the
    whole text; '' if none does. `names` is the kind of thing that its value names, such as
    `player`, and `numbered` the kind that the value names if it is a number. `recorded` has the
    words for what it records, if `nomicgen correct` may change that: `{id}` stands for the player
    in its path, `{place}` for its place in a list.
    """

    description: str
    default: Any = _NOTHING
    by: tuple[Hand, ...] = ()
    until: Until = "settled"
    bound: Literal["", "whole", "changes"] = ""
    names: str = ""
    numbered: str = ""
    recorded: str = ""

    @property
    def required(self) -> bool:
        return self.default is _NOTHING

    @property
    def writers(self) -> str:
        """Who writes it, until when: `its author, until it has a number; then the game`."""
        until = (
            f", {_UNTIL[self.until]}" if self.by[:1] == ("author",) and self.until in _UNTIL else ""
        )
        hands = [_HANDS[self.by[0]] + until, *(_HANDS[hand] for hand in self.by[1:])]
        return "; then ".join(hands) + (
            "; while the vote is open, a change needs a new vote" if self.bound else ""
        )


def described(
    description: str, *, default: Any = _NOTHING, by: Hand | tuple[Hand, ...] = (), **more: Any
) -> Any:
    """Declare a key of a model; the arguments are the fields of `Key`. All objects share a default,
    so it must never be modified.
    """
    return Key(description, default, (by,) if isinstance(by, str) else by, **more)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(described,))
class Model:
    """Keys with values: frozen, and closed to keys that it does not know.

    A key has the name of its attribute. If Python or this class needs that name itself, the
    attribute ends in an underscore that the key does not have: `from_`, `keys_`. An object holds
    the values that were written; all others are defaults, on the class. `rest` names the attribute,
    a `dict`, that takes all keys without an attribute of their own.
    """

    keys: ClassVar[Mapping[str, Key]] = MappingProxyType({})
    """The keys by the name of their attribute, in the order in which they are declared."""
    names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The names of attributes, by keys as they are written: `from_` by `from`; without `rest`."""
    required: ClassVar[tuple[str, ...]] = ()
    """The keys, as they are written, without which nothing can be read."""
    one_of: ClassVar[tuple[str, ...]] = ()
    """Attributes of which exactly one has a value (`require_one`)."""
    rest: ClassVar[str | None] = None

    def __init_subclass__(cls, by: Hand | None = None) -> None:
        """Declare a model; with `by`, that hand writes all its keys, the inherited ones too."""
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Key)}
        for name, declared in own.items():
            if declared.required:
                delattr(cls, name)
            else:
                setattr(cls, name, declared.default)
        cls.keys = MappingProxyType({**own, **cls.keys, **own})  # inherited keys come last
        if by is not None:
            cls.keys = MappingProxyType(
                {name: key._replace(by=(by,)) for name, key in cls.keys.items()}
            )
        cls.names = MappingProxyType(
            {name.removesuffix("_"): name for name in cls.keys if name != cls.rest}
        )
        cls.required = tuple(
            name for name, attribute in cls.names.items() if cls.keys[attribute].required
        )

    def __init__(self, **values: Any) -> None:
        """Make an object of typed values. Raises TypeError for a missing or an unknown key."""
        wrong = (
            values.keys() - self.keys
            or {name for name, key in self.keys.items() if key.required} - values.keys()
        )
        if wrong:
            raise TypeError(
                f"{type(self).__name__}: missing or unknown: {', '.join(sorted(wrong))}"
            )
        self.__dict__.update(values)

    @classmethod
    def read(cls, data: Any) -> Self:
        """Return the object that a table of YAML describes; an object of this class as it is.

        Raises InvalidValue with the faults of all keys that are wrong. If none is, `check` may
        raise a ValueError, and so does a value that is no table.
        """
        if isinstance(data, cls):
            return data
        if not isinstance(data, Mapping):
            raise ValueError("should be a table of keys")
        values: dict[str, Any] = {}
        others: dict[str, Any] = {}
        faults: list[Fault] = []
        for name, value in data.items():
            attribute = cls.names.get(name, cls.rest)
            if attribute is None:
                faults.append(
                    Fault((name,), "is a key that is not known here", "unknown", tuple(cls.names))
                )
                continue
            into, key = (others, name) if attribute == cls.rest else (values, attribute)
            try:
                into[key] = cls._type(attribute).read(value)
            except ValueError as error:
                faults += faults_of(error, name)
        for name in cls.required:
            if name not in data:
                faults.append(Fault((name,), cls.keys[cls.names[name]].description, "missing"))
        faults += cls.faults(data)
        if faults:
            raise InvalidValue(faults)
        if cls.rest is not None:
            values[cls.rest] = others
        model = cls.__new__(cls)
        model.__dict__.update(values)
        model.check()
        return model

    @classmethod
    @functools.cache
    def _type(cls, attribute: str) -> Type:
        """Return a key's type, resolved when the key is first met: a game uses few of them."""
        annotation = annotation_of(cls, attribute)
        return type_of(get_args(annotation)[1] if attribute == cls.rest else annotation)

    @classmethod
    def json_schema(cls) -> JsonSchema:
        """Return the model's JSON Schema, with the models that it refers to under `$defs`."""
        defined: dict[str, JsonSchema] = {}
        schema = cls._own_schema(defined)
        return {"$defs": dict(sorted(defined.items())), **schema} if defined else schema

    @classmethod
    def reference(cls, defined: dict[str, JsonSchema]) -> JsonSchema:
        """Return a reference to the model's schema, which is added to `defined`."""
        if cls.__name__ not in defined:
            defined[cls.__name__] = {}
            defined[cls.__name__] = cls._own_schema(defined)
        return {"$ref": f"#/$defs/{cls.__name__}"}

    @classmethod
    def _own_schema(cls, defined: dict[str, JsonSchema]) -> JsonSchema:
        properties = {}
        for name, attribute in cls.names.items():
            declared = cls.keys[attribute]
            properties[name] = {
                **cls._type(attribute).schema(defined),
                "description": declared.description,
            }
            if isinstance(declared.default, str | int | list) and declared.default != []:
                properties[name]["default"] = declared.default
            if declared.by:
                properties[name]["x-written-by"] = declared.writers
        schema: JsonSchema = {
            "additionalProperties": False,
            "description": inspect.cleandoc(cls.__doc__ or ""),
            "properties": properties,
            "type": "object",
        }
        if cls.rest is not None:
            each = cls._type(cls.rest).schema(defined)
            schema["additionalProperties"] = {**each, "description": cls.keys[cls.rest].description}
        if cls.one_of:
            schema["oneOf"] = [{"required": [name]} for name in cls.one_of]
        return {**schema, "required": [*cls.required]} if cls.required else schema

    @classmethod
    def faults(cls, data: Mapping[str, Any]) -> Iterator[Fault]:
        """Yield what is wrong with several keys together; `data` is the table as it was written."""
        return iter(())

    def check(self) -> None:
        """Raise ValueError if values that are right by themselves do not go together."""

    @property
    def written(self) -> KeysView[str]:
        """The names of the attributes that were written."""
        return self.__dict__.keys()

    def entries(self) -> dict[str, Any]:
        """Return the written attributes with their values, in the order of the schema."""
        return {name: self.__dict__[name] for name in self.keys if name in self.__dict__}

    def whole(self) -> dict[str, Any]:
        """Return all attributes with their values, also those that were not written."""
        return {name: getattr(self, name) for name in self.keys}

    def replace(self, **values: Any) -> Self:
        """Return the same with other values, which are not checked."""
        return type(self)(**{**self.__dict__, **values})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Model):
            return NotImplemented
        return self.__dict__ == other.__dict__ or self.whole() == other.whole()

    def __hash__(self) -> int:
        return hash((type(self), *self.whole().values()))

    def __repr__(self) -> str:
        entries = (f"{name}={value!r}" for name, value in self.entries().items())
        return f"{type(self).__name__}({', '.join(entries)})"
