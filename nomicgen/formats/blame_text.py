"""Who wrote each sentence of a rule: for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.authorship import AuthoredText
from nomicgen.archive.history_lines import history_line
from nomicgen.archive.passages import AuthoredSentence, sentence_authors, text_entries
from nomicgen.archive.rule_history import HistoryEntry, RuleHistory
from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.json_parts import ENTRY, entry_document
from nomicgen.formats.styled_text import styled
from nomicgen.formats.terminal import safe
from nomicgen.law.replay_state import Rule, Tally

VOTES = Shape(
    "VoteCountView",
    "How many voted how.",
    Tally,
    for_=at(lambda tally: tally.votes_for, "how many for it, by hand or otherwise", int),
    against=at(lambda tally: tally.votes_against, "how many against it", int),
    abstain=at(lambda tally: tally.abstentions, "how many abstained", int),
)
ORIGIN = Shape(
    "OriginView",
    "A line of the rule's history that gave it words that still stand.",
    **ENTRY.keys,
    votes=VOTES.maybe("the vote; null where none was taken, or none was recorded"),
)
PART = Shape(
    "PartView",
    "A stretch of a sentence whose words came together.",
    AuthoredText,
    text="as it stands there",
    origin=typed(int, "which of `origins` it came with, counted from 0"),
    uncertain="whether it may be older, since texts before its origin are lost",
)
SENTENCE = Shape(
    "SentenceView",
    "A sentence, a heading, or a row of a table.",
    AuthoredSentence,
    text="as it stands there, with the blanks after it",
    parts=PART.many("its stretches in order; together they are the text"),
)
BLAME = Shape(
    "BlameView",
    "Who wrote each sentence of a rule.",
    Rule,
    format=FORMAT,
    number="the number that the rule bore with this text",
    revision="the revision whose text it is",
    numbers=typed(tuple[int, ...], "the numbers that it ever bore, in order"),
    text="the text, as Markdown; null where it is lost",
    origins=ORIGIN.many("what its words came with, the earliest first"),
    sentences=SENTENCE.many("its sentences in order; together they are the text"),
)


def blame_json(archive: Archive, history: RuleHistory, at: int | None = None) -> dict[str, Any]:
    """Who wrote a rule's last text, or that of index `at` of its history."""
    last = text_entries(history, at)[-1]
    told = sentence_authors(history, at)
    places = {index: place for place, index in enumerate(_origins(told))}
    return BLAME.write(
        history.entries[last].rule,
        numbers=history.numbers,
        origins=[_origin(archive, history, index) for index in places],
        sentences=[_sentence(one, places) for one in told],
    )


def _sentence(passage: AuthoredSentence, places: Mapping[int, int]) -> dict[str, Any]:
    return SENTENCE.write(passage, parts=[PART.write(run, origin=places[run.index]) for run in passage.runs])


def _origin(archive: Archive, history: RuleHistory, index: int) -> dict[str, Any]:
    tally = _tally(archive, history.entries[index])
    votes = tally if tally is not None and tally.recorded else None
    return entry_document(archive, history.identity, index, ORIGIN, votes=votes)


def blame_text(archive: Archive, history: RuleHistory, at: int | None = None) -> Iterator[str]:
    """Each sentence, and below it what its words came with: revision, commit, instrument, player, date, votes."""
    for place, passage in enumerate(sentence_authors(history, at)):
        if place:
            yield ""
        yield safe(" ".join(passage.text.split()))
        for index in _origins([passage]):
            runs = [run for run in passage.runs if run.index == index]
            yield _line(archive, history, index)
            if len(runs) < len(passage.runs):
                words = " … ".join(" ".join(run.text.split()) for run in runs)
                yield styled(safe(f"      “{words}”"), "dim")
            if any(run.uncertain for run in runs):
                yield styled("      (texts before it are lost, so some of these words may be older)", "dim")


def _origins(told: Sequence[AuthoredSentence]) -> tuple[int, ...]:
    return tuple(sorted({run.index for passage in told for run in passage.runs}))


def _line(archive: Archive, history: RuleHistory, index: int) -> str:
    entry = history.entries[index]
    origin = archive.origins.get((history.identity, index))
    sha = origin.sha if origin else entry.commit
    votes = votes_said(_tally(archive, entry))
    commit = styled(f"{sha[:10] if sha else '-' * 10}  ", "yellow")
    words = safe(history_line(entry, archive.records.names))
    return f"  {entry.rule.ref}  {commit}{words}{f'; {votes}' if votes else ''}"


def _tally(archive: Archive, entry: HistoryEntry) -> Tally | None:
    return archive.replay.tallies.get(entry.instrument.path) if entry.instrument else None


def votes_said(tally: Tally | None) -> str:
    """`9 for, 1 against`; '' where no vote was taken."""
    if tally is None:
        return ""
    if not tally.recorded:
        return "the votes were not recorded"
    abstained = f", {tally.abstentions} abstaining" if tally.abstain else ""
    return f"{tally.votes_for} for, {tally.votes_against} against{abstained}"
