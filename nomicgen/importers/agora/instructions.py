"""Changes of Agora's rules in the words of a game's files: instructions, marks and notes; and texts
and titles as a rule may have them.
"""

from __future__ import annotations

from nomicgen.importers.agora.history import AgoraState
from nomicgen.importers.agora.ledger import AgoraChange
from nomicgen.importers.agora.read import AgoraEntry, Data, in_words
from nomicgen.importers.instruments import instructions_for
from nomicgen.importers.rule_text.from_markdown import fence_text, fits_heading
from nomicgen.importers.rule_text.written import markdown_text

_KEYS = """
power mi mutability committee id old-id oldid new-id newid uncounted
old-power new-power old-mi new-mi old-title new-title old-name new-name
"""
_SAID_ELSEWHERE = frozenset(_KEYS.split())
"""Keys of a change that no note repeats: instructions say them, the revision, or a mark's words."""
_WORDED = {
    "amendment": "amended",
    "infection-amendment": "amended by infection",
    "infection": "infected",
    "null-amendment": "amended without a change",
    "committee-assignment": "assigned to ",
}
"""What the mark of a change says in place of its kind and keys."""


def instructions_of(
    change: AgoraChange, pinned: AgoraState, least: str, text: str | None, section: str | None
) -> list[str]:
    """Return the instructions of one change. `pinned` is the rule's state before the instrument,
    and `least` the least entrenched tier. `text` and `section` are those that the rule gets.
    """
    state, history = change.state, change.history
    before = history.states[change.at - 1] if change.at else None
    if state.verb is None:
        return []
    is_new = before is None or state.title != before.title or state.verb in ("enact", "retitle")
    keeps_number = state.verb == "renumber" and before is not None and state.number == before.number
    return instructions_for(
        "mark" if keeps_number else state.verb,
        pinned.ref,
        before,
        state,
        least=least,
        text=text,
        title=state.title if is_new else None,
        section=section,
        marked=_mark(change),
    )


def _mark(change: AgoraChange) -> str:
    """Return the note that a mark puts on a rule, such as `2001-05-01: infected by Rule 1450`."""
    entry = change.entry
    day = entry.when.words or str(entry.when.day)
    otherwise = f"{entry.kind} ({in_words(dict(entry.change))})" if entry.change else entry.kind
    what = _WORDED.get(entry.kind, otherwise.strip() or "changed")
    if entry.kind == "committee-assignment":
        what += _the(entry.change.get("committee", "a committee"))
    return (
        f"{day}: {what} by "
        f"{change.cause.words}{', not counted' if 'uncounted' in entry.change else ''}"
    )


def _the(committee: str) -> str:
    return committee if committee.startswith(("the ", "a ")) else f"the {committee}"


def notes_on(change: AgoraChange, dated: str) -> list[str]:
    """Return a note on everything that an entry says and no instruction can; empty if there is
    nothing.

    That is a date other than `dated`, the instrument's; other keys; and that it had no effect.
    """
    entry, state = change.entry, change.state
    notes = []
    if state.verb is None:
        notes.append(f"{entry.kind or 'change'} of a rule that was not in force")
    if entry.when.words not in ("", dated):
        notes.append(f"dated {entry.when.words}")
    notes += _other_keys(entry, state)
    return [f"Rule {state.number}: {', '.join(notes)}"] if notes else []


def _other_keys(entry: AgoraEntry, state: AgoraState) -> list[str]:
    """Return the keys of an entry that no instruction says, with their values. A mark of a kind
    without words of its own (`_WORDED`) says all keys of its change.
    """
    change = {} if state.verb == "mark" and entry.kind not in _WORDED else entry.change
    others = {key: value for key, value in change.items() if key not in _SAID_ELSEWHERE}
    return [
        key if value == "true" else f"{key}: {value}"
        for key, value in {**entry.more, **others}.items()
    ]


def sound_title(title: str, path: str, data: Data) -> str | None:
    """Return a title if it can stand in a heading. If not, warn and return None; '' gives None."""
    if not title or fits_heading(title):
        return title or None
    data.warn(
        "title", path, None, "the title cannot stand in a heading", "the rule has none", quote=title
    )
    return None


def sound_text(
    text: str, path: str, line: int | None, data: Data, *, is_ascii_art: bool = False
) -> str | None:
    """Return a text as a rule may have it; None for a blank one. If it
    `is_ascii_art`, a picture made of letters, it becomes code; None if that cannot be.
    """
    if is_ascii_art:
        return fence_text(text) if text.strip() else None
    made, slips = markdown_text(text)
    for slip in slips:
        data.warn("markdown", path, line, slip.message, slip.outcome)
    return made
