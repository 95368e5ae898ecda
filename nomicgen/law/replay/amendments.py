"""Warnings about the amendment of a rule that has provisions: the new text says another value, or
the provisions stay while the text changes.

A text is compared with the one in force. The author is asked about the differences; the program
itself changes nothing because of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.replay.asked_texts import findings_about
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instruction, Instrument

_SHARES = {
    "two-thirds": re.compile(r"\btwo[\s-]+thirds(?:\s+majority)?\b|\b2/3\b", re.IGNORECASE),
    "majority": re.compile(r"\bmajority\b|\bmore\s+than\s+half\b", re.IGNORECASE),
    "unanimous": re.compile(
        r"\bunanim\w+|\b(?:all|every)\s+(?:eligible\s+)?(?:votes?|voters?|players?)\b",
        re.IGNORECASE,
    ),
}
"""How texts say each share of votes. Found words are cut out before the next share is looked for:
`two-thirds majority` is no majority.
"""
_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_COUNTS = {
    **{word: number for number, word in enumerate((*_UNITS, *_TEENS), 1)},
    **{word: number * 10 for number, word in enumerate(_TENS, 2)},
    **{
        f"{ten}-{unit}": tens * 10 + ones
        for tens, ten in enumerate(_TENS, 2)
        for ones, unit in enumerate(_UNITS, 1)
    },
    "hundred": 100,
    "thousand": 1000,
}
"""What each number word means; `two hundred` is two of them."""
# References to rules and proposals, whose numbers are no values; and numbers, in digits or words.
_REFERENCE = r"(?i)\b(?:rules?|proposals?)\s+[0-9]+(?:/[0-9]+)?(?:(?:,|\s+and|\s+or)\s+[0-9]+)*"
_NUMBER = rf"(?i)\b(?:[0-9]+|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})(?!-)\b"


def text_findings(instrument: Instrument, ruleset: Ruleset) -> Iterator[Finding]:
    """Yield what is wrong with the texts of a draft or a proposal in debate, or may be; and for
    every instrument, warnings of provisions that differ from an amended text, or stay.
    """
    matter = instrument.matter
    is_asked = isinstance(matter, ProposalMatter) and matter.status in ("draft", "debate")
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        asked = [*findings_about(instruction, rule, ruleset)] if is_asked else []
        yield from asked
        if (
            instruction.verb == "amend"
            and rule is not None
            and not any(finding.is_error for finding in asked)
        ):
            yield from _about_provisions(instruction, rule)


def likely_provisions(provisions: Mapping[str, object], rule: Rule, text: str) -> dict[str, object]:
    """Return provisions with the values of a rule's new text, where it is clear which go where."""
    found = [*_conflicts(provisions, rule, text)]
    said_instead = [said for _, _, said in found]
    # If two values are contradicted by the same words, nobody knows which of them is meant.
    clear = [conflict for conflict in found if said_instead.count(conflict[2]) == 1]
    return {key: _corrected(value, key, clear) for key, value in provisions.items()}


def _about_provisions(instruction: Instruction, rule: Rule) -> Iterator[Finding]:
    """Yield a warning if a text contradicts its provisions, or changes while they stay."""
    block, text, before = instruction.block, instruction.text or "", rule.provisions or {}
    if block is not None and block.meaning is not None:
        return
    is_said = block is not None and "provisions" in block.written
    provisions = (block.provisions or {}) if block is not None and is_said else before
    conflicts = [*_conflicts(provisions, rule, text)]
    keys: dict[str, object] = {"provisions": likely_provisions(provisions, rule, text)}
    if block is not None and block.text == "whole":
        keys["text"] = "whole"  # its author has said so; nobody says it unseen, by copying
    shown = f"```yaml rule\n{write_yaml(keys).decode()}```"
    if conflicts:
        both = "; ".join(
            f"{' or '.join(said)} in the text, `{_key(path)}: {value}` in the provisions"
            for path, value, said in conflicts
        )
        yield Finding(
            slug="provisions-differ",
            span=instruction.span,
            message=f"the new text of Rule {rule.ref} and its provisions say different values: "
            f"{both}",
            help="a program follows the provisions: if the text is right, let the block below "
            "the heading say the same",
            detail=shown,
        )
    elif rule.law and provisions == before and text != rule.text:
        yield Finding(
            slug="provisions-kept",
            span=instruction.span,
            message=f"Rule {rule.ref} keeps its provisions ({', '.join(rule.law.kinds)}), "
            "whatever the new text says",
            help="put this block below the heading and edit it (`provisions: {}` removes them); "
            "or, if the text means "
            "the same, `meaning: stands` in a block",
            detail=shown,
        )


_Path = tuple[str | int, ...]
"""Keys and indexes that lead to a value in provisions: `("adoption", 0, "needs")`."""
_Conflict = tuple[_Path, str, tuple[str, ...]]
"""Where a value stands in provisions, the value, and what the text says instead, or may say."""


def _conflicts(provisions: Mapping[str, object], rule: Rule, text: str) -> Iterator[_Conflict]:
    """Yield the values of provisions that the new text contradicts.

    There are three cases. The new text drops a value of the provisions in force, and says one that
    it did not say before. Or the provisions have a new value in the place of one that the text in
    force says, and the new text says a number that no provision has. Or a loss became a gain.
    Zero is not asked about, since texts say it in words, nor is a value in a new place.
    """
    old, places = rule.text or "", dict(_leaves(rule.provisions or {}, ()))
    before = set(places.values())
    shares, numbers, leaves = _shares(text), _numbers(text), [*_leaves(provisions, ())]
    new_shares, new_numbers = shares - _shares(old), numbers - _numbers(old)
    # `100` may be gone although the text still says `a hundred` somewhere.
    gone = (_numbers(old) - numbers) | (_figures(old) - _figures(text))
    was_said = {*_numbers(old), *(f"-{number}" for number in _numbers(old))}
    unsaid = numbers - {digits for _, value in leaves for digits in re.findall(r"[0-9]+", value)}
    for path, value in leaves:
        digits = value.removeprefix("-")
        if value in _SHARES and value not in shares and new_shares:
            yield path, value, (*sorted(new_shares),)
        elif value in before and digits in gone and new_numbers:
            yield (
                path,
                value,
                (*(f"{value.removesuffix(digits)}{new}" for new in sorted(new_numbers, key=int)),),
            )
        elif digits == value and digits.isdigit() and places.get(path, "").startswith("-"):
            yield path, value, (f"-{value}",)
        elif (
            value not in before
            and digits not in {*numbers, "0"}
            and unsaid
            and places.get(path, "") in was_said
        ):
            yield (
                path,
                value,
                (*(f"{value.removesuffix(digits)}{new}" for new in sorted(unsaid, key=int)),),
            )


def _leaves(value: object, path: _Path) -> Iterator[tuple[_Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping | list | tuple):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _leaves(item, (*path, key))


def _key(path: _Path) -> str:
    """Return the last key on a path, which may end with the index of a list."""
    return next(str(step) for step in reversed(path) if isinstance(step, str))


def _corrected(value: object, key: str, conflicts: list[_Conflict]) -> object:
    """Return a provision, the value of `key`, with the values that the text says instead.

    A value stays if the text may mean several others.
    """

    def written(part: object, path: _Path) -> object:
        if isinstance(part, Mapping):
            return {name: written(item, (*path, name)) for name, item in part.items()}
        if isinstance(part, list | tuple):
            return [written(item, (*path, index)) for index, item in enumerate(part)]
        return next(
            (said[0] for where, _, said in conflicts if where == path and len(said) == 1), part
        )

    return written(value, (key,))


def _shares(text: str) -> frozenset[str]:
    """Return the shares of votes that a text says, as keys of `_SHARES`."""
    said = set()
    for share, pattern in _SHARES.items():
        text, count = pattern.subn("", text)
        said |= {share} if count else set()
    return frozenset(said)


def _figures(text: str) -> frozenset[str]:
    """Return the numbers that a text says in digits, except those of rules and proposals."""
    return frozenset(re.findall(r"\b[0-9]+\b", re.sub(_REFERENCE, "", text)))


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers that a text says in digits or in words, as digits."""
    words = (match[0].casefold() for match in re.finditer(_NUMBER, re.sub(_REFERENCE, "", text)))
    return frozenset(str(_COUNTS.get(word, word)) for word in words)
