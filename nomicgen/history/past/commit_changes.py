"""What a commit changes in the files of instruments, players, turns and settings, and which of
these changes are to be examined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from nomicgen.history.past.boundary import is_before, past_finding
from nomicgen.law.replay.correction_acts import corrections_of
from nomicgen.law.replay.results import Correction
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ActMatter, ProposalMatter
from nomicgen.model.records import Act, Instrument, Player, Records, Turn
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, Source

Record = Instrument | Player | Turn | Settings


class CommitChange(Struct, frozen=True):
    """How a commit changes the files of instruments, players, turns and settings.

    `before` and `after` have the records of the files that it changes, and of no others. `blobs`
    has for each path the id of the file before and after, None for no file.
    """

    before: Records
    after: Records
    blobs: Mapping[str, tuple[str | None, str | None]]

    @property
    def corrections(self) -> list[Correction]:
        """What the new acts of the commit correct, in the order in which the corrections count."""
        acts = (
            instrument
            for path, instrument in sorted(self.after.instruments.items())
            if path not in self.before.instruments
        )
        return sorted(
            (each for act in acts if isinstance(act, Act) for each in corrections_of(act)),
            key=lambda correction: (correction.moment, correction.act),
        )

    @property
    def given_their_day(self) -> frozenset[str]:
        """The paths of proposals in whose files the commit writes the day of their effect.

        Only a replay can tell whether that is the day of the turn for which they waited.
        """
        pairs = (
            (old, self.after.instruments.get(path)) for path, old in self.before.instruments.items()
        )
        given = (old for old, new in pairs if new is not None and new.matter.effective is not None)
        return frozenset(
            proposal.path
            for proposal in given
            if proposal.kind == "proposal" and proposal.matter.effective is None
        )

    @property
    def to_be_examined(self) -> list[str]:
        """The paths of changes that the keeper's commands do not make in the ordinary course.

        Ordinary changes may have an old date: a proposal is decided as of the end of its vote, and
        `nomicgen next --do` may write something down late.
        """
        return [path for path in self.blobs if not self._is_ordinary(path)]

    def _is_ordinary(self, path: str) -> bool:
        """Return whether the change at `path` is that of a proposal that was new or undecided, a
        new act of a rule, or the passing of a turn.
        """
        old, new = self.before.at(path), self.after.at(path)
        if isinstance(new, Instrument) and isinstance(new.matter, ProposalMatter):
            return old is None or old.matter.is_undecided
        if isinstance(new, Instrument):
            return (
                old is None and isinstance(new.matter, ActMatter) and _is_of_rule(new, new.matter)
            )
        if (
            isinstance(old, Turn)
            and isinstance(new, Turn)
            and new.matter.passed
            and old.matter.ended is None
        ):
            return old.matter == new.matter.replace(ended=None, passed=False)
        return False

    def late_points(self, last: Moment | None) -> Iterator[Finding]:
        """Yield a finding for each new proposal with `points` that was decided before `last`, the
        moment of the last decision.
        """
        for path, new in self.after.instruments.items():
            decided = new.decided
            given = (
                new.kind == "proposal" and path not in self.before.instruments and new.matter.points
            )
            if given and decided is not None and is_before(decided, last):
                message = (
                    f"{new.name} gives points on {decided}, and something was decided on {last}"
                )
                yield past_finding(
                    new.source.key("points"), message, f"give them by an act, on {last} or later"
                )

    def without(self, restated: frozenset[str]) -> tuple[Records, Records]:
        """Return the records before and after, without the files that corrections restate."""
        paths = [path for path in self.blobs if path not in restated]
        before, after = (
            {path: records.at(path) for path in paths} for records in (self.before, self.after)
        )
        return records_of(before), records_of(after)


def records_of(files: Mapping[str, Record | None]) -> Records:
    """Return the records of a game that has these files, by path, and no others."""
    records = files.values()
    return Records(
        settings=next(
            (record for record in records if isinstance(record, Settings)),
            Settings(format=1, name="Nomic"),
        ),
        settings_source=Source(file="nomic.yml"),
        players={record.ident: record for record in records if isinstance(record, Player)},
        turns={record.ident: record for record in records if isinstance(record, Turn)},
        instruments={
            path: instrument
            for path, instrument in files.items()
            if isinstance(instrument, Instrument)
        },
    )


def _is_of_rule(act: Instrument, matter: ActMatter) -> bool:
    """Return whether a rule did the act, and it changes only that rule and gives no points."""
    own = matter.by_rule
    targets = {
        instruction.target.number if instruction.target is not None else None
        for instruction in act.instructions
    }
    return own is not None and targets == {own} and not matter.points
