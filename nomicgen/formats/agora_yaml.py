"""Agora's rules data as files of YAML: `rules/N`, `proposals/N` and `config/index`. Every scalar is a text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from nomicgen.formats.agora_data import AgoraData
from nomicgen.patterns import lazy_pattern

_PLAIN = lazy_pattern(r"[A-Za-z0-9(](?:[A-Za-z0-9.,'()/&+*_-]|:(?=[^ ])|[ ](?=[^ #]))*(?<!:)")
_BLOCK = lazy_pattern(
    r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029\ud800-\udfff]*\n[^\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029\ud800-\udfff]*"
)


def data_files(data: AgoraData) -> dict[str, bytes]:
    """The files by their paths in the data's folder."""
    found = {f"rules/{number}": yaml_of(rule) for number, rule in sorted(data.rules.items())}
    # What is no name of a file cannot have been one.
    names = (name for name in data.proposals if "/" not in name and name not in ("", ".", "..") and "\0" not in name)
    found |= {f"proposals/{name}": yaml_of(data.proposals[name]) for name in names}
    found["config/index"] = "".join(_lines(data.index, 0)).removeprefix("\n")
    return {path: text.encode("utf-8", "replace") for path, text in found.items()}


def yaml_of(mapping: Mapping[str, object]) -> str:
    """The lines of a mapping."""
    return "".join(f"{_scalar(key, 0)}:{_value(value, 0)}" for key, value in mapping.items())


def _value(value: object, indent: int) -> str:
    """What stands after a key: a scalar on its line, or lines below it."""
    if isinstance(value, Mapping | list):
        return f"\n{''.join(_lines(value, indent))}" if value else f" {'{}' if isinstance(value, Mapping) else '[]'}\n"
    return f" {_scalar(str(value), indent)}\n"


def _lines(value: Mapping[str, object] | Sequence[object], indent: int) -> list[str]:
    """The lines below a key: of a list at its own indent, of a mapping two further in."""
    found = []
    if not isinstance(value, Mapping):
        for one in value:
            if isinstance(one, Mapping) and one:
                inner = "".join(_lines(one, indent))
                found.append(f"{' ' * indent}- {inner[indent + 2 :]}")
            else:
                found.append(f"{' ' * indent}-{_value(one, indent)}")
        return found
    pad = " " * (indent + 2)
    return [f"{pad}{_scalar(str(key), 0)}:{_value(one, indent + 2)}" for key, one in value.items()]


def _scalar(text: str, indent: int) -> str:
    if _PLAIN.fullmatch(text):
        return text
    if not _BLOCK.fullmatch(text) or not text.strip():
        return json.dumps(text)
    lines = text.split("\n")
    drawn = "2" if lines[0][:1] in (" ", "") else ""
    end = "-" if not text.endswith("\n") else "" if not text.endswith("\n\n") else "+"
    body = "\n".join(f"{' ' * (indent + 2)}{line}" if line else "" for line in text.rstrip("\n").split("\n"))
    return f"|{drawn}{end}\n{body}{chr(10) * max(0, len(text) - len(text.rstrip(chr(10))) - 1)}"
