"""`nomicgen import agora`, typed: what it prints, what it writes, and archives that it does not
trust.
"""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Literal

import pytest

from tests.case_files import case_folder, unfold
from tests.cli.playing import run, snapshot

Mode = Literal["w:gz", "w:xz", "w:bz2", "w:"]
CASE = Path(__file__).parent
DATA = case_folder(CASE, "data")
HOUSE = ("nomic.yml", "rules", "proposals", "acts", "judgements", "players")


def typed(place: Path, source: Path, *more: str, code: int = 0) -> str:
    """What the import into `game` prints, with `place` as `HERE`."""
    into = place / "game"
    said = run(
        place,
        "import agora",
        str(source),
        "--into",
        str(into),
        "--on",
        "2026-01-10",
        *more,
        code=code,
    )
    return said.replace(str(place), "HERE").replace(str(source), "SOURCE")


def packed(
    place: Path, prefix: str = "agora/data/", *others: tarfile.TarInfo, mode: Mode = "w:gz"
) -> Path:
    """A tar archive of the data, every path after `prefix`, with more members."""
    file = place / f"data.tar.{mode[2:]}"
    with tarfile.open(file, mode) as archive:
        for one in sorted(DATA.rglob("*")):
            archive.add(one, f"{prefix}{one.relative_to(DATA).as_posix()}", recursive=False)
        for other in others:
            archive.addfile(other, io.BytesIO(b"x" * other.size))
    return file


def written(place: Path) -> dict[str, bytes]:
    game = place / "game"
    found = (one for one in sorted(game.rglob("*")) if one.is_file() and one.name != ".gitkeep")
    files = {one.relative_to(game).as_posix(): one.read_bytes() for one in found}
    return {path: data for path, data in files.items() if path.split("/")[0] in HOUSE}


def expected() -> dict[str, bytes]:
    return unfold((CASE / "game.txt").read_bytes())


def test_a_folder(tmp_path: Path) -> None:
    said = typed(tmp_path, DATA, "--report", str(tmp_path / "agora.md"))
    assert said == (
        "HERE/agora.md holds all that is odd about the source\n"
        "HERE/game holds Agora: 3 rules\n"
        "import.json says: 4 of 4 states identical\n"
        "  nomicgen -C HERE/game check\n"
    )
    assert written(tmp_path) == expected()
    assert (tmp_path / "agora.md").read_text("utf-8") == (CASE / "report.md").read_text("utf-8")


@pytest.mark.parametrize("mode", ["w:gz", "w:xz", "w:bz2", "w:"])
@pytest.mark.parametrize("prefix", ["", "./", "a/b/c/"])
def test_an_archive(tmp_path: Path, prefix: str, mode: Mode) -> None:
    typed(tmp_path, packed(tmp_path, prefix, mode=mode))
    assert written(tmp_path) == expected()


def test_dry_run_writes_the_report_alone(tmp_path: Path) -> None:
    report = tmp_path / "agora.md"
    said = typed(tmp_path, DATA, "--dry-run", "--report", str(report), "--name", "Harbour")
    assert said.splitlines()[-1].startswith("HERE/game would hold Harbour, in ")
    assert list(snapshot(tmp_path)) == ["agora.md"]
    assert report.read_text("utf-8").startswith("# Import of `")


def member(
    name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0
) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, target, size
    return made


def test_members_that_lead_out_are_skipped(tmp_path: Path) -> None:
    """Links, devices and paths that leave the archive are not read, and said to be skipped."""
    others = (
        member("agora/data/rules/1", tarfile.SYMTYPE, "/etc/passwd"),
        member("agora/data/rules/2", tarfile.LNKTYPE, "agora/data/rules/101"),
        member("agora/data/rules/3", tarfile.FIFOTYPE),
        member("../../rules/4", size=3),
        member("/rules/5", size=3),
    )
    archive = packed(tmp_path, "agora/data/", *others)
    report = tmp_path / "agora.md"
    typed(tmp_path, archive, "--report", str(report))
    left = [line for line in report.read_text("utf-8").splitlines() if ": no-file: " in line]
    assert sorted(line.split("`")[1] for line in left) == sorted(one.name for one in others)
    assert written(tmp_path) == expected()


def test_a_link_in_a_folder_is_skipped(tmp_path: Path) -> None:
    for one in DATA.rglob("*"):
        if one.is_file():
            place = tmp_path / "data" / one.relative_to(DATA)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(one.read_bytes())
    (tmp_path / "data" / "rules" / "9").symlink_to("/etc/passwd")
    report = tmp_path / "agora.md"
    typed(tmp_path, tmp_path / "data", "--report", str(report))
    left = [line for line in report.read_text("utf-8").splitlines() if ": no-file: " in line]
    assert [line.split("`")[1] for line in left] == ["rules/9"]
    assert written(tmp_path) == expected()


def test_no_archive_and_no_data(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("nothing of the kind")
    assert "it is no tar archive that can be read" in typed(tmp_path, tmp_path / "words", code=2)
    broken = packed(tmp_path)
    broken.write_bytes(broken.read_bytes()[:900])
    assert "it is no tar archive that can be read" in typed(tmp_path, broken, code=2)
    (tmp_path / "empty").mkdir()
    said = typed(tmp_path, tmp_path / "empty", code=2)
    assert "HERE/empty holds no rules of Agora" in said
    assert "name the folder that has rules/ in it" in said
    assert not (tmp_path / "game").exists()


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    said = typed(tmp_path, DATA, "--report", str(tmp_path / "none" / "agora.md"), code=2)
    assert "HERE/none/agora.md cannot be written" in said
    assert not (tmp_path / "game").exists()


def test_inexact_dates_and_coauthors_in_the_long_format(tmp_path: Path) -> None:
    """What the long format prints of them is read again as it was."""
    typed(tmp_path, DATA)
    said = run(tmp_path / "game", "export long")
    assert "by Proposal 502 (Wren, with Heron, Tern), Mar 15, 1995*" in said
    assert "by Proposal 611 (Tern), around Sep 1, 1993*" in said
    (tmp_path / "long.md").write_text(said, "utf-8")
    run(
        tmp_path,
        "import long",
        str(tmp_path / "long.md"),
        "--into",
        str(tmp_path / "again"),
        "--on",
        "2026-01-10",
    )
    assert "coauthors: [heron, tern]\n" in (tmp_path / "again/proposals/502.md").read_text()
    assert "decided: around 1993-09-01\n" in (tmp_path / "again/proposals/611.md").read_text()
