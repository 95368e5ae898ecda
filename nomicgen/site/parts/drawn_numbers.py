"""Numbers as a drawing needs them."""

from __future__ import annotations


def number(value: float) -> str:
    """Return a number as short as a picture needs it: at most one digit after the point."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text not in ("-0.0", "0.0") else "0"


def percent(share: float) -> str:
    """Return a share of the width: `37.5%`."""
    return f"{number(share * 100)}%"
