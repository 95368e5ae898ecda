"""Whether the rules that were found in a text can be all that it is, or somebody must say how its rules begin.

A text is refused where most of it would stand outside of its rules, where two readings are as good, and where articles
and sections part it, and no numbered rules. Each refusal names the other readings, and the option that decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec import Struct

from nomicgen.model.findings import counted
from nomicgen.files.file_findings import quoted
from nomicgen.importers.text_lines import Line, ranges_of
from nomicgen.importers.text_outline import Outline
from nomicgen.importers.text_rule_forms import ANY_LEVEL, EXPLICIT, FormReading, lettered_number
from nomicgen.patterns import lazy_pattern

_HEADING = lazy_pattern(r" {0,3}#{1,6}[ \t]+\S.*")
_SECTION = lazy_pattern(
    r" {0,3}#{1,6}[ \t]+[*_]{0,3}(?:[1-9][0-9]?(?:\.[0-9]{1,3})+\b|(?:article|section|chapter|part)[ \t]+\w+).*",
    re.IGNORECASE,
)
_NUMBERED = lazy_pattern(
    r"(?P<dress>(?:[^\w(\[{]|[_])*)(?P<words>(?:[^\W\d_][^\d(\[{#|]*)?)(?P<sign>[(\[{#|]*(?:(?i:rule)[ \t]+)?)"
    r"(?P<number>[0-9]{1,9})(?P<behind>(?:\]\([^()\s]*\))?(?![.,/-]?[0-9A-Za-z])[^\w\s]{0,4})(?P<rest>.*)"
)
_TARGET = lazy_pattern(r"\]\([^()\s]*\)")
_CLOSED = lazy_pattern(r"[ \t]*\S.*?[ \t]*(?P<close>([=~*_])\2+)[ \t]*")
_TAGS = lazy_pattern(r"</?(?:p|h[1-6]|li|ol|ul|div|dt|dd|td|tr)\b[^<>]*>", re.IGNORECASE)
_FEW = 4
_MUCH = 600
"""So many letters outside of rules are more than what pages begin and end with."""
_SHOWN = 3
_HIGH = 100
_NO_RULES = "a game needs numbered rules: number its parts as rules, or keep it in docs/"


class Doubt(Struct, frozen=True, kw_only=True):
    """Why a text is refused, and what decides."""

    line: int
    message: str
    help: str


def pattern_of(lines: Sequence[Line], reading: FormReading) -> str:
    """The expression that `--heading` takes for one form of rules' beginnings, of which there is at least one."""
    first = reading.rules[0]
    before = lines[first.at].text[: first.tail]
    number = str(first.number)
    at = before.rfind(number)
    # What stands behind the number in every such line is a part of the expression, and no title or text.
    behind = before[at + len(number) :] if first.form == "numbered" else ""
    front = _typed(before[:at])
    if first.form == "heading" and reading.key is not None and reading.key[2] == ANY_LEVEL:
        front = f"#{{1,6}}{front.lstrip('#')}"
    edge = "" if behind else r"\b"
    return f"{front}(?P<number>[0-9]+){edge}{_typed(behind)}"


def _typed(text: str) -> str:
    """An expression for a text, as a person would type it."""
    return re.escape(text).replace(r"\ ", " ").replace(r"\#", "#")


def option_of(pattern: str) -> str:
    """The option that says how a rule begins, as it is typed in a shell."""
    typed = pattern.replace("'", "'\\''")
    return f"--heading '{typed}'"


def doubt_of(
    lines: Sequence[Line], reading: FormReading, whole: Outline, others: Sequence[FormReading], code: Collection[int]
) -> Doubt | None:
    """Why a reading is not believed, None where it is. `others` are further readings."""
    inside = sum(len(line.text.strip()) for part in whole.parts for line in part.lines)
    inside += sum(len(lines[rule.at].text.strip()) for rule in reading.rules if rule.form in EXPLICIT)
    outside = sum(len(line.text.strip()) for passage in whole.outside for line in passage.lines)
    rivals = sorted((other for other in others if _is_rival(other, reading)), key=lambda other: -len(other.rules))
    if doubt := _sections(lines, reading, whole, code) or _lettered(lines, reading, code):
        return doubt
    if outside > max(inside, _MUCH):
        share = outside / (inside + outside)
        return _undecided(f"most of this text, {share:.0%}, would stand outside of its rules", lines, reading, rivals)
    if rivals and len(rivals[0].rules) >= len(reading.rules) >= _FEW:
        return _undecided("this text can be read in two ways", lines, reading, rivals)
    return None


def _undecided(message: str, lines: Sequence[Line], chosen: FormReading, rivals: Sequence[FormReading]) -> Doubt:
    """Why a text is refused, with each reading of it, and the option that chooses it."""
    readings = [chosen, *rivals[: _SHOWN - 1]]
    shown = "; or ".join(
        f"{counted(len(reading.rules), 'rule')} as in {quoted(lines[reading.rules[0].at].text.strip(), 40)}"
        f" ({ranges_of(rule.number for rule in reading.rules)})"
        for reading in readings
    )
    options = ", or ".join(f"`{option_of(pattern_of(lines, reading))}`" for reading in readings)
    line = chosen.rules[0].at + 1
    return Doubt(line=line, message=f"{message}: {shown}", help=f"say how a rule begins: {options}")


def ruleless_doubt(lines: Sequence[Line], code: Collection[int]) -> Doubt | None:
    """Why a text in which no rule was found has none, where its headings tell, or other lines may begin rules."""
    sections = [at for at in _headings(lines, code) if _SECTION.fullmatch(lines[at].text)]
    return _doubted(lines, sections, 0) or _offered(lines, code)


def _offered(lines: Sequence[Line], code: Collection[int]) -> Doubt | None:
    """Lines with numbers that ascend, and an expression for them: they may be rules in a form that nobody knows."""
    groups: dict[str, list[tuple[Line, re.Match[str]]]] = defaultdict(list)
    for at, line in enumerate(lines):
        match = _NUMBERED.fullmatch(line.text) if at not in code else None
        if match is not None and (match["dress"].strip() or match["sign"].strip()):
            groups[_expression(match, _title_before(match["words"]))].append((line, match))
    ascending = [group for group in groups.values() if len(group) >= _FEW and _is_ascending(group)]
    best = max(ascending, key=len, default=None)
    if best is None:
        return _marked_up(lines)
    line, first = best[0]
    message = "no line begins as a rule does that can be known by itself, and"
    message += f" {len(best)} lines such as {quoted(line.text.strip(), 40)} have numbers that ascend"
    are_alike = len({match["words"] for _, match in best}) == 1
    typed = _expression(first, _typed(first["words"]) if are_alike else _title_before(first["words"]))
    help = f"if they begin rules: `{option_of(typed)}`"
    if first["dress"].lstrip().startswith("|"):
        help = "rules that stand in a table are not read: write them one below the other"
    return Doubt(line=line.number, message=message, help=help)


def _is_ascending(group: Sequence[tuple[Line, re.Match[str]]]) -> bool:
    return all(int(match["number"]) < int(after["number"]) for (_, match), (_, after) in pairwise(group))


def _title_before(words: str) -> str:
    """An expression for a title before the number, '' where there are no words."""
    return f"(?P<title>.*?){_typed(words[len(words.rstrip()) :])}" if words else ""


def _expression(match: re.Match[str], words: str) -> str:
    """An expression for lines of the form of one; `words` is that for the words before the number."""
    closed = _CLOSED.fullmatch(match["rest"])
    behind = r"\]\([^()]*\)".join(map(_typed, _TARGET.split(match["behind"])))
    title = f"[ ]*(?P<title>.*?)[ ]*{_typed(closed['close'])}[ ]*$" if closed and "title" not in words else ""
    return f"{_typed(match['dress'])}{words}{_typed(match['sign'])}(?P<number>[0-9]+){behind}{title}"


def _marked_up(lines: Sequence[Line]) -> Doubt | None:
    """Why a text of HTML has no rules."""
    tags = [at for at, line in enumerate(lines) if _TAGS.search(line.text)]
    if 2 * len(tags) < sum(not line.blank for line in lines) or len(tags) < _FEW:
        return None
    message = f"{len(tags)} lines of this text have tags of HTML, which is not read"
    return Doubt(line=tags[0] + 1, message=message, help="write its text as Markdown, or as a browser shows it")


def _is_rival(other: FormReading, reading: FormReading) -> bool:
    """Whether a reading takes other lines for rules, and is as likely: a numbering that goes on, 101, 102, comes before
    one from 1 on, and a list of single lines is one of contents, or of players.
    """
    mine = {rule.at for rule in reading.rules}
    theirs = [rule.at for rule in other.rules]
    if other.key == reading.key or len(theirs) < _FEW or mine & set(theirs):
        return False
    within = {sum(at < place for at in mine) for place in theirs}
    goes_on = other.rules[0].number >= _HIGH
    if reading.rules[0].number < _HIGH and goes_on:
        return len(within) == 1
    same = goes_on == (reading.rules[0].number >= _HIGH)
    is_list = theirs[-1] - theirs[0] < 2 * len(theirs)
    is_plain = other.rules[0].form in EXPLICIT or theirs[-1] < min(mine)
    return len(within) == 1 and same and is_plain and not is_list


def _headings(lines: Sequence[Line], code: Collection[int]) -> list[int]:
    return [at for at, line in enumerate(lines) if at not in code and _HEADING.fullmatch(line.text)]


def _sections(lines: Sequence[Line], reading: FormReading, whole: Outline, code: Collection[int]) -> Doubt | None:
    """Articles and sections, where far more headings stand in a text than rules that have none."""
    if any(rule.form == "heading" for rule in reading.rules):
        return None
    begun = {rule.at for rule in reading.rules}
    tiers = {line.number for line in whole.headings}
    headings = [at for at in _headings(lines, code) if at not in begun and lines[at].number not in tiers]
    has_many_headings = len(headings) > max(2 * len(reading.rules), _FEW)
    return _doubted(lines, headings, len(reading.rules)) if has_many_headings else None


def _lettered(lines: Sequence[Line], reading: FormReading, code: Collection[int]) -> Doubt | None:
    """Headings such as `§ 2a` between those of the rules: no rule of a game has such a number."""
    if reading.rules[0].form != "heading":
        return None
    numbers = {rule.number for rule in reading.rules}
    between = (at for at in _headings(lines, code) if reading.rules[0].at < at)
    headings = [at for at in between if lettered_number(lines[at].text) in numbers]
    if not headings:
        return None
    first = lines[headings[0]]
    many = f"{counted(len(headings), 'heading')} such as {quoted(first.text.strip(), 40)}"
    message = f"{many} have a letter behind the number, and a rule's number is whole"
    help = f"`{option_of(pattern_of(lines, reading))}` makes each a part of the rule whose number it has"
    return Doubt(line=first.number, message=message, help=help)


def _doubted(lines: Sequence[Line], headings: Sequence[int], rules: int) -> Doubt | None:
    if len(headings) < _FEW:
        return None
    first = lines[headings[0]]
    many = f"{len(headings)} headings such as {quoted(first.text.strip(), 40)}"
    beside = f", and {counted(rules, 'line')} would be taken for a rule" if rules else ""
    message = f"{many} part this text into articles or sections, which are no numbered rules{beside}"
    return Doubt(line=first.number, message=message, help=_NO_RULES)
