"""A game of an earlier version, in which votes are signed: it is read as before, and no signature is verified."""

from __future__ import annotations

from pathlib import Path

from tests.cli.playing import MAJORITY, begun, registered, run
from tests.support import GitRepo

SIGNED = """
  wren:
    vote: for
    at: 2026-01-05T12:00
    signature: |
      nomicgen vote 1
      game   Tea
      -----BEGIN SSH SIGNATURE-----
      U1NIU0lH
      -----END SSH SIGNATURE-----
"""
RULE = "by Rule 204/0 only signed votes count, and no signature is verified: every vote counts"


def played(tmp_path: Path) -> GitRepo:
    """A game in which only signed votes count, with a vote that is signed and one that is not."""
    law = {105: {}, 111: {}, 203: MAJORITY, 204: {"ballot": {"silence": "ignored"}}}
    game = begun(GitRepo(tmp_path / "game"), law)
    files = {path: (game.path / path).read_text("utf-8") for path in ("rules/initial/204.md", "rules/204.md")}
    game.commit("Signed", {path: text.replace("{silence", "{signed: true, silence") for path, text in files.items()})
    registered(game, 301, "2026-01-03")
    run(game.path, "vote 301 for --player quill --on 2026-01-04 --commit")
    path = game.path / "proposals/301.md"
    text = path.read_text("utf-8")
    assert "\n  quill: for\n" in text
    game.commit("A signed vote", {"proposals/301.md": text.replace("\n  quill: for\n", f"\n  quill: for{SIGNED}")})
    return game


def test_both_are_read_with_a_warning_and_every_vote_counts(tmp_path: Path) -> None:
    game = played(tmp_path)
    said = run(game.path, "check")
    assert f"rules/204.md:1:1: warning[signature-unverified]: {RULE}" in said
    assert "warning[signature-unverified]: the signature of wren's vote is not verified" in said
    assert "## Mark Rule 204/0" in said
    assert "0 errors" in said
    assert "proposal 301 is adopted: 2 for" in run(game.path, "proposal resolve 301 --on 2026-01-05 --commit")


def test_the_instruction_that_is_shown_takes_signed_out(tmp_path: Path) -> None:
    game = played(tmp_path)
    run(game.path, "proposal resolve 301 --on 2026-01-05 --commit")
    said = run(game.path, "check").split("    ## Mark Rule 204/0")[1].split("```\n")
    block = "\n".join(line.removeprefix("    ") for line in f"{said[0]}```".splitlines())
    body = f"No signature is verified.\n\n## Mark Rule 204/0{block}\n"
    assert "provisions:\n  ballot: {silence: ignored}" in body
    run(game.path, "propose --title Unsigned --author osprey --register --on 2026-01-06 --commit --body -", feed=body)
    run(game.path, "vote 302 for --player wren --player quill --on 2026-01-06 --commit")
    run(game.path, "proposal resolve 302 --on 2026-01-06 --commit")
    assert f"signature-unverified]: {RULE}" not in run(game.path, "check")
