"""What stands against an amendment of a rule that has provisions: its text says another value, or they stay.

A text is compared with the one in force. What the comparison finds is asked, and never acted upon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.replay.asked_texts import questions_about
from nomicgen.law.replay.state import Rule, Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.records import Instruction, Instrument

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


def text_findings(instrument: Instrument, ruleset: Ruleset) -> Iterator[Finding]:
    """Ask about each text of an instrument; once votes are cast, only what its provisions leave behind is said."""
    matter = instrument.matter
    is_asked = isinstance(matter, ProposalMatter) and matter.status in ("draft", "debate")
    for instruction in instrument.instructions:
        rule = ruleset.get(instruction.target.number) if instruction.target else None
        asked = [*questions_about(instruction, rule, ruleset)] if is_asked else []
        yield from asked
        if instruction.verb == "amend" and rule is not None and not any(finding.is_error for finding in asked):
            yield from _kept(instruction, rule)


def likely_provisions(provisions: Mapping[str, object], old: str, new: str) -> dict[str, object]:
    """Return a rule's provisions with the values that its new text says, where it says others than the old."""
    parted = [*_parted(provisions, old, new)]
    return {key: _with(value, key, parted) for key, value in provisions.items()}


def _kept(instruction: Instruction, rule: Rule) -> Iterator[Finding]:
    """A warning where provisions stay as they are: the amendment does not say them, or its text says another value."""
    block = instruction.block
    if block is not None and block.meaning is not None:
        return
    is_said = block is not None and "provisions" in block.written
    provisions = (block.provisions if block is not None and is_said else rule.provisions) or {}
    parted = [*_parted(provisions, rule.text or "", instruction.text or "")]
    likely = likely_provisions(provisions, rule.text or "", instruction.text or "")
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
