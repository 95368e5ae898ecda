"""Where a game's past ends, and the findings about changes of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from nomicgen.law.replay.results import Replay
from nomicgen.model.common_keys import Matter, Stage
from nomicgen.model.file_model import Key
from nomicgen.model.findings import Finding, listed
from nomicgen.model.values import Moment, Span

CORRECT = (
    "restore it; `nomicgen correct` corrects what was recorded wrongly, and a judgement "
    "settles anything else"
)
"""What to do about a finding, where it has no help of its own."""

# What to do about a key that the game's own commands write.
_RECORD = (
    "the rulekeeper's commands record it on the base: `nomicgen register`, `nomicgen vote`, "
    "`nomicgen next --do`"
)
RestatedKeys = Mapping[str, tuple[str | None, str | None]]
"""What new corrections say of a file, by key: `{"votes.wren": ("for", "against")}`, was and is."""


class FileEdit(Struct, frozen=True):
    """A file of the game that is changed: its bytes before and after, None for no file."""

    path: str
    before: bytes | None
    after: bytes | None


class PastBoundary(Struct, frozen=True, kw_only=True):
    """Where the past ends: `last` is when something was decided last, None if nothing was; `until`
    is today.

    `by_keeper` says that the keeper's own commands may have made the change, which write more than
    a pull request may. `waiting` has the paths of proposals that waited for a turn which the
    change begins: they take effect now. `restated` has, by path, the values that new corrections
    put right in files about the past: nothing else in those files may change. `archived` is None,
    unless the change may record what came before play here; the replay tells when play began.
    """

    last: Moment | None
    until: Moment
    by_keeper: bool = False
    waiting: frozenset[str] = frozenset()
    restated: Mapping[str, RestatedKeys] = {}
    archived: Replay | None = None


def past_finding(where: str | Span, message: str, help: str = CORRECT) -> Finding:
    """Return the finding that a change rewrites the past, as `message` says."""
    span = Span(file=where) if isinstance(where, str) else where
    return Finding(slug="past-rewritten", span=span, message=message, help=help)


def is_before(moment: Moment, last: Moment | None) -> bool:
    """Return whether a moment is provably before the last decision. False if there is none."""
    return moment.precedes(last)


def keys_changed(old: Matter, new: Matter, restated: RestatedKeys) -> set[str]:
    """Return the keys of the file that differ, except those for which a correction names
    exactly these two values, the old and the new.
    """
    was, now = old.fields(), new.fields()
    differ = (key for key, _ in was.items() ^ now.items())
    return {file_key(key) for key in differ if restated.get(key) != (was.get(key), now.get(key))}


def closed_keys(old: Matter | None, new: Matter, stage: Stage) -> list[tuple[str, Key | None]]:
    """Return the keys that differ and that the author of a file may not write at a stage, each with
    the `Key` that says who writes it, None where none says so.

    `old` is None for a new file.
    """
    was, now = old.fields() if old is not None else {}, new.fields()
    said = {file_key(field) for field in was}
    closed = {
        file_key(field): new.writing_key(field)
        for field in dict(was.items() ^ now.items())
        if not new.author_writes(field, stage, said=file_key(field) in said)
    }
    return sorted(closed.items())


def by_hand_finding(span: Span, message: str, help: str = _RECORD) -> Finding:
    """Return the finding that a pull request writes something which the game itself writes."""
    return Finding(slug="record-by-hand", span=span, message=message, help=help)


def record_finding(span: Span, name: str, key: str, writing: Key | None) -> Finding:
    """Return the finding that a pull request writes a key of a file which it may not write. `name`
    is the file's subject, such as `turn R4T3`; `writing` says who may.
    """
    if writing is None or writing.by == ("keeper",):
        who = "nobody" if writing is None else writing.writers
        remedy = f"leave `{key}` out, or as it was; the rulekeeper writes it down on the base"
    else:
        who, remedy = "the game", _RECORD
    return by_hand_finding(
        span, f"`{key}` of {name} is written by {who}, not by a pull request", remedy
    )


def moved_finding(path: str) -> Finding:
    """Return the finding that the base has changed a file, too."""
    return Finding(
        slug="base-moved",
        span=Span(file=path),
        message="the base has changed this file since the pull request began",
        help="update the branch (`git merge` of the base, or the forge's button), and keep both "
        "changes",
    )


def unapproved_finding(paths: tuple[str, ...], *, is_entry: bool) -> Finding:
    """Return the finding that no keeper has allowed what a pull request changes."""
    what = "enters what happened before the game was played here"
    what = what if is_entry else "changes how the game is kept and judged"
    meant = [place for path in paths if (place := _meant_place(path)) is not None]
    moved = f"if it belongs to the game, call it {listed(meant)}; if not, " * bool(meant)
    return Finding(
        slug="machinery-unapproved",
        span=Span(file=paths[0]),
        message=f"this {what}, and cannot approve itself: {listed(paths, 3)}",
        help=f"{moved}a keeper who is not the author reads it, and comments `/machinery` with the "
        "whole id of the commit that was read",
    )


def _meant_place(path: str) -> str | None:
    """Return where a file belongs whose folder is almost one of the game's, such as `turn/`; None
    for any other file.
    """
    folder, _, name = path.partition("/")
    meant = folder.casefold().replace("judgm", "judgem").rstrip("s") + "s"
    is_near = folder != meant and meant in ("acts", "judgements", "players", "turns")
    return f"{meant}/{name}" if is_near and name and "/" not in name else None


def file_key(key: str) -> str:
    """Return the key of the file that a recorded field stands in: `votes` of `votes.wren`."""
    return key.partition(".")[0]
