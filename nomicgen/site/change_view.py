"""A change as a page shows it: a redline of the text, the facts beside it, what a program reads before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup
from msgspec import Struct

from nomicgen.law.replay_state import Change, Rule, Step
from nomicgen.law.sentences import sentences
from nomicgen.model import Instruction, Instrument
from nomicgen.site.page import Page
from nomicgen.site.player_html import render_text
from nomicgen.site.redline_html import redline_html, words_html
from nomicgen.site.shared_pieces import Link


class ChangeView(Struct, frozen=True, kw_only=True):
    """An instruction as a page shows it: its heading, the rule that it `made`, and what became of that rule.

    `facts` are the name of an aspect, and what it was before and after; `provisions` are sentences, each with `ins` or
    `del` where it came or went.
    """

    heading: Markup
    made: Link | None = None
    caution: str = ""
    facts: Sequence[tuple[str, object, object]] = ()
    redline: tuple[str, Markup] | None = None
    text: Markup | None = None
    tone: str = ""
    provisions: Sequence[tuple[str, str]] = ()
    remark: str = ""


def change_views(page: Page, instrument: Instrument, step: Step | None) -> tuple[ChangeView, ...]:
    """Each instruction of an instrument: what it did, or would have done, to the rule that it names."""
    done = {change.instruction.index: change for change in step.changes} if step else {}
    return tuple(
        _change(page, done[one.index]) if one.index in done else _words(page, one, step)
        for one in instrument.instructions
    )


def _words(page: Page, instruction: Instruction, step: Step | None) -> ChangeView:
    """An instruction that could not be carried out: as it was written, or against the rule that it names."""
    named = instruction.target
    rule = step.before.named(named.number) if step and named else None
    text, redline = instruction.text, None
    if rule is not None and rule.text is not None and text is not None:
        redline = (f"What it would change in Rule {rule.ref}", redline_html(rule.text, text))
    return ChangeView(
        heading=page.linked_words(instruction.heading, named),
        redline=redline,
        text=render_text(text, page.linker(), folder="proposals", level=4) if text and not redline else None,
        tone="new",
        remark=_remark(step, rule if redline else None),
    )


def _remark(step: Step | None, shown: Rule | None) -> str:
    """Why an instruction is shown as it was written, and against which rule."""
    if step is not None and step.outcome == "applied":
        return "It restores what the ledger says, and changed no law."
    if shown is not None:
        return f"Shown against Rule {shown.ref}: the instruction cannot be carried out as it stands."
    return "The instruction cannot be carried out as it stands."


def _change(page: Page, change: Change) -> ChangeView:
    before, after = change.before, change.after
    unknown = before is not None and before.text is None and change.verb == "amend"
    return ChangeView(
        heading=_heading(page, change),
        made=_made(page, change),
        caution=_caution(change),
        facts=tuple(_facts(page, before, after)),
        redline=_redline(before, after),
        text=page.text(after, 4) if after is not None and (before is None or unknown) else None,
        tone="new" if before is None and after is not None and after.text is not None else "",
        provisions=_provisions(before, after),
    )


def _caution(change: Change) -> str:
    """What must be said before a text: that what it is to be compared with did not survive."""
    if change.verb != "amend" or change.before is None or change.before.text is not None:
        return "The new text is lost." if change.verb == "amend" and change.instruction.lost else ""
    return "" if change.instruction.lost else "The text that it amended is lost, so this is the whole new text:"


def _made(page: Page, change: Change) -> Link | None:
    """The link to the rule that a change made; None where it never took effect, and for a repeal."""
    rule = change.after
    history = page.histories.rules.get(rule.identity) if rule else None
    if rule is None or history is None or not any(entry.change is change for entry in history.entries):
        return None
    fate = page.site.fate(history, rule.number, rule.revision)
    href = page.rule_href(history, rule.number, rule.revision)
    return Link(href, f"{'then' if fate else 'now'} Rule {rule.ref}", note=f"({fate})" if fate else "")


def _heading(page: Page, change: Change) -> Markup:
    """The instruction's heading, in which the revision that it names is a link, and its title said."""
    words = change.instruction.heading
    history = page.histories.rules.get(change.before.identity) if change.before else None
    if history is None or change.before is None:
        return Markup("{}").format(words)
    named = f"Rule {change.instruction.target}"
    before, _, after = words.partition(named)
    href = page.rule_href(history, change.before.number, change.before.revision)
    title = f" · {change.before.title}" if change.before.title and not after else ""
    return Markup('{}<a class="n-ref" href="{}">{}</a>{}{}').format(before, href, named, after, title)


def _redline(before: Rule | None, after: Rule | None) -> tuple[str, Markup] | None:
    """What a redline is called, and the redline."""
    if before is None or before.text is None:
        return None
    if after is None:
        return f"Rule {before.ref}, repealed", redline_html(before.text, "")
    if after.text is None or after.text == before.text:
        return None
    return f"From Rule {before.ref} to Rule {after.ref}", redline_html(before.text, after.text)


def _facts(page: Page, before: Rule | None, after: Rule | None) -> Iterator[tuple[str, object, object]]:
    if after is None:
        return
    for name, old, new in (
        ("Number", before and before.number, after.number),
        ("Tier", before and before.tier, after.tier),
        ("Title", before and before.title, after.title),
        ("Section", before and before.section, after.section),
        ("Defines", before and ", ".join(before.defines), ", ".join(after.defines)),
        ("Read by no program", before and _unread(before), _unread(after)),
        ("Void", _void(page, before), _void(page, after)),
        ("Note", before and before.note, after.note),
    ):
        if (old or "") != (new or "") and (before is not None or name not in ("Number", "Title")):
            yield name, old or "", new or ""


def _unread(rule: Rule) -> str:
    """What no program reads of a rule, on one line."""
    return " ".join(("the whole rule",) if rule.unread is True else (f"“{one}”" for one in rule.unread))


def _void(page: Page, rule: Rule | None) -> object:
    if rule is None or not rule.void:
        return ""
    return "yes" if isinstance(rule.void, bool) else page.when(rule.void)


def _provisions(before: Rule | None, after: Rule | None) -> Sequence[tuple[str, str]]:
    """The sentences of before and after: those that go, those that stay, those that come."""
    old = sentences(before.law) if before else ()
    new = sentences(after.law) if after else ()
    if before is None:
        return [(text, "") for text in new]
    if old == new:
        return ()
    gone, come = [text for text in old if text not in new], [text for text in new if text not in old]
    if len(gone) == len(come) == 1:
        changed = words_html(gone[0], come[0])
        return [(changed if text in come else text, "") for text in new]
    return [
        *((text, "del") for text in gone),
        *((text, "ins" if text in come else "") for text in new),
    ]
