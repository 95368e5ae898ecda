"""The documents of a site's data that tell of rules, as models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nomicgen.formats.json_parts import Document, EntryView, RuleState, View

RuleStatus = Literal["in force", "void", "repealed"]


class Placed(View):
    """Something that has a page and a document of its own."""

    url: str = Field(description="its page, relative to the site's root")
    data: str = Field(description="its document, relative to the site's root")


class RuleItem(Placed):
    """A rule, without its text."""

    number: int = Field(description="the number that it bears, or bore last")
    revision: int = Field(description="how often its text was amended")
    tier: str = Field(description="its tier, such as `mutable`")
    title: str | None = Field(description="how it is called")
    section: str | None = Field(description="the part of the ruleset that it stands in")
    status: RuleStatus = Field(description="`void` where it stands in the ruleset without force")
    since: str | None = Field(description="when its text, as it stands or stood last, took effect")
    numbers: tuple[int, ...] = Field(description="all numbers that it bore, in order")


class RulesDocument(Document):
    """Every rule that ever was."""

    url: str = Field(description="the page, relative to the site's root")
    rules: tuple[RuleItem, ...] = Field(description="by number; those that are repealed as well")


class RevisionView(RuleState):
    """A rule as one revision had it."""

    since: str | None = Field(description="when it took effect")
    until: str | None = Field(description="when the next one did, or the repeal; null while it stands")
    by: str | None = Field(description="the instrument that wrote it; null for the initial set")
    html: str = Field(description="its text as HTML; its links are relative to the rule's page")
    url: str = Field(description="where the rule's page shows it, relative to the site's root")


class RecordedEntryView(EntryView):
    """A line of a rule's history, with what became of its instrument, and where that is."""

    outcome: str = Field(description="such as `adopted 4–1`; empty where there was nothing to decide")
    url: str | None = Field(description="the instrument's page; null for the initial set")
    data: str | None = Field(description="the instrument's document")


class RuleLinkView(Placed):
    """A rule, named."""

    number: int = Field(description="its number")
    title: str | None = Field(description="how it is called")


class CitationView(View):
    """What a text refers to."""

    kind: Literal["rule", "proposal", "judgement"] = Field(description="what it is")
    number: int = Field(description="its number")
    revision: int | None = Field(description="the revision, where the text names one")
    to: int | None = Field(description="the last of the numbers, where the text names several, such as 101-116")
    note: str | None = Field(description="what became of it since, such as `repealed` or `now Rule 305`")
    url: str | None = Field(description="its page; null where there is no such thing")
    data: str | None = Field(description="its document")


class ConstruingView(Placed):
    """A judgement on a rule."""

    number: int = Field(description="the judgement's number")
    title: str | None = Field(description="what it is about")
    status: Literal["pending", "upheld", "overruled"] = Field(description="whether it stands")
    construes: str = Field(description="the rule as the judgement names it, such as `203/0`")


class RuleDocument(RuleState, Placed, Document):
    """A rule as it stands, or as it stood last, and everything that is known of it."""

    status: RuleStatus = Field(description="`void` where it stands in the ruleset without force")
    since: str | None = Field(description="when its text, as it stands or stood last, took effect")
    numbers: tuple[int, ...] = Field(description="all numbers that it bore, in order")
    revisions: tuple[RevisionView, ...] = Field(description="its texts, the oldest first")
    entries: tuple[RecordedEntryView, ...] = Field(description="its history, line by line")
    cites: tuple[CitationView, ...] = Field(description="what its text refers to")
    cited_by: tuple[RuleLinkView, ...] = Field(description="the rules in force that refer to it")
    judgements: tuple[ConstruingView, ...] = Field(description="the judgements that construe it")
