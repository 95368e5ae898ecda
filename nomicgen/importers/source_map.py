"""A map says how a source is to be read: what begins a rule, how it is numbered, what ends it, and
what is left out.

Strangers write maps, and `verify --source` matches their patterns again. So `linear.py` does that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Annotated, Literal

from ruamel.yaml import YAML

from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.importers.front_matter import Meaning
from nomicgen.importers.instruments import CauseKind
from nomicgen.importers.linear import Checked, Pattern, compile_linear
from nomicgen.importers.omissions import Omission
from nomicgen.importers.tiers import TierMap, parse_span
from nomicgen.model.common_keys import Matter
from nomicgen.model.file_model import described
from nomicgen.model.types import faults_of
from nomicgen.model.values import Number

Counting = Literal["arabic", "roman", "letters", "order"]
"""How rules are numbered: with `order`, by their order, since they show no numbers."""

_MAPS = files("nomicgen.importers") / "maps"
_NOT_LITERAL = r"\(\?P<\w+>|\(\?[a-zA-Z-]+:?|\\.|\[[^\]]*\]"
"""Parts of a pattern that do not stand for themselves: groups, options, escapes, classes."""
_LETTERS = r"[^\W\d_]{2,}"


class BadMap(ValueError):
    """A map cannot be used: why, as a sentence, and the `line` of the map, if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def parse_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the first and last of each range in a list such as `101-399, 405`. Raises
    ValueError.
    """
    return tuple(map(parse_span, text.split(",")))


def _tier_map(tiers: Mapping[str, str]) -> TierMap:
    return TierMap.parse(
        ",".join(f"{name}={numbers}" if numbers else name for name, numbers in tiers.items())
    )


class RulePattern(Matter):
    """What begins a rule.

    Any pattern may have the groups `number`, `title`, `tier`, `revision`, `note`, `void` and
    `repealed`. The rule's text begins behind the match. If there is a pattern for the line `below`,
    a heading without such a line begins no rule.
    """

    heading: Pattern | None = described("how a line begins that begins a rule", default=None)
    below: Pattern | None = described("what the whole line below the heading is", default=None)
    split: Pattern | None = described("how a rule begins anywhere in a line", default=None)
    path: Pattern | None = described("the whole path of a file that is one rule", default=None)
    number: Counting = described("how rules are numbered", default="arabic")
    sequence: Literal["rising", "any"] = described(
        "with `rising`, a number that does not rise begins no rule", default="rising"
    )
    range: Annotated[str, Checked(parse_spans)] | None = described(
        "the numbers of rules: `101-399`", default=None
    )

    def check(self) -> None:
        """Raise ValueError where nothing begins a rule, or both a heading and a split do."""
        if self.heading and self.split:
            raise ValueError("a rule begins at a `heading` or at a `split`, and not at both")
        if not (self.heading or self.split or self.path):
            raise ValueError("nothing says what begins a rule: give `heading`, `split` or `path`")


class SourceMap(Matter):
    """How a source is read."""

    description: str = described("which sources the map is for", default="")
    paths: list[str] = described("globs of the files with rules", default=[])
    commits: str | None = described(
        "the first commit that is read, and the last: `A..B`", default=None
    )
    text: Literal["markdown", "plain"] = described(
        "whether texts are Markdown, or become it", default="markdown"
    )
    rule: RulePattern = described("what begins a rule")
    section: list[Pattern] = described(
        "lines that set the tier of the rules below (the group `tier`)", default=[]
    )
    ends: list[Pattern] = described("lines at which a rule ends before the next begins", default=[])
    omit: list[Omission] = described("what is left out, and why", default=[])
    tiers: Annotated[dict[str, str], Checked(_tier_map)] = described(
        "the numbers of each tier, most entrenched first: `101-199`", default={}
    )
    subjects: dict[CauseKind, Pattern] = described(
        "how subjects of commits name an instrument of each kind", default={}
    )
    front_matter: dict[Meaning, str] = described("the key for each of these meanings", default={})
    authors: Literal["commits"] | None = described(
        "`commits`: the commit's author, if none is named", default=None
    )
    name: Pattern | None = described(
        "a line above the rules that names the game (the group `name`)", default=None
    )
    first_proposal: Number | None = described(
        "the first proposal's number: from it to the highest rule's, all are used up", default=None
    )

    def check(self) -> None:
        """Raise ValueError where nothing says a rule's number, or `name` names nothing."""
        if self.name and "name" not in compile_linear(self.name).groupindex:
            raise ValueError("`name` needs a group (?P<name>…) for the game's name")
        rule = self.rule
        patterns = (rule.heading, rule.split, rule.path)
        groups = {name for one in patterns if one for name in compile_linear(one).groupindex}
        counted = rule.number == "order" and rule.heading
        if "number" not in groups and "number" not in self.front_matter and not counted:
            raise ValueError("no group (?P<number>…) says which number a rule has")

    def name_in(self, above: str) -> str | None:
        """Return the game's name in the text above the rules; None where `name` matches no line."""
        found = (
            (compile_linear(self.name).match(line) for line in above.split("\n"))
            if self.name
            else ()
        )
        return next((match["name"].strip() for match in found if match), None)

    @property
    def between(self) -> tuple[str | None, str | None]:
        """The first commit that is read, and the last; None where the map does not say it."""
        first, _, last = (self.commits or "..").partition("..")
        return first or None, last or None

    @property
    def heading_words(self) -> str:
        """The words that the pattern of headings asks for, such as `Article`: they belong to no
        rule.
        """
        bare = re.sub(_NOT_LITERAL, " ", self.rule.heading or self.rule.split or "")
        return " ".join(re.findall(_LETTERS, bare))

    @property
    def by_path(self) -> bool:
        """Whether each file is one rule."""
        return self.rule.path is not None

    @property
    def tier_map(self) -> TierMap | None:
        """The tiers by number; None where the map does not say them."""
        return _tier_map(self.tiers) if self.tiers else None

    @property
    def meanings(self) -> Mapping[str, Meaning]:
        """What keys of front matter mean, by key in small letters; empty where the map
        names none.
        """
        return {key.casefold(): meaning for meaning, key in self.front_matter.items()}


def parse_map(text: str) -> SourceMap:
    """Read a map, with the limits of a game's own files. Raises BadMap."""
    notes = Notes("")
    composed = compose(text, notes, YamlPlace("", 1))
    for one in notes.findings():
        raise BadMap(f"{one.message}; {one.help}", one.span.line)
    assert composed is not None
    try:
        return SourceMap.read(composed.data)
    except ValueError as error:
        fault = faults_of(error)[0]
        place = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.path
        ).removeprefix(".")
        wrong = f"is missing: {fault.wanted}" if fault.about == "missing" else fault.wanted
        raise BadMap(
            f"{place or 'the map'}: {wrong}", composed.source.key(*fault.path).line
        ) from None


@cache
def shipped_maps() -> Mapping[str, SourceMap]:
    """Return the maps that ship, by name."""
    found = sorted(one.name for one in _MAPS.iterdir() if one.name.endswith(".yml"))
    return {
        name.removesuffix(".yml"): parse_map((_MAPS / name).read_text("utf-8")) for name in found
    }


def map_bytes(one: SourceMap) -> bytes:
    """Return a map as YAML, without keys that have no value."""
    stream, yaml = BytesIO(), YAML(typ="safe", pure=True)
    yaml.default_flow_style, yaml.sort_base_mapping_type_on_output, yaml.width = (
        False,
        None,
        1 << 16,
    )
    yaml.dump(_plain(one), stream)
    return stream.getvalue()


def _plain(value: object) -> object:
    if isinstance(value, Matter):
        said = ((name, getattr(value, attribute)) for name, attribute in value.names.items())
        return {name: _plain(one) for name, one in said if one not in ("", [], {}, None)}
    return [_plain(one) for one in value] if isinstance(value, list) else value
