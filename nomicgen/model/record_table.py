"""A table of changes that happened elsewhere, as a keeper types it for `nomicgen record --from`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described
from nomicgen.model.types import Fault, JsonSchema, ReadWith, type_of
from nomicgen.model.values import Boolean, Ident, InexactDate, Moment, Number, Text

_CHANGE_KEYS = ("text", "file", "enact", "repeal", "title", "renumber", "transmute")
"""Keys of a row that say what became of the rule."""
LOST = "lost"
"""The value of `text` if the text did not survive."""
UNKNOWN = "unknown"
"""The value of `on` if nobody knows the day."""
FORMS = "`2019-08`, `about 2019`, `between 2019-08 and 2019-10`"
"""Examples of days that are known in part, for messages."""
_UNTITLED = ("true", "yes")
"""Values of `enact` for a new rule without a title."""


_UNKNOWN: JsonSchema = {"const": UNKNOWN, "type": "string"}


def _day(value: Any) -> Moment | None:
    if value == UNKNOWN:
        return None
    try:
        return Moment.parse_inexact(value)
    except ValueError as error:
        message = str(error)
        why = f"{message}; " if "calendar" in message else ""
        raise ValueError(
            f"{why}write the day, such as 2020-06-01, what is known of it, or `unknown`: {FORMS}"
        ) from None


RowDay = Annotated[
    Moment | None, ReadWith(_day, {"anyOf": [type_of(InexactDate).schema({}), _UNKNOWN]})
]


class ChangeRow(Matter):
    """One change of one rule. Keys are left out if nobody knows what to write."""

    rule: Number | None = described(
        "the rule's number that day; for a new rule, the one that it got", default=None
    )
    on: RowDay = described(
        "the day, such as 2020-06-01; left out or `unknown` if nobody knows it", default=None
    )
    by: Text | None = described(
        "what did it: `Proposal 305`, `Judgement 4`, or another name", default=None
    )
    author: Text | None = described("the player who proposed it, or did it", default=None)
    status: Literal["defeated", "withdrawn"] | None = described(
        "what became of a proposal that was not adopted; what it would have changed may be left "
        "out",
        default=None,
    )
    source: Text | None = described("where to see it: an address, or a description", default=None)
    note: Text | None = described("a remark", default=None)
    text: Text | None = described(
        "the whole text that the rule got; `lost` if it did not survive", default=None
    )
    file: Text | None = described("a file beside the table with this text", default=None)
    enact: Text | None = described("the title of the new rule; `true` if it had none", default=None)
    repeal: Boolean = described("true: the rule was repealed", default=False)
    title: Text | None = described("the title that the rule got", default=None)
    renumber: Number | None = described("the number that the rule got", default=None)
    transmute: Ident | None = described("the tier that the rule got", default=None)

    @classmethod
    def faults(cls, data: Mapping[str, Any]) -> Iterator[Fault]:
        changed = [key for key in _CHANGE_KEYS if data.get(key) not in (None, "false")]
        if "text" in changed and "file" in changed:
            yield Fault(("file",), "should be left out, since `text` stands here as well")
        if not data.keys() <= cls.names.keys():
            return  # a key that is written wrongly may be the one that is missing
        if "enact" in changed:
            if "text" not in changed and "file" not in changed:
                yield Fault(
                    ("text",), "the text of the new rule; or `file`, or `text: lost`", "missing"
                )
            for key in ("repeal", "renumber", "title"):
                if key in changed:
                    yield Fault(
                        (key,),
                        "should stand in a row of its own, below the row that enacts the rule",
                    )
            return
        if "status" in data and not changed:
            if "by" not in data:
                yield Fault(("by",), "the proposal, such as `Proposal 305`", "missing")
            return
        if "rule" not in data:
            yield Fault(("rule",), "the number that the rule had that day", "missing")
        if not changed:
            yield Fault(
                ("text",),
                f"what changed: one of {', '.join(_CHANGE_KEYS[:-1])} or {_CHANGE_KEYS[-1]}",
                "missing",
            )
        if "repeal" in changed and len(changed) > 1:
            yield Fault(("repeal",), "should stand in a row of its own")

    @property
    def is_lost(self) -> bool:
        """Whether the text did not survive."""
        return self.text == LOST

    @property
    def called(self) -> str | None:
        """The title of a new rule; None if it had none, or no rule is enacted."""
        return None if self.enact is None or self.enact.casefold() in _UNTITLED else self.enact


class ChangeTable(Matter):
    """Changes that happened before a game was kept here."""

    changes: list[ChangeRow] = described("a row for each change of a rule")
