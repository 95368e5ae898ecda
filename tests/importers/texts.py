"""What the tests of imported texts share: a short way to read one, and how a text reads once it is Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from markdown_it.token import Token

from nomicgen.files.file_findings import Notes
from nomicgen.files.markdown import parser
from nomicgen.importers.printed.format import normalised
from nomicgen.importers.long.importer import ImportedGame
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_outline import Outline
from nomicgen.importers.text_reading import Read, read_text
from nomicgen.importers.tiers import TierMap
from tests.rulesets import archive, errors

_BULLET = re.compile(r"^(?:[•‣◦▪]\s*|[-–—*+·o]\s+)")
_COUNT = re.compile(r"^([0-9]+)[.)](?=\s|$)")
_UNSEEN = ("em_open", "em_close", "strong_open", "strong_close", "link_open", "link_close")


def imported(text: str, name: str = "rules.txt", tiers: str | None = None) -> ImportedGame:
    """A text, imported; and the game that it gives has no errors."""
    found = import_text(text.encode(), name, tiers=TierMap.parse(tiers) if tiers else None)
    assert not found.files or errors(archive(found.files)) == []
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


def body(text: str, name: str = "rules.txt") -> str:
    """The text of the one rule that these lines are."""
    found = imported(f"Mutable Rules\n\n201. {text}\n", name)
    assert found.numbers == (201,), text
    return bodies(found)[201]


def visible(markdown: str) -> str:
    """The words that a reader sees of a text of Markdown, without emphasis and bullets."""
    seen: list[str] = []
    for token in parser().parse(markdown):
        if token.type == "list_item_open":
            seen.append(f" {token.info}. " if token.info else " ")
        elif token.type == "inline":
            seen += [_seen(child) for child in token.children or ()]
            seen.append(" ")
        elif token.type in ("fence", "code_block", "html_block", "hr", "heading_open", "blockquote_open", "table_open"):
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


def expected(source: Mapping[int, str], items: Collection[int] = ()) -> str:
    """What a reader sees of the lines of a plain text, given by number; those in `items` have marks of lists."""
    seen = []
    for number, line in source.items():
        words = " ".join(line.split())
        if number in items:
            unmarked = _BULLET.sub("", words)
            words = unmarked if unmarked != words else _COUNT.sub(r"\1.", words)
        seen.append(words)
    return bare(" ".join(seen))


def taken_apart(text: str, *, markdown: bool = False) -> Read:
    """A text, read, in which every line that is not blank is accounted for, and nothing twice."""
    words = normalised(text.encode(), Notes("rules.txt"))
    assert words is not None
    read = read_text(words, markdown=markdown, tiers=TierMap(), notes=Notes("rules.txt"))
    assert read is not None
    assert unaccounted(words, read.outline) == []
    return read


def unaccounted(text: str, outline: Outline) -> list[str]:
    """What is in no part of an outline, or in two; what stands before a rule's text in its own line may be in none."""
    rows = text.split("\n")
    seen = [[0] * len(row) for row in rows]
    for line in outline.lines:
        # Emphasis that begins before a rule's number is moved behind it, so that its line may reach further.
        for at in range(line.column - 1, min(line.column - 1 + len(line.text), len(rows[line.number - 1]))):
            seen[line.number - 1][at] += 1
    begun = {part.line for part in outline.parts}
    wrong = []
    for number, (row, counts) in enumerate(zip(rows, seen, strict=True), 1):
        for letter, count in zip(row, counts, strict=True):
            if not letter.isspace() and (count > 1 or (count == 0 and number not in begun)):
                wrong.append(f"{number}: {letter!r} {count} times")
    return wrong
