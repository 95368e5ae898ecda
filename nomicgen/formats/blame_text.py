"""A rule's sentences with their authors, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgen.formats.styled_text import style_text
from nomicgen.formats.terminal import safe
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line
from nomicgen.history.passages import sentence_authors
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.voting.tally import Tally


def blame_text(
    game_history: GameHistory, history: RuleHistory, at: int | None = None
) -> Iterator[str]:
    """Yield each sentence, and where its words came from: revision, commit, player, votes.

    The text is the rule's after the entry of its history with the index `at`, None for the last.
    """
    for place, passage in enumerate(sentence_authors(history, at)):
        if place:
            yield ""
        yield safe(" ".join(passage.text.split()))
        for index in sorted({run.index for run in passage.runs}):
            runs = [run for run in passage.runs if run.index == index]
            yield _line(game_history, history, index)
            if len(runs) < len(passage.runs):
                words = " … ".join(" ".join(run.text.split()) for run in runs)
                yield style_text(safe(f"      “{words}”"), "dim")
            if any(run.uncertain for run in runs):
                yield style_text(
                    "      (texts before it are lost, so some of these words may be older)", "dim"
                )


def commit_of_line(game_history: GameHistory, history: RuleHistory, index: int) -> str | None:
    """Return the commit that brought a line of a history; None if it is not known."""
    origin = game_history.origins.get((history.identity, index))
    return origin.sha if origin else history.entries[index].commit


def _line(game_history: GameHistory, history: RuleHistory, index: int) -> str:
    entry = history.entries[index]
    sha = commit_of_line(game_history, history, index)
    tally = game_history.replay.tallies.get(entry.instrument.path) if entry.instrument else None
    votes = _votes_said(tally)
    commit = style_text(f"{sha[:10] if sha else '-' * 10}  ", "yellow")
    words = safe(history_line(entry, game_history.records.names))
    return f"  {entry.rule.ref}  {commit}{words}{f'; {votes}' if votes else ''}"


def _votes_said(tally: Tally | None) -> str:
    if tally is None:
        return ""
    if not tally.recorded:
        return "the votes were not recorded"
    abstained = f", {tally.abstentions} abstaining" if tally.abstain else ""
    return f"{tally.votes_for} for, {tally.votes_against} against{abstained}"
