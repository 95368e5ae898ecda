"""`import.json`: what a game was imported from, and how far its ledger gives that back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Literal

from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described
from nomicgen.model.types import Bounds, NotEmpty
from nomicgen.model.values import Count, Integer, Number, Text
from nomicgen.patterns import lazy_pattern

IMPORT = "import.json"
_COMMIT = lazy_pattern("[0-9a-f]{40}|[0-9a-f]{64}")
_WORDS = {"missing in the ledger": "the ledger lacks it", "only in the ledger": "the source lacks it"}
SourceKind = Literal["text", "long", "git", "agora"]


class Difference(Matter):
    """A rule that differs between ledger and source."""

    place: Text = described("where the source first has it: a commit, or a line of the file")
    rule: Number = described("the rule's number there")
    why: Text = described("what differs: `text`, `title`, `tier`, `void`, `revision`, or which side lacks the rule")
    states: Annotated[Integer, Bounds(least=1)] = described("in how many states it differs", default=1)


class Imported(Matter):
    """`import.json`, the certificate of an import: each state of the source, held against the ledger."""

    format: Annotated[Integer, Bounds(least=1, most=1)] = described("the form of the file; 1")
    kind: SourceKind = described("what the source is")
    source: Text = described("what the source was called")
    options: dict[str, Annotated[list[Text], NotEmpty()]] = described("the options of the import", default={})
    digest: Text = described("SHA-256 of what was read, in hexadecimal")
    states: Count = described("how many states of the ruleset the source has")
    identical: Count = described("for how many of them the ledger has the same rules")
    rewrapped: Count = described("how many more states differ only in line breaks", default=0)
    differing: list[Difference] = described("what differs, in the order of the source", default=[])
    unlisted: Count = described("how many more rules differ and are not listed", default=0)

    @property
    def groups(self) -> Iterator[tuple[str, tuple[int, ...], str, int]]:
        """What differs in the same way at one place: the place, short if it is a commit, the rules, what is so,
        and in how many states.
        """
        for (place, why, states), some in groupby(
            self.differing, lambda difference: (difference.place, difference.why, difference.states)
        ):
            name, colon, rest = place.partition(":")
            short = name[:12] if _COMMIT.fullmatch(name) else name
            words = _WORDS.get(why, f"the ledger has another {' and '.join(why.split(', '))}")
            yield f"{short}{colon}{rest}", tuple(difference.rule for difference in some), words, states

    @property
    def told(self) -> str:
        """`935 of 938 states identical; 3 differ`."""
        gone = self.states - self.identical - self.rewrapped
        rest = f", {self.rewrapped} but for line breaks" if self.rewrapped else ""
        rest += f"; {gone} {'differ' if gone > 1 else 'differs'}" if gone else ""
        return f"{self.identical} of {self.states} {'states' if self.states != 1 else 'state'} identical{rest}"
