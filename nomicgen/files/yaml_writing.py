"""Writes front matter and YAML files, so that readers of YAML 1.1 and 1.2 read the same in them.

A text is written without quotes if no reader takes it for anything else: `title: Tea`, but
`title: "yes"`. A list is written in brackets, unless it holds mappings or lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

import yaml

from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.model.rule_matters import RuleMatter
from nomicgen.model.values import Moment, RuleRef

PROVISIONS = "provisions"

# What YAML 1.1 (its specification, and PyYAML, which knows less of it) or the core schema of 1.2
# takes for something other than a string, where it is written without quotes.
_TYPED = r"""(?ix)~ | = | << | null | true | false | yes | no | on | off | y | n
    | [-+]? (?: [0-9][0-9_]* | 0x[0-9a-f_]+ | 0o?[0-7_]+ | 0b[01_]+ )
    | [-+]? (?: [0-9][0-9_]* (?: \.[0-9_]* )? | \.[0-9_]+ ) (?: e [-+]? [0-9]+ )?
    | [-+]? [0-9][0-9_]* (?: : [0-5]?[0-9] )+ (?: \.[0-9_]* )?
    | [-+]? \.inf | \.nan
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}
      (?: (?: t | [ \t]+ ) [0-9]{1,2} : [0-9]{2} (?: : [0-9]{2} (?: \.[0-9]* )? )?
          (?: [ \t]* (?: z | [-+][0-9]{1,2} (?: :?[0-9]{2} )? ) )? )?"""
# A scalar that may stand without quotes: it begins with no indicator, and holds nothing that would
# end it. Inside brackets (`_FLOW`) more signs would, for PyYAML even `?`.
_START = r"""(?!\.\.\.)[^\s\-?:,\[\]{}#&*!|>'"%@`=<]"""
_BLOCK = re.compile(_START + r"(?:[^\s:#]|:(?=\S)|(?<=\S)#|[ ](?=[^\s#]))*")
_FLOW = re.compile(_START + r"(?:[^\s:#,?\[\]{}]|:(?=[^\s,?\[\]{}])|(?<=\S)#|[ ](?=[^\s#]))*")
_NUMBER = r"0|-?[1-9][0-9]*"
_LINES = r"(?:[!-~]+(?: +[!-~]+)*\n){2,}"
"""Several lines of plain ASCII, such as a signature: they are written as a literal block."""
# What JSON leaves as it is within quotes, and YAML does not.
_ESCAPED = "[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"


def write_rule(*, text: str | None, **keys: object) -> bytes:
    """Return a file of `rules/` or `rules/initial/`, with those of the `keys` that have a value.

    `revision` has to be among them, and is written even if it is 0. If `text` is None, it is lost.
    `provisions` holds source texts, as read. Raises TypeError for a key that no rule has.
    """
    if unknown := keys.keys() - RuleMatter.names.keys():
        raise TypeError(f"a rule has no {', '.join(sorted(unknown))}")
    keys["text"] = "lost" if text is None else None
    order = [*(name for name in RuleMatter.names if name != "commit"), "commit"]
    written = {name: keys[name] for name in order if keys.get(name) or name == "revision"}
    return write_front_matter(written, text or "")


def write_front_matter(mapping: Mapping[str, object], body: str) -> bytes:
    """Return a Markdown file: the keys in their order, without those that are None, and the body
    after a blank line.

    Blank lines at the start and end of the body are dropped. Raises TypeError for a value that no
    front matter holds.
    """
    return f"---\n{dump(mapping)}---\n{below_front_matter(body)}".encode()


def write_yaml(mapping: Mapping[str, object]) -> bytes:
    """Return a YAML file: the keys in their order, without those that are None.

    Raises TypeError for a value that no front matter holds.
    """
    return dump(mapping).encode()


def below_front_matter(body: str) -> str:
    """Return a body as it stands below front matter: after a blank line, and trimmed."""
    lines = body.split("\n")
    start, end = trim_blank_lines(lines, 0, len(lines))
    return "".join(["\n", *(f"{line}\n" for line in lines[start:end])]) if start < end else ""


def dump(mapping: Mapping[str, object]) -> str:
    """Return the lines of a mapping in YAML, each ended by a line feed; nothing for an empty
    one.
    """
    lines: list[str] = []
    for key, value in mapping.items():
        if key == PROVISIONS and isinstance(value, Mapping) and value:
            # Each kind on a line of its own. Their strings are source texts, of which some are
            # numbers.
            pairs = (_pair(str(kind), words, _BLOCK, raw=True) for kind, words in value.items())
            lines += [f"{key}:", *(f"  {pair}" for pair in pairs)]
        elif value is not None:
            lines += _entry(key, value)
    return "".join(f"{line}\n" for line in lines)


def _entry(key: str, value: object) -> list[str]:
    """Return the lines of a key in block style."""
    below: list[str] = []
    mark = ""
    if isinstance(value, Mapping):
        below = _block(value)
    elif isinstance(value, list | tuple) and any(
        isinstance(item, Mapping | list | tuple) for item in value
    ):
        below = [line for item in value for line in _item(item)]
    elif isinstance(value, str) and re.fullmatch(_LINES, value):
        mark, below = " |", value.splitlines()
    if not below:
        return [_pair(key, value, _BLOCK)]
    return [f"{_scalar(key, _BLOCK)}:{mark}", *(f"  {line}" for line in below)]


def _block(mapping: Mapping[Any, object]) -> list[str]:
    return [
        line
        for key, value in mapping.items()
        if value is not None
        for line in _entry(str(key), value)
    ]


def _item(value: object) -> list[str]:
    """Return the lines of an item of a list in block style."""
    first, *rest = (_block(value) if isinstance(value, Mapping) else []) or [_inline(value, _BLOCK)]
    return [f"- {first}", *(f"  {line}" for line in rest)]


def _pair(key: str, value: object, style: re.Pattern[str], *, raw: bool = False) -> str:
    """Return a key and its value on one line."""
    return f"{_scalar(key, style, raw)}: {_inline(value, _FLOW if raw else style, raw)}"


def _inline(value: object, style: re.Pattern[str], raw: bool = False) -> str:
    """Return a value as it is written on one line: a scalar, or a list or mapping in brackets."""
    if isinstance(value, str):
        return _scalar(value, style, raw)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Moment | date | Fraction | RuleRef):
        return str(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(_pairs(value, raw))}}}"
    if isinstance(value, Iterable):
        return f"[{', '.join(_inline_item(item, raw) for item in value)}]"
    raise TypeError(f"no front matter holds a {type(value).__name__}")


def _inline_item(value: object, raw: bool) -> str:
    pairs = _pairs(value, raw) if isinstance(value, Mapping) else []
    # YAML needs no braces for one pair in a list.
    return pairs[0] if len(pairs) == 1 else _inline(value, _FLOW, raw)


def _pairs(mapping: Mapping[Any, object], raw: bool) -> list[str]:
    return [
        _pair(str(key), value, _FLOW, raw=raw)
        for key, value in mapping.items()
        if value is not None
    ]


def _scalar(text: str, style: re.Pattern[str], raw: bool = False) -> str:
    """Return a string with or without quotes.

    If `raw`, it is a source text: `3` and `true` then stand for a number and a truth value, and get
    no quotes.
    """
    if raw and (text in ("true", "false") or re.fullmatch(_NUMBER, text)):
        return text
    if re.fullmatch(_TYPED, text) or not style.fullmatch(text) or not text.isprintable():
        return re.sub(
            _ESCAPED, lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False)
        )
    return text


def typed_provisions(provisions: Mapping[str, Any]) -> dict[str, Any]:
    """Return the provisions of a record, which are source texts, with numbers and truth values as
    JSON has them.
    """
    made: dict[str, Any] = (
        yaml.safe_load(dump({PROVISIONS: provisions}))[PROVISIONS] if provisions else {}
    )
    return made
