"""Agora's rules data as they stand, key by key: what an export is held against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgen.formats.agora_data import AgoraData
from nomicgen.importers.agora_read import Data, plain_text


def raw_data(data: Data) -> AgoraData:
    """The rules and proposals that were read, and the index, without keys that say nothing."""
    rules = {number: _said(data.raw[one.path]) for number, one in data.rules.items()}
    proposals = {name: _said(data.raw[f"proposals/{name}"]) for name in data.proposals}
    listed = _said(data.raw.get("config/index")).get("index", [])
    index = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    return AgoraData(rules=rules, proposals=proposals, index=index)


def _said(raw: object) -> dict[str, Any]:
    cleaned = _clean(raw)
    return cleaned if isinstance(cleaned, dict) else {}


def _clean(value: object) -> object:
    if isinstance(value, Mapping):
        cleaned = {str(key): _clean(one) for key, one in value.items()}
        return {key: one for key, one in cleaned.items() if one not in (None, "", [], {})}
    if isinstance(value, list):
        return [_clean(one) for one in value]
    return plain_text(value).rstrip("\n") if isinstance(value, str) else value
