"""Public SSH keys as players register them: the type of the value, and what of it makes two keys the same."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Annotated

from nomicgen.model.types import ReadWith

KEY_TYPES = (
    "ssh-ed25519",
    "sk-ssh-ed25519@openssh.com",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
)
_LONGEST = 4000
_KEY = r"^({}) [A-Za-z0-9+/]+={{0,2}}( [ -~]*)?$".format("|".join(kind.replace(".", r"\.") for kind in KEY_TYPES))
_FORM = _KEY.removesuffix("$") + r"\Z"


def bare_key(key: str) -> str:
    """A key that was read without its comment: what two texts of one key have in common."""
    return " ".join(key.split(" ")[:2])


def _signing_key(value: object) -> str:
    if not isinstance(value, str) or not re.match(_FORM, value):
        known = f"{', '.join(KEY_TYPES[:-1])} or {KEY_TYPES[-1]}"
        raise ValueError(f"should be one line of a public SSH key file, of the type {known}, without options")
    if len(value) > _LONGEST:
        raise ValueError(f"should have at most {_LONGEST} characters")
    kind, text = value.split(" ")[:2]
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        data = b""
    # The key says its type once more. Other bits at the end would make two texts of one key.
    if not data.startswith(len(kind).to_bytes(4, "big") + kind.encode()) or base64.b64encode(data).decode() != text:
        raise ValueError(f"should be a whole key of the type {kind}: copy the line of the .pub file once more")
    return value


SigningKey = Annotated[str, ReadWith(_signing_key, {"type": "string", "pattern": _KEY, "maxLength": _LONGEST})]
"""A line of a `.pub` file: type, key, and perhaps a comment."""
