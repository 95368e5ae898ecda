"""What all front matters of a game's files have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nomicgen.model.file_model import Model
from nomicgen.model.recorded_keys import normal_key

UNRECORDED = "unrecorded"


class Matter(Model):
    """A front matter."""

    def leaves(self) -> Iterator[tuple[tuple[str | int, ...], object]]:
        """Every single value that it says, with the keys and indices that lead there: `("votes", "wren", "vote")`."""
        return _leaves(self, ())

    def fields(self) -> dict[str, str]:
        """What it says, a text for each key: `votes.wren`, `dice.0`. A key that says nothing is not there."""
        return {
            # Of what has another default, None is what `unrecorded` becomes.
            normal_key(".".join(map(str, path))): UNRECORDED if value is None else str(value)
            for path, value in self.leaves()
        }

    @property
    def is_undecided(self) -> bool:
        """Whether it tells of what is not settled yet."""
        return False


def _leaves(value: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], object]]:
    inner: Iterable[tuple[str | int, object]]
    if isinstance(value, Matter):
        entries = value.entries().items()
        inner = ((name.removesuffix("_"), said) for name, said in entries if said != value.keys[name].default)
    elif isinstance(value, Mapping):
        inner = value.items()
    elif isinstance(value, list | tuple):
        inner = enumerate(value)
    else:
        yield path, value
        return
    for step, within in inner:
        yield from _leaves(within, (*path, step))
