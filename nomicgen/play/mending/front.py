"""The front matter of a draft, written anew from what its author said, in whatever form."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.front_matter import YamlPlace, compose, split_front
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.model.findings import Edit, Mending
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.values import Moment
from nomicgen.play.draft import GameNames, title_of, without_quotes

# A line that someone took for `---`.
_MARK = r"\s*(?:-{2,}|\*{3,}|_{3,}|\+{3,}|=[=]{2,}|[—–]+|(?:`{3,}|~{3,})\s*\w*)\s*"
# A line that opens a fence.
_OPENS = r"\s*(?:`{3,}|~{3,})\s*(?:\w+)?\s*"
# A line `key: value`.
_KEY = (
    r"""\s*(?:[-*•+]\s+)?[*_"'“‘`]*(?P<key>[^\W\d_][\w -]{0,30}?)[*_"'”’`]*\s*[:：=][*_]*"""
    r"\s*(?P<value>.*)"
)
# Keys that people write, and the key that is meant.
_SYNONYMS = {
    "name": "title", "subject": "title", "heading": "title", "titel": "title", "titre": "title",
    "topic": "title",
    "by": "author", "player": "author", "proposer": "author", "proposed_by": "author",
    "from": "author",
    "autor": "author", "auteur": "author", "authors": "author", "state": "status",
    "effective_date": "commences",
    "starts": "commences",
}  # fmt: skip
_SENTENCE = 3
"""The value of an unknown or doubled key with at least so many words is a sentence, and goes into
the argument.
"""
# A day in digits, with any sign between them.
_DAY = r"([0-9]{4})[-/. ]([0-9]{1,2})[-/. ]([0-9]{1,2})"


class DraftFront(Struct, frozen=True, kw_only=True):
    """What stands above a body: the keys as they were read (`data`), and `prose`, other lines.

    The body begins at the line `end`, counted from 0. `closes` is the line that ends a fence around
    the whole file, -1 if there is none. `has_right_form` is about the form of the front matter,
    whatever its keys.
    """

    end: int
    data: Mapping[str, Any]
    prose: tuple[str, ...] = ()
    closes: int = -1
    has_right_form: bool = True


def read_front(lines: Sequence[str]) -> DraftFront:
    """Return the front matter that begins a text, or what was meant to be it; `end` is 0 if there
    is nothing of the kind.
    """
    text, notes = "\n".join(lines), Notes("")
    split = split_front(text, notes)
    if split is not None:
        composed = compose(split.yaml, notes, YamlPlace("", split.yaml_line))
        if composed is not None and composed.complete and not composed.holes:
            return DraftFront(end=split.body_line - 1, data=composed.data)
    return _leniently(lines)


def _leniently(lines: Sequence[str]) -> DraftFront:
    """Return what was meant to be front matter: from the first words of a text up to the first line
    that cannot belong to it.
    """
    with_words = [at for at, line in enumerate(lines) if line.strip()]
    closes = _outer_fence(lines, with_words)
    # In a fence around the whole file, the second line with words begins the front matter.
    begin = next(iter(with_words[closes >= 0 :]), len(lines))
    marks = [at for at in range(begin, len(lines)) if re.fullmatch(_MARK, lines[at])]
    is_opened = marks[:1] == [begin]
    closing = marks[1] if is_opened and len(marks) > 1 else -1
    data: dict[str, Any] = {}
    prose: list[str] = []
    at, last_key = begin + is_opened, ""
    while at < len(lines):
        line, is_within = lines[at], is_opened and at < closing
        key, value = _key_and_value(line)
        at += 1
        if (is_opened or data) and re.fullmatch(_MARK, line):
            break
        if key and (key in ProposalMatter.names or is_within):
            is_new = key in ProposalMatter.names and key not in data
            if not is_new and len(value.split()) >= _SENTENCE:
                prose.append(line.strip())
            data.setdefault(key, _unquoted(value))
            last_key = key
        elif last_key and line[:1] in (" ", "\t") and line.strip():
            # The value of the last key goes on.
            data[last_key] = f"{data[last_key]} {line.strip()}".strip()
        elif is_within and line.lstrip().startswith("#"):
            continue  # a comment of YAML
        elif is_within and line.strip() and (data or line.lstrip().startswith("-")):
            prose.append(line.strip())
        elif line.strip() or not _goes_on(lines[at:], may_end=is_opened or bool(data)):
            at -= 1
            break
    if not (data or is_opened or closes >= 0):
        return DraftFront(end=0, data={}, has_right_form=False)
    return DraftFront(end=at, data=data, prose=tuple(prose), closes=closes, has_right_form=False)


def _goes_on(rest: Sequence[str], *, may_end: bool) -> bool:
    """Return whether front matter goes on after a blank line: with a key, or if it `may_end`, with
    the line that ends it.
    """
    following = next((line for line in rest if line.strip()), "")
    is_end = may_end and re.fullmatch(_MARK, following) is not None
    return is_end or _key_and_value(following)[0] in ProposalMatter.names


def _key_and_value(line: str) -> tuple[str, str]:
    """Return the key and the value of a line `key: value`, two times '' for any other line.

    What was meant for a key of a proposal is spelt right: `Titel: Tea` gives `title` and `Tea`.
    """
    match = re.fullmatch(_KEY, line)
    return (_key_of(match["key"]), match["value"]) if match else ("", "")


def _outer_fence(lines: Sequence[str], with_words: Sequence[int]) -> int:
    """Return the line that ends a fence around all of a text with its front matter, or -1."""
    if len(with_words) < 3:
        return -1
    opens, first, last = (lines[with_words[at]] for at in (0, 1, -1))
    is_around = (
        re.fullmatch(_OPENS, opens)
        and re.fullmatch(_MARK, first)
        and not re.fullmatch(_OPENS, first)
    )
    return with_words[-1] if is_around and last.strip() in ("```", "````", "~~~") else -1


def _key_of(text: str) -> str:
    plain = re.sub(r"[\s-]+", "_", text.strip().casefold())
    plain = _SYNONYMS.get(plain, plain)
    if plain in ProposalMatter.names:
        return plain

    return next(
        iter(difflib.get_close_matches(plain, ("title", "author", "status", "commences"), 1, 0.75)),
        plain,
    )


def _unquoted(value: str) -> str:
    """Return a value without a comma or `**` at its end, quotation marks around it, or one at its
    beginning that is never closed.
    """
    plain = value.strip().removesuffix(",").strip()
    plain = plain[:-2].rstrip() if plain.endswith("**") else plain
    inner = without_quotes(plain)
    return inner[1:].strip() if inner[:1] == '"' and '"' not in inner[1:] else inner


def mended_front(lines: Sequence[str], path: str, known: GameNames) -> Mending:
    """Return the mending that writes the front matter anew, with the keys that an author may write.

    The author is `known.author`, or if that is None, whoever the draft names, or `your-id`.
    """
    front = read_front(lines)
    data: dict[str, Any] = {}
    for key, value in front.data.items():
        data.setdefault(_key_of(key), value)
    keys: dict[str, object] = {
        "title": _one_line(data.get("title")) or _guessed_title(lines[front.end :], path, front)
    }
    keys["author"], asks = _author(data, known)
    moment = _read_day(data.get("commences"))
    if moment is not None:
        keys["commences"] = moment
    elif data.get("commences"):
        asks.append(
            "When is it to take effect? What the front matter said is no date such as 2026-02-01."
        )
    keys["status"] = "draft"
    if isinstance(data.get("note"), str) and data["note"].strip():
        keys["note"] = _one_line(data["note"])
    key_lines = (
        write_yaml({key: value for key, value in keys.items() if value}).decode().splitlines()
    )
    # If the form was wrong, `front.prose` has these sentences already.
    unknown = [_as_paragraph(*item) for item in data.items()] if front.has_right_form else []
    prose = [*filter(None, unknown), *front.prose]
    below = [line for words in prose for line in ("", words)]
    gap = [""] if front.end < len(lines) and lines[front.end].strip() else []
    edits = [Edit(1, front.end, ("---", *key_lines, "---", *below, *gap))]
    if front.closes >= 0:
        edits.append(Edit(front.closes + 1, front.closes + 1, ()))
    gone = [key for key in data if key not in keys and key not in ("commences",)]
    return Mending(
        said=_what_to_write(key_lines, gone, front), edits=tuple(edits), asks=" ".join(asks)
    )


def _what_to_write(key_lines: Sequence[str], gone: Sequence[str], front: DraftFront) -> str:
    shown = ", ".join(quoted(line, 200) for line in key_lines)
    out = f"; delete {', '.join(quoted(key) for key in gone[:8])}" if gone else ""
    if not front.data:
        return f"begin the file with these lines, and a blank one: `---`, {shown}, `---`"
    return f"between two lines that are exactly `---` write {shown}{out}"


def _one_line(value: Any) -> str:
    if isinstance(value, list):
        value = ", ".join(item for item in value if isinstance(item, str))
    return " ".join(re.sub(CONTROLS, "", value).split()) if isinstance(value, str) else ""


def _guessed_title(body: Sequence[str], path: str, front: DraftFront) -> str:
    return "" if front.has_right_form else title_of(body, path)


def _author(data: Mapping[str, Any], known: GameNames) -> tuple[str, list[str]]:
    """Return the author to write, and a question if the draft names another player."""
    claimed = _one_line(data.get("author")).lstrip("@")
    named = known.people.get(claimed.casefold(), "")
    if not known.author:
        return named or claimed or "your-id", []
    others = named and named != known.author
    return known.author, [f"Is it yours? The file named {named} as its author."] if others else []


def _read_day(value: Any) -> Moment | None:
    match = re.fullmatch(_DAY, value.strip()) if isinstance(value, str) else None
    text = f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}" if match else value
    try:
        return Moment.parse(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _as_paragraph(key: str, value: Any) -> str:
    """Return an unknown key with its value if that is a sentence, not to be lost; else ''."""
    text = _one_line(value)
    return (
        f"{key}: {text}"
        if key not in ProposalMatter.names and len(text.split()) >= _SENTENCE
        else ""
    )
