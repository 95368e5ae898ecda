"""While a site is served: what a build made, kept for the next. A page comes out the same, only sooner.

A page is made from its text, the settings, the navigation and the theme. Where all are what they were, so is the page.
Of settings with other plugins, hooks, or extensions that may read other files nothing is kept: they may do anything.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, ChoiceLoader, DictLoader, Environment
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents
from msgspec import Struct

from nomicgen.plugin.block import EXTENSIONS, render

__all__ = ["Again"]

_PLUGINS = frozenset({"search", "material/search", "nomicgen"})
# A longer site would fill the memory with pages.
_MOST = 1500
_TEMPLATE = "nomicgen-again.html"
_OUTPUT = "nomicgen_again"


class _Rendered(Struct, frozen=True, kw_only=True):
    """What Markdown made of a page, and from what."""

    key: str
    content: str | None
    title: str | None
    toc: TableOfContents
    anchors: set[str] | None
    links: dict[str, dict[str, str]]


class _Bytecode(BytecodeCache):
    """Compiled templates."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if (bucket.key, bucket.checksum) in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key, bucket.checksum])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


class _Heard(logging.Handler):
    """How much was said of a page: what was said once must be said again."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1


class Again:
    """What the builds of one `mkdocs serve` keep for each other."""

    def __init__(self) -> None:
        self._templates = _Bytecode()
        self._rendered: dict[str, _Rendered] = {}
        self._written: dict[str, tuple[str, str]] = {}
        self._wanted: dict[str, str] = {}
        self._basis: str | None = None

    def begin(self, config: MkDocsConfig, files: Files) -> None:
        """Before the pages are read: finds out whether anything of this site can be kept."""
        can = (
            _PLUGINS.issuperset(config.plugins)
            and EXTENSIONS.issuperset(config.markdown_extensions)
            and not config.hooks
            and len(files) <= _MOST
        )
        settings = repr(list(config.user_configs))
        places = sorted(f"{file.src_uri} {file.url}" for file in files)
        self._basis = _digest([settings, str(config.site_url), *places]) if can else None

    def prepare(self, page: Page) -> None:
        """Before a page is read: it will be rendered by us."""
        if self._basis is not None:

            def again(config: MkDocsConfig, files: Files) -> None:
                self._render(page, config, files)

            # An instance's own way to render; that of the class stays as it is.
            vars(page)["render"] = again

    def _render(self, page: Page, config: MkDocsConfig, files: Files) -> None:
        path = page.file.src_uri
        key = _digest([str(self._basis), page.markdown or "", repr(page.meta)])
        kept = self._rendered.get(path)
        if kept is not None and kept.key == key:
            page.content, page.toc, page.title = kept.content, kept.toc, kept.title
            page.present_anchor_ids = kept.anchors
            found = {files.get_file_from_path(name): anchors for name, anchors in kept.links.items()}
            page.links_to_anchors = {file: anchors for file, anchors in found.items() if file is not None}
            return
        heard, logger = _Heard(), logging.getLogger("mkdocs")
        logger.addHandler(heard)
        try:
            render(page, config, files)
        finally:
            logger.removeHandler(heard)
        self._rendered.pop(path, None)
        if not heard.count:
            self._rendered[path] = _Rendered(
                key=key,
                content=page.content,
                title=page.title,
                toc=page.toc,
                anchors=page.present_anchor_ids,
                links={file.src_uri: anchors for file, anchors in (page.links_to_anchors or {}).items()},
            )

    def dress(self, env: Environment, config: MkDocsConfig, files: Files, nav: Sequence[Any]) -> None:
        """Before templates are filled: gives each page that will come out as it did what it came out as."""
        env.bytecode_cache = self._templates
        self._wanted = {}
        if self._basis is None:
            return
        assert env.loader is not None
        env.loader = ChoiceLoader([DictLoader({_TEMPLATE: f"{{{{ page.meta.{_OUTPUT} }}}}"}), env.loader])
        frame = _digest([self._basis, *_theme(config), *_tree(nav)])
        for file in files.documentation_pages():
            page = file.page
            if page is None or "template" in page.meta:
                continue
            toc = repr([(one.id, one.title, one.level) for one in page.toc])
            key = _digest([frame, str(page.title), page.content or "", toc, repr(page.meta)])
            made, output = self._written.get(file.src_uri, ("", ""))
            if made == key:
                page.meta.update({"template": _TEMPLATE, _OUTPUT: output})
            else:
                self._wanted[file.src_uri] = key

    def keep(self, page: Page, output: str) -> None:
        """After a page's template was filled."""
        if key := self._wanted.get(page.file.src_uri):
            self._written[page.file.src_uri] = (key, output)


def _digest(parts: Sequence[str]) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _theme(config: MkDocsConfig) -> Iterator[str]:
    """The templates that a person may be changing: all but those that come with the theme."""
    for folder in config.theme.dirs[:2]:
        for path in sorted(Path(folder).rglob("*.html")):
            yield f"{path} {path.stat().st_mtime_ns}"


def _tree(nav: Sequence[Any]) -> Iterator[str]:
    for item in nav:
        yield f"{type(item).__name__} {item.title} {getattr(item, 'url', '')}"
        if item.children:
            yield "("
            yield from _tree(item.children)
            yield ")"
