"""What a move would change, for a terminal: effects, rule texts as redlines by word, and all files
as diffs by line.
"""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.files.unified_diff import unified_lines
from nomicgen.formats.redline_text import redline_text
from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.play.move import Move
from nomicgen.play.preview.as_text import effects_text

_STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""The style of a diff's line, by the line's first character."""


def changes(move: Move) -> Iterator[str]:
    """Yield effects with what permits them, redlines of rules, and each file that would change."""
    if effects := [*effects_text("What it brings about", move.effects)]:
        yield from (*effects, "")
    earlier = {rule.identity: rule for rule in move.before.replay.current}
    later = {rule.identity: rule for rule in move.after.replay.current}
    for identity in sorted(earlier | later):
        old, new = earlier.get(identity), later.get(identity)
        if old == new:
            continue
        heading = (
            f"Rule {old.ref if old else '(new)'} -> "
            f"{f'Rule {new.ref}, {new.tier}' if new else 'repealed'}"
        )
        yield style_text(safe(heading), "bold")
        yield redline_text(old.text or "" if old else "", new.text or "" if new else "")
        yield ""
    final: dict[str, bytes | None] = {}  # several parts of a move may write one file
    for part in move.parts:
        final |= {path: part.writes.get(path) for path in part.paths}
    for path, data in final.items():
        old_data = move.before.tree.get(path)
        before = old_data if isinstance(old_data, bytes) else b""
        if path in move.before.tree or data is not None:
            yield from _diff(path, before, data or b"", gone=data is None)


def _diff(path: str, before: bytes, after: bytes, *, gone: bool) -> Iterator[str]:
    if b"\0" in before or b"\0" in after:
        yield style_text(
            safe(f"{path}: {len(before)} bytes become {len(after)}, which are no text"), "bold"
        )
        return
    old, new = (data.decode("utf-8", "replace").splitlines() for data in (before, after))
    target = "/dev/null" if gone else path
    for line in unified_lines(old, new, path if before else "/dev/null", target):
        yield style_text(
            safe(line), _STYLES.get(line[:1], "") if not line.startswith(("---", "+++")) else "bold"
        )
