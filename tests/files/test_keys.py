"""SSH keys in a player's file: they are read with their days, and nothing is verified by them."""

from __future__ import annotations

from nomicgen.files.documents import read_player
from nomicgen.files.file_editing import set_keys

KEYS = "name: Wren\nkeys:\n  - {key: ssh-ed25519 AAAAC3 wren@lamp, since: 2026-01-05, until: 2026-02-01}\n"


def test_a_note_goes_behind_the_keys() -> None:
    assert set_keys(KEYS.encode(), {"note": "here"}) == KEYS.encode() + b"note: here\n"


def test_keys_are_read_with_their_days() -> None:
    player, findings = read_player("players/wren.yml", KEYS.encode())
    assert player is not None
    assert not findings
    [key] = player.matter.keys_
    assert (key.key, str(key.since), str(key.until)) == ("ssh-ed25519 AAAAC3 wren@lamp", "2026-01-05", "2026-02-01")
    assert player.matter.fields()["keys.0.since"] == "2026-01-05"
