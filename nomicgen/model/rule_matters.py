"""The front matter of a rule's file, and the `yaml rule` block of an instruction, which has most of
its keys.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described
from nomicgen.model.types import ReadWith
from nomicgen.model.values import CommitField, Count, Ident, Moment, Number, Text


def _void(value: object) -> object:
    if value in ("true", "false", True, False):
        return value in ("true", True)
    try:
        return Moment.parse(value)
    except ValueError:
        raise ValueError("should be true, or a date such as 2020-08-01") from None


Void = Annotated[Moment | bool, ReadWith(_void, {"type": ["boolean", "string"]})]
"""Whether a rule is without force, or the day from which it is."""


def _unread(value: object) -> object:
    if value in ("true", "false"):
        return value == "true"
    if (
        isinstance(value, list)
        and len(value) <= 100
        and all(value)
        and all(isinstance(passage, str) for passage in value)
    ):
        return value
    raise ValueError("should be true, or a list of passages of the rule's text, 100 at most")


Unread = Annotated[
    bool | list[str],
    ReadWith(
        _unread,
        {
            "anyOf": [
                {"type": "boolean"},
                {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 100},
            ]
        },
    ),
]


def _lost(value: object) -> str:
    if value != "lost":
        raise ValueError("should be `lost`")
    return "lost"


class RuleKeys(Matter):
    """What stands before the text of a rule, in a file or in an instruction's block."""

    section: Text | None = described(
        "one of `sections` in nomic.yml", default=None, by="author", names="section"
    )
    provisions: dict[str, Any] | None = described(
        "what the program enforces of the rule; `{}`: nothing", default=None, by="author"
    )
    defines: list[Text] | None = described(
        "terms that other rules' pages link to", default=None, by="author"
    )
    unread: Unread | None = described(
        "passages of the text that no program reads, or true for all; `[]`: none",
        default=None,
        by="author",
    )
    void: Void | None = described(
        "the rule has no force and stays listed: `true`, or its first day without force; `false` "
        "gives its force back. In a block, only under `Mark`; it is judged as a repeal",
        default=None,
        by="author",
    )
    note: Text | None = described(
        "a remark for readers, without force; in a block, only under `Mark`",
        default=None,
        by="author",
    )
    text: Annotated[str, ReadWith(_lost, {"const": "lost", "type": "string"})] | None = described(
        "`lost` if the text did not survive", default=None, by="author"
    )


class RuleMatter(RuleKeys, by="program"):
    """What stands before the text in `rules/203.md` and `rules/initial/203.md`."""

    number: Number = described("the rule's number")
    mutability: Ident = described("its tier, one of `tiers` in nomic.yml", names="tier")
    revision: Count = described("how often its text was amended; the program counts it", default=0)
    title: Text | None = described("what the rule is called", default=None)
    commit: CommitField | None = described(
        "in archives: the commit of the old repository that has the text", default=None
    )


class RuleBlock(RuleKeys):
    """The fenced `yaml rule` block after an instruction's heading."""

    mutability: Ident | None = described(
        "Enact only: the tier of the new rule", default=None, by="author"
    )
    reenacts: Number | None = described(
        "Enact only: the repealed rule that comes back", default=None, by="author"
    )
    revision: Count | None = described(
        "the revision that it makes, if not the next one: only with `reenacts`, or if the "
        "front matter of the instrument has a `commit`",
        default=None,
        by="author",
    )
    text: Literal["lost", "whole"] | None = described(
        "`lost` if the text did not survive; `whole` if the text below is all that the rule is to "
        "say, though it reads like an order, has mark-up or is much shorter",
        default=None,
        by="author",
    )
    meaning: Literal["stands"] | None = described(
        "Amend only: `stands` if the new text means what the provisions of the rule say",
        default=None,
        by="author",
    )
