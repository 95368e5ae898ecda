"""What can be done now, as lines that people read and copy from."""

from __future__ import annotations

from nomicgen.archive.waiting import Deed

__all__ = ["deed_lines"]

_WIDTH = 100


def deed_lines(deed: Deed) -> tuple[str, ...]:
    """A sentence; the command after it or on the next line, whole, and so the address."""
    what = " ".join(deed.what.split())
    more = [f"  {one}" for one in (deed.help, deed.address) if one]
    if deed.command is None:
        return (what, *more)
    line = f"{what}: {deed.command}"
    return (line, *more) if len(line) <= _WIDTH else (f"{what}:", f"  {deed.command}", *more)
