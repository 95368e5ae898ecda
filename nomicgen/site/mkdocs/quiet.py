"""Keeps Material's notice on MkDocs 2 out of every build: a game pins MkDocs 1.

MkDocs imports this as it reads a mkdocs.yml that names it, before the theme, which prints the
notice when imported.
"""

from __future__ import annotations

import os

NOTICE = os.environ.setdefault("NO_MKDOCS_2_WARNING", "true")
"""What the environment says of the notice."""
