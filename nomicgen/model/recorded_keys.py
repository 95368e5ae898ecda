"""Which keys of a file hold what was recorded, and can be restated by a correction."""

from __future__ import annotations

import re
from typing import Annotated

from nomicgen.model.types import Prepare
from nomicgen.model.values import Text
from nomicgen.patterns import lazy_pattern

_VOTE = lazy_pattern(r"((?:earlier\.\d{1,4}\.)?votes\.[^.]+)\.vote", re.ASCII)
_RECORDED = lazy_pattern(
    r"""date | opened | decided | effective | overruled | began | ended | joined | left
    | (?:earlier\.\d{1,4}\.)? (?: opened | votes\.[^.]+ (?:\.(?:at|die|cast_by|source))? )
    | dice\.\d{1,4}
    | points\.\d{1,4}\.(?:player|amount|reason|under)""",
    re.ASCII | re.VERBOSE,
)


def normal_key(key: str) -> str:
    """A key as `fields` has it: a vote is its choice, whatever else is said of it."""
    match = _VOTE.fullmatch(key)
    return match[1] if match else key


def _recorded(value: object) -> object:
    key = normal_key(value) if isinstance(value, str) else ""
    if not _RECORDED.fullmatch(key):
        raise ValueError("should be what was recorded: votes.ID, a date such as decided, dice.0, or points.0.amount")
    return key


def _evidence(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise ValueError("should say where to see it: an address, or a description")
    return value


RecordedKey = Annotated[Text, Prepare(_recorded)]
Evidence = Annotated[Text, Prepare(_evidence)]
