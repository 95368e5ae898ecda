"""Documents of JSON: a `Shape` has the keys of one kind of object. It writes the object, and makes
the JSON Schema.

If a key is given as its description alone, its value and its type are those of the attribute of
that name. Dates are written as `2026-05-01` or `2026-05-01T18:30`, exact amounts as whole numbers
or as text such as `20/3`; an unknown value is null.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.types import annotation_of
from nomicgen.model.values import Moment, RuleRef

Schema = dict[str, Any]
Source = str | Callable[[Any], Any]
"""Where an object has a value: the path of an attribute, or a function of the object."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The version of JSON Schema in which schemas are written."""
_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Moment: {"type": "string"},
    RuleRef: {"type": "string"},
    Fraction: {
        "anyOf": [{"type": "integer"}, {"type": "string"}],
        "description": "exact: a whole number, or a fraction as text, such as `20/3`",
    },
}
"""The schema of each type whose values are neither objects nor lists."""


class DocumentKey(Struct, frozen=True, kw_only=True):
    """A key of a document.

    `source` is where an object of the class `owner` has the value: the path of an attribute, such
    as `span.file`, or a function of the object; None for the attribute of the key's name. `type` is
    given if no annotation says it, as with a function; `shape` if the value, or each value of a
    list or a table, is an object.
    """

    description: str
    source: Source | None = None
    type: Any = None
    shape: Shape | None = None
    owner: Any = None


def at(source: Source, description: str, type: Any = None) -> DocumentKey:
    """Return a key whose value is another attribute of the object, or is made by a function."""
    return DocumentKey(description=description, source=source, type=type)


def typed(type: Any, description: str) -> DocumentKey:
    """Return a key whose type no annotation says; often its value is passed to `Shape.write`."""
    return DocumentKey(description=description, type=type)


FORMAT = at(lambda _: 1, "the form of this document", Literal[1])
"""The first key of every whole document."""


class Shape:
    """How objects of one kind are written: `name` and `about` are for the schema; `owner` is their
    class, if they have one.

    If a key is a reserved word of Python, an underscore follows it here, not in JSON (`from_`).
    """

    def __init__(
        self, name: str, about: str, owner: type | None = None, /, **keys: str | DocumentKey
    ) -> None:
        self.name = name
        self.about = about
        self.keys: dict[str, DocumentKey] = {}
        self._readers: dict[str, tuple[Callable[[Any], Any], Shape | None]] = {}
        for name_of_key, declared in keys.items():
            key = DocumentKey(description=declared) if isinstance(declared, str) else declared
            source = key.source or name_of_key
            # A key that is taken over from another shape keeps the class of that shape's objects.
            self.keys[name_of_key] = replace(key, source=source, owner=key.owner or owner)
            self._readers[name_of_key.removesuffix("_")] = _reader(source), key.shape

    def __call__(self, description: str, source: str | None = None) -> DocumentKey:
        """Return a key whose value is one such object, several, or null, as the annotation says."""
        return DocumentKey(description=description, source=source, shape=self)

    def one(self, description: str, source: Source | None = None) -> DocumentKey:
        """Return a key whose value is such an object."""
        return DocumentKey(description=description, source=source, type=object, shape=self)

    def maybe(self, description: str) -> DocumentKey:
        """Return a key whose value is such an object, or null."""
        return DocumentKey(description=description, type=object | None, shape=self)

    def many(self, description: str, source: Source | None = None) -> DocumentKey:
        """Return a key whose value is a list of such objects."""
        return DocumentKey(description=description, source=source, type=list[object], shape=self)

    def by_name(self, description: str) -> DocumentKey:
        """Return a key whose value is a table: a name for each of several such objects."""
        return DocumentKey(description=description, type=dict[str, object], shape=self)

    def write(self, value: object = None, /, **values: Any) -> dict[str, Any]:
        """Return the document of an object. A key that is in `values` gets its value from there,
        and the object needs no such attribute.
        """
        if unknown := values.keys() - self._readers.keys():
            raise TypeError(f"{self.name} has no {', '.join(sorted(unknown))}")
        return {
            key: _written(values[key] if key in values else read(value), shape)
            for key, (read, shape) in self._readers.items()
        }

    def schema(self, defined: dict[str, Schema]) -> Schema:
        """Return the JSON Schema; every key is required.

        The schemas of the shapes that it refers to are added to `defined`.
        """
        return {
            "additionalProperties": False,
            "description": self.about,
            "properties": dict(zip(self._readers, self.types(defined), strict=True)),
            "required": [*self._readers],
            "type": "object",
        }

    def types(self, defined: dict[str, Schema]) -> Iterable[Schema]:
        """Yield the schema of each key's value, in order."""
        for key in self.keys.values():
            schema = _schema(_annotation(key), key.shape, defined)
            described = {"description": key.description} if key.description else {}
            yield dict(sorted({**schema, **described}.items()))


class DocumentRow(Shape):
    """How objects of one kind are written as lists, without their keys."""

    def row(self, value: object = None, /, **values: Any) -> list[Any]:
        """Return the list of an object's values."""
        return [*self.write(value, **values).values()]

    def schema(self, defined: dict[str, Schema]) -> Schema:
        types = [*self.types(defined)]
        return {
            "maxItems": len(types),
            "minItems": len(types),
            "prefixItems": types,
            "type": "array",
        }


def _reader(source: Source) -> Callable[[Any], Any]:
    if not isinstance(source, str):
        return source
    steps = source.split(".")

    def read(value: Any) -> Any:
        for step in steps:
            value = getattr(value, step)
            if value is None:
                return None
        return value

    return read


def _written(value: Any, shape: Shape | None) -> Any:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list | tuple):
        return [_written(item, shape) for item in value]
    if isinstance(value, Mapping):
        # A mapping in place of an object is the object's document, which was written before.
        return (
            value
            if shape is not None
            else {key: _written(item, None) for key, item in value.items()}
        )
    if shape is not None:
        return shape.write(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else str(value)
    return str(value)


# --- schemas --------------------------------------------------------------------------------------


def document_schema(shape: Shape, title: str, *, many: bool = False) -> Schema:
    """Return the JSON Schema of a document, or with `many` of a list of such documents."""
    defined: dict[str, Schema] = {}
    schema = _schema(list[object], shape, defined) if many else shape.schema(defined)
    definitions = {"$defs": dict(sorted(defined.items()))} if defined else {}
    return {"$schema": DIALECT, "title": title, **definitions, **schema}


def _schema(annotation: Any, shape: Shape | None, defined: dict[str, Schema]) -> Schema:
    """Return the schema of a type; of an object's class, a reference to the schema of its shape."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _schema(parts[0], shape, defined)
    if isinstance(annotation, NewType):
        return _schema(annotation.__supertype__, shape, defined)
    if annotation is Any or (annotation is object and shape is None):
        return {}
    if annotation in _PLAIN:
        return dict(_PLAIN[annotation])
    if origin is Literal:
        return _choice(parts)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(part, shape, defined) for part in parts]}
    if origin in (dict, Mapping):
        return {"additionalProperties": _schema(parts[1], shape, defined) or True, "type": "object"}
    if origin in (list, tuple, Sequence):
        return {"items": _schema(parts[0], shape, defined), "type": "array"}
    if shape is None:
        raise TypeError(f"{annotation} has no shape")
    if shape.name not in defined:
        defined[shape.name] = shape.schema(defined)
    return {"$ref": f"#/$defs/{shape.name}"}


def _choice(words: tuple[Any, ...]) -> Schema:
    if len(words) == 1:
        return {"const": words[0], **_PLAIN[type(words[0])]}
    return {"enum": [*words], "type": "string"}


def _annotation(key: DocumentKey) -> Any:
    """Return the type of a key's value, which may be None if an attribute on its path may."""
    if key.type is not None:
        return key.type
    annotation, is_optional = key.owner, False
    for step in str(key.source).split("."):
        is_optional = is_optional or NoneType in get_args(annotation)
        classes = [part for part in get_args(annotation) or (annotation,) if part is not NoneType]
        annotation = _attribute_type(classes[0], step)
    return annotation | None if is_optional else annotation


def _attribute_type(owner: type, name: str) -> Any:
    attribute = inspect.getattr_static(owner, name, None)
    return (
        get_type_hints(attribute.fget)["return"]
        if isinstance(attribute, property)
        else annotation_of(owner, name)
    )
