"""`mkdocs.yml`, read, and rewritten for a project in another folder.

Comments and YAML tags such as `!!python/name:` are kept, and no tag is acted upon.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

import yaml
from msgspec import Struct
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.scalarstring import LiteralScalarString

from nomicgen.files.yaml_events import events_of

DOCS, OVERRIDES, PLUGIN = "docs", "overrides", "nomicgen"
"""A project's folders of pages and of the theme's overrides, and the name of our plugin."""
WORDS = ("site_name", "site_description", "site_author", "repo_name")
ADDRESSES = ("site_url", "repo_url", "edit_uri", "edit_uri_template")
"""The settings that themes print as they are: words, and addresses that stand in attributes."""
_THEMES = ("material", "zensical")  # our overrides are made for these
# Characters that can end an attribute or begin a tag.
_ACTIVE = r"[\s\x00-\x1f\x7f\"'<>`]"
# How many files may inherit from each other in a row: more are taken for a circle.
_DEEPEST = 20
# How deep settings may be nested, and how many nodes of YAML they may have.
_NESTED, _NODES = 40, 20_000


class SiteConfigError(ValueError):
    """A `mkdocs.yml` cannot be read, or no project can be made from it.

    The message is one line, without the file's name.
    """


class SiteConfig(Struct, frozen=True, kw_only=True):
    """A site's settings, with those that they inherit. Paths are as written: from the file's folder
    on.
    """

    tree: CommentedMap

    @property
    def docs_dir(self) -> str:
        return self._text(self.tree, "docs_dir") or DOCS

    @property
    def custom_dir(self) -> str | None:
        theme = self.tree.get("theme")
        return self._text(theme, "custom_dir") if isinstance(theme, dict) else None

    @property
    def directory_urls(self) -> bool:
        return self.tree.get("use_directory_urls") is not False

    @property
    def site_url(self) -> str:
        return inert_address(self._text(self.tree, "site_url") or "")

    @property
    def has_our_theme(self) -> bool:
        """Whether the theme is the one that our overrides are made for."""
        theme = self.tree.get("theme", "mkdocs")
        return (theme.get("name") if isinstance(theme, dict) else theme) in _THEMES

    @property
    def game(self) -> str:
        """The folder of the game, as the options of our plugin name it."""
        for name, options in _plugins(self.tree.get("plugins")):
            if name == PLUGIN and isinstance(options, dict):
                return self._text(options, "game") or "."
        return "."

    def _text(self, keys: Mapping[str, Any], key: str) -> str | None:
        value = keys.get(key)
        if value is not None and not isinstance(value, str):
            raise SiteConfigError(
                f"{key}: should be {'an address' if key == 'site_url' else 'a path'}, written out"
            )
        if value is not None and not value.isprintable():
            raise SiteConfigError(f"{key}: holds a character that does not print")
        return value


def read_site_config(text: str, inherited: Callable[[str], str], *, depth: int = 0) -> SiteConfig:
    """Read a `mkdocs.yml`. Raises SiteConfigError.

    `inherited` gives the text at the path after INHERIT. `depth` counts the files that have
    inherited from this one in a row.
    """
    _require_small(text)
    try:
        tree = _yaml().load(text)
    except MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise SiteConfigError(f"{line}{error.problem or 'it is no YAML'}") from error
    except (YAMLError, ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
        # A day that does not exist, a number of a million digits, a tag on what it does not fit.
        raise SiteConfigError("YAML has no such value") from error
    if tree is None:
        tree = CommentedMap()
    if not isinstance(tree, CommentedMap):
        raise SiteConfigError("it should hold keys")
    above = tree.pop("INHERIT", None)
    if above is None:
        return SiteConfig(tree=tree)
    if not isinstance(above, str) or not above.isprintable() or depth == _DEEPEST:
        raise SiteConfigError("INHERIT: should be the path of another file, and lead to no circle")
    parent = read_site_config(inherited(above), inherited, depth=depth + 1)
    return SiteConfig(tree=_merged(parent.tree, tree))


def _require_small(text: str) -> None:
    """Raise SiteConfigError for settings that are too deep, or too many with aliases expanded."""
    sizes: dict[str, int] = {}  # by anchor, the nodes that an alias of it stands for
    stack: list[tuple[str | None, int]] = []  # open collections: anchors, and the nodes before them
    total = 0
    try:
        for event in events_of(text):
            kind = type(event)
            if kind is yaml.AliasEvent:
                if any(anchor == event.anchor for anchor, _ in stack):
                    raise SiteConfigError(
                        f"line {event.start_mark.line + 1}: an alias stands in what it is one of"
                    )
                total += sizes.get(event.anchor, 0)
            elif issubclass(kind, yaml.CollectionEndEvent):
                anchor, before = stack.pop()
                if anchor is not None:
                    sizes[anchor] = total - before
            elif issubclass(kind, yaml.NodeEvent):
                total += 1
                if issubclass(kind, yaml.CollectionStartEvent):
                    stack.append((event.anchor, total - 1))
                elif event.anchor is not None:
                    sizes[event.anchor] = 1
            if len(stack) > _NESTED or total > _NODES:
                raise SiteConfigError(
                    f"line {event.start_mark.line + 1}: it is too much for settings, up to here"
                )
    except yaml.YAMLError as error:
        # The loader that reads the content refuses all other errors; it would let half a character
        # pass.
        if "Unicode" in str(getattr(error, "problem", "")):
            raise SiteConfigError("an escape spells no character") from error


def inert_address(text: str) -> str:
    """Return an address with escapes for characters that would end an attribute or begin a tag."""
    return re.sub(_ACTIVE, lambda sign: quote(sign[0]), text)


def project_config(
    config: SiteConfig,
    *,
    moved: Callable[[str], str],
    renamed: Mapping[str, str],
    out_of_nav: Sequence[str],
    overrides: bool,
) -> bytes:
    """Return the `mkdocs.yml` of a project that makes the same site without our plugin.

    `moved` turns a path from the folder of `config` into one from the project's folder. `renamed`
    has the new paths of pages that get other ones, by their old paths. `out_of_nav` has patterns of
    the pages that the plugin keeps out of the navigation. With `overrides`, the theme gets a
    `custom_dir`. Changes `config.tree`.
    """
    tree = config.tree
    tree["docs_dir"] = DOCS
    tree["site_dir"] = "site"
    if not tree.get("site_url"):
        # Zensical takes an empty address for the root of a server.
        tree.pop("site_url", None)
    _disarm(tree, with_words=not config.has_our_theme)
    _without_plugin(tree)
    _set_theme(tree, overrides=overrides)
    for key in ("hooks", "watch"):
        if isinstance(tree.get(key), list):
            tree[key] = CommentedSeq(
                moved(path) if isinstance(path, str) else path for path in tree[key]
            )
    if "nav" in tree:
        tree["nav"] = _with_new_paths(tree["nav"], renamed)
    if tree.get("repo_url"):
        # Pages that were made have no source that could be edited.
        tree["edit_uri"] = ""
    theirs = tree.get("not_in_nav")
    lines = [theirs.rstrip("\n")] if isinstance(theirs, str) else []
    tree["not_in_nav"] = LiteralScalarString("\n".join((*lines, *out_of_nav)) + "\n")
    stream = io.StringIO()
    _yaml().dump(tree, stream)
    return stream.getvalue().encode()


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _merged(base: CommentedMap, over: CommentedMap) -> CommentedMap:
    """Put the keys of `over` into `base` and return it.

    As MkDocs does it, mappings are merged key by key, and a list replaces a list.
    """
    for key, value in over.items():
        old = base.get(key)
        if isinstance(old, CommentedMap) and isinstance(value, CommentedMap):
            _merged(old, value)
        else:
            base[key] = value
    return base


def _with_new_paths(nav: Any, renamed: Mapping[str, str]) -> Any:
    """Return a navigation, or a part of it, with the new paths of renamed pages."""
    if isinstance(nav, dict):
        for key, value in nav.items():
            nav[key] = _with_new_paths(value, renamed)
    elif isinstance(nav, list):
        for index, value in enumerate(nav):
            nav[index] = _with_new_paths(value, renamed)
    return renamed.get(nav, nav) if isinstance(nav, str) else nav


def _plugins(plugins: Any) -> list[tuple[str, Any]]:
    """Return the plugins and their options, whether they are written as a list or as keys."""
    if isinstance(plugins, dict):
        return list(plugins.items())
    pairs: list[tuple[str, Any]] = []
    for plugin in plugins if isinstance(plugins, list) else ():
        pairs += list(plugin.items()) if isinstance(plugin, dict) else [(str(plugin), None)]
    return pairs


def _disarm(tree: CommentedMap, *, with_words: bool) -> None:
    """Escape addresses that a theme prints as they are, and words unless the theme escapes them."""
    for keys, change in ((ADDRESSES, inert_address), (WORDS if with_words else (), escape)):
        for key in keys:
            value = tree.get(key)
            if isinstance(value, str) and change(value) != value:
                tree[key] = change(value)


def _without_plugin(tree: CommentedMap) -> None:
    plugins = tree.get("plugins")
    if isinstance(plugins, dict):
        plugins.pop(PLUGIN, None)
    elif isinstance(plugins, list):
        for index in reversed(range(len(plugins))):
            if (list(plugins[index]) if isinstance(plugins[index], dict) else [plugins[index]]) == [
                PLUGIN
            ]:
                del plugins[index]


def _set_theme(tree: CommentedMap, *, overrides: bool) -> None:
    theme = tree.get("theme")
    if not isinstance(theme, dict):
        theme = tree["theme"] = CommentedMap({"name": theme or "mkdocs"})
    theme.pop("custom_dir", None)
    if overrides:
        theme["custom_dir"] = OVERRIDES
    if theme.get("name") in _THEMES:
        # Zensical's own look is another; MkDocs has no such key and leaves it alone.
        theme.setdefault("variant", "classic")
