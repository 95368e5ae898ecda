"""The time machine's data: every change of the law in order, and every text that a rule ever had.

The ruleset of a moment follows from the changes up to it: `TIMELINE` says how. Texts are in files
of their own, in bundles, with all texts of a rule side by side: few views need them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, Literal

from msgspec.json import encode

from nomicgen.formats.documents import FORMAT, DocumentRow, Shape, at, typed
from nomicgen.formats.json_parts import void_of
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.model.records import Instrument
from nomicgen.model.settings import Settings

BUNDLE_BYTES = 256_000
"""The most bytes of a bundle of texts, unless it holds a single text."""
_AROUND = 80
"""The bytes of a bundle besides its texts."""

TextKey = tuple[int, str]
"""A text of a rule: the rule's identity, and the text."""
Verb = Literal["initial", "enact", "amend", "repeal", "transmute", "retitle", "renumber", "mark"]

CHANGE = DocumentRow(
    "TimelineChange",
    "How one rule stands after a change. A repeal has the rule as it stood last; from then on it "
    "is gone.",
    Rule,
    rule=at("identity", "its identity: the same in all its revisions, under all its numbers"),
    number="its number",
    revision="how often its text was amended",
    tier=typed(int, "the place of its tier in `tiers`, from 0"),
    title="what it is called",
    section=typed(int | None, "the place of its section in `sections`, from 0"),
    void=at(void_of, "whether it has no force: false, true, or since which moment", bool | str),
    verb=typed(Verb, "what was done to it"),
    text=typed(int | None, "the number of its text, from 0; null where it is lost"),
)
MOMENT = Shape(
    "TimelineMoment",
    "An instrument that took effect, and what it changed.",
    Instrument,
    path=typed(
        str, "its file in the game, without `.md`; after `#`, the time machine's address for it"
    ),
    url=typed(str, "its page, relative to the site's root"),
    name="what it is called, such as `Proposal 329`",
    title="the title that its author gave it, or nothing",
    player=at("actor", "the id of its author; the number of a rule that acted by itself"),
    decided=typed(str | None, "when it was decided"),
    effective=typed(str | None, "when it took effect; null where an archive does not know"),
    changes=CHANGE.many("what it changed, in order"),
)
PENDING = Shape(
    "TimelinePending",
    "An instrument that is decided and has not taken effect yet.",
    Instrument,
    path=typed(str, "the instrument's file in the game, without `.md`"),
    url=typed(str, "its page, relative to the site's root"),
    name="what it is called, such as `Proposal 329`",
    effective=typed(str | None, "when it will; null where that is not settled"),
)
NAME = Shape(
    "TimelineName",
    "A player, or a rule that acted by itself.",
    name=typed(str, "what they are called"),
    url=typed(str | None, "their page, relative to the site's root; null where there is none"),
)
TIMELINE = Shape(
    "Timeline",
    """\
Every change of a game's law, in the order in which they took effect.

For the ruleset of a day, take the initial set and all moments that come before the first whose
`effective` is later than that day. Of the changes of each rule the last one holds; if that is a
repeal, the rule is gone. Where `effective` is null, nobody knows the day; the others never go back
in time. A rule with `void` since a moment has force before it.""",
    format=FORMAT,
    url=typed(str, "this document, relative to the site's root"),
    game=typed(str, "the game's name"),
    started=typed(str | None, "when the game began; null where an archive does not know"),
    today=typed(str, "the day of the site: what takes effect later is not law yet"),
    tiers=typed(tuple[str, ...], "the tiers, the most entrenched first"),
    sections=typed(tuple[str, ...], "the sections of the ruleset"),
    players=NAME.by_name("who made an instrument, by id"),
    rules=typed(dict[int, str], "the page of each rule by identity, relative to the site's root"),
    bundles=typed(
        tuple[int, ...], "the number of the first text in each bundle, `texts/1.json` first"
    ),
    initial=CHANGE.many("the initial set; each verb is `initial`"),
    moments=MOMENT.many("each instrument that took effect"),
    pending=PENDING.many("each instrument that is to take effect later"),
)
TEXT = DocumentRow(
    "Text",
    "One text of one rule.",
    text=typed(str, "as Markdown, as the rule's file has it"),
    html=typed(str, "as sanitised HTML; links are relative to the time machine's page"),
)
TEXTS = Shape(
    "Texts",
    "Texts of rules: all texts of one rule are in the same file.",
    format=FORMAT,
    url=typed(str, "this document, relative to the site's root"),
    first=typed(int, "the number of its first text"),
    texts=TEXT.many("the texts, in the order of their numbers"),
)


def number_texts(replay: Replay) -> Mapping[TextKey, int]:
    """Return every text that a rule had, with its number, from 0: by rule, then in the order of
    time.
    """
    texts_by_rule: dict[int, dict[str, None]] = {}
    for rule in _stages(replay):
        if rule.text is not None:
            texts_by_rule.setdefault(rule.identity, {})[rule.text] = None
    keys = (
        (identity, text) for identity in sorted(texts_by_rule) for text in texts_by_rule[identity]
    )
    return {key: number for number, key in enumerate(keys)}


def _stages(replay: Replay) -> Iterator[Rule]:
    """Yield each rule of the initial set, and each changed rule after its change; for a repeal, as
    it was before.
    """
    yield from replay.initial
    for step in replay.steps:
        if step.outcome == "applied":
            yield from (change.rule for change in step.changes)


class Rows:
    """Makes the row of each change (`CHANGE`). In a row, a tier, a section and a text are numbers:
    the places in `tiers` and `sections`, and in `number_texts`.
    """

    def __init__(self, settings: Settings, replay: Replay, texts: Mapping[TextKey, int]) -> None:
        stages = tuple(_stages(replay))
        self.tiers = tuple(dict.fromkeys((*settings.tiers, *(rule.tier for rule in stages))))
        named = (rule.section for rule in stages if rule.section is not None)
        self.sections = tuple(dict.fromkeys((*settings.sections, *named)))
        self._tiers = {name: place for place, name in enumerate(self.tiers)}
        self._sections = {name: place for place, name in enumerate(self.sections)}
        self._texts = texts

    def row(self, rule: Rule, verb: Verb) -> list[Any]:
        """Return the row of a rule after a change."""
        return CHANGE.row(
            rule,
            tier=self._tiers[rule.tier],
            section=None if rule.section is None else self._sections[rule.section],
            verb=verb,
            text=None if rule.text is None else self._texts[rule.identity, rule.text],
        )


def bundles(texts: Iterable[list[Any]], url: str) -> tuple[dict[str, Any], ...]:
    """Return the rows of texts as documents (`TEXTS`), each of at most `BUNDLE_BYTES` of JSON or
    with a single text. `url` has a `{}` for a bundle's number, from 1.
    """
    parts: list[list[list[Any]]] = []
    left = 0
    for text in texts:
        size = len(encode(text)) + 1
        if size > left:
            parts.append([])
            left = BUNDLE_BYTES - _AROUND - len(url)
        parts[-1].append(text)
        left -= size
    firsts = (0, *accumulate(map(len, parts)))
    return tuple(
        TEXTS.write(url=url.format(index + 1), first=first, texts=part)
        for index, (first, part) in enumerate(zip(firsts, parts, strict=False))
    )
