"""What is shown of each kind of provision: the docstring and the `EXAMPLES` of its module."""

from __future__ import annotations

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


def example_line(kind: str) -> str:
    """Return the provision of a kind's first example on one line: `cap: {mutable: 3}`."""
    provisions = examples_of(kind, shown=True)[0]["provisions"]
    assert isinstance(provisions, dict)
    braced = yaml.safe_dump(
        {kind: provisions[kind]}, default_flow_style=True, sort_keys=False, width=10_000
    )
    return braced.strip()[1:-1]
