"""What commands that read print as JSON: a redline, a citation, who wrote what, what a finding
means.
"""

from __future__ import annotations

from nomicgen.formats.blame_text import commit_of_line
from nomicgen.formats.documents import FORMAT, Shape, typed
from nomicgen.formats.json_parts import RULE_STATE, SEGMENT
from nomicgen.history.citations import Resolved
from nomicgen.history.game_history import GameHistory
from nomicgen.history.history_lines import history_line, history_link
from nomicgen.history.outdated_citations import OutdatedCitation
from nomicgen.history.passages import sentence_authors
from nomicgen.history.redline import redline
from nomicgen.history.rule_history import RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.law.sentences import sentences
from nomicgen.model.findings import CODES, Code

REDLINE = Shape(
    "RedlineView",
    "A redline between two revisions or two rules.",
    format=FORMAT,
    before=RULE_STATE.one("the first one"),
    after=RULE_STATE.one("the second one"),
    segments=SEGMENT.many("the text of both, in stretches"),
    gone=typed(list[str], "sentences for provisions that only the first one has"),
    come=typed(list[str], "sentences for provisions that only the second one has"),
)
CITED = Shape(
    "CitedView",
    "What a citation stands for.",
    format=FORMAT,
    rule=RULE_STATE.one("the rule as it stood"),
    span=typed(str, "from when to when it was in force"),
    note=typed(str | None, "a remark if the cited number is not the rule's, now or then, or null"),
    citation=typed(str, "the citation that will always mean this revision"),
    address=typed(str, "its address on the site"),
    commit=typed(str | None, "the commit that wrote it"),
    link=typed(str | None, "where that is on the forge"),
    file=typed(str | None, "the file of the game that made it"),
)
AUTHORED_RUN = Shape(
    "AuthoredRunView",
    "Words of a sentence that came together.",
    text=typed(str, "the words, as they stand there"),
    rule=typed(str, "the revision that they came with, such as `203/1`"),
    line=typed(str, "the line of the rule's history that they came with"),
    commit=typed(str | None, "its commit"),
    uncertain=typed(bool, "whether an earlier text is lost, so that the words may be older"),
)
AUTHORED_SENTENCE = Shape(
    "AuthoredSentenceView",
    "A sentence, a heading or a row of a table, with its authors.",
    text=typed(str, "its text"),
    runs=AUTHORED_RUN.many("its words in order; those that came together are one run"),
)
BLAME = Shape(
    "BlameView",
    "Who wrote each sentence of a rule.",
    format=FORMAT,
    rule=RULE_STATE.one("the rule as it stands in that revision"),
    sentences=AUTHORED_SENTENCE.many("in their order"),
)
EXPLAINED = Shape(
    "ExplainedView",
    "What a finding means.",
    Code,
    slug="its name",
    severity="`error` or `warning`",
    summary="what it finds, in a line",
    page=typed(str | None, "its page, as Markdown; null in a list of several"),
)
EXPLANATIONS = Shape(
    "ExplanationsView",
    "What findings mean.",
    format=FORMAT,
    findings=EXPLAINED.many("the one that was asked for, or all of them"),
)
OUTDATED_ONE = Shape(
    "OutdatedCitationView",
    "A citation of words that are no longer law.",
    OutdatedCitation,
    file=typed(str, "the file"),
    line="its line, from 1",
    column="its column, from 1",
    citation="the citation",
    why="what is wrong with it, such as `its words were changed by Proposal 305 on 2026-10-08`",
)
OUTDATED = Shape(
    "OutdatedCitationsView",
    "Citations of words that are no longer law.",
    format=FORMAT,
    citations=OUTDATED_ONE.many("in the order of the files"),
)


def redline_fields(before: Rule, after: Rule) -> dict[str, object]:
    """Return the values of `REDLINE`."""
    gone, come = sentences(before.law), sentences(after.law)
    return {
        "before": before,
        "after": after,
        "segments": list(redline(before.text or "", after.text or "")),
        "gone": [line for line in gone if line not in come],
        "come": [line for line in come if line not in gone],
    }


def cited_fields(game_history: GameHistory, resolved: Resolved, address: str) -> dict[str, object]:
    """Return the values of `CITED`; `address` is the one on the site."""
    revision, history = resolved.revision, resolved.revision.history
    return {
        "rule": revision.rule,
        "span": revision.span,
        "note": resolved.note or None,
        "citation": revision.citation,
        "address": address,
        "commit": commit_of_line(game_history, history, revision.entry_index),
        "link": history_link(game_history, history.identity, revision.entry_index),
        "file": history.entries[revision.entry_index].path,
    }


def blame_fields(
    game_history: GameHistory, history: RuleHistory, rule: Rule, at: int | None = None
) -> dict[str, object]:
    """Return the values of `BLAME`; `rule` is the revision that the entry `at` of the history made,
    or the last entry if that is None.
    """
    return {
        "rule": rule,
        "sentences": [
            AUTHORED_SENTENCE.write(
                text=passage.text,
                runs=[
                    AUTHORED_RUN.write(
                        text=run.text,
                        rule=history.entries[run.index].rule.ref,
                        line=history_line(history.entries[run.index], game_history.records.names),
                        commit=commit_of_line(game_history, history, run.index),
                        uncertain=run.uncertain,
                    )
                    for run in passage.runs
                ],
            )
            for passage in sentence_authors(history, at)
        ],
    }


def explanations(slug: str | None, page: str | None) -> list[dict[str, object]]:
    """Return the findings of `EXPLANATIONS`: the one of a slug, with its page; or all of them, if
    both are None.
    """
    codes = CODES.values() if slug is None else (CODES[slug],)
    return [EXPLAINED.write(code, page=page) for code in codes]
