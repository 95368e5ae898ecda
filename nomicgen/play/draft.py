"""A draft as somebody wrote it, in lines, perhaps not in the right form, and what helps to mend it:
the names in the game, and guesses at titles, file names and headings.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.headings import Heading, Meant, parse_heading
from nomicgen.files.text_encoding import normal
from nomicgen.law.replay.results import Replay, Rule, Ruleset
from nomicgen.model.findings import Findings
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Records

# The opening or end of a fence; a heading of any level, with its words; one of level 2.
_FENCE = r" {0,3}(`{3,}|~{3,})"
_HEADING = r" {0,3}#{1,6}[ \t]+(\S.*?)[ \t]*#*[ \t]*"
_LEVEL_2 = r" {0,3}##[ \t]+(\S.*?)[ \t]*#*[ \t]*"
# Words of file names that say nothing about a draft.
_NAMELESS = frozenset(
    {
        "",
        "draft",
        "proposal",
        "proposals",
        "new",
        "file",
        "readme",
        "untitled",
        "name",
        "rule",
        "my",
        "patch",
        "change",
    }
)
# A word that can be a tier's name.
_TIER = r"[a-z][a-z0-9-]{0,63}"
# Quotation marks that belong together, and marks that may stand around a title or name.
_PAIRS = ('""', "''", "“”", "„“", "„”", "«»", "»«", "‘’", "‚‘", "``", "‹›", "[]", "““", "””")
_AROUND = " \t:.,;#*_`\"'()[]-–—“”„«»‚‘’›‹"
# "Enact a new rule 302" and such: a heading that gives no name, or what stands before a name.
_NO_NAME = (
    r"(?i:(?:(?:please )?(?:enact|add|create|new)\b[\s:]*)?(?:an? )?(?:new )?(?:\w+ "
    r")?rule\b\s*[0-9]*)"
)
_TITLE = 60
"""Characters of a title that is guessed, at most."""
_LINE = 2000
"""Characters of a line that can be a heading, at most."""


class GameNames(Struct, frozen=True, kw_only=True):
    """Names that a draft can use: the rules in force, the tiers, most entrenched first, and the
    paths of files.

    `author` is the id of the player who writes, None if it is not known; `people` has the id of
    each player by id, name and account in small letters.
    """

    rules: Ruleset
    tiers: tuple[str, ...]
    paths: frozenset[str]
    people: Mapping[str, str]
    author: PlayerId | None = None


def names_in_game(
    records: Records, replay: Replay, paths: frozenset[str], author: PlayerId | None = None
) -> GameNames:
    """Return the names in a game: `paths` are those of its files, `author` is the player who writes
    the draft.
    """
    people: dict[str, str] = {}
    for ident, player in records.players.items():
        for name in (*player.matter.accounts.values(), player.matter.name or "", ident):
            people[name.casefold()] = ident
    return GameNames(
        rules=replay.current,
        tiers=tuple(records.settings.tiers),
        paths=paths,
        people=people,
        author=author,
    )


class Draft(Struct, frozen=True, kw_only=True):
    """A draft in lines; `body` is the first line below its front matter. All lines count from 0.

    `title` is its title, or a guess.
    """

    path: str
    lines: Sequence[str]
    body: int
    title: str
    known: GameNames

    def fences(self) -> Iterator[tuple[int, int]]:
        """Yield the first and last line of each fenced block, which are its marks. One that is
        never closed ends after the last line.
        """
        begun, mark = -1, ""
        for at in range(self.body, len(self.lines)):
            match = re.match(_FENCE, self.lines[at])
            if match is None:
                continue
            if begun < 0:
                begun, mark = at, match[1]
            elif match[1].startswith(mark) and not self.lines[at].strip().strip(mark[0]):
                yield begun, at
                begun = -1
        if begun >= 0:
            yield begun, len(self.lines)

    def fence_at(self, line: int) -> tuple[int, int] | None:
        """Return the fenced block that a line stands in; None if there is none."""
        return next((fence for fence in self.fences() if fence[0] <= line <= fence[1]), None)

    def sections(self) -> Iterator[tuple[int, Heading | None]]:
        """Yield the line of each level-2 heading of the body, and its instruction; None if it is no
        instruction.
        """
        fenced = [*self.fences()]
        for at in range(self.body, len(self.lines)):
            match = re.fullmatch(_LEVEL_2, self.lines[at]) if len(self.lines[at]) <= _LINE else None
            if match is not None and not any(start <= at <= end for start, end in fenced):
                heading = parse_heading(match[1])
                yield at, heading if isinstance(heading, Heading) else None

    def end_below(self, line: int) -> int:
        """Return the line of the next level-2 heading below a line, or else the number of lines."""
        return next((at for at, _ in self.sections() if at > line), len(self.lines))

    def set_apart(self, new: Sequence[str], first: int, last: int) -> tuple[str, ...]:
        """Return lines to stand in place of `first` to `last`, with blank ones around them where
        none stand yet.
        """
        above = first > 0 and self.lines[first - 1].strip()
        below = last + 1 < len(self.lines) and self.lines[last + 1].strip()
        return (*([""] if above else []), *new, *([""] if below else []))


def slug_of(title: str) -> str:
    """Return a title as a file's name: small letters, digits and hyphens, a letter first."""
    plain = normal("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")
    return slug if slug[:1].isalpha() else f"draft-{slug}".rstrip("-")


def free_name(title: str, known: GameNames) -> str:
    """Return the path of a draft of this title that the game does not have."""
    slug = slug_of(title)
    names = (slug, *(f"{slug}-{count}" for count in range(2, len(known.paths) + 3)))
    return next(path for name in names if (path := f"proposals/{name}.md") not in known.paths)


def title_of(lines: Sequence[str], path: str) -> str:
    """Return a title for a text without one: from its first heading that gives a name, the name of
    its file, or its first words.
    """
    headings = [
        match[1] for line in lines if len(line) <= _LINE and (match := re.fullmatch(_HEADING, line))
    ]
    for heading in headings:
        instruction = parse_heading(heading)
        if isinstance(instruction, Heading):
            if instruction.verb == "enact" and instruction.title:
                return instruction.title
            continue
        if shown := _cut(name_in(heading)):
            return shown
    stem = re.sub(r"\.[A-Za-z]{1,8}\Z", "", path.rsplit("/", 1)[-1])
    words = [word for word in re.split(r"[\W_]+", stem) if word]
    if words and not all(word.casefold() in _NAMELESS or word.isdigit() for word in words):
        shown = " ".join(words)
        return shown[:1].upper() + shown[1:]
    prose = next(
        (line for line in lines if line.strip(f"{_AROUND}>") and not re.match(_FENCE, line)), ""
    )
    return _cut(" ".join(prose.strip(f"{_AROUND}>").split()[:6]).strip(_AROUND)) or "A proposal"


def name_in(heading: str) -> str:
    """Return what a heading calls a rule: "The Duck Rule" of "New rule: The Duck Rule"; "" where it
    gives no name.
    """
    words = bare(heading)
    return "" if re.fullmatch(_NO_NAME, words) else re.sub(rf"\A{_NO_NAME}\s*[:.–—-]\s*", "", words)


def _cut(text: str) -> str:
    return text if len(text) <= _TITLE else text[:_TITLE].rsplit(" ", 1)[0].strip(_AROUND)


def bare(text: str) -> str:
    """Return words without Markdown, punctuation or quotation marks around them."""
    return without_quotes(text.strip(" \t:.,;#*_–—-"))


def without_quotes(text: str) -> str:
    """Return words without a pair of quotation marks around all of them. One that stands alone
    stays.
    """
    is_around = (
        len(text) >= 2 and text[0] + text[-1] in _PAIRS and not {text[0], text[-1]} & {*text[1:-1]}
    )
    return text[1:-1].strip() if is_around else text


def instruction_of(meant: Meant, draft: Draft) -> tuple[str, str] | None:
    """Return an instruction's heading in the right form, and a question to its author, or ''.

    None if it cannot be known which rule, tier or number is meant, or if a rule that is to be
    enacted names the number of another.
    """
    known, words = draft.known, bare(" ".join(meant.rest.split()))
    if meant.verb == "enact":
        is_taken = meant.number is not None and known.rules.once_numbered(meant.number) is not None
        return None if is_taken else (f"## Enact Rule: {words or draft.title}", "")
    rule = _rule_of(meant, words, known)
    if rule is None:
        return None
    target, asks = f"{meant.verb.capitalize()} Rule {rule.ref}", ""
    if meant.number is not None and meant.number != rule.number:
        asks = (
            f"Rule {meant.number} was changed, and is Rule {rule.ref} now: does the text "
            "still say what you mean?"
        )
    if meant.revision is not None and (
        meant.revision < rule.revision or meant.number != rule.number
    ):
        # The old revision stays: `rebase` has to merge what was changed since.
        target, asks = f"{meant.verb.capitalize()} Rule {meant.number}/{meant.revision}", ""
    if meant.verb == "transmute":
        tier = _tier_of(words, rule, known.tiers)
        return (f"## {target} to {tier}", asks) if tier else None
    if meant.verb == "retitle":
        title = bare(re.sub(r"(?i)^(?:to|as)\b[\s:]*", "", words)) or draft.title
        return f"## {target}: {title}", asks
    if meant.verb == "renumber":
        number = re.search(r"[1-9][0-9]{0,8}\Z", words)
        return (f"## {target} to {number[0]}", asks) if number else None
    return f"## {target}", asks


def _rule_of(meant: Meant, words: str, known: GameNames) -> Rule | None:
    """Return the rule that is named, by its number or its title."""
    if meant.number is not None:
        return known.rules.once_numbered(meant.number)
    called = [
        rule for rule in known.rules if rule.title and rule.title.casefold() == words.casefold()
    ]
    return called[0] if len(called) == 1 else None


def _tier_of(words: str, rule: Rule, tiers: Sequence[str]) -> str | None:
    """Return the tier that is named, or the only other one."""
    named = [word for word in re.findall(_TIER, words.casefold()) if word in tiers]
    if named:
        return str(named[-1])
    others = [tier for tier in tiers if tier != rule.tier]
    return others[0] if len(others) == 1 else None


def in_draft(
    findings: Findings, path: str, before: bytes, target: str, numbered: bytes
) -> Findings:
    """Return findings; those about `target` (`proposals/305.md`) are moved to the draft at `path`,
    which would have become it.

    `before` are the bytes of the draft, `numbered` those of `target`. A finding about a key that
    only `target` has is shown at the line that it would follow.
    """
    old, new = (data.decode("utf-8", "replace").split("\n") for data in (before, numbered))
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()

    def old_line(line: int) -> int:
        for _, old_start, old_end, new_start, new_end in blocks:
            if new_start < line <= new_end:
                return max(1, min(old_start + line - new_start, old_end))
        return len(old)

    return tuple(
        replace(finding, span=replace(finding.span, file=path, line=old_line(finding.span.line)))
        if finding.span.file == target
        else finding
        for finding in findings
    )
