"""What a site is built from: a game with its history, and with the digests by which readers can
verify it. And the warning about a site without an address.
"""

from __future__ import annotations

from msgspec.structs import replace

from nomicgen.files.urls import is_web, pages_address
from nomicgen.history.game_history import GameHistory
from nomicgen.history.ledger_digest import ledger_digest
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import Game
from nomicgen.play.next_step import hindered_steps
from nomicgen.repository.first_parents import tree_of


def missing_address_warning(game: Game, *, named: bool) -> str:
    """Return a warning if a game has a repository on the web, and its site no address; else ''.

    `named` says whether the site's settings have a `site_url`, even an empty one.
    """
    repository = game.settings.repository
    if named or not is_web(repository):
        return ""
    example = pages_address(repository) or "https://us.example.org/lanterns/"
    return (
        "mkdocs.yml has no site_url, so citations and the feed name no site, the sitemap is empty, "
        "and the page for wrong addresses (404) is bare. Write into it `site_url: "
        f"{example}`, where the site will stand, or `site_url: ''` if nobody can know"
    )


def publication_of(game: Game) -> GameHistory:
    """Return a game with its history and its files, the tree of HEAD, the digest of the ledger, and
    the reasons why proposals cannot go on.

    Raises RepositoryError.
    """
    game_history = game_history_of(game)
    head = game_history.git.head
    tree = tree_of(game.root, head) if head is not None else None
    hindered = dict(hindered_steps(game))
    return replace(
        game_history, hindered=hindered, tree=tree, digest=ledger_digest(game.tree), files=game.tree
    )
