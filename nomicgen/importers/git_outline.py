"""How an archive's files are read: as `## 203/1 (IMMUTABLE)` has it, or in another form that its newest files show.

Front matter may say what a rule is; a text whose rules begin otherwise is taken apart as one that is in no commit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import Notes
from nomicgen.files.text_encoding import trimmed
from nomicgen.importers.git_headings import RuleHeading, parse_rule_heading
from nomicgen.importers.git_texts import FileText, Passage, Slip, passage_of, read_whole, readable, text_of
from nomicgen.importers.long_format import normalised
from nomicgen.importers.outline_doubts import Doubt
from nomicgen.importers.rule_front_matter import FrontKeys, FrontMatter, read_front_matter
from nomicgen.importers.text_lines import Line, TierWords
from nomicgen.importers.text_outline import Outside, RulePart
from nomicgen.importers.text_reading import outlined
from nomicgen.importers.text_rule_forms import RuleForm
from nomicgen.importers.text_tiers import RANKS

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
    front = read_front_matter(lines, form.front)
    number = None if front is None else front.number or named
    if front is not None and number is not None:
        found = _fronted(lines, number, named, front)
    elif named is None and form.shape is not None:
        found = _outlined(lines, front.end if front else 0, form.shape)
    else:
        return read_whole(data, named)
    return FileText(passages=found.passages, lines=found.lines, slips=(*slips, *found.slips))


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


def _fronted(lines: list[str], number: int, named: int | None, front: FrontMatter) -> FileText:
    """A file for one rule, whose front matter says what it is; a heading below may say the same again."""
    first, last = trimmed(lines, front.end, len(lines))
    heading = parse_rule_heading(lines[first]) if first < last else None
    repeated = heading is not None and heading.number == number and heading.level > 0
    said = heading if repeated and heading is not None else RuleHeading(number=number)
    meant = RuleHeading(
        number=number,
        revision=said.revision if front.revision is None else front.revision,
        tier=front.tier or said.tier,
        mark=said.mark,
        title=front.title or said.title,
    )
    passage, slips = passage_of(meant, lines, first if repeated else front.end - 1, len(lines))
    found = replace(passage, bare=meant.tier is None)
    if named is not None and number != named:
        message = f"the front matter says Rule {number}, and the file's name {named}"
        made = "the front matter is followed, unless another file has that rule"
        slips = [Slip(slug="number-differs", line=1, message=message, made=made), *slips]
    return FileText(passages=(found,), lines=(1,), slips=tuple(slips))


def _outlined(lines: Sequence[str], end: int, shape: RuleForm) -> FileText:
    """One file for all rules, which begin as `shape` says; in a version that has none, as most of its lines do."""
    words = _below(lines, end)
    made = outlined(words, markdown=True, words=_TIERS, shape=shape)
    if made.whole is None and shape.pattern is None:
        other = outlined(words, markdown=True, words=_TIERS)
        # An older version of the text may have had another form.
        made = other if other.whole is not None and len(other.whole.parts) > 1 and other.doubt is None else made
    if made.whole is None:
        message = "no line in this file begins a rule"
        slip = Slip(slug="file-without-rule", line=1, message=message, made="it is left out")
        return FileText(slips=(slip,) if words.strip() else ())
    return _read(made.whole.parts, made.whole.outside)


def _read(parts: Sequence[RulePart], outside: Sequence[Outside]) -> FileText:
    found: dict[int, tuple[int, Passage]] = {}
    slips: list[Slip] = [_left_out(one) for one in outside]
    for part in parts:
        if part.number == 0 or part.past:
            made_of, slug = "it is left out", "outside"
            message = f"Rule {part.number} stands below {part.past}" if part.past else "no rule has the number 0"
            slips.append(Slip(slug=slug, line=part.line, message=message, made=made_of))
            continue
        if part.number in found:
            message = f"Rule {part.number} stands in line {found[part.number][0]} already"
            slips.append(Slip(slug="rule-doubled", line=part.line, message=message, made="this one is left out"))
            continue
        passage, more = _passage(part)
        found[part.number] = part.line, passage
        slips += more
        for line, message in part.told_below:
            slips.append(Slip(slug="history-printed", line=line, message=message, made="it is left out"))
    return FileText(
        passages=tuple(passage for _, passage in found.values()),
        lines=tuple(line for line, _ in found.values()),
        slips=tuple(slips),
    )


def _left_out(one: Outside) -> Slip:
    where = {"above": "above the first rule", "heading": f"between Rule {one.number} and the next"}
    message = f"words stand {where.get(one.why, f'below Rule {one.number}, the last')}"
    return Slip(slug="outside", line=one.lines[0].number, message=message, made="they are left out")


def _passage(part: RulePart) -> tuple[Passage, Iterator[Slip]]:
    text, slips = text_of(part.plain) if part.exact is None else (part.exact, ())
    blank = len(list(takewhile(_is_blank, part.lines)))
    first = part.lines[blank].number - blank - 1 if blank < len(part.lines) else part.line
    mark = "void" if part.void else "repealed" if part.gone and text is None else ""
    passage = Passage(
        number=part.number,
        revision=part.revision,
        tier=part.mark or part.heading,
        mark=mark,
        title=part.title,
        text=text,
    )
    if text is None and mark != "repealed":
        message = "the rule has no text"
        return passage, iter(
            [Slip(slug="text-empty", line=part.line, message=message, made="its text is said to be lost")]
        )
    return passage, (
        Slip(slug=one.slug, line=one.line + first, message=one.message, made=one.made, quote=one.quote) for one in slips
    )


def _is_blank(line: Line) -> bool:
    return line.blank
