"""Findings: what is wrong with a game, where, under which of its rules, and what to do.

Here live the finding, its codes and their registry. A message is written once, in the check that
finds it; `formats/findings.py` lays it out. Each code has a page in `explain/`: it explains the
finding, and the example on it is a test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment, Span

_LONGEST = 1000
"""The most characters of a message or a help: with a longer quotation, it is cut off there."""
_LONGEST_DETAIL = 20_000

Severity = Literal["error", "warning"]


class Need(StrEnum):
    """What a finding is judged by: the law (so the whole ledger), players' files, turns' files."""

    LEDGER = "ledger"
    PLAYERS = "players"
    TURNS = "turns"


class Code(Struct, frozen=True):
    """A kind of finding.

    `needs` are kinds of files. If one of these files could not be read, the finding might be false,
    and is left out.
    """

    slug: str
    severity: Severity
    summary: str
    needs: frozenset[Need]


_ROW = r"(error|warning) +([a-z-]+): ([^][]+?)(?: \[([a-z ]+)\])?"
# Of each finding the severity, the slug, the summary; in brackets what it needs.
_TABLE = """
# the repository
error   not-a-game: the directory holds no game
error   file-name: a file has a name that files there cannot have
error   symlink: a file is a symbolic link
error   submodule: a submodule is in the place of a file of the game
error   file-too-large: a file is larger than 1 MiB, or a picture than 16 MiB
# a pull request
error   kinds-mixed: a pull request that does more than one thing
error   rules-by-hand: a pull request that edits `rules/`
error   number-by-hand: a pull request that gives a proposal its number
error   name-taken: a pull request with a name that looks like another player's
error   record-by-hand: a pull request that writes what the game records, such as votes and outcomes
error   past-rewritten: a pull request that changes what is decided
error   actor-other: a pull request about somebody else's file
error   machinery-unapproved: a pull request that changes how the game is judged
error   base-moved: a pull request that changes a file which the base has changed, too
# a file's bytes
error   file-empty: a file is empty
error   encoding: a file is not UTF-8
error   not-nfc: a file is not in Unicode normal form C
error   marks-many: a letter with more accents and other marks than any language needs
error   line-ending: a line break is not a plain line feed (LF)
error   control-character: a file holds a character that nobody sees
# front matter
error   front-matter: a file does not begin with front matter
error   yaml-syntax: a front matter, a file or a block that should be YAML and is not
error   yaml-alias: YAML with an anchor or an alias
error   yaml-tag: YAML with a tag
error   yaml-deep: YAML nested too deeply
error   key-doubled: the same key appears twice
error   key-unknown: a key that these files do not have
error   key-missing: a key that must be there is missing
error   value-wrong: a value of the wrong type or form
error   provision-unknown: a provision that nomicgen does not know
error   provision-wrong: a provision that does not fit its schema
error   unread-wrong: a key `unread` that does not fit the rule [ledger]
# a body
error   heading-misplaced: a heading of level 1 or 2 where no instruction can be
error   heading-level: a heading of level 1 or 2 in a rule's text
error   html: raw HTML other than sub, sup, br and span
error   markdown-deep: Markdown nested too deeply
error   markdown-intricate: Markdown that takes too long to read, or makes the parser fail
error   fence-open: a code fence that is never closed
error   instruction-hidden: a line that looks like an instruction but is not one
error   instruction-unknown: a level-2 heading that is not an instruction
error   instruction-missing: a proposal that would change nothing
error   instruction-body: an instruction with a text that it cannot have, or without its text
error   block-misplaced: a `yaml rule` block in the wrong place, or with a key it cannot have
error   text-is-order: an order to an editor, or marks of an edit, in place of a rule's text
error   text-context: a rule's text that means something else outside the proposal
error   merge-conflict: two versions of a passage after a merge
# the ledger
error   number-mismatch: a file's name and the number inside it differ
error   number-doubled: a number given twice [ledger]
error   number-missing: a number that was skipped [ledger]
error   number-wrong: a number other than the one that the rules give [ledger]
error   account-doubled: two players with one account
error   name-doubled: two players with the same name at the same time
error   reference-unknown: a key that names something that does not exist
error   date-future: something with a date in the future
error   dates-disorder: dates in an impossible order, or two roles that exclude each other
error   status-incomplete: a status without what it needs, or with what it cannot have
error   effect-early: a change that takes effect before it was decided [ledger]
error   effect-wrong: a change that takes effect at another time than the rules say [ledger turns]
error   ballot-doubled: two ballots with one token
error   digest-missing: a vote without the digest of its text
error   digest-differs: a text that changed after the vote opened
error   changes-many: more changes in one proposal than the rules allow [ledger]
error   adoption-missing: a change that no adoption provision covers [ledger]
error   votes-few: a proposal adopted without enough votes [ledger players]
error   votes-enough: a proposal defeated with enough votes [ledger players]
error   vote-missing: a vote that the rules demand was not cast [ledger players]
error   voter-unknown: a vote by someone who was no eligible voter on that day [ledger players]
error   vote-early: a vote that was ended before its time [ledger players]
error   vote-disorder: a vote that opened before the votes of earlier turns had ended [ledger turns]
error   vote-late: a vote cast after the vote had closed [ledger]
error   vote-unlawful: a vote cast in a way that the rules do not allow [ledger players]
error   debate-short: a vote that opened before the debate was over [ledger]
error   seconds-few: a vote that opened before enough players seconded the proposal [ledger players]
error   resubmissions-many: a proposal put to the vote more often than the rules allow [ledger]
error   resubmission-late: a vote that began again later than the rules allow [ledger turns]
error   transmutation-votes: a transmutation without enough votes [ledger players]
error   tier-protected: a change that the old or the new tier of a rule forbids [ledger]
error   authority-missing: an act or judgement that changes rules, and no rule permits it [ledger]
error   correction-changes: a correction that does more than restore a text or a record [ledger]
error   points-unlawful: points given by hand that no rule allows [ledger]
error   judgement-pending: a turn or vote begun while a judgement is pending [ledger players turns]
error   judge-wrong: a judgement by somebody who may not give it [ledger players turns]
error   overruling-wrong: a judgement overruled too late, or as the rules do not allow [ledger]
error   voids-unlawful: a judgement that voids a proposal but may not [ledger]
error   deed-unlawful: something that a player did and no rule allows [ledger players turns]
error   withdrawal-late: a proposal withdrawn or called void when that was not allowed [ledger]
error   turn-overlap: a turn that began before another had ended [ledger]
error   turn-empty: a turn that ended without a proposal or a vote that the rules demand [ledger]
error   seat-taken: a new player with a seat before others, where turns go by seats [ledger players]
error   correction-wrong: a correction that does not match the file, or corrects what is not settled
error   instruction-impossible: an instruction that cannot be carried out [ledger]
error   rule-unknown: an instruction about a rule that did not exist [ledger]
error   revision-stale: an instruction that does not name the revision in force [ledger]
error   cap-exceeded: more rules of a tier than the cap allows [ledger]
error   floor-broken: fewer rules of a tier than must remain [ledger]
error   guard-broken: a change that takes away what another rule guards [ledger]
error   change-ossifies: a change after which votes could not go on changing rules [ledger]
error   dice-wrong: a throw missing, too early, one too many or impossible [ledger players turns]
error   turn-order: a turn with the wrong number or the wrong player [ledger players turns]
error   turn-passed: a turn passed where the rules do not allow that [ledger]
error   turn-proposals: a turn with too many proposals, or with another player's [ledger]
error   sunset-missed: a rule that had to change by itself before a decision [ledger players turns]
error   sunset-wrong: a rule that changes itself too early, or wrongly [ledger players turns]
# the derived ruleset
error   rules-differ: a file of `rules/` that differs from the ledger
error   rules-missing: a file that is missing from `rules/`
error   rules-extra: a file of `rules/` for a rule that does not exist
# the history in git
error   verify-hand-edit: a commit that edited `rules/` by hand
error   verify-impostor: a commit that names an instrument, and neither decides nor applies it
error   verify-past: a commit that changed what was decided, or the initial set
error   verify-unreachable: a commit that the ledger names and the history lacks
error   verify-rewritten: a history that lacks a commit which was published, or seen before
error   verify-unsigned: a commit without a valid signature, where the game asks for one
error   verify-shallow: a shallow clone, which lacks the beginning of the history
warning not-applied: a change that is due and not yet carried out in `rules/`
warning change-overtaken: a change that was voted on or decided, and cannot be carried out [ledger]
warning turn-unbegun: a game with proposals and without a first turn [ledger players turns]
warning deadline-missed: something not done by the day that the rules say [ledger players turns]
warning signature-unverified: a vote that has or needs a signature; none is verified [ledger]
warning name-alike: two players whose names or accounts look alike
warning change-transmutes-only: a change after which votes can only transmute or repeal [ledger]
warning provisions-differ: an amendment with one value in its text, another in its provisions
warning text-cut: an amendment that leaves less than half of a rule's words
warning provisions-kept: an amendment that leaves the rule's provisions as they are
warning provisions-unconfirmed: a rule whose text has changed while its provisions have not [ledger]
warning reference-dangling: a text that refers to a rule or proposal that never existed
warning text-lost: texts of an archive that are lost
warning votes-unrecorded: votes that were not recorded
warning proposals-lost: proposals or judgements of an archive that are lost
warning law-unread: a game whose rules have no provisions
warning date-missing: decided proposals without a date, whose votes were not recorded
warning image-missing: a picture that is not in `images/`
warning git-absent: no git repository, so no history can be linked
warning git-shallow: a shallow clone, so older history cannot be linked
warning git-uncommitted: files of the game that are not committed
warning verify-unnamed: a commit that carries out an instrument but does not name it
warning verify-unproven: something that cannot be verified here
warning final-newline: a file does not end in exactly one line feed
# what a game was imported from
error   source-differs: a ledger that differs from the source of the import
# slips of an imported text
warning import-unread: lines of an imported text that were not understood
warning import-outside: lines of an imported text that belong to no rule
warning import-markdown: lines of an imported text that were rewritten for Markdown
warning import-tier: a rule for which an imported text gives no tier
"""


def _registry(table: str) -> dict[str, Code]:
    """Return the codes by slug. A malformed row, or a second row of a slug, is a ValueError."""
    codes: dict[str, Code] = {}
    for row in table.splitlines():
        if row and not row.startswith("#"):
            parts = re.fullmatch(_ROW, row)
            if parts is None or parts[2] in codes:
                raise ValueError(row)
            severity: Severity = "error" if parts[1] == "error" else "warning"
            needs = frozenset(map(Need, (parts[4] or "").split()))
            codes[parts[2]] = Code(parts[2], severity, parts[3], needs)
    return codes


CODES = _registry(_TABLE)
"""The kinds of findings, by slug."""


class Edit(Struct, frozen=True):
    """A change of a file: `lines` take the place of those from `first` to `last`, counted from 1.

    If `last` is the line before `first`, they are put in before `first`.
    """

    first: int
    last: int
    lines: tuple[str, ...]


class Mending(Struct, frozen=True, kw_only=True):
    """What makes a finding go: edits of its file, another name (`path`) for the file, or a command.

    `said` describes it for somebody who has no shell; `command` is what to type at a shell, or ''.
    If it is a guess, `asks` is the question to the file's author, else ''.
    """

    said: str
    edits: tuple[Edit, ...] = ()
    path: str | None = None
    command: str = ""
    asks: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether it can be carried out as it stands, since it has all edits or the new name."""
        return bool(self.edits) or self.path is not None


class Wait(Struct, frozen=True, kw_only=True):
    """What a lawful move waits for: "It" (the `subject`) "waits until 1 more player seconds it".

    If it waits for a turn, `player` has that turn, and `turn` is its id (`R2T1`), None if no rule
    says which it will be. If it waits for a moment, `since` is that moment.
    """

    subject: str = "It"
    predicate: str
    player: PlayerId | None = None
    turn: str | None = None
    since: Moment | None = None

    @property
    def words(self) -> str:
        """The sentence, without a full stop."""
        return f"{self.subject} {self.predicate}"


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that is wrong: `message` says what, `rule` which rule of the game it breaks,
    `help` what to do.

    `detail` is a unified diff or other lines, shown indented; it may be empty. `mending` is the
    help as data, None if it is not known. `waits` says what must come first, if the only thing
    wrong is that it is too early.
    """

    slug: str
    span: Span
    message: str
    help: str
    rule: int | None = None
    detail: str = ""
    mending: Mending | None = None
    waits: Wait | None = None

    def __post_init__(self) -> None:
        if self.slug not in CODES:
            raise KeyError(
                f"{self.slug} is no finding: it needs a row in model/findings.py, and a page in "
                "explain/"
            )
        for name, most in (("message", _LONGEST), ("help", _LONGEST), ("detail", _LONGEST_DETAIL)):
            text: str = getattr(self, name)
            if len(text) > most:
                force_setattr(self, name, f"{text[: most - 1]}…")

    @property
    def severity(self) -> Severity:
        return CODES[self.slug].severity

    @property
    def is_stale(self) -> bool:
        """Whether an instruction names no revision, or a rule or revision that is not in force."""
        return self.slug in ("revision-stale", "rule-unknown")

    @property
    def is_error(self) -> bool:
        return self.severity == "error"


Findings = tuple[Finding, ...]


def counted(count: int, noun: str) -> str:
    """Return a number with its noun: `1 error`, `2 errors`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def listed(words: Sequence[object], shown: int = 20) -> str:
    """Return words with commas; after the first `shown` only a count: `1, 2, 3 and 40 more`."""
    first = ", ".join(map(str, words[:shown]))
    return f"{first} and {len(words) - shown} more" if len(words) > shown else first


def pick_findings(findings: Sequence[Finding], most: int) -> tuple[Findings, int]:
    """Return at most `most` findings, in order, and how many are left out; warnings go first."""
    errors_first = sorted(range(len(findings)), key=lambda at: not findings[at].is_error)
    return tuple(findings[at] for at in sorted(errors_first[:most])), max(len(findings) - most, 0)


def ordered(findings: Iterable[Finding]) -> Findings:
    """Return findings in the order of their places, each once."""
    return tuple(
        sorted(set(findings), key=lambda finding: (finding.span, finding.slug, finding.message))
    )
