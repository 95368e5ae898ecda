"""SSH keys for tests: real ones, which `ssh-keygen` makes once a session."""

from __future__ import annotations

import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

__all__ = ["needs_ssh", "private_key", "public_key"]

needs_ssh = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed"
)


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="nomicgen-keys-")


def private_key(name: str, kind: str = "ed25519", passphrase: str = "") -> Path:
    """The file of a key that nobody else has; the same for the same name."""
    file = Path(_folder().name, f"{name}-{kind}{'-locked' if passphrase else ''}")
    if file.exists():
        return file
    command = ["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", name, "-f", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file


def public_key(name: str, kind: str = "ed25519") -> str:
    """The public half, `TYPE BASE64`."""
    return " ".join(private_key(name, kind).with_suffix(".pub").read_text().split()[:2])
