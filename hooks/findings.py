"""A hook of MkDocs: the guide has a page for each finding, which `nomicgen explain` shows in a terminal."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from nomicgen.cli.reference_pages import finding_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for name, page in finding_pages():
        files.append(File.generated(config, f"guide/reference/{name}", content=page))
    return files
