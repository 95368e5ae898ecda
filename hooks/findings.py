"""A hook of MkDocs: the guide has a page for each finding, and the schemas, which nomicgen
makes.
"""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from nomicgen.cli.reference_pages import built_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files."""
    for name, content in built_pages():
        files.append(File.generated(config, f"guide/reference/{name}", content=content))
    return files
