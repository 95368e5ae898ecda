"""`nomicgen plumbing pages`: a game's site as a folder of Markdown that needs no plugin."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path, PurePosixPath

from msgspec import Struct

from nomicgen.files.mkdocs_config import (
    DOCS,
    OVERRIDES,
    SiteConfig,
    SiteConfigError,
    project_config,
    read_site_config,
)
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.play.load import Game
from nomicgen.play.refusal import Refused
from nomicgen.repository.game_tree import FOLDERS
from nomicgen.repository.named_files import read_file
from nomicgen.repository.paths import real
from nomicgen.repository.site_folder import Mirror, compare, read_files, read_folder
from nomicgen.site.build import pages
from nomicgen.site.publishing.publication import publication_of
from nomicgen.site.render import fonts

_MOST = 256 << 10
"""The most bytes that a site's settings may have."""
CONFIGS = ("mkdocs.yml", "mkdocs.yaml")
"""The names of a site's settings: the first that the game has counts."""
THEME = Path(str(files("nomicgen.site").joinpath("theme")))
"""The folder of our overrides over Material's templates."""
# A link in Markdown to a page: `](../rules/203.md`, or `[203]: ../rules/203.md`.
_LINK = rb"(?m)(\]\([ \t]*<?|^ {0,3}\[[^\]\n]+\]:[ \t]*<?)([^\s()<>#?]+\.md)(?=[\s)>#?]|\Z)"


class _SiteSource(Struct, frozen=True, kw_only=True):
    """A site's settings, and the `folder` that their paths are relative to.

    A person writes pages into the folder `docs`, and overrides of the theme into the folder
    `custom_dir` (None if the settings name none). `url` is the site's address, or ''.
    """

    config: SiteConfig
    folder: Path
    docs: Path
    custom_dir: Path | None
    url: str

    @classmethod
    def of(cls, config: SiteConfig, folder: Path) -> _SiteSource:
        return cls(
            config=config,
            folder=folder,
            docs=folder / config.docs_dir,
            custom_dir=folder / config.custom_dir if config.custom_dir else None,
            url=config.site_url,
        )


def plan_site(game: Game, directory: Path, *, config: Path | None = None) -> Mirror:
    """Return what has to be written and removed to make `directory` the site of the game: a project
    from which MkDocs and Zensical build the same pages.

    The settings are those in the file `config`, by default the game's own `mkdocs.yml`, or else
    those that come with nomicgen. A page that a person wrote takes the place of the one that would
    be made. Raises Refused for settings or a directory that cannot be used; RepositoryError.
    """
    root = real(directory)
    source = _source(game, config)
    _check_place(game, root, source.docs)
    written = _files_in(source.docs, root)
    generated = {
        path: data
        for path, data in _generated_pages(game, source, written).items()
        if not _is_taken(path, written)
    }
    renamed = {
        path: _as_index(path)
        for path in generated
        if source.config.directory_urls and _as_index(path) != path
    }
    overrides = _overrides(source, root)
    text = project_config(
        source.config,
        moved=lambda path: os.path.relpath(source.folder / path, root),
        renamed=renamed,
        out_of_nav=_out_of_nav([renamed.get(path, path) for path in generated], written),
        overrides=bool(overrides),
    )
    ours = {f"{DOCS}/{renamed.get(path, path)}": data for path, data in generated.items()}
    theirs = {f"{DOCS}/{path}": _relink(path, data, renamed) for path, data in written.items()}
    return compare(directory, {"mkdocs.yml": text, **ours, **theirs, **overrides})


def published_at(game: Game) -> tuple[str, bool]:
    """Return the address of the game's site ('' if its settings do not say), and whether addresses
    of pages are like `rules/203/` (not `rules/203.html`).

    The settings are the game's own, or else those that come with nomicgen. Raises Refused for
    settings that cannot be used.
    """
    source = _source(game, None)
    return source.url, source.config.directory_urls


def names_address(game: Game, config: Path | None = None) -> bool:
    """Return whether the settings that `plan_site` takes have a `site_url`, even an empty one.
    Raises Refused for settings that cannot be used.
    """
    return _source(game, config).config.tree.get("site_url") is not None


def _source(game: Game, config: Path | None) -> _SiteSource:
    path = config or next(
        (game.root / name for name in CONFIGS if (game.root / name).is_file()), None
    )
    if path is None:
        shipped = files("nomicgen").joinpath("rulesets", "mkdocs.yml").read_text("utf-8")
        text = write_yaml({"site_name": game.settings.name}).decode() + shipped
        # These settings inherit from no other file.
        return _SiteSource.of(read_site_config(text, lambda _: ""), game.root)
    try:
        source = _SiteSource.of(_read_config(path), real(path).parent)
        named = real(source.folder / source.config.game)
    except SiteConfigError as error:
        raise Refused(f"{path}: {error}", "correct it") from error
    if not game.root.is_relative_to(named) and named.is_dir():
        raise Refused(
            f"{path} is the site of the game in {named}",
            "give -C the folder of that game, or --config the site of this one",
        )
    return source


def _read_config(path: Path) -> SiteConfig:
    """Read settings and those that they inherit. `INHERIT` is relative to the file that has it."""
    folders = [real(path).parent]

    def inherited(name: str) -> str:
        above = folders[-1] / name
        folders.append(real(above).parent)
        return _text(above)

    return read_site_config(_text(path), inherited)


def _text(path: Path) -> str:
    try:
        return read_file(path, _MOST).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SiteConfigError(f"{path.name} is not UTF-8") from error


def _check_place(game: Game, root: Path, docs: Path) -> None:
    """Refuse a directory that holds the game, or lies in a folder from which the site is made."""
    if game.root.is_relative_to(root):
        raise Refused(f"{root} holds the game itself", "name a new folder beside it")
    held = (
        real(docs),
        *(game.root / name for name in sorted(FOLDERS)),
    )
    if inside := next((folder for folder in held if root.is_relative_to(folder)), None):
        raise Refused(f"{root} lies in {inside}, which is read", "name a folder outside it")


def _files_in(folder: Path, root: Path) -> dict[str, bytes]:
    # The folder that is written may lie in one that is read.
    return read_folder(folder, without=(root,)) if folder.is_dir() else {}


def _generated_pages(
    game: Game, source: _SiteSource, written: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the files that the plugin would add, by path below the docs."""
    game_history = publication_of(game)
    site_pages = pages(
        game_history,
        today=game.until,
        directory_urls=source.config.directory_urls,
        url=source.url,
        written={
            path: data.decode("utf-8-sig", "replace")
            for path, data in written.items()
            if path.endswith(".md")
        },
    )
    pictures = read_files(game.root, game_history.records.images)
    faces = {path: Path(there).read_bytes() for path, there in fonts().items()}
    return {**{path: content.encode() for path, content in site_pages.items()}, **pictures, **faces}


def _overrides(source: _SiteSource, root: Path) -> dict[str, bytes]:
    """Return the theme's overrides: ours, and the person's, which take the place of ours."""
    ours = _files_in(THEME, root) if source.config.has_our_theme else {}
    theirs = _files_in(source.custom_dir, root) if source.custom_dir else {}
    return {f"{OVERRIDES}/{path}": data for path, data in {**ours, **theirs}.items()}


def _as_index(path: str) -> str:
    """Return `rules/203/index.md` for the page `rules/203.md`, and any other file as it is.

    Both engines leave the links of an index alone. On any other page Zensical takes links to be
    relative to the source's folder, and adds a `../` to each.
    """
    return (
        path
        if not path.endswith(".md") or PurePosixPath(path).name == "index.md"
        else f"{path[:-3]}/index.md"
    )


def _is_taken(path: str, written: Container[str]) -> bool:
    return path in written or _as_index(path) in written


def _relink(path: str, data: bytes, renamed: Mapping[str, str]) -> bytes:
    """Return a person's page, with its links to renamed pages under their new names."""
    if not path.endswith(".md"):
        return data
    folder = posixpath.dirname(path)

    def link(match: re.Match[bytes]) -> bytes:
        there = posixpath.normpath(posixpath.join(folder, match[2].decode("utf-8", "replace")))
        return match[1] + (
            posixpath.relpath(renamed[there], folder).encode() if there in renamed else match[2]
        )

    return re.sub(_LINK, link, data)


def _out_of_nav(generated: Sequence[str], written: Iterable[str]) -> tuple[str, ...]:
    """Return patterns for MkDocs's `not_in_nav` that match all generated pages, and none that a
    person wrote: `/rules/`, or `/rules/203.md` if a person wrote pages into `rules/`.
    """
    folders = {path.partition("/")[0] for path in written if "/" in path}
    patterns = set()
    for path in generated:
        if path.endswith(".md"):
            top, slash, _ = path.partition("/")
            patterns.add(f"/{top}/" if slash and top not in folders else f"/{path}")
    return tuple(sorted(patterns))
