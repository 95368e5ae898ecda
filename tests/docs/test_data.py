"""The page on data: what it shows is what the project's own site publishes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from nomicgen.play.game_history import archive_of
from nomicgen.play.load import load
from nomicgen.site.addresses import ROOT as API
from nomicgen.site.build import pages
from nomicgen.site.data.api import DOCUMENTS
from tests.docs.typed import GUIDE, agrees, fences
from tests.support import ROOT

PAGE = GUIDE / "integrator" / "data.md"
FENCES = tuple(fences(PAGE.read_text("utf-8")))
SITE = "https://nomicgen.github.io/nomicgen/"


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    game = load(ROOT)
    return pages(archive_of(game), today=game.until, url=SITE)


def test_the_documents_shown_are_those_of_the_projects_own_game(made: Mapping[str, str]) -> None:
    shown = {one.info.partition('title="')[2].rstrip('"'): one.content for one in FENCES if one.info[:5] == "json "}
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
