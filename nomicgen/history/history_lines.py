"""The lines that tell of a rule: its history and its judgements in the style of the game Nomic IV,
and the address to which each line links. For example: `Amended (1) by Proposal 329 (Wren), Jul 27,
2020 (R4T3)`.

The lines are plain text, except that of a judgement: whoever prints one escapes it for where it
goes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote

from nomicgen.files.markdown import parse_body
from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import HistoryEntry, RuleHistory
from nomicgen.law.replay.results import RuleChange
from nomicgen.model.front_matters import JudgementMatter, ProposalMatter
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment

LinePart = Literal["verb", "cause", "player", "date", "turn", "words"]
"""The kinds of parts of a history line: what was done, the instrument, who, when, the turn, and the
words between them.
"""

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DATE = r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?"
_SLOT = r"\{(sha|path|number|revision)\}"
# Characters that would end a link's address in Markdown, or that addresses have to escape.
_UNSAFE = r"[^!-~]|[()<>\[\]\\\"`]"


def history_line(entry: HistoryEntry, names: Mapping[str, str]) -> str:
    """Return one line of a rule's history.

    `names` gives each player's name by id; the date is that of the decision. What is not known is
    left out.
    """
    return "".join(text for _, text in history_parts(entry, names))


def history_parts(
    entry: HistoryEntry, names: Mapping[str, str]
) -> tuple[tuple[LinePart, str], ...]:
    """Return the parts of `history_line`, each with its kind; joined, they are the line."""
    instrument, when = entry.instrument, entry.decided
    done = (
        change_words(entry) if instrument else f"Initial {entry.rule.tier} Rule {entry.rule.number}"
    )
    verb, space, by = done.rpartition(" ") if instrument else (done, "", "")
    parts: list[tuple[LinePart, str]] = [("verb", verb), ("words", f"{space}{by}")]
    actor = _name(entry.actor, names) if instrument else None
    if instrument is not None:
        parts += [("words", " "), ("cause", _line(instrument.name))]
    # A rule that acts by itself is named once.
    if instrument is not None and actor and actor != instrument.name:
        matter = instrument.matter
        others = matter.coauthors if isinstance(matter, ProposalMatter) else ()
        shared = (
            f", with {', '.join(_name(other, names) or other for other in others)}"
            if others
            else ""
        )
        parts += [("words", " ("), ("player", actor), ("words", f"{shared})")]
    parts += [("words", ", "), ("date", shown_date(when))] if when else []
    parts += (
        [("words", " ("), ("turn", entry.turn), ("words", ")")] if instrument and entry.turn else []
    )
    return tuple((kind, text) for kind, text in parts if text)


def judgement_text(judgement: Instrument) -> str:
    """Return what a judgement says, as Markdown on one line: its ruling, or else its question, its
    title or its name.
    """
    matter = judgement.matter
    title = matter.title if isinstance(matter, JudgementMatter) else None
    return as_paragraph(_line(judgement.ruling or judgement.preamble or title or judgement.name))


def as_paragraph(text: str) -> str:
    """Return a line of Markdown so that it reads as a paragraph: what would begin a heading, a list
    or the like is escaped.
    """
    bare = text.strip()
    for escaped in (bare, f"\\{bare}", bare.replace(".", "\\.", 1), bare.replace(")", "\\)", 1)):
        if [token.type for token in parse_body(escaped, 1).tokens] == [
            "paragraph_open",
            "inline",
            "paragraph_close",
        ]:
            return escaped
    return bare


def judgement_credit(judgement: Instrument, names: Mapping[str, str]) -> str:
    """Return the end of a judgement's line, ` (JUDGE), DATE (TURN)`."""
    matter = judgement.matter
    when = matter.date if isinstance(matter, JudgementMatter) else None
    return credit(_name(judgement.actor, names), when, matter.turn)


def credit(player: str | None, when: Moment | None, turn: str | None) -> str:
    """Return ` (PLAYER), DATE (TURN)`; a part that is None is left out."""
    who = f" ({player})" if player else ""
    date = f", {shown_date(when)}" if when else ""
    return f"{who}{date}{f' ({turn})' if turn else ''}"


def shown_date(moment: Moment) -> str:
    """Return a date as history lines have it: `Jul 27, 2020`, or, if the day is not known, its
    words with the month's name: `about Oct 1994`.
    """
    if moment.words:
        return re.sub(_DATE, lambda date: _date_words(*date.groups()), moment.words)
    return f"{MONTHS[moment.day.month - 1]} {moment.day.day}, {moment.day.year:04}"


def _date_words(year: str, month: str | None, day: str | None) -> str:
    named = f"{MONTHS[int(month) - 1]} " if month else ""
    return f"{named}{f'{int(day)}, ' if day else ''}{year}"


def rule_judgements(game_history: GameHistory, history: RuleHistory) -> tuple[Instrument, ...]:
    """Return the judgements that stand and construe a revision of the rule, by number."""
    return game_history.upheld.get(history.identity, ())


def history_link(game_history: GameHistory, identity: int, index: int) -> str | None:
    """Return the address of the file that a history line tells of, at the commit that made it; None
    where no commit is known, or no web address for it.

    It is the rule's file. If the commit does not have it, or not as the line says, it is the
    file that made the line: an instrument, or a file of the initial set.
    """
    entries = game_history.histories.rules[identity].entries
    entry = entries[index]
    # At the commit the rule is as the whole instrument left it, perhaps under another number.
    same_step = (
        line
        for line in reversed(entries)
        if line is entry or (line.step is not None and line.step is entry.step)
    )
    after = next(same_step)
    origin = game_history.origins.get((identity, index))
    sha = origin.sha if origin else entry.commit
    template = _template(game_history.records.settings)
    if sha is None or template is None:
        return None
    own = (
        entry.instrument is None
        or after.verb == "repeal"
        or (origin is not None and origin.kind == "instrument")
    )
    # `own`: the commit does not have the rule's file, or not as the line says.
    path = entry.path if own else f"rules/{after.rule.number}.md"
    words = {
        "sha": sha,
        "path": f"{game_history.git.prefix}{path}",
        "number": str(after.rule.number),
        "revision": str(entry.rule.revision),
    }
    address = re.sub(_SLOT, lambda slot: words[slot[1]], template)
    safe = re.sub(_UNSAFE, lambda unsafe: quote(unsafe[0], safe=""), address)
    return safe if safe.startswith(("https://", "http://")) else None


def _template(settings: Settings) -> str | None:
    """Return the template of a file's address, or of a commit's; None where the settings have no
    address.
    """
    if settings.links.file or settings.links.commit:
        return settings.links.file or settings.links.commit
    return f"{settings.repository.rstrip('/')}/commit/{{sha}}" if settings.repository else None


def change_words(entry: HistoryEntry) -> str:
    """Return what an instrument did to a rule, up to its name: `Amended (1) by`."""
    if entry.verb == "enact":
        return (
            "Created from" if entry.instrument and entry.instrument.kind == "act" else "Enacted by"
        )
    done = {
        "amend": f"Amended ({entry.rule.revision})",
        "transmute": f"Transmuted to {entry.rule.tier}",
        "renumber": f"Renumbered from {_former(entry.change)}",
        "retitle": "Retitled",
        "repeal": "Repealed",
        "mark": "Marked",
    }
    return f"{done[entry.verb]} by"


def _former(change: RuleChange | None) -> int:
    assert change is not None
    assert change.before is not None
    return change.before.number


def _name(actor: PlayerId | None, names: Mapping[str, str]) -> str | None:
    """Return a player's name, or `Rule 305` for a rule that acts by itself; None for nobody."""
    if actor is None:
        return None
    return f"Rule {actor}" if actor.isdecimal() else _line(names.get(actor, actor))


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(line.strip() for line in text.splitlines() if line.strip())
