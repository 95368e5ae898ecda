"""The MkDocs plugin: loads the game, and gives MkDocs the files that `site/build.py` makes."""

from __future__ import annotations

import gc
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal

from markupsafe import escape
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.theme import Theme

from nomicgen.files.mkdocs_config import ADDRESSES, WORDS, inert_address
from nomicgen.model.findings import Finding
from nomicgen.play.refusal import Refused
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.game_tree import find_root
from nomicgen.repository.git_state import folders
from nomicgen.site.build import pages
from nomicgen.site.mkdocs.html_block import render
from nomicgen.site.mkdocs.watching import follow
from nomicgen.site.publishing.build_day import load_to_publish
from nomicgen.site.publishing.markdown_folder import THEME
from nomicgen.site.publishing.publication import missing_address_warning, publication_of
from nomicgen.site.render import fonts

__all__ = ["NomicConfig", "NomicPlugin"]

log = get_plugin_logger(__name__)

# The name of a block in a template of Jinja.
_BLOCK = r"\{%-?\s*block (\w+)"


class NomicConfig(Config):
    """The plugin's options: `game` is the folder of the game, relative to mkdocs.yml. The value of
    `quiet` is never read: a mkdocs.yml that gives it as `quiet.NOTICE` has `quiet.py` imported.
    """

    game = config_options.Type(str, default=".")
    quiet = config_options.Type(str, default="")


class NomicPlugin(BasePlugin[NomicConfig]):
    """Adds the pages of a game to a site. A page that a person wrote at the same path takes the
    place of ours.
    """

    def __init__(self) -> None:
        self._serves = False
        # The day that the site shows, such as `2026-11-28`.
        self._day = ""
        # While serving: the files of the last build, as `_make` returns them.
        self._made: tuple[Mapping[str, str], Mapping[str, str]] | None = None

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Note whether MkDocs serves. Because the plugin has this method, MkDocs keeps the plugin
        for all builds of one `mkdocs serve`.
        """
        self._serves = command == "serve"
        # The pages of a long game stay in memory until they are written. Looking for garbage among
        # them would take a fifth of the time.
        gc.set_threshold(1_000_000)

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Escape the settings that themes print, and put our templates between a person's own and
        Material's. While serving, drop the Content-Security-Policy.

        Escaped settings are `Markup`: a template that escapes them once more changes nothing.
        """
        for keys, change in ((WORDS, escape), (ADDRESSES, inert_address)):
            for key in keys:
                if isinstance(config[key], str):
                    config[key] = change(config[key])
        if str(THEME) not in config.theme.dirs:
            if _takes_our_head(config.theme):
                config.theme.dirs.insert(1 if config.theme.custom_dir else 0, str(THEME))
            else:
                log.warning(
                    f"the theme {config.theme.name} has no place for our head: pages have no "
                    "Content-Security-Policy, "
                    "no link to the feed, no citation and no search of the game. Use `theme: "
                    "material`, or a fork of it"
                )
        if self._serves:
            # The policy would block the script that MkDocs writes into each page that it serves.
            config.extra["content_security_policy"] = ""
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every file of the game's site; a page is in the navigation only if mkdocs.yml names
        it there.
        """
        written = {file.src_uri: file.content_string for file in files.documentation_pages()}
        try:
            texts, pictures = self._make(config, written)
        except Refused as error:
            raise PluginError(f"nomicgen: {error.message}: {error.remedy}") from error
        except RepositoryError as error:
            if self._made is None:
                raise PluginError(f"nomicgen: {error.message}. {error.remedy}") from error
            # While the site is served, somebody is at work on the game and will mend it; until then
            # the pages stay as they were.
            log.error(f"{error.message}. {error.remedy}")
            texts, pictures = self._made
        taken = {file.dest_uri for file in files}
        ours = [
            *(_file(config, path, content) for path, content in texts.items()),
            *(
                File.generated(config, path, abs_src_path=source)
                for path, source in pictures.items()
            ),
        ]
        for file in ours:
            if file.dest_uri not in taken:
                files.append(file)
        if self._serves:
            self._made = (texts, pictures)
        return files

    def _make(
        self, config: MkDocsConfig, written: Mapping[str, str]
    ) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the texts to add, and where the pictures and fonts lie on the disk, both by path
        below the docs.
        """
        game = load_to_publish(self._root(config))
        self._day = str(game.until.day)
        game_history = publication_of(game)
        self._report(game.errors, strict=config.strict and not self._serves)
        if warning := missing_address_warning(game, named=config.site_url is not None):
            log.warning(warning)
        texts = pages(
            game_history,
            today=game.until,
            directory_urls=config.use_directory_urls,
            url=config.site_url or "",
            written=written,
        )
        return texts, {
            **{path: str(game.root / path) for path in sorted(game_history.records.images)},
            **fonts(),
        }

    def _report(self, errors: Sequence[Finding], *, strict: bool) -> None:
        """Fail a strict build if the game has errors; warn of them in any other."""
        if not errors:
            return
        count = "an error" if len(errors) == 1 else f"{len(errors)} errors"
        words = (
            f"the game has {count}, first {errors[0].span}: {errors[0].message}. Run "
            "`nomicgen check`"
        )
        if strict:
            raise PluginError(f"nomicgen: {words}")
        log.warning(words)

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
        """Date the pages with the day of the site, in the sitemap too. MkDocs would take the day
        in UTC.
        """
        for file in files.documentation_pages():
            if file.page is not None:
                file.page.update_date = self._day
        return nav

    def on_pre_page(self, page: Page, *, config: MkDocsConfig, files: Files) -> Page:
        """Have a page rendered by `html_block.py`."""
        # This sets the method of one page; that of the class stays as it is.
        vars(page)["render"] = partial(render, page)
        return page

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: object
    ) -> LiveReloadServer:
        """Have the site built again when a file of the game changes, and after a commit."""
        with suppress(RepositoryError):
            root = find_root(self._root(config))
            follow(server, root, folders(root))
        return server

    def _root(self, config: MkDocsConfig) -> Path:
        return Path(config.config_file_path or "mkdocs.yml").resolve().parent / self.config.game


def _takes_our_head(theme: Theme) -> bool:
    """Return whether a theme has the blocks that our templates fill: Material has, and so do its
    forks.
    """
    ours = set(re.findall(_BLOCK, (THEME / "main.html").read_text("utf-8")))
    bases = (path for folder in theme.dirs if (path := Path(folder, "base.html")).is_file())
    return any(ours <= set(re.findall(_BLOCK, path.read_text("utf-8"))) for path in bases)


def _file(config: MkDocsConfig, path: str, content: str) -> File:
    # In memory, a string with one curved quotation mark is twice as large as its bytes.
    return File.generated(
        config, path, content=content.encode(), inclusion=InclusionLevel.NOT_IN_NAV
    )
