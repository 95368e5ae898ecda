"""The rules of a text: taken apart, each with its tier, its words written as Markdown, and what is odd about it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.importers.outline_doubts import Doubt, doubt_of, ruleless_doubt
from nomicgen.importers.rule_front_matter import read_front_matter
from nomicgen.importers.rule_text.blocks import plain_as_markdown, room_in
from nomicgen.importers.text_lines import TierWords, lines_of
from nomicgen.importers.rule_text.from_markdown import as_markdown, code_lines
from nomicgen.importers.text_markers import find_rules, readings
from nomicgen.importers.text_outline import Outline, RulePart, outline
from nomicgen.importers.text_printed import name_of, printed_outline
from nomicgen.importers.text_report import RewrittenText, note_below, note_doubts, note_outside, note_spent, note_tiers
from nomicgen.importers.text_rule_forms import FormReading, RuleForm
from nomicgen.importers.tiers import RANKS, Statement, TierMap, first_number, ranked, statements, tier_of

_MOST_SPENT = 10_000


class Read(Struct, frozen=True, kw_only=True):
    """A ruleset, read: its tiers, most entrenched first, and the numbers of proposals that it shows to be spent.

    `outline` has every line of the text in its place; `name` is None where the text does not say it.
    """

    name: str | None = None
    tiers: tuple[str, ...]
    rules: tuple[RulePart, ...]
    spent: tuple[int, ...]
    outline: Outline


class Outlined(Struct, frozen=True, kw_only=True):
    """A text, taken apart: `whole` is None where it has no rules; `statements` are what they say of tiers, `doubt` why
    they cannot be all that it is. `reading` are the lines with which the rules begin.
    """

    reading: FormReading = FormReading()
    whole: Outline | None = None
    statements: tuple[Statement, ...] = ()
    doubt: Doubt | None = None


def outlined(text: str, *, markdown: bool, words: TierWords, shape: RuleForm | None = None) -> Outlined:
    """Takes a text apart, in a file or in a commit: its rules begin as `shape` says, or as most of its lines do."""
    given = lines_of(text)
    if shape in (None, RuleForm()) and (printed := printed_outline(given)) is not None:
        return Outlined(whole=printed, statements=_statements(printed, words))
    code = code_lines(text) if markdown else frozenset[int]()
    reading = find_rules(given, words, code, shape)
    if not reading.rules:
        return Outlined(doubt=ruleless_doubt(given, code) if shape is None else None)
    lines = reading.cut_lines or given
    if reading.cut_lines:
        code = frozenset()
    whole = outline(lines, reading.rules, words, code)
    doubt = None
    if shape is None and not reading.cut_lines:
        doubt = doubt_of(given, reading, whole, readings(given, words, code), code)
    return Outlined(reading=reading, whole=whole, statements=_statements(whole, words), doubt=doubt)


def _statements(whole: Outline, words: TierWords) -> tuple[Statement, ...]:
    """What the rules say of the tiers of numbers, Rules 101 and 102 before all others."""
    order = sorted(whole.parts, key=lambda part: part.number not in (101, 102))
    return tuple(statement for part in order for statement in statements(part.plain, words.names))


def read_text(text: str, *, markdown: bool, tiers: TierMap, notes: Notes, shape: RuleForm | None = None) -> Read | None:
    """Reads the rules of a text, `normalised`, which begin as `shape` says. None where it has none, or where nobody can
    tell them from the rest; that is noted.
    """
    front = read_front_matter(text.split("\n"))
    if front is not None:
        text = "\n" * front.end + "\n".join(text.split("\n")[front.end :])
    taken_apart = outlined(text, markdown=markdown, words=TierWords({*RANKS, *tiers.names}), shape=shape)
    if taken_apart.doubt is not None:
        notes.at("import-unsure", taken_apart.doubt.line, 1, taken_apart.doubt.message, taken_apart.doubt.help)
        return None
    if taken_apart.whole is None:
        if shape is None:
            message = "no rule stands here: nothing begins as `Rule 101`, `101.` or `## 101` does"
            help = "write each rule's number before its text, then import it again"
        else:
            message = "no line begins as `--heading` says, with a number that a rule can have"
            help = "the expression is tried at the beginning of each line, and its group `number` has digits alone"
        notes.at("import-unread", 1, 1, message, help)
        return None
    note_doubts(taken_apart.reading.doubtful, taken_apart.reading.rules, notes)
    parts = _distinct(taken_apart.whole.parts, notes)
    if not parts:
        return None
    read = _read(taken_apart.whole, parts, taken_apart.statements, markdown, tiers, notes)
    return replace(read, name=name_of(lines_of(text)) or (front.title if front is not None else None))


def _read(
    whole: Outline,
    parts: Sequence[RulePart],
    stated: Sequence[Statement],
    markdown: bool,
    typed: TierMap,
    notes: Notes,
) -> Read:
    tier_by_number = {
        part.number: part.mark or part.heading or tier_of(part.number, stated) or typed.of(part.number)
        for part in parts
    }
    tiers = ranked((tier for tier in tier_by_number.values() if tier), typed.names)
    room = room_in([line for part in parts for line in part.lines])
    rewritten = RewrittenText()
    rules = tuple(
        replace(part, tier=tier_by_number[part.number] or tiers[-1], text=_text(part, room, markdown, rewritten))
        for part in parts
    )
    spent = _spent(parts)
    note_tiers(parts, tier_by_number, tiers, stated, typed, notes)
    note_outside(whole, notes)
    note_below(parts, notes)
    note_spent(parts, spent, notes)
    rewritten.note(notes)
    return Read(tiers=tiers, rules=rules, spent=spent, outline=whole)


def _distinct(parts: Sequence[RulePart], notes: Notes) -> list[RulePart]:
    """The rules that can be in a game, in order of their numbers."""
    kept: dict[int, RulePart] = {}
    for part in parts:
        rule, help = f"Rule {part.number}", "it is left out"
        is_empty = all(line.blank for line in part.lines)
        message = None
        if part.number == 0:
            message = "no rule of a game has the number 0"
        elif part.number in kept:
            message = f"{rule} stands in line {kept[part.number].line} already"
        elif part.past:
            message = f"{rule} stands below {quoted(part.past)}"
        elif is_empty and part.gone:
            message = f"{rule} is marked {quoted(part.gone)}, and has no text"
        else:
            kept[part.number] = part
            if is_empty:
                message, help = f"{rule} has no text", "its text is said to be lost"
            elif part.gone:
                message = f"{rule} is marked {quoted(part.gone)}, and its text stands here"
                help = "it is kept in force, with the mark as its note: see which is true"
        if message is not None:
            notes.at("import-unread", part.line, 1, message, help)
    return [kept[number] for number in sorted(kept)]


def _text(part: RulePart, room: int | None, markdown: bool, rewritten: RewrittenText) -> str | None:
    if part.exact is not None or all(line.blank for line in part.lines):
        return part.exact
    if markdown:
        kept = as_markdown(part.lines)
        if kept is not None:
            if kept.rewritten:
                rewritten.add("markdown", part.number, part.line)
            return kept.text
        rewritten.add("unfit", part.number, part.line)
    text = plain_as_markdown(part.lines, room)
    words = [" ".join(line.text.split()) for line in part.lines if not line.blank]
    if not markdown and [line for line in text.split("\n") if line] != words:
        rewritten.add("plain", part.number, part.line)
    return text


def _spent(parts: Sequence[RulePart]) -> tuple[int, ...]:
    """The numbers of proposals that were given, since rules bear them."""
    first = first_number(part.plain for part in parts)
    last = max(part.number for part in parts)
    if first is None or not 100 < first <= last < first + _MOST_SPENT:
        return ()
    return tuple(range(first, last + 1))
