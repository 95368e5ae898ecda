"""Signatures of commits, as git judges them: only with programs and keys that the reader names, or
the programs that git runs if nobody names one.

A repository's settings can also name programs, and keys to trust. Neither is heeded: else whoever
gives us a repository would choose what is run here, and whose signatures are good.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from nomicgen.repository.git import PLAIN, run
from nomicgen.repository.git_guard import GPG_PROGRAMS, LISTING, own_settings
from nomicgen.repository.git_objects import objects

_ALLOWED_SIGNERS = "gpg.ssh.allowedsignersfile"
# Without a file of signers git says that a commit signed by an unknown key is not signed at all.
_DEFAULTS = {**GPG_PROGRAMS, _ALLOWED_SIGNERS: os.devnull, "gpg.ssh.revocationfile": os.devnull}
_FORMAT = "%H%x00%G?"
_SIGNATURE = rb"(?m)^gpgsig(?:-sha256)? -----BEGIN ([A-Z ]+)-----"
# The setting that names the program for a form of signature; PGP for all others.
_FORMS = {b"SSH SIGNATURE": "gpg.ssh.program", b"SIGNED MESSAGE": "gpg.x509.program"}


def signatures(root: Path, shas: Sequence[str], signers: Path | None = None) -> Mapping[str, str]:
    """Return what git says of the signature of each commit, by id: a letter of `%G?`, such as `G`
    for a good one and `N` for none. `signers` is a file of allowed SSH signers.

    `E` is for one that cannot be checked. It takes the place of git's `N` if there is a signature
    that git does not see, and of `B` if the program to check it is missing.
    """
    if not shas:
        return {}
    settings = _settings(root, signers)
    feed = "".join(f"{sha}\n" for sha in shas).encode()
    output = run(
        root,
        "log",
        "--no-walk=unsorted",
        "-z",
        f"--format={_FORMAT}",
        "--stdin",
        feed=feed,
        settings=(*PLAIN, *(f"{key}={value}" for key, value in settings.items())),
    )
    tokens = output.decode("ascii", "replace").split("\0")
    letters = dict(zip(tokens[::2], tokens[1::2], strict=False))
    doubtful = [sha for sha in shas if letters.get(sha, "N") not in "GUXYRE"]
    programs = _programs(root, doubtful)
    for sha in doubtful:
        if sha not in programs:
            letters[sha] = "N"
        elif letters.get(sha) != "B" or shutil.which(settings[programs[sha]]) is None:
            letters[sha] = "E"
    return {sha: letters[sha] for sha in shas}


def _settings(root: Path, signers: Path | None) -> Mapping[str, str]:
    """Return the settings by which git checks signatures: the reader's own, else git's defaults."""
    own: dict[str, str] = {}
    for key, value in own_settings(run(root, "config", *LISTING)).items():
        if key in _DEFAULTS:
            # `gpg.program` is `gpg.openpgp.program` by its older name: whichever comes last counts.
            own[key.replace("gpg.openpgp.", "gpg.")] = value
    if "gpg.program" in own:
        own["gpg.openpgp.program"] = own["gpg.program"]
    if signers is not None:
        own[_ALLOWED_SIGNERS] = str(signers.absolute())
    return {**_DEFAULTS, **own}


def _programs(root: Path, shas: Sequence[str]) -> Mapping[str, str]:
    """Return, for those commits that are signed, the setting that names the program to check it."""
    programs = {}
    for sha, data in objects(root, shas, "commit").items():
        if match := re.search(_SIGNATURE, data.partition(b"\n\n")[0]):
            programs[sha] = _FORMS.get(match[1], "gpg.openpgp.program")
    return programs
