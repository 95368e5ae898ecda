"""What a citation stands for, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.history.citations import Resolved
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_link


def citation_text(game_history: GameHistory, resolved: Resolved, address: str) -> Iterator[str]:
    """Yield the heading, the text, and how to cite it; `address` is the one on the site."""
    revision, identity = resolved.revision, resolved.revision.history.identity
    rule, entry = revision.rule, revision.history.entries[revision.entry_index]
    origin = game_history.origins.get((identity, revision.entry_index))
    title, game = _on_one_line(rule.title), _on_one_line(game_history.records.settings.name)
    name = f"Rule {rule.ref}{f' ({title})' if title else ''}"
    heading = safe(f"Rule {rule.ref}{f': {title}' if title else ''}")
    yield style_text(heading, "bold") + style_text(safe(f"  ({rule.tier})"), "dim")
    yield f"in force {'from ' if revision.ended else ''}{revision.span}"
    if resolved.note:
        yield safe(f"({resolved.note})")
    yield from ("", safe(rule.text if rule.text is not None else "(the text is lost)"), "")
    for label, value in {
        "cite": revision.citation,
        "in full": ", ".join(part for part in (name, game, revision.span, address) if part),
        "address": address,
        "commit": origin.sha if origin else entry.commit,
        "link": history_link(game_history, identity, revision.entry_index),
        "file": entry.path,
    }.items():
        if value:
            yield style_text(f"{label:<9}", "dim") + safe(value)


def _on_one_line(text: str | None) -> str:
    return " ".join((text or "").split())
