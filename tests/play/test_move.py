"""Moves, and their refusal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nomicgen.play.refusal import Refused


def test_a_refusal_passes_through_what_it_is_raised_in() -> None:
    @contextmanager
    def around() -> Iterator[None]:
        yield

    with pytest.raises(Refused) as caught, around():
        raise Refused("there is nothing to do", "wait")
    assert (caught.value.message, caught.value.remedy) == ("there is nothing to do", "wait")
