"""What the tests of imported texts share: a short way to read one by a map, and how it is shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from textwrap import indent

from markdown_it.token import Token

from nomicgen.files.markdown import parser
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.lines import Line
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.readings import FileText
from nomicgen.importers.source_map import SourceMap, parse_map, shipped_maps
from nomicgen.importers.text.importer import import_text
from nomicgen.importers.tiers import TierMap
from tests.rulesets import errors, history_of_tree

_BULLET = re.compile(r"^(?:[•‣◦▪]\s*|[-–—*+·o]\s+)")
_COUNT = re.compile(r"^([0-9]+)[.)](?=\s|$)")
_UNSEEN = ("em_open", "em_close", "strong_open", "strong_close", "link_open", "link_close")
_WORD = re.compile(r"[^\W_]+")


def lines_of(text: str) -> list[Line]:
    """The lines of a text, numbered."""
    return [Line(number, 1, line) for number, line in enumerate(text.split("\n"), 1)]


def map_of(which: str) -> SourceMap:
    """A map that ships, by its name, or the one that a text is."""
    return shipped_maps().get(which) or parse_map(which)


def read(text: str | bytes, which: str, path: str = "rules.txt") -> FileText:
    """What a map reads of a file."""
    return MapReader(map_of(which)).read(text.encode() if isinstance(text, str) else text, path)


def texts(found: FileText) -> dict[int, str | None]:
    """The rules' texts by number."""
    return {one.number: one.text for one in found.passages}


def slips(found: FileText) -> list[str]:
    """`line slug: message` for each slip."""
    return [f"{one.line} {one.slug}: {one.message}" for one in found.slips]


def words(*parts: str | None) -> Counter[str]:
    """How often each word stands in some texts; a mark of Markdown is none."""
    return Counter(word for part in parts if part for word in _WORD.findall(part))


def words_read(found: FileText) -> Counter[str]:
    """The words that are in a rule, or in none, as a reader says."""
    rules = (part for one in found.passages for part in (one.title, one.text, one.note))
    return words(*rules, *(text for _, text in found.outside))


def shown(found: FileText) -> str:
    """A file as it was read: each rule with its marks, and what stands in none."""
    return (
        "".join(
            f"{head}\n{indent(text.strip(chr(10)), '    ')}\n\n" for head, text in _shown(found)
        ).rstrip()
        + "\n"
    )


def _shown(found: FileText) -> Iterator[tuple[str, str]]:
    for _, one in found.rules:
        marks = [f"({one.tier})" if one.tier else "", f"[{one.mark}]" if one.mark else ""]
        marks += [f"[{one.note}]" if one.note else "", one.title or ""]
        revision = f"/{one.revision}" if one.revision is not None else ""
        yield (
            " ".join(["rule", f"{one.number}{revision}", *filter(None, marks)]),
            one.text or "(none)",
        )
    yield from ((f"outside, line {line}", text) for line, text in found.outside)
    if found.slips:
        yield "said", "\n".join(f"{one}" for one in slips(found))


def imported(
    text: str, which: str, name: str = "rules.txt", tiers: str | None = None
) -> ImportedGame:
    """A text, imported; and the game that it gives has no errors."""
    found = import_text(
        text.encode(), name, map_of(which), tiers=TierMap.parse(tiers) if tiers else None
    )
    assert not found.files or errors(history_of_tree(found.files)) == []
    return found


def rules(found: ImportedGame) -> dict[int, str]:
    """The files of the initial set by number, without the keys that every file has."""
    made = {}
    for path, data in found.files.items():
        if path.startswith("rules/initial/"):
            number = int(path.removeprefix("rules/initial/").removesuffix(".md"))
            made[number] = data.decode().removeprefix(f"---\nnumber: {number}\nmutability: ")
    return dict(sorted(made.items()))


def tiers(found: ImportedGame) -> dict[int, str]:
    return {number: text.partition("\n")[0] for number, text in rules(found).items()}


def bodies(found: ImportedGame) -> dict[int, str]:
    return {number: text.partition("---\n")[2].strip("\n") for number, text in rules(found).items()}


def settings(found: ImportedGame) -> str:
    return found.files["nomic.yml"].decode()


def said(found: ImportedGame) -> list[str]:
    """`line slug: message` for each finding."""
    return [f"{one.span.line} {one.slug}: {one.message}" for one in found.findings]


def visible(markdown: str) -> str:
    """The words that a reader sees of a text of Markdown, without emphasis and bullets."""
    seen: list[str] = []
    for token in parser().parse(markdown):
        if token.type == "list_item_open":
            seen.append(f" {token.info}. " if token.info else " ")
        elif token.type == "inline":
            seen += [_seen(child) for child in token.children or ()]
            seen.append(" ")
        elif token.type in (
            "fence",
            "code_block",
            "html_block",
            "hr",
            "heading_open",
            "blockquote_open",
            "table_open",
        ):
            seen.append(f"<<{token.type}>>")
    return bare("".join(seen))


def _seen(child: Token) -> str:
    if child.type in ("text", "code_inline"):
        return child.content
    if child.type in ("softbreak", "hardbreak"):
        return " "
    return "" if child.type in _UNSEEN else f"<<{child.type}>>"


def bare(text: str) -> str:
    """The words of a text, without marks of emphasis."""
    return " ".join(re.sub(r"[*_]+", "", text).split())


def expected(text: str) -> str:
    """Return what a reader sees of a plain text."""
    return bare(" ".join(text.split()))
