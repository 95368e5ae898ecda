"""What is shown of each kind of provision: the docstring and the `EXAMPLES` of its module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    keys = [f"{step}: " for step in path if isinstance(step, str)]
    lines = (line for example in examples_of(kind, shown=True) for line in _lines(kind, example))
    return max(lines, key=lambda line: sum(key in line for key in keys))


def _lines(kind: str, example: Mapping[str, object]) -> Iterator[str]:
    provisions = example["provisions"]
    assert isinstance(provisions, dict)
    value = provisions[kind]
    for one in value if isinstance(value, list) else [value]:
        braced = yaml.safe_dump({kind: one}, default_flow_style=True, sort_keys=False, width=10_000)
        yield braced.strip()[1:-1]
