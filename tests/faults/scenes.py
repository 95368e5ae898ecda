"""The commands that are tried, each with the place that it is typed in."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.case_files import case_folder
from tests.faults.typing import typed

__all__ = ["SCENES", "Scene", "build"]

_PLAYERS = ("wren", "quill", "tallow")
_RULES = """The Lamp Club

101. Every player keeps to the rules.

201. Lamps are lit at dusk.

202. A turn is one day long.
"""
_INTO = "--into HERE/game --on 2026-01-05"
_TEA = "Tea helps.\n\n## Enact Rule: Tea\n\nThere is tea.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A command in a place: `HERE` stands for the place.

    `makes` says that there was no game before, `elsewhere` that it writes to no game: then it is
    itself the next command that comes there.
    """

    name: str
    place: str
    line: str
    makes: bool = False
    elsewhere: bool = False

    def words(self, place: Path) -> list[str]:
        return self.line.replace("HERE", str(place)).split()


def _moves(name: str, place: str, line: str) -> tuple[Scene, Scene]:
    line = f"-C HERE/game {line}"
    return (
        Scene(name=name, place=place, line=line),
        Scene(name=f"{name}-commit", place=place, line=f"{line} --commit"),
    )


def _makes(name: str, place: str, line: str) -> tuple[Scene, Scene]:
    return (
        Scene(name=name, place=place, line=line, makes=True),
        Scene(name=f"{name}-commit", place=place, line=f"{line} --commit", makes=True),
    )


SCENES = {
    scene.name: scene
    for scene in (
        *_moves("register", "draft", "register tea --on 2026-01-08"),
        *_moves("vote", "debate", "vote 301 for --player wren --player quill --on 2026-01-09"),
        *_moves("resolve", "voted", "proposal resolve 301 --on 2026-01-10"),
        *_moves("apply", "stale", "apply --on 2026-01-10"),
        *_makes(
            "init", "empty", "init HERE/game --name Tea --player wren --on 2026-01-05 --forge none"
        ),
        *_makes(
            "init-played", "empty", "init HERE/game --ruleset discordian --played --forge none"
        ),
        *_makes("import-text", "empty", f"import text HERE/rules.txt --map numbered {_INTO}"),
        *_makes(
            "import-git",
            "archive",
            f"import git HERE/club --map file-a-rule --path r/*.md {_INTO} --report HERE/report.md",
        ),
        *_makes(
            "import-agora", "agora", f"import agora HERE/data {_INTO} --report HERE/report.json"
        ),
        Scene(
            name="pages",
            place="voted",
            line="-C HERE/game plumbing pages HERE/pages",
            elsewhere=True,
        ),
        Scene(
            name="pages-again",
            place="paged",
            line="-C HERE/game plumbing pages HERE/pages",
            elsewhere=True,
        ),
        Scene(
            name="export",
            place="exported",
            line="-C HERE/game export long -o HERE/rules-l.md",
            elsewhere=True,
        ),
    )
}


@dataclass(slots=True)
class Places:
    """Places that scenes begin in, each made once in `folder`."""

    folder: Path
    made: dict[str, Path] = field(default_factory=dict)

    def of(self, name: str) -> Path:
        if name not in self.made:
            place = self.folder / name
            place.mkdir()
            (place / "tmp").mkdir()
            build[name](place, self)
            self.made[name] = place
        return self.made[name]


def _play(place: Path, line: str) -> None:
    status, said = typed(place, ["-C", str(place / "game"), *line.split()])
    if status:
        raise AssertionError(f"{line}: {said}")


def _git(place: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(place), *words], check=True, capture_output=True)


def _take(places: Places, name: str, place: Path) -> None:
    shutil.copytree(places.of(name), place, dirs_exist_ok=True, symlinks=True)


def _empty(place: Path, _: Places) -> None:
    (place / "rules.txt").write_text(_RULES)


def _draft(place: Path, _: Places) -> None:
    """A game whose players left things about: a draft that is staged, a file that is staged, one
    that is changed.
    """
    players = [word for player in _PLAYERS for word in ("--player", player)]
    status, said = typed(
        place,
        [
            "init",
            str(place / "game"),
            "--name",
            "Tea",
            *players,
            "--on",
            "2026-01-05",
            "--forge",
            "none",
        ],
    )
    assert status == 0, said
    game = place / "game"
    (game / ".gitattributes").write_text("*.md text eol=lf\n")
    _git(game, "init", "--quiet", "--initial-branch=main", "--template=")
    _git(game, "add", "--all")
    _git(game, "commit", "--quiet", "--message", "Begin")
    (place / "tea.md").write_text(_TEA)
    _play(place, f"propose --title tea --author wren --body {place / 'tea.md'} --on 2026-01-07")
    (place / "tea.md").unlink()
    (game / "notes.txt").write_text("a note that is staged\n")
    _git(game, "add", "notes.txt", "proposals/tea.md")
    (game / "notes.txt").write_text("a note that is staged, and was changed again\n")
    _git(game, "gc", "--quiet")


def _debate(place: Path, places: Places) -> None:
    _take(places, "draft", place)
    _play(place, "register tea --on 2026-01-08 --commit")


def _voted(place: Path, places: Places) -> None:
    _take(places, "debate", place)
    _play(
        place, "vote 301 for --player wren --player quill --player tallow --on 2026-01-09 --commit"
    )


def _stale(place: Path, places: Places) -> None:
    _take(places, "voted", place)
    _play(place, "proposal resolve 301 --on 2026-01-10 --commit")
    game = place / "game"
    for path in ("rules/301.md", "rules/202.md"):
        (game / path).unlink()
    (game / "rules/999.md").write_bytes((game / "rules/203.md").read_bytes())
    _git(game, "add", "--all", "rules")
    _git(game, "commit", "--quiet", "--message", "Lose", "--", "rules")


def _archive(place: Path, _: Places) -> None:
    club = place / "club"
    club.mkdir()
    _git(club, "init", "--quiet", "--initial-branch=main", "--template=")
    for subject, path, text in (
        ("Begin", "r/101.md", "## 101/0 (IMMUTABLE)\n\nPlay fair.\n"),
        ("Begin more", "r/201.md", "## 201/0 (MUTABLE)\n\nLamps are lit at dusk.\n"),
        ("Proposal 301: Dawn", "r/201.md", "## 201/1 (MUTABLE)\n\nLamps are lit at dawn.\n"),
    ):
        (club / path).parent.mkdir(exist_ok=True)
        (club / path).write_text(text)
        _git(club, "add", "--all")
        _git(club, "commit", "--quiet", "--message", subject)
    _git(club, "gc", "--quiet")


def _agora(place: Path, _: Places) -> None:
    shutil.copytree(
        case_folder(Path(__file__).parents[1] / "importers" / "agora", "data"), place / "data"
    )


def _paged(place: Path, places: Places) -> None:
    _take(places, "voted", place)
    _play(place, f"plumbing pages {place / 'pages'}")
    _play(place, "proposal resolve 301 --on 2026-01-10")


def _exported(place: Path, places: Places) -> None:
    _take(places, "voted", place)
    (place / "rules-l.md").write_text("what was exported before\n")


build: dict[str, Callable[[Path, Places], None]] = {
    "empty": _empty,
    "draft": _draft,
    "debate": _debate,
    "voted": _voted,
    "stale": _stale,
    "archive": _archive,
    "agora": _agora,
    "paged": _paged,
    "exported": _exported,
}


def copied(source: Path, target: Path) -> Path:
    """A copy in which nothing is shared with the original."""
    subprocess.run(["cp", "--archive", "--reflink=never", str(source), str(target)], check=True)
    os.environ["TMPDIR"] = str(target / "tmp")
    return target
