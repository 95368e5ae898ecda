"""Texts that their author is asked about: an order to an editor, marks of an edit, a text that
loses most of its words.

Each would become law word for word. If it is meant so, the author says it with `text: whole` in the
block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgen.files.file_findings import quoted
from nomicgen.law.replay.results import Rule, Ruleset
from nomicgen.law.unread_passages import is_in_text
from nomicgen.model.findings import Finding, counted
from nomicgen.model.records import Instruction

_ORDERS = (
    r"(?i)[\W_]*(?:(?:please|let['’]s|let us|we should|we could|i['’]d like to|i want to|i would "
    r"like to)[\W_]+)*"
    r"(?:add|amend|append|change|cut|delete|drop|exchange|insert|lower|make|omit|raise|remove|rename|repeal|reword"
    r"|rewrite|replace|set|strike|substitute|swap)\b"
)
"""How an order to an editor begins."""
_TELLS = r"(?i)[\W_]*(?:i (?:think|propose|suggest|want|would)|in rule [0-9]|rule [0-9/]+\s*:)"
"""How words to those who vote begin, such as `I propose`."""
_OF_TEXT = (
    r"(?i)\W*\w+(?:\W+\w+){0,7}?\W+(?:(?:rules?|sentences?|paragraphs?|clauses?|words?|text|titles?|lines?|numbers?)\b(?!-)"
    r"|(?:with|by|to|from) [0-9\"“'‘])|(?i:\W*(?:\w+\W+){1,2}that\b)"
)
"""How an order goes on if it is about a text."""
_COMPARES = (
    r"(?i)->|=>|→|\binstead of\b|\bthe rest (?:\w+ )?(?:stays|remains|is the "
    r"same)\b|(?m:(?:\.\.\.|…)\s*$)"
)
"""Signs that a text shows an old and a new wording, or leaves the rest out."""
# Words in quotation marks.
_QUOTED = r"""["“”„«»`]([^"“”„«»`\n]+)["“”„«»`]|(?<!\w)['‘‚]([^\n]+?)['’‘](?!\w)"""
_NEW_RULE = (
    r"(?i)[\W_]*(?:(?:please|let['’]s|let us|we "
    r"should)[\W_]+)*(?:add|make|create|have)\W+an?\W+(?:new\W+)?rule\b"
)
"""How an order to write a new rule begins."""
# A reference to a rule, such as `Rule 203`.
_CITED = r"(?i)\brule\s+([1-9][0-9]{0,8})\b"
_MARKS = "(?i)" + "|".join(
    (
        r"(?<!~)~~(?=[^\s~])",
        r"[\[(](?:deleted?|removed?|add(?:ed)?|insert(?:ed)?|old|new)\b[^\])\n]{0,80}:",
        r"(?:\.\.\.|…)\]?(?=\s*\Z)|[\[(][^\])\n]{0,80}\b(?:unchanged|as before|stays the "
        r"same)\b[^\])\n]{0,80}[\])]",
        r"\bthe (?:rest|remainder)(?: of [\w ]{1,30})? (?:is|are|stays?|remains?) "
        r"(?:unchanged|the same|as)\b",
        r"\b[0-9]+(?: \w+)? *(?:->|=>|→) *[0-9]+\b",
        r"(?m:^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:diff|patch)\b)|(?m:^ {0,3}-.*\n\n? {0,3}\+[ \t]*\S)",
        r"(?m:^(?:[^\w\n]|_){0,20}(?:old|new|current|previous|present)?[ "
        r"\t]*(?:text|title|number|status|author"
        r"|mutability|revision|reason|rationale|note|edit|p\.?s\.?|old|new|before|after)[*_]*:(?!\w))",
        r"\b(?:should|shall) (?:now )?(?:read|say)\s*[:\"“]|\bhereby "
        r"(?:amended|changed|replaced|repealed)\b",
        r"\brule [0-9]+(?:/[0-9]+)? (?:is (?:amended|changed|deleted|repealed|replaced)|now "
        r"(?:reads|says))\b",
        r"\b(?:TODO|TBD|FIXME)\b|\?\?\?|_{3,}",
    )
)
"""Marks of an edit: words that stand beside a text, and are no part of it.

In this order: words struck out; brackets for what goes or comes; what is left out; old and new
value; lines of a diff; a line with a label; what a text should say, or becomes of another rule;
what is still to be written.
"""
# Words struck out: `~~such as these~~`.
_STRUCK = r"(?<!~)~~(?=[^\s~])(?:(?!~~)[^\n])+~~(?!~)"
_FAR = 2
"""A text this many times as long as the new one is far longer."""
_CONFIRM = "`text: whole` in a `yaml rule` block"


def findings_about(
    instruction: Instruction, rule: Rule | None, ruleset: Ruleset
) -> Iterator[Finding]:
    """Yield at most one finding about the text that an instruction gives to `rule` (None for a new
    rule): the error `text-is-order` or the warning `text-cut`.
    """
    text, block = instruction.text or "", instruction.block
    if instruction.verb not in ("enact", "amend") or (block is not None and block.text == "whole"):
        return
    is_new = instruction.verb == "enact"
    if not is_new and rule is None:
        return
    named = "a new rule" if rule is None or is_new else f"Rule {rule.ref}"
    was = 0 if rule is None or is_new else len((rule.text or "").split())
    mark = re.search(_MARKS, text)
    if mark is not None:
        yield Finding(
            slug="text-is-order",
            span=instruction.span,
            message=f"the text of {named} would hold something that hardly belongs in it: "
            f"{quoted(_short(mark[0]))}",
            help="write the rule's text alone, as it is to be; or, if this is to stand in it, "
            f"{_CONFIRM}",
        )
    elif _orders_anew(text, ruleset) if is_new else rule is not None and _is_order(text, rule):
        lost = f", and nothing of the {was} words in force would stay" if was else ""
        whole = "the text that the new rule is to have" if is_new else "the whole new text"
        yield Finding(
            slug="text-is-order",
            span=instruction.span,
            message=f"{quoted(' '.join(text.split()), 80)} would be the whole text of "
            f"{named}{lost}",
            help=f"write {whole} below the heading; or, if this is to be all of it, {_CONFIRM}",
        )
    elif not is_new and rule is not None and is_cut(instruction, rule):
        yield Finding(
            slug="text-cut",
            span=instruction.span,
            message=f"{named} would have {counted(len(text.split()), 'word')} in place of {was}",
            help="to change a part of the rule, write its whole new text; if it is to say no "
            f"more, {_CONFIRM} says so",
        )


def is_cut(instruction: Instruction, rule: Rule) -> bool:
    """Return whether an amendment leaves a rule some words, but less than half of them."""
    return 0 < len((instruction.text or "").split()) * 2 < len((rule.text or "").split())


def without_struck(text: str) -> str | None:
    """Return a text without the words that are struck out in it; None if it has none, or has other
    marks of an edit.
    """
    plain, count = re.subn(_STRUCK, "", text)
    plain = re.sub(r"(?<=\S) +(?=[.,;:!?])", "", re.sub(r"(?<=\S)  +", " ", plain))
    return plain.strip() if count and not re.search(_MARKS, plain) else None


def _orders_anew(text: str, ruleset: Ruleset) -> bool:
    """Return whether the text of a new rule begins as an order to an editor: to change a rule in
    force, or to write a new one.
    """
    first = re.split(r"(?<=[.!?])\s", text.strip(), maxsplit=1)[0]
    cites = any(
        ruleset.once_numbered(int(match[1])) is not None for match in re.finditer(_CITED, first)
    )
    return (cites and re.match(_ORDERS, first) is not None) or re.match(
        _NEW_RULE, first
    ) is not None


def _is_order(new: str, rule: Rule) -> bool:
    """Return whether a text is an order about the text that it would replace.

    It is one in three cases: it speaks to the voters and is shorter; it begins as an order to an
    editor, and quotes words of the text in force or speaks of a part of a text; it is far shorter,
    and quotes them or shows an old and a new wording.
    """
    old = rule.text or ""
    tells = re.match(_TELLS, new) is not None
    orders, compares = re.match(_ORDERS, new) is not None, re.search(_COMPARES, new) is not None
    quotes = any(is_in_text(match[1] or match[2], old) for match in re.finditer(_QUOTED, new))
    kept, words = len(new.split()), len(old.split())
    is_far_shorter = kept * _FAR < words
    return (
        (tells and kept < words)
        or (orders and (quotes or re.match(_OF_TEXT, new) is not None))
        or (is_far_shorter and (quotes or compares))
    )


def _short(mark: str) -> str:
    """Return the first word of a mark."""
    return mark.strip().partition(" ")[0].partition("\n")[0]
