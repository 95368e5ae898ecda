"""The time machine's data: every change of the law in order, and every text that a rule ever had.

Who folds the changes up to a moment has the ruleset of that moment, to the rule: `Timeline` says how. Texts lie apart,
in bundles, all revisions of a rule side by side: few views need them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, TypeAdapter

from nomicgen.formats.json_parts import Document, View
from nomicgen.law.replay_state import Replay, Rule
from nomicgen.model import Moment, Settings

BUNDLE_BYTES = 256_000
"""A bundle of texts is no larger, but for one that holds a single text."""
_AROUND = 80
"""The bytes of a bundle besides its texts."""

TextKey = tuple[int, str]
"""A text of a rule: the rule's identity, and the text."""
Verb = Literal["initial", "enact", "amend", "repeal", "transmute", "retitle", "renumber", "mark"]


class TimelineChange(NamedTuple):
    """How one rule stands after a change. A repeal has the rule as it stood last; from then on it is gone."""

    rule: Annotated[int, Field(description="its identity: the same in all its revisions, under all its numbers")]
    number: Annotated[int, Field(description="its number")]
    revision: Annotated[int, Field(description="how often its text was amended")]
    tier: Annotated[int, Field(description="the place of its tier in `tiers`, from 0")]
    title: Annotated[str | None, Field(description="how it is called")]
    section: Annotated[int | None, Field(description="the place of its section in `sections`, from 0")]
    void: Annotated[bool | str, Field(description="whether it has no force: false, true, or since which moment")]
    verb: Annotated[Verb, Field(description="what was done to it")]
    text: Annotated[int | None, Field(description="the number of its text, from 0; null where it is lost")]


class TimelineMoment(View):
    """An instrument that took effect, and what it changed."""

    path: str = Field(description="the instrument's file in the game, without `.md`: the time machine's fragment")
    url: str = Field(description="its page, relative to the site's root")
    name: str = Field(description="how it is called, such as `Proposal 329`")
    title: str = Field(description="the title that its author gave it, or nothing")
    player: str | None = Field(description="the id of who made it; the number of a rule that acted by itself")
    decided: str | None = Field(description="when it was decided")
    effective: str | None = Field(description="when it took effect; null where an archive does not know")
    changes: tuple[TimelineChange, ...] = Field(description="what it changed, in order")


class TimelinePending(View):
    """An instrument that is decided and has not taken effect yet."""

    path: str = Field(description="the instrument's file in the game, without `.md`")
    url: str = Field(description="its page, relative to the site's root")
    name: str = Field(description="how it is called, such as `Proposal 329`")
    effective: str | None = Field(description="when it will; null where that is not settled")


class TimelineName(View):
    """A player, or a rule that acted by itself."""

    name: str = Field(description="how they are called")
    url: str | None = Field(description="their page, relative to the site's root; null where there is none")


class Timeline(Document):
    """Every change of a game's law, in the order in which they took effect.

    The ruleset of a day is what the initial set and all moments give before the first whose `effective` is later than
    that day: of the changes of each rule the last one holds, and a rule whose last change is a repeal is gone. Where
    `effective` is null, nobody knows the day; else it never falls from one moment to the next. A rule with `void` since
    a moment has force before it.
    """

    url: str = Field(description="this document, relative to the site's root")
    game: str = Field(description="the game's name")
    started: str | None = Field(description="when the game began; null where an archive does not know")
    today: str = Field(description="the day of the site: what takes effect later is not law yet")
    tiers: tuple[str, ...] = Field(description="the tiers, the most entrenched first")
    sections: tuple[str, ...] = Field(description="the sections of the ruleset")
    players: dict[str, TimelineName] = Field(description="who made an instrument, by id")
    rules: dict[int, str] = Field(description="the page of each rule by identity, relative to the site's root")
    bundles: tuple[int, ...] = Field(description="the number of the first text in each bundle, `texts/1.json` first")
    initial: tuple[TimelineChange, ...] = Field(description="the initial set; each verb is `initial`")
    moments: tuple[TimelineMoment, ...] = Field(description="each instrument that took effect")
    pending: tuple[TimelinePending, ...] = Field(description="each instrument that is to take effect later")


class Text(NamedTuple):
    """One text of one rule."""

    text: Annotated[str, Field(description="as Markdown, as the rule's file has it")]
    html: Annotated[str, Field(description="as sanitised HTML; links are relative to the time machine's page")]


class Texts(Document):
    """A bundle of texts of rules: all texts of one rule stand side by side."""

    url: str = Field(description="this document, relative to the site's root")
    first: int = Field(description="the number of its first text")
    texts: tuple[Text, ...] = Field(description="the texts, in the order of their numbers")


def number_texts(replay: Replay) -> Mapping[TextKey, int]:
    """Every text that a rule ever had, numbered from 0: rule by rule, each text in the order in which it came."""
    found: dict[int, dict[str, None]] = {}
    for rule in _stages(replay):
        if rule.text is not None:
            found.setdefault(rule.identity, {})[rule.text] = None
    keys = ((identity, text) for identity in sorted(found) for text in found[identity])
    return {key: number for number, key in enumerate(keys)}


def _stages(replay: Replay) -> Iterator[Rule]:
    """Every rule as each change left it; for a repeal, as it found it."""
    yield from replay.initial
    for step in replay.steps:
        if step.outcome == "applied":
            yield from (change.rule for change in step.changes)


_TEXT = TypeAdapter(Text)


class Rows:
    """Makes the row of each change: it knows the places of tiers and sections, and the numbers of texts."""

    def __init__(self, settings: Settings, replay: Replay, texts: Mapping[TextKey, int]) -> None:
        stages = tuple(_stages(replay))
        self.tiers = tuple(dict.fromkeys((*settings.tiers, *(rule.tier for rule in stages))))
        named = (rule.section for rule in stages if rule.section is not None)
        self.sections = tuple(dict.fromkeys((*settings.sections, *named)))
        self._tiers = {name: place for place, name in enumerate(self.tiers)}
        self._sections = {name: place for place, name in enumerate(self.sections)}
        self._texts = texts

    def row(self, rule: Rule, verb: Verb) -> TimelineChange:
        """A rule as a change left it."""
        return TimelineChange(
            rule=rule.identity,
            number=rule.number,
            revision=rule.revision,
            tier=self._tiers[rule.tier],
            title=rule.title,
            section=None if rule.section is None else self._sections[rule.section],
            void=str(rule.void) if isinstance(rule.void, Moment) else bool(rule.void),
            verb=verb,
            text=None if rule.text is None else self._texts[rule.identity, rule.text],
        )


def bundles(texts: Iterable[Text], url: str) -> tuple[Texts, ...]:
    """Texts in bundles of at most `BUNDLE_BYTES` of JSON; `url` has a `{}` for the number of the bundle, from 1."""
    parts: list[list[Text]] = []
    left = 0
    for text in texts:
        size = len(_TEXT.dump_json(text)) + 1
        if size > left:
            parts.append([])
            left = BUNDLE_BYTES - _AROUND - len(url)
        parts[-1].append(text)
        left -= size
    firsts = (0, *accumulate(map(len, parts)))
    return tuple(
        Texts(url=url.format(index + 1), first=first, texts=tuple(part))
        for index, (first, part) in enumerate(zip(firsts, parts, strict=False))
    )
