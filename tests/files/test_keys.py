"""SSH keys in a player's file: which lines are keys, and where a new one goes."""

from __future__ import annotations

import pytest

from nomicgen.files.documents import read_player
from nomicgen.files.file_editing import set_keys
from nomicgen.model.public_keys import bare_key
from tests.reading import said
from tests.signing import key_line

GOOD = key_line()


def read(key: str) -> list[str]:
    text = f'name: Wren\nkeys:\n  - {{key: "{key}", since: 2026-01-05}}\n'
    return said(read_player("players/wren.yml", text.encode())[1])


@pytest.mark.parametrize(
    "kind",
    [
        "ssh-ed25519",
        "sk-ssh-ed25519@openssh.com",
        "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
        "ssh-rsa",
    ],
)
def test_a_line_of_a_public_key(kind: str) -> None:
    assert read(key_line(kind)) == []
    assert read(f"{key_line(kind)} wren@lamp house") == []


@pytest.mark.parametrize(
    "key",
    [
        "",
        "ssh-ed25519",
        "ssh-ed25519 ",
        key_line("ssh-dss"),
        key_line("ssh-ed25519-cert-v01@openssh.com"),
        f"cert-authority {GOOD}",
        f"namespaces=git {GOOD}",
        f"* {GOOD}",
        f" {GOOD}",
        f"{GOOD}\\nwren {GOOD}",
        f"{GOOD} ü",
        GOOD.replace("ssh-ed25519", "ssh-rsa"),
        GOOD[:-3],
        f"{key_line(more=bytes(33))[:-3]}B==",
        key_line("ssh-rsa", bytes(3000)),
        "-----BEGIN OPENSSH PRIVATE KEY-----",
    ],
)
def test_what_is_no_public_key(key: str) -> None:
    assert [one.split(": ")[0] for one in read(key)] == ["3:11 value-wrong"]


def test_the_comment_is_no_part_of_a_key() -> None:
    assert bare_key(f"{GOOD} wren@lamp house") == GOOD == bare_key(GOOD)


def test_a_note_goes_behind_the_keys() -> None:
    before = f'name: Wren\nkeys:\n  - {{key: "{GOOD}", since: 2026-01-05}}\n'.encode()
    assert set_keys(before, {"note": "here"}) == before + b"note: here\n"


def test_keys_are_read_with_their_days() -> None:
    text = f'name: Wren\nkeys:\n  - {{key: "{GOOD}", since: 2026-01-05, until: 2026-02-01}}\n'
    player, findings = read_player("players/wren.yml", text.encode())
    assert player is not None
    assert not findings
    [key] = player.matter.keys_
    assert (key.key, str(key.since), str(key.until)) == (GOOD, "2026-01-05", "2026-02-01")
    assert player.matter.fields()["keys.0.since"] == "2026-01-05"
