"""The lists of proposals, judgements and acts: the page of each, and the words on it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from nomicgen.model.records import InstrumentKind
from nomicgen.site.addresses import ACTS, JUDGEMENTS, PROPOSALS


class InstrumentList(Struct, frozen=True, kw_only=True):
    """A list of instruments: `place` has its page and heading, `by` the key and the label of the
    filter by author.

    `label` stands beside the filter's field for words, `lead` below the heading, `empty` in place
    of a list without entries.
    """

    place: tuple[str, str]
    by: tuple[str, str]
    label: str
    lead: str = ""
    empty: str = ""


LISTS: Mapping[InstrumentKind, InstrumentList] = {
    "proposal": InstrumentList(
        place=(PROPOSALS, "Proposals"),
        by=("author", "Author"),
        label="Filter by number, title or rule",
        empty="Nothing has been proposed yet.",
    ),
    "judgement": InstrumentList(
        place=(JUDGEMENTS, "Judgements"),
        by=("judge", "Judge"),
        label="Filter by number, rule or words",
        lead="What the rules were held to mean.",
        empty="No judgement has been given yet.",
    ),
    "act": InstrumentList(
        place=(ACTS, "Acts"),
        by=("by", "By"),
        label="Filter by cause, rule or words",
        lead="Changes and awards made without a vote or a judgement.",
    ),
}
