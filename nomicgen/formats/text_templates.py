"""Templates of texts other than the site's pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


class Escaped(str):
    """Words that are filled into a template as they are: nomicgen's own, or escaped already."""


def text_templates(package: str, finalize: Callable[[object], object] | None = None) -> Environment:
    """Return the templates of a package's folder `templates/`. `finalize` gets each value that is
    filled in, and returns what is printed.
    """
    # Most commands fill no template, and need not import these.
    from importlib.resources import files

    from jinja2 import DictLoader, Environment, StrictUndefined

    folder = files(package) / "templates"
    return Environment(
        loader=DictLoader({file.name: file.read_text("utf-8") for file in folder.iterdir()}),
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
