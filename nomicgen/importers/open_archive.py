"""Opening an archive for play: from a day on, provisions say how its rules change, and
people play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.instruction_text import mark
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.importers.lines import ranges_of
from nomicgen.importers.recognised_rulesets import recognised_rules, recognised_ruleset
from nomicgen.law.reading import Provisions, parse_provisions
from nomicgen.law.replay.events import next_seq
from nomicgen.law.replay.results import OPENING, Rule
from nomicgen.law.sentences import sentences
from nomicgen.model.findings import listed
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.game_status import status_of, unguarded_words
from nomicgen.play.load import Game
from nomicgen.play.move import Move, Part, verify_move
from nomicgen.play.preconditions import OPEN, rules_of_voting, which_rule
from nomicgen.play.refusal import Refused
from nomicgen.play.resolving import require_nothing_since, with_rules
from nomicgen.play.start import seat_files
from nomicgen.play.tasks import Task

_ACT_TEXT = "The game is played here from now on: what the rules' provisions say is judged."
"""The text of the act that opens an archive."""


class Opening(Struct, frozen=True, kw_only=True):
    """What an archive is opened with: an adoption provision and the number of the rule that gets
    it, or the name of a ruleset that ships, whose provisions the rules get.
    """

    adoption: Mapping[str, str] | None = None
    rule: int | None = None
    provisions: str | None = None

    @property
    def is_asked(self) -> bool:
        return self.adoption is not None or self.provisions is not None


def open_game(
    game: Game, opening: Opening, players: Mapping[PlayerId, Mapping[str, str]], on: Moment
) -> Move:
    """Return the move that opens an archive for play. Raises Refused if the game is played, or
    something in it is recorded after the day `on`, or the opening would have errors.
    """
    if not game.replay.is_lawless:
        since = game.replay.judged_from
        day = f"since {since}" if since is not None else "since it began"
        raise Refused(
            f"{game.settings.name} has been played {day}",
            "`nomicgen next` says what can be done now",
        )
    require_nothing_since(game, on, effects=True)
    files, act = opening_files(game, opening, players, on)
    assert act is not None
    part = Part(writes=files, subject=f"Open {game.settings.name} for play")
    move = verify_move(game, with_rules(game, part, act), on=on)
    return replace(move, said=opening_lines(move.after, act, on))


def opening_lines(game: Game, act: str, on: Moment) -> tuple[str, ...]:
    """Return what to say of a game that was opened; `act` is the path of the act that did it."""
    step = next(step for step in game.replay.steps if step.instrument.path == act)
    given = {
        change.after.number: change.after.law for change in step.changes if change.after is not None
    }
    nobody = not any(player.matter.kind != "past" for player in game.records.players.values())
    return (
        f"{game.settings.name} is played from {on} on: {act} says so (provisions: "
        f"{listed(sorted(given))})",
        *_enforced(game, given),
        *unguarded_words(status_of(game.records, game.replay, on)),
        *(("nobody plays yet: `nomicgen player join ID` adds a player",) if nobody else ()),
    )


def _enforced(game: Game, given: Mapping[int, Provisions]) -> Iterator[str]:
    """Yield in words what `given` lets the program enforce, and that it enforces no other rule."""
    others = len(game.replay.current) - len(given)
    for number, law in sorted(given.items()):
        yield f"  Rule {number}: {' '.join(sentences(law))}"
    if others:
        what = "the other rule says" if others == 1 else f"the {others} other rules say"
        yield f"  what {what} is not enforced: that is for the players to do"


def like_ruleset(game: Game) -> str | None:
    """Return the name of the ruleset that ships whose words the rules of an archive have,
    if any.
    """
    return recognised_ruleset(game.replay.current) if game.replay.is_lawless else None


def offer_lines(game: Game, command: str = "nomicgen open") -> tuple[str, ...]:
    """Return lines that say how the rules of an archive could be enforced as a ruleset that ships;
    none if they have the words of no such ruleset.
    """
    like = like_ruleset(game)
    if like is None:
        return ()
    known = recognised_rules(game.replay.current, like)
    laws = {
        number: parse_provisions(law, tuple(game.settings.tiers))[0]
        for number, law in known.items()
        if law
    }
    others = {rule.number for rule in game.replay.current if not rule.void} - known.keys()
    return (
        f"{len(known)} of {len(game.replay.current)} rules have the words of `{like}`; this can "
        "be enforced:",
        *_enforced(game, laws),
        *(
            (f"  no words of `{like}`, so nothing is offered: {ranges_of(others)}",)
            if others
            else ()
        ),
        f"  {command} --provisions {like}",
    )


def opening_files(
    game: Game, opening: Opening | None, players: Mapping[PlayerId, Mapping[str, str]], on: Moment
) -> tuple[dict[str, bytes], str | None]:
    """Return the files of those who play from `on` and, if the game is opened, of the act that does
    it; and the path of that act, None without one.
    """
    files = seat_files(game, players, on)
    if opening is None:
        return files, None
    path = f"acts/{on.day}-opening.md"
    matter = {"cause": OPENING, "date": on, "seq": next_seq(game.records, on) or None}
    marks = (mark(number, provisions=law) for number, law in _provisions(game, opening))
    files[path] = write_front_matter(matter, "\n\n".join((_ACT_TEXT, *marks)))
    return files, path


def _provisions(game: Game, opening: Opening) -> list[tuple[int, Mapping[str, object]]]:
    """Return the numbers of the rules that get provisions, each with them. Raises Refused."""
    if opening.provisions is not None:
        known = recognised_rules(game.replay.current, opening.provisions)
        given = [(number, law) for number, law in known.items() if law]
        if not given:
            raise Refused(
                f"no rule has the words of a rule of `{opening.provisions}` that carries "
                "provisions",
                f"`{OPEN}`: {which_rule(game)}",
            )
        return given
    if opening.rule is None:
        raise Refused("no option names the rule that says how changes are adopted", _naming(game))
    rule = game.replay.current.once_numbered(opening.rule)
    if rule is None:
        raise Refused(f"there is no Rule {opening.rule} in force", _naming(game))
    return [(rule.number, {"adoption": opening.adoption})]


def _naming(game: Game) -> str:
    return f"name it with `--adoption-rule N`: {which_rule(game)}"


def opening_task(game: Game, on: Moment) -> Task | None:
    """Return the task to open an archive for play, or to mend what prevents that; None for a game
    that is played, or has no rules.

    The players say which rule tells how changes are adopted. So each rule that may do so is tried,
    and the archive can be opened if one of them works.
    """
    if not game.replay.is_lawless or not game.records.initial:
        return None
    refusals = [_refusal(game, rule, on) for rule in rules_of_voting(game) or game.replay.current]
    name = game.settings.name
    refusal = refusals[0] if refusals and all(refusals) else None
    if refusal is None:
        what = f"{name} is an archive, and nobody can vote: this opens it for play"
        like = like_ruleset(game)
        offer = (
            f"; or, since its rules have that ruleset's words: `nomicgen open --provisions {like}`"
        )
        return Task(
            kind="open-game",
            what=what,
            command=OPEN,
            help=f"{which_rule(game)}{offer if like else ''}",
        )
    first = refusal.findings[0] if refusal.findings else None
    why, remedy = (
        (first.message, first.help or "")
        if first is not None
        else (refusal.message, refusal.remedy)
    )
    what = f"{name} is an archive, and cannot be opened for play yet: {why}"
    return Task(
        kind="open-game", what=what, path=first.span.file if first is not None else "", help=remedy
    )


def _refusal(game: Game, rule: Rule, on: Moment) -> Refused | None:
    """Return why an archive cannot be opened with a rule that adopts by majority; None if
    it can.
    """
    try:
        open_game(game, Opening(adoption={"needs": "majority"}, rule=rule.number), {}, on)
    except Refused as refused:
        return refused
    return None
