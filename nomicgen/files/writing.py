"""Words to bytes: front matter and YAML files, written so that any reader of YAML 1.1 or 1.2 reads the same.

ruamel.yaml is the one emitter. It wraps no line; what is chosen here is only which scalars stay without quotes.
"""

from __future__ import annotations

import functools
import io
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from nomicgen.files.text import trimmed
from nomicgen.model import Moment, RuleRef

__all__ = ["dump", "write_front_matter", "write_rule", "write_yaml"]

PROVISIONS = "provisions"

# What YAML 1.1 (its specification, and PyYAML, which knows less of it) or the core schema of 1.2 takes for something
# other than a string, where it is written without quotes.
_TYPED = re.compile(
    r"""~ | = | << | null | true | false | yes | no | on | off | y | n
    | [-+]? (?: [0-9][0-9_]* | 0x[0-9a-f_]+ | 0o?[0-7_]+ | 0b[01_]+ )
    | [-+]? (?: [0-9][0-9_]* (?: \.[0-9_]* )? | \.[0-9_]+ ) (?: e [-+]? [0-9]+ )?
    | [-+]? [0-9][0-9_]* (?: : [0-5]?[0-9] )+ (?: \.[0-9_]* )?
    | [-+]? \.inf | \.nan
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}
      (?: (?: t | [ \t]+ ) [0-9]{1,2} : [0-9]{2} (?: : [0-9]{2} (?: \.[0-9]* )? )?
          (?: [ \t]* (?: z | [-+][0-9]{1,2} (?: :?[0-9]{2} )? ) )? )?""",
    re.IGNORECASE | re.VERBOSE,
)
# No indicator at its start, and nothing that ends a plain scalar: inside brackets more does, for PyYAML even `?`.
_START = r"""[^\s\-?:,\[\]{}#&*!|>'"%@`=<]"""
_BLOCK = re.compile(_START + r"(?:[^\s:#]|:(?=\S)|(?<=\S)#|[ ](?=[^\s#]))*")
_FLOW = re.compile(_START + r"(?:[^\s:#,?\[\]{}]|:(?=[^\s,?\[\]{}])|(?<=\S)#|[ ](?=[^\s#]))*")
_NUMBER = re.compile(r"0|-?[1-9][0-9]*")


class _Plain(str):
    """A scalar that stands without quotes whatever a reader makes of it: a number, a date, a truth value."""


class _Quoted(DoubleQuotedScalarString):
    """A scalar in double quotes."""

    def __new__(cls, text: str) -> _Quoted:
        made: _Quoted = super().__new__(cls, text)
        return made


class _Representer(RoundTripRepresenter):
    def represent_bare(self, data: str) -> ScalarNode:
        """A node of the type that a reader would give it, so that the emitter sees no need of quotes."""
        text = str(data)
        tag = self.dumper.resolver.resolve(ScalarNode, text, (True, False))
        node: ScalarNode = self.represent_scalar(tag, text)
        return node


_Representer.add_representer(_Plain, _Representer.represent_bare)
_Representer.add_representer(_Quoted, _Representer.represent_double_quoted_scalarstring)


def write_rule(
    *,
    number: int,
    mutability: str,
    revision: int,
    title: str | None = None,
    section: str | None = None,
    provisions: Mapping[str, Any] | None = None,
    defines: Sequence[str] = (),
    void: Moment | bool | None = None,
    note: str | None = None,
    text: str | None,
    commit: str | None = None,
) -> bytes:
    """A file of `rules/` or `rules/initial/`. Keys that say nothing are left out; a `text` of None is a lost one.

    `text` runs from the rule's first to its last non-blank line. `provisions` holds source texts, as read.
    """
    keys = {
        "number": number,
        "mutability": mutability,
        "revision": revision,
        "title": title or None,
        "section": section or None,
        PROVISIONS: provisions or None,
        "defines": list(defines) or None,
        "void": void or None,
        "note": note or None,
        "text": "lost" if text is None else None,
        "commit": commit or None,
    }
    return write_front_matter(keys, text or "")


def write_front_matter(mapping: Mapping[str, object], body: str) -> bytes:
    """A Markdown file: the keys in their order, those that are None left out, and the body after a blank line.

    Of the body, blank lines at its start and end are dropped; every other byte stays. Raises TypeError for a value
    that no front matter holds.
    """
    return f"---\n{dump(mapping)}---\n{placed(body)}".encode()


def write_yaml(mapping: Mapping[str, object]) -> bytes:
    """A YAML file: the keys in their order, those that are None left out. Raises TypeError as above."""
    return dump(mapping).encode()


def placed(body: str) -> str:
    """A body as it stands below front matter: after a blank line, from its first to its last non-blank line."""
    lines = body.split("\n")
    start, end = trimmed(lines, 0, len(lines))
    return "".join(["\n", *(f"{line}\n" for line in lines[start:end])]) if start < end else ""


def dump(mapping: Mapping[str, object]) -> str:
    """The lines of a mapping in YAML, each ended by a line feed; nothing for an empty one."""
    return "".join(_entry(key, value) for key, value in mapping.items() if value is not None)


def _entry(key: str, value: object) -> str:
    """The lines of one key. A rule's title and section stand in the file of each of its revisions."""
    return _known(key, value) if isinstance(value, str | int | Moment) else _emitted(key, value)


@functools.lru_cache(maxsize=16384, typed=True)
def _known(key: str, value: str | int | Moment) -> str:
    return _emitted(key, value)


def _emitted(key: str, value: object) -> str:
    made = CommentedMap()
    made[_text(key, _BLOCK)] = _provisions(value) if key == PROVISIONS else _node(value, _BLOCK)
    yaml = YAML()
    yaml.Representer = _Representer
    yaml.width = sys.maxsize
    yaml.allow_unicode = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    yaml.dump(made, stream)
    return stream.getvalue()


def _provisions(value: object) -> object:
    """Each kind on a line of its own. Their strings are source texts, of which some are numbers."""
    if not isinstance(value, Mapping) or not value:
        return _node(value, _FLOW, raw=True)
    made = CommentedMap()
    for kind, one in value.items():
        made[_text(str(kind), _BLOCK, raw=True)] = _node(one, _FLOW, raw=True)
    return made


def _node(value: object, style: re.Pattern[str], raw: bool = False) -> object:
    """A value as ruamel writes it, in block style or within brackets. `raw`: strings are source texts."""
    if isinstance(value, str):
        return _text(value, style, raw)
    if isinstance(value, bool):
        return _Plain("true" if value else "false")
    if isinstance(value, int | Moment | date | Fraction | RuleRef):
        return _Plain(str(value))
    if isinstance(value, Mapping):
        return _mapping(value, style, raw)
    if isinstance(value, Iterable):
        return _sequence(list(value), style, raw)
    raise TypeError(f"no front matter holds a {type(value).__name__}")


def _mapping(value: Mapping[Any, object], style: re.Pattern[str], raw: bool) -> CommentedMap:
    made = CommentedMap()
    for key, one in value.items():
        if one is not None:
            made[_text(str(key), style, raw)] = _node(one, style, raw)
    if style is _FLOW or not made:
        made.fa.set_flow_style()
    return made


def _sequence(values: list[object], style: re.Pattern[str], raw: bool) -> CommentedSeq:
    if not any(isinstance(one, Mapping | list | tuple) for one in values):
        style = _FLOW
    made = CommentedSeq(_node(one, style, raw) for one in values)
    if style is _FLOW:
        made.fa.set_flow_style()
    return made


def _text(text: str, style: re.Pattern[str], raw: bool = False) -> str:
    if raw and (text in ("true", "false") or _NUMBER.fullmatch(text)):
        return _Plain(text)
    if _TYPED.fullmatch(text) or not style.fullmatch(text) or not text.isprintable():
        return _Quoted(text)
    return text
