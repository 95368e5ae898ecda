"""Who wrote each sentence of a rule: for a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from nomicgen.archive.archive_view import Archive
from nomicgen.archive.history_lines import history_line
from nomicgen.archive.passages import Passage, passages, text_entries
from nomicgen.archive.rule_history import Entry, RuleHistory
from nomicgen.formats.json_parts import Document, EntryView, View, entry_fields
from nomicgen.formats.styled_text import Text
from nomicgen.formats.terminal import safe
from nomicgen.law.replay_state import Tally


class VoteCountView(View):
    """How many voted how."""

    for_: int = Field(alias="for", description="how many for it, by hand or otherwise")
    against: int = Field(description="how many against it")
    abstain: int = Field(description="how many abstained")


class OriginView(EntryView):
    """A line of the rule's history that gave it words that still stand."""

    votes: VoteCountView | None = Field(description="the vote; null where none was taken, or none was recorded")


class PartView(View):
    """A stretch of a sentence whose words came together."""

    text: str = Field(description="as it stands there")
    origin: int = Field(description="which of `origins` it came with, counted from 0")
    uncertain: bool = Field(description="whether it may be older, since texts before its origin are lost")


class SentenceView(View):
    """A sentence, a heading, or a row of a table."""

    text: str = Field(description="as it stands there, with the blanks after it")
    parts: tuple[PartView, ...] = Field(description="its stretches in order; together they are the text")


class BlameView(Document):
    """Who wrote each sentence of a rule."""

    number: int = Field(description="the number that the rule bore with this text")
    revision: int = Field(description="the revision whose text it is")
    numbers: tuple[int, ...] = Field(description="the numbers that it ever bore, in order")
    text: str | None = Field(description="the text, as Markdown; null where it is lost")
    origins: tuple[OriginView, ...] = Field(description="what its words came with, the earliest first")
    sentences: tuple[SentenceView, ...] = Field(description="its sentences in order; together they are the text")


def blame_json(archive: Archive, history: RuleHistory, at: int | None = None) -> dict[str, Any]:
    """Who wrote a rule's last text, or that of index `at` of its history."""
    last = text_entries(history, at)[-1]
    rule = history.entries[last].rule
    told = passages(history, at)
    places = {index: place for place, index in enumerate(_origins(told))}
    view = BlameView(
        number=rule.number,
        revision=rule.revision,
        numbers=history.numbers,
        text=rule.text,
        origins=tuple(_origin(archive, history, index) for index in places),
        sentences=tuple(_sentence(one, places) for one in told),
    )
    return view.model_dump(mode="json", by_alias=True)


def _sentence(passage: Passage, places: Mapping[int, int]) -> SentenceView:
    parts = (PartView(text=run.text, origin=places[run.index], uncertain=run.uncertain) for run in passage.runs)
    return SentenceView(text=passage.text, parts=tuple(parts))


def _origin(archive: Archive, history: RuleHistory, index: int) -> OriginView:
    entry = history.entries[index]
    tally = _tally(archive, entry)
    votes: dict[str, int] = {}
    if tally is not None and tally.recorded:
        votes = {
            "for": tally.worth(tally.for_),
            "against": tally.worth(tally.against),
            "abstain": tally.worth(tally.abstain),
        }
    fields = entry_fields(archive, history.identity, index, entry)
    return OriginView(**fields, votes=VoteCountView(**votes) if votes else None)


def blame_text(archive: Archive, history: RuleHistory, at: int | None = None) -> Iterator[Text]:
    """Each sentence, and below it what its words came with: revision, commit, instrument, player, date, votes."""
    for place, passage in enumerate(passages(history, at)):
        if place:
            yield Text()
        yield Text(safe(" ".join(passage.text.split())))
        for index in _origins([passage]):
            runs = [run for run in passage.runs if run.index == index]
            yield _line(archive, history, index)
            if len(runs) < len(passage.runs):
                words = " … ".join(" ".join(run.text.split()) for run in runs)
                yield Text(safe(f"      “{words}”"), "dim")
            if any(run.uncertain for run in runs):
                yield Text("      (texts before it are lost, so some of these words may be older)", "dim")


def _origins(told: Sequence[Passage]) -> tuple[int, ...]:
    return tuple(sorted({run.index for passage in told for run in passage.runs}))


def _line(archive: Archive, history: RuleHistory, index: int) -> Text:
    entry = history.entries[index]
    origin = archive.origins.get((history.identity, index))
    sha = origin.sha if origin else entry.commit
    votes = votes_said(_tally(archive, entry))
    return Text.assemble(
        f"  {entry.rule.ref}  ",
        (f"{sha[:10] if sha else '-' * 10}  ", "yellow"),
        safe(history_line(entry, archive.records.names)),
        f"; {votes}" if votes else "",
    )


def _tally(archive: Archive, entry: Entry) -> Tally | None:
    return archive.replay.tallies.get(entry.instrument.path) if entry.instrument else None


def votes_said(tally: Tally | None) -> str:
    """`9 for, 1 against`; '' where no vote was taken."""
    if tally is None:
        return ""
    if not tally.recorded:
        return "the votes were not recorded"
    abstained = f", {tally.worth(tally.abstain)} abstaining" if tally.abstain else ""
    return f"{tally.worth(tally.for_)} for, {tally.worth(tally.against)} against{abstained}"
