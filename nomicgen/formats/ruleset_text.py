"""The whole ruleset in Nomic IV's formats, long and short, as Markdown and as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nomicgen.formats.plaintext import WIDTH, wrap
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import (
    history_line,
    history_link,
    judgement_credit,
    judgement_text,
    rule_judgements,
)
from nomicgen.history.rule_history import HistoryEntry, RuleHistory
from nomicgen.law.replay.results import Rule

LOST = "*(text lost)*"
"""Stands in place of a text that is lost."""
LEAST = "mutable"
"""The usual name of the least entrenched tier: then headings of the short format leave it out."""
_SPECIAL = r"[\\`*\[\]<]"
UNESCAPED = r"\\([\\`*\[\]<])"
"""A character as `escape_words` writes it; the group is the character itself."""


def long_md(game_history: GameHistory) -> str:
    """Return Markdown: every rule in force, its history with links to commits, its judgements."""
    names = game_history.records.names
    rules = (_long_rule(game_history, history, names) for history in _in_force(game_history))
    return f"{_head(game_history, 'LONG')}{_joined(rules)}\n"


def short_md(game_history: GameHistory) -> str:
    """Return Markdown: every rule in force, without its history, and no line feed at the end."""
    rules = (
        f"## {rule.number}{_named(game_history, rule)}\n\n{_text(rule)}"
        for rule in game_history.replay.current
    )
    return f"{_head(game_history, 'SHORT')}{_joined(rules)}"


def long_txt(game_history: GameHistory) -> str:
    """Return the long format as plain text, without a line feed at its end."""
    names = game_history.records.names
    return _txt(
        game_history,
        "LONG",
        (_long_txt_rule(game_history, history, names) for history in _in_force(game_history)),
    )


def short_txt(game_history: GameHistory) -> str:
    """Return the short format as plain text, without a line feed at its end."""
    rules = (
        f"Rule {rule.number}{_named(game_history, rule)}\n\n{wrap(_text(rule))}\n"
        for rule in game_history.replay.current
    )
    return _txt(game_history, "SHORT", rules)


def escape_words(line: str) -> str:
    """Return words, such as a name, that are no markup inside Markdown's emphasis or a link."""
    return re.sub(_SPECIAL, r"\\\g<0>", line)


def title_of(name: str, length: str) -> str:
    """Return a ruleset's heading, e.g. `NOMIC IV RULESET (LONG FORMAT)`."""
    return f"{' '.join(name.split()).upper()} RULESET ({length} FORMAT)"


def _head(game_history: GameHistory, length: str) -> str:
    return f"# {title_of(game_history.records.settings.name, length)}\n---\n"


def _joined(rules: Iterator[str]) -> str:
    return "\n\n".join(rules)


def _in_force(game_history: GameHistory) -> Iterator[RuleHistory]:
    for rule in game_history.replay.current:
        yield game_history.histories.rules[rule.identity]


def _named(game_history: GameHistory, rule: Rule, *, with_history: bool = False) -> str:
    """Return the part of a heading after the number: the tier and the title.

    The least entrenched tier is left out in the long format (`with_history`), and in the short one
    if it is called `mutable`.
    """
    least = game_history.records.settings.tiers[-1]
    tier = (
        "" if rule.tier == least and (with_history or least == LEAST) else f" ({rule.tier.upper()})"
    )
    return f"{tier}{f': {rule.title}' if rule.title else ''}"


def _text(rule: Rule) -> str:
    return LOST if rule.text is None else rule.text


def _printed(history: RuleHistory) -> Iterator[tuple[int, HistoryEntry]]:
    """Yield the entries that get a line, with their index.

    If a changed rule took its proposal's number, that gets no line of its own.
    """
    for index, entry in enumerate(history.entries):
        if not (entry.verb == "renumber" and _took_proposal_number(entry, history)):
            yield index, entry


def _took_proposal_number(renumbered: HistoryEntry, history: RuleHistory) -> bool:
    instrument = renumbered.instrument
    if (
        instrument is None
        or instrument.kind != "proposal"
        or instrument.number != renumbered.rule.number
    ):
        return False
    return any(
        other.step is renumbered.step and other.verb in ("amend", "transmute")
        for other in history.entries
    )


def _long_rule(game_history: GameHistory, history: RuleHistory, names: Mapping[str, str]) -> str:
    rule = history.last
    lines = [
        _linked(game_history, history, index, entry, names) for index, entry in _printed(history)
    ]
    parts = [
        f"## {rule.ref}{_named(game_history, rule, with_history=True)}",
        _text(rule),
        "##### *History*",
        "  \n".join(lines),
    ]
    judgements = rule_judgements(game_history, history)
    if judgements:
        given = (
            f"*{judgement_text(judgement)}{escape_words(judgement_credit(judgement, names))}*"
            for judgement in judgements
        )
        parts += ["##### *Judgments*", "  \n".join(given)]
    return "\n\n".join(parts)


def _linked(
    game_history: GameHistory,
    history: RuleHistory,
    index: int,
    entry: HistoryEntry,
    names: Mapping[str, str],
) -> str:
    line = f"*{escape_words(history_line(entry, names))}*"
    address = history_link(game_history, history.identity, index)
    return f"[{line}]({address})" if address else line


def _txt(game_history: GameHistory, length: str, rules: Iterator[str]) -> str:
    line = f"{'-' * WIDTH}\n"
    parts = (f"{line}{rule}\n" for rule in rules)
    return (
        f"{title_of(game_history.records.settings.name, length)}\n\n{'=' * WIDTH}\n"
        f"{''.join(parts)}{'-' * WIDTH}"
    )


def _long_txt_rule(
    game_history: GameHistory, history: RuleHistory, names: Mapping[str, str]
) -> str:
    rule = history.last
    lines = [
        f"Rule {rule.ref}{_named(game_history, rule, with_history=True)}",
        "",
        wrap(_text(rule)),
        "",
        "History:",
    ]
    lines += [history_line(entry, names) for _, entry in _printed(history)]
    judgements = rule_judgements(game_history, history)
    if judgements:
        lines += ["", "Judgments:"]
        lines += [
            f"{judgement_text(judgement)}{judgement_credit(judgement, names)}"
            for judgement in judgements
        ]
    return "\n".join([*lines, ""])
