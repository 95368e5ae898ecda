"""What `files/yaml_writing.py` does not write itself: YAML from ruamel.yaml, which wraps no line and keeps quotes."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

from nomicgen.files.yaml_writing import BLOCK, FLOW, PROVISIONS, is_bare, is_quoted
from nomicgen.model import Moment, RuleRef
from nomicgen.patterns import lazy_pattern

_LINES = lazy_pattern(r"(?:[!-~]+(?: +[!-~]+)*\n){2,}")
"""Several lines of plain ASCII: a signed vote."""


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


def emitted(key: str, value: object) -> str:
    """The lines of one key as ruamel writes them."""
    made = CommentedMap()
    made[_text(key, BLOCK)] = _provisions(value) if key == PROVISIONS else _node(value, BLOCK)
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
        return _node(value, FLOW, raw=True)
    made = CommentedMap()
    for kind, one in value.items():
        made[_text(str(kind), BLOCK, raw=True)] = _node(one, FLOW, raw=True)
    return made


def _node(value: object, style: re.Pattern[str], raw: bool = False) -> object:
    """A value as ruamel writes it, in block style or within brackets. `raw`: strings are source texts."""
    if isinstance(value, str):
        return LiteralScalarString(value) if style is BLOCK and _LINES.fullmatch(value) else _text(value, style, raw)
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
    if style is FLOW or not made:
        made.fa.set_flow_style()
    return made


def _sequence(values: list[object], style: re.Pattern[str], raw: bool) -> CommentedSeq:
    if not any(isinstance(one, Mapping | list | tuple) for one in values):
        style = FLOW
    made = CommentedSeq(_node(one, style, raw) for one in values)
    if style is FLOW:
        made.fa.set_flow_style()
    return made


def _text(text: str, style: re.Pattern[str], raw: bool = False) -> str:
    if is_bare(text, raw):
        return _Plain(text)
    return _Quoted(text) if is_quoted(text, style, raw) else text
