"""What players sign: notes of witnesses and votes, their signatures, and the keys that players register."""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime

from nomicgen.files.documents import read_player
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.public_keys import bare_key
from nomicgen.play.voting.signed_vote import SignedVote, disagreement, read_signed, write_vote
from nomicgen.repository.ssh import is_signature, verify
from nomicgen.verify.witness_notes import NAMESPACE, Note, read_note, write_note
from tests.fuzz.target import Target, hold

_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKiUHwNWe2OFucvpQKrJzGB46lGr62JJro7CpwVWj83t"
_DATA = b"seen\n"
_SIGNATURE = b"""-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgqJQfA1Z7Y4W5y+lAqsnMYHjqUa
vrYkmujsKnBVaPze0AAAAQbm9taWNnZW4td2l0bmVzcwAAAAAAAAAGc2hhNTEyAAAAUwAA
AAtzc2gtZWQyNTUxOQAAAEAmTtjwEm8EPf++KTA5LsKluBDyjNZADgTdFhYpgznynK0IuV
jPtZ04sVFrlU4AEgGTIhhPhGu3SOdEzgIijycK
-----END SSH SIGNATURE-----
"""
_NOTE = b"""nomicgen witness 1
game   The Lantern Game
began  f42a91e48c5823cbf9bb3bf1d8beb0ebd15c7e5f
folder games/lanterns
branch main
commit 6b4e9a7d2f1055aa7d3c5be1a1a6a1f2f4ce5d07
tree   bd24e070b2bd307c81ed8d45913a184619b2f3dd
ledger 35f656da8ca776dab3f15106d5082fbae999a58d09e8065647d507ee7720b615
date   2026-11-20T18:30:05+13:00
player wren
"""
_VOTE = b"""nomicgen vote 1
game   The Lantern Game
ballot 304-k7q2m4x9ta
digest 35f656da8ca776dab3f15106d5082fbae999a58d09e8065647d507ee7720b615
player tamsin
vote   for
date   2026-11-20T18:30:05+13:00
"""
_PLAYER = f"name: Wren\nkeys:\n  - {{key: {_KEY} wren@lamp, since: 2026-01-05, until: 2026-02-01}}\n".encode()
_ARMOUR = (b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----")


def note(data: bytes) -> None:
    """A note is what it is written as, its lines can be shown, and its day is one of the calendar."""
    found, why = _read(data)
    assert re.search(CONTROLS, why) is None, why
    if found is None:
        return
    assert write_note(found) == data
    assert re.search(CONTROLS, data.decode().replace("\n", " ")) is None
    assert datetime.fromisoformat(found.day).date().isoformat() == found.day


def _read(data: bytes) -> tuple[Note | None, str]:
    try:
        return read_note(data), ""
    except ValueError as error:
        return None, str(error)


def signature(data: bytes) -> None:
    """Nothing but the signature that was made holds, however it is broken into lines."""
    if shutil.which("ssh-keygen") is None or not is_signature(data):
        return
    if verify(_DATA, data, NAMESPACE, [_KEY]):
        assert _payload(data) == _payload(_SIGNATURE)


def _payload(data: bytes) -> bytes:
    begins, ends = _ARMOUR
    return base64.b64decode(b"".join(data.partition(begins)[2].rpartition(ends)[0].split()))


def keys(data: bytes) -> None:
    """A key that is taken is one line of three words at most that `allowed_signers` can hold."""
    player, findings = read_player("players/wren.yml", data)
    hold(findings, {"players/wren.yml": data})
    for one in player.matter.keys_ if player is not None else ():
        kind, text = bare_key(one.key).split(" ")
        assert kind in base64.b64decode(text, validate=True)[4:].decode("latin-1")
        assert one.key.isascii()
        assert one.key.isprintable()


def vote(data: bytes) -> None:
    """A signed vote is what it is written as; of its signature nothing is read, and it is ASCII."""
    document = data.decode("utf-8", "replace")
    found, why = _signed(document)
    assert re.search(CONTROLS, why) is None, why
    if found is None:
        return
    said, armour = found
    assert document.replace("\r\n", "\n").startswith(write_vote(said).decode())
    assert armour.isascii()
    assert armour.startswith(_ARMOUR[0])
    assert read_signed(f"{write_vote(said).decode()}{armour.decode()}")[0] == said
    assert said.moment(UTC).timed
    wrong = disagreement(
        said, ballot="304-k7q2m4x9ta", digest=Digest("0" * 64), player=PlayerId("tamsin"), choice="for"
    )
    assert re.search(CONTROLS, wrong) is None, wrong


def _signed(document: str) -> tuple[tuple[SignedVote, bytes] | None, str]:
    try:
        return read_signed(document), ""
    except ValueError as error:
        return None, str(error)


def _notes() -> Iterator[bytes]:
    yield _NOTE
    yield _NOTE.replace(b"games/lanterns", b".").replace(b"+13:00", b"+00:00")


TARGETS = (
    Target(
        name="note",
        run=note,
        seeds=_notes,
        words=("game   ", "began  ", "folder ", "player ", "date   ", "+00:00", "0000", "\u2028", "\u202e", "\x7f"),
        longest=4200,
    ),
    Target(
        name="vote",
        run=vote,
        seeds=lambda: iter((_VOTE + _SIGNATURE, _VOTE.replace(b"\n", b"\r\n") + _SIGNATURE)),
        words=(
            "game   ",
            "ballot ",
            "digest ",
            "player ",
            "vote   ",
            "date   ",
            "for\n",
            "304-k7q2m4x9ta",
            "-----BEGIN",
        ),
        longest=4200,
    ),
    Target(
        name="signature",
        run=signature,
        seeds=lambda: iter((_SIGNATURE,)),
        words=("-----BEGIN SSH SIGNATURE-----\n", "\n-----END SSH SIGNATURE-----\n", "U1NIU0lH", "AAAA", "=="),
        longest=2048,
    ),
    Target(
        name="keys",
        run=keys,
        seeds=lambda: iter((_PLAYER,)),
        words=(
            "ssh-ed25519 ",
            "ssh-rsa ",
            "AAAAC3NzaC1lZDI1NTE5AAAA",
            "sk-ssh-ed25519@openssh.com ",
            "since: ",
            "keys:\n",
        ),
        longest=4096,
    ),
)
