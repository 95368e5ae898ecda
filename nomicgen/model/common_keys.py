"""What all front matters of a game's files have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nomicgen.model.file_model import Model
from nomicgen.model.recorded_keys import normal_key

UNRECORDED = "unrecorded"


class Matter(Model):
    """A front matter."""

    def fields(self) -> dict[str, str]:
        """What it says, a text for each key: `votes.wren`, `dice.0`. A key that says nothing is not there."""
        return dict(_fields(self, ""))

    @property
    def is_undecided(self) -> bool:
        """Whether it tells of what is not settled yet."""
        return False


def _fields(value: object, path: str) -> Iterator[tuple[str, str]]:
    inner: Iterable[tuple[object, object]]
    if isinstance(value, Matter):
        named = ((name, getattr(value, own), value.keys[own].default) for name, own in value.names.items())
        inner = ((name, one) for name, one, default in named if one != default)
    elif isinstance(value, Mapping):
        inner = value.items()
    elif isinstance(value, list | tuple):
        inner = enumerate(value)
    else:
        # Of what has another default, None is what `unrecorded` becomes.
        yield normal_key(path), UNRECORDED if value is None else str(value)
        return
    for step, one in inner:
        yield from _fields(one, f"{path}.{step}" if path else str(step))
