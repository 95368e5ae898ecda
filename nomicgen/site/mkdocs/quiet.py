"""Silences Material's notice about MkDocs 2, in every build: a game pins MkDocs 1.

The notice is printed when the theme is imported. A mkdocs.yml that names `NOTICE` makes MkDocs
import this module while it reads the settings, before the theme.
"""

from __future__ import annotations

import os

NOTICE = os.environ.setdefault("NO_MKDOCS_2_WARNING", "true")
"""The value of the variable that Material reads: any value silences the notice."""
