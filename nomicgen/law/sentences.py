"""The English sentence of a provision. It is made from the values that the program applies, so
nobody votes for a sentence that says one number and gets another.

Each kind's module words its own sentences. Here is what all have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import TypeVar, cast

from nomicgen.law.kind import DayCount, Provision, as_field
from nomicgen.law.kinds import kinds
from nomicgen.law.reading import Provisions

_P = TypeVar("_P", bound=Provision)
_T = TypeVar("_T")
Phrase = str | Mapping[object, str] | Callable[[_P], str]
"""How to word a field of a provision: a text with `{}` for the value, a text for each value, or a
function from the provision to a text. Among texts for values, that of `None` is for all others.
`{}` is filled in with the unit, if the value is of days or points.
"""


def sentences(provisions: Provisions) -> tuple[str, ...]:
    """Return a sentence for each provision of a rule, in the order of the rule."""
    return tuple(sentence(provision) for many in provisions.kinds.values() for provision in many)


def sentence(provision: Provision) -> str:
    """Return the sentence of one provision."""
    return kinds()[provision.kind].sentence(provision) + _precedence(provision)


def _precedence(provision: Provision) -> str:
    says = "says" if len(provision.over) == 1 else "say"
    over = (
        f" It goes before what {_rules(provision.over)} {says} about this."
        if provision.over
        else ""
    )
    return over + (f" It gives way to {_rules(provision.under)}." if provision.under else "")


def _rules(numbers: tuple[int, ...]) -> str:
    return f"Rule{'s' * (len(numbers) > 1)} {joined(numbers)}"


def as_sentence(text: str) -> str:
    """Return the text with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


def joined(words: Iterable[object], last: str = "and") -> str:
    """Return words as a list in a sentence: `for`, `for and against`, `1, 2 or 3`."""
    listed = [str(word) for word in words]
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def with_article(word: str) -> str:
    """Return a word with its article: `an observer`, `a speaker`."""
    return f"{'an' if word[:1] in set('aeiou') else 'a'} {word}"


def days_words(count: int) -> str:
    """Return a number of days in words: `a day`, `3 days`."""
    return "a day" if count == 1 else f"{count} days"


def signed(value: Fraction) -> str:
    """Return a number, with a minus sign and not a hyphen before a negative one."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else str(value)


def points_words(amount: Fraction) -> str:
    """Return an amount with its unit: `1 point`, `20/3 points`."""
    return f"{signed(amount)} {'point' if abs(amount) == 1 else 'points'}"


def by_field(words: Mapping[str, Phrase[_P]], otherwise: str = "") -> Callable[[_P], str]:
    """Return a kind's `sentence`, made from a phrase for each field; `otherwise` is the sentence of
    a provision that leaves all of these out.
    """

    def sentence_of(provision: _P) -> str:
        return as_sentence("; ".join(phrases(provision, words)) or otherwise)

    return sentence_of


def worded(field: _T | None, words: Callable[[_T], str]) -> Callable[[Provision], str]:
    """Return the phrase of a field such as `Ballot.quorum`, whose value `words` puts into words."""
    return lambda provision: words(cast("_T", provision.value(as_field(field).key[1])))


def phrases(provision: _P, words: Mapping[str, Phrase[_P]]) -> list[str]:
    """Return what a provision says in its fields, in the order of `words`."""
    values = ((phrase, getattr(provision, name)) for name, phrase in words.items())
    return [_phrase(provision, phrase, value) for phrase, value in values if value is not None]


def _phrase(provision: _P, phrase: Phrase[_P], value: object) -> str:
    if isinstance(phrase, Mapping):
        return _phrase(provision, phrase.get(value) or phrase[None], value)
    return phrase.format(_with_unit(value)) if isinstance(phrase, str) else phrase(provision)


def _with_unit(value: object) -> str:
    if isinstance(value, DayCount):
        return days_words(value)
    return points_words(value) if isinstance(value, Fraction) else str(value)
