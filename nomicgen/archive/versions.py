"""The versions that files of the ledger had, commit by commit: when each was decided, and what changed of it after."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from nomicgen.archive.corrections import restated_by
from nomicgen.archive.past import Edit, Since, rewritten
from nomicgen.archive.walk import Walked
from nomicgen.diagnostics import Finding
from nomicgen.files import read_instrument
from nomicgen.law.corrections import corrections_of
from nomicgen.law.events import moments_of
from nomicgen.law.state import Correction
from nomicgen.model import Instrument, JudgementMatter, Moment, ProposalMatter, Records, Settings, Source
from nomicgen.patterns import lazy_pattern

__all__ = ["Rewriting", "Version", "Versions", "is_initial", "is_instrument"]

_FOLDERS = ("proposals/", "judgements/", "acts/")
_STATUS = lazy_pattern(rb"^status: *([a-z]+) *$", re.MULTILINE)
_UNDECIDED = frozenset({b"draft", b"debate", b"open", b"pending"})
_EVER = Moment.parse("9999-12-31")
_NOT_SAID = Settings(format=1, name="Nomic")


def is_instrument(path: str) -> bool:
    """Whether a path is that of a proposal, a judgement or an act."""
    return path.startswith(_FOLDERS) and path.endswith(".md") and path.count("/") == 1


def is_initial(path: str) -> bool:
    """Whether a path is that of a rule of the initial set."""
    return path.startswith("rules/initial/") and path.endswith(".md")


class Version(Struct, frozen=True):
    """What a file was from a commit on: the commit's index, and the id of the content, None where it is gone."""

    index: int
    content: str | None


class Rewriting(Struct, frozen=True):
    """A commit, by its index, that changed what was decided, and what `past-rewritten` says of it."""

    index: int
    finding: Finding


class Versions(Struct):
    """The versions of every instrument, and which commits changed the initial set."""

    of: dict[str, list[Version]] = {}
    initial: dict[int, list[str]] = {}
    _moments: dict[str, tuple[int, Moment | None]] = {}

    @classmethod
    def read(cls, commits: Iterable[Walked], first: int) -> Versions:
        """Those of a line. What was there before the commit of index `first` counts as being its doing."""
        found = cls()
        for commit in commits:
            index = max(commit.index, first)
            for one in commit.touched:
                if is_instrument(one.path):
                    versions = found.of.setdefault(one.path, [])
                    if versions and versions[-1].index == index:
                        versions.pop()
                    versions.append(Version(index, one.content))
                elif is_initial(one.path):
                    found.initial.setdefault(index, []).append(one.path)
        return found

    @property
    def contents(self) -> frozenset[str]:
        """The ids of all that is to be read."""
        found = (one.content for versions in self.of.values() for one in versions)
        return frozenset(one for one in found if one is not None)

    def decided(self, contents: Mapping[str, object]) -> dict[str, list[int]]:
        """The commits, by index, in which each instrument was decided that had not been: one, unless it was undone."""
        found: dict[str, list[int]] = {}
        for path, versions in self.of.items():
            was = False
            for one in versions:
                now = _is_decided(path, contents.get(one.content or ""))
                if now and not was:
                    found.setdefault(path, []).append(one.index)
                was = now
        return found

    def rewritten(self, contents: Mapping[str, object], decided: Mapping[str, list[int]]) -> Iterator[Rewriting]:
        """What commits changed of instruments that had been decided."""
        corrections = self._corrections(contents)
        for path, indices in sorted(decided.items()):
            versions = [one for one in self.of[path] if one.index >= indices[0]]
            if len(versions) > 1:
                yield from self._changed(path, versions, contents, decided, corrections)

    def _corrections(self, contents: Mapping[str, object]) -> dict[int, list[Correction]]:
        """What the acts that each commit brought restate, by the commit's index."""
        found: dict[int, list[Correction]] = {}
        for path, versions in self.of.items():
            data = contents.get(versions[0].content or "")
            if path.startswith("acts/") and isinstance(data, bytes) and b"restates" in data:
                act = _parsed(path, data)
                found.setdefault(versions[0].index, []).extend(corrections_of(act) if act else ())
        return found

    def _changed(
        self,
        path: str,
        versions: list[Version],
        contents: Mapping[str, object],
        decided: Mapping[str, list[int]],
        corrections: Mapping[int, list[Correction]],
    ) -> Iterator[Rewriting]:
        kept, old = versions[0].content, _parsed(path, contents.get(versions[0].content or ""))
        for one in versions[1:]:
            if one.content == kept:
                continue
            new = _parsed(path, contents.get(one.content or ""))
            if one.content is not None and new is None:
                # Its own findings say what is wrong with it; what comes after it is held against what was there before.
                continue
            if old is not None:
                data = contents.get(kept or ""), contents.get(one.content or "")
                made = sorted(corrections.get(one.index, ()), key=lambda one: (one.moment, one.act))
                last = self._last_before(one.index, path, contents, decided) if _is_overruled(old, new) else None
                yield from (Rewriting(one.index, finding) for finding in _judged(old, new, data, last, made))
            if new is not None:
                # What is undecided again may be decided again.
                kept, old = one.content, new if _is_decided(path, contents.get(one.content or "")) else None

    def _last_before(
        self, index: int, path: str, contents: Mapping[str, object], decided: Mapping[str, list[int]]
    ) -> Moment | None:
        """When something was decided last before a commit: nothing is overruled as of an earlier day."""
        if not self._moments:
            for other, indices in decided.items():
                version = next(one for one in self.of[other] if one.index == indices[0])
                instrument = _parsed(other, contents.get(version.content or ""))
                self._moments[other] = (indices[0], moments_of(instrument).decided if instrument else None)
        known = (moment for other, (at, moment) in self._moments.items() if other != path and at < index)
        return max((moment for moment in known if moment is not None), default=None)


def _is_decided(path: str, data: object) -> bool:
    if not isinstance(data, bytes):
        return False
    if path.startswith("acts/"):
        return True
    front = data.partition(b"\n---\n")[0]
    said = _STATUS.findall(front)
    # Thousands of versions are asked; one that is not written as all are is read as a whole.
    if len(said) == 1 and front.count(b"status") == 1 and b"\\" not in front:
        return said[0] not in _UNDECIDED
    instrument = _parsed(path, data)
    return instrument is not None and getattr(instrument.matter, "is_undecided", False) is False


def _parsed(path: str, data: object) -> Instrument | None:
    return read_instrument(path, data)[0] if isinstance(data, bytes) else None


def _is_overruled(old: Instrument, new: Instrument | None) -> bool:
    """Whether a judgement is marked as overruled that was not."""
    return (
        isinstance(old.matter, JudgementMatter)
        and new is not None
        and isinstance(new.matter, JudgementMatter)
        and new.matter.overruled != old.matter.overruled
    )


def _judged(
    old: Instrument,
    new: Instrument | None,
    data: tuple[object, object],
    last: Moment | None,
    corrections: Iterable[Correction],
) -> Iterator[Finding]:
    before, after = (one if isinstance(one, bytes) else None for one in data)
    waits = (
        isinstance(old.matter, ProposalMatter)
        and old.matter.effective is None
        and new is not None
        and new.matter.effective is not None
    )
    alone = _alone(old)
    restated = restated_by(corrections, alone)
    since = Since(last=last, until=_EVER, waiting=frozenset({old.path} if waits else ()), restated=restated)
    yield from rewritten([Edit(old.path, before, after)], alone, _alone(new), since)


def _alone(instrument: Instrument | None) -> Records:
    """Records of nothing but one instrument."""
    found = {} if instrument is None else {instrument.path: instrument}
    return Records(settings=_NOT_SAID, settings_source=Source(file="nomic.yml"), instruments=found)
