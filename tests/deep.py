"""How much is tried, and when; and how many examples a property gets.

The marker `deep` keeps a test out of `make test`, and `nightly` out of `make test-deep` too.
CONTRIBUTING.md names each group of files that uses them, with the reason.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

from tests.support import ROOT

__all__ = ["PROFILE", "PROFILES", "examples", "load_profile", "sampled"]

PROFILES = {"quick": 20, "nightly": 1000}
"""How many examples a property gets that does not say how many, by the name of the profile."""

PROFILE = os.environ.get("NOMICGEN_EXAMPLES", "quick")


def load_profile() -> None:
    """Take the profile that NOMICGEN_EXAMPLES names. What once failed is kept, and tried first in
    later runs.
    """
    known = DirectoryBasedExampleDatabase(ROOT / ".hypothesis" / "examples")
    for name, count in PROFILES.items():
        # The machines that run this are noisy: how long one example takes says nothing.
        settings.register_profile(name, deadline=None, max_examples=count, database=known)
    settings.load_profile(PROFILE)


def examples(share: float) -> int:
    """So many times as many examples as the profile has: 0.4 is 8 in `make test`, and 400 in
    `make test-nightly`.
    """
    return round(share * PROFILES[PROFILE])


def sampled(cases: Iterable[Any], *, every: int, always: Iterable[Any] = ()) -> list[Any]:
    """All cases of a test: one of so many, and those in `always`, are tried by CI, the rest at
    night.

    A case that is a tuple has a value for each of the test's arguments.
    """
    quick = list(always)
    return [
        case
        if not at % every or case in quick
        else pytest.param(*_values(case), marks=pytest.mark.nightly)
        for at, case in enumerate(cases)
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
