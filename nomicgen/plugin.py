"""The MkDocs plugin: loads the game, and gives MkDocs the pages that `site` makes of it. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel

from nomicgen.diagnostics import Finding
from nomicgen.game import archive_of, load
from nomicgen.repository import RepositoryError
from nomicgen.site import pages

__all__ = ["NomicConfig", "NomicPlugin"]

log = get_plugin_logger(__name__)

_FOLDERS = ("rules", "proposals", "judgements", "acts", "players", "turns", "images")


class NomicConfig(Config):
    """`game`: the folder of the game, relative to mkdocs.yml."""

    game = config_options.Type(str, default=".")


class NomicPlugin(BasePlugin[NomicConfig]):
    """Adds the pages of a game to a site. A page that a person wrote at the same path takes the place of ours."""

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Gives MkDocs every page; those of rules and instruments stay out of the navigation."""
        try:
            game = load(self._root(config))
            archive = archive_of(game)
        except RepositoryError as error:
            raise PluginError(f"nomicgen: {error.message}. {error.remedy}") from error
        self._report(game.errors, strict=config.strict)
        made = pages(archive, today=game.until, directory_urls=config.use_directory_urls, url=config.site_url or "")
        for path, content in made.items():
            if path not in files.src_uris:
                files.append(File.generated(config, path, content=content, inclusion=InclusionLevel.NOT_IN_NAV))
        for path in sorted(archive.records.images):
            files.append(File.generated(config, path, abs_src_path=str(game.root / path)))
        return files

    def _report(self, errors: Sequence[Finding], *, strict: bool) -> None:
        """A strict build of a game that does not hold together fails; any other says so, here and on each page."""
        if not errors:
            return
        count = "an error" if len(errors) == 1 else f"{len(errors)} errors"
        said = f"nomicgen: the game has {count}, first {errors[0].span}: {errors[0].message}. Run `nomicgen check`"
        if strict:
            raise PluginError(said)
        log.warning(said)

    def on_serve(self, server: LiveReloadServer, *, config: MkDocsConfig, builder: object) -> LiveReloadServer:
        """Rebuilds when a file of the game changes."""
        root = self._root(config)
        for name in ("nomic.yml", *_FOLDERS):
            if (root / name).exists():
                server.watch(str(root / name))
        return server

    def _root(self, config: MkDocsConfig) -> Path:
        return Path(config.config_file_path or "mkdocs.yml").resolve().parent / self.config.game
