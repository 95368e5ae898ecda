"""A hook of MkDocs: the guide has a page for each finding, which `nomicgen explain` shows in a terminal."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from nomicgen.cli.reference_pages import finding_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages, except those that lie in the folder already."""
    for name, page in finding_pages():
        path = f"guide/reference/{name}"
        if files.get_file_from_path(path) is None:
            files.append(File.generated(config, path, content=page))
    return files
