"""The project's own game, and what `init` ships of it: one initial set, one site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.files.rule_files import read_rule
from nomicgen.play.game_history import archive_of
from nomicgen.play.load import load
from nomicgen.play.rulesets import shipped
from tests.support import ROOT, mkdocs_build

SHIPPED = ROOT / "nomicgen" / "rulesets"


def test_the_house_began_with_the_set_that_init_ships_but_for_two_rules() -> None:
    ships = {path.removeprefix("rules/initial/"): data for path, data in shipped("suber").initial.items()}
    begun = {path.name: path.read_bytes() for path in (ROOT / "rules" / "initial").glob("*.md")}
    assert sorted(begun) == sorted(ships) == [f"{number}.md" for number in (*range(101, 117), *range(201, 214))]
    # The set that ships is the one of 1994. There turns go round by seats, and only the way out of immutability takes
    # every vote; the house goes by the alphabet and asks for every vote both ways. It began so, and the past stays.
    assert {name for name in ships if begun[name] != ships[name]} == {"109.md", "201.md"}
    orders = [_provisions("201.md", one["201.md"])["turns"]["order"] for one in (begun, ships)]
    assert orders == ["alphabetical", "seat"]
    into = [_provisions("109.md", one["109.md"])["adoption"].get("into") for one in (begun, ships)]
    assert into == [None, ["mutable"]]
    settings = yaml.safe_load((ROOT / "nomic.yml").read_text("utf-8"))
    assert settings["sections"] == shipped("suber").settings["sections"]
    assert list(settings["sections"]) == list(shipped("suber").settings["sections"])


def _provisions(name: str, data: bytes) -> dict[str, Any]:
    file, findings = read_rule(f"rules/initial/{name}", data)
    assert file is not None
    assert findings == ()
    return file.matter.provisions or {}


def test_the_site_that_init_ships_is_the_house_s_without_the_guide() -> None:
    house = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), yaml.BaseLoader)
    shipped = yaml.load((SHIPPED / "mkdocs.yml").read_text("utf-8"), yaml.BaseLoader)
    house["nav"] = [entry for entry in house["nav"] if "Guide" not in entry]
    house["extra_css"].remove("guide/guide.css")
    for key in ("site_name", "site_description", "site_url", "repo_url", "hooks", "exclude_docs"):
        house.pop(key, None)
    assert shipped == house


def test_the_house_shows_every_kind_of_outcome() -> None:
    game = load(ROOT)
    assert game.errors == ()
    matters = [one.matter for one in game.records.of_kind("proposal")]
    statuses = {matter.status for matter in matters}
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
    built = mkdocs_build(root, root / "site", "--strict", "--quiet")
    assert (built.returncode, built.stderr) == (0, "")
    assert "What winning is" in (root / "site/rules/112/index.html").read_text("utf-8")
    archive = archive_of(load(root))
    assert {origin.kind for origin in archive.origins.values()} == {"blob"}
