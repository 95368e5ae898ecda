"""Findings as a person is shown them: those about drafts with what mends them."""

from __future__ import annotations

from collections.abc import Iterable

from nomicgen.files.file_findings import is_draft
from nomicgen.model.findings import Finding, Findings, ordered
from nomicgen.play.draft import names_known_to
from nomicgen.play.load import Game, git_findings
from nomicgen.play.mending.mend import with_mendings
from nomicgen.repository.git_presence import state_of


def with_mends(game: Game, findings: Iterable[Finding]) -> Findings:
    """Return the findings, those about drafts with their mends; so those about an instruction that
    cannot be read.
    """
    shown = tuple(findings)
    paths = {
        finding.span.file
        for finding in shown
        if is_draft(finding.span.file) or finding.slug == "instruction-unknown"
    }
    if not paths:
        return shown
    known = names_known_to(game.records, game.replay, frozenset(game.tree))
    for path in sorted(paths):
        data = game.tree.get(path)
        shown = with_mendings(shown, path, data, known) if isinstance(data, bytes) else shown
    return shown


def check_game(game: Game) -> Findings:
    """Everything that is wrong with a game, git included."""
    return ordered((*with_mends(game, game.findings), *git_findings(state_of(game.root))))
