"""What corrections restate: what an act by `nomicgen correct` says that a file said wrongly. As
keys and findings for judging a change, and in words for pages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from nomicgen.history.past.boundary import RestatedKeys, file_key
from nomicgen.law.checks.corrections import shown
from nomicgen.law.precedence import Law
from nomicgen.law.replay.awarded_points import wrong_dice
from nomicgen.law.replay.results import Correction, Replay
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import recorded_words
from nomicgen.model.records import Records, Turn


def restated_keys(corrections: Iterable[Correction], before: Records) -> Mapping[str, RestatedKeys]:
    """Return what corrections say of each file about the past, by path: `{"votes.wren": ("for",
    "against")}`. Several of one key count as one, from the first value to the last.
    """
    restated: dict[str, dict[str, tuple[str | None, str | None]]] = {}
    for correction in corrections:
        record = before.at(correction.file)
        if record is not None and not record.matter.is_undecided:
            of_file = restated.setdefault(correction.file, {})
            was, _ = of_file.get(correction.key, (correction.was, correction.now))
            of_file[correction.key] = (was, correction.now)
    return restated


def wrong_quotations(corrections: Iterable[Correction], before: Records) -> Iterator[Finding]:
    """Yield a finding for each correction whose `was` is not what the file said before. Of several
    corrections of one key, only the first quotes the file.
    """
    seen: set[tuple[str, str]] = set()
    for correction in corrections:
        record = before.at(correction.file)
        recorded = record.matter.fields().get(correction.key) if record is not None else None
        if (correction.file, correction.key) not in seen and recorded != correction.was:
            yield Finding(
                slug="correction-wrong",
                span=correction.span,
                message=f"this says that `{correction.key}` of {correction.file} was "
                f"{shown(correction.was)}, "
                f"and it is {shown(recorded)}",
                help="write into `was` what the file says without this change; if it says "
                "nothing, leave out `was`",
            )
        seen.add((correction.file, correction.key))


def standing_throws(
    corrections: Iterable[Correction], before: Records, played: Replay
) -> Iterator[Finding]:
    """Yield a finding for each correction of dice in a turn that goes on, if it has none, or if the
    rules allow those that it has.
    """
    for correction in corrections:
        turn = before.at(correction.file)
        if (
            not isinstance(turn, Turn)
            or turn.matter.ended is not None
            or file_key(correction.key) != "dice"
        ):
            continue
        law = Law.of(played.current, before.settings, played.until)
        if not turn.matter.dice:
            message = f"turn {turn.ident} goes on and has no throw yet, so none is corrected"
            remedy = (
                f"`nomicgen turn {turn.ident} --dice FACE` records one; in a browser, add "
                f"`dice: [FACE]` to {correction.file}"
            )
        elif wrong_dice(turn, law, before.players, played.until):
            continue
        else:
            message = (
                f"turn {turn.ident} goes on, and the rules allow the dice that it has, so nothing "
                "in them is corrected"
            )
            remedy = (
                "correct it when the turn is over; till then, only a throw that the rules refuse "
                "is corrected"
            )
        yield Finding(slug="correction-wrong", span=correction.span, message=message, help=remedy)


def without_restated(played: Replay, restated: Collection[str]) -> Replay:
    """Return a replay without the votes and points of restated files, and without who won if there
    are such files: corrections may change these.
    """
    return replace(
        played,
        tallies={path: tally for path, tally in played.tallies.items() if path not in restated},
        awards=tuple(award for award in played.awards if award.span.file not in restated),
        winner=None if restated else played.winner,
    )


def correction_words(correction: Correction) -> str:
    """Return words such as `the vote of wren was recorded as for, but was against`."""
    was = "was not recorded" if correction.was is None else f"was recorded as {correction.was}"
    is_now = "there was none" if correction.now is None else f"was {correction.now}"
    return f"{recorded_words(correction.key)} {was}, but {is_now}"
