"""What is shown of each kind of provision: the docstring and the `EXAMPLES` of its module."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import yaml

from nomicgen.law.kinds import module_of


def meaning_of(kind: str) -> str:
    """What the reference says of a kind beside its keys: the docstring of its module."""
    return cleandoc(module_of(kind).__doc__ or "")


def examples_of(kind: str, *, shown: bool = False) -> list[dict[str, Any]]:
    """The worked examples of a kind, with every scalar as its source text.

    Each has its `case` in words, the `provisions` of one rule, what is done, and what comes of it (`gives`).
    `shown` gives numbers and days as such, to print them.
    """
    examples: list[dict[str, Any]] = yaml.load(
        module_of(kind).EXAMPLES, Loader=yaml.SafeLoader if shown else yaml.BaseLoader
    )
    return examples


def example_line(kind: str) -> str:
    """How a provision is written, on one line: `cap: {mutable: 3}`."""
    provision = examples_of(kind, shown=True)[0]["provisions"][kind]
    return yaml.safe_dump({kind: provision}, default_flow_style=True, sort_keys=False, width=10_000).strip()[1:-1]
