"""A commit that is named after several instruments, parted among them: where the changed rules tell which is which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.git_changes import Change
from nomicgen.importers.git_past import PastCommit
from nomicgen.importers.git_sides import BroughtCommit
from nomicgen.importers.git_subjects import NamedInstrument, Subjects
from nomicgen.importers.git_texts import number_of_file


class InstrumentPart(Struct, frozen=True, kw_only=True):
    """What one of several instruments changed; `brought` has the commit that carries its author and date."""

    brought: BroughtCommit
    classed: NamedInstrument
    changes: tuple[Change, ...]


def parts_of(
    brought: BroughtCommit, classed: NamedInstrument, changes: Sequence[Change], subjects: Subjects
) -> list[InstrumentPart] | None:
    """The instruments in the order of their numbers, each with its changes; None where it is not certain whose one is.

    A commit of a merge's side says what it is, and which files it changed. Else a rule that comes under the number of
    one of the proposals is made by it, and if one change and one number are left, they belong together.
    """
    named = _sides(brought, subjects)
    by_side = [_of_side(one, named) for one in changes]
    numbers = [number if number is not None else None for number in by_side]
    if None in numbers or not named:
        numbers = _by_number(changes, classed.several)
    if None in numbers or len(set(numbers)) < 2:
        return None
    found = []
    for number in sorted({number for number in numbers if number is not None}):
        own = tuple(one for one, other in zip(changes, numbers, strict=True) if other == number)
        side, what = named.get(number, (None, None))
        found.append(
            InstrumentPart(
                brought=replace(brought, source=side) if side is not None else brought,
                classed=replace(
                    what or classed, number=number, cause=str(number), several=(), rest=what.rest if what else ""
                ),
                changes=own,
            )
        )
    return found if _apart(one.changes for one in found) else None


def _sides(brought: BroughtCommit, subjects: Subjects) -> dict[int, tuple[PastCommit, NamedInstrument]]:
    """The last commit of a merge's side that each number is named by."""
    found: dict[int, tuple[PastCommit, NamedInstrument]] = {}
    for one in brought.side:
        said = subjects.of(one.subject)
        if one.touched and said.number is not None and not said.several:
            found.setdefault(said.number, (one, said))
    return found


def _of_side(change: Change, named: dict[int, tuple[PastCommit, NamedInstrument]]) -> int | None:
    """The number whose commit changed the file of a rule, if only one did."""
    found = [
        number
        for number, (commit, _) in named.items()
        if any(number_of_file(one.path) in change.numbers for one in commit.touched)
    ]
    return found[0] if len(found) == 1 else None


def _by_number(changes: Sequence[Change], numbers: Sequence[int]) -> list[int | None]:
    """For each change the number of the proposal that made it."""
    found = [
        one.after.number
        if one.after is not None
        and one.after.number in numbers
        and (one.before is None or one.before.number != one.after.number)
        else None
        for one in changes
    ]
    left = [number for number in numbers if number not in found]
    if found.count(None) == len(left) == 1:
        found[found.index(None)] = left[0]
    return found


def _apart(parts: Iterable[Iterable[Change]]) -> bool:
    """Whether no number is given or taken by two of them: then their order says nothing."""
    seen: set[int] = set()
    for changes in parts:
        numbers = frozenset().union(*(one.numbers for one in changes))
        if numbers & seen:
            return False
        seen |= numbers
    return True
