"""Agora's rules data as files of YAML: `rules/N`, `proposals/N` and `config/index`. Every scalar is a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from nomicgen.formats.agora_data import AgoraData, file_trees

if TYPE_CHECKING:
    from yaml import SafeDumper as Dumper
else:
    Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Texts(Dumper):
    """Writes texts alone, so that `1.0` needs no quotation marks, and texts of several lines as blocks."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.yaml_implicit_resolvers = {}


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    # No file holds half a character.
    whole = text.encode("utf-8", "replace").decode()
    style = "|" if "\n" in text else None if text else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", whole, style=style)


_Texts.add_representer(str, _text)


def data_files(data: AgoraData) -> dict[str, bytes]:
    """The files by their paths in the data's folder."""
    return {path: yaml_of(tree).encode() for path, tree in file_trees(data).items()}


def yaml_of(tree: object) -> str:
    """The lines of a mapping or a list."""
    text: str = yaml.dump(tree, Dumper=_Texts, allow_unicode=True, sort_keys=False, width=1 << 20)
    return text
