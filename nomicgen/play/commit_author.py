"""The author of a commit: a player, named as git and GitHub name people."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import Game

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Actor

# The form of a login on GitHub. No account has a name of another form.
_LOGIN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
# Git strips these from both ends of a name, and refuses a name that has no other characters.
_EDGES = " .,:;<>\"\\'"
_LONGEST = 100
"""Characters of a name, at most."""


def _login_of(game: Game, ident: PlayerId | None) -> str | None:
    """Return a player's account on GitHub; None if there is none, or it cannot exist."""
    player = game.records.players.get(ident) if ident is not None else None
    login = player.matter.accounts.get("github", "") if player else ""
    return login if re.fullmatch(_LOGIN, login) else None


def author_of(game: Game, ident: PlayerId | None) -> Actor | None:
    """Return a player as the author of a commit, with the address by which GitHub knows the
    account.

    None for an `ident` of None, or if the player has no account that can be there: then whoever
    makes the commit is its author. Players choose their names: `<`, `>` and control characters (and
    the like) become spaces.
    """
    login = _login_of(game, ident)
    if login is None or ident is None:
        return None
    from nomicgen.repository.gitpython import Actor

    plain = "".join(
        " " if _spoils(char) else char for char in game.records.players[ident].matter.name
    )
    name = " ".join(plain.split())[:_LONGEST].strip(_EDGES)
    return Actor(name or ident, f"{login}@users.noreply.github.com")


def _spoils(char: str) -> bool:
    return char in "<>" or unicodedata.category(char)[0] == "C"
