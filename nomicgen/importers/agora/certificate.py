"""Agora's rules as a source to compare a game with: each version that the data, or the repository's
history, has of a rule of the data.

A rule's file says its text, name and power, and not which revision in the ledger that is. So some
revision must have all three, and the versions must follow each other there in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from nomicgen.importers.agora.history import tier_of
from nomicgen.importers.agora.instructions import sound_text, sound_title
from nomicgen.importers.agora.read import Data, RuleData
from nomicgen.importers.agora.texts import AgoraText, Seen
from nomicgen.importers.certificate import Observed, StateTally, digest_of
from nomicgen.importers.proof_words import words_of
from nomicgen.law.replay.results import OPENING, Replay, Rule, Ruleset
from nomicgen.model.front_matters import ActMatter
from nomicgen.model.records import Records


class _Version(Struct, frozen=True, kw_only=True):
    """A version of a rule's file: the text, title and tier that a revision in the ledger should
    have. A tier of None fits any.
    """

    text: str
    title: str | None
    tier: str | None

    def differs(self, rule: Rule) -> tuple[str, ...]:
        """Return what differs from a revision in the ledger: `text`, `title`, `tier`."""
        has_words = words_of(self.text) == words_of(rule.text or "")
        pairs = (
            ("text", has_words),
            ("title", self.title == rule.title),
            ("tier", self.tier in (None, rule.tier)),
        )
        return tuple(what for what, same in pairs if not same)


_Placed = tuple[str, _Version]
"""A version with its place: a path of the data, or a commit and a path of the repository."""


def observe(
    files: Mapping[str, bytes], data: Data, seen: Sequence[Seen], read: Sequence[AgoraText]
) -> Observed:
    """Return Agora's data as a source to compare a game with, together with its repository's
    history.

    `seen` are the files of that history, `read` the texts that were read in them.
    """
    parts = (part for path in sorted(files) for part in (path, files[path]))
    past = (f"{file.commit} {file.path}" for file in seen)
    listed = frozenset(number for category in data.categories for number in category.rules)
    versions: dict[int, list[_Placed]] = defaultdict(list)
    for version in read:
        if version.number in data.rules:
            place = f"{version.seen.commit}:{version.seen.path}"
            rule = data.rules[version.number]
            _add(
                versions[version.number],
                place,
                _version_of(rule, version.text, version.name, version.power),
            )
    for rule in data.rules.values():
        _add(
            versions[rule.number],
            rule.path,
            _version_of(rule, rule.text, rule.name, rule.power or ""),
        )

    def compare(_: Records, played: Replay, __: Sequence[str]) -> StateTally:
        tally = StateTally()
        chains, end = _chains(played), _end(played)
        for number, seen_versions in sorted(versions.items()):
            _compare(number, seen_versions, chains.get(number, ()), tally)
            if listed and (number in listed) is not (end.get(number) is not None):
                place, last = seen_versions[-1][0], tally.differences[-1:]
                if not last or last[0].place != place:  # else `_compare` has counted this version
                    tally.differing += 1
                why = "missing in the ledger" if number in listed else "only in the ledger"
                tally.differ(place, number, why)
        return tally

    return Observed(kind="agora", digest=digest_of((*parts, *past)), compare=compare)


def _add(versions: list[_Placed], place: str, rule: _Version) -> None:
    """Add a version, unless it is the same as the one before."""
    if not versions or versions[-1][1] != rule:
        versions.append((place, rule))


def _version_of(rule: RuleData, text: str, name: str | None, power: str) -> _Version:
    # Warnings go into a `Data` that nobody reads: the import has reported them already.
    return _Version(
        text=sound_text(text, "", None, Data(), is_ascii_art=rule.is_ascii_art) or "",
        title=sound_title(name, rule.path, Data()) if name else None,
        tier=tier_of(power),
    )


def _chains(played: Replay) -> Mapping[int, Sequence[Rule]]:
    """Return by number every revision of the rules that ever bore it: rule by rule, each in the
    ledger's order.
    """
    revisions: dict[int, list[Rule]] = defaultdict(list)
    numbers: dict[int, set[int]] = defaultdict(set)
    changed = (
        change.after for step in played.steps for change in step.changes if change.after is not None
    )
    for rule in (*played.initial, *changed):
        revisions[rule.identity].append(rule)
        numbers[rule.number].add(rule.identity)
    return {
        number: [rule for identity in sorted(identities) for rule in revisions[identity]]
        for number, identities in numbers.items()
    }


def _end(played: Replay) -> Ruleset:
    """Return the ruleset with which the archive ends: before the game was opened for play, if it
    was.
    """
    for step in played.steps:
        if (
            isinstance(step.instrument.matter, ActMatter)
            and step.instrument.matter.cause == OPENING
        ):
            return step.before
    return played.current


def _compare(
    number: int, seen_versions: Iterable[_Placed], chain: Sequence[Rule], tally: StateTally
) -> None:
    """Compare the versions of a rule with its revisions in the ledger (`chain`), and add to the
    tally.
    """
    last = 0
    for place, source in seen_versions:
        fits = [(source.differs(rule), at < last, at) for at, rule in enumerate(chain)]
        why, earlier, at = min(fits, key=_worse, default=(("missing in the ledger",), False, 0))
        if "text" not in why:
            last = max(last, at)
            why = (*why, "order") if earlier else why
        tally.states += 1
        if why:
            tally.differing += 1
            tally.differ(place, number, ", ".join(why))


def _worse(fit: tuple[tuple[str, ...], bool, int]) -> tuple[bool, int, bool, int]:
    """Return a sort key for what differs from a revision: the same text goes before all else."""
    why, earlier, at = fit
    return "text" in why, len(why), earlier, at
