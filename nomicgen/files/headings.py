"""Headings of instructions, such as `## Amend Rule 203/0`, and lines that only look like them."""

from __future__ import annotations

import difflib
import html
import re
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.files.text_encoding import normal
from nomicgen.model.records import Verb
from nomicgen.model.values import RuleRef


class Heading(Struct, frozen=True, kw_only=True):
    """An instruction's heading, read. `target` is the rule that it changes; `number`, `tier` and
    `title` are the new ones.
    """

    verb: Verb
    target: RuleRef | None = None
    number: int | None = None
    tier: str | None = None
    title: str | None = None


class NoInstruction(Struct, frozen=True):
    """A heading that is no instruction: what is wrong with it, and what to write instead."""

    message: str
    help: str


class Meant(Struct, frozen=True, kw_only=True):
    """An instruction whose form is not quite right: its verb, the rule that it names, and the other
    words of the line. What it does not name is None.

    `marked` says whether the line is set apart, as by `#` or in bold type, or names a revision.
    """

    verb: Verb
    number: int | None
    revision: int | None
    rest: str
    marked: bool


EXAMPLES: dict[Verb, str] = {
    "enact": "## Enact Rule: Title",
    "amend": "## Amend Rule 203/0",
    "repeal": "## Repeal Rule 203/0",
    "transmute": "## Transmute Rule 203/0 to immutable",
    "retitle": "## Retitle Rule 203/0: Title",
    "renumber": "## Renumber Rule 203/0 to 305",
    "mark": "## Mark Rule 203/0",
}
"""How the heading of each instruction is written."""

_NUMBER = r"[1-9][0-9]{0,8}"
_REF = rf"(?P<target>{_NUMBER}/(?:0|[1-9][0-9]{{0,5}}))"
# The words of each instruction's heading, after the `##`.
_FORMS: dict[Verb, re.Pattern[str]] = {
    "enact": re.compile(rf"Enact Rule(?: (?P<number>{_NUMBER}))?(?:: (?P<title>\S.*))?"),
    "amend": re.compile(rf"Amend Rule {_REF}"),
    "repeal": re.compile(rf"Repeal Rule {_REF}"),
    "transmute": re.compile(rf"Transmute Rule {_REF} to (?P<tier>[a-z][a-z0-9-]{{0,63}})"),
    "retitle": re.compile(rf"Retitle Rule {_REF}: (?P<title>\S.*)"),
    "renumber": re.compile(rf"Renumber Rule {_REF} to (?P<number>{_NUMBER})"),
    "mark": re.compile(rf"Mark Rule {_REF}"),
}
# In an archive, how an instruction begins that names no revision.
_UNPINNED = rf"(?:Amend|Repeal|Transmute|Retitle|Renumber|Mark) Rule {_NUMBER}(?![0-9/])"
_VERBS: dict[str, Verb] = {verb.capitalize(): verb for verb in _FORMS}
_VERB_WORDS = "|".join(EXAMPLES)
# The beginning of a heading without a verb, such as `# Rule 301`.
_RULE = r"(?ai)rule +[0-9]+\b"
_SLIPS: dict[str, Verb] = {
    "create": "enact", "add": "enact", "new": "enact", "introduce": "enact", "enactment": "enact",
    "change": "amend", "edit": "amend", "replace": "amend", "modify": "amend", "update": "amend",
    "amendment": "amend",
    "delete": "repeal", "remove": "repeal", "strike": "repeal", "abolish": "repeal",
    "scrap": "repeal",
    "make": "transmute", "rename": "retitle", "void": "mark", "annotate": "mark",
}  # fmt: skip
"""Other verbs that people write. A hint names the right one; no instruction is made of them."""
# Marks that may stand before a heading that only looks like one: of lists, quotations, bold type.
_DECORATION = r"[\s>*+_~`|\\.)(\-]|[0-9]+[.)]|<[^>]*>"
# What looks like the heading of an instruction, in a list or a quotation, too.
_ATTEMPT = (
    rf"(?i)(?:{_DECORATION})*(?:#|<h[1-6]\b[^>]*>)(?:#|{_DECORATION})*(?:{_VERB_WORDS})\W+rules?\b"
)
# Marks before a loose instruction.
_SET_APART = rf"(?:#|{_DECORATION})*"
# An instruction in the loose form that `meant_instruction` forgives; `rest` follows the revision.
_MEANT = (
    r"(?ai)(?P<verb>[^\W\d_]+)(?:\s*:)?\s+(?P<word>rules?\b\.?|§|no\.)?\s*"
    r"[#*_`\"'(]*(?P<number>[0-9]{1,9}\b)?(?:\s*[/.(,-]\s*(?:revision\s*|rev\.?\s*|r)?(?P<revision>[0-9]{1,6}|r)\b\)?)?"
    r"(?P<rest>.*)"
)
_TIER_OR_END = r"(?:(?:\s*from\s+[a-z0-9-]+)?\s*(?:to|into|:|→|->)\s*[a-z][a-z0-9-]*)?[\s:.]*"
_RESTS: dict[Verb, re.Pattern[str]] = {
    "enact": re.compile(r"\s*(?:[:.–—-].*)?|\s*[\"“„«'‘`].*"),
    "transmute": re.compile(_TIER_OR_END, re.IGNORECASE),
    "retitle": re.compile(r"\s*(?::|to\b|as\b).*", re.IGNORECASE),
    "renumber": re.compile(rf"\s*(?::|to\b|as\b)\s*{_NUMBER}[\s.]*", re.IGNORECASE),
}
"""What may follow the rule that a loose instruction names; after other verbs, no word may."""
# A line without any of these is no attempt: to look for them first saves time.
_SIGNS = r"[#\uff03\ufe5f\u266f&]|<[hH]"
# Characters that have no width, or show nothing.
_UNSEEN = (
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0]"
)

# No character has a number of so many digits, and Python does not read one of thousands.
_TOO_LONG = "&#[0-9]{100,};?"


def parse_heading(text: str, *, archived: bool = False) -> Heading | NoInstruction:
    """Read the text of a level-2 heading.

    `archived` says that it stands in an instrument decided before nomicgen kept the game. It may
    then name no revision: `Amend Rule 203` changes the rule as it stood when that was decided.
    """
    if archived and (unpinned := re.match(_UNPINNED, text)):
        # A made-up revision lets the usual form match, and is taken out again.
        heading = parse_heading(f"{unpinned[0]}/0{text[unpinned.end() :]}")
        if isinstance(heading, Heading) and heading.target is not None:
            return replace(heading, target=RuleRef(heading.target.number))
    verb = _VERBS.get(text.partition(" ")[0])
    if verb is not None:
        match = _FORMS[verb].fullmatch(text)
        if match:
            groups = match.groupdict()
            number = groups.get("number")
            rule, _, revision = groups.get("target", "").partition("/")
            return Heading(
                verb=verb,
                target=RuleRef(int(rule), int(revision)) if rule else None,
                number=int(number) if number else None,
                tier=groups.get("tier"),
                title=groups.get("title"),
            )
    return _misread(text)


def looks_like_instruction(line: str) -> bool:
    """Return whether a line looks like the heading of an instruction, whether it is one or not."""
    return bool(re.search(_SIGNS, line)) and bool(re.match(_ATTEMPT, _plain(line)))


def _plain(line: str) -> str:
    """Return a line as a reader sees it: without entities, hidden characters and look-alikes."""
    plain = normal("NFKC", re.sub(_UNSEEN, "", html.unescape(re.sub(_TOO_LONG, "", line))))
    return plain.replace("\u266f", "#")


def _misread(text: str) -> NoInstruction:
    """Return what is wrong with a heading, and what was probably meant."""
    verb = _likely_verb(text)
    if verb is None:
        return NoInstruction(
            f"{quoted(text) if text else 'an empty heading'} is no instruction",
            f"write one such as `{EXAMPLES['amend']}`, or make it a heading of level 3 with `###`",
        )
    match = re.match(_MEANT, _plain(text))
    number, revision, rest = (
        (match["number"], match["revision"], match["rest"]) if match else (None, None, "")
    )
    # If the R of an example was copied, there is no revision.
    revision = revision if revision and revision.isdigit() else None
    if not number or number.startswith("0"):
        example = EXAMPLES[verb]
    elif verb != "enact" and revision is None and not rest.startswith("/"):
        help = (
            f"name the revision that you mean: `{_correct_heading(verb, int(number), 'R', rest)}`"
        )
        return NoInstruction(f"{quoted(text)} names no revision of Rule {int(number)}", help)
    else:
        example = _correct_heading(verb, int(number), int(revision or 0), rest)
    return NoInstruction(
        f"{quoted(text)} is not how an instruction is written", f"write it like `{example}`"
    )


def meant_instruction(line: str) -> Meant | None:
    """Return the instruction that a line was meant for; None for other words.

    Marks around the line are forgiven, and a letter or a revision that is missing or superfluous.
    A sentence is no instruction, whatever it asks for: its other words would be lost.
    """
    plain = _plain(line).replace("\u00a0", " ").strip()
    marks = re.match(_SET_APART, plain)
    begin = marks.end() if marks else 0
    marked = any(mark in plain[:begin] for mark in ("#", "**", "__", "<h", "<b", "<H", "<B"))
    words = plain[begin:].rstrip(" #*_`~")
    words = words[: -len("</h2>")] if words.lower().endswith("</h2>") else words
    match = re.match(_MEANT, words)
    verb = _verb(words)
    if (
        match is None
        or verb is None
        or not (match["word"] or (match["number"] and verb != "enact"))
    ):
        return None
    number, revision, rest = match["number"], match["revision"], match["rest"]
    # Without a number, the other words may be a rule's title: only the game knows.
    may_name_title = verb != "enact" and number is None
    if not may_name_title and not (
        _RESTS[verb].fullmatch(rest) if verb in _RESTS else not re.search(r"\w", rest)
    ):
        return None
    return Meant(
        verb=verb,
        number=int(number) if number else None,
        revision=int(revision) if revision and revision.isdigit() else None,
        rest=rest,
        marked=marked or revision is not None,
    )


def meant_heading(text: str) -> str:
    """Return what to do about a heading of level 1 that was meant for an instruction, or ''."""
    first = text.split("\n", 1)[0].strip()
    if _likely_verb(first) is not None:
        return (
            "an instruction is of level 2: begin the line with `## `, as in "
            f"{quoted(f'## {first}')}"
        )
    if re.match(_RULE, first):
        return (
            f"to enact a rule, write `{EXAMPLES['enact']}` there; it gets its number when it "
            "is adopted"
        )
    return ""


def _verb(text: str) -> Verb | None:
    """Return the verb that a text begins with, perhaps with a wrong letter; None without one."""
    word = _first_word(text)
    if word in EXAMPLES:
        return word
    close = difflib.get_close_matches(word, EXAMPLES, n=1, cutoff=0.8)
    return cast("Verb", close[0]) if close else None


def _likely_verb(text: str) -> Verb | None:
    """Return the verb that was most likely meant in a heading, for a hint; None for other words."""
    word = _first_word(text)
    # Without the word "rule", only an exact verb counts: other words may be about anything.
    if "rule" not in text.casefold():
        return word if word in EXAMPLES else None
    return _verb(text) or _SLIPS.get(word)


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0].strip(":").casefold()


def _correct_heading(verb: Verb, number: int, revision: int | str, rest: str) -> str:
    """Return the heading that was meant, with examples in place of what cannot be told."""
    words = rest.strip(" :.")
    last = words.split(" ")[-1]
    title = words if words and words.isprintable() and len(words) <= 60 else "Title"
    if verb == "enact":
        return f"## Enact Rule {number}: {title}"
    ending = ""
    if verb == "transmute":
        ending = f" to {last if re.fullmatch(r'[a-z][a-z0-9-]{0,63}', last) else 'immutable'}"
    elif verb == "retitle":
        ending = f": {title}"
    elif verb == "renumber":
        ending = f" to {last if re.fullmatch(_NUMBER, last) else '305'}"
    return f"## {verb.capitalize()} Rule {number}/{revision}{ending}"
