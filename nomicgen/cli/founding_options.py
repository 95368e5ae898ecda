"""Options that `init`, `import` and `open` share: a game's players, its address and forge, and how
an archive is opened.
"""

from __future__ import annotations

import re

import click

from nomicgen.cli.command_options import Decorator, options, player_with_account, words
from nomicgen.files.urls import is_web
from nomicgen.importers.open_archive import Opening
from nomicgen.model.identifiers import PlayerId
from nomicgen.play.rulesets import NAMES
from nomicgen.play.running_wheel import own_wheel
from nomicgen.play.scaffold import Forge
from nomicgen.play.start import Founding

ADOPTION = ("majority", "two-thirds", "unanimous")
_OF = ("eligible", "cast", "players")
"""Values of `needs` and of `of` in an `adoption` provision that can be typed."""

Seat = tuple[PlayerId, dict[str, str]]
"""A player, and the player's accounts by forge."""


def _login(text: str) -> str:
    """Return an account on the forge, from the command line."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}", text):
        raise click.BadParameter(
            f"{text!r} should be an account: letters, digits and hyphens, without the @"
        )
    return text


def adoption(text: str) -> dict[str, str]:
    """Return an `adoption` provision, from the command line: `majority`, `majority of cast`."""
    needs, of, base = (*text.split(), "", "")[:3]
    if (
        needs not in ADOPTION
        or (of and (of != "of" or base not in _OF))
        or len(text.split()) not in (1, 3)
    ):
        raise click.BadParameter(
            f"{text!r} should be {', '.join(ADOPTION[:-1])} or {ADOPTION[-1]}, perhaps with 'of "
            "cast', 'of eligible' "
            "or 'of players' after it, such as 'majority of cast'"
        )
    return {"needs": needs, **({"of": base} if base else {})}


players_option = click.option(
    "--player",
    "players",
    type=player_with_account,
    multiple=True,
    metavar="ID[=LOGIN]",
    help="A player, perhaps with an account on GitHub, or elsewhere (gitlab:ada). Repeat it in "
    "the order of play.",
)


def founding_options(default: str | None) -> Decorator:
    """Return `--player`, `--repository`, `--forge`, `--keeper` and `--no-wheel`; `default` is that
    of `--forge`.
    """
    default_words = f"default: {default}" if default else "default: nothing of this"
    return options(
        players_option,
        click.option(
            "--repository",
            type=words,
            metavar="URL",
            help="The game's address on a forge, e.g. https://github.com/us/game.",
        ),
        click.option(
            "--forge",
            type=click.Choice(["github", "none"]),
            default=default,
            help="github: README, CONTRIBUTING, workflows and forms; none: only the first two "
            f"({default_words}).",
        ),
        click.option(
            "--keeper",
            type=_login,
            metavar="LOGIN",
            help="The keeper's account on GitHub, for CODEOWNERS.",
        ),
        click.option(
            "--no-wheel", is_flag=True, help="Leave out the wheel that the workflows install."
        ),
    )


adoption_options = options(
    click.option(
        "--adoption",
        type=adoption,
        metavar="NEEDS",
        help="How changes are adopted once the archive is opened for play: majority, two-thirds, "
        "unanimous, 'majority of cast'.",
    ),
    click.option(
        "--adoption-rule",
        type=int,
        metavar="N",
        help="The rule that says how changes are adopted: it gets the provision.",
    ),
    click.option(
        "--provisions",
        type=click.Choice(NAMES),
        help="Give this ruleset's provisions to the rules that have its words.",
    ),
)


def typed_opening(
    adoption: dict[str, str] | None, rule: int | None, provisions: str | None
) -> Opening | None:
    """Return how an archive is to be opened, as it was typed; None if no option says it."""
    if adoption is not None and provisions is not None:
        raise click.UsageError(
            "--provisions already says how changes are adopted: leave out --adoption."
        )
    if rule is not None and adoption is None:
        raise click.UsageError("--adoption-rule needs --adoption: give both, or neither.")
    asked = Opening(adoption=adoption, rule=rule, provisions=provisions)
    return asked if asked.is_asked else None


def seats(players: tuple[Seat, ...]) -> dict[PlayerId, dict[str, str]]:
    """Return the accounts of the players that were typed. Raises UsageError for one typed twice."""
    if twice := next(
        (player for player, _ in players if [ident for ident, _ in players].count(player) > 1), None
    ):
        raise click.UsageError(f"--player names {twice} twice: name each player once.")
    return dict(players)


def typed_founding(
    *,
    players: tuple[Seat, ...],
    repository: str | None,
    forge: Forge | None,
    keeper: str | None,
    no_wheel: bool,
) -> Founding:
    """Return what was typed about a new game, apart from its rules."""
    if keeper and forge != "github":
        raise click.UsageError("--keeper needs --forge github: give both, or leave out --keeper.")
    if repository is not None and not is_web(repository):
        raise click.UsageError(f"--repository should be a web address: {repository!r} is not one.")
    wheel = own_wheel() if forge == "github" and not no_wheel else None
    roster = seats(players)
    return Founding(players=roster, repository=repository, forge=forge, keeper=keeper, wheel=wheel)
