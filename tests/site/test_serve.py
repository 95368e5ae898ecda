"""A site that is served follows the game: what changes in its files is on its pages, and nothing
ends the serving.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mkdocs.livereload import LiveReloadServer

from nomicgen.site.mkdocs.watching import follow
from tests.benchmarks.live import Live, live
from tests.deep import sampled
from tests.site.conftest import CONFIG, Built
from tests.support import GitRepo

pytestmark = pytest.mark.deep

MINE = "# Mine\n\n[A rule](rules/203.md), and [its text](rules/203.md#text).\n"
LINKED = '<a href="../rules/203/">A rule</a>, and <a href="../rules/203/#text">its text</a>.'


@pytest.fixture(scope="module")
def game(harbour: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the game with one of everything, with a page that a person wrote."""
    game = Path(shutil.copytree(harbour.game, tmp_path_factory.mktemp("live") / "game"))
    (game / "mkdocs.yml").write_text(CONFIG, "utf-8")
    (game / "docs" / "mine.md").write_text(MINE, "utf-8")
    return game


@pytest.fixture(scope="module")
def served(game: Path) -> Iterator[Live]:
    """Its site, served while the tests of this file run, one after the other."""
    with live(game) as site:
        yield site
        assert "Traceback" not in site.said


def test_a_changed_file_is_on_its_page_and_all_others_are_as_they_were(
    game: Path, served: Live
) -> None:
    before = {page: served.get(page) for page in ("mine/", "guide/", "ruleset/long/")}
    assert LINKED in before["mine/"]
    file = game / "proposals" / "turnout.md"
    file.write_text(file.read_text("utf-8").replace("A thought.", "An afterthought."), "utf-8")
    served.until("proposals/draft-turnout/", "An afterthought.")
    served.until("assets/verified.json", "1 file is changed and not committed")
    assert "what has changed since is not committed" in served.get("proposals/draft-turnout/")
    assert _without_script(served.get("mine/")) == _without_script(before["mine/"])


def _without_script(html: str) -> str:
    """A page without what MkDocs puts at its end to look for news."""
    return html.rpartition("<script>")[0]


@pytest.mark.nightly
def test_a_page_that_a_person_wrote_is_followed_too(game: Path, served: Live) -> None:
    (game / "docs" / "mine.md").write_text(
        f"{MINE}\nAnother word, and [nothing](rules/299.md).\n", "utf-8"
    )
    served.until("mine/", "Another word")
    assert LINKED in served.get("mine/")
    # What is wrong with a page is said again at each build, though the page did not change.
    count = served.said.count("'rules/299.md'")
    assert count == 1
    (game / "docs" / "more.md").write_text("# More\n", "utf-8")
    served.until("more/", "More")
    (game / "docs" / "more.md").write_text("# More and more\n", "utf-8")
    served.until("more/", "More and more")
    assert served.said.count("'rules/299.md'") == 3
    (game / "docs" / "mine.md").write_text(MINE, "utf-8")


@pytest.mark.nightly
def test_a_folder_that_comes_and_goes_is_seen(game: Path, served: Live) -> None:
    away = game.parent / "away"
    (game / "judgements").rename(away)
    served.until("", "error")
    assert served.get("judgements/1/") == ""
    away.rename(game / "judgements")
    served.until("judgements/1/", "What a voter is")


@pytest.mark.nightly
def test_a_game_that_is_broken_is_said_and_goes_on(game: Path, served: Live) -> None:
    file = game / "nomic.yml"
    text = file.read_text("utf-8")
    file.write_text("name: [\n", "utf-8")
    served.until("", "error")
    file.unlink()
    served.until("", "error")
    served.hear("there is no nomic.yml in")
    file.write_text(text.replace("A game of changing", "A new game of changing"), "utf-8")
    served.until("", "A new game of changing")


@pytest.mark.nightly
def test_other_settings_are_on_every_page(game: Path, served: Live) -> None:
    (game / "mkdocs.yml").write_text(
        CONFIG.replace("Harbour Nomic", "The Harbour").replace("Judgements:", "Rulings:"), "utf-8"
    )
    served.until("mine/", "The Harbour")
    assert "Rulings" in served.get("mine/")
    assert "Rulings" in served.get("rules/203/")


@pytest.mark.nightly
def test_a_commit_is_seen(game: Path, served: Live) -> None:
    draft = game / "proposals/turnout.md"
    draft.write_text(draft.read_text("utf-8").replace("thought.", "thought over."), "utf-8")
    served.until("proposals/draft-turnout/", "thought over.")
    repo = GitRepo(game)
    repo.commits = 100
    sha = repo.commit("A thought over")
    served.until("assets/verified.json", sha)
    assert f"{sha[:7]}</code></a>.</p>" in served.get("proposals/draft-turnout/")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("path", "page"),
    sampled([("nomic.yml", ""), ("docs/mine.md", "mine/"), ("mkdocs.yml", "")], every=3),
)
def test_a_file_that_another_takes_the_place_of_is_followed(
    game: Path, served: Live, path: str, page: str
) -> None:
    # As editors write: a new file, under another name first.
    for word in ("Swallows", "Swifts"):
        file = game / path
        other = file.with_name(f".{file.name}.swp")
        text = file.read_text("utf-8")
        changed = {"mkdocs.yml": f"site_name: {word}", "nomic.yml": f"tagline: {word}"}.get(path)
        key = (changed or "").partition(":")[0]
        lines = [
            changed if changed and line.startswith(f"{key}:") else line
            for line in text.splitlines()
        ]
        other.write_text("\n".join([*lines, *([] if changed else ["", word])]) + "\n", "utf-8")
        other.replace(file)
        served.until(page, word)


@pytest.mark.nightly
def test_nothing_is_built_while_nothing_changes(served: Live) -> None:
    # What the tests before have written may be built for a while yet.
    for _ in range(20):
        served.get("rules/203/")
        count = served.said.count("Building documentation")
        time.sleep(3)
        if served.said.count("Building documentation") == count:
            return
    raise AssertionError("what is served is built again and again")


# Which files a served site looks at.


class Seen:
    """A server that looks, and whether it saw what an act did."""

    def __init__(self, server: LiveReloadServer) -> None:
        self.server = server

    def after(self, act: Callable[[], object], *, silent: bool = False) -> None:
        # What was done before may be told of more than once.
        time.sleep(0.3)
        with self.server._rebuild_cond:
            self.server._want_rebuild = False
        act()
        with self.server._rebuild_cond:
            wants = self.server._rebuild_cond.wait_for(
                lambda: self.server._want_rebuild, 0.6 if silent else 10
            )
        assert wants is not silent


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[Seen]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "nomic.yml").write_text("name: One\n", "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    server = LiveReloadServer(
        lambda: None, "127.0.0.1", 0, str(tmp_path / "site"), polling_interval=0.05
    )
    server.watch(str(tmp_path / "docs"))
    follow(server, tmp_path, (tmp_path / ".git",))
    server.observer.start()
    yield Seen(server)
    server.observer.stop()
    server.observer.join()
    server.server_close()


@pytest.mark.nightly
def test_whatever_changes_is_seen(seen: Seen, tmp_path: Path) -> None:
    for name in ("nomic.yml", "docs/mine.md", ".git/HEAD"):
        place = tmp_path / name
        seen.after(lambda place=place: place.write_text("A word.\n", "utf-8"))  # type: ignore[misc]
        other = place.with_name("other~")
        other.write_text("Other words.\n", "utf-8")
        seen.after(lambda place=place, other=other: other.replace(place))  # type: ignore[misc]
        seen.after(lambda place=place: place.write_text("More.\n", "utf-8"))  # type: ignore[misc]


@pytest.mark.nightly
def test_a_folder_may_come_and_go(seen: Seen, tmp_path: Path) -> None:
    folder = tmp_path / "judgements"
    for _ in range(2):
        seen.after(folder.mkdir)
        seen.after(lambda: (folder / "1.md").write_text("One.\n", "utf-8"))
        seen.after(lambda: (folder / "1.md").write_text("Two.\n", "utf-8"))
        seen.after(lambda: folder.rename(tmp_path / "away"))
        seen.after(lambda: (tmp_path / "away").rename(folder))
        seen.after(lambda: (folder / "1.md").write_text("Three.\n", "utf-8"))
        seen.after((folder / "1.md").unlink)
        seen.after(folder.rmdir)


@pytest.mark.nightly
def test_what_is_no_change_is_not_seen(seen: Seen, tmp_path: Path) -> None:
    file = tmp_path / "docs" / "mine.md"
    seen.after(lambda: file.write_text("A word.\n", "utf-8"))
    seen.after(lambda: None, silent=True)
    seen.after(lambda: file.read_text("utf-8"), silent=True)
    seen.after(lambda: (tmp_path / ".git" / "index").write_text("", "utf-8"), silent=True)
    seen.after(lambda: (tmp_path / "notes.txt").write_text("", "utf-8"), silent=True)
