"""What a kind of provision is: a schema, a sentence, and how the words of several rules combine.

Here are the base classes of the schemas too, and the types of fields that several of them have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, ClassVar, Generic, Literal, TypeVar, cast

from msgspec import Struct

from nomicgen.model.file_model import Model, described
from nomicgen.model.types import Bounds, NotEmpty, ReadWith
from nomicgen.model.values import Ident, ListOrOne, NonEmptyListOrOne, Number

_T = TypeVar("_T")
_P = TypeVar("_P", bound="Provision")
ChangeVerb = Literal["enact", "amend", "repeal", "transmute"]
Holder = Annotated[dict[Literal["role"], Ident], NotEmpty()]
"""Players with a role: `{role: herald}`."""
Many = Number | Literal["any"]
"""How many there may be: a number, or any number."""
Verbs = ListOrOne[ChangeVerb]
Doings = NonEmptyListOrOne[Literal[ChangeVerb, "void"]]
"""What an authority may do to rules."""
Sources = NonEmptyListOrOne[Literal["proposal", "judgement", "act", "turn"]]
"""Files that can give points by hand."""
Involved = NonEmptyListOrOne[Literal["caller", "author"]]
"""Players who have a part in what a judgement is about."""
Tiers = NonEmptyListOrOne[Ident]


class DayCount(int):
    """A number of days. `str` has the unit, too: `7 days`; in an f-string it is a number: `7`."""

    def __str__(self) -> str:
        return f"{self} day{'' if self == 1 else 's'}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec)


def _days(text: object) -> DayCount:
    """Read `7 days`, `1 day` and `7`."""
    match = re.fullmatch(r"(0|[1-9][0-9]{0,8})( days?)?", str(text))
    if match is None:
        raise ValueError("should be a number of days such as 7 or `7 days`")
    return DayCount(match[1])


_DAYS_SCHEMA = {
    "anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+ days?$"}]
}
Days = Annotated[int, ReadWith(_days, _DAYS_SCHEMA)]
PositiveDays = Annotated[Days, Bounds(least=1)]


class Field:
    """A field of a kind of provision, by which the law is asked.

    `Ballot.debate` is the field; `ballot.debate` is what was written, or the default. mypy believes
    that `Ballot.debate` is the value itself: so it knows that `law.value(Ballot.debate)` is a
    number, and refuses a misspelt name. A field with `derive` is computed from other keys.
    """

    schema: type[Provision]
    key: tuple[str, str]
    """The kind and the field, such as `("ballot", "debate")`."""

    def __init__(
        self, default: object = None, derive: Callable[[Provision], object] | None = None
    ) -> None:
        self.default, self.derive = default, derive

    def __get__(self, provision: Provision | None, schema: type[Provision]) -> object:
        if provision is None:
            return self
        # What was written is in the provision's own dictionary, which Python asks first.
        return self.default if self.derive is None else self.derive(provision)


def as_field(field: object) -> Field:
    """Return a field such as `Ballot.debate`, whose type mypy takes for that of its value.

    Raises TypeError for anything else.
    """
    if not isinstance(field, Field):
        raise TypeError(f"{field!r} is no field of a kind of provision")
    return field


def derived(function: Callable[[_P], _T]) -> _T:
    """Declare a field that is computed from several keys, so that one rule decides them together.

    An example is `EffectTiming.timing`, from `when` and `after`.
    """
    return cast("_T", Field(derive=cast("Callable[[Provision], object]", function)))


class Provision(Model):
    """A provision of a rule.

    Provisions of its kind in the rules that `over` names give way to it, unless those rules are
    more entrenched. It gives way to those in the rules that `under` names.
    """

    kind: ClassVar[str] = ""
    """The name of its kind: that of its module."""

    over: ListOrOne[Number] = described(
        "rules, not more entrenched, whose provision of this kind gives way to this one", default=()
    )
    under: ListOrOne[Number] = described(
        "rules whose provision of this kind goes before this one", default=()
    )

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.kind = cls.__module__.rpartition(".")[2]
        # Each key of the schema becomes a field, by which the law can be asked.
        own = (name for name in cls.keys if name not in Provision.keys and name != cls.rest)
        fields = {name: Field(cls.keys[name].default) for name in own}
        fields |= {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
        for name, field in fields.items():
            field.schema, field.key = cls, (cls.kind, name)
            setattr(cls, name, field)

    @property
    def said(self) -> tuple[str, ...]:
        """The names of the fields, or of the tiers, that it says something of."""
        return tuple(name for name in self.entries() if name not in ("over", "under"))

    def value(self, name: str) -> object:
        """Return what it says in a field."""
        return cast("object", getattr(self, name))


class Table(Generic[_T], Provision):
    """A provision whose keys are the tiers of the game, with a value of one type each."""

    rest = "tiers"
    tiers: Mapping[str, _T] = {}
    """What it says of each tier."""

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(self.tiers)

    def value(self, name: str) -> object:
        """Return what it says of a tier."""
        return self.tiers[name]


class Problem(Struct, frozen=True):
    """What is wrong with a provision, or with a rule's provisions; `path` leads to the place.

    If no kind has the name of a provision, it is `unknown`, and `message` is that name.
    """

    path: tuple[str | int, ...]
    message: str
    unknown: bool = False


def unsaid(description: str) -> _T | None:
    """Declare a field that a provision may leave out. Then it is None, and says nothing."""
    return cast("None", described(description, default=None))


def require_one(model: Model) -> None:
    """Raise ValueError unless exactly one of the fields in `one_of` has a value."""
    names = model.one_of
    if sum(getattr(model, name) is not None for name in names) != 1:
        raise ValueError(f"should have exactly one of {', '.join(names[:-1])} and {names[-1]}")


def unknown_tiers(
    key: str, named: Iterable[str], tiers: tuple[str, ...] | None
) -> Iterator[Problem]:
    """Yield a problem for each tier that a key names, if the game does not have it.

    `tiers` are those of the game; None if they are not known, and then every name will do.
    """
    for tier in named:
        if tiers is not None and tier not in tiers:
            yield Problem(
                (key,), f"{tier} is no tier of this game (nomic.yml has {', '.join(tiers)})"
            )


def table_misfits(table: Table[_T], tiers: tuple[str, ...] | None) -> Iterator[Problem]:
    """Yield why a table does not fit the tiers of the game."""
    if not table.tiers:
        yield Problem((), "should name a tier")
    for tier in table.tiers:
        yield from unknown_tiers(tier, [tier], tiers)


Combination = Literal["fields", "tiers", "all", "matching", "own"]
"""How the words of several rules combine.

`fields`: each field has one winner; `tiers`: the same, and the fields are the tiers of the game;
`all`: all count, except those that give way to another by its `over` or their own `under`;
`matching`: the same, among those that match a change; `own`: each is about its own rule alone.
"""


class Kind(Struct, Generic[_P], frozen=True, kw_only=True):
    """A kind of provision, with its schema; `law/kinds.py` names it after its module.

    `sentence` gives the English of one provision, without its `over` and `under`. `about` is a
    template for what a field is called where two laws are compared. `misfits` yields what is wrong
    with a provision that its schema lets through, such as a tier that the game does not have.
    `affects_changeability` says whether a provision can make a kind of change impossible for ever;
    `counts_rules` says that the kind limits how many rules there are. A kind that also judges is a
    `JudgingKind` (`law/judging_kind.py`).
    """

    schema: type[_P]
    sentence: Callable[[_P], str]
    combines: Combination
    about: str = "{kind}: {field}"
    as_word: bool = False
    """Whether `when` may stand alone: `effect: at-once` means `effect: {when: at-once}`."""
    misfits: Callable[[_P, tuple[str, ...] | None], Iterator[Problem]] | None = None
    affects_changeability: Callable[[_P], bool] | None = None
    counts_rules: bool = False

    @property
    def listed(self) -> bool:
        """Whether a rule may have several provisions of the kind, as a list."""
        return self.combines in ("all", "matching")
