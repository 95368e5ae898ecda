"""How an archive's files are read: as `## 203/1 (IMMUTABLE)` has it, or in another form that its newest files show.

Front matter may say what a rule is; a text whose rules begin otherwise is taken apart as one that is in no commit.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.files.text_encoding import trimmed
from nomicgen.importers.git_headings import RuleHeading, parse_rule_heading
from nomicgen.importers.git_texts import (
    FileReading,
    FileText,
    Passage,
    Slip,
    read_whole,
    readable,
    rule_of,
    text_of,
    with_slips,
)
from nomicgen.importers.printed.format import normalised
from nomicgen.importers.outline_doubts import Doubt
from nomicgen.importers.rule_front_matter import FrontKeys, FrontMatter, read_front_matter
from nomicgen.importers.text_lines import TierWords
from nomicgen.importers.text_outline import RulePart
from nomicgen.importers.text_reading import outlined
from nomicgen.importers.text_rule_forms import RuleForm
from nomicgen.importers.tiers import RANKS

_LEAST = 600
_TIERS = TierWords(RANKS)


class ArchiveForm(Struct, frozen=True):
    """How files are read: `shape` is how rules begin in one that has several, None for `## 203/1`; `front` says what
    the keys of front matter mean.
    """

    shape: RuleForm | None = None
    front: FrontKeys = FrontKeys()


class FormGuess(Struct, frozen=True, kw_only=True):
    """What a file shows of an archive's form, with the number of its rules; `doubt` is why it is not believed."""

    rules: int = 0
    shape: RuleForm | None = None
    doubt: Doubt | None = None


def read_form(data: bytes, named: int | None, form: ArchiveForm) -> FileText:
    """The rules of a file's contents. `named` is the number that its name gives, None for one file for all."""
    if form.shape is None and not data.startswith(b"---"):
        return read_whole(data, named)
    lines, slips = _lines(data)
    file = FileReading(slips)
    front = read_front_matter(lines, form.front)
    number = None if front is None else front.number or named
    if front is not None and number is not None:
        _read_fronted(lines, number, named, front, file)
    elif named is None and form.shape is not None:
        _read_outlined(lines, front.end if front else 0, form.shape, file)
    else:
        return read_whole(data, named)
    return file.text()


def guessed(data: bytes) -> FormGuess:
    """How the rules of a file begin that has several."""
    lines, _ = _lines(data)
    front = read_front_matter(lines)
    if front is not None and front.number is not None:
        return FormGuess(rules=1)
    words = _below(lines, front.end if front else 0)
    plain = read_whole(data, None)
    inside = sum(len(one.text or "") for one in plain.passages)
    outside = len(words.strip()) - inside
    if plain.passages and outside <= max(inside, _LEAST):
        return FormGuess(rules=len(plain.passages))
    made = outlined(words, markdown=True, words=_TIERS)
    found = len(made.whole.parts) if made.whole is not None else 0
    if found > len(plain.passages):
        return FormGuess(rules=found, shape=RuleForm(key=made.reading.key), doubt=made.doubt)
    return FormGuess(rules=len(plain.passages), doubt=made.doubt)


def _lines(data: bytes) -> tuple[list[str], tuple[Slip, ...]]:
    data, slips = readable(data)
    notes = Notes("")
    words = normalised(data, notes)
    assert words is not None
    return words.split("\n"), slips


def _below(lines: Sequence[str], end: int) -> str:
    """The words below a front matter, each in its line."""
    return "\n" * end + "\n".join(lines[end:])


def _read_fronted(lines: list[str], number: int, named: int | None, front: FrontMatter, file: FileReading) -> None:
    """A file for one rule, whose front matter says what it is; a heading below may say the same again."""
    first, last = trimmed(lines, front.end, len(lines))
    heading = parse_rule_heading(lines[first]) if first < last else None
    at = first
    if heading is None or heading.number != number or not heading.level:
        heading, at = RuleHeading(number=number), front.end - 1
    heading = replace(
        heading,
        revision=heading.revision if front.revision is None else front.revision,
        tier=front.tier or heading.tier,
        title=front.title or heading.title,
        malformed=False,
    )
    if named is not None and number != named:
        message = f"the front matter says Rule {number}, and the file's name {named}"
        file.warn("number-differs", 1, message, "the front matter is followed, unless another file has that rule")
    rule = rule_of(heading, lines, at, len(lines), bare=heading.tier is None)
    file.include(replace(rule, rules=((1, *rule.passages),)))


def _read_outlined(lines: Sequence[str], end: int, shape: RuleForm, file: FileReading) -> None:
    """One file for all rules, which begin as `shape` says; in a version that has none, as most of its lines do."""
    words = _below(lines, end)
    outline = outlined(words, markdown=True, words=_TIERS, shape=shape)
    if outline.whole is None and shape.pattern is None:
        other = outlined(words, markdown=True, words=_TIERS)
        # An older version of the text may have had another form.
        outline = other if other.whole is not None and len(other.whole.parts) > 1 and other.doubt is None else outline
    if outline.whole is None:
        if words.strip():
            file.warn("file-without-rule", 1, "no line in this file begins a rule", "it is left out")
        return
    for outside in outline.whole.outside:
        where = {"above": "above the first rule", "heading": f"between Rule {outside.number} and the next"}
        message = f"words are {where.get(outside.why, f'below Rule {outside.number}, the last')}"
        file.warn("outside", outside.lines[0].number, message, "they are left out")
    for part in outline.whole.parts:
        if part.number == 0 or part.past:
            message = f"Rule {part.number} stands below {part.past}" if part.past else "no rule has the number 0"
            file.warn("outside", part.line, message, "it is left out")
        else:
            file.include(_rule(part))
            for line, message in part.told_below:
                file.warn("history-printed", line, message, "it is left out")


def _rule(part: RulePart) -> FileText:
    text, slips = text_of(part.plain) if part.exact is None else (part.exact, ())
    blank = next((at for at, line in enumerate(part.lines) if not line.blank), None)
    above = part.line if blank is None else part.lines[blank].number - blank - 1
    passage = Passage(
        number=part.number,
        revision=part.revision,
        tier=part.mark or part.heading,
        mark="void" if part.void else "repealed" if part.gone and text is None else "",
        title=part.title,
        text=text,
    )
    return with_slips(passage, part.line, slips, above)
