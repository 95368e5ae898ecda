"""The kinds of names that a game's records bear, each a type of its own: mypy tells them from other
texts.
"""

from __future__ import annotations

from typing import NewType

PlayerId = NewType("PlayerId", str)
"""The id of a player: the name of a file in players/, without its suffix."""

CommitId = NewType("CommitId", str)
"""The whole id of a commit, 40 or 64 hexadecimal digits in small letters."""

Digest = NewType("Digest", str)
"""A SHA-256 digest, 64 hexadecimal digits in small letters."""
