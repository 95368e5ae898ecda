"""What corrections restate: for whoever judges a change by it, and in words for whoever reads a page. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from nomicgen.history.past.boundary import RestatedKeys
from nomicgen.model.findings import Finding
from nomicgen.law.checks.corrections import shown
from nomicgen.law.replay.state import Correction, Replay
from nomicgen.model import Records
from nomicgen.patterns import lazy_pattern

_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (lazy_pattern(pattern, re.ASCII), words)
    for pattern, words in (
        (r"votes\.([^.]+)", "the vote of {0}"),
        (r"votes\.([^.]+)\.at", "the day of the vote of {0}"),
        (r"votes\.([^.]+)\.die", "the die of {0}"),
        (r"votes\.([^.]+)\.cast_by", "who cast the vote of {0}"),
        (r"votes\.([^.]+)\.source", "the source of the vote of {0}"),
        (r"date", "the date"),
        (r"opened", "the day on which the vote opened"),
        (r"decided", "the day of the decision"),
        (r"effective", "the day of the effect"),
        (r"overruled", "the day of the overruling"),
        (r"began", "the day on which it began"),
        (r"ended", "the day on which it ended"),
        (r"joined", "the day of joining"),
        (r"left", "the day of leaving"),
        (r"dice\.\d+", "die {place}"),
        (r"points\.\d+\.(player|amount|reason)", "the {0} in line {place} of its points"),
    )
)
_PLACE = lazy_pattern(r"\.(\d+)")
_EARLIER = lazy_pattern(r"earlier\.(\d+)\.", re.ASCII)


def restated_keys(corrections: Iterable[Correction], before: Records) -> Mapping[str, RestatedKeys]:
    """What corrections say of each file that told of the past before them: several of one key are one."""
    restated: dict[str, dict[str, tuple[str | None, str | None]]] = {}
    for correction in corrections:
        record = before.at(correction.file)
        if record is not None and not record.matter.is_undecided:
            of_file = restated.setdefault(correction.file, {})
            was, _ = of_file.get(correction.key, (correction.was, correction.now))
            of_file[correction.key] = (was, correction.now)
    return restated


def wrong_quotations(corrections: Iterable[Correction], before: Records) -> Iterator[Finding]:
    """Corrections that say of a file that it was what it was not."""
    seen: set[tuple[str, str]] = set()
    for correction in corrections:
        record = before.at(correction.file)
        recorded = record.matter.fields().get(correction.key) if record is not None else None
        if (correction.file, correction.key) not in seen and recorded != correction.was:
            yield Finding(
                slug="correction-wrong",
                span=correction.span,
                message=f"this says that `{correction.key}` of {correction.file} was {shown(correction.was)}, "
                f"and it is {shown(recorded)}",
                help="write into `was` what the file says without this change; if it says nothing, leave out `was`",
            )
        seen.add((correction.file, correction.key))


def without_restated(played: Replay, restated: Collection[str]) -> Replay:
    """A replay without the votes and the points of files that are restated, and without who won."""
    return replace(
        played,
        tallies={path: tally for path, tally in played.tallies.items() if path not in restated},
        awards=tuple(award for award in played.awards if award.span.file not in restated),
        winner=None if restated else played.winner,
    )


def field_words(key: str) -> str:
    """A recorded field as a sentence calls it: `the vote of wren`."""
    earlier = _EARLIER.match(key)
    inner = key[earlier.end() :] if earlier else key
    place = _PLACE.search(inner)
    match, words = next((match_of_form, words) for form, words in _WORDS if (match_of_form := form.fullmatch(inner)))
    field = words.format(*match.groups(), place=int(place[1]) + 1 if place else "")
    return f"{field} at submission {int(earlier[1]) + 1}" if earlier else field


def correction_words(correction: Correction) -> str:
    """`the vote of wren was recorded as for, and was against`."""
    was = "was not recorded" if correction.was is None else f"was recorded as {correction.was}"
    return (
        f"{field_words(correction.key)} {was}, and {'was none' if correction.now is None else f'was {correction.now}'}"
    )
