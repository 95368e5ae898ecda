"""Addresses that players wrote, taken apart."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

__all__ = ["split_address"]


def split_address(address: str) -> SplitResult | None:
    """The parts of an address; None where nobody can tell them, as with brackets that are no host's."""
    try:
        return urlsplit(address)
    except ValueError:
        return None
