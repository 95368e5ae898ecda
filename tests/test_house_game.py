"""The project's own game, and what `init` ships of it: one initial set, one site."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import yaml
from click.testing import CliRunner

from nomicgen.cli import main
from nomicgen.game import archive_of, load
from nomicgen.model import ProposalMatter
from tests.support import ROOT

SHIPPED = ROOT / "nomicgen" / "rulesets"


def test_the_house_began_with_the_set_that_init_ships() -> None:
    shipped = {path.name: path.read_bytes() for path in (SHIPPED / "suber").glob("*.md")}
    begun = {path.name: path.read_bytes() for path in (ROOT / "rules" / "initial").glob("*.md")}
    assert sorted(shipped) == [f"{number}.md" for number in (*range(101, 117), *range(201, 214))]
    assert begun == shipped
    lines = (SHIPPED / "suber" / "sections.txt").read_text("utf-8").splitlines()
    settings = yaml.safe_load((ROOT / "nomic.yml").read_text("utf-8"))
    assert [f"{section}: {note}" for section, note in settings["sections"].items()] == lines


def test_the_site_that_init_ships_is_the_house_s_without_the_guide() -> None:
    house = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    shipped = yaml.safe_load((SHIPPED / "mkdocs.yml").read_text("utf-8"))
    house["nav"] = [entry for entry in house["nav"] if "Guide" not in entry]
    house["extra_css"].remove("guide/guide.css")
    for key in ("site_name", "site_description", "site_url", "repo_url"):
        house.pop(key, None)
    assert shipped == house


def test_the_house_shows_every_kind_of_outcome() -> None:
    game = load(ROOT)
    assert game.errors == ()
    matters = [one.matter for one in game.records.of_kind("proposal")]
    statuses = {matter.status for matter in matters if isinstance(matter, ProposalMatter)}
    assert statuses == {"adopted", "defeated", "withdrawn", "open", "draft"}
    verbs = {change.verb for step in game.replay.steps for change in step.changes}
    assert {"enact", "amend", "repeal", "transmute"} <= verbs
    failed = game.replay.previews["proposals/309.md"]
    assert [one.verb for one in failed.instrument.instructions] == ["transmute"]
    assert game.replay.tallies["proposals/309.md"].adopted is False
    # Proposal 306 had three votes of four: enough only since Proposal 305 moved the provision of Rule 203.
    assert [one.rule for one in game.replay.tallies["proposals/306.md"].conditions] == [305]
    assert len(game.replay.tallies["proposals/306.md"].against) == 1


def test_a_new_game_s_site_builds_strictly(tmp_path: Path) -> None:
    root = tmp_path / "game"
    line = ["init", str(root), "--name", "Tea: a game", "--player", "wren", "--commit"]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=root,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "true"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    assert "What winning is" in (root / "site/rules/112/index.html").read_text("utf-8")
    archive = archive_of(load(root))
    assert {origin.kind for origin in archive.origins.values()} == {"blob"}
