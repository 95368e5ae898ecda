"""What stands against the text of an amendment: provisions that it leaves behind, and an order in a text's place.

A text is compared with the one in force. What the comparison finds is asked, and never acted upon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nomicgen.files.file_findings import quoted
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.replay.state import Rule, Ruleset
from nomicgen.law.unread_provisions import is_standing
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instruction, Instrument

_EDITS = (
    r"(?i)[\W_]*(?:(?:please|let['’]s|let us|we should|we could|i['’]d like to|i want to|i would like to)[\W_]+)*"
    r"(?:add|amend|append|change|cut|delete|drop|exchange|insert|lower|make|omit|raise|remove|rename|repeal|reword"
    r"|rewrite|replace|set|strike|substitute|swap)\b"
    r"|[\W_]*(?:i (?:think|propose|suggest|want|would)|in rule [0-9]|rule [0-9/]+\s*:)"
)
"""How an order to an editor begins, or words to those who vote."""
_COMPARES = r"(?i)->|=>|→|\binstead of\b|\bthe rest (?:\w+ )?(?:stays|remains|is the same)\b"
"""What compares a text with one that it is not."""
_QUOTED = r"""["“”„«»`]([^"“”„«»`\n]+)["“”„«»`]|(?<!\w)['‘‚]([^\n]+?)['’‘](?!\w)"""
_FAR = 2
"""How many times as long as an order the text is that the order would take the place of."""

_SHARES = {
    "two-thirds": re.compile(r"\btwo[\s-]+thirds(?:\s+majority)?\b|\b2/3\b", re.IGNORECASE),
    "majority": re.compile(r"\bmajority\b|\bmore\s+than\s+half\b", re.IGNORECASE),
    "unanimous": re.compile(
        r"\bunanim\w+|\b(?:all|every)\s+(?:eligible\s+)?(?:votes?|voters?|players?)\b", re.IGNORECASE
    ),
}
"""How texts say each share of votes; the first is taken out before the second is looked for."""
_COUNTS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_REFERENCE = r"(?i)\b(?:rules?|proposals?)\s+[0-9]+(?:/[0-9]+)?(?:(?:,|\s+and|\s+or)\s+[0-9]+)*"
_NUMBER = rf"(?i)\b(?:[0-9]+|{'|'.join(_COUNTS)})\b"


def amendment_findings(instrument: Instrument, ruleset: Ruleset) -> Iterator[Finding]:
    """What stands against each amendment of an instrument; nothing is asked any more once votes are cast."""
    matter = instrument.matter
    is_asked = isinstance(matter, ProposalMatter) and matter.status in ("draft", "debate")
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        if instruction.verb == "amend" and rule is not None:
            order = _order(instruction, rule) if is_asked else None
            yield from [order] if order is not None else _kept(instruction, rule)


def _kept(instruction: Instruction, rule: Rule) -> Iterator[Finding]:
    """A warning where provisions stay as they are: the amendment does not say them, or its text says another value."""
    block = instruction.block
    if block is not None and block.meaning is not None:
        return
    is_said = block is not None and "provisions" in block.written
    provisions = (block.provisions if block is not None and is_said else rule.provisions) or {}
    parted = [*_parted(provisions, rule.text or "", instruction.text or "")]
    likely = {key: _with(value, key, parted) for key, value in provisions.items()}
    shown = f"```yaml rule\n{write_yaml({'provisions': likely}).decode()}```"
    if parted:
        both = "; ".join(
            f"{said} in the text, `{_key(path)}: {value}` in the provisions" for path, value, said in parted
        )
        yield Finding(
            slug="provisions-differ",
            span=instruction.span,
            message=f"the new text of Rule {rule.ref} and its provisions part ways: {both}",
            help="a program follows the provisions: if the text is right, let the block below the heading be this one",
            detail=shown,
        )
    elif rule.law and not is_said:
        yield Finding(
            slug="provisions-kept",
            span=instruction.span,
            message=f"Rule {rule.ref} keeps its provisions ({', '.join(rule.law.kinds)}), whatever the new text says",
            help="put this block below the heading and edit it (`provisions: {}` removes them); or, if the text means "
            "the same, `meaning: stands` in a block",
            detail=shown,
        )


_Path = tuple[str | int, ...]


def _parted(provisions: Mapping[str, object], old: str, new: str) -> Iterator[tuple[_Path, str, str]]:
    """The values that a text no longer says, where it says one other that it did not say before: that, in its place."""
    shares, numbers = _shares(new), _numbers(new)
    new_shares, new_numbers, gone = shares - _shares(old), numbers - _numbers(old), _numbers(old) - numbers
    for path, value in _leaves(provisions, ()):
        if value in _SHARES and value not in shares and len(new_shares) == 1:
            yield path, value, next(iter(new_shares))
        elif (digits := value.removeprefix("-")) in gone and len(gone) == len(new_numbers) == 1:
            yield path, value, f"{value.removesuffix(digits)}{next(iter(new_numbers))}"


def _leaves(value: object, path: _Path) -> Iterator[tuple[_Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping | list | tuple):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield from _leaves(item, (*path, key))


def _key(path: _Path) -> str:
    return next(str(step) for step in reversed(path) if isinstance(step, str))


def _with(value: object, key: str, parted: list[tuple[_Path, str, str]]) -> object:
    """A provision with the values that the text says."""

    def written(part: object, path: _Path) -> object:
        if isinstance(part, Mapping):
            return {name: written(item, (*path, name)) for name, item in part.items()}
        if isinstance(part, list | tuple):
            return [written(item, (*path, index)) for index, item in enumerate(part)]
        return next((said for where, _, said in parted if where == path), part)

    return written(value, (key,))


def _shares(text: str) -> frozenset[str]:
    said = set()
    for share, pattern in _SHARES.items():
        text, count = pattern.subn("", text)
        said |= {share} if count else set()
    return frozenset(said)


def _numbers(text: str) -> frozenset[str]:
    words = (match[0].casefold() for match in re.finditer(_NUMBER, re.sub(_REFERENCE, "", text)))
    return frozenset(str(_COUNTS.index(word) + 1) if word in _COUNTS else word for word in words)


def _order(instruction: Instruction, rule: Rule) -> Finding | None:
    """An error for a text that is an order about the text that it would replace, unless its author has confirmed it.

    It begins as an order to an editor, and quotes words of the text in force or is shorter than that; or it is far
    shorter, and quotes them or compares something with them.
    """
    old, new, block = rule.text or "", instruction.text or "", instruction.block
    orders, compares = re.match(_EDITS, new) is not None, re.search(_COMPARES, new) is not None
    quotes = any(is_standing(match[1] or match[2], old) for match in re.finditer(_QUOTED, new))
    kept, words = len(new.split()), len(old.split())
    is_far_shorter = kept * _FAR < words
    is_order = (orders and (quotes or kept < words)) or (is_far_shorter and (quotes or compares))
    if not is_order or (block is not None and block.text == "whole"):
        return None
    return Finding(
        slug="text-is-order",
        span=instruction.span,
        message=f"{quoted(' '.join(new.split()), 80)} would be the whole text of Rule {rule.ref}, and nothing of the "
        f"{words} words in force would stay",
        help="write the whole new text below the heading; or, if this is to be all of it, "
        "`text: whole` in a `yaml rule` block",
    )
