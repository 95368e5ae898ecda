"""SSH signatures of texts: made with the person's own key, and held against public keys that somebody registered."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.ssh import SIGNATURE_LIMIT, NoSigner, own_key, sign, signer_of, verify, verify_listed
from tests.signing import needs_ssh, private_key, public_key
from tests.support import GitRepo

pytestmark = needs_ssh

SPACE = "nomicgen-test"
DATA = b"what was seen\n"


def signed(name: str = "wren", kind: str = "ed25519", data: bytes = DATA, space: str = SPACE) -> bytes:
    return sign(data, space, str(private_key(name, kind)))


@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_a_signature_holds_for_its_key(kind: str) -> None:
    assert verify(DATA, signed(kind=kind), SPACE, [public_key("wren", kind)])


def test_any_of_several_keys_will_do() -> None:
    assert verify(DATA, signed("oil"), SPACE, [public_key("wren"), public_key("oil")])


@pytest.mark.parametrize(
    ("data", "space", "keys"),
    [
        (b"something else\n", SPACE, ["wren"]),
        (DATA, "git", ["wren"]),
        (DATA, SPACE, ["oil"]),
        (DATA, SPACE, []),
    ],
    ids=["other-data", "other-namespace", "other-key", "no-key"],
)
def test_a_signature_holds_for_nothing_else(data: bytes, space: str, keys: list[str]) -> None:
    assert not verify(data, signed(), space, [public_key(one) for one in keys])


def test_what_is_no_signature_does_not_count() -> None:
    good = signed()
    bodies = good.split(b"\n")
    for bad in (
        b"",
        b"x",
        good[:-40],
        good + good,
        b"\0" + good,
        good.replace(b"SSH SIGNATURE", b"PGP MESSAGE"),
        b"\n".join([bodies[0], b"A" * (SIGNATURE_LIMIT + 1), *bodies[-2:]]),
        b"\n".join([bodies[0], b"AAAA", *bodies[-2:]]),
        private_key("wren").read_bytes(),
    ):
        assert not verify(DATA, bad, SPACE, [public_key("wren")]), bad[:60]


def test_a_file_of_signers_counts_for_whom_it_names(tmp_path: Path) -> None:
    file = tmp_path / "signers"
    file.write_text(f'wren {public_key("wren")}\nodo namespaces="git" {public_key("odo")}\n')
    assert verify_listed(DATA, signed(), SPACE, file, "wren")
    assert not verify_listed(DATA, signed(), SPACE, file, "odo")
    assert not verify_listed(DATA, signed("odo"), SPACE, file, "odo")


def test_a_file_of_signers_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError, match="is no ordinary file"):
        verify_listed(DATA, signed(), SPACE, tmp_path, "wren")
    (tmp_path / "binary").write_bytes(os.urandom(5000))
    assert not verify_listed(DATA, signed(), SPACE, tmp_path / "binary", "wren")


@pytest.mark.parametrize("name", ["there-is-none", ""])
def test_a_key_that_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(NoSigner, match="did not sign with"):
        sign(DATA, SPACE, str(tmp_path / name))


def test_a_program_that_is_missing_is_named() -> None:
    for act in (
        lambda: sign(DATA, SPACE, str(private_key("wren")), program="no-such-program"),
        lambda: verify(DATA, signed(), SPACE, [public_key("wren")], program="no-such-program"),
    ):
        with pytest.raises(NoSigner, match="no-such-program does not run: there is no such program") as caught:
            act()
        assert "ssh-keygen is in the PATH" in caught.value.remedy


def test_a_program_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomicgen.repository.ssh._QUICK", 0.2)
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o700)
    with pytest.raises(NoSigner, match="it did not end within 0 seconds"):
        verify(DATA, signed(), SPACE, [public_key("wren")], program=str(slow))


def test_who_judges_sees_little_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", "/nowhere")
    monkeypatch.setenv("LD_PRELOAD_NOT", "x")
    told = tmp_path / "told"
    spy = tmp_path / "spy"
    spy.write_text(f'#!/bin/sh\nenv > {told}\nexec ssh-keygen "$@"\n')
    spy.chmod(0o700)
    assert verify(DATA, signed(), SPACE, [public_key("wren")], program=str(spy))
    names = {line.partition("=")[0] for line in told.read_text().splitlines()}
    assert names - {"PWD", "OLDPWD", "SHLVL", "_"} == {"PATH", "LC_ALL"}


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    if shutil.which("ssh-agent") is None:
        pytest.skip("ssh-agent is not installed")
    socket = tmp_path / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    try:
        monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
        for _ in range(100):
            if socket.exists():
                break
            process.poll()
            subprocess.run(["sleep", "0.05"], check=True)
        subprocess.run(["ssh-add", "-q", str(private_key("agent"))], check=True, capture_output=True)
        yield socket
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize("form", ["{}", "key::{}"])
@pytest.mark.usefixtures("agent")
def test_a_key_of_an_agent_signs(form: str) -> None:
    public = public_key("agent")
    assert verify(DATA, sign(DATA, SPACE, form.format(public)), SPACE, [public])


def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    file = tmp_path / "own.gitconfig"
    file.write_text(text)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(file))


def test_the_key_and_the_program_are_the_persons_own(
    git_repo: Callable[..., GitRepo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = git_repo()
    for name, value in {"gpg.format": "ssh", "user.signingKey": "/theirs", "gpg.ssh.program": "/bin/evil"}.items():
        repo.git("config", name, value)
    assert signer_of(repo.path) == "ssh-keygen"
    with pytest.raises(NoSigner, match="your own git settings name no SSH key") as caught:
        own_key(repo.path)
    assert "--key FILE" in caught.value.remedy
    configured(tmp_path, monkeypatch, "[gpg]\n  format = ssh\n[user]\n  signingKey = ~/.ssh/mine\n")
    assert own_key(repo.path) == "~/.ssh/mine"
    configured(tmp_path, monkeypatch, '[user]\n  signingKey = 0123ABCD\n[gpg "ssh"]\n  program = my-keygen\n')
    assert signer_of(repo.path) == "my-keygen"
    with pytest.raises(NoSigner):
        own_key(repo.path)


def test_nothing_is_kept_where_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    good = signed()
    monkeypatch.setattr("tempfile.tempdir", "/nonexistent")
    with pytest.raises(NoSigner, match="cannot be written"):
        verify(DATA, good, SPACE, [public_key("wren")])
