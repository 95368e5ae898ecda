"""`import.json`: what a game was imported from, and how faithfully its ledger reproduces it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Literal

from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described
from nomicgen.model.types import Bounds, NotEmpty
from nomicgen.model.values import Count, Integer, Number, Text

IMPORT = "import.json"
"""The certificate of an import (`Imported`)."""
IMPORT_MAP = "import.yml"
"""The map by which the source was read. A game keeps it beside the certificate."""
_COMMIT = "[0-9a-f]{40}|[0-9a-f]{64}"
_WHAT_DIFFERS = {  # words for `Difference.why`; any other `why` names parts of the rule
    "glued": "another rule's number stands in the text",
    "heading": "a heading is a text, or a text a heading",
    "number": "another number stands above the text",
    "missing in the ledger": "the ledger lacks it",
    "only in the ledger": "the source lacks it",
}
SourceKind = Literal["text", "long", "git", "agora"]


class Difference(Matter):
    """A rule in which the ledger and the source differ."""

    place: Text = described("where the source first has it: a commit, or a line of the file")
    rule: Number = described("the rule's number there")
    why: Text = described(
        "what differs: `number`, `heading`, `glued` (another rule stands in its text). For Agora: "
        "`text`, `title`, `tier`, or a remark that one side lacks the rule"
    )
    states: Annotated[Integer, Bounds(least=1)] = described(
        "in how many states it differs", default=1
    )


class LeftOut(Matter):
    """What was left out of a source for one reason."""

    why: Text = described("the reason, as the map of the source gives it")
    words: Count = described("how many words that is; equal lines are counted once")
    lines: list[Text] = described("the first 2,000 of these lines at most, each in full")


class Passage(Matter):
    """Words that the source has and the ledger has not, or the other way round."""

    place: Text = described(
        "where the source first has them; or the state in which the ledger first has them"
    )
    text: Text = described("the words")
    words: Count = described("how many there are")
    states: Annotated[Integer, Bounds(least=1)] = described(
        "in how many states they are there", default=1
    )
    rule: Number | None = described("the rule of the ledger that has them", default=None)


class Imported(Matter):
    """`import.json`, an import's certificate: each state of the source, held against the ledger."""

    format: Annotated[Integer, Bounds(least=1, most=1)] = described("the form of the file; 1")
    kind: SourceKind = described("what the source is")
    source: Text = described("what the source was called")
    options: dict[str, Annotated[list[Text], NotEmpty()]] = described(
        "the options of the import", default={}
    )
    digest: Text = described("SHA-256 of what was read, in hexadecimal")
    states: Count = described("how many states of the ruleset the source has")
    identical: Count = described(
        "for how many of them the ledger has the same words in the same order"
    )
    rewrapped: Count | None = described(
        "states that differed in line breaks; old files have it, new ones do not", default=None
    )
    differing: list[Difference] = described(
        "which rules differ in more than line breaks, in the order of the source", default=[]
    )
    unlisted: Count = described("how many more rules differ and are not listed", default=0)
    words: Count = described("how many words all states of the source have", default=0)
    placed: Count = described("how many of these words the game has where they belong", default=0)
    paged: Count = described(
        "how many of the placed words are in no rule, but on pages in `docs/`", default=0
    )
    omitted: Count = described("how many of the source's words are left out on purpose", default=0)
    left_out: list[LeftOut] = described("what is left out, and why", default=[])
    nowhere: Count = described(
        "how many words of the source are nowhere; equal passages are counted once", default=0
    )
    passages: list[Passage] = described(
        "the first passages of the source that are nowhere", default=[]
    )
    foreign: Count = described(
        "how many words of the ledger the source lacks; equal passages count once", default=0
    )
    foreign_passages: list[Passage] = described(
        "the first passages that only the ledger has", default=[]
    )
    accepted: Integer | None = described(
        "`--accept`: the percentage that was accepted as enough", default=None
    )

    @property
    def groups(self) -> Iterator[tuple[str, tuple[int, ...], str, int]]:
        """Yield the rules that differ in the same way at one place.

        For each such group: the place (short if it is a commit), the numbers of the rules, how they
        differ, and in how many states.
        """
        for (place, why, states), some in groupby(
            self.differing, lambda difference: (difference.place, difference.why, difference.states)
        ):
            what = _WHAT_DIFFERS.get(why, f"the ledger has another {' and '.join(why.split(', '))}")
            yield short_place(place), tuple(difference.rule for difference in some), what, states

    @property
    def shares(self) -> tuple[float, float]:
        """Two percentages: how many of the words that are not left out are placed, and how many of
        all words are left out.
        """
        kept = self.words - self.omitted
        return (
            100 * self.placed / kept if kept else 100,
            100 * self.omitted / self.words if self.words else 0,
        )

    @property
    def told(self) -> str:
        """The result in a line: `61 of 64 states identical; 98.7 % of the words placed, 214 …`."""
        gone = self.states - self.identical
        rest = f"; {gone} {'differ' if gone > 1 else 'differs'}" if gone and not self.words else ""
        return f"{self.identical} of {self.states} states identical{rest}{self._told_of_words}"

    @property
    def _told_of_words(self) -> str:
        if not self.words:
            return ""
        said = (
            ["every word placed"]
            if not self.nowhere
            else [f"{floor_percent(self.shares[0])} % of the words placed"]
        )
        said += [f"{_counted_words(self.nowhere)} nowhere"] if self.nowhere else []
        said += [f"{_counted_words(self.foreign)} in no source"] if self.foreign else []
        said += (
            [f"{floor_percent(100 * self.paged / self.words)} % on a page"] if self.paged else []
        )
        said += [f"{floor_percent(self.shares[1])} % left out"] if self.omitted else []
        said += [f"--accept {self.accepted}"] if self.accepted is not None else []
        return f"{'; ' if self.nowhere or self.foreign else ', '}{', '.join(said)}"


def floor_percent(percent: float) -> str:
    """Return a percentage rounded down to a tenth: `99.9` for 99.96, since that is not all."""
    return f"{int(percent * 10) / 10:g}"


def short_place(place: str) -> str:
    """Return a place, with a commit's id shortened."""
    name, colon, rest = place.partition(":")
    return f"{name[:12] if re.fullmatch(_COMMIT, name) else name}{colon}{rest}"


def _counted_words(count: int) -> str:
    return f"{count} word{' is' if count == 1 else 's are'}"
