"""What two players may not have in common: an account, a name, or what looks like the other's.

Also two roles of one player, if a rule allows one at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from nomicgen.files.look_alikes import appearances
from nomicgen.law.precedence import Law
from nomicgen.law.questions import exclusive_roles
from nomicgen.law.replay.player_spans import are_together, has_left, holds_role
from nomicgen.law.replay.results import Replay
from nomicgen.law.sentences import joined
from nomicgen.model.findings import Finding
from nomicgen.model.records import Player, Records


class _Claim(Struct, frozen=True):
    """Something that only one player may have; two claims with an equal `key` are about the same.

    The other fields make the finding about the second; the first player's id goes before `message`.
    """

    key: tuple[object, ...]
    slug: str
    path: tuple[str | int, ...]
    message: str
    help: str


def check_players(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield what a player shares with somebody who joined before, if there is a time when both
    play; one finding for each place in the player's file. Whoever has left by the day of the
    replay shares nothing.

    Also roles that exclude each other, even of somebody who has left.
    """
    yield from _of_two_roles(records, replay)
    holders: defaultdict[tuple[object, ...], list[Player]] = defaultdict(list)
    staying = (player for player in records.players.values() if not has_left(player, replay.until))
    for player in sorted(
        staying, key=lambda player: (str(player.matter.joined or ""), player.ident)
    ):
        places = set[tuple[str | int, ...]]()
        for claim in _claims(player):
            other = next(
                (holder for holder in holders[claim.key] if are_together(holder, player)), None
            )
            holders[claim.key].append(player)
            if other is None or other is player or claim.path in places:
                continue
            places.add(claim.path)
            yield Finding(
                slug=claim.slug,
                span=player.source.at(*claim.path),
                message=f"{other.ident} {claim.message}",
                help=claim.help,
            )


def _of_two_roles(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield players who now have two roles, where a rule lets a player have one at a time."""
    for group in exclusive_roles(Law.of(replay.current, records.settings, replay.until)):
        for player in records.players.values():
            held = [role for role in group.roles if holds_role(player, role, replay.until)]
            if len(held) > 1:
                yield Finding(
                    slug="dates-disorder",
                    span=player.source.at("roles"),
                    message=f"{player.ident} has the roles {joined(held)}; by Rule {group.rule} "
                    "a player has one of "
                    "them at a time",
                    help="end the one that the player gave up with `until`; `nomicgen player "
                    "role` does so",
                    rule=group.rule,
                )


def _claims(player: Player) -> Iterator[_Claim]:
    for forge, account in player.matter.accounts.items():
        # Forges ignore case in logins, which are ASCII. Another name is no login: `lower` could
        # make it equal to one.
        login = account.lower() if account.isascii() else account
        yield _Claim(
            key=(forge, login),
            slug="account-doubled",
            path=("accounts", forge),
            message=f"has that account on {forge} already, so no vote from it could count",
            help="give each player their own account, or write when one of the two `left`",
        )
        yield from _looks(player, f"an account on {forge}", account, ("accounts", forge))
    yield _Claim(
        key=("name", None, player.matter.name),
        slug="name-doubled",
        path=("name",),
        message="plays under that name too",
        help="give each player their own name, or write when one of the two `left`",
    )
    yield from _looks(player, "a name", player.matter.name, ("name",))
    # The id stands in no key: it is the name of the file.
    yield from _looks(player, "an id", player.ident, ("name",))


def _looks(player: Player, what: str, text: str, path: tuple[str, ...]) -> Iterator[_Claim]:
    """Yield claims to each look of a text, such as `a name`: nobody else may have one like it."""
    for way, look in enumerate(appearances(text)):
        yield _Claim(
            key=(what, way, look),
            slug="name-alike",
            path=path,
            message=f"already has {what} that looks like {player.ident}'s",
            help="let one of the two play under another name, so that nobody mistakes one for "
            "the other",
        )
