"""The rulesets that ship, and the scripted games that they bring along: each decision of each is
asserted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from nomicgen.files.text_encoding import Oddity
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.awarded_points import totals
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.rulesets import shipped
from tests.mutations.game import redigested
from tests.mutations.mutation import swap

ON = Moment.parse("2025-12-31")
"""When the scripted games are looked at: all of them are over by then, or rest."""


def loaded(tree: Mapping[str, bytes | Oddity], name: str = "game") -> Game:
    """The game that a tree makes, with `rules/` as its ledger gives it."""
    root = Path(name)
    return load_tree(root, {**tree, **ruleset_files(load_tree(root, tree, ON).replay.current)}, ON)


@cache
def played(name: str) -> Game:
    """The scripted game of a ruleset that ships."""
    return loaded(shipped(name).tree(), name)


def broken(name: str, path: str, *changes: tuple[str, str], redigest: bool = False) -> list[str]:
    """`file: slug (Rule N)` for each error of a scripted game in which one file was changed, by
    file, each once.
    """
    tree = shipped(name).tree()
    for old, new in changes:
        tree[path] = swap(old, new)(tree[path])
    if redigest:
        tree[path] = redigested(tree[path])
    found = (
        f"{one.span.file}: {one.slug}{f' (Rule {one.rule})' if one.rule else ''}"
        for one in loaded(tree).errors
    )
    return list(dict.fromkeys(found))


def decisions(name: str) -> list[str]:
    """A line for each proposal that was decided: `302 defeated 3-1 not by 203`, `303 adopted 4-0 by
    109 203: ...`.

    `by` has the rules whose conditions were met, `not by` those whose were not; what follows the
    colon is what the proposal did: `+301/0`, `203/0 > 305/1`, `303/0 mutable`, `-210/0`.
    """
    game = played(name)
    lines = []
    for instrument in game.records.of_kind("proposal"):
        matter = instrument.matter
        assert isinstance(matter, ProposalMatter)
        if matter.status not in ("adopted", "defeated", "withdrawn"):
            continue
        tally = game.replay.tallies[instrument.path]
        said = f"{instrument.number} {matter.status} {len(tally.for_)}-{len(tally.against)}"
        for words, met in (("by", True), ("not by", False)):
            rules = sorted(one.rule for one in tally.conditions if one.met is met)
            said += (
                "".join([f" {words} ", " ".join(map(str, rules))])
                if rules and matter.status != "withdrawn"
                else ""
            )
        made = _made(game, instrument.path)
        lines.append(f"{said}: {made}" if made else said)
    return lines


def _made(game: Game, path: str) -> str:
    shown = []
    for step in game.replay.steps:
        for change in step.changes if step.instrument.path == path else ():
            before, after = change.before, change.after
            if before is None or after is None:
                shown.append(f"+{change.rule.ref}" if after else f"-{change.rule.ref}")
            else:
                shown.append(
                    f"{before.ref} > {after.ref}"
                    + (f" {after.tier}" if before.tier != after.tier else "")
                )
    return ", ".join(shown)


def standing(name: str) -> dict[str, str]:
    """The rules that stand at the end, by tier: `101/0 102/0 ...`; those that are void in
    brackets.
    """
    found: dict[str, list[str]] = {}
    for rule in played(name).replay.current:
        found.setdefault(rule.tier, []).append(f"[{rule.ref}]" if rule.void else rule.ref)
    return {tier: " ".join(rules) for tier, rules in found.items()}


def scores(name: str) -> dict[str, int]:
    """The score of each player at the end; they are whole in the games that this is for."""
    found = totals(played(name).replay.awards)
    assert all(score.denominator == 1 for score in found.values())
    return {ident: int(score) for ident, score in sorted(found.items())}


def account(name: str, player: str) -> str:
    """Every change of a player's score and the rule that made it (`-` where a file says so itself),
    in order.
    """
    lines = (one for one in played(name).replay.awards if one.player == player)
    return " ".join(f"{int(one.amount):+d}({one.rule or '-'})" for one in lines)


def copied(seed: str, texts: Mapping[str, str], length: int = 7) -> list[str]:
    """Every run of so many words that a text has in common with a seed: `name: the words`."""
    theirs = _runs(seed, length)
    assert theirs
    return [
        f"{name}: {' '.join(run)}"
        for name, text in texts.items()
        for run in sorted(_runs(text, length) & theirs)
    ]


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9'-]+", text.lower().replace("’", "'"))
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def texts(name: str) -> dict[str, str]:
    """The text of every rule that was made in a scripted game, by its revision, and every
    argument.
    """
    game = played(name)
    first = {(rule.identity, rule.revision) for rule in game.replay.initial}
    made = (rule for _, ruleset in game.replay.states() for rule in ruleset)
    found = {
        f"Rule {one.ref}": one.text or ""
        for one in made
        if (one.identity, one.revision) not in first
    }
    return found | {one.name: one.preamble for one in game.records.instruments.values()}
