"""Findings as a person is shown them: those about drafts with what mends them."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgen.files.file_findings import is_draft
from nomicgen.model.findings import Finding, Findings
from nomicgen.play.draft import names_in_game
from nomicgen.play.load import Game
from nomicgen.play.mending.mend import with_mendings


def as_shown(game: Game, findings: Iterable[Finding]) -> Findings:
    """Return findings as they are shown: those about drafts, and about instructions that cannot
    be read, have their mendings.
    """
    shown = tuple(findings)
    paths = {
        finding.span.file
        for finding in shown
        if is_draft(finding.span.file) or finding.slug == "instruction-unknown"
    }
    if not paths:
        return shown
    known = names_in_game(game.records, game.replay, frozenset(game.tree))
    for path in sorted(paths):
        data = game.tree.get(path)
        shown = with_mendings(shown, path, data, known) if isinstance(data, bytes) else shown
    return shown
