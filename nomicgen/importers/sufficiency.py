"""Whether an import placed enough of a source's words to found a game, and what to say of
the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape

from nomicgen.files.file_findings import quoted
from nomicgen.importers.lines import ranges_of
from nomicgen.importers.proof_headings import alien_numbers
from nomicgen.model.findings import Finding, counted
from nomicgen.model.import_record import Imported, Passage, floor_percent, short_place
from nomicgen.model.values import Span

_NOWHERE, _LEFT_OUT, _PAGED = 2, 5, 10
"""The most percent of the words that may be nowhere, left out, or on pages that look like rules."""
_LABELLED = r"(?m)^#{2,6}[ \t]+[^\s#]{0,6}[0-9]"
"""A heading that begins with a label such as `UC1` or `A-2`."""
_LETTERS = 160
"""The most letters of a passage that are shown."""
_REASONS = 3
"""The most reasons to leave words out that are named."""
_SHOWN = 12
"""The most passages without a place that become findings."""


def why_too_little(
    certificate: Imported, pages: Iterable[str], accepted: int | None = None
) -> tuple[str, str] | None:
    """Return why an import has placed too little, and what to do; None where it has placed enough.

    `pages` are the game's own: where they look like rules, not much may stand there. `accepted` is
    the percentage that was accepted as enough: each of the three shares may be the rest of 100.
    """
    placed, left_out = certificate.shares
    texts = [unescape(page) for page in pages]
    is_law = any(alien_numbers(text, 0) or re.search(_LABELLED, text) for text in texts)
    paged = 100 * certificate.paged / certificate.words if is_law and certificate.words else 0
    words = f"% of the words of {certificate.source}"
    name_it = "see where they stand; name what is no rule, and why"
    for share, most, wrong, help in (
        (
            100 - placed,
            _NOWHERE,
            f"only {floor_percent(placed)} {words} have a place in the game",
            name_it,
        ),
        (
            left_out,
            _LEFT_OUT,
            f"{floor_percent(left_out)} {words} are left out{_reasons(certificate)}",
            "let the map leave less out",
        ),
        (
            paged,
            _PAGED,
            f"{floor_percent(paged)} {words} stand above the rules, and look like rules",
            name_it,
        ),
    ):
        if share > (100 - accepted if accepted is not None else most):
            return wrong, f"{help}; or accept it as it is: --accept {int(100 - share)}"
    return None


def _reasons(certificate: Imported) -> str:
    """Return why words are left out, with the first line of each reason, most words first."""
    most = sorted(certificate.left_out, key=lambda one: -one.words)[:_REASONS]
    said = [f"{quoted(one.lines[0], 40)} as {quoted(one.why)}" for one in most if one.lines]
    return f", such as {', '.join(said)}" if said else ""


def nowhere_findings(certificate: Imported) -> Iterator[Finding]:
    """Yield where the words stand that are nowhere in the game."""
    for passage in certificate.passages[:_SHOWN]:
        name, _, line = passage.place.rpartition(":")
        yield Finding(
            slug="import-outside",
            span=Span(file=short_place(name), line=int(line)),
            message=f"{counted(passage.words, 'word')} without a place in the game: "
            f"`{first_words(passage)}`",
            help="put them into a rule or the game's own pages, or say why they are left out",
        )


def fault_lines(certificate: Imported, most: int) -> Iterator[str]:
    """Yield what differs between a source and its game, a line for each difference: of each kind
    the first `most`, and how many more there are.
    """
    groups = [*certificate.groups]
    for place, rules, why, states in groups[:most]:
        yield (
            f"{place}{_many(states)}: Rule{'s' if len(rules) > 1 else ''} {ranges_of(rules)}: {why}"
        )
    if more := certificate.unlisted + sum(len(rules) for _, rules, _, _ in groups[most:]):
        yield f"and {counted(more, 'more rule')} that differ"
    for passages, what in (
        (certificate.passages, "nowhere"),
        (certificate.foreign_passages, "in no source"),
    ):
        for one in passages[:most]:
            rule = f": Rule {one.rule}" if one.rule else ""
            yield f"{short_place(one.place)}{rule}{_many(one.states)}: {what}: `{first_words(one)}`"
        if len(passages) > most:
            yield f"and {len(passages) - most} more passages that are {what}"


def _many(states: int) -> str:
    return f" in {states} states" if states > 1 else ""


def first_words(passage: Passage) -> str:
    """Return the words of a passage, shortened."""
    return (
        passage.text
        if len(passage.text) <= _LETTERS
        else f"{passage.text[:_LETTERS].rsplit(' ', 1)[0]} …"
    )


def pages_of(tree: Mapping[str, object]) -> tuple[str, ...]:
    """Return the texts of the game's own pages."""
    return tuple(
        data.decode(errors="replace")
        for path, data in tree.items()
        if path.startswith("docs/") and path.endswith(".md") and isinstance(data, bytes)
    )
