"""Markdown files: rules, proposals, judgements, acts; how a body is taken apart, and put together
again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it.token import Token

from nomicgen.files.documents import read_instrument, read_keys
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import split_front
from nomicgen.files.instruction_rewriting import Rewriting, rewrite
from nomicgen.files.instructions import instructions_digest
from nomicgen.files.markdown import is_rule_block, outline_body, parse_body
from nomicgen.files.merge_conflicts import Names
from nomicgen.files.rule_files import read_rule
from nomicgen.files.yaml_writing import write_front_matter, write_rule
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instruction, Instrument
from nomicgen.model.rule_matters import RuleMatter
from tests.fuzz.target import Target, hold
from tests.fuzz.yaml_files import WORDS as YAML
from tests.support import ROOT

# Where an input lies, by what it says.
_PATHS = {
    b"judge": "judgements/4.md",
    b"cause": "acts/one.md",
    b"draft": "proposals/a.md",
    b"": "proposals/301.md",
}
WORDS = (
    *(
        "## Enact Rule: A\n",
        "## Enact Rule 5: A\n",
        "## Amend Rule 203/0\n",
        "## Repeal Rule 203/1\n",
        "## Ruling\n",
    ),
    *(
        "## Transmute Rule 203/0 to immutable\n",
        "## Retitle Rule 203/0: B\n",
        "## Renumber Rule 203/0 to 305\n",
    ),
    *(
        "## Mark Rule 203/0\n",
        "\n```yaml rule\n",
        "\n```\n",
        "~~~\n",
        "text: lost\n",
        "### ",
        "# ",
        "===\n",
        "---\n",
    ),
    *(
        "> ",
        "* ",
        "1. ",
        "    ",
        "<sub>",
        "</sub>",
        "<!--",
        "-->",
        "<div>",
        "[a]: b\n",
        "[a]",
        "![",
        "](",
        "|-|\n",
    ),
    *(
        "<<<<<<< a\n",
        "=======\n",
        ">>>>>>> b\n",
        "\\",
        "&lt;",
        "`",
        "**",
        "http://a",
        "\u200b",
        "e\u0301",
        "\x00",
        "\r\n",
    ),
)


def rule(data: bytes) -> None:
    """A rule's file: what is read and written again is the same rule."""
    path = "rules/203.md"
    found, findings = read_rule(path, data)
    hold(findings, {path: data})
    assert found is not None or any(one.is_error for one in findings)
    if found is None:
        return
    matter = found.matter
    written = write_rule(
        number=matter.number,
        mutability=matter.mutability,
        revision=matter.revision,
        title=matter.title,
        section=matter.section,
        provisions=matter.provisions,
        defines=matter.defines or (),
        unread=matter.unread or (),
        void=matter.void,
        note=matter.note,
        text=found.text,
        commit=matter.commit,
    )
    again, slips = read_rule(path, written)
    assert again is not None, slips
    assert again.text == found.text
    assert _said(again.matter) == _said(matter)


def _said(matter: RuleMatter) -> dict[str, Any]:
    return {key: one or None for key, one in matter.whole().items()}


def instrument(data: bytes) -> None:
    """A proposal, a judgement or an act: every line of it is argument, ruling or instruction, and
    none is lost.
    """
    path = next(path for mark, path in _PATHS.items() if mark in data)
    found, findings = read_instrument(path, data)
    hold(findings, {path: data})
    assert found is not None or any(one.is_error for one in findings)
    if found is not None:
        _again(found, data)
        if not findings:
            _whole(found, data)
    front = split_front(data.decode("utf-8", "replace"), Notes("f"))
    if front is not None:
        _outline(front.body)


def _again(one: Instrument, data: bytes) -> None:
    front = split_front(
        data.decode().removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", " "), Notes("f")
    )
    assert front is not None
    again, slips = read_instrument(one.path, write_front_matter(read_keys(data), front.body))
    assert again is not None, slips
    assert (again.matter, again.preamble, again.ruling, again.digest) == (
        one.matter,
        one.preamble,
        one.ruling,
        one.digest,
    )
    assert [*map(_essence, again.instructions)] == [*map(_essence, one.instructions)]


def _essence(one: Instruction) -> tuple[object, ...]:
    return one.verb, one.target, one.title, one.tier, one.number, one.text, one.lost, one.block


def _whole(one: Instrument, data: bytes) -> None:
    """Where nothing is wrong its words are all somewhere, its digest is of its bytes, and rewritten
    it is as it was.
    """
    lines = data.decode().split("\n")
    body = lines[one.source.body_line - 1 :]
    kept = Counter[str]()
    for text in (one.preamble, one.ruling, *(each.text or "" for each in one.instructions)):
        kept.update(line for line in text.split("\n") if line.strip(" \t"))
    marks = {each.span.line for each in one.instructions}
    for number, line in enumerate(body, one.source.body_line):
        bare = line.strip()
        if (
            not line.strip(" \t")
            or number in marks
            or (bare.startswith("##") and bare.strip("# \t") == "Ruling")
        ):
            continue
        if kept[line]:
            kept[line] -= 1
        else:  # nothing is left but the block of an instruction
            assert _in_block(body, number - one.source.body_line), line
    if one.instructions:
        first = one.instructions[0].span.line
        commences = one.matter.commences if isinstance(one.matter, ProposalMatter) else None
        assert instructions_digest("\n".join(lines[first - 1 :]).encode(), commences) == one.digest
    names = Names(ours="a", theirs="b")
    asked = [
        Rewriting(instruction=each, target=each.target, names=names)
        for each in one.instructions
        if each.target
    ]
    assert rewrite(data, asked).data == data


def _in_block(body: list[str], line: int) -> bool:
    tokens = parse_body("\n".join(body), 1).tokens
    return any(
        one.map is not None and is_rule_block(one) and one.map[0] <= line < one.map[1]
        for one in tokens
    )


def _outline(body: str) -> None:
    """What is found of headings and fences without the parser is what it finds."""

    assert _outlined(outline_body(body, 1).tokens) == _outlined(parse_body(body, 1).tokens)


def _outlined(tokens: Sequence[Token]) -> list[tuple[object, ...]]:
    following = [*(one.content for one in tokens), ""][1:]
    return [
        (
            one.type,
            one.tag,
            one.map,
            one.level,
            one.markup,
            one.info,
            one.content,
            below if one.nesting else "",
        )
        for one, below in zip(tokens, following, strict=True)
        if one.type in ("heading_open", "fence")
    ]


def _rules() -> Iterator[bytes]:
    for file in sorted((ROOT / "rules").glob("*.md"))[:4]:
        yield file.read_bytes().replace(f"number: {file.stem}".encode(), b"number: 203")
    yield (
        b"---\nnumber: 203\nmutability: mutable\nvoid: true\nunread: true\ntext: lost\n"
        b"note: |\n  x\n---\n"
    )


def _instruments() -> Iterator[bytes]:
    for file in sorted((ROOT / "proposals").glob("*.md"))[:6]:
        yield file.read_bytes().replace(f"number: {file.stem}".encode(), b"number: 301")
    yield (
        b"---\ntitle: A\nauthor: wren\nstatus: draft\n---\n\nWhy.\n\n## Enact Rule: B\n\n"
        b"```yaml rule\n"
        b"mutability: m\n```\n\nText.\n\n## Repeal Rule 203/0\n"
    )
    yield (
        b"---\nnumber: 4\ntitle: A\njudge: wren\ndecided: 2020-01-01\n---\n\nWhat?\n\n## Ruling\n"
        b"\nYes.\n"
        b"\n## Mark Rule 5/0\n\n```yaml rule\nvoid: true\n```\n"
    )
    yield (
        b"---\ncause: Correction\ndate: 2020-01-01\n---\n\n## Retitle Rule 203/0: B\n\n"
        b"## Transmute Rule 203/0 to immutable\n\n## Renumber Rule 203/0 to 9\n"
    )


TARGETS = (
    Target(name="rule", run=rule, seeds=_rules, words=(*WORDS, *YAML)),
    Target(name="instrument", run=instrument, seeds=_instruments, words=(*WORDS, *YAML)),
)
