"""What is said of a text that was read: what stands outside of rules, what is written otherwise, what is not said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from nomicgen.diagnostics import counted
from nomicgen.files.file_findings import Notes, quoted
from nomicgen.importers.text_below import counted_below
from nomicgen.importers.text_lines import is_section, ranges, ranges_of
from nomicgen.importers.text_markdown import RuleMarkdown
from nomicgen.importers.text_outline import Outline, Outside, RulePart
from nomicgen.importers.text_rule_forms import Candidate
from nomicgen.importers.text_tiers import StatedNumbers, TierMap, missing, tier_of

_ABOVE = "what players should read goes into the game's own pages, in docs/"
_BETWEEN = "if it is of Rule {0}, put it into rules/initial/{0}.md; if it names a tier, name that in --tiers"
_BELOW = "if it is of Rule {0}, move it up to the rule's text, and import again"
_NAMED = "if it names a tier, name that in --tiers; what players should read goes into the game's own pages, in docs/"
_SHOWN = 3
_CHANGES = {
    "items": (
        "import-markdown",
        "{0} of {1} {2} of lists, and written as Markdown's",
        ("is an item", "are items"),
        "see that they nest as they did",
    ),
    "breaks": (
        "import-markdown",
        "{0} of {1} {2} before the margin, as verses do, so the break is kept",
        ("ends", "end"),
        "two spaces at a line's end break it; take them out where none is meant",
    ),
    "escapes": (
        "import-markdown",
        "{0} of {1} {2} what Markdown would take for its own",
        ("has", "have"),
        "a backslash stands before it, and it reads as it did",
    ),
    "lowered": (
        "import-markdown",
        "{0} of {1} {2} what a rule's text cannot have: a heading above level 3, or a fence `yaml rule`",
        ("is", "are"),
        "they are kept at level 3, or as `yaml`",
    ),
    "html": (
        "import-markdown",
        "{0} of {1} {2} HTML that Markdown has other signs for",
        ("has", "have"),
        "it is written with those",
    ),
    "plain": (
        "import-markdown",
        "the text of {1} holds HTML or Markdown that a rule cannot have",
        ("", ""),
        "it is kept word for word, as plain text",
    ),
    "spaces": (
        "import-spaces",
        "{0} of {1} {2} runs of spaces, or ends in some",
        ("holds", "hold"),
        "each run is read as one space",
    ),
}


class Changes:
    """The lines of rules that are written otherwise than they stood, by what became of them."""

    def __init__(self) -> None:
        self._lines: dict[str, list[tuple[int, int]]] = defaultdict(list)

    def add(self, kind: str, number: int, lines: Iterable[int]) -> None:
        """Adds lines of a rule; `kind` is one of `items`, `breaks`, `escapes`, `html`, `lowered`, `plain`, `spaces`."""
        self._lines[kind] += [(number, line) for line in lines]

    def add_kept(self, number: int, made: RuleMarkdown) -> None:
        """Adds the lines of a rule of which its Markdown was changed."""
        self.add("lowered", number, made.lowered)
        self.add("html", number, made.html)
        self.add("escapes", number, made.escaped)

    def note(self, notes: Notes) -> None:
        """One finding for each kind, at the first of its lines."""
        for kind, (slug, message, verbs, help) in _CHANGES.items():
            if places := self._lines[kind]:
                said = counted(len(places), "line"), _rules(number for number, _ in places), verbs[len(places) > 1]
                notes.at(slug, min(line for _, line in places), 1, message.format(*said), help)


def note_doubts(doubtful: Iterable[Candidate], rules: Sequence[Candidate], notes: Notes) -> None:
    """Lines that begin as a rule does, and begin none."""
    for one in doubtful:
        above = next((rule.number for rule in reversed(rules) if rule.at < one.at), None)
        where = "above the first rule" if above is None else f"in Rule {above}"
        message = f"{one.number} begins a line as a rule's number does, but is out of order"
        help = f"it is read as words {where}; if it is a rule, write `Rule` before the number of each, and import again"
        notes.at("import-unread", one.at + 1, 1, message, help)


def note_outside(whole: Outline, notes: Notes) -> None:
    """What belongs to no rule, and is left out."""
    shared = {part.line for part in whole.parts}
    between = [one for one in whole.outside if one.why == "heading"]
    if len(between) > _SHOWN:
        places = ", ".join(_where(one, shared) for one in between[:_SHOWN])
        message = f"{len(between)} passages stand between rules, and are left out: {places}, and so on"
        help = "if one names a tier, name that in --tiers; a rule's own words go into its file in rules/initial/"
        notes.at("import-outside", between[0].lines[0].number, between[0].lines[0].column, message, help)
    for one in whole.outside:
        if one.why == "heading" and len(between) > _SHOWN:
            continue
        first = one.lines[0]
        many = len(one.lines) > 1
        stands, is_ = ("stand", "are") if many else ("stands", "is")
        place, help = {
            "above": ("above the first rule", _NAMED if is_section(one.lines[-1].text) else _ABOVE),
            "heading": (f"between Rule {one.number} and the next", _BETWEEN),
            "below": (f"below Rule {one.number}, the last", _BELOW),
        }[one.why]
        message = f"{_where(one, shared)} {stands} {place}, and {is_} left out: {_quote(one)}"
        notes.at("import-outside", first.number, first.column, message, help.format(one.number))
    if whole.rulers:
        message = f"{counted(len(whole.rulers), 'line')} of dashes or the like, from here on, say nothing"
        notes.at("import-outside", whole.rulers[0].number, 1, message, "they are left out")


def note_below(parts: Sequence[RulePart], notes: Notes) -> None:
    """What is no part of a rule's text though it stands below it, such as its history: one finding for each kind."""
    for line, message in counted_below([part.below for part in parts]):
        notes.at("import-outside", line, 1, message, "they are in no form that is read, and left out")


def note_tiers(
    parts: Sequence[RulePart],
    found: Mapping[int, str | None],
    tiers: Sequence[str],
    said: StatedNumbers,
    typed: TierMap,
    notes: Notes,
) -> None:
    """Rules of which nothing says the tier, and those of which it is said in two ways. `tiers` are the game's."""
    silent = [part for part in parts if found[part.number] is None]
    if silent:
        numbers = [part.number for part in silent]
        message = f"nothing says the tier of {_rules(numbers)}: {tiers[-1]}, the least entrenched, is taken"
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        # Of two tiers, the one without numbers has all others; of three, that would be said of two.
        mapping = ",".join([*(tiers[:-1] if len(tiers) == 2 else ()), f"{tiers[-1]}={span}"])
        notes.at("import-tier", silent[0].line, 1, message, f"say so, or say otherwise: `--tiers {mapping}`")
    for part in parts:
        tier, other = part.mark or part.heading, tier_of(part.number, said.tiers)
        if tier and other and other != tier:
            message = f"Rule {part.number} stands among the {tier}, and the set's own rules call its number {other}"
            notes.at("import-tier", part.line, 1, message, f"{tier} is kept")
        option, kept = tier_of(part.number, typed.spans), found[part.number]
        if option and option != kept:
            message = f"--tiers calls Rule {part.number} {option}, and the text calls it {kept}"
            notes.at("import-tier", part.line, 1, message, "what the text says is kept")


def note_numbers(parts: Sequence[RulePart], said: StatedNumbers, spent: Sequence[int], notes: Notes) -> None:
    """Numbers that the set says it has, and that are not here; numbers that proposals must have had."""
    for part, spans in said.sets:
        if gaps := missing(spans, [one.number for one in parts]):
            are = "is" if len(gaps) == 1 and gaps[0][0] == gaps[0][1] else "are"
            message = (
                f"Rule {part.number} says that the set is Rules {ranges(spans)}, and {ranges(gaps)} {are} not here"
            )
            notes.at(
                "import-numbers", part.line, 1, message, "nothing is made up for it: see whether the text is whole"
            )
    if spent:
        came = [part for part in parts if part.number in spent]
        message = f"{_rules(part.number for part in came)} must have come of proposals, of which nothing is here"
        help = f"proposals {ranges_of(spent)} are listed as lost in nomic.yml: the next one is {spent[-1] + 1}"
        notes.at("import-numbers", came[0].line, 1, message, help)


def _rules(numbers: Iterable[int]) -> str:
    found = set(numbers)
    return f"Rule{'s' if len(found) > 1 else ''} {ranges_of(found)}"


def _where(one: Outside, shared: Collection[int]) -> str:
    """The lines, or the part of one of which a rule has the rest."""
    first, last = one.lines[0].number, one.lines[-1].number
    if first < last:
        return f"lines {first}–{last}"
    return f"a part of line {first}" if first in shared else f"line {first}"


def _quote(one: Outside) -> str:
    first, last = one.lines[0].text.strip(), one.lines[-1].text.strip()
    return quoted(first) if len(one.lines) == 1 else f"{quoted(first, 40)} to {quoted(last, 40)}"
