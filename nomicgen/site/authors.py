"""Who wrote which words of a rule: marks on the phrases of its text, and the legend that tells of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from nomicgen.archive.authorship import AuthoredText, authorship_of, without_lone_marks
from nomicgen.archive.rule_history import HistoryEntry, RuleHistory
from nomicgen.law.replay_state import Tally
from nomicgen.model import Judgement
from nomicgen.site.addresses import revision_anchors
from nomicgen.site.linked_history import entry_commit, entry_html
from nomicgen.site.page import Page
from nomicgen.site.phrases import Mark
from nomicgen.site.player_html import render_text, seen_text
from nomicgen.site.shared_pieces import STATUS
from nomicgen.site.site_view import Site

_TONES = 6
_PHRASES = 2
_LONG = 70
# Beyond so many origins each is told in fewer words.
_MANY = 12


class Authorship(Struct, frozen=True, kw_only=True):
    """A rule's text with its phrases marked, and a legend; one origin is a sentence and no legend."""

    text: Markup
    legend: Sequence[Mapping[str, Any]] = ()
    only: Markup | str = ""


def authorship(page: Page, history: RuleHistory) -> Authorship:
    """Who wrote the words of a rule's last text, which must not be lost."""
    rule, revisions = history.last, history.revisions
    if len(revisions) < 2 or rule.text is None:
        return Authorship(text=page.text(rule))
    texts = [None if one.rule.text is None else _plain(one.rule.text) for one in revisions]
    runs = tuple(without_lone_marks(authorship_of(texts)))
    order = sorted({run.index for run in runs})
    anchors = sorted(revision_anchors(history).items())
    if len(order) < 2:
        return Authorship(text=page.text(rule), only=_only(page, history, anchors, runs))
    marks = [Mark(_by(anchors[run.index][1]), order.index(run.index) % _TONES, run.letters) for run in runs]
    text = render_text(rule.text, page.linker(history.identity), marks=marks)
    legend = [
        {
            **_origin(page, history, anchors[index], [run for run in runs if run.index == index], len(order)),
            "tone": tone % _TONES,
        }
        for tone, index in enumerate(order)
    ]
    return Authorship(text=text, legend=legend[::-1])


def _plain(text: str) -> str:
    """A text without its markup; the text itself where it has none: its redlines are known already."""
    shown = seen_text(text)
    return text if text.split() == shown.split() else shown


def _by(anchor: str) -> str:
    """What a phrase is marked with: the revision that it came with."""
    return anchor.removeprefix("r")


def _only(
    page: Page, history: RuleHistory, anchors: Sequence[tuple[int, str]], runs: Sequence[AuthoredText]
) -> Markup | str:
    if not runs:
        return ""
    index, anchor = anchors[runs[0].index]
    entry = history.entries[index]
    link = Markup('<a href="#{}">{}</a>').format(anchor, entry.rule.ref)
    said = Markup("All of its words came with {}: {}.").format(link, entry_html(page, entry))
    return said + Markup(" ") + _UNCERTAIN if runs[0].uncertain else said


_UNCERTAIN = Markup("Texts before it are lost, so some of these words may be older.")


def _origin(
    page: Page, history: RuleHistory, text: tuple[int, str], runs: Sequence[AuthoredText], origins: int
) -> Mapping[str, Any]:
    """The runs that came with one text, which is told by the index of its line and its anchor."""
    index, anchor = text
    brief = origins > _MANY
    entry = history.entries[index]
    count = sum(len(run.text.split()) for run in runs)
    phrases = [] if brief else [_shortened(run.text) for run in runs[:_PHRASES]]
    left = len(runs) - len(phrases)
    return {
        "by": _by(anchor),
        "ref": "" if brief else entry.rule.ref,
        "line": entry_html(page, entry, brief=brief),
        "verdict": outcome_words(page.site, entry),
        "commit": None if brief else entry_commit(page.site, history, index),
        "words": f"{count} {'word' if count == 1 else 'words'}",
        "phrases": phrases,
        "more": f"and {left} more {'phrase' if left == 1 else 'phrases'}" if phrases and left else "",
        "caution": _UNCERTAIN if runs[0].uncertain else "",
    }


def _shortened(text: str) -> str:
    """The first words of a phrase, on one line."""
    words = " ".join(text.split()).strip(".,;: ")
    return words if len(words) <= _LONG else f"{words[:_LONG].rsplit(' ', 1)[0].rstrip(',;:.')}…"


def outcome_words(site: Site, entry: HistoryEntry) -> str:
    """`adopted 4–1`: what became of the instrument of a line, with its votes where they were recorded, else ''."""
    one = entry.instrument
    if one is None:
        return ""
    if isinstance(one, Judgement):
        return STATUS.get(one.matter.status, one.matter.status)
    if one.kind != "proposal":
        return ""
    tally = site.replay.tallies.get(one.path)
    return (
        f"adopted {_votes(tally)}" if tally is not None and tally.recorded else "adopted; the votes were not recorded"
    )


def _votes(tally: Tally) -> str:
    abstained = f", {tally.abstentions} abstaining" if tally.abstain else ""
    return f"{tally.votes_for}–{tally.votes_against}{abstained}"
