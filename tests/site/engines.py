"""One site by both engines: MkDocs with the plugin, and Zensical from what `nomicgen plumbing
pages` writes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from click.testing import CliRunner
from mkdocs.utils.yaml import yaml_load

from nomicgen.cli.program import main
from nomicgen.history.game_history import GameHistory
from nomicgen.model.values import Moment
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.site.pages.home_page import VERIFYING
from tests.links import faults, html_pages
from tests.reference.__main__ import command as write_reference
from tests.support import mkdocs_build

__all__ = ["Both", "differences", "link_faults", "zensical_build"]

_INSTRUMENT = re.compile(r"(?:proposals|judgements|acts)/[a-z0-9-]+")


@dataclass(frozen=True, kw_only=True)
class Both:
    """A game's site twice, each built into `folder` once it is asked for: what either engine has to
    say fails the test.

    `built` is its site by MkDocs where there is one already. With `guide`, the second engine's
    project gets the guide's pages of findings, which MkDocs makes by a hook.
    """

    game: Path
    folder: Path
    strict: bool = True
    guide: bool = False
    built: Path | None = None

    @cached_property
    def mkdocs(self) -> Path:
        """The site by MkDocs."""
        if self.built is not None:
            return self.built
        plain = self.folder / "mkdocs"
        done = mkdocs_build(self.game, plain, "--quiet", *(["--strict"] if self.strict else []))
        assert (done.returncode, done.stderr) == (0, "")
        return plain

    @cached_property
    def project(self) -> Path:
        """What the second engine builds."""
        project = self.folder / "project"
        result = CliRunner().invoke(
            main, ["-C", str(self.game), "plumbing", "pages", str(project), "--strict"]
        )
        assert result.exit_code == 0, result.output
        if self.guide:
            line = [f"{project}/docs/guide/reference", "--built"]
            result = CliRunner().invoke(write_reference, line)
            assert result.exit_code == 0, result.output
        return project

    @cached_property
    def zensical(self) -> Path:
        """The site by Zensical."""
        zensical_build(self.project)
        return self.project / "site"

    @cached_property
    def url(self) -> str:
        """Where both will stand; '' if that is unknown."""
        with (self.project / "mkdocs.yml").open("rb") as stream:
            return yaml_load(stream).get("site_url") or ""


def zensical_build(project: Path) -> None:
    """Builds a project with Zensical, as a person would."""
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "-f", str(project / "mkdocs.yml")],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "No issues found" in said


def differences(both: Both) -> list[str]:
    """Pages that one engine has and the other has not, and files of ours that differ.

    What an engine makes beside the pages is its own: its styles, scripts and index for the search,
    and the sitemap, which MkDocs writes compressed as well. Both have a page for addresses that are
    not there, 404.html.
    """
    pages = html_pages(both.mkdocs) ^ html_pages(both.zensical)
    docs = both.project / "docs"
    files = [
        path.relative_to(docs)
        for path in docs.rglob("*")
        if path.is_file() and path.suffix != ".md"
    ]
    return sorted(pages) + [path.as_posix() for path in files if not _same(both, path)]


def _same(both: Both, path: Path) -> bool:
    data = (both.project / "docs" / path).read_bytes()
    return all(
        (site / path).is_file() and (site / path).read_bytes() == data
        for site in (both.mkdocs, both.zensical)
    )


def link_faults(game: Path, site: Path, url: str = "") -> list[str]:
    """What is wrong with the links of a game's site: those to the time machine lead to moments of
    the game.
    """
    game_history = game_history_of(load(game))
    found = faults(
        site,
        url=url,
        allows={
            path: lambda fragment: _is_moment(game_history, fragment)
            for path in ("time/index.html", "time.html")
        },
    )
    # A game at nomicgen's own address may be without the guide, to which every game's home page
    # leads.
    return found if (site / "guide").is_dir() else [one for one in found if VERIFYING not in one]


def _is_moment(game_history: GameHistory, fragment: str) -> bool:
    """Whether the time machine understands `2020-07-01`, `proposals/329`, or two of them with `..`
    between.
    """
    points = fragment.split("..")
    return len(points) <= 2 and all(_is_point(game_history, point) for point in points)


def _is_point(game_history: GameHistory, point: str) -> bool:
    if point == "initial":
        return True
    if _INSTRUMENT.fullmatch(point):
        return f"{point}.md" in game_history.records.instruments
    try:
        return str(Moment.parse(point)) == point
    except ValueError:
        return False
