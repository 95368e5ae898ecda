"""A change of a rule as an instrument's page shows it: a redline of the text, its tier and other
facts before and after, and its provisions in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup
from msgspec import Struct

from nomicgen.law.replay.correction_acts import is_correction
from nomicgen.law.replay.results import Rule, RuleChange, Step
from nomicgen.law.sentences import sentences
from nomicgen.model.records import Instruction, Instrument
from nomicgen.model.values import Moment
from nomicgen.site.parts.page import Page
from nomicgen.site.texts.player_html import render_text
from nomicgen.site.texts.redline_html import redline_html, words_html


class ChangeView(Struct, frozen=True, kw_only=True):
    """An instruction as a page shows it, and the rule `before` and `after` it; both are None if it
    cannot be carried out.

    `line` is the line of the rule's history that the change made: the rule's identity and an index;
    None if it made none. Each of `facts` is a name, such as `Tier`, with the values before and
    after. `redline` has a name and HTML; `text` is a whole text in place of it. `provisions` are
    sentences, each with `ins` or `del` if it came or went, or ''. `caution` stands before all this,
    `remark` after it.
    """

    instruction: Instruction
    before: Rule | None = None
    after: Rule | None = None
    line: tuple[int, int] | None = None
    caution: str = ""
    facts: Sequence[tuple[str, object, object]] = ()
    redline: tuple[str, Markup] | None = None
    text: Markup | None = None
    provisions: Sequence[tuple[str, str]] = ()
    remark: str = ""


def change_views(page: Page, instrument: Instrument, step: Step | None) -> tuple[ChangeView, ...]:
    """Return for each instruction of an instrument what it did, or would do, to its rule."""
    changes = {change.instruction.index: change for change in step.changes} if step else {}
    return tuple(
        _carried_out(page, instrument, changes[instruction.index])
        if instruction.index in changes
        else _as_written(page, instrument, instruction, step)
        for instruction in instrument.instructions
    )


def _as_written(
    page: Page, instrument: Instrument, instruction: Instruction, step: Step | None
) -> ChangeView:
    """Return an instruction that could not be carried out, as written, or against its rule."""
    target, text = instruction.target, instruction.text
    rule = step.before.once_numbered(target.number) if step and target else None
    redline = None
    remark = "The instruction cannot be carried out as it stands."
    if rule is not None and rule.text is not None and text is not None:
        redline = (f"What it would change in Rule {rule.ref}", redline_html(rule.text, text))
    if step is not None and step.outcome == "applied":
        remark = (
            "It restores what the ledger says, and changed no law."
            if is_correction(instrument)
            else "It could not be carried out; the other changes were."
        )
    return ChangeView(
        instruction=instruction,
        redline=redline,
        text=render_text(text, page.linker(), folder="proposals", level=4)
        if text and not redline
        else None,
        remark=remark,
    )


def _carried_out(page: Page, instrument: Instrument, change: RuleChange) -> ChangeView:
    before, after = change.before, change.after
    lost = before is not None and before.text is None and change.verb == "amend"
    caution = ""
    if change.verb == "amend" and lost != change.instruction.lost:
        caution = (
            "The text that it amended is lost, so this is the whole new text:"
            if lost
            else "The new text is lost."
        )
    old, new = _aspects(page, before), _aspects(page, after)
    entries = page.site.entries_of.get(instrument.path, ())
    rules = page.histories.rules
    lines = (
        line
        for line in entries
        if after is not None and rules[line[0]].entries[line[1]].change is change
    )
    return ChangeView(
        instruction=change.instruction,
        before=before,
        after=after,
        line=next(lines, None),
        caution=caution,
        facts=[
            (name, old.get(name, ""), words)
            for name, words in new.items()
            # The heading has the number and the title of a new rule.
            if words != old.get(name, "")
            and (before is not None or name not in ("Number", "Title"))
        ],
        redline=_redline(before, after),
        text=page.text(after, 4) if after is not None and (before is None or lost) else None,
        provisions=_provisions(before, after),
    )


def _redline(before: Rule | None, after: Rule | None) -> tuple[str, Markup] | None:
    """Return the name of a redline, and the redline; None if there is nothing to compare."""
    if before is None or before.text is None:
        return None
    if after is None:
        return f"Rule {before.ref}, repealed", redline_html(before.text, "")
    if after.text is None or after.text == before.text:
        return None
    return f"From Rule {before.ref} to Rule {after.ref}", redline_html(before.text, after.text)


def _aspects(page: Page, rule: Rule | None) -> Mapping[str, object]:
    """Return the values of a rule besides its text and its provisions, by the words of a page."""
    if rule is None:
        return {}
    unread = (
        ("the whole rule",) if rule.unread is True else (f"“{passage}”" for passage in rule.unread)
    )
    return {
        "Number": rule.number,
        "Tier": rule.tier,
        "Title": rule.title or "",
        "Section": rule.section or "",
        "Defines": ", ".join(rule.defines),
        "Read by no program": " ".join(unread),
        "Void": page.when(rule.void)
        if isinstance(rule.void, Moment)
        else "yes"
        if rule.void
        else "",
        "Note": rule.note or "",
    }


def _provisions(before: Rule | None, after: Rule | None) -> Sequence[tuple[str, str]]:
    """Return the provisions as sentences, each with `ins` or `del` if it came or went: first those
    that went. If one took the place of one, the words in it are marked. Return () if all stay.
    """
    old = sentences(before.law) if before else ()
    new = sentences(after.law) if after else ()
    if before is None:
        return [(sentence, "") for sentence in new]
    if old == new:
        return ()
    gone = [sentence for sentence in old if sentence not in new]
    come = [sentence for sentence in new if sentence not in old]
    if len(gone) == len(come) == 1:
        changed = words_html(gone[0], come[0])
        return [(changed if sentence in come else sentence, "") for sentence in new]
    return [
        *((sentence, "del") for sentence in gone),
        *((sentence, "ins" if sentence in come else "") for sentence in new),
    ]
