"""YAML: front matter, players, turns, settings; how it is read, and how it is written again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest import mock

import yaml

from nomicgen.files import front_matter
from nomicgen.files.documents import read_player, read_settings, read_turn
from nomicgen.files.file_editing import set_body, set_keys
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose, split_front
from nomicgen.files.text_encoding import decode
from nomicgen.files.yaml_events import with_plain_breaks
from nomicgen.files.yaml_writing import PROVISIONS, write_yaml
from nomicgen.model.findings import Finding
from tests.fuzz.target import Target, hold
from tests.support import ROOT

# libyaml where the product has it, with every scalar as text.
_Base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FILES: Mapping[str, Callable[[str, bytes], tuple[object, tuple[Finding, ...]]]] = {
    "players/wren.yml": read_player,
    "turns/R1T1.yml": read_turn,
    "nomic.yml": read_settings,
}
WORDS = (
    *(
        "---\n",
        "\n...\n",
        ": ",
        "- ",
        "? ",
        "&a ",
        "*a",
        "<<: ",
        "!!str ",
        "!x ",
        "|\n",
        ">-\n",
        "# ",
        "%YAML 1.2\n",
    ),
    *(
        '"',
        "'",
        "\\x00",
        "\\u2028",
        "{",
        "}",
        "[",
        "]",
        ", ",
        "\t",
        "\r\n",
        "\ufeff",
        "~",
        "null",
        "true",
        "0x1",
        "1:30",
    ),
    *(
        "number: ",
        "title: ",
        "status: ",
        "votes: ",
        "points: ",
        "provisions: ",
        "note: ",
        "tiers: ",
        "2020-01-31",
    ),
)


def _composed(text: str) -> tuple[dict[str, Any] | None, Notes]:
    notes = Notes("f")
    found = compose(text, notes, YamlPlace("f", 1))
    return (found.data if found is not None and found.complete and not found.holes else None), notes


def read(data: bytes) -> None:
    """Every reader of a `.yml` file; what is read without libyaml is what PyYAML says; written, it
    reads the same.
    """
    for path, reader in _FILES.items():
        record, findings = reader(path, data)
        hold(findings, {path: data})
        assert record is not None or any(one.is_error for one in findings), path
    text = decode(data, Notes("f"))
    if text is None:
        return
    known, notes = _composed(text)
    slow = Notes("f")
    with mock.patch.object(front_matter, "read_flat", return_value=None):
        whole = compose(text, slow, YamlPlace("f", 1))
    quick = compose(text, Notes("f"), YamlPlace("f", 1))
    assert (quick is None) == (whole is None)
    if quick is not None and whole is not None:
        assert (quick.data, dict(quick.source.places)) == (whole.data, dict(whole.source.places))
    assert notes.findings() == slow.findings()
    if known is None or notes:
        return
    assert (yaml.load(with_plain_breaks(text), _Base) or {}) == known
    again = write_yaml(known).decode()
    assert _composed(again)[0] == known, again


def edit(data: bytes) -> None:
    """Keys of a file set: below a line of JSON that says which. They are as set, and the rest is as
    it was.
    """
    first, _, file = data.partition(b"\n")
    try:
        changes = json.loads(first)
    except (ValueError, RecursionError):
        return
    if not isinstance(changes, dict) or not all(
        _is_key(key) and _is_plain(changes[key]) for key in changes
    ):
        return
    text = decode(file, Notes("f"))
    front = split_front(text, Notes("f")) if text is not None else None
    before, notes = _composed(front.yaml if front else text or "")
    try:
        after = set_keys(file, changes)
        if front is not None:
            body = front.body.strip("\n")
            assert decode(set_body(file, body), Notes("f")) is not None
    except ValueError:
        return
    if text is None or before is None or notes:
        return
    changed = after.decode()
    ended = split_front(changed, Notes("f"))
    found, slips = _composed(ended.yaml if ended else changed)
    wanted = {key: one for key, one in (before | changes).items() if one is not None}
    if not wanted:
        return  # of a file without a key nothing is left to read
    assert found == wanted, (found, wanted)
    assert {one.slug for one in slips.findings()} <= {"control-character"}, slips.findings()
    assert (ended.body if ended else "") == (front.body if front else "")
    gone = [
        line for line in text.split("\n") if line.lstrip().startswith("#") and line not in changed
    ]
    assert changes.keys() & before.keys() or not gone, gone


def _is_key(key: str) -> bool:
    """Whether a schema might have it; YAML writes a long one in another way."""
    return key.isprintable() and len(key) < 100


def _is_plain(value: object) -> bool:
    """Whether it is a text, which is read as it is written, or nothing."""
    return value is None or (isinstance(value, str) and _is_sound(value))


def _is_sound(text: str) -> bool:
    """Whether it can stand in a file: half of a pair of surrogates cannot."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def write(data: bytes) -> None:
    """A mapping, given as JSON, written: it reads as what was written, to readers of YAML 1.1 as
    well.
    """
    try:
        mapping = json.loads(data, parse_constant=str, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return
    if not isinstance(mapping, dict) or not _is_writable(mapping):
        return
    written = write_yaml(mapping)
    found, notes = _composed(written.decode())
    spelt = [one for one in notes.findings() if one.slug != "control-character"]
    assert found == _said(mapping), written
    assert not spelt, spelt
    loaded = yaml.safe_load(written) or {}
    loaded.pop(PROVISIONS, None)
    typed = {key: value for key, value in _said(mapping).items() if key != PROVISIONS}
    assert loaded == typed, written


def _is_writable(value: object, depth: int = 0) -> bool:
    if isinstance(value, dict):
        return depth < 8 and all(
            _is_name(key) and _is_writable(one, depth + 1) for key, one in value.items()
        )
    if isinstance(value, list):
        return depth < 8 and all(one is not None and _is_writable(one, depth + 1) for one in value)
    return value is None or (isinstance(value, str) and _is_sound(value))


def _is_name(text: str) -> bool:
    """Whether it can be a key: YAML reads none that is longer."""
    return _is_sound(text) and len(text) < 500


def _said(value: Any) -> Any:
    """What is written of a mapping: keys that are None are left out."""
    if isinstance(value, dict):
        return {key: _said(one) for key, one in value.items() if one is not None}
    return [_said(one) for one in value] if isinstance(value, list) else value


def _read_seeds() -> Iterator[bytes]:
    for path in (
        "nomic.yml",
        *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "players").glob("*.yml"))[:3],
    ):
        yield (ROOT / path).read_bytes()
    for file in sorted((ROOT / "turns").glob("*.yml"))[:3]:
        yield file.read_bytes()
    yield (
        b"number: 1\nvotes: {wren: for, 'rook': {vote: against, at: 2020-01-01}}\nnote: |\n"
        b"  one\n  two\n"
    )


def _edit_seeds() -> Iterator[bytes]:
    yield (
        b'{"note": "a: b", "title": null}\n---\nnumber: 301 # first\ntitle: "X"\nvotes:\n'
        b"  wren: for\n---\n\nText.\n"
    )
    yield b'{"name": "Wren"}\nname: Rook\njoined: 2020-01-01\n# kept\naccounts: {github: r}\n'
    yield (
        b'{"decided": "2020-01-01"}\n---\nnumber: 1\nnote: |\n  a\n\n  b\n\n# c\nstatus: open\n'
        b"...\n---\n"
    )


def _write_seeds() -> Iterator[bytes]:
    yield (
        b'{"a": "yes", "b": ["1", "~", "x: y"], "c": {"d": "- e", "f": []}, "note": '
        b'"two\\nlines\\n"}'
    )
    yield (
        b'{"provisions": {"vote": {"needs": "2/3", "all": "true", "n": "12"}}, "k k": "#", "": ""}'
    )
    yield (
        b'{"a": [["b", {"c": "d"}], "\\u0000\\u2028\\ud83d\\ude00"], "0x1f": "1:30", '
        b'"2020-01-01": "=", "<<": "..."}'
    )


TARGETS = (
    Target(name="yaml", run=read, seeds=_read_seeds, words=WORDS),
    Target(
        name="edit", run=edit, seeds=_edit_seeds, words=(*WORDS, '{"note": "', '": null}\n', "\\n")
    ),
    Target(
        name="write",
        run=write,
        seeds=_write_seeds,
        words=('{"', '": "', '", "', "\\n", "\\u2028", "\\ud83d\\ude00", *WORDS),
    ),
)
