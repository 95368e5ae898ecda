"""SECURITY.md and the guide's page on verifying: each promise names the tests that hold nomicgen to it."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator

import pytest

from tests.support import ROOT

SECURITY = ROOT / ".github" / "SECURITY.md"
VERIFY = ROOT / "docs/guide/reader/verify.md"
_MARK = re.compile(r"<!-- (?:tests: ([a-z0-9_, ]+)|(no promise)) -->")


@functools.cache
def known_tests() -> frozenset[str]:
    """The names of all functions that are tests."""
    return frozenset(
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def section(text: str, heading: str) -> str:
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def sentences(paragraph: str) -> Iterator[tuple[str, str]]:
    """Each sentence of a paragraph, with what stands between it and the next one."""
    text = " ".join(paragraph.split())
    while text:
        found = re.match(r"(.*?[.])(?=\s*<!--|\s+[A-Z`*]|$)\s*((?:<!-- .*? -->)?)\s*", text)
        assert found is not None, text
        yield found[1], found[2]
        text = text[found.end() :]


def promises() -> Iterator[tuple[str, str]]:
    for paragraph in section(SECURITY.read_text("utf-8"), "Where trust ends").split("\n\n"):
        if paragraph.strip():
            yield from sentences(paragraph)


def rows() -> Iterator[tuple[str, str]]:
    for line in section(VERIFY.read_text("utf-8"), "What it finds").splitlines():
        if line.startswith("| [`verify-"):
            yield line, line.rpartition("<!--")[1] + line.rpartition("<!--")[2].removesuffix(" |")


@pytest.mark.parametrize("said", [*promises(), *rows()], ids=lambda said: said[0][:60])
def test_each_promise_names_its_tests(said: tuple[str, str]) -> None:
    sentence, mark = said
    found = _MARK.fullmatch(mark)
    assert found is not None, f"say which tests hold nomicgen to it, or that it is no promise: {sentence}"
    named = {one.strip() for one in (found[1] or "").split(",")} - {""}
    assert named - known_tests() == set(), sentence


def test_there_are_promises() -> None:
    assert len([*promises()]) > 40
    assert len([*rows()]) > 8
    assert [*sentences("One holds. <!-- tests: test_a --> Two holds.\nThree. <!-- no promise -->")] == [
        ("One holds.", "<!-- tests: test_a -->"),
        ("Two holds.", ""),
        ("Three.", "<!-- no promise -->"),
    ]
