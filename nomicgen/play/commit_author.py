"""Whose work a commit is: a player, as git and a forge name people."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from nomicgen.model.identifiers import PlayerId
from nomicgen.play.load import Game

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Actor

# A forge lets nobody have another login than of these characters; what else is written there is
# nobody's address.
_LOGIN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
# Git takes these away from both ends of a name, and refuses one that is made of them alone.
_EDGES = " .,:;<>\"\\'"
_LONGEST = 100


def _login_of(game: Game, ident: PlayerId | None) -> str | None:
    """Return a player's account on GitHub; None if there is none, or it cannot exist."""
    player = game.records.players.get(ident) if ident is not None else None
    login = player.matter.accounts.get("github", "") if player else ""
    return login if re.fullmatch(_LOGIN, login) else None


def author_of(game: Game, ident: PlayerId | None) -> Actor | None:
    """Return a player as the author of a commit, with the address by which GitHub knows the
    account.

    None where the player has no account there: then it is the commit of whoever makes it. A name is
    a player's own words: what would end it, or what no terminal shows as it is, is left out.
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
