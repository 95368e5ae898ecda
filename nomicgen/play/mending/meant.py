"""What a draft may be meant to do, if only its author can know: a whole file for each meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nomicgen.files.documents import read_instrument
from nomicgen.files.headings import looks_like_instruction
from nomicgen.files.instruction_text import enact
from nomicgen.files.text_encoding import trim_blank_lines
from nomicgen.history.references import mentions
from nomicgen.law.replay.asked_texts import without_struck
from nomicgen.law.replay.results import Rule
from nomicgen.model.findings import Finding
from nomicgen.play.draft import Draft, name_in
from nomicgen.play.load import Game
from nomicgen.play.whole_files import (
    ENACTED_TEXT,
    DraftFrame,
    WholeFile,
    amendment,
    can_be_carried_out,
    files_changing,
)

AUTHOR_MUST_SAY = frozenset(
    {
        *("instruction-missing", "instruction-unknown", "instruction-body"),
        *("changes-many", "text-is-order", "tier-protected"),
    }
)
"""Findings that only the author may be able to settle: the draft does not say clearly what it is to
do.
"""
_KEPT = ("mutability", "reenacts", "section", "defines", "unread", "provisions")
"""Keys of a new rule's block that stay as the author wrote them."""
_MOST_RULES = 2
"""Rules for which files are offered, at most."""
_MOST_SECTIONS = 3
"""Sections of a draft for which files are offered, at most."""
# A heading of level 1 or 2, and the opening of a `yaml rule` block.
_HEADING = r" {0,3}#{1,2}[ \t]+(\S.*?)[ \t]*#*[ \t]*"
_BLOCK = r"( {0,3}(?:`{3,}|~{3,})[ \t]*yaml)[ \t]+rule\b.*"
# A number in a heading that can be a rule's; a citation such as R203.
_NUMBER = r"(?<![\w/.-])[1-9][0-9]{0,8}(?![\w.-])"
_CITED = r"(?<!\w)R([1-9][0-9]{0,8})(?!\w)"
_ORDINALS = ("first", "second", "third")


def meant_files(game: Game, draft: Draft, left: Sequence[Finding]) -> tuple[WholeFile, ...]:
    """Return the files that a draft's author may have meant, if it still has the findings `left`.

    None of them has an error, and no two have the same text.
    """
    files = {file.text: file for file in _candidates(game, draft, left)}
    return tuple(file for file in files.values() if can_be_carried_out(game, file))


def _candidates(game: Game, draft: Draft, left: Sequence[Finding]) -> Iterator[WholeFile]:
    slugs = {finding.slug for finding in left}
    changes = [line for line, heading in draft.sections() if heading is not None]
    if "tier-protected" in slugs:
        # The law forbids this change, so the files offer what a vote can do to the rule instead.
        yield from _of_prose(game, draft)
    elif "text-is-order" in slugs:
        line = next(finding.span.line for finding in left if finding.slug == "text-is-order")
        yield from _of_order(game, draft, line)
    elif "changes-many" in slugs:
        # An enactment loses its number: without the other changes it may get another one.
        for at, line in enumerate(changes[:_MOST_SECTIONS]):
            heading = re.sub(r"^( {0,3}##[ \t]+Enact Rule)[ \t]+[0-9]+", r"\1", draft.lines[line])
            lines = (
                *draft.lines[: changes[0]],
                heading,
                *draft.lines[line + 1 : draft.end_below(line)],
            )
            yield _file(draft, lines, f"to propose only the {_ORDINALS[at]} change")
    elif changes and slugs == {"instruction-unknown"}:
        yield from _of_stray_headings(draft, changes[0])
    elif slugs & AUTHOR_MUST_SAY:
        yield from _of_prose(game, draft)


def _file(draft: Draft, lines: Sequence[str], label: str) -> WholeFile:
    text = "\n".join(lines).strip("\n")
    return WholeFile(path=draft.path, text=f"{text}\n", label=label)


def _frame(draft: Draft, argument: str) -> DraftFrame:
    return DraftFrame(
        path=draft.path, front="\n".join(draft.lines[: draft.body]), argument=argument
    )


def _without_instructions(lines: Sequence[str]) -> str:
    """Return lines as text in which the program finds no instruction and no block to read.

    Headings of level 1 and 2 get level 3; lines that read like instructions lose their marks.
    """
    start, end = trim_blank_lines(lines, 0, len(lines))
    return "\n".join(map(_plain, lines[start:end]))


def _plain(line: str) -> str:
    heading = re.fullmatch(_HEADING, line)
    plain = f"### {heading[1]}" if heading else re.sub(_BLOCK, r"\1", line)
    return (
        re.sub(r"[#\uff03\ufe5f\u266f&<>]", "", plain).strip()
        if looks_like_instruction(plain)
        else plain
    )


def _of_order(game: Game, draft: Draft, line: int) -> Iterator[WholeFile]:
    """Yield the files for an order ("delete the second sentence") in place of a rule's text.

    In some the order is the argument. In another it is the text as it stands; if a part of it is
    struck out, one more has it as text without that part.
    """
    instrument, _ = read_instrument(draft.path, "\n".join(draft.lines).encode())
    instructions = instrument.instructions if instrument is not None else ()
    order = next((one for one in instructions if one.span.line == line), None)
    if order is None or order.text is None:
        return
    first, end = next(draft.sections())[0], draft.end_below(line - 1)
    above, before, after = draft.lines[:first], draft.lines[first : line - 1], draft.lines[end:]
    argument = _without_instructions(
        [*draft.lines[draft.body : first], "", *order.text.split("\n")]
    )
    rule = game.replay.current.get(order.target.number) if order.target else None
    block = order.block
    provisions = block.provisions if block is not None else None
    kept = {key: getattr(block, key) for key in _KEPT} if block is not None else {}

    def written(text: str, *, whole: bool = False) -> str:
        if rule is not None:
            return amendment(rule, text, provisions, whole=whole)
        return enact(None, order.title or draft.title, text, whole=whole, **kept)

    plain = without_struck(order.text)
    if plain:
        # An author who takes this file confirms that the rule is to be so much shorter.
        is_cut = rule is not None and len(plain.split()) * 2 < len((rule.text or "").split())
        struck = written(plain, whole=is_cut)
        yield _file(draft, (*above, *before, struck, "", *after), "to leave out what is struck out")
    if rule is not None:
        changed = written(rule.text or "")
        argued = (*draft.lines[: draft.body], "", argument, "", *before, changed, "", *after)
        yield _file(draft, argued, f"to change a part of Rule {rule.number}")
    else:
        rules = _rules_named(game, draft, ())
        yield from files_changing(game, rules, _frame(draft, argument))
        yield _frame(draft, argument).whole(
            "to enact a new rule", enact(None, order.title or draft.title, ENACTED_TEXT)
        )
    named = "the new rule" if rule is None else f"Rule {rule.number}"
    confirmed = (*above, *before, written(order.text, whole=True), "", *after)
    yield _file(draft, confirmed, f"to let {named} say this, and nothing else")


def _of_stray_headings(draft: Draft, first: int) -> Iterator[WholeFile]:
    """Yield the files for headings below an instruction that are no instructions themselves.

    In one file they are a part of the argument, in the other a part of the rule's text.
    """
    strays = [line for line, heading in draft.sections() if heading is None and line > first]
    moved = {at for line in strays for at in range(line, draft.end_below(line))}
    kept = [line for at, line in enumerate(draft.lines) if at >= first and at not in moved]
    argued = _without_instructions([draft.lines[at] for at in sorted(moved)])
    what = (
        "the other heading and its text are"
        if len(strays) == 1
        else "the other headings and their texts are"
    )
    yield _file(draft, (*draft.lines[:first], argued, "", *kept), f"if {what} part of the argument")
    within = [_plain(line) if at in strays else line for at, line in enumerate(draft.lines)]
    yield _file(draft, within, f"if {what} part of the rule")


def _of_prose(game: Game, draft: Draft) -> Iterator[WholeFile]:
    """Yield the files for prose, which may be about the rules that it names or about a new rule."""
    body = draft.lines[draft.body :]
    headings = [heading for _, heading in draft.sections() if heading is not None]
    targets = [heading.target.number for heading in headings if heading.target is not None]
    sections = [line for line, heading in draft.sections() if heading is None][:_MOST_SECTIONS]
    # If the draft has instructions, the argument gets none of its headings of level 1 or 2.
    argument = _without_instructions(
        [line for line in body if not headings or not re.fullmatch(_HEADING, line)]
    )
    rules = _rules_named(game, draft, targets)
    yield from files_changing(game, rules, _frame(draft, argument))
    # If no instruction names a rule, each section may be the text of one.
    for at, line in enumerate(() if targets else sections):
        text, rest = (
            _without_instructions(draft.lines[line + 1 : draft.end_below(line)]),
            _frame_without(draft, line),
        )
        plain = without_struck(text)
        text, words = plain or text, draft.lines[line].strip("# \t")
        rule = next((rule for rule in rules if rule.number in _numbers(words)), None)
        ordinal = f"{_ORDINALS[at]} " if len(sections) > 1 else ""
        struck = ", without what is struck out" if plain else ""
        below = f"what stands below the {ordinal}heading{struck}"
        if rule is not None:
            only = amendment(
                rule, text, whole=len(text.split()) * 2 < len((rule.text or "").split())
            )
            yield rest.whole(f"to let Rule {rule.number} say {below}, and nothing else", only)
        else:
            title = name_in(words) or draft.title
            yield rest.whole(f"to enact a new rule that says {below}", enact(None, title, text))
    if argument and not targets and not sections:
        title = next((heading.title for heading in headings if heading.title), draft.title)
        # An argument without a section does not become law: its author writes the text.
        yield _frame(draft, argument).whole("to enact a new rule", enact(None, title, ENACTED_TEXT))


def _frame_without(draft: Draft, line: int) -> DraftFrame:
    """Return the frame of a draft whose argument is its body without the section at `line`."""
    return _frame(
        draft,
        _without_instructions(
            [*draft.lines[draft.body : line], *draft.lines[draft.end_below(line) :]]
        ),
    )


def _numbers(text: str) -> list[int]:
    return [int(match[0]) for match in re.finditer(_NUMBER, text)]


def _rules_named(game: Game, draft: Draft, targets: Sequence[int]) -> list[Rule]:
    """Return the rules in force that a draft names: `targets`, then those named in its lines.

    Each is there once; there are at most `_MOST_RULES`.
    """
    named = [
        number
        for line in draft.lines[draft.body :]
        for number in (
            *(one.reference.number for one in mentions(line) if one.reference.kind == "rule"),
            *(int(match[1]) for match in re.finditer(_CITED, line)),
            *(_numbers(line) if re.fullmatch(_HEADING, line) else ()),
        )
    ]
    rules = (game.replay.current.once_numbered(number) for number in (*targets, *named))
    return [*{rule.identity: rule for rule in rules if rule is not None}.values()][:_MOST_RULES]
