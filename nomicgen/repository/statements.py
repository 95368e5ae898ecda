"""What players sign: a title, then one `key value` a line. The bytes are the same for the same statement. Pure."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TypeVar

import msgspec
from msgspec import Struct

from nomicgen.files.text_encoding import CONTROLS

ARMOUR = "-----BEGIN SSH SIGNATURE-----"
"""The line with which a signature begins."""
STATEMENT_LIMIT = 4 << 10
"""Bytes of a statement."""

_T = TypeVar("_T", bound=Struct)
_WIDTH = 7
_LINE = r"(?!\s)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}(?<!\s)\Z"
_IDENT = r"[a-z][a-z0-9-]{0,63}\Z"
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}\Z"


def one_line(name: str) -> str:
    """A game's name as it is signed."""
    return " ".join(name.split())[:200].strip()


def require_lines(*texts: str) -> None:
    """Raises ValueError for a text that cannot stand on a line."""
    for text in texts:
        if not re.match(_LINE, text) or re.search(CONTROLS, text):
            raise ValueError("a line of it is empty, too long or has characters that nobody can see")


def is_ident(text: str) -> bool:
    """Whether a text may be a player's id."""
    return re.match(_IDENT, text) is not None


def require_time(text: str) -> None:
    """Raises ValueError for what is no time of ISO 8601, to the second, with its offset."""
    if not re.match(_TIME, text):
        raise ValueError("its date is none")
    datetime.fromisoformat(text)


def write_statement(title: str, statement: Struct) -> bytes:
    """The text that is signed."""
    lines = (f"{key:<{_WIDTH}}{getattr(statement, key)}\n" for key in statement.__struct_fields__)
    return f"{title}\n{''.join(lines)}".encode()


def read_statement(title: str, form: type[_T], data: bytes) -> _T:
    """The statement that a text is. Raises ValueError for any text that `write_statement` does not give."""
    if len(data) > STATEMENT_LIMIT:
        raise ValueError(f"it has more than {STATEMENT_LIMIT} bytes")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    keys = form.__struct_fields__
    if len(lines) != len(keys) + 2 or lines[0] != title:
        raise ValueError(f"it is none of the form `{title}`")
    try:
        statement = msgspec.convert({key: line[_WIDTH:] for key, line in zip(keys, lines[1:], strict=False)}, form)
    except msgspec.ValidationError as error:
        message = str(error)
        raise ValueError(
            "one of its values is none" if message.startswith(("Expected ", "Invalid ")) else message
        ) from None
    if write_statement(title, statement) != data:
        raise ValueError("it is not written as such a statement is")
    return statement
