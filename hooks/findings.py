"""A hook of MkDocs for this repository's site. It adds the parts of the guide that are made from
the code and not committed: the pages of findings and rulesets, and the JSON Schemas.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[1]))  # where `mkdocs` does not look

from tests.reference.pages import built_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated files of `guide/reference/` to the files of the site."""
    for name, content in built_pages():
        files.append(File.generated(config, f"guide/reference/{name}", content=content))
    return files
