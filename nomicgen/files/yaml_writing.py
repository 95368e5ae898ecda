"""Words to bytes: front matter and YAML files, written so that any reader of YAML 1.1 or 1.2 reads the same.

ruamel.yaml is the one emitter (`files/emitting.py`). What is certain to come out of it in one way is written here, so
that it need not even be loaded; what is chosen is only which scalars stay without quotes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

from nomicgen import files
from nomicgen.files.text_encoding import trimmed
from nomicgen.model import Moment, RuleRef
from nomicgen.patterns import lazy_pattern

PROVISIONS = "provisions"

# What YAML 1.1 (its specification, and PyYAML, which knows less of it) or the core schema of 1.2 takes for something
# other than a string, where it is written without quotes.
_TYPED = lazy_pattern(
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
BLOCK = lazy_pattern(_START + r"(?:[^\s:#]|:(?=\S)|(?<=\S)#|[ ](?=[^\s#]))*")
FLOW = lazy_pattern(_START + r"(?:[^\s:#,?\[\]{}]|:(?=[^\s,?\[\]{}])|(?<=\S)#|[ ](?=[^\s#]))*")
_NUMBER = lazy_pattern(r"0|-?[1-9][0-9]*")
# What is escaped within quotes, or may be, and what ends a document.
_ESCAPED = lazy_pattern(r"""["\\]|[^\x20-\x7e\xa1-\ud7ff]|\A\.\.\.""")
_SIMPLE = 100
"""Characters of a key that is certain to stand on one line with its value."""


def write_rule(
    *,
    number: int,
    mutability: str,
    revision: int,
    title: str | None = None,
    section: str | None = None,
    provisions: Mapping[str, Any] | None = None,
    defines: Sequence[str] = (),
    unread: bool | Sequence[str] = (),
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
        "unread": (unread if isinstance(unread, bool) else list(unread)) or None,
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
    """The lines of one key: by hand where it is certain what ruamel writes, which takes it a hundred times as long."""
    found = _plainly(key, value, key == PROVISIONS)
    return "".join(found) if found is not None else files.emitted(key, value)


def _plainly(key: str, value: object, raw: bool = False) -> list[str] | None:
    """The lines of one key in block style, None where they are ruamel's to write.

    That is what holds characters to be escaped, long keys, and sequences of more than scalars in block style.
    """
    name = _name(key, BLOCK)
    if name is None:
        return None
    if not isinstance(value, Mapping) or not value:
        said = _within(value, FLOW if raw else BLOCK, raw)
        return None if said is None else [f"{name}: {said}\n"]
    lines = [f"{name}:\n"]
    for inner, one in value.items():
        if raw:
            what, said = _name(str(inner), BLOCK, raw), _within(one, FLOW, raw)
            more = None if what is None or said is None else [f"{what}: {said}\n"]
        else:
            more = [] if one is None else _plainly(str(inner), one)
        if more is None:
            return None
        lines += [f"  {line}" for line in more]
    return lines if len(lines) > 1 else None


def _within(value: object, style: re.Pattern[str], raw: bool) -> str | None:
    """A value on the line of its key: a scalar, or what stands within brackets."""
    if isinstance(value, str):
        return _scalar(value, style, raw)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Moment | date | Fraction | RuleRef):
        return str(value)
    if isinstance(value, Mapping):
        pairs = [(_name(str(key), FLOW, raw), _within(one, FLOW, raw)) for key, one in value.items() if one is not None]
        said = [f"{name}: {one}" for name, one in pairs if name is not None and one is not None]
        return f"{{{', '.join(said)}}}" if len(said) == len(pairs) else None
    if isinstance(value, list | tuple):
        if style is not FLOW and any(isinstance(one, Mapping | list | tuple) for one in value):
            return None
        if any(isinstance(one, Mapping) and sum(each is not None for each in one.values()) == 1 for one in value):
            return None  # ruamel leaves the braces of such a mapping out, where it can
        said = [one for one in (_within(item, FLOW, raw) for item in value) if one is not None]
        return f"[{', '.join(said)}]" if len(said) == len(value) else None
    return None


@lru_cache(maxsize=4096)
def _name(key: str, style: re.Pattern[str], raw: bool = False) -> str | None:
    """A key as it is written before its colon."""
    return _scalar(key, style, raw) if len(key) <= _SIMPLE else None


def _scalar(text: str, style: re.Pattern[str], raw: bool = False) -> str | None:
    """A string as it is written, with or without quotes; None where it holds what must be escaped."""
    if not text.isprintable() or _is_escaped(text):
        return None
    return f'"{text}"' if is_quoted(text, style, raw) else text


def _is_escaped(text: str) -> bool:
    if text.isascii():  # without the pattern, which takes long to compile
        return '"' in text or "\\" in text or text.startswith("...")
    return bool(_ESCAPED.search(text))


def is_bare(text: str, raw: bool) -> bool:
    """Whether a source text (`raw`) is that of a number or a truth value."""
    return raw and (text in ("true", "false") or bool(_NUMBER.fullmatch(text)))


def is_quoted(text: str, style: re.Pattern[str], raw: bool = False) -> bool:
    """Whether a scalar needs quotes, in block style or within brackets. `raw`: it is a source text."""
    if is_bare(text, raw):
        return False
    return bool(_TYPED.fullmatch(text)) or not style.fullmatch(text) or not text.isprintable()
