"""The states that `rules/` passes through as the ledger is applied, and which one a commit has.

A *place* in the ledger is a number of instruments: so many that change `rules/` are applied there.
At place 0 `rules/` has the initial set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from msgspec import Struct

from nomicgen.law.checks.run import rule_bytes
from nomicgen.law.replay.results import Replay, Rule, Ruleset, Step
from nomicgen.model.line_commits import TouchedFile

_REACH = 256
"""How many instruments forward and back a state is looked for; farther on, only the last state."""

Blobs = Mapping[str, str | None]
"""The id of the blob at each path of `rules/`; None where there is to be none."""


def is_derived(path: str) -> bool:
    """Return whether a path lies in `rules/` and not in the initial set."""
    return path.startswith("rules/") and not path.startswith("rules/initial/")


class States:
    """The states of `rules/`: the `initial` one, and what each step makes of the one before.

    `steps` are the instruments that change `rules/`. The step at an index changes files as
    `forward` has them there, and `backward` takes it back; `places` has the index of each
    instrument's step, by path.
    """

    def __init__(self, played: Replay, blob: Callable[[bytes], str]) -> None:
        """`blob` returns the id that the repository's git gives to bytes."""
        self._blob_id = blob
        self._ids: dict[int, str] = {}
        self._rules: dict[str, Rule] = {}
        self._kept: list[Rule] = []  # an id() is a rule's own only while the rule lives
        self.initial = {f"rules/{rule.number}.md": self._id(rule) for rule in played.initial}
        self.steps: list[Step] = []
        self.forward: list[Blobs] = []
        self.backward: list[Blobs] = []
        self.places: dict[str, int] = {}
        for step in played.steps:
            if step.outcome == "applied":
                self._append(step)

    def _append(self, step: Step) -> None:
        numbers = {
            rule.number
            for change in step.changes
            for rule in (change.before, change.after)
            if rule is not None
        }
        before, after = (self._files(ruleset, numbers) for ruleset in (step.before, step.after))
        changed = [path for path in after if after[path] != before[path]]
        if not changed:
            return
        self.places[step.instrument.path] = len(self.steps)
        self.steps.append(step)
        self.forward.append({path: after[path] for path in changed})
        self.backward.append({path: before[path] for path in changed})

    def _files(self, ruleset: Ruleset, numbers: Iterable[int]) -> Blobs:
        rules = {number: ruleset.get(number) for number in sorted(numbers)}
        return {
            f"rules/{number}.md": self._id(rule) if rule else None for number, rule in rules.items()
        }

    def _id(self, rule: Rule) -> str:
        blob = self._ids.get(id(rule))
        if blob is None:
            blob = self._ids[id(rule)] = self._blob_id(rule_bytes(rule))
            self._kept.append(rule)
            self._rules[blob] = rule
        return blob

    def bytes_of(self, blob: str | None) -> bytes:
        """Return the bytes of an id that some state gives; b'' for None."""
        return rule_bytes(self._rules[blob]) if blob is not None else b""

    def place_of(self, files: Mapping[str, str], besides: Iterable[str] = ()) -> int | None:
        """Return the last place at which `rules/` is as `files` (blobs by path) have it; None if it
        never is. Differences at the paths `besides` are allowed.
        """
        tracker = Tracker(self)
        tracker.touch(TouchedFile(path, blob) for path, blob in files.items())
        tracker.go(len(self.steps))
        excused = frozenset(besides)
        while tracker.wrong - excused:
            if not tracker.at:
                return None
            tracker.go(tracker.at - 1)
        return tracker.at


class Settled(Struct, frozen=True, kw_only=True):
    """Where a commit brought `rules/`: from the place `before` to the place `after`.

    `fresh` are the paths that differ from the ledger there, and that the commit changed or that
    agreed before. `mended` are those that differed before and agree now.
    """

    before: int
    after: int
    fresh: tuple[str, ...]
    mended: tuple[str, ...]


class Tracker:
    """`rules/` as one commit after the other has it, compared with the states of a ledger.

    `actual` has the blobs of the last commit that was taken over, `given` those of the ledger at
    the place `at`, and `wrong` the paths at which they differ.
    """

    def __init__(self, states: States) -> None:
        self.states = states
        self.at = 0
        self.actual: dict[str, str] = {}
        self.given: dict[str, str] = dict(states.initial)
        self.wrong: set[str] = set(self.given)

    def touch(self, touched: Iterable[TouchedFile]) -> frozenset[str]:
        """Take over what a commit changed in `rules/`, and return the paths."""
        paths = set()
        for touch in touched:
            if is_derived(touch.path):
                paths.add(touch.path)
                if touch.blob is None:
                    self.actual.pop(touch.path, None)
                else:
                    self.actual[touch.path] = touch.blob
        self._compare(paths)
        return frozenset(paths)

    def settle(self, touched: Iterable[TouchedFile], named: Iterable[str] = ()) -> Settled | None:
        """Take a commit over, go to the place that `rules/` is at now, and return what changed;
        None where the commit changes nothing in `rules/`.

        It is the place with the fewest new differences; of several the first in this order: that of
        the instruments that the commit's message names (`named`), the present one, later ones. An
        earlier place is taken only if it has no new differences, and none of these is so good.
        """
        known, start = frozenset(self.wrong), self.at
        paths = self.touch(touched)
        if not paths:
            return None
        if not self._go_best(self._later_places(start, named), paths, known):
            # An earlier place has to fit wholly: a commit that also does something else has not
            # taken anything back.
            self._go_best(
                (self.at, *range(start - 1, max(start - _REACH, 0) - 1, -1)),
                paths,
                known,
                partly=False,
            )
        fresh = (path for path in self.wrong if path in paths or path not in known)
        return Settled(
            before=start,
            after=self.at,
            fresh=tuple(sorted(fresh)),
            mended=tuple(sorted(known - self.wrong)),
        )

    def find(self) -> tuple[str, ...]:
        """Go to the place that fits best, wherever it is. Return the paths of the files that the
        commit has and that differ even there.
        """
        self._go_best(range(len(self.states.steps) + 1), frozenset(), frozenset())
        return tuple(sorted(path for path in self.wrong if path in self.actual))

    def _go_best(
        self, places: Iterable[int], paths: Set[str], known: Set[str], *, partly: bool = True
    ) -> bool:
        """Go to the first of `places` with the fewest fresh differences, and return whether it has
        none. Fresh ones are at `paths`, which the commit changed, or not `known` from before.

        Without `partly`, go to one that has none, or else to the first.
        """
        best, least = self.at, None
        for place in places:
            self.go(place)
            fresh = sum(1 for path in self.wrong if path in paths or path not in known)
            if least is None or (fresh < least and (partly or not fresh)):
                best, least = place, fresh
            if not least:
                break
        self.go(best)
        return least == 0

    def _later_places(self, start: int, named: Iterable[str]) -> Iterator[int]:
        last = len(self.states.steps)
        hinted = [self.states.places[path] + 1 for path in named if path in self.states.places]
        if hinted:
            yield max(hinted)
        yield start
        yield from range(start + 1, min(start + _REACH, last) + 1)
        yield last

    def go(self, place: int) -> None:
        """Compare the files with the state at another place."""
        while self.at < place:
            self._give(self.states.forward[self.at])
            self.at += 1
        while self.at > place:
            self.at -= 1
            self._give(self.states.backward[self.at])

    def _give(self, blobs: Blobs) -> None:
        for path, blob in blobs.items():
            if blob is None:
                self.given.pop(path, None)
            else:
                self.given[path] = blob
        self._compare(blobs)

    def _compare(self, paths: Iterable[str]) -> None:
        for path in paths:
            if self.actual.get(path) == self.given.get(path):
                self.wrong.discard(path)
            else:
                self.wrong.add(path)
