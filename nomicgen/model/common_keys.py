"""`Matter`, the class of every front matter: its single values by key, the things that it names,
and who may write which key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from nomicgen.model.file_model import Key, Model
from nomicgen.model.types import annotation_of

UNRECORDED = "unrecorded"
"""The value of `votes` in a file if nobody wrote down who voted how."""
Stage = Literal["draft", "undecided", "settled", "overruling"]
"""Where a file is in its life: a draft, undecided, settled, or a settled judgement that is being
overruled.
"""
# Keys such as `votes.wren.vote` and `earlier.0.votes.wren.vote`.
_VOTE = r"(?a)((?:earlier\.\d{1,4}\.)?votes\.[^.]+)\.vote"
_NUMBER = r"(?a)[1-9][0-9]{0,8}"
_Path = tuple[str | int, ...]
_INDEX = r"(?a)\d{1,4}"


def normal_key(key: str) -> str:
    """Return a key as `Matter.fields` has it: `votes.wren.vote` is `votes.wren` there."""
    match = re.fullmatch(_VOTE, key)
    return match[1] if match else key


class _Place(NamedTuple):
    """A key on the way to a field such as `votes.wren.at`.

    If it `holds` a list or a dict, `step` is the index or the key that follows it: `wren` follows
    `votes`. `is_last` says that the field has no more steps.
    """

    key: Key
    holds: type | None
    step: str
    is_last: bool


class Matter(Model):
    """A front matter, or a part of one, such as a vote."""

    def leaves(self) -> Iterator[tuple[_Path, object]]:
        """Yield every single value, after the path that leads there: `("votes", "wren", "vote")`.

        Values that are the default of their key are left out.
        """
        return _leaves(self, ())

    def fields(self) -> dict[str, str]:
        """Return the text of each value of `leaves`, by key: `votes.wren`, `dice.0`."""
        return {
            # `leaves` has no None that is a default, so this one was read from `unrecorded`.
            normal_key(".".join(map(str, path))): UNRECORDED if value is None else str(value)
            for path, value in self.leaves()
        }

    def references(self) -> Iterator[tuple[str, object, _Path]]:
        """Yield the kind, the name and the path of each thing that it names.

        An example is `("player", "wren", ("author",))`.
        """
        return _named(self, ())

    @property
    def is_undecided(self) -> bool:
        """Whether the file is about something that is not decided yet."""
        return False

    @classmethod
    def author_writes(cls, field: str, stage: Stage, *, said: bool) -> bool:
        """Return whether the author of a file may write a field such as `title` or `roles.0.until`.

        `said` says whether the field has a value already.
        """
        key = cls.writing_key(field)
        if key is None or "author" not in key.by:
            return False
        return {
            "once": stage in ("draft", "undecided") and not said,
            "numbered": stage == "draft",
            "settled": stage in ("draft", "undecided"),
            "overruled": stage != "settled",
            "ever": True,
        }[key.until]

    @classmethod
    def writing_key(cls, field: str) -> Key | None:
        """Return the innermost key on the way to a field that says who writes it, if any does."""
        return next((place.key for place in reversed(_places(cls, field)) if place.key.by), None)

    @classmethod
    def recorded_words(cls, field: str) -> str | None:
        """Return the words for a recorded field: `the vote of wren`; None for any other field."""
        places = _places(cls, field)
        if not places or not (words := places[-1].key.recorded) or not places[-1].is_last:
            return None
        ident, index = (
            "".join(place.step for place in places if place.holds == holds)
            for holds in (dict, list)
        )
        if ("{id}" in words and not ident) or (
            "{place}" in words and not re.fullmatch(_INDEX, index)
        ):
            return None
        return words.format(id=ident, place=int(index or 0) + 1)


def _named(value: object, path: _Path) -> Iterator[tuple[str, object, _Path]]:
    if isinstance(value, Matter):
        for attribute, said in value.entries().items():
            key, within = value.keys[attribute], (*path, attribute.removesuffix("_"))
            yield from _names_of(key, said, within) if key.names else ()
            yield from _named(said, within)
        return
    for step, inner in _steps_into(value):
        yield from _named(inner, (*path, step))


def _names_of(key: Key, said: object, path: _Path) -> Iterator[tuple[str, object, _Path]]:
    """Yield what a key names: of a table its keys, of a list each item."""
    if isinstance(said, Mapping):
        yield from ((key.names, name, (*path, name)) for name in said)
    elif isinstance(said, list):
        for index, item in enumerate(said):
            yield from _names_of(key, item, (*path, index))
    elif key.numbered and (
        isinstance(said, int) or (isinstance(said, str) and re.fullmatch(_NUMBER, said))
    ):
        yield key.numbered, int(said), path
    elif said is not None:
        yield key.names, said, path


def _places(model: type[Model], field: str) -> list[_Place]:
    """Return the keys that lead to a field, as far as the models declare them."""
    places: list[_Place] = []
    inner: type[Model] | None = model
    steps = field.split(".")
    while steps and inner is not None and (attribute := inner.names.get(steps[0])) is not None:
        holds, within = _held(annotation_of(inner, attribute))
        step = ".".join(steps[1:2]) if holds is not None else ""
        steps = steps[2 if holds is not None else 1 :]
        places.append(_Place(inner.keys[attribute], holds, step, is_last=not steps))
        inner = within
    return places


def _held(annotation: Any) -> tuple[type | None, type[Model] | None]:
    """Return list or dict if values of a type are one, or None; and the model in them, or None."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return None, annotation
    origin = get_origin(annotation)
    inner = [_held(part) for part in get_args(annotation)[: 1 if origin is Annotated else None]]
    model = next((within for _, within in inner if within is not None), None)
    if origin in (list, tuple, dict):
        return dict if origin is dict else list, model
    return next((holds for holds, _ in inner if holds is not None), None), model


def _steps_into(value: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(value, Mapping):
        return value.items()
    return enumerate(value) if isinstance(value, list | tuple) else ()


def _leaves(value: object, path: _Path) -> Iterator[tuple[_Path, object]]:
    inner: Iterable[tuple[str | int, object]]
    if isinstance(value, Matter):
        entries = value.entries().items()
        inner = (
            (name.removesuffix("_"), said)
            for name, said in entries
            if said != value.keys[name].default
        )
    elif isinstance(value, Mapping | list | tuple):
        inner = _steps_into(value)
    else:
        yield path, value
        return
    for step, within in inner:
        yield from _leaves(within, (*path, step))
