"""Addresses that players wrote, taken apart."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

__all__ = ["is_web", "split_address"]


def split_address(address: str) -> SplitResult | None:
    """The parts of an address; None where nobody can tell them, as with brackets that are no host's."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def is_web(address: str | None) -> bool:
    """Whether it is an http(s) address with a host: no other may become a link to elsewhere."""
    if not address or any(letter.isspace() for letter in address):
        return False
    parts = split_address(address)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)
