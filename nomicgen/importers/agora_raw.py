"""Agora's rules data as they stand, key by key: what an export is held against."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgen.files.front import Place, compose
from nomicgen.files.notes import Notes
from nomicgen.formats.agora_data import AgoraData
from nomicgen.importers.agora_read import Data, plain_text
from nomicgen.patterns import lazy_pattern

__all__ = ["raw_data"]

_NUMBER = lazy_pattern(r"[1-9][0-9]{0,8}")


def raw_data(files: Mapping[str, bytes], data: Data) -> AgoraData:
    """The files of the rules and proposals that were read, and the index, without keys that say nothing."""
    found = AgoraData()
    for number, rule in data.rules.items():
        said = _said(files, rule.path)
        if isinstance(said, dict):
            found.rules[number] = said
    for name in data.proposals:
        said = _said(files, f"proposals/{name}")
        if isinstance(said, dict):
            found.proposals[name] = said
    index = _said(files, "config/index", "index:\n") if "config/index" in files else None
    listed = index.get("index") if isinstance(index, dict) else None
    found.index = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return found


def _said(files: Mapping[str, bytes], path: str, head: str = "") -> object:
    text = files[path].decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    read = compose(head + plain_text(text), Notes(path), Place(path, 1))
    return _clean(read.data) if read is not None else None


def _clean(value: object) -> object:
    if isinstance(value, Mapping):
        cleaned = {str(key): _clean(one) for key, one in value.items()}
        return {key: one for key, one in cleaned.items() if one not in (None, "", [], {})}
    if isinstance(value, list):
        return [_clean(one) for one in value]
    return "\n".join(line.rstrip() for line in value.strip("\n").split("\n")) if isinstance(value, str) else value
