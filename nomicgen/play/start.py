"""The start of a game: a new one under a ruleset that ships, that ruleset's scripted game, or one
whose files an importer made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.questions import rule_of_drawn_order
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, law_on, load_tree
from nomicgen.play.move import Move, Part, edit_file
from nomicgen.play.reconstructed_commits import reconstructed_commits
from nomicgen.play.refusal import Refused
from nomicgen.play.rulesets import shipped
from nomicgen.play.running_wheel import WHEELS, Wheel
from nomicgen.play.scaffold import Forge, files_around
from nomicgen.repository.game_tree import SETTINGS
from nomicgen.repository.write_plan import hold_still


class Founding(Struct, frozen=True, kw_only=True):
    """What a new game is told besides its rules: who plays it, and where it lives.

    `players` are ids in the order of seats, each with the player's accounts by forge. `timezone` is
    where its days begin and end. `forge` says for which forge it gets a README and workflows, None
    for neither; `keeper` is the account that is asked about changes of the workflows, and `wheel`
    is the nomicgen that they install, None to leave it out.
    """

    players: Mapping[PlayerId, Mapping[str, str]] = {}
    repository: str | None = None
    timezone: str | None = None
    forge: Forge | None = None
    keeper: str | None = None
    wheel: Wheel | None = None


def begin(
    root: Path,
    on: Moment,
    founding: Founding,
    *,
    ruleset: str,
    name: str | None = None,
    played: bool = False,
) -> Move:
    """Return the move that writes a new game in `root` under a ruleset that ships: its initial set,
    settings, first players and scaffold.

    With `played` it is the scripted game of the ruleset, as of `on`, in several commits: see
    `reconstructed_commits`.
    """
    ships, repository = shipped(ruleset), founding.repository
    initial, spent = (ships.initial, {}) if played else ships.beginning()
    script = ships.played_settings if played else {"started": on, **spent}
    typed = {"name": name, "repository": repository, "timezone": founding.timezone}
    typed_keys = {key: value for key, value in typed.items() if value is not None}
    links = links_to(repository) if repository is not None else None
    keys = {
        "name": ships.title,
        **ships.settings,
        **script,
        **typed_keys,
        "format": 1,
        "links": links,
    }
    settings = write_yaml({key: keys.get(key) for key in Settings.keys})
    tree = {"nomic.yml": settings, **initial, **(ships.played if played else {})}
    game = load_tree(root, tree, on)
    if files := seat_files(game, founding.players, on):
        game = load_tree(root, {**tree, **files}, on, game)
    make_parts = (
        reconstructed_commits
        if played
        else lambda game: whole_game(game, f"Begin {game.settings.name}")
    )
    said = () if played else (*_order_lines(game, on), *_name_lines(founding))
    return found_game(with_rules_files(game, on), on, founding, make_parts, said)


def links_to(repository: str) -> dict[str, str]:
    """Return the `links` of nomic.yml for a repository on a forge."""
    address = repository.removesuffix("/").removesuffix(".git")
    return {"commit": f"{address}/commit/{{sha}}", "file": f"{address}/blob/{{sha}}/{{path}}"}


def whole_game(game: Game, subject: str) -> tuple[Part, ...]:
    """Return the game in one part; that of an import has its certificate as a trailer."""
    writes = {path: data for path, data in game.tree.items() if isinstance(data, bytes)}
    certificate = game.records.imported
    return (
        Part(
            writes=writes,
            subject=subject,
            trailers=(("Certificate", certificate.told),) if certificate is not None else (),
        ),
    )


def with_rules_files(game: Game, on: Moment) -> Game:
    """Return the game with the files of `rules/` that its ledger gives."""
    rules = ruleset_files(game.replay.current)
    if all(game.tree.get(path) == data for path, data in rules.items()):
        return game
    return load_tree(game.root, {**game.tree, **rules}, on, game)


def seat_files(
    game: Game, players: Mapping[PlayerId, Mapping[str, str]], on: Moment
) -> dict[str, bytes]:
    """Return the files of those who play from `on`, with their accounts, in the order of seats.

    They get the seats behind those that are taken. Somebody whose file has no days keeps having
    none. Raises Refused for any other player with a file, unless only an archive names them.
    """
    files = {}
    taken = [
        player.matter.order
        for player in game.records.players.values()
        if player.matter.order is not None
    ]
    for seat, (ident, accounts) in enumerate(players.items(), max(taken, default=0) + 1):
        path, known = f"players/{ident}.yml", game.records.players.get(ident)
        keys = {"accounts": dict(accounts) or None, "joined": on, "order": seat}
        if known is None:
            files[path] = write_yaml({"name": ident, **keys})
        elif known.matter.kind == "past":  # An archive names them, and they play now.
            files[path] = edit_file(game, path, {**keys, "kind": None})
        elif known.matter.joined is None and known.matter.left is None:  # Their file has no days.
            files[path] = edit_file(game, path, {"accounts": keys["accounts"], "order": seat})
        else:
            raise Refused(f"{ident} plays already, or has left", "leave that --player out")
    return files


def found_game(
    game: Game,
    on: Moment,
    founding: Founding,
    make_parts: Callable[[Game], tuple[Part, ...]],
    said: Sequence[str] = (),
) -> Move:
    """Return the move that writes a whole game, with its scaffold, and prints the lines `said`.

    `make_parts` divides it into commits. Raises Refused if the game has errors, or if one of its
    files is there already.
    """
    root = game.root
    if game.errors:
        raise Refused(
            "the game would have errors, so nothing was written",
            "correct them, then run it again",
            game.errors,
        )
    if root.is_dir():
        # If an earlier `init` was interrupted here, this first completes its game. That is then in
        # the way.
        with hold_still(root):
            there = sorted(
                (path for path in game.tree if _is_there(root, path)),
                key=lambda path: (path != SETTINGS, path),
            )
    else:
        there = []
    if there:
        raise Refused(
            f"{root} holds {there[0]} already", "choose a new directory; nothing was written"
        )
    # A game may begin in a repository that has its own README and site: the files that are there
    # stay.
    scaffold = files_around(
        game.settings.name,
        founding.forge,
        founding.keeper,
        founding.wheel,
        repository=game.settings.repository,
    )
    new = {
        path: data
        for path, data in scaffold.items()
        if not _is_there(root, path.removesuffix("/.gitkeep"))
    }
    first, *rest = make_parts(game)
    return Move(
        before=load_tree(root, {}, on),
        after=game,
        parts=(replace(first, writes={**first.writes, **new}), *rest),
        said=(
            f"{root} holds {game.settings.name}: {len(game.replay.current)} rules",
            *_zone_lines(founding.timezone),
            *_wheel_lines(founding.forge, founding.wheel),
            *said,
        ),
        on=on,
    )


def _order_lines(game: Game, on: Moment) -> Iterator[str]:
    """Yield what the players have to draw by lot: the program throws nothing."""
    rule = rule_of_drawn_order(law_on(game, on))
    if rule is not None:
        yield (
            f"by Rule {rule} the order of turns is drawn by lot: draw it, and change `order` in "
            "each player's file in players/"
        )


def _name_lines(founding: Founding) -> Iterator[str]:
    """Yield where players get a name: each begins with the id."""
    for ident in [*founding.players][:1]:
        yield (
            "players are called by their ids: to name "
            f"{ident}, change `name` in players/{ident}.yml"
        )


def _zone_lines(timezone: str | None) -> Iterator[str]:
    """Yield the time zone of the game's days: else a late vote would be the first to tell it."""
    if timezone is not None:
        yield f"its days begin and end in the time zone {timezone}: `timezone` in nomic.yml"


def _wheel_lines(forge: Forge | None, wheel: Wheel | None) -> Iterator[str]:
    """Yield what the workflows install, if the game has workflows."""
    if wheel is not None:
        size = max(1, round(len(wheel.data) / 1_000_000))
        yield (
            f"{WHEELS}/ holds the nomicgen that its workflows install, {size} MB; --no-wheel "
            "leaves it out"
        )
    elif forge == "github":
        yield (
            f"its workflows need a nomicgen in {WHEELS}/: requirements.txt there says how to "
            "name it"
        )


def _is_there(root: Path, path: str) -> bool:
    return (root / path).exists() or (root / path).is_symlink()
