"""An archive becomes a game: from a day on its rules say to a program how they change, and somebody plays."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.findings import listed
from nomicgen.files import write_front_matter, write_yaml
from nomicgen.files.instruction_text import mark
from nomicgen.game.archived import rules_of_voting
from nomicgen.play.load import Game
from nomicgen.play.move import Move, Part, edited, verified
from nomicgen.importers.recognised_rulesets import provisions_that_ship
from nomicgen.game.refusal import Refused
from nomicgen.play.resolving import require_latest, with_rules
from nomicgen.model.identifiers import PlayerId
from nomicgen.law.replay.events import place_at
from nomicgen.law.replay.state import OPENING
from nomicgen.model import Moment

_WORDS = "The game is played here from now on: what the rules' provisions say is judged."


class Opening(Struct, frozen=True, kw_only=True):
    """What an archive is opened with: an adoption provision and the number of the rule that gets it, or the
    provisions of a ruleset that ships, by its name.
    """

    adoption: Mapping[str, str] | None = None
    rule: int | None = None
    provisions: str | None = None

    @property
    def is_asked(self) -> bool:
        return self.adoption is not None or self.provisions is not None


def open_game(game: Game, opening: Opening, players: Mapping[PlayerId, Mapping[str, str]], on: Moment) -> Move:
    """Opens an archive on a day that nothing recorded comes after. Raises Refused for a game that is played."""
    if not game.replay.is_lawless:
        since = game.replay.opened
        day = f"since {since}" if since is not None else "since it began"
        raise Refused(f"{game.settings.name} is played {day}", "`nomicgen next` says what can be done now")
    require_latest(game, on, effects=True)
    files, act = opening_files(game, opening, players, on)
    assert act is not None
    part = Part(writes=files, subject=f"Open {game.settings.name} for play")
    move = verified(game, with_rules(game, part, act), on=on)
    return replace(move, said=opening_lines(move.after, act, on))


def opening_lines(game: Game, act: str, on: Moment) -> tuple[str, ...]:
    """What to say of a game that was opened by the act at a path."""
    step = next(step for step in game.replay.steps if step.instrument.path == act)
    numbers = listed(sorted(change.after.number for change in step.changes if change.after is not None))
    nobody = not any(player.matter.kind != "past" for player in game.records.players.values())
    return (
        f"{game.settings.name} is played from {on} on: {act} says so (provisions: {numbers})",
        *(("nobody plays yet: `nomicgen player join ID` adds a player",) if nobody else ()),
    )


def opening_files(
    game: Game, opening: Opening | None, players: Mapping[PlayerId, Mapping[str, str]], on: Moment
) -> tuple[dict[str, bytes], str | None]:
    """The files of those who play from `on`, and of the act that opens the game, if it is opened; that one's path."""
    files = _seats(game, players, on)
    if opening is None:
        return files, None
    path = f"acts/{on.day}-opening.md"
    matter = {"cause": OPENING, "date": on, "seq": place_at(game.records, on) or None}
    marks = (mark(number, provisions=law) for number, law in _provisions(game, opening))
    files[path] = write_front_matter(matter, "\n\n".join((_WORDS, *marks)))
    return files, path


def _seats(game: Game, players: Mapping[PlayerId, Mapping[str, str]], on: Moment) -> dict[str, bytes]:
    files = {}
    taken = [player.matter.order for player in game.records.players.values() if player.matter.order is not None]
    for seat, (ident, accounts) in enumerate(players.items(), max(taken, default=0) + 1):
        path, known = f"players/{ident}.yml", game.records.players.get(ident)
        keys = {"accounts": dict(accounts) or None, "joined": on, "order": seat}
        if known is None:
            files[path] = write_yaml({"name": ident, **keys})
        elif known.matter.kind == "past":
            files[path] = edited(game, path, {**keys, "kind": None})
        elif known.matter.joined is None and known.matter.left is None:
            files[path] = edited(game, path, {"accounts": keys["accounts"], "order": seat})
        else:
            raise Refused(f"{ident} plays already", "leave that --player out")
    return files


def _provisions(game: Game, opening: Opening) -> list[tuple[int, Mapping[str, object]]]:
    """The numbers of the rules that are given provisions, and these."""
    if opening.provisions is not None:
        law = provisions_that_ship(opening.provisions)
        laws = [(rule.number, law.of(rule.number)) for rule in game.replay.current]
        given = [(number, law_of_rule) for number, law_of_rule in laws if law_of_rule]
        if not given:
            raise Refused(
                f"no rule has the number of a rule of `{opening.provisions}` that carries provisions",
                f"`nomicgen open --adoption majority --adoption-rule {_candidate(game)}`",
            )
        return given
    if opening.rule is None:
        raise Refused("no option names the rule that says how changes are adopted", _naming(game))
    rule = game.replay.current.named(opening.rule)
    if rule is None:
        raise Refused(f"there is no Rule {opening.rule} in force", _naming(game))
    return [(rule.number, {"adoption": opening.adoption})]


def _candidate(game: Game) -> str:
    return next((str(rule.number) for rule in rules_of_voting(game)), "N")


def _naming(game: Game) -> str:
    return f"name it with `--adoption-rule {_candidate(game)}`"
