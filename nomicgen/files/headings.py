"""The headings that are instructions: `## Amend Rule 203/0` and the rest, and lines that only look like them."""

from __future__ import annotations

import re
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import quoted
from nomicgen.files.text_encoding import normal
from nomicgen.model import RuleRef, Verb
from nomicgen.patterns import lazy_pattern


class Heading(Struct, frozen=True, kw_only=True):
    """An instruction's heading, read."""

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
    """An instruction as somebody wrote it: its verb, the rule that it names, and the other words of the line.

    `marked` says whether the line is set apart, as by `#` or in bold type.
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

_NUMBER = r"[1-9][0-9]{0,8}"
_REF = rf"(?P<target>{_NUMBER}/(?:0|[1-9][0-9]{{0,5}}))"
_FORMS: dict[Verb, re.Pattern[str]] = {
    "enact": lazy_pattern(rf"Enact Rule(?: (?P<number>{_NUMBER}))?(?:: (?P<title>\S.*))?"),
    "amend": lazy_pattern(rf"Amend Rule {_REF}"),
    "repeal": lazy_pattern(rf"Repeal Rule {_REF}"),
    "transmute": lazy_pattern(rf"Transmute Rule {_REF} to (?P<tier>[a-z][a-z0-9-]{{0,63}})"),
    "retitle": lazy_pattern(rf"Retitle Rule {_REF}: (?P<title>\S.*)"),
    "renumber": lazy_pattern(rf"Renumber Rule {_REF} to (?P<number>{_NUMBER})"),
    "mark": lazy_pattern(rf"Mark Rule {_REF}"),
}
_UNPINNED = lazy_pattern(rf"(?:Amend|Repeal|Transmute|Retitle|Renumber|Mark) Rule {_NUMBER}(?![0-9/])")
_WORDS: dict[str, Verb] = {verb.capitalize(): verb for verb in _FORMS}
_VERB_WORDS = "|".join(EXAMPLES)
_RULE = lazy_pattern(r"rule +[0-9]+\b", re.IGNORECASE | re.ASCII)
_SLIPS: dict[str, Verb] = {
    "create": "enact", "add": "enact", "new": "enact", "introduce": "enact", "enactment": "enact",
    "change": "amend", "edit": "amend", "replace": "amend", "modify": "amend", "update": "amend", "amendment": "amend",
    "delete": "repeal", "remove": "repeal", "strike": "repeal", "abolish": "repeal", "scrap": "repeal",
    "make": "transmute", "rename": "retitle", "void": "mark", "annotate": "mark",
}  # fmt: skip
_DECORATION = r"[\s>*+_~`|\\.)(\-]|[0-9]+[.)]|<[^>]*>"
_ATTEMPT = lazy_pattern(
    rf"(?:{_DECORATION})*(?:#|<h[1-6]\b[^>]*>)(?:#|{_DECORATION})*(?:{_VERB_WORDS})\W+rules?\b", re.IGNORECASE
)
_SET_APART = lazy_pattern(rf"(?:#|{_DECORATION})*")
_MEANT = lazy_pattern(
    r"(?P<verb>[^\W\d_]+)(?:\s*:)?\s+(?:(?:of|to|the|a|an|new|existing|current)\s+)*(?P<word>rules?\b\.?|§|no\.)?\s*"
    r"[#*_`\"'(]*(?P<number>[0-9]{1,9}\b)?(?:\s*[/.(,-]\s*(?:revision\s*|rev\.?\s*|r)?(?P<revision>[0-9]{1,6})\b\)?)?"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.ASCII,
)
_A_RULE = lazy_pattern(r"rule\b\s*#?(?P<number>[0-9]{1,9}\b)?(?:/[0-9]{1,6})?(?P<rest>.*)", re.IGNORECASE | re.ASCII)
_PROPOSED = lazy_pattern(r"(?:(?:i|we) propose (?:to|that we)|let us|let's|please|proposal:|to)\s+", re.IGNORECASE)
MAYBE = lazy_pattern(r"[#\uff03\ufe5f\u266f&]|<[hH]")
"""What a line has at least that `looks_like_instruction`."""
_UNSEEN = lazy_pattern(
    "[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)

# No character has such a number, and one of thousands of digits is more than Python reads.
_TOO_LONG = lazy_pattern("&#[0-9]{100,};?")


def parse_heading(text: str, *, archived: bool = False) -> Heading | NoInstruction:
    """Reads the text of a level-2 heading; `archived` is one of what was decided without a program.

    Such a heading may name a rule as it stood then, `Amend Rule 203`, whichever revision that was.
    """
    if archived and (unpinned := _UNPINNED.match(text)):
        heading = parse_heading(f"{unpinned[0]}/0{text[unpinned.end() :]}")
        if isinstance(heading, Heading) and heading.target is not None:
            return replace(heading, target=RuleRef(heading.target.number))
    verb = _WORDS.get(text.partition(" ")[0])
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
    """Whether a line that is no heading would be taken for an instruction's heading by a reader."""
    return bool(MAYBE.search(line)) and bool(_ATTEMPT.match(_plain(line)))


def _plain(line: str) -> str:
    import html

    plain = normal("NFKC", _UNSEEN.sub("", html.unescape(_TOO_LONG.sub("", line))))
    return plain.replace("\u266f", "#")


def _misread(text: str) -> NoInstruction:
    verb = _verb(text)
    if verb is None:
        return NoInstruction(
            f"{quoted(text) if text else 'an empty heading'} is no instruction",
            f"write one such as `{EXAMPLES['amend']}`, or make it a heading of level 3 with `###`",
        )
    meant = meant_instruction(text)
    if meant is None or not meant.number:
        example = EXAMPLES[verb]
    elif verb != "enact" and meant.revision is None and not meant.rest.startswith("/"):
        help = f"name the revision that you mean: `{_corrected(verb, meant.number, 'R', meant.rest)}`"
        return NoInstruction(f"{quoted(text)} names no revision of Rule {meant.number}", help)
    else:
        example = _corrected(verb, meant.number, meant.revision or 0, meant.rest)
    return NoInstruction(f"{quoted(text)} is not how an instruction is written", f"write it like `{example}`")


def meant_instruction(line: str) -> Meant | None:
    """The instruction that a line was most likely meant for, whatever marks stand around it; None for other words."""
    plain = _plain(line).replace("\u00a0", " ").strip()
    marks = _SET_APART.match(plain)
    begin = marks.end() if marks else 0
    marked = any(mark in plain[:begin] for mark in ("#", "**", "__", "<h", "<b", "<H", "<B"))
    words = plain[begin:].rstrip(" #*_`~")
    words = words[: -len("</h2>")] if words.lower().endswith("</h2>") else words
    while (proposed := _PROPOSED.match(words)) is not None:
        words = words[proposed.end() :]
    rule = _A_RULE.match(words)
    if rule is not None:
        number = int(rule["number"]) if rule["number"] else None
        return Meant(verb="enact", number=number, revision=None, rest=rule["rest"], marked=marked)
    match = _MEANT.match(words)
    if match is None or not (match["word"] or match["number"]):
        return None
    verb = _verb(f"{match['verb']} rule")
    if verb is None or (verb == "enact" and not match["word"]):
        return None
    number, revision = (int(digits) if (digits := match[key]) else None for key in ("number", "revision"))
    return Meant(verb=verb, number=number, revision=revision, rest=match["rest"], marked=marked)


def meant_heading(text: str) -> str:
    """What to do about a heading of level 1 that was meant for an instruction, or ''."""
    first = text.split("\n", 1)[0].strip()
    if _verb(first) is not None:
        return f"an instruction is of level 2: begin the line with `## `, as in {quoted(f'## {first}')}"
    if _RULE.match(first):
        return f"to enact a rule, write `{EXAMPLES['enact']}` there; it gets its number when it is adopted"
    return ""


def _verb(text: str) -> Verb | None:
    word = text.split(" ", 1)[0].strip(":").casefold() if text else ""
    if word in EXAMPLES:
        return word
    if "rule" not in text.casefold():
        return None
    import difflib

    close = difflib.get_close_matches(word, EXAMPLES, n=1, cutoff=0.8)
    return cast("Verb", close[0]) if close else _SLIPS.get(word)


def _corrected(verb: Verb, number: int, revision: int | str, rest: str) -> str:
    """The heading that was meant, as far as what was written after its rule gives the rest of it."""
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
