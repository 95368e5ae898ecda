"""Who wrote which words of a rule: marks on the phrases of its text, and a legend that names the
revision with which each came. And the words for the outcome of an instrument.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.authorship import authorship_of, without_lone_marks
from nomicgen.history.rule_history import HistoryEntry, RuleHistory
from nomicgen.law.voting.tally import Tally
from nomicgen.model.records import Judgement
from nomicgen.site.addresses import revision_anchors
from nomicgen.site.parts.page import Page
from nomicgen.site.parts.status_words import STATUS
from nomicgen.site.site_view import Site
from nomicgen.site.texts.phrases import Mark
from nomicgen.site.texts.player_html import excerpt, render_text, seen_text

# How many colours tell origins apart.
_TONES = 6
# The most phrases of an origin that are quoted, and the most characters of each.
_PHRASES = 2
_LONG = 70
# With more origins than these, the legend says less of each.
_MANY = 12


class WordsOrigin(Struct, frozen=True, kw_only=True):
    """The words of a text that came with one line of the rule's history.

    `entry` is the line, `index` its place in the history, and `anchor` that of its text on the
    page. `words` is how many came with it, `phrases` the first of them, and `more` how many phrases
    are not quoted. `tone` is a number for their colour. If it is `uncertain`, a text before this
    one is lost, and the words may have come with that.
    """

    entry: HistoryEntry
    index: int
    anchor: str
    tone: int
    words: int
    phrases: Sequence[str]
    more: int
    uncertain: bool


class Authorship(Struct, frozen=True, kw_only=True):
    """A rule's text with its phrases marked, and the origins of its words, the newest first.

    If it is `brief`, the legend says less of each. A text with one origin has no marks. A text that
    is lost, or the only one that the rule had, has no origins.
    """

    text: Markup
    origins: Sequence[WordsOrigin] = ()
    brief: bool = False


def authorship(page: Page, history: RuleHistory) -> Authorship:
    """Return who wrote the words of a rule's last text."""
    rule, revisions = history.last, history.revisions
    if len(revisions) < 2 or rule.text is None:
        return Authorship(text=page.text(rule))
    texts = [None if entry.rule.text is None else _plain(entry.rule.text) for entry in revisions]
    runs = tuple(without_lone_marks(authorship_of(texts)))
    order = sorted({run.index for run in runs})
    anchors = sorted(revision_anchors(history).items())
    brief = len(order) > _MANY
    origins = []
    for tone, revision in enumerate(order):
        own = [run for run in runs if run.index == revision]
        index, anchor = anchors[revision]
        phrases = (
            [] if brief else [excerpt(run.text.strip(".,;:\n "), _LONG) for run in own[:_PHRASES]]
        )
        origins.append(
            WordsOrigin(
                entry=history.entries[index],
                index=index,
                anchor=anchor,
                tone=tone % _TONES,
                words=sum(len(run.text.split()) for run in own),
                phrases=phrases,
                more=len(own) - len(phrases),
                uncertain=own[0].uncertain,
            )
        )
    text = page.text(rule)
    if len(origins) > 1:
        marks = [
            Mark(
                anchors[run.index][1].removeprefix("r"),
                order.index(run.index) % _TONES,
                run.letters,
            )
            for run in runs
        ]
        text = render_text(rule.text, page.linker(history.identity), marks=marks)
    return Authorship(text=text, origins=origins[::-1], brief=brief)


def _plain(text: str) -> str:
    """Return a text as a reader sees it, without markup; the text itself if only blanks differ."""
    shown = seen_text(text)
    return text if text.split() == shown.split() else shown


def outcome_words(site: Site, entry: HistoryEntry) -> str:
    """Return what became of the instrument of a line: `adopted 4–1`, or that its votes were not
    recorded, or a judgement's status; '' for an act or the initial set.
    """
    instrument = entry.instrument
    if instrument is None:
        return ""
    if isinstance(instrument, Judgement):
        return STATUS.get(instrument.matter.status, instrument.matter.status)
    if instrument.kind != "proposal":
        return ""
    tally = site.replay.tallies.get(instrument.path)
    return (
        f"adopted {_votes(tally)}"
        if tally is not None and tally.recorded
        else "adopted; the votes were not recorded"
    )


def _votes(tally: Tally) -> str:
    abstained = f", {tally.abstentions} abstaining" if tally.abstain else ""
    return f"{tally.votes_for}–{tally.votes_against}{abstained}"
