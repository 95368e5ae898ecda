"""Whether what an import placed is enough to found a game, and what to say of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgen.importers.lines import ranges_of
from nomicgen.model.findings import Finding, counted
from nomicgen.model.import_record import Imported, Passage, floored, short_place
from nomicgen.model.values import Span

_PLACED, _LEFT_OUT = 98, 5
"""So many percent of the words are placed at least, and so many are left out at most."""
_LETTERS = 160
_SHOWN = 12


def lacking(certificate: Imported, accepted: int | None = None) -> tuple[str, str] | None:
    """What is wrong with an import of which too little is placed, and what to do; None where there is enough.

    `accepted` is how many percent somebody takes for enough.
    """
    placed, left_out = certificate.shares
    help = "see where they stand; name what is no rule, and why; or take it as it is: --accept"
    if placed < (accepted if accepted is not None else _PLACED):
        return f"only {floored(placed)} % of the words of {certificate.source} have a place in the game", (
            f"{help} {int(placed)}"
        )
    if left_out > (100 - accepted if accepted is not None else _LEFT_OUT):
        return f"{floored(left_out)} % of the words of {certificate.source} are left out", (
            f"{help} {int(100 - left_out)}"
        )
    return None


def nowhere_findings(certificate: Imported) -> Iterator[Finding]:
    """Where the words stand that are nowhere in the game."""
    for passage in certificate.passages[:_SHOWN]:
        name, _, line = passage.place.rpartition(":")
        yield Finding(
            slug="import-outside",
            span=Span(file=short_place(name), line=int(line)),
            message=f"{counted(passage.words, 'word')} without a place in the game: `{shortened(passage)}`",
            help="put them into a rule or the game's own pages, or say why they are left out",
        )


def fault_lines(certificate: Imported, most: int) -> Iterator[str]:
    """What differs between a source and its game, a line each: the first of each kind."""
    groups = [*certificate.groups]
    for place, rules, why, states in groups[:most]:
        yield f"{place}{_many(states)}: Rule{'s' if len(rules) > 1 else ''} {ranges_of(rules)}: {why}"
    if more := certificate.unlisted + sum(len(rules) for _, rules, _, _ in groups[most:]):
        yield f"and {counted(more, 'more rule')} that differ"
    for passages, what in ((certificate.passages, "nowhere"), (certificate.foreign_passages, "in no source")):
        for one in passages[:most]:
            rule = f": Rule {one.rule}" if one.rule else ""
            yield f"{short_place(one.place)}{rule}{_many(one.states)}: {what}: `{shortened(one)}`"
        if len(passages) > most:
            yield f"and {len(passages) - most} more passages that are {what}"


def _many(states: int) -> str:
    return f" in {states} states" if states > 1 else ""


def shortened(passage: Passage) -> str:
    """The words of a passage, the first of many."""
    return passage.text if len(passage.text) <= _LETTERS else f"{passage.text[:_LETTERS].rsplit(' ', 1)[0]} …"


def pages_of(tree: Mapping[str, object]) -> tuple[str, ...]:
    """The texts of the game's own pages."""
    return tuple(
        data.decode(errors="replace")
        for path, data in tree.items()
        if path.startswith("docs/") and path.endswith(".md") and isinstance(data, bytes)
    )
