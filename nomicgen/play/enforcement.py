"""What a program enforces of a ruleset, sentence by sentence, and what is left to the players.

For a ruleset that ships, `table.yml` says who enforces each sentence. For a game, there are only
the sentences of its provisions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from msgspec import Struct

from nomicgen.formats.documents import FORMAT, Shape
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import sentences
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.rulesets import file_text, parent_of, shipped
from nomicgen.play.wordings import rule_of, wordings

# The mark of an item of a list; the space between two sentences, and not that in `No. 3`.
_MARK = r"\s*(?:[-*+•]|[0-9]+[.)])\s+"
_ENDS = r"(?<=[.!?])(?<!\bno\.)([\"”’)]*)\s+(?=[A-Z0-9\"“‘])"


class SaidSentence(Struct, frozen=True, kw_only=True):
    """A sentence of a rule.

    `by` is the kind of provision that enforces it, or `shown` (the program says what applies, and
    people judge), or `players`. `rule` is the rule that has the provision, `finding` the slug of
    the finding that a breach gives, `why` says more.
    """

    text: str
    by: str
    rule: int
    finding: str = ""
    why: str = ""


class RuleEnforced(Struct, frozen=True, kw_only=True):
    """A rule with its sentences; `does` has what its provisions say."""

    ref: str
    title: str | None
    does: tuple[str, ...]
    said: tuple[SaidSentence, ...]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a rule's text: each line and each item of a list begins one."""
    lines = (re.sub(rf"\A{_MARK}", "", line).strip() for line in text.split("\n") if line.strip())
    parts = (re.sub(_ENDS, "\\1\n", line).split("\n") for line in lines)
    return [part.strip() for many in parts for part in many if part.strip()]


def table_of(name: str) -> Mapping[int, list[dict[str, Any]]]:
    """Return the rows of `table.yml` by rule, one for each sentence.

    For a rule that its table lacks, they are those of the ruleset that it extends.
    """
    parent = parent_of(name)
    return {**(table_of(parent) if parent is not None else {}), **own_table(name)}


def own_table(name: str) -> Mapping[int, list[dict[str, Any]]]:
    """Return what `table_of` does, without the ruleset that this one extends."""
    table: dict[int, list[dict[str, Any]]] = yaml.safe_load(file_text(name, "table.yml") or "{}")
    return table


def enforced_of_ruleset(name: str) -> Iterator[RuleEnforced]:
    """Yield the rules of a ruleset that ships, each sentence with who enforces it."""
    in_new_game = {path.rpartition("/")[2] for path in shipped(name).beginning()[0]}
    for number, rows in sorted(table_of(name).items()):
        if f"{number}.md" not in in_new_game:
            continue  # The scripted game, `played.txt`, ended it before new games begin.
        rule = our_rule(name, number)
        texts = sentences_of(rule.text or "")
        yield RuleEnforced(
            ref=str(rule.ref),
            title=rule.title,
            does=_does(rule),
            said=tuple(_sentence(text, row, number) for text, row in zip(texts, rows, strict=True)),
        )


def our_rule(name: str, number: int) -> Rule:
    """Return our rule for a number of a ruleset's original: that with the same number and revision
    0, else the first that retells a rule which bore the number.
    """
    ours = (
        wording.ours for wording in wordings(name) if wording.rule.partition("/")[0] == str(number)
    )
    rules = (rule_of(name, ref) for ref in (f"{number}/0", *ours) if ref is not None)
    return next(rule for rule in rules if rule is not None)


def _sentence(text: str, row: Mapping[str, Any], number: int) -> SaidSentence:
    return SaidSentence(
        text=text,
        by=row["by"],
        rule=row.get("rule", number),
        finding=row.get("finding", ""),
        why=row.get("why", ""),
    )


def enforced_in_game(game: Game) -> Iterator[RuleEnforced]:
    """Yield the rules in force of a game, each with what its provisions say."""
    for rule in game.replay.current:
        yield RuleEnforced(
            ref=str(rule.ref), title=rule.title, does=_does(rule, game.until), said=()
        )


def _does(rule: Rule, moment: Moment | None = None) -> tuple[str, ...]:
    return () if rule.void_on(moment) else tuple(sentences(rule.law))


_SAID = Shape(
    "EnforcedSentence",
    "A sentence of a rule, and who enforces it.",
    SaidSentence,
    text="the sentence",
    by="the kind of provision that enforces it, `shown` or `players`",
    rule="the rule that has the provision",
    finding="the slug of the finding that a breach gives; empty if it gives none",
    why="more, in words; may be empty",
)
_RULE = Shape(
    "EnforcedRule",
    "A rule, and what is enforced of it.",
    RuleEnforced,
    ref="number and revision",
    title="its title",
    does="what its provisions say",
    said=_SAID.many("its sentences; empty for a rule of a game"),
)
ENFORCED = Shape(
    "Enforced",
    "What `nomicgen rulesets show` prints.",
    format=FORMAT,
    rules=_RULE.many("the rules"),
)
