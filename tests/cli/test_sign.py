"""`nomicgen proposal sign`: signed votes, recorded by a keeper or brought by a forge."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from tests.cli.playing import MAJORITY, begun, proposal, refused, registered, run
from tests.pulls.tally.tallying import ACCOUNTS, CLOSES, Repo, at, reasons, said, tally, votes
from tests.signing import needs_ssh, private_key, public_key
from tests.support import GitRepo

pytestmark = needs_ssh
BALLOT = "301-b000000001"


def voting(repo: GitRepo, law: Mapping[int, Mapping[str, Any]] | None = None) -> GitRepo:
    """A game whose three players have keys and accounts; the vote on proposal 301 opened on 4 January."""
    game = begun(repo, {105: {}, 111: {}, 203: {**MAJORITY, **CLOSES}, **(law or {})})
    for ident, login in ACCOUNTS.items():
        path = game.path / f"players/{ident}.yml"
        key = {"key": public_key(ident), "since": "2026-01-01"}
        path.write_bytes(f"{path.read_text()}accounts: {{github: {login}}}\nkeys:\n- {json.dumps(key)}\n".encode())
    game.commit("Keys")
    registered(game, 301, "2026-01-03")
    run(game.path, "register 301 --open --on 2026-01-04 --commit")
    return game


def signed(game: GitRepo, choice: str = "for", player: str = "wren", key: str | None = None) -> str:
    """A vote as its voter signs it, with the clock at noon of 5 January."""
    return run(game.path, f"proposal sign {BALLOT} {choice} --player {player} --key", str(private_key(key or player)))


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day on which everybody signs."""
    from datetime import datetime as real

    import nomicgen.play.voting.signed_votes as module

    class Clock(real):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real(2026, 1, 5, 12, tzinfo=tz)

    monkeypatch.setattr(module, "datetime", Clock)


def test_a_vote_is_signed_recorded_and_verified(git_repo: Repo) -> None:
    game = voting(git_repo())
    document = signed(game)
    lines = document.splitlines()
    assert lines[:3] == ["nomicgen vote 1", "game   Tea", f"ballot {BALLOT}"]
    assert lines[3].startswith("digest ")
    assert lines[4:7] == ["player wren", "vote   for", "date   2026-01-05T12:00:00+00:00"]
    assert (lines[7], lines[-1]) == ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----")
    run(game.path, "vote 301 --on 2026-01-05 --commit --signed -", feed=document)
    assert "  wren:\n    vote: for\n    at: 2026-01-05T12:00\n    signature: |\n      nomicgen vote 1\n" in proposal(
        game
    )
    run(game.path, f"vote {BALLOT} against --player quill --on 2026-01-05 --commit")
    told = run(game.path, "verify --no-memory")
    assert "votes: 1 signed (wren 1), 1 recorded by hand\n" in told
    assert told.endswith("nothing is wrong\n")
    made = json.loads(run(game.path, "verify --no-memory --format json"))
    assert made["votes"] == {"signed": {"wren": 1}, "forges": {}, "typed": 1}


def test_ssh_keygen_alone_can_check_it(git_repo: Repo, tmp_path: Path) -> None:
    """With the signed text, the signature, and the line of the player's key: nothing of nomicgen."""
    import subprocess

    text, begins, rest = signed(voting(git_repo())).partition("-----BEGIN")
    (tmp_path / "signature").write_text(begins + rest)
    (tmp_path / "signers").write_text(f"wren {public_key('wren')}\n")
    line = ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "wren", "-n", "nomicgen-vote", "-s", "signature"]
    assert subprocess.run(line, cwd=tmp_path, input=text.encode(), capture_output=True).returncode == 0
    other = text.replace("vote   for", "vote   against")
    assert subprocess.run(line, cwd=tmp_path, input=other.encode(), capture_output=True).returncode != 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("vote   for", "vote   against", "the signature holds with no key that wren had"),
        ("player wren", "player quill", "the signature holds with no key that quill had"),
        ("game   Tea", "game   Gin", "it was signed for another game"),
        ("ballot 301-b000000001", "ballot 301-b000000009", "it was signed for the ballot 301-b000000009, and not for"),
        ("ballot 301-", "ballot 302-", "it was signed for the ballot 302-b000000001, and not for"),
        ("digest ", "digest 0", "that is no signed vote: its ballot or its digest is none"),
        ("date   2026", "date   2025", "the signature holds with no key that wren had"),
        ("nomicgen vote 1\n", "", "that is no signed vote: it is none of the form `nomicgen vote 1`"),
        ("-----BEGIN", "-----BEGUN", "that is no signed vote: there is no SSH signature in it"),
    ],
)
def test_what_was_not_signed_so_is_refused(git_repo: Repo, old: str, new: str, why: str) -> None:
    game = voting(git_repo())
    document = signed(game).replace(old, new, 1)
    assert why in refused(game.path, "vote 301 --on 2026-01-05 --signed -", feed=document)


@pytest.mark.deep
def test_a_key_of_another_signs_nothing(git_repo: Repo) -> None:
    game = voting(git_repo())
    line = f"proposal sign {BALLOT} for --player wren --key"
    assert "is not a key in players/wren.yml on " in refused(game.path, line, str(private_key("quill")))


@pytest.mark.deep
def test_a_vote_on_an_earlier_text_does_not_count_for_this_one(git_repo: Repo) -> None:
    game = voting(git_repo())
    document = signed(game)
    path = game.path / "proposals/301.md"
    path.write_text(path.read_text().replace("Tea helps.", "Tea helps all."))
    run(game.path, "proposal resubmit 301 --on 2026-01-05 --commit")
    why = "it was signed for the ballot 301-b000000001, and not for 301-b000000002"
    assert why in refused(game.path, "vote 301 --on 2026-01-05 --signed -", feed=document)
    assert (
        why
        in reasons(tally(game, [said("wren-w", f"/vote for 301-b000000002\n\n```\n{document}```", at(5, "13:00:00"))]))[
            0
        ]
    )


@pytest.mark.deep
def test_a_comment_brings_a_signed_vote(git_repo: Repo) -> None:
    game = voting(git_repo())
    good = said("wren-w", f"/vote for {BALLOT}\n\n```\n{signed(game)}```", at(5, "12:01:00"), 1)
    torn = said("quill", f"/vote for {BALLOT}\n\n```\n{signed(game)}```", at(5, "12:02:00"), 2)
    twice = said("osprey-o", f"/vote for {BALLOT}\n\n```\n{signed(game)}```\n\n```\n{signed(game)}```", at(5), 3)
    made = tally(game, [good, torn, twice])
    assert votes(made) == {"wren": "for"}
    assert reasons(made) == ["it holds more than one vote", "it was signed for the player wren, and not for quill"]


SIGNED = {201: {}, 203: {**MAJORITY, "ballot": {"closes_after": 3, "silence": "ignored", "signed": True}}}


@pytest.mark.deep
def test_a_rule_may_ask_for_signatures(git_repo: Repo) -> None:
    game = voting(git_repo(), SIGNED)
    told = refused(game.path, "vote 301 for --player wren --on 2026-01-05", code=1)
    assert "error[vote-unlawful]: wren did not sign\n  rule: Rule 203\n" in told
    items = [said("wren-w", f"/vote for {BALLOT}", at(5)), said("quill", f"/vote for {BALLOT}", at(5), 2)]
    items[1]["body"] += f"\n\n```\n{signed(game, 'for', 'quill')}```"
    items[1]["created_at"] = items[1]["updated_at"] = at(5, "13:00:00")
    made = tally(game, items)
    assert (votes(made), reasons(made)) == ({"quill": "for"}, ["wren did not sign (Rule 203)"])
    run(game.path, "vote 301 --on 2026-01-05 --commit --signed -", feed=signed(game))
    assert run(game.path, "check --on 2026-01-05").endswith("nothing is wrong\n")
    assert "Only a vote counts that its voter signed; " in run(game.path, "show 203")


@pytest.mark.deep
def test_a_signature_that_is_forged_in_the_ledger_is_found(git_repo: Repo) -> None:
    """The keeper swaps a vote under its signature, in the commit that records it: nothing else could tell."""
    game = voting(git_repo())
    run(game.path, "vote 301 --on 2026-01-05 --signed -", feed=signed(game))
    path = game.path / "proposals/301.md"
    path.write_bytes(path.read_bytes().replace(b"    vote: for\n", b"    vote: against\n"))
    game.commit("Vote on proposal 301: wren against")
    made = json.loads(run(game.path, "verify --no-memory --format json", code=1))
    (fault,) = made["faults"]
    assert (fault["finding"]["slug"], fault["finding"]["file"]) == ("verify-unsigned", "proposals/301.md")
    assert "it was signed for the vote for, and not for against" in fault["finding"]["message"]
    assert made["votes"] == {"signed": {}, "forges": {}, "typed": 0}


@pytest.mark.deep
def test_a_game_may_change_its_name(git_repo: Repo) -> None:
    game = voting(git_repo())
    run(game.path, "vote 301 --on 2026-01-05 --commit --signed -", feed=signed(game))
    path = game.path / "nomic.yml"
    path.write_bytes(set_keys(path.read_bytes(), {"name": "Gin"}))
    game.commit("Another name")
    assert "1 signed (wren 1)" in run(game.path, "verify --no-memory")


@pytest.mark.deep
def test_a_key_that_has_ended_signs_no_more(git_repo: Repo) -> None:
    game = voting(git_repo())
    document = signed(game)
    path = game.path / "players/wren.yml"
    path.write_text(path.read_text().replace('"since": "2026-01-01"', '"since": "2026-01-01", "until": "2026-01-05"'))
    game.commit("The key is lost")
    assert "holds with no key that wren had" in refused(game.path, "vote 301 --on 2026-01-06 --signed -", feed=document)
