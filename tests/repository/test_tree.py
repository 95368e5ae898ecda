"""Reading a game's files."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from nomicgen.files.text_encoding import Oddity
from nomicgen.repository.errors import NoGame, Unreadable
from nomicgen.repository.game_tree import find_root, read_tree
from tests.repository.places import as_nobody, fill


@pytest.fixture
def game(tmp_path: Path) -> Path:
    files = {
        "nomic.yml": "format: 1\n",
        "rules/203.md": "mutable\n",
        "rules/initial/203.md": "first\n",
        "proposals/301.md": "p\n",
        "judgements/1.md": "j\n",
        "acts/2020-01-01-flood.md": "a\n",
        "players/wren.yml": "name: Wren\n",
        "turns/R1T1.yml": "player: wren\n",
        "images/map.png": "not shown",
        "README.md": "not of the game",
        "docs/rules/9.md": "not of the game",
    }
    return fill(tmp_path / "game", files)


def test_the_root_is_the_nearest_directory_upwards_with_settings(game: Path) -> None:
    inner = game / "docs" / "rules"
    assert find_root(inner) == game
    (inner / "nomic.yml").write_text("format: 1\n")
    assert find_root(inner) == inner
    assert find_root(game) == game


def test_without_a_game_the_error_names_the_place_and_the_way_on(tmp_path: Path) -> None:
    with pytest.raises(NoGame) as caught:
        find_root(tmp_path)
    assert caught.value.message == f"there is no nomic.yml in {tmp_path} or above it"
    assert str(caught.value) == f"there is no nomic.yml in {tmp_path} or above it"
    assert "`nomicgen init DIRECTORY`" in caught.value.remedy


@pytest.mark.parametrize("name", ["nomic.yaml", "Nomic.YAML"])
def test_settings_under_another_name_are_to_be_renamed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("format: 1\n")
    with pytest.raises(NoGame) as caught:
        find_root(tmp_path)
    assert caught.value.remedy == f"rename {name} to nomic.yml"


def test_every_file_of_the_game_is_read_and_no_other(game: Path) -> None:
    assert read_tree(game) == {
        "acts/2020-01-01-flood.md": b"a\n",
        "images/map.png": b"",
        "judgements/1.md": b"j\n",
        "nomic.yml": b"format: 1\n",
        "players/wren.yml": b"name: Wren\n",
        "proposals/301.md": b"p\n",
        "rules/203.md": b"mutable\n",
        "rules/initial/203.md": b"first\n",
        "turns/R1T1.yml": b"player: wren\n",
    }
    assert list(read_tree(game)) == sorted(read_tree(game))


def test_no_link_is_followed(game: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "1.md").write_text("secret")
    (game / "rules" / "204.md").symlink_to("../../secret/1.md")
    (game / "rules" / "205.md").symlink_to("nowhere")
    (game / "proposals" / "more").symlink_to(tmp_path / "secret")
    (game / "images" / "arms.png").symlink_to("/etc/hostname")
    (game / "turns" / "R1T1.yml").unlink()
    (game / "turns").rmdir()
    (game / "turns").symlink_to(tmp_path / "secret")
    tree = read_tree(game)
    assert {path: one for path, one in tree.items() if isinstance(one, Oddity)} == {
        "rules/204.md": Oddity("symlink", "../../secret/1.md"),
        "rules/205.md": Oddity("symlink", "nowhere"),
        "proposals/more": Oddity("symlink", str(tmp_path / "secret")),
        "images/arms.png": Oddity("symlink", "/etc/hostname"),
        "turns": Oddity("symlink", str(tmp_path / "secret")),
    }
    assert b"secret" not in tree.values()


def test_settings_that_are_a_link_make_a_root_and_are_not_read(game: Path) -> None:
    (game / "nomic.yml").unlink()
    (game / "nomic.yml").symlink_to("/etc/passwd")
    assert find_root(game) == game
    assert read_tree(game)["nomic.yml"] == Oddity("symlink", "/etc/passwd")


def test_a_file_may_have_one_mebibyte_and_an_image_more(game: Path) -> None:
    (game / "rules" / "1.md").write_bytes(b"x" * (1 << 20))
    (game / "rules" / "2.md").write_bytes(b"x" * ((1 << 20) + 1))
    (game / "images" / "big.png").write_bytes(b"x" * (3 << 20))
    tree = read_tree(game)
    assert tree["rules/1.md"] == b"x" * (1 << 20)
    assert tree["rules/2.md"] == Oddity("file-too-large", "1048577 bytes")
    assert tree["images/big.png"] == b""


def test_names_that_are_not_utf8_are_spelt_out_and_folders_are_known_in_any_case(
    game: Path,
) -> None:
    Path(os.fsdecode(os.fsencode(game / "rules") + b"/\xff.md")).write_text("odd")
    (game / "rules" / "ünï\n.md").write_text("odd too")
    (game / "Rules").mkdir()
    (game / "Rules" / "7.md").write_text("elsewhere")
    tree = read_tree(game)
    assert tree["rules/\\xff.md"] == b"odd"
    assert tree["rules/ünï\\n.md"] == b"odd too"
    assert tree["Rules/7.md"] == b"elsewhere"
    assert "\n".join(tree).encode()


@pytest.mark.parametrize("name", ["rules/203.md", "images/map.png"])
def test_a_pipe_or_a_socket_is_not_waited_for(
    game: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game / name).unlink()
    os.mkfifo(game / name)
    with pytest.raises(Unreadable) as caught:
        read_tree(game)
    assert str(caught.value) == f"{name} cannot be read: it is no ordinary file"
    (game / name).unlink()
    monkeypatch.chdir(game)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name)
        with pytest.raises(Unreadable):
            read_tree(game)


def test_what_permissions_forbid_is_an_error_and_not_an_absence(game: Path) -> None:
    (game / "rules" / "203.md").chmod(0)
    with as_nobody(game), pytest.raises(Unreadable) as caught:
        read_tree(game)
    assert str(caught.value) == "rules/203.md cannot be read: Permission denied"
    (game / "rules" / "203.md").chmod(0o644)
    (game / "rules").chmod(0)
    with as_nobody(game), pytest.raises(Unreadable) as caught:
        read_tree(game)
    assert str(caught.value) == "rules/ cannot be read: Permission denied"
    (game / "rules").chmod(0o755)


def test_a_directory_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="No such file or directory"):
        read_tree(tmp_path / "gone")
