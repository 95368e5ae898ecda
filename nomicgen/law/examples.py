"""What is shown of each kind of provision: the docstring and the `EXAMPLES` of its module."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc

import yaml

from nomicgen.law.kinds import module_of


def meaning_of(kind: str) -> str:
    """Return what the reference says of a kind beside its keys: the docstring of its module."""
    return cleandoc(module_of(kind).__doc__ or "")


def examples_of(kind: str, *, shown: bool = False) -> list[dict[str, object]]:
    """Return the worked examples of a kind, with every scalar as its source text.

    Each has its `case` in words, the `provisions` of one rule, what is done, and what comes of it
    (`gives`). With `shown`, numbers and days are read as such, for a page that prints them.
    """
    examples: list[dict[str, object]] = yaml.load(
        module_of(kind).EXAMPLES, Loader=yaml.SafeLoader if shown else yaml.BaseLoader
    )
    return examples


def example_line(kind: str, path: Sequence[str | int] = ()) -> str:
    """Return a provision of a kind on one line: `cap: {mutable: 3}`. It is that of the first
    example which has the keys of `path` (`("amount",)`), or as many of them as any example has.
    """
    keys = [step for step in path if isinstance(step, str)]
    found = max(
        (
            provision
            for example in examples_of(kind, shown=True)
            if isinstance(provisions := example["provisions"], dict) and kind in provisions
            for provision in _listed(provisions[kind])
        ),
        key=lambda provision: _depth(provision, keys),
    )
    braced = yaml.safe_dump({kind: found}, default_flow_style=True, sort_keys=False, width=10_000)
    return braced.strip()[1:-1]


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


def _depth(value: object, keys: Sequence[str]) -> int:
    """Return how many of the keys, one within the other, a provision has."""
    if not keys:
        return 0
    return max(
        (
            1 + _depth(one[keys[0]], keys[1:])
            for one in _listed(value)
            if isinstance(one, dict) and keys[0] in one
        ),
        default=0,
    )
