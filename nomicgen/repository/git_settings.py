"""Settings of git as the person and the system have them; what a repository says for itself counts for nothing here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from nomicgen.repository.git import call, failure

_TRUSTED = ("system", "global", "command")


def own_settings(root: Path, pattern: str) -> Mapping[str, str]:
    """The values of the keys that `pattern`, a regular expression of git's, matches. Raises what git's failing raises.

    Whoever gives us a repository would choose what is run here, and who counts, if its own settings were heeded.
    """
    status, output, said = call(root, "config", "--show-scope", "-z", "--get-regexp", pattern)
    if status > 1:
        raise failure(root, "config", said)
    tokens = os.fsdecode(output).split("\0")
    found: dict[str, str] = {}
    for scope, setting in zip(tokens[::2], tokens[1::2], strict=False):
        key, _, value = setting.partition("\n")
        if scope in _TRUSTED:
            found[key] = value
    return found
