"""The certificate of an import: each state of a source, compared with the game's rules at that
state. The one side is read from the source itself, the other from a replay of the game's files.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import islice

from msgspec import Struct, field

from nomicgen.importers.proof_words import count_words, without_marks
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.model.common_keys import Matter
from nomicgen.model.identifiers import Digest
from nomicgen.model.import_record import Difference, Imported, LeftOut, Passage, SourceKind
from nomicgen.model.records import Records

_LISTED = 36
"""The most differences, and the most passages of each kind, that a certificate lists."""
_LEFT_OUT = 2000
"""The most lines that it lists as left out for one reason."""

Options = Mapping[str, Sequence[str]]
"""The values that an import's options were given, by name."""


class Met(Struct):
    """Texts met while states are compared, each with its rule's number, None if it is in no rule.

    `all` has for each the place where it was met first, and how many states have it.
    """

    all: dict[tuple[str, int | None], tuple[str, int]] = {}

    def meet(self, text: str, place: Callable[[], str], rule: int | None = None) -> None:
        """Count a state that has the text."""
        first, states = self.all.get((text, rule)) or (place(), 0)
        self.all[text, rule] = first, states + 1

    @property
    def words(self) -> int:
        """How many words all the texts have; one that is in several states counts once."""
        return sum(count_words(text) for text, _ in self.all)

    @property
    def listed(self) -> list[Passage]:
        """The first of the texts, as the certificate lists them."""
        return [
            Passage(
                place=place,
                rule=rule,
                text=without_marks(text),
                words=count_words(text),
                states=states,
            )
            for (text, rule), (place, states) in islice(self.all.items(), _LISTED)
        ]


class StateTally(Struct, kw_only=True):
    """What a comparison finds: how many states there are, how many differ, and each difference with
    the place where it begins.

    The rest is for sources that are compared by their words. It counts the words of all states:
    those that are placed, among them those on the game's own pages (`paged`), and those that are
    left out (`omitted`). `left_out` says how many words each such line has, by reason and line.
    `nowhere` are passages that the game lacks, `foreign` those that the source lacks.
    """

    states: int = 0
    differing: int = 0
    differences: list[Difference] = []
    words: int = 0
    placed: int = 0
    paged: int = 0
    omitted: int = 0
    left_out: dict[str, dict[str, int]] = {}
    nowhere: Met = field(default_factory=Met)
    foreign: Met = field(default_factory=Met)

    def differ(self, place: str, rule: int, why: str) -> None:
        """Add a difference."""
        self.differences.append(Difference(place=place, rule=rule, why=why))


class Observed(Struct, frozen=True, kw_only=True):
    """A source as it was read: its kind, its SHA-256, and a function that compares a game with it.

    `compare` takes the records, their replay, and the texts of the game's own pages.
    """

    kind: SourceKind
    digest: Digest
    compare: Callable[[Records, Replay, Sequence[str]], StateTally]


def certify(
    observed: Observed,
    records: Records,
    played: Replay,
    source: str,
    options: Options,
    pages: Sequence[str] = (),
    accepted: int | None = None,
) -> Imported:
    """Return the certificate of a game that was imported from a source.

    `source` is the name of that source, and `options` say how it was read. `pages` are the texts of
    the game's own pages. `accepted` is the percentage of words that was accepted as enough, if any.
    """
    tally = observed.compare(records, played, pages)
    return Imported(
        format=1,
        kind=observed.kind,
        source=source,
        options={key: [*values] for key, values in options.items() if values},
        digest=observed.digest,
        states=tally.states,
        identical=tally.states - tally.differing,
        differing=tally.differences[:_LISTED],
        unlisted=max(len(tally.differences) - _LISTED, 0),
        words=tally.words,
        placed=tally.placed,
        paged=tally.paged,
        omitted=tally.omitted,
        left_out=[
            LeftOut(why=why, words=sum(lines.values()), lines=[*islice(lines, _LEFT_OUT)])
            for why, lines in tally.left_out.items()
        ],
        nowhere=tally.nowhere.words,
        passages=tally.nowhere.listed,
        foreign=tally.foreign.words,
        foreign_passages=tally.foreign.listed,
        accepted=accepted,
    )


def certificate_bytes(certificate: Imported) -> bytes:
    """Return a certificate as the file `import.json` holds it."""
    return (json.dumps(_plain(certificate), ensure_ascii=False, indent=2) + "\n").encode()


def _plain(value: object) -> object:
    if isinstance(value, Matter):
        said = ((key, getattr(value, key)) for key in type(value).keys)
        return {key: _plain(one) for key, one in said if one is not None}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def digest_of(parts: Iterable[str | bytes]) -> Digest:
    """Return the SHA-256 of some parts, in hexadecimal; it tells `ab, c` from `a, bc`."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return Digest(digest.hexdigest())


Event = tuple[Rule | None, Rule | None]
"""A rule before and after a change; None before it is enacted, or after it is repealed."""
Events = Mapping[int, Sequence[Event]]
"""The changes that a ledger makes at each state of a source, by the state's index."""


def events_at(places: Sequence[str], records: Records, played: Replay) -> Events:
    """Return the changes that the ledger makes at each place of a source, by the place's index.

    An instrument or an initial rule may name a place, its commit. An initial rule that names none
    of the places counts at the first. An instrument that names none was entered later: it counts at
    the place behind the last one named before it, or behind the first. After the last instrument
    that names a place, none count: they were made since the import.
    """
    index_of = {place: index for index, place in enumerate(places)}
    events: dict[int, list[Event]] = defaultdict(list)
    for file in records.initial.values():
        rule = played.initial.get(file.matter.number)
        if rule is not None:
            events[index_of.get(file.matter.commit or "", 0)].append((None, rule))
    steps = [
        (index_of.get(step.instrument.matter.commit or ""), step.changes) for step in played.steps
    ]
    while steps and steps[-1][0] is None:
        steps.pop()
    last = 0
    for index, changes in steps:
        last = last if index is None else index
        events[last if index is not None else last + 1] += [
            (change.before, change.after) for change in changes
        ]
    return events


def follow(now: dict[int, Rule], event: Event) -> set[int]:
    """Apply an event to the rules `now`, by number, and return the numbers that it touches."""
    before, after = event
    numbers = set()
    if before is not None:
        numbers.add(before.number)
        there = now.get(before.number)
        if there is not None and there.identity == before.identity:
            del now[before.number]
    if after is not None:
        numbers.add(after.number)
        now[after.number] = after
    return numbers
