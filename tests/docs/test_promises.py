"""SECURITY.md and the guide's page on verifying: each promise names the tests that hold nomicgen to
it.
"""

from __future__ import annotations

import ast
import functools
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.site.addresses import API_ROOT as API
from nomicgen.site.build import pages
from nomicgen.site.data.api import DOCUMENTS
from tests.docs.typed import GUIDE, agrees, fences
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
    assert found is not None, (
        f"say which tests hold nomicgen to it, or that it is no promise: {sentence}"
    )
    named = {one.strip() for one in (found[1] or "").split(",")} - {""}
    assert named - known_tests() == set(), sentence


def test_there_are_promises() -> None:
    assert len([*promises()]) > 40
    assert len([*rows()]) > 8
    assert [
        *sentences("One holds. <!-- tests: test_a --> Two holds.\nThree. <!-- no promise -->")
    ] == [
        ("One holds.", "<!-- tests: test_a -->"),
        ("Two holds.", ""),
        ("Three.", "<!-- no promise -->"),
    ]


# The page on data: what it shows is what the project's own site publishes.


PAGE = GUIDE / "integrator" / "data.md"
FENCES = tuple(fences(PAGE.read_text("utf-8")))
SITE = "https://nomicgen.github.io/nomicgen/"


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    game = load(ROOT)
    return pages(game_history_of(game), today=game.until, url=SITE)


def test_the_documents_shown_are_those_of_the_projects_own_game(made: Mapping[str, str]) -> None:
    shown = {
        one.info.partition('title="')[2].rstrip('"'): one.content
        for one in FENCES
        if one.info[:5] == "json "
    }
    assert shown
    for path, content in shown.items():
        told = json.dumps(json.loads(made[path]), ensure_ascii=False, indent=2)
        assert agrees(content.strip(), told), path


def test_the_program_shown_prints_what_is_shown(made: Mapping[str, str], tmp_path: Path) -> None:
    for path, text in made.items():
        if path.startswith(f"{API}/rules/"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, "utf-8")
    (program,) = (one.content for one in FENCES if one.info == "python")
    (printed,) = (one.content for one in FENCES if one.info == "text")
    assert SITE in program
    done = subprocess.run(
        [sys.executable, "-c", program.replace(SITE, f"{tmp_path.as_uri()}/")],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == printed


def test_every_document_is_told_of() -> None:
    text = PAGE.read_text("utf-8")
    for name, (path, _) in DOCUMENTS.items():
        assert path.replace("2020-08-14-correction", "NAME") in text, name
