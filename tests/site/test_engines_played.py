"""The rulesets that ship, with the game that was played under each: one site, whichever engine builds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.play.rulesets import NAMES
from tests.site.engines import Both, differences, link_faults


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", NAMES)
def test_a_played_game_is_one_site_without_a_fault(ruleset: str, tmp_path: Path) -> None:
    game = tmp_path / "game"
    result = CliRunner().invoke(main, ["init", str(game), "--ruleset", ruleset, "--played", "--commit"])
    assert result.exit_code == 0, result.output
    both = Both(game=game, folder=tmp_path)
    assert differences(both) == []
    assert link_faults(game, both.mkdocs) == []
    assert link_faults(game, both.zensical) == []
