"""Provisions with numbers as numbers: a game keeps them as they were written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from nomicgen.files.yaml_writing import PROVISIONS, dump


def typed_provisions(provisions: Mapping[str, Any]) -> dict[str, Any]:
    """Return provisions as JSON can have them."""
    made: dict[str, Any] = yaml.safe_load(dump({PROVISIONS: provisions}))[PROVISIONS] if provisions else {}
    return made
