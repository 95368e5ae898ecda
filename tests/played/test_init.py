"""`nomicgen init` with each ruleset that ships, with and without the game that was played under
it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.settings import Settings
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load, load_tree
from nomicgen.play.rulesets import NAMES, RulesetFile, abouts, shipped
from nomicgen.play.start import Founding, begin
from nomicgen.play.wordings import provisions_of
from tests.deep import sampled
from tests.played import ON
from tests.support import ROOT, GitRepo, mkdocs_build

pytestmark = pytest.mark.deep

RULESETS = ROOT / "nomicgen" / "rulesets"
SIZES = {"suber": 29, "discordian": 29, "pokey": 35, "paranomic": 30, "nomic-iv": 36}
names = pytest.mark.parametrize("name", NAMES)
first = pytest.mark.parametrize("name", sampled(NAMES, every=len(NAMES)))


def run(*line: str, code: int = 0) -> str:
    """Types a command; gives what it printed on both streams."""
    result = CliRunner().invoke(main, line)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives the folder of a played game in git, which is made once; nobody changes it."""

    @cache
    def make(name: str) -> Path:
        root = tmp_path_factory.mktemp(name) / "game"
        run("init", str(root), "--ruleset", name, "--played", "--commit")
        return root

    return make


# What ships


@names
def test_a_ruleset_says_what_it_is(name: str) -> None:
    said = RulesetFile.read(
        yaml.load((RULESETS / name / "ruleset.yml").read_text("utf-8"), yaml.BaseLoader)
    )
    assert said.extends is None or said.extends in set(NAMES) - {name}
    assert len(said.about) <= 84
    assert not said.about.endswith(".")
    ships = shipped(name)
    assert len(ships.beginning()[0]) == SIZES[name]
    # Both halves of the settings are keys of nomic.yml, and neither says what the other does.
    assert set(ships.settings) <= set(Settings.keys) - {"format", "name", "started"}
    assert (
        {"name", "tagline", "started"}
        <= set(ships.played_settings)
        <= set(Settings.keys) - {"format"}
    )
    assert {path.split("/")[0] for path in ships.played} <= {
        "players",
        "proposals",
        "turns",
        "judgements",
        "acts",
    }


@names
def test_a_scripted_game_has_twelve_decisions_and_players_of_its_own(name: str) -> None:
    game = load_tree(Path(name), shipped(name).tree(), ON)
    matters = [one.matter for one in game.records.of_kind("proposal")]
    decided = [one for one in matters if one.status in ("adopted", "defeated")]
    assert len(decided) >= 12
    assert {one.status for one in decided} == {"adopted", "defeated"}
    assert set(game.records.players) >= {one.author for one in decided if one.author}
    assert all(one.matter.joined for one in game.records.players.values())


def test_provisions_are_those_of_a_rule_and_its_revision() -> None:
    assert provisions_of("suber", "203/0") == {"adoption": {"needs": "unanimous", "of": "eligible"}}
    assert provisions_of("suber", "305/1") == {"adoption": {"needs": "majority", "of": "eligible"}}
    # 111 was amended as 304; on the way it was 303, with the provisions that it had before.
    ballots = [provisions_of("suber", rule)["ballot"] for rule in ("111/0", "303/0", "304/1")]
    assert ballots == [{"debate": "1"}, {"debate": "1"}, {"debate": "2"}]
    assert provisions_of("suber", "301/0") == provisions_of("suber", "999/0") == {}


def test_an_unknown_ruleset_is_no_ruleset() -> None:
    with pytest.raises(FileNotFoundError):
        shipped("calvinball")
    assert "'calvinball' is not one of" in run("init", "x", "--ruleset", "calvinball", code=2)


# What init makes of it


@names
def test_a_new_game_is_clean(name: str, tmp_path: Path) -> None:
    root = tmp_path / "game"
    line = ("--player", "wren", "--player", "quill", "--player", "osprey", "--commit")
    said = run("init", str(root), "--ruleset", name, *line)
    title = shipped(name).title
    assert said.splitlines()[0] == f"{root} holds {title}: {SIZES[name]} rules"
    assert ("by Rule 201 the order of turns is drawn by lot" in said) is (name == "nomic-iv")
    assert "to name wren, change `name` in players/wren.yml" in said
    checked = run("-C", str(root), "check", "--strict")
    in_force = SIZES[name] - (3 if name == "pokey" else 0)  # three of Pokey's rules are void
    assert checked == f"{in_force} rules in force, 0 instruments replayed: nothing is wrong\n"
    settings = load(root).settings
    assert (settings.name, settings.tagline) == (title, None)
    assert list(settings.sections) == list(shipped(name).settings["sections"])
    assert {path.name: path.read_bytes() for path in (root / "rules").glob("*.md")} == {
        path.removeprefix("rules/initial/"): data
        for path, data in shipped(name).beginning()[0].items()
    }


@pytest.mark.nightly
@first
def test_a_played_game_is_clean_and_every_revision_has_its_commit(
    name: str, begun: Callable[[str], Path]
) -> None:
    root = begun(name)
    assert run("-C", str(root), "check", "--strict").endswith(": nothing is wrong\n")
    game = load(root)
    for path, data in shipped(name).played.items():
        assert (root / path).read_bytes() == data
    game_history = game_history_of(game)
    assert {origin.kind for (_, at), origin in game_history.origins.items() if at == 0} <= {
        "blob",
        "trailer",
    }
    assert {origin.kind for (_, at), origin in game_history.origins.items() if at} == {"trailer"}
    # Each instrument came in a commit of its own, on its day, and nothing is left over.
    repository = GitRepo(root)
    log = [
        line.split("|")
        for line in repository.git(
            "log",
            "--reverse",
            "--format=%as|%(trailers:key=Instrument,valueonly,separator=%x2C)|%s",
        ).splitlines()
    ]
    assert log[0] == [str(game.settings.started), "", f"Begin {game.settings.name}"]
    instruments = [path for _, path, _ in log if path]
    decided = {
        one.path
        for one in game.records.instruments.values()
        if not isinstance(one.matter, ProposalMatter)
        or one.matter.status not in ("draft", "debate", "open")
    }
    assert set(instruments) == decided
    assert [day for day, _, _ in log] == sorted(day for day, _, _ in log)
    assert all(day < str(game.until) for day, _, _ in log)
    assert repository.git("status", "--porcelain") == ""


@names
def test_the_commits_of_a_played_game_are_the_game(name: str) -> None:
    move = begin(Path(name), ON, Founding(), ruleset=name, played=True)
    tree: dict[str, bytes] = {}
    for part in move.parts:
        assert [
            path for path in part.writes if path in tree and not path.startswith("rules/")
        ] == []
        tree = {path: data for path, data in tree.items() if path not in part.deletes} | dict(
            part.writes
        )
    after = {path: data for path, data in move.after.tree.items() if isinstance(data, bytes)}
    assert {path: tree[path] for path in after} == after


@pytest.mark.parametrize(
    ("typed", "machine", "zone"),
    [
        (("--timezone", "Pacific/Auckland"), "Europe/London", "Pacific/Auckland"),
        ((), "Europe/London", "Europe/London"),
        ((), ":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
    ],
)
def test_a_new_game_has_a_time_zone_and_says_so(
    typed: tuple[str, ...], machine: str, zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", machine)
    said = run("init", str(tmp_path / "game"), *typed)
    assert f"its days begin and end in the time zone {zone}: `timezone` in nomic.yml\n" in said
    settings = load(tmp_path / "game").settings
    assert settings.timezone == zone
    there = datetime.now(ZoneInfo(zone)).date()
    assert settings.started is not None
    assert there - settings.started.day < timedelta(days=2)


def test_a_time_zone_that_nobody_knows(tmp_path: Path) -> None:
    said = run("init", str(tmp_path / "game"), "--timezone", "Mars/Olympus", code=2)
    assert (
        "'Mars/Olympus' should be a time zone such as Europe/London, as the tz database names it"
        in said
    )


def test_a_played_game_takes_another_name_and_address(tmp_path: Path) -> None:
    root = tmp_path / "game"
    line = ("--name", "Ours", "--repository", "https://example.org/us/ours.git")
    said = run("init", str(root), "--ruleset", "discordian", "--played", *line)
    assert said.splitlines()[0] == f"{root} holds Ours: 32 rules"
    settings = load(root).settings
    assert (settings.name, str(settings.started)) == ("Ours", "2025-05-05")
    assert settings.links.commit == "https://example.org/us/ours/commit/{sha}"


@pytest.mark.parametrize(
    "more", [("--player", "wren"), ("--on", "2026-01-01")], ids=["player", "on"]
)
def test_a_played_game_takes_no_players_and_no_day(more: tuple[str, str], tmp_path: Path) -> None:
    said = run("init", str(tmp_path / "game"), "--played", *more, code=2)
    assert said.endswith(
        "Error: --played has its own players and dates: leave out --player and --on.\n"
    )
    assert not (tmp_path / "game").exists()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    said = run("init", str(tmp_path / "game"), "--ruleset", "pokey", "--played", "--dry-run")
    assert said.endswith("nothing was written (--dry-run)\n")
    assert "\nproposals/  22 files\n" in said
    assert not (tmp_path / "game").exists()


def test_the_help_lists_every_ruleset() -> None:
    said = run("init", "--help")
    for name, about in abouts().items():
        assert f"  {name:<11} {about}\n" in said


# What it looks like


@pytest.mark.nightly
@first
def test_the_site_of_a_played_game_builds_strictly(
    name: str, begun: Callable[[str], Path], tmp_path: Path
) -> None:
    root, site = begun(name), tmp_path / "site"
    built = mkdocs_build(root, site, "--strict", "--quiet")
    assert (built.returncode, built.stderr) == (0, "")
    for rule in load(root).replay.current:
        assert (site / f"rules/{rule.number}/index.html").is_file()
