"""Findings: what is wrong with a game, where, under which of its rules, and what to do.

Here live the finding, its codes and their registry. A message is written once, in the check that finds it;
`formats/findings.py` lays it out. Each code has a page in `explain/`, which is its documentation and its fixture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nomicgen.model import Span

__all__ = ["CODES", "Code", "Finding", "counted", "listed", "ordered", "picked"]

_LONGEST = 1000
"""Characters of a message, whatever it quotes."""
_LONGEST_DETAIL = 20_000

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of finding."""

    slug: str
    severity: Severity
    summary: str


_ERRORS = {
    # the repository
    "not-a-game": "the directory holds no game",
    "file-name": "a file's name is not one that a game has there",
    "symlink": "a file is a symbolic link",
    "submodule": "a submodule lies where a file of the game should be",
    "file-too-large": "a file is larger than 1 MiB",
    # a pull request
    "kinds-mixed": "a pull request that does more than one thing",
    "rules-by-hand": "a pull request that edits `rules/`",
    "number-by-hand": "a pull request that gives a proposal its number",
    "record-by-hand": "a pull request that writes what the game records: votes, dates, outcomes",
    "past-rewritten": "a pull request that changes what is decided",
    "actor-other": "a pull request about somebody else's file",
    "machinery-unapproved": "a pull request that changes what the game is judged with",
    "base-moved": "a file that was changed on the base meanwhile",
    # a file's bytes
    "file-empty": "a file is empty",
    "encoding": "a file is not UTF-8",
    "not-nfc": "a file is not in Unicode normal form C",
    "marks-many": "a letter with more marks than any language has",
    "line-ending": "a line does not end in a line feed alone",
    "control-character": "a file holds a control or direction-changing character",
    # front matter
    "front-matter": "a file does not begin with front matter",
    "yaml-syntax": "the front matter is not YAML",
    "yaml-alias": "YAML with an anchor or an alias",
    "yaml-tag": "YAML with a tag",
    "yaml-deep": "YAML nested too deeply",
    "key-doubled": "a key stands twice",
    "key-unknown": "a key that these files do not have",
    "key-missing": "a key that must be there is missing",
    "value-wrong": "a value of the wrong type or form",
    "provision-unknown": "a provision that nomicgen does not know",
    "provision-wrong": "a provision that does not fit its schema",
    # a body
    "heading-misplaced": "a level-2 heading that cannot be an instruction",
    "heading-level": "a heading inside a rule that is above level 3",
    "html": "raw HTML other than sub, sup, br and span",
    "markdown-deep": "Markdown nested too deeply",
    "markdown-intricate": "Markdown that takes a parser too long, or that it fails on",
    "fence-open": "a code fence that is never closed",
    "instruction-hidden": "a line that reads like an instruction and is none",
    "instruction-unknown": "a level-2 heading that is no instruction",
    "instruction-body": "text where an instruction takes none, or none where it needs one",
    "block-misplaced": "a `yaml rule` block in a place or with a key that it cannot have",
    "text-context": "a rule's text that reads differently alone and in its place",
    "merge-conflict": "a conflict of a merge that nobody has settled",
    # the ledger
    "number-mismatch": "a file's name and the number inside it differ",
    "number-doubled": "a number given twice",
    "number-missing": "a number that was skipped",
    "number-wrong": "a number that is not the one the numbering gives",
    "account-doubled": "two players with one account",
    "reference-unknown": "a key that names something that never was",
    "date-future": "a vote or a decision that lies in the future",
    "dates-disorder": "dates of one file that cannot follow each other so",
    "status-incomplete": "a status without what it needs",
    "effect-early": "a change that takes effect before it was decided",
    "effect-wrong": "a change that takes effect at another time than the rules say",
    "digest-missing": "a vote without the digest of what is voted on",
    "digest-differs": "instructions changed after the vote opened",
    "changes-many": "more changes in one proposal than the rules allow",
    "adoption-missing": "a change that no adoption provision covers",
    "votes-few": "adopted without the votes that the rules need",
    "votes-enough": "defeated with the votes that the rules need",
    "vote-missing": "a vote that the rules demand was not cast",
    "voter-unknown": "a vote by someone who was no eligible player on that day",
    "vote-early": "a vote that was ended before its time",
    "vote-late": "a vote cast after the vote had closed",
    "vote-unlawful": "a vote cast in a way that no rule lets count",
    "debate-short": "a vote that opened before the debate was over",
    "resubmissions-many": "a proposal put to the vote more often than the rules allow",
    "transmutation-votes": "a transmutation without the votes that the rules need",
    "tier-protected": "a change that the rule's tier forbids",
    "authority-missing": "a rule changed by something that has no authority to",
    "correction-changes": "a correction that does more than restore",
    "points-unlawful": "points given by hand that no rule lets the file give",
    "judge-wrong": "a judgement by somebody whom the rules let not judge",
    "overruling-wrong": "a judgement overruled by less than the rules ask for",
    "withdrawal-late": "a proposal withdrawn later than the rules allow",
    "turn-overlap": "a turn that began before another had ended",
    "turn-empty": "a turn that ended without the proposal that the rules demand",
    "seat-taken": "a newcomer at a seat before those that are taken",
    "correction-wrong": "a correction that does not fit what it restates",
    "instruction-impossible": "an instruction that cannot be carried out",
    "rule-unknown": "an instruction about a rule that was not there",
    "revision-stale": "an instruction about a revision that is no longer in force",
    "cap-exceeded": "more rules of a tier than the cap allows",
    "floor-broken": "fewer rules of a tier than must remain",
    "change-ossifies": "a change after which votes could not go on changing rules",
    "dice-wrong": "a throw that the die does not give, or that is missing",
    "turn-order": "a turn that is not the one that comes next",
    "turn-passed": "a turn passed where no turn may be passed",
    "turn-proposals": "a turn with more proposals than it has, or with another player's",
    "sunset-missed": "something decided after a rule should have changed by itself",
    "sunset-wrong": "a rule that changes itself before its time, or into something else",
    "order-ambiguous": "two instruments of one moment whose order matters",
    # the derived ruleset
    "rules-differ": "a file of `rules/` is not what the ledger gives",
    "rules-missing": "a file that the ledger gives is missing from `rules/`",
    "rules-extra": "a file of `rules/` that the ledger does not give",
    # the history in git
    "verify-hand-edit": "a commit that changed `rules/` to what the ledger does not give",
    "verify-impostor": "a commit that names an instrument which it does not carry out",
    "verify-past": "a commit that changed what was decided, or the initial set",
    "verify-unreachable": "a commit that the ledger names and the history does not have",
    "verify-rewritten": "a history that is not the one that was published",
    "verify-unsigned": "a commit whose signature is missing or does not hold, where the game asks for one",
    "verify-shallow": "a shallow clone, of which only the end can be verified",
}
_WARNINGS = {
    "not-applied": "an effect that is due and not yet applied",
    "change-overtaken": "a change that became impossible between its decision and its effect",
    "sunset-due": "a rule that should have changed by itself by now",
    "turn-overdue": "a turn that has passed by itself, and is not recorded so",
    "name-alike": "two players whose names look alike",
    "change-transmutes-only": "a change after which votes could only transmute and repeal rules",
    "provisions-kept": "an amendment that leaves the provisions unsaid",
    "reference-dangling": "a text that refers to a rule or proposal that never was",
    "text-lost": "texts that did not survive",
    "votes-unrecorded": "votes that were not recorded",
    "proposals-lost": "proposals or judgements that did not survive",
    "law-unread": "a game whose rules carry no provisions of a kind",
    "date-missing": "instruments without a date",
    "image-missing": "an image that is not in the repository",
    "git-absent": "no git repository, so no history can be linked",
    "git-shallow": "a shallow clone, so older history cannot be linked",
    "git-uncommitted": "files of the game that are not committed",
    "verify-unnamed": "a commit that carries out an instrument and does not name it",
    "verify-unproven": "something that cannot be verified here",
    "final-newline": "a file does not end in exactly one line feed",
    # slips of an imported text
    "import-heading": "a heading of another level than the format has",
    "import-blank": "a blank line too few or too many in an imported text",
    "import-spaces": "spaces at a line's end, or runs of them, in an imported text",
    "import-unread": "lines of an imported text that were not understood",
    "import-outside": "lines of an imported text that belong to no rule",
    "import-markdown": "lines of an imported text that are written otherwise, so that they read as they did",
    "import-tier": "a rule of an imported text whose tier is not said, or said twice over",
    "import-numbers": "numbers that an imported text speaks of and does not have",
    "import-provisions": "provisions for rules that an imported text does not have",
}

CODES: dict[str, Code] = {
    **{slug: Code(slug, "error", text) for slug, text in _ERRORS.items()},
    **{slug: Code(slug, "warning", text) for slug, text in _WARNINGS.items()},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong: `message` says what, `rule` which rule of the game it offends, `help` what to do.

    `detail` is a unified diff or other lines, shown indented; it may be empty.
    """

    slug: str
    span: Span
    message: str
    help: str
    rule: int | None = None
    detail: str = ""

    def __post_init__(self) -> None:
        if self.slug not in CODES:
            raise KeyError(self.slug)
        for name, most in (("message", _LONGEST), ("help", _LONGEST), ("detail", _LONGEST_DETAIL)):
            text: str = getattr(self, name)
            if len(text) > most:
                object.__setattr__(self, name, f"{text[: most - 1]}…")

    @property
    def severity(self) -> Severity:
        return CODES[self.slug].severity

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


def counted(count: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(numbers: Collection[int], shown: int = 20) -> str:
    """Numbers in their order, of many the first ones: `302, 307`, `1, 2, 3 and 40 more`."""
    first = ", ".join(map(str, sorted(numbers)[:shown]))
    return f"{first} and {len(numbers) - shown} more" if len(numbers) > shown else first


def picked(findings: Sequence[Finding], most: int) -> tuple[tuple[Finding, ...], int]:
    """At most so many findings, errors before warnings, in the order that they had; and how many more there are."""
    left = len(findings) - most
    if left <= 0:
        return tuple(findings), 0
    errors = sum(1 for one in findings if one.is_error)
    room = {True: min(errors, most), False: most - min(errors, most)}
    kept = []
    for one in findings:
        if room[one.is_error]:
            room[one.is_error] -= 1
            kept.append(one)
    return tuple(kept), left


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of their places, each once."""
    return tuple(sorted(set(findings), key=lambda one: (one.span, one.slug, one.message)))
