"""Moments that may be unknown, and what is certain of them all the same."""

from __future__ import annotations

from nomicgen.model import Moment


def precedes(moment: Moment | None, other: Moment | None) -> bool:
    """Whether one moment is provably earlier than another: both are known, and their days or times tell."""
    return moment is not None and moment.precedes(other)
