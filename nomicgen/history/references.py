"""References between texts: which rules, proposals and judgements a text names, such as `Rules 101
to 116` or `Proposal 305`. They are found in the prose of its Markdown, not in code or links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.markdown import parser
from nomicgen.files.markdown_limits import is_tame
from nomicgen.law.replay.results import Replay, Rule, Ruleset
from nomicgen.model.findings import Finding
from nomicgen.model.records import Records
from nomicgen.model.values import Span

if TYPE_CHECKING:
    from markdown_it.token import Token


ReferenceKind = Literal["rule", "proposal", "judgement"]

# Patterns: a number with or without a revision; a range of numbers; what may not follow a number; a
# list of ranges; a mention, the word before a number included.
_ITEM = r"[1-9][0-9]{0,8}(?:/(?:0|[1-9][0-9]{0,5}))?"
_RANGE = rf"{_ITEM}(?:\s*[-–—]\s*#?{_ITEM}|\s+(?:to|through)\s+#?{_ITEM})?"
_END = r"(?![\w@]|\.\d|/\d)"
_LIST = rf"#?{_RANGE}{_END}(?:,\s+#?{_RANGE}{_END})*(?:,?\s+(?:and|or|&)\s+#?{_RANGE}{_END})?"
_MENTION = (
    rf"(?i)(?<![\w-])(?P<word>rule|proposal|judge?ment)"
    rf"(?:s\s+(?P<many>{_LIST})|\s+#?(?P<one>{_ITEM}){_END})"
)
# A text without a match has no mention, and is not parsed. Between a word and its number there may
# be a line's end, indentation and the marks of a quotation; an entity (`&amp;`) may spell any part.
_HINT = r"(?i)(?:rule|proposal|judge?ment)s?[^\w]*\d|&"
# One range of a list.
_ONE = rf"(?P<from>{_ITEM})(?:(?:\s*[-–—]\s*|\s+(?:to|through)\s+)#?(?P<until>{_ITEM}))?"


_MOST_OF_RANGE = 1000
"""How many rules of a reference such as `Rules 101-116` are looked at, at most."""
# A line of plain words, perhaps as an item of a list: Markdown gives nothing in it a meaning.
_WORDS = r"(?:- )?[^\W\d_](?:[^\\&`*_\[\]<>~|!#=+@\n]*[^\\&`*_\[\]<>~|!#=+@\s])?"
_PLAIN_BLOCKS = r"\n(?=\n|- )"


class Reference(Struct, frozen=True, kw_only=True):
    """What a text names: a rule, proposal or judgement, perhaps one `revision` of it; or all from
    `number` to `until`.

    `line` is that of the text, from 1, on which the number stands.
    """

    kind: ReferenceKind
    number: int
    revision: int | None = None
    until: int | None = None
    line: int = 1

    @property
    def numbers(self) -> range:
        """Every number that it names."""
        return range(self.number, (self.until or self.number) + 1)

    def __str__(self) -> str:
        pinned = "" if self.revision is None else f"/{self.revision}"
        return f"{self.kind.capitalize()} {self.number}{pinned}"


class Mention(Struct, frozen=True, kw_only=True):
    """A reference in a run of prose. Its characters, from `start` to before `end`, can become a
    link.
    """

    reference: Reference
    start: int
    end: int


def mentions(prose: str) -> tuple[Mention, ...]:
    """Return the mentions in a run of prose, in order. In `Rules 101 and 102`, the first is `Rules
    101`, the second `102`.
    """
    return tuple(_mentions(prose))


def _mentions(prose: str) -> Iterator[Mention]:
    # Lines are counted from the last mention on: a text may have a hundred thousand mentions.
    line, counted_to = 1, 0
    for match in re.finditer(_MENTION, prose):
        kind = _kind(match["word"])
        group = "many" if match["many"] else "one"
        for count, item in enumerate(re.finditer(_ONE, match[group])):
            begin = match.start(group) + item.start()
            line, counted_to = line + prose.count("\n", counted_to, begin), begin
            number, revision = _split(item["from"])
            until = _split(item["until"])[0] if item["until"] else None
            reference = Reference(
                kind=kind,
                number=number,
                revision=revision,
                until=until if until and until > number else None,
                line=line,
            )
            yield Mention(
                reference=reference,
                start=match.start() if count == 0 else begin,
                end=match.start(group) + item.end(),
            )


def _kind(word: str) -> ReferenceKind:
    first = word[0].lower()
    return "rule" if first == "r" else "proposal" if first == "p" else "judgement"


def _split(text: str) -> tuple[int, int | None]:
    number, _, revision = text.partition("/")
    return int(number), int(revision) if revision else None


def prose_runs(children: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each run among an inline token's children that is prose: text and
    soft line breaks outside of links.
    """
    depth, start = 0, None
    for index, token in enumerate(children):
        depth += (token.type == "link_open") - (token.type == "link_close")
        prose = depth == 0 and token.type in ("text", "softbreak")
        if prose and start is None:
            start = index
        elif not prose and start is not None:
            yield start, index
            start = None
    if start is not None:
        yield start, len(children)


def run_text(tokens: Sequence[Token]) -> str:
    """Return the prose of a run, with a line feed for each soft line break."""
    return "".join("\n" if token.type == "softbreak" else token.content for token in tokens)


def references(text: str) -> tuple[Reference, ...]:
    """Return every reference in the prose of a text, in order; none in code or in the text of a
    link.
    """
    if not re.search(_HINT, text):
        return ()
    return tuple(_of_plain(text) if _is_plain(text) else _of_markdown(text))


def _is_plain(text: str) -> bool:
    """Return whether a text is only paragraphs and list items in plain words, which need no
    parser.
    """
    words = all(
        re.fullmatch(_WORDS, line) and line.isprintable() for line in text.split("\n") if line
    )
    return words and "//" not in text and "mailto:" not in text.lower() and is_tame(text)


def _of_plain(text: str) -> Iterator[Reference]:
    """Yield the references in a text of plain words.

    A paragraph goes on to the next blank line or item.
    """
    line = 0
    for block in re.split(_PLAIN_BLOCKS, text):
        yield from _in_prose(block, line)
        line += block.count("\n") + 1


def _of_markdown(text: str) -> Iterator[Reference]:
    for token in parser().parse(text):
        if token.type != "inline" or token.children is None or token.map is None:
            continue
        for start, end in prose_runs(token.children):
            breaks = sum(
                child.type in ("softbreak", "hardbreak") for child in token.children[:start]
            )
            yield from _in_prose(run_text(token.children[start:end]), token.map[0] + breaks)


def _in_prose(prose: str, lines_before: int) -> Iterator[Reference]:
    for mention in mentions(prose):
        yield replace(mention.reference, line=lines_before + mention.reference.line)


def cited_numbers(rule: Rule) -> Iterator[int]:
    """Yield the numbers of rules that a rule's text names, of a range the first 1,000."""
    for reference in references(rule.text or ""):
        if reference.kind == "rule":
            yield from reference.numbers[:_MOST_OF_RANGE]


def citing_rules(ruleset: Ruleset) -> Mapping[int, tuple[int, ...]]:
    """Return, by the number of each cited rule, the numbers of the other rules that cite it,
    ascending.

    A rule may also be cited by a number that it bore once.
    """
    citing: dict[int, set[int]] = {}
    for rule in ruleset:
        for number in cited_numbers(rule):
            cited = ruleset.once_numbered(number)
            if cited is not None and cited.identity != rule.identity:
                citing.setdefault(cited.number, set()).add(rule.number)
    return {number: tuple(sorted(by)) for number, by in sorted(citing.items())}


def dangling_references(records: Records, replay: Replay) -> Iterator[Finding]:
    """Yield findings on references to what never existed, in the rules in force and in undecided
    proposals.
    """
    lost = records.settings.lost
    existing: dict[ReferenceKind, set[int]] = {
        "rule": {*replay.current.last_holder},  # every number that a rule bears or bore
        "proposal": {
            *lost.proposals,
            *(proposal.number for proposal in records.of_kind("proposal") if proposal.number),
        },
        "judgement": {
            *lost.judgements,
            *(judgement.number for judgement in records.of_kind("judgement") if judgement.number),
        },
    }
    for rule in replay.current:
        yield from _in_text(
            rule.text or "", f"Rule {rule.ref}", existing, _rule_place(rule, records), rule.number
        )
    for proposal in records.of_kind("proposal"):
        if not proposal.matter.is_undecided:
            continue
        preview = replay.previews.get(proposal.path)
        coming = {rule.number for rule in preview.after} if preview else set[int]()
        known = {**existing, "rule": existing["rule"] | coming}
        for instruction in proposal.instructions:
            place = Span(file=proposal.path, line=instruction.text_line or instruction.span.line)
            yield from _in_text(instruction.text or "", f"`{instruction.heading}`", known, place)


def _in_text(
    text: str,
    where: str,
    existing: Mapping[ReferenceKind, Set[int]],
    place: Span,
    rule: int | None = None,
) -> Iterator[Finding]:
    for reference in references(text):
        ends = (reference.number, reference.until or reference.number)
        if not existing[reference.kind].isdisjoint(ends):
            continue  # it is enough that one end of a range exists
        never = ends[0]
        line, column = _place_in(text, reference)
        listing = "`nomicgen status --rules` lists the rules in force"
        yield Finding(
            slug="reference-dangling",
            span=Span(file=place.file, line=place.line + line - 1, column=column),
            message=f"{where} refers to {reference.kind.capitalize()} {never}, which never existed",
            help="correct the number, or see what there is: "
            + (listing if reference.kind == "rule" else f"{reference.kind}s/ has the files"),
            rule=rule,
        )


def _place_in(text: str, reference: Reference) -> tuple[int, int]:
    """Return the line and the column, from 1, at which the number of a reference stands."""
    number = re.compile(rf"(?<!\d){reference.number}(?!\d)")
    for line, words in enumerate(text.split("\n")[reference.line - 1 :], reference.line):
        if match := number.search(words):
            return line, match.start() + 1
    return reference.line, 1  # it is written as an entity


def _rule_place(rule: Rule, records: Records) -> Span:
    """Return the line of a rule's derived file on which its text begins; the first line if the file
    does not end with that text.
    """
    path = f"rules/{rule.number}.md"
    data = records.derived_rules.get(path, b"")
    end = f"\n\n{rule.text}\n".encode()
    return Span(
        file=path, line=data.count(b"\n", 0, len(data) - len(end)) + 3 if data.endswith(end) else 1
    )
