"""Signatures: asked for in nomic.yml, judged by git with what the reader trusts, not with what a
repository names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.playing import TEA, passed
from tests.support import GitRepo
from tests.verify.histories import clean, found

Repos = Callable[..., GitRepo]
WHO = "(Ada Player, 2020-01-02)"

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)


def key(folder: Path, name: str) -> Path:
    """A new key that nobody else has."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
    subprocess.run(command, check=True, capture_output=True)
    return folder / name


def signers(*keys: Path) -> str:
    """The file that says whose keys count."""
    file = keys[0].parent / "allowed_signers"
    lines = (
        f"ada@example.org {' '.join(one.with_suffix('.pub').read_text().split()[:2])}\n"
        for one in keys
    )
    file.write_text("".join(lines))
    return str(file)


def signing(game: GitRepo, own: Path | None) -> None:
    """From now on commits are signed with this key, or not at all."""
    for name, value in {
        "gpg.format": "ssh",
        "user.signingKey": str(own),
        "commit.gpgSign": "false" if own is None else "true",
    }.items():
        game.git("config", name, value)


def ask(game: GitRepo, message: str = "Ask for signatures") -> str:
    path = game.path / "nomic.yml"
    return game.commit(message, {"nomic.yml": f"{path.read_text()}signatures: required\n"})


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return key(tmp_path, "own")


def test_nothing_is_asked_for_where_the_settings_do_not(game: GitRepo) -> None:
    assert clean(game)["signed"] == 0


def test_commits_are_signed_from_the_one_on_that_asks_for_it(game: GitRepo, own: Path) -> None:
    signing(game, own)
    ask(game)
    passed(game, 303, TEA, "2026-01-07")
    assert clean(game, "--signers", signers(own))["signed"] == 5
    signing(game, None)
    sha = game.commit(
        "A note", {"players/wren.yml": (game.path / "players/wren.yml").read_text() + "note: hm\n"}
    )
    game.commit("Beside the game", {"README.md": "Hello.\n"})
    assert found(game, "--signers", signers(own), names={"SHA": sha}) == [
        f"verify-unsigned: commit SHA {WHO.replace('02)', '03)')} is not signed, but nomic.yml "
        "asks for signatures"
    ]


def test_who_cannot_sign_cannot_put_an_end_to_it(game: GitRepo, own: Path) -> None:
    signing(game, own)
    ask(game)
    signing(game, None)
    text = (game.path / "nomic.yml").read_text()
    sha = game.commit("No more", {"nomic.yml": text.replace("signatures: required\n", "")})
    game.commit(
        "Free", {"players/wren.yml": (game.path / "players/wren.yml").read_text() + "note: hm\n"}
    )
    assert [
        line.partition(" (")[0]
        for line in found(game, "--signers", signers(own), names={"SHA": sha})
    ] == ["verify-unsigned: commit SHA"]


def test_a_key_that_nobody_vouches_for(game: GitRepo, own: Path, tmp_path: Path) -> None:
    signing(game, key(tmp_path, "other"))
    sha = ask(game)
    said = (
        f"verify-unsigned: commit SHA {WHO} is signed with a key that nobody here vouches "
        "for, and nomic.yml asks for "
    )
    for options in (("--signers", signers(own)), ()):
        assert found(game, *options, names={"SHA": sha}) == [f"{said}signatures"]


def test_a_signature_of_another_commit(game: GitRepo, own: Path) -> None:
    signing(game, own)
    sha = ask(game)
    data = game.git("cat-file", "commit", sha).replace("Ask for signatures", "Ask for something")
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin"],
        cwd=game.path,
        input=f"{data}\n".encode(),
        capture_output=True,
        check=True,
    ).stdout.decode()
    game.git("update-ref", "HEAD", made.strip())
    assert found(game, "--signers", signers(own), names={"SHA": made}) == [
        f"verify-unsigned: commit SHA {WHO} has a signature that was not made for it, and "
        "nomic.yml asks for signatures"
    ]


def test_a_program_that_cannot_be_run_is_no_missing_signature(
    game: GitRepo, own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signing(game, own)
    sha = ask(game)
    config = tmp_path / "global"
    config.write_text('[gpg "ssh"]\n\tprogram = there-is-no-such-program\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    assert found(game, "--signers", signers(own), names={"SHA": sha}) == [
        f"verify-unsigned: commit SHA {WHO} has a signature that cannot be checked here, and "
        "nomic.yml asks for signatures"
    ]


def test_the_readers_own_settings_say_whose_keys_count(
    game: GitRepo, own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    signing(game, own)
    ask(game)
    config = tmp_path / "global"
    config.write_text(f'[gpg "ssh"]\n\tallowedSignersFile = {signers(own)}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    assert clean(game)["signed"] == 1


def test_a_repository_names_neither_programs_nor_keys(
    game: GitRepo, own: Path, tmp_path: Path
) -> None:
    """Its `.git/config` came with it, e.g. in an archive that somebody unpacked."""
    signing(game, key(tmp_path, "other"))
    sha = ask(game)
    trap = tmp_path / "trap.sh"
    trap.write_text(
        f"#!/bin/sh\ntouch {tmp_path}/sprung\necho 'Good \"git\" signature for ada with key x'\n"
    )
    trap.chmod(0o755)
    for name in ("gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program"):
        game.git("config", name, str(trap))
    game.git("config", "gpg.ssh.allowedSignersFile", signers(tmp_path / "other"))
    game.git("config", "gpg.ssh.revocationFile", os.devnull)
    assert [line.partition(" is ")[2] for line in found(game, names={"SHA": sha})] == [
        "signed with a key that nobody here vouches for, and nomic.yml asks for signatures"
    ]
    assert not (tmp_path / "sprung").exists()


def test_a_commit_without_a_signature_can_be_owned_up_to(game: GitRepo, own: Path) -> None:
    sha = ask(game)
    signing(game, own)
    text = (game.path / "nomic.yml").read_text()
    game.commit(
        "Own up to it", {"nomic.yml": f"{text}admitted: {{{sha}: The key came a day later.}}\n"}
    )
    assert clean(game, "--signers", signers(own))["signed"] == 2


@pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
def test_a_key_that_has_expired_since(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory(prefix="gpg") as home:  # a socket's path may not be long
        Path(home).chmod(0o700)
        monkeypatch.setenv("GNUPGHOME", home)
        old = (
            "gpg",
            "--batch",
            "--quiet",
            "--faked-system-time",
            "20200101T000000!",
            "--pinentry-mode",
            "loopback",
        )
        subprocess.run(
            [
                *old,
                "--passphrase",
                "",
                "--quick-generate-key",
                "ada@example.org",
                "ed25519",
                "sign",
                "2d",
            ],
            check=True,
            capture_output=True,
        )
        program = Path(home) / "of-2020"
        program.write_text('#!/bin/sh\nexec gpg --faked-system-time 20200101T120000! "$@"\n')
        program.chmod(0o755)
        for name, value in {
            "gpg.program": str(program),
            "user.signingKey": "ada@example.org",
        }.items():
            game.git("config", name, value)
        game.git("config", "commit.gpgSign", "true")
        sha = ask(game)
        assert found(game, code=0, names={"SHA": sha}) == [
            f"verify-unproven: commit SHA {WHO} is signed with a key that has expired: git does "
            "not say whether it held when it was made"
        ]
        config = Path(home) / "gitconfig"
        config.write_text(f"[gpg]\n\tprogram = {program}\n")
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
        assert clean(game)["signed"] == 1
        subprocess.run(["gpgconf", "--kill", "all"], check=False, capture_output=True)
