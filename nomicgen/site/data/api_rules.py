"""The documents of a site's data that tell of rules."""

from __future__ import annotations

from typing import Literal

from nomicgen.formats.documents import FORMAT, Shape, at, typed
from nomicgen.formats.json_parts import ENTRY, RULE_STATE
from nomicgen.history.references import Reference
from nomicgen.law.replay.results import Rule
from nomicgen.model.front_matters import JudgementMatter

RuleStatus = Literal["in force", "void", "repealed"]

PLACE = {
    "url": typed(str, "its page, relative to the site's root"),
    "data": typed(str, "its document, relative to the site's root"),
}
"""The keys of anything that has a page and a document of its own."""
_STATE = {
    "status": typed(RuleStatus, "`void`: it is still in the ruleset, but has no force"),
    "since": typed(str | None, "when its text, as it stands or stood last, took effect"),
    "numbers": typed(tuple[int, ...], "all numbers that it bore, in order"),
}

RULE_ITEM = Shape(
    "RuleItem",
    "A rule, without its text.",
    Rule,
    **PLACE,
    number="the number that it bears, or bore last",
    revision="how often its text was amended",
    tier="its tier, such as `mutable`",
    title="what it is called",
    section="the part of the ruleset that it stands in",
    **_STATE,
)
RULES = Shape(
    "RulesDocument",
    "Every rule that ever was.",
    format=FORMAT,
    url=typed(str, "the page, relative to the site's root"),
    rules=RULE_ITEM.many("by number; those that are repealed as well"),
)
REVISION = Shape(
    "RevisionView",
    "A rule as one revision had it.",
    Rule,
    **RULE_STATE.keys,
    since=typed(str | None, "when it took effect; null where that is not known"),
    until=typed(
        str | None,
        "when the next one or a repeal took effect; null while it stands, or if that is not known",
    ),
    by=typed(str | None, "the instrument that wrote it; null for the initial set"),
    html=typed(str, "its text as HTML; its links are relative to the rule's page"),
    url=typed(str, "where the rule's page shows it, relative to the site's root"),
)
RECORDED_ENTRY = Shape(
    "RecordedEntryView",
    "A line of a rule's history, with what became of its instrument: `url` is the page of the "
    "instrument, `page` that of the rule's revision.",
    **ENTRY.keys,
    outcome=typed(str, "such as `adopted 4–1`; empty where there was nothing to decide"),
    page=typed(str, "where the rule's revision of then is shown, relative to the site's root"),
    url=typed(str | None, "the instrument's page; null for the initial set"),
    data=typed(str | None, "the instrument's document"),
)
RULE_LINK = Shape(
    "RuleLinkView",
    "A rule, named.",
    **PLACE,
    number=typed(int, "its number"),
    title=typed(str | None, "what it is called"),
)
CITATION = Shape(
    "CitationView",
    "What a text refers to.",
    Reference,
    kind=at("kind", "what it is", Literal["rule", "proposal", "judgement"]),
    number="its number",
    revision="the revision, where the text names one",
    to=at("until", "the last of the numbers, where the text names several, such as 101-116"),
    note=typed(str | None, "what became of it since, such as `repealed` or `now Rule 305`"),
    url=typed(str | None, "its page; null where there is no such thing"),
    data=typed(str | None, "its document"),
)
CONSTRUING = Shape(
    "ConstruingView",
    "A judgement on a rule.",
    JudgementMatter,
    **PLACE,
    number="the judgement's number",
    title="what it is about",
    status="whether it stands",
    construes=typed(str, "the rule as the judgement names it, such as `203/0`"),
)
RULE = Shape(
    "RuleDocument",
    "A rule as it stands, or as it stood last, and everything that is known of it.",
    Rule,
    format=FORMAT,
    **PLACE,
    **RULE_STATE.keys,
    **_STATE,
    revisions=REVISION.many("its texts, the oldest first"),
    entries=RECORDED_ENTRY.many("its history, line by line"),
    cites=CITATION.many("what its text refers to"),
    cited_by=RULE_LINK.many("the rules in the ruleset that refer to it"),
    judgements=CONSTRUING.many("the judgements that construe it"),
)
