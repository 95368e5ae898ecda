"""SSH signatures of texts, made and judged by `ssh-keygen`, with programs and keys that the person's own settings name.

A signature is untrusted: nothing of it is read here, and `ssh-keygen` gets no more of it than a signature has.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.git import run
from nomicgen.repository.git_guard import LISTING, own_settings
from nomicgen.repository.named_files import read_file
from nomicgen.repository.statements import ARMOUR

SIGNATURE_LIMIT = 16 << 10
"""Bytes of a signature: one by the longest RSA key that counts has a quarter of them."""
_SIGNERS_LIMIT = 1 << 20
_DATA_LIMIT = 1 << 20
_BEGINS, _ENDS = f"{ARMOUR}\n".encode(), b"-----END SSH SIGNATURE-----"
_PROGRAM = "ssh-keygen"
_ANYONE = "signer"
# Whoever signs may have to type a passphrase, or to touch a key.
_PATIENT, _QUICK = 120.0, 15.0
_OPEN = ("PATH", "SystemRoot")
_PERSONAL = (
    *("HOME", "USERPROFILE", "SSH_AUTH_SOCK", "SSH_SK_PROVIDER"),
    *("SSH_ASKPASS", "SSH_ASKPASS_REQUIRE", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TERM"),
)
_SAID = 300


class NoSigner(RepositoryError):
    """There is no `ssh-keygen`, or it does not run, or does not do what it was asked for."""


def signer_of(root: Path) -> str:
    """The program that makes and judges SSH signatures: what the person's own git settings say, else `ssh-keygen`."""
    return own_settings(run(root, "config", *LISTING)).get("gpg.ssh.program", _PROGRAM)


def own_key(root: Path) -> str:
    """The key that the person's own git settings sign with: a file, or a public key that an agent has.

    Raises NoSigner where they name none.
    """
    settings = own_settings(run(root, "config", *LISTING))
    key = settings.get("user.signingkey", "")
    if key and settings.get("gpg.format") == "ssh":
        return key
    raise NoSigner(
        "your own git settings name no SSH key to sign with",
        "name a file with `--key FILE`, or set `git config --global gpg.format ssh` and "
        "`git config --global user.signingkey FILE`",
    )


def sign(data: bytes, namespace: str, key: str, *, program: str = _PROGRAM) -> bytes:
    """The armoured signature of `data` with `key`: a file, or a public key (`ssh-…` or `key::…`) that an agent has.

    Raises NoSigner.
    """
    with _folder() as folder:
        file = _key_file(key, folder)
        status, output, stderr = _run(program, folder, "-Y", "sign", "-f", file, "-n", namespace, feed=data, signs=True)
    if status or not is_signature(output):
        raise NoSigner(
            f"{program} did not sign with {shown_path(key)[:_SAID]}: {stderr or 'it printed no signature'}",
            "see that the file is there, and that it is yours: `ssh-keygen -y -f FILE`; a key of an agent is in "
            "`ssh-add -L`",
        )
    return output


def verify(data: bytes, signature: bytes, namespace: str, keys: Collection[str], *, program: str = _PROGRAM) -> bool:
    """Whether `data` was signed so with one of the public keys, each as `TYPE BASE64`. Raises NoSigner.

    What is no signature, or too large for one, does not count.
    """
    lines = "".join(f'{_ANYONE} namespaces="{namespace}" {key}\n' for key in sorted(keys))
    return bool(keys) and _verified(data, signature, namespace, lines.encode(), _ANYONE, program)


def verify_listed(
    data: bytes, signature: bytes, namespace: str, signers: Path, who: str, *, program: str = _PROGRAM
) -> bool:
    """Whether `data` was signed so with a key that the file of allowed signers lists for `who`.

    Raises NoSigner, and Unreadable for what is no such file.
    """
    return _verified(data, signature, namespace, read_file(signers, _SIGNERS_LIMIT), who, program)


def _verified(data: bytes, signature: bytes, namespace: str, lines: bytes, who: str, program: str) -> bool:
    if not is_signature(signature) or len(data) > _DATA_LIMIT:
        return False
    with _folder() as folder:
        signers, signed = folder / "signers", folder / "signature"
        signers.write_bytes(lines)
        signed.write_bytes(signature)
        line = ("-Y", "verify", "-f", str(signers), "-I", who, "-n", namespace, "-s", str(signed))
        status, _, _ = _run(program, folder, *line, feed=data)
    return status == 0


def is_signature(data: bytes) -> bool:
    """Whether this looks like one armoured signature, and like nothing else."""
    whole = data.startswith(_BEGINS) and data.rstrip(b"\n").endswith(_ENDS)
    return whole and len(data) <= SIGNATURE_LIMIT and data.isascii() and data.count(b"-----BEGIN ") == 1


def _key_file(key: str, folder: Path) -> str:
    """The file that `ssh-keygen` is to take for a key, as git takes what its setting says."""
    public = key.removeprefix("key::")
    if public != key or key.startswith("ssh-"):
        file = folder / "key.pub"
        file.write_text(f"{public}\n", "utf-8")
        return str(file)
    return str(_expanded(key).absolute())


def _expanded(name: str) -> Path:
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder that is there for as long as the block. Raises NoSigner where the system refuses it, or a file in it."""

    try:
        with tempfile.TemporaryDirectory(prefix="nomicgen-") as folder:
            yield Path(folder)
    except OSError as error:
        raise NoSigner(
            f"{error.filename or tempfile.gettempdir()} cannot be written: {error.strerror or error}",
            "make room or give permission in the folder for temporary files",
        ) from error


def _run(program: str, folder: Path, *arguments: str, feed: bytes, signs: bool = False) -> tuple[int, bytes, str]:
    """The exit status of the program, what it prints, and what it says of errors. Raises NoSigner."""
    seconds = _PATIENT if signs else _QUICK
    try:
        done = subprocess.run(
            [str(_expanded(program)), *arguments],
            input=feed,
            capture_output=True,
            cwd=folder,
            env=_environment(os.environ, _OPEN + _PERSONAL if signs else _OPEN),
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        why = f"it did not end within {seconds:.0f} seconds"
    except FileNotFoundError:
        why = "there is no such program"
    except OSError as error:
        why = error.strerror or str(error)
    except ValueError as error:
        why = str(error)
    else:
        stderr = " ".join(done.stderr[:_SAID].decode("utf-8", "replace").split())
        return done.returncode, done.stdout, stderr
    raise NoSigner(
        f"{program} does not run: {why}",
        "install OpenSSH 8.1 or newer, and see that ssh-keygen is in the PATH; or name it in git's own "
        "`gpg.ssh.program`",
    )


def _environment(own: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """The variables that the program gets: where programs are, and who signs also gets what leads to their keys."""
    return {"LC_ALL": "C", **{name: own[name] for name in names if name in own}}
