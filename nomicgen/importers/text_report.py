"""What is said of a text that was read: what stands outside of rules, what is written otherwise, what is not said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from nomicgen.model.findings import counted
from nomicgen.files.file_findings import Notes, quoted
from nomicgen.importers.text_lines import is_section, ranges_of
from nomicgen.importers.text_outline import Outline, RulePart
from nomicgen.importers.text_rule_forms import Candidate
from nomicgen.importers.tiers import Statement, TierMap, tier_of

_ABOVE = "put what players should read into the game's own pages, in docs/"
_NAMED = "if it names a tier, name that in --tiers; put what players should read into the game's own pages, in docs/"
_OUTSIDE = {
    "above": ("above the first rule", _ABOVE),
    "heading": (
        "between Rule {0} and the next",
        "if it is of Rule {0}, put it into rules/initial/{0}.md; if it names a tier, name that in --tiers",
    ),
    "below": (
        "below Rule {0}, the last",
        "if it is of Rule {0}, move it up to the rule's text, and import again",
    ),
}
_REWRITTEN = {
    "plain": (
        "the plain text of {0} is written as Markdown",
        "check that lists nest and lines break as before",
    ),
    "markdown": (
        "a heading above level 3, a fence `yaml rule` or HTML stands in the text of {0}",
        "it is written as a rule's text may have it",
    ),
    "unfit": (
        "the text of {0} holds HTML or Markdown that a rule cannot have",
        "it is kept word for word, as plain text",
    ),
}


class RewrittenText:
    """The rules whose texts are written otherwise than they stood."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, int]] = defaultdict(dict)

    def add(self, kind: str, number: int, line: int) -> None:
        """Adds a rule, which begins in a line; `kind` is `plain`, `markdown` or `unfit`."""
        self._lines[kind][number] = line

    def note(self, notes: Notes) -> None:
        """One finding for each kind, at the first of its rules."""
        for kind, (message, help) in _REWRITTEN.items():
            if lines := self._lines[kind]:
                notes.at("import-markdown", min(lines.values()), 1, message.format(_rules(lines)), help)


def note_doubts(doubtful: Iterable[Candidate], rules: Sequence[Candidate], notes: Notes) -> None:
    """Lines that begin as a rule does, and begin none."""
    for candidate in doubtful:
        above = next((rule.number for rule in reversed(rules) if rule.at < candidate.at), None)
        where = "above the first rule" if above is None else f"in Rule {above}"
        message = f"{candidate.number} begins a line as a rule's number does, but is out of order"
        help = f"it is read as words {where}; if it is a rule, write `Rule` before the number of each, and import again"
        notes.at("import-unread", candidate.at + 1, 1, message, help)


def note_outside(whole: Outline, notes: Notes) -> None:
    """What belongs to no rule, and is left out."""
    for passage in whole.outside:
        first, last = passage.lines[0], passage.lines[-1]
        place, help = (words.format(passage.number) for words in _OUTSIDE[passage.why])
        if passage.why == "above" and is_section(last.text):
            help = _NAMED
        if first.number == last.number:
            message = f"line {first.number} stands {place}, and is left out: {quoted(first.text.strip())}"
        else:
            words = f"{quoted(first.text.strip(), 40)} to {quoted(last.text.strip(), 40)}"
            message = f"lines {first.number}–{last.number} stand {place}, and are left out: {words}"
        notes.at("import-outside", first.number, first.column, message, help)
    if whole.rulers:
        message = f"{counted(len(whole.rulers), 'line')} of dashes or the like, from here on, say nothing"
        notes.at("import-outside", whole.rulers[0].number, 1, message, "they are left out")


def note_below(parts: Sequence[RulePart], notes: Notes) -> None:
    """What is no part of a rule's text though it stands below it, such as its history."""
    for part in parts:
        for line, message in part.told_below:
            notes.at("import-outside", line, 1, message, "it is in no form that is read, and left out")


def note_tiers(
    parts: Sequence[RulePart],
    tier_by_number: Mapping[int, str | None],
    tiers: Sequence[str],
    statements: Sequence[Statement],
    typed: TierMap,
    notes: Notes,
) -> None:
    """Rules of which nothing says the tier, and those of which it is said in two ways. `tiers` are the game's."""
    silent = [part for part in parts if tier_by_number[part.number] is None]
    if silent:
        numbers = [part.number for part in silent]
        message = f"nothing says the tier of {_rules(numbers)}: {tiers[-1]}, the least entrenched, is taken"
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        # Of two tiers, the one without numbers has all others; of three, that would be said of two.
        mapping = ",".join([*(tiers[:-1] if len(tiers) == 2 else ()), f"{tiers[-1]}={span}"])
        notes.at("import-tier", silent[0].line, 1, message, f"to confirm or change that: `--tiers {mapping}`")
    for part in parts:
        tier, stated = part.mark or part.heading, tier_of(part.number, statements)
        if tier and stated not in (None, tier):
            message = f"Rule {part.number} stands among the {tier}, and the set's own rules call its number {stated}"
            notes.at("import-tier", part.line, 1, message, f"{tier} is kept")
        option, kept = tier_of(part.number, typed.spans), tier_by_number[part.number]
        if option not in (None, kept):
            message = f"--tiers calls Rule {part.number} {option}, and the text calls it {kept}"
            notes.at("import-tier", part.line, 1, message, "what the text says is kept")


def note_spent(parts: Sequence[RulePart], spent: Sequence[int], notes: Notes) -> None:
    """Numbers that proposals must have had."""
    if spent:
        enacted = [part for part in parts if part.number in spent]
        message = f"{_rules(part.number for part in enacted)} must have come from proposals that are not here"
        help = f"proposals {ranges_of(spent)} are listed as lost in nomic.yml: the next one is {spent[-1] + 1}"
        notes.at("import-numbers", enacted[0].line, 1, message, help)


def _rules(numbers: Iterable[int]) -> str:
    numbers = set(numbers)
    return f"Rule{'s' if len(numbers) > 1 else ''} {ranges_of(numbers)}"
