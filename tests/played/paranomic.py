"""The scripted game of Paranomic II, whole and broken: what its tests share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from nomicgen.files.text_encoding import Oddity
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.front_matters import JudgementMatter, ProposalMatter
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load_tree
from nomicgen.play.rulesets import shipped
from tests.mutations.game import redigested
from tests.mutations.mutation import swap

ON = Moment.parse("2025-05-18")
ACT = "acts/2025-04-15-rule-204.md"
TIERS = {"constitutional": range(1, 7), "immutable": range(101, 113), "mutable": range(201, 213)}
Change = Callable[[bytes], bytes] | None


def loaded(tree: Mapping[str, bytes | Oddity], on: Moment = ON) -> Game:
    """The game that a tree makes on a day, with `rules/` as its ledger then gives it."""
    root = Path("paranomic")
    return load_tree(root, {**tree, **ruleset_files(load_tree(root, tree, on).replay.current)}, on)


@cache
def played() -> Game:
    """The game as it ships."""
    return loaded(shipped("paranomic").tree())


def broken(path: str, change: Change) -> Game:
    """The game with one file changed, or taken out."""
    tree = shipped("paranomic").tree()
    before = tree.pop(path)
    if change is not None:
        tree[path] = change(before)
        assert tree[path] != before
    return loaded(tree)


def law(old: str, new: str) -> Callable[[bytes], bytes]:
    """Puts `new` in place of `old`, and the digest of what is then voted on."""
    return lambda data: redigested(swap(old, new)(data))


def proposal(number: int) -> str:
    """The path of a proposal."""
    return f"proposals/{number}.md"


def matter(number: int) -> ProposalMatter:
    """What the game as it ships says of a proposal."""
    one = played().records.instruments[proposal(number)].matter
    assert isinstance(one, ProposalMatter)
    return one


def ruling(number: int) -> JudgementMatter:
    """What the game as it ships says of a judgement."""
    one = played().records.instruments[f"judgements/{number}.md"].matter
    assert isinstance(one, JudgementMatter)
    return one
