"""A site is made of a commit and a day: the same bytes wherever, whenever and by whom it is
built.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from tests.elsewhere import HERE, THERE, digests, ran

pytestmark = pytest.mark.deep

# A noon of Greenwich, at which it is the next day already where the game is played.
EPOCH = str(int(datetime(2025, 4, 30, 12, tzinfo=UTC).timestamp()))
DAY = "2025-05-01"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was played, where the day begins before it does anywhere else."""
    root = tmp_path_factory.mktemp("one") / "game"
    with pytest.MonkeyPatch.context() as patch:
        # The site says of what day a commit is, and that is no other than today.
        patch.setenv("GIT_COMMITTER_DATE", f"{EPOCH} +0000")
        result = CliRunner().invoke(
            main, ["init", str(root), "--ruleset", "pokey", "--played", "--commit"]
        )
    assert result.exit_code == 0, result.output
    with (root / "nomic.yml").open("a") as settings:
        settings.write("timezone: Pacific/Kiritimati\n")
    with (root / "mkdocs.yml").open("a") as settings:
        settings.write("site_url: https://game.example/\n")
    subprocess.run(["git", "commit", "-qam", "Say where", "--date", EPOCH], cwd=root, check=True)
    return root


@pytest.fixture(scope="module")
def twin(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same commit in a clone, under another name, with files of other times."""
    root = tmp_path_factory.mktemp("two of them") / "the other game"
    subprocess.run(["git", "clone", "-q", str(game), str(root)], check=True)
    for number, path in enumerate(sorted(root.rglob("*"))):
        if ".git" not in path.parts:
            os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))
    # git keeps no empty folder, and MkDocs wants this one.
    (root / "docs").mkdir(exist_ok=True)
    return root


@pytest.fixture(scope="module")
def site(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = tmp_path_factory.mktemp("site")
    done = ran(
        HERE,
        "mkdocs",
        "build",
        "-q",
        "--strict",
        "-d",
        str(site),
        cwd=game,
        SOURCE_DATE_EPOCH=EPOCH,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return site


@pytest.mark.nightly
def test_a_clone_elsewhere_gives_the_same_bytes(site: Path, twin: Path, tmp_path: Path) -> None:
    done = ran(
        THERE,
        "mkdocs",
        "build",
        "-q",
        "--strict",
        "-d",
        str(tmp_path),
        cwd=twin,
        SOURCE_DATE_EPOCH=EPOCH,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert digests(tmp_path) == digests(site)
    assert len(digests(site)) > 200


@pytest.mark.nightly
def test_a_site_is_of_the_day_that_it_is_told(site: Path) -> None:
    told = json.loads((site / "api/v1/index.json").read_bytes())
    assert told["date"] == DAY
    sitemap = (site / "sitemap.xml").read_bytes()
    assert set(re.findall(rb"<lastmod>(.*?)</lastmod>", sitemap)) == {DAY.encode()}
    zipped = (site / "sitemap.xml.gz").read_bytes()
    assert gzip.decompress(zipped) == sitemap
    assert datetime.fromtimestamp(
        int.from_bytes(zipped[4:8], "little"), UTC
    ).date() == date.fromisoformat(DAY)


@pytest.mark.nightly
def test_no_page_knows_when_or_where_it_was_built(site: Path, game: Path) -> None:
    now = datetime.now(UTC)
    traces = [f"{moment:%Y-%m-%d}".encode() for moment in (now, now.astimezone())]
    traces += [str(game).encode(), str(site).encode()]
    found = [
        path
        for path in site.rglob("*")
        if path.is_file() and any(one in path.read_bytes() for one in traces)
    ]
    assert found == []


@pytest.mark.nightly
def test_what_is_written_for_another_engine_is_the_same_too(
    game: Path, twin: Path, tmp_path: Path
) -> None:
    for machine, place in ((HERE, game), (THERE, twin)):
        made = tmp_path / machine["UMASK"]
        done = ran(
            machine,
            "nomicgen",
            "plumbing",
            "pages",
            str(made),
            "--strict",
            cwd=place,
            SOURCE_DATE_EPOCH=EPOCH,
        )
        assert done.returncode == 0, done.stderr
    assert digests(tmp_path / "022") == digests(tmp_path / "077")
    assert json.loads((tmp_path / "022/docs/api/v1/index.json").read_bytes())["date"] == DAY


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        ("yesterday", "SOURCE_DATE_EPOCH is 'yesterday', which is no number of seconds since 1970"),
        ("9" * 30, f"SOURCE_DATE_EPOCH is '{'9' * 30}', which is no number of seconds since 1970"),
        ("315576000", "SOURCE_DATE_EPOCH is of 1980-01-01, and the game began on 2025-01-06"),
    ],
)
def test_a_day_that_is_none_of_the_game_s_is_refused(
    seconds: str, said: str, game: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", seconds)
    result = CliRunner().invoke(
        main, ["-C", str(game), "plumbing", "pages", str(tmp_path / "made")]
    )
    assert result.exit_code == 2
    assert said in result.output
    assert "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" in result.output
    assert not (tmp_path / "made").exists()


@pytest.mark.nightly
def test_the_plugin_refuses_it_too(game: Path, tmp_path: Path) -> None:
    done = ran(
        HERE,
        "mkdocs",
        "build",
        "-q",
        "-d",
        str(tmp_path / "site"),
        cwd=game,
        SOURCE_DATE_EPOCH="soon",
    )
    assert done.returncode == 1
    assert (
        "nomicgen: SOURCE_DATE_EPOCH is 'soon', which is no number of seconds since 1970: unset it"
        in done.stderr
    )
    assert "Traceback" not in done.stderr
