"""While a site is served: what a build made, kept in memory for the next. A page comes out the same, only sooner.

MkDocs makes every page anew for each letter that is changed. Here three things are kept, each as long as what it was
made from is the same:

- the pages of a game in which no more than arguments of proposals are others (`site/word_changes.py`);
- a page that we made is not read again while its text is the same;
- a page is not written again while its text, its contents, the settings, the navigation and the theme's templates are.

Whatever else is copied is looked at file by file (`site_output.py`). A page of which something was said is read again:
it must be said again. Of settings with other plugins, hooks, or extensions that may read other files nothing is kept:
they may do anything.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket
from mkdocs.config.base import LegacyConfig
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents
from mkdocs.utils.templates import TemplateContext
from msgspec import Struct

from nomicgen.history.archive_view import Archive
from nomicgen.play.load import Game
from nomicgen.site.publishing.markdown_folder import THEME
from nomicgen.site.mkdocs.html_block import EXTENSIONS, render
from nomicgen.site.mkdocs.plugin.site_output import SiteOutput
from nomicgen.site import is_reworded, pages, rebuilt_pages

REBUILD = "nomicgen/rebuild"
"""What the rebuild is called among the plugins of a site."""
_PLUGINS = frozenset({"nomicgen", REBUILD})
_FIRST, _LAST = 100, -100


class _Rendered(Struct, frozen=True, kw_only=True):
    """What Markdown made of a page, and from what."""

    key: str
    content: str | None
    title: str | None
    toc: TableOfContents
    anchors: set[str] | None
    links: dict[str, dict[str, str]]


class _Last(Struct, frozen=True, kw_only=True):
    """The game as it was last, and the pages that came of it."""

    game: Game
    archive: Archive
    options: Mapping[str, Any]
    made: Mapping[str, str]


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


@contextmanager
def _listening() -> Iterator[_Heard]:
    heard, logger = _Heard(), logging.getLogger("mkdocs")
    logger.addHandler(heard)
    try:
        yield heard
    finally:
        logger.removeHandler(heard)


class _Files(Files):
    """The files of a site, of which MkDocs reads, writes and copies those that `again` picks."""

    def __init__(self, files: Files, again: Rebuild) -> None:
        super().__init__(files)
        self._rebuild = again

    def documentation_pages(self, *, inclusion: Callable[[InclusionLevel], bool] | None = None) -> Sequence[File]:
        """All pages; where MkDocs says which ones it takes, to read and to write them, the picked ones of these."""
        if inclusion is None:
            return super().documentation_pages()
        return self._rebuild.changed_pages(super().documentation_pages(inclusion=inclusion))

    def copy_static_files(
        self, dirty: bool = False, *, inclusion: Callable[[InclusionLevel], bool] = InclusionLevel.is_included
    ) -> None:
        """Copies the files that are others than those that stand there."""
        for file in self:
            if not file.is_documentation_page() and inclusion(file.inclusion) and self._rebuild.output.is_new(file):
                file.copy_file(dirty)


class Rebuild(BasePlugin[LegacyConfig]):
    """What the builds of one `mkdocs serve` keep for each other: a plugin beside ours, which MkDocs asks by itself."""

    def __init__(self) -> None:
        self.output = SiteOutput()
        self._templates = _Bytecode()
        self._forget()
        self._basis: str | None = None
        self._last: _Last | None = None

    def _forget(self) -> None:
        self._own: dict[str, tuple[str, File]] = {}
        self._rendered: dict[str, _Rendered] = {}
        self._keys: dict[str, str] = {}
        self._frame = ""
        self._start_reading()

    def _start_reading(self) -> None:
        self._idle: set[str] = set()
        self._same: set[str] = set()
        self._wanted: dict[str, str] = {}
        self._all: Sequence[File] = ()
        self._nav: Sequence[Any] = ()
        self._places = ""
        self._files = Files(())

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Keeps the site, which MkDocs is about to clear away."""
        self.output.set_aside(config.site_dir)

    def start(self, config: MkDocsConfig) -> None:
        """After MkDocs has cleared the folder: finds out whether anything of this site can be kept, or was."""
        can = (
            _PLUGINS.issuperset(config.plugins)
            and EXTENSIONS.issuperset(config.markdown_extensions)
            and not config.hooks
        )
        settings = [_settings(config), str(config.site_url), config.site_dir, *_theme(config)]
        basis = _digest(settings) if can else None
        if basis is None or basis != self._basis or not self.output.stands:
            self.output.stands = False
            self._forget()
        self._basis = basis
        self._start_reading()
        self.output.bring_back(without=(*config.theme.static_templates, *config.extra_templates))

    def pages(self, game: Game, archive: Archive, *, written: Mapping[str, str], **options: Any) -> Mapping[str, str]:
        """What `site.pages` gives: where arguments alone are others, most of it is what it gave before."""
        last, self._last = self._last, None
        texts: Mapping[str, str] | None = None
        if last is not None and last.options == options:
            new, old = game.tree, last.game.tree
            paths = [path for path in new.keys() | old.keys() if new.get(path) != old.get(path)]
            if is_reworded(last.archive, archive, paths):
                texts = rebuilt_pages(last.made, archive, paths, written=written, **options)
        texts = pages(archive, written=written, **options) if texts is None else texts
        self._last = _Last(game=game, archive=archive, options=options, made=texts)
        return texts

    def generated_file(self, config: MkDocsConfig, path: str, text: str) -> File:
        """A file that we made: the very same as before where its text is."""
        kept, file = self._own.get(path, ("", None))
        if file is None or kept != text:
            # A text with one curved quotation mark takes twice the memory of its bytes.
            file = File.generated(config, path, content=text.encode(), inclusion=InclusionLevel.NOT_IN_NAV)
            self._own[path] = (text, file)
        elif path in self._keys and file.page is not None:
            self._idle.add(path)
        return file

    def tracked_files(self, files: Files) -> Files:
        """The files of the build that begins."""
        # A person's page at the same path takes the place of ours.
        self._own = {path: own for path, own in self._own.items() if files.get_file_from_path(path) is own[1]}
        self._idle &= self._own.keys()
        if self._basis is None:
            return files
        self._places = _digest(sorted(f"{file.src_uri} {file.url}" for file in files))
        self._files = _Files(files, self)
        return self._files

    def changed_pages(self, pages: Sequence[File]) -> Sequence[File]:
        """Those of some pages that are to be read; once all are read, those that are to be written."""
        left = self._same or self._idle
        self._all = pages
        return [file for file in pages if file.src_uri not in left]

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        """Pages in the navigation are read each time: their titles stand on all others."""
        self._nav = nav.items
        for page in nav.pages:
            self._idle.discard(page.file.src_uri)

    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> None:
        """Leaves a person's page to what was kept."""
        if self._basis is not None and page.file.src_uri not in self._own:

            def again(config: MkDocsConfig, files: Files) -> None:
                self._render(page, config, files)

            # An instance's own way to render; that of the class stays as it is.
            vars(page)["render"] = again

    def _render(self, page: Page, config: MkDocsConfig, files: Files) -> None:
        path = page.file.src_uri
        key = _digest([self._places, page.markdown or "", repr(page.meta)])
        kept = self._rendered.pop(path, None)
        if kept is not None and kept.key == key:
            page.content, page.toc, page.title = kept.content, kept.toc, kept.title
            page.present_anchor_ids = kept.anchors
            links = {files.get_file_from_path(name): anchors for name, anchors in kept.links.items()}
            page.links_to_anchors = {file: anchors for file, anchors in links.items() if file is not None}
            self._rendered[path] = kept
            return
        with _listening() as heard:
            render(page, config, files)
        if not heard.count:
            self._rendered[path] = _Rendered(
                key=key,
                content=page.content,
                title=page.title,
                toc=page.toc,
                anchors=page.present_anchor_ids,
                links={file.src_uri: anchors for file, anchors in (page.links_to_anchors or {}).items()},
            )

    @event_priority(_LAST)
    def on_env(self, env: Environment, *, config: MkDocsConfig, files: Files) -> None:
        """Before templates are filled: finds out which pages come out as they did."""
        env.bytecode_cache = self._templates
        if self._basis is None:
            return
        # A person's own templates may tell of all pages.
        frame = _digest([self._basis, *_tree(self._nav), self._places if config.theme.custom_dir else ""])
        if frame != self._frame:
            self._frame, self._keys = frame, {}
            for path in self._idle:
                file = files.get_file_from_path(path)
                if file is not None and file.page is not None:
                    file.page.read_source(config)
                    render(file.page, config, files)
            self._idle = set()
        self._same = set(self._idle)
        for file in self._all:
            if file.src_uri not in self._idle and file.page is not None:
                self._compare(file.src_uri, file.page)
        for path in self._keys.keys() - {file.src_uri for file in self._all}:
            del self._keys[path]

    def _compare(self, path: str, page: Page) -> None:
        toc = repr([(heading.id, heading.title, heading.level) for heading in page.toc])
        key = _digest([self._frame, str(page.title), page.content or "", toc, repr(page.meta)])
        if self._keys.pop(path, None) == key:
            self._keys[path] = key
            self._same.add(path)
        else:
            self._wanted[path] = key

    def on_page_context(self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation) -> None:
        """Tells a template of all pages."""
        if self._basis is not None:
            context["pages"] = self._all

    @event_priority(_FIRST)
    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> None:
        """Keeps a page for the next build."""
        if (key := self._wanted.get(page.file.src_uri)) and output.strip():
            self._keys[page.file.src_uri] = key

    @event_priority(_FIRST)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Leaves in the site what belongs there."""
        if self._basis is None:
            return
        for file in self._all:
            self.output.holds(file)
            if file.src_uri in self._same and file.page is not None and file.page.links_to_anchors:
                file.page.validate_anchor_links(files=self._files, log_level=config.validation.links.anchors)
            if file.src_uri in self._own and file.page is not None:
                # MkDocs holds the texts of all pages while it builds; we need them no more.
                file.page.content = file.page.markdown = None
        self.output.clean()

    def on_build_error(self, *, error: Exception) -> None:
        """A build ended midway: nobody knows which files it wrote."""
        self.on_shutdown()

    def on_shutdown(self) -> None:
        """Leaves nothing beside the site."""
        self.output.forget()
        self._forget()


def _digest(parts: Sequence[str]) -> str:
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _settings(config: MkDocsConfig) -> str:
    """What the settings say. MkDocs itself makes no use of this, and warns of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return repr(list(config.user_configs))


def _theme(config: MkDocsConfig) -> Iterator[str]:
    """The templates that a person may be changing: all but those that come with the theme."""
    for folder in (config.theme.custom_dir, str(THEME)):
        for path in sorted(Path(folder).rglob("*.html")) if folder in config.theme.dirs else ():
            status = path.stat()
            yield f"{path} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_size}"


def _tree(nav: Sequence[Any]) -> Iterator[str]:
    for item in nav:
        yield f"{type(item).__name__} {item.title} {getattr(item, 'url', '')}"
        if item.children:
            yield "("
            yield from _tree(item.children)
            yield ")"
