"""The mendings of a draft's findings, and the text that several of them make together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.file_findings import is_draft
from nomicgen.files.headings import meant_instruction
from nomicgen.files.text_encoding import CONTROLS, heaps_of_marks
from nomicgen.law.replay.results import Rule
from nomicgen.model.findings import Edit, Finding, Mending, listed
from nomicgen.play.draft import Draft, GameNames, free_name, title_of
from nomicgen.play.mending.body import (
    close_open_fence,
    mended_heading,
    mended_hidden,
    mended_place,
    mended_text,
    mended_unknown,
)
from nomicgen.play.mending.from_html import mended_html
from nomicgen.play.mending.front import mended_front, read_front
from nomicgen.play.whole_files import WholeFile

_MOST = 20
"""Mendings that are applied at once, at most."""
LONGEST = 20_000
"""Bytes of a draft that is mended, at most: a comment holds no longer one."""


class Mended(Struct, frozen=True, kw_only=True):
    """A draft as it could be: `before` is the path of the present file, and one of `files` may take
    its place.

    `said` has what was changed, `asks` the questions to its author, `left` what is still wrong with
    the result. If the files have labels, they are guesses, and the author has to choose one, even
    if there is no other. `why` says why. If it is `fresh`, the file is for another pull
    request, and `before` stays as it is. `rules` are the rules in force, if the draft
    names none and may mean one of them.
    """

    before: str
    files: tuple[WholeFile, ...]
    said: tuple[str, ...]
    asks: tuple[str, ...]
    left: tuple[Finding, ...] = ()
    why: str = ""
    rules: tuple[Rule, ...] = ()
    fresh: bool = False

    @property
    def path(self) -> str:
        return self.files[0].path

    @property
    def is_choice(self) -> bool:
        return bool(self.files[0].label)


# What can be mended: findings of a file's bytes, with what to do; of its front matter; and of its
# body, with the function that mends it.
_BYTES = {
    "encoding": "save the file as UTF-8, without a byte order mark",
    "line-ending": "end every line in a line feed alone",
    "not-nfc": "save the file in Unicode's normal form C",
    "control-character": "delete the characters that nobody sees",
    "final-newline": "end the file with one line feed",
}
_FRONT = {
    "front-matter", "yaml-syntax", "yaml-alias", "yaml-tag", "yaml-deep", "key-doubled",
    "key-unknown", "key-missing",
    "value-wrong", "record-by-hand", "number-mismatch", "actor-other", "reference-unknown",
    "status-incomplete",
    "digest-differs", "digest-missing", "date-future", "dates-disorder", "voter-unknown",
    "effect-wrong",
    "effect-early", "ballot-doubled", "vote-early", "points-unlawful", "turn-proposals",
}  # fmt: skip
# A path that can be that of a draft under a wrong name.
_TEXT = r"(?is).*/[^./][^/]*\.(?:md|markdown|mdown|txt|text)"
_BODY: dict[str, Callable[[Finding, Draft], Mending | None]] = {
    "heading-misplaced": mended_heading,
    "heading-level": mended_heading,
    "instruction-unknown": mended_unknown,
    "revision-stale": mended_unknown,
    "instruction-hidden": mended_hidden,
    "instruction-body": mended_place,
    "instruction-missing": mended_text,
    "html": mended_html,
    "fence-open": close_open_fence,
}


def with_mendings(
    findings: Sequence[Finding], path: str, data: bytes, known: GameNames
) -> tuple[Finding, ...]:
    """Return the findings; those of the draft at `path`, with the bytes `data`, get their mendings.

    A draft longer than `LONGEST` is not mended.
    """
    if len(data) > LONGEST:
        return (*findings,)
    draft = draft_of(path, data, known)
    return tuple(
        _with_mending(finding, draft, data) if finding.span.file == path else finding
        for finding in findings
    )


def title_in(data: bytes, path: str) -> str:
    """Return the title in a draft's front matter, or else a guess."""
    return _title(data.decode("utf-8", "replace").split("\n"), path)


def _title(lines: Sequence[str], path: str) -> str:
    front = read_front(lines)
    own_title = front.data.get("title")
    return (
        " ".join(own_title.split())
        if isinstance(own_title, str) and own_title.strip()
        else title_of(lines[front.end :], path)
    )


def _with_mending(finding: Finding, draft: Draft, data: bytes) -> Finding:
    mending = _mending_of(finding, draft, data)
    if mending is None:
        mending = _advice(finding, draft)
        return finding if mending is None else replace(finding, mending=mending)
    return replace(finding, help=mending.said, mending=mending)


def _advice(finding: Finding, draft: Draft) -> Mending | None:
    """Return a mending without edits, for two findings that only the author can mend: words for
    somebody in a browser, and for a stale revision the command for a shell.
    """
    line = finding.span.line
    meant = meant_instruction(draft.lines[line - 1]) if 1 <= line <= len(draft.lines) else None
    rule = (
        draft.known.rules.once_numbered(meant.number)
        if meant is not None and meant.number is not None
        else None
    )
    if finding.slug == "revision-stale" and rule is not None:
        said = (
            f"Rule {rule.number} was changed meanwhile. Copy what you want to keep of it into your "
            f"text, and write Rule {rule.ref} in the heading"
        )
        name = draft.path.removeprefix("proposals/").removesuffix(".md")
        return Mending(said=said, command=f"nomicgen proposal rebase {name}")
    if finding.slug == "rule-unknown":
        return Mending(
            said="name a rule that is in force: "
            f"{listed(sorted(rule.number for rule in draft.known.rules), 60)}"
        )
    return None


def draft_of(path: str, data: bytes, known: GameNames) -> Draft:
    """Return the draft that a file with these bytes is."""
    lines = data.decode("utf-8", "replace").split("\n")
    return Draft(
        path=path, lines=lines, body=read_front(lines).end, title=_title(lines, path), known=known
    )


def _mending_of(finding: Finding, draft: Draft, data: bytes) -> Mending | None:
    """Return what makes a finding of a draft go; None if no such mending is known."""
    slug = finding.slug
    if slug in _BYTES:
        return _bytes_mending(slug, data) if is_draft(draft.path) else None
    # A new file whose name is a number that the game has not given.
    is_guessed = (
        slug == "number-mismatch"
        and not is_draft(draft.path)
        and draft.path not in draft.known.paths
    )
    if is_guessed or slug in ("file-name", "number-by-hand"):
        return _name_mending(slug, draft)
    # Only drafts are mended; but the form of an instruction is shown for every file that has some.
    if not is_draft(draft.path) and slug != "instruction-unknown":
        return None
    line = finding.span.line
    if not 1 <= line <= len(draft.lines):
        return None
    if slug in _FRONT and (line <= max(draft.body, 1) or slug == "actor-other"):
        return _front_mending(finding, draft)
    mend = _BODY.get(slug)
    mending = mend(finding, draft) if mend is not None and line > draft.body else None
    return None if mending is None or _changes_nothing(mending, draft.lines) else mending


def _front_mending(finding: Finding, draft: Draft) -> Mending | None:
    """Return the mending that writes the front matter anew. If the finding's help names the key to
    add or delete, that help describes it.
    """
    mending, author = mended_front(draft.lines, draft.path, draft.known), draft.known.author
    if finding.slug == "actor-other" and (
        not author or finding.help.startswith(("join ", "if you are "))
    ):
        return None  # who does not play has to join, whatever the file says
    # Who the author is cannot be known here: the name stays.
    is_named = draft.lines[finding.span.line - 1].startswith("author")
    if finding.slug == "reference-unknown" and is_named and not author:
        return replace(mending, said=finding.help)
    if finding.help.startswith(("delete `", "add `")) and "…" not in finding.help:
        return replace(mending, said=finding.help)
    if finding.slug == "actor-other":
        said = f"if it is yours, write `author: {author}`; if not, only its author can propose it"
        return replace(mending, said=said)
    return mending


def _name_mending(slug: str, draft: Draft) -> Mending | None:
    """Return the mending that renames a draft's file and, unless only the name is wrong
    (`file-name`), takes out a number of its own.
    """
    if not re.fullmatch(_TEXT, draft.path):
        return None
    path = free_name(draft.title, draft.known)
    if slug == "file-name":
        return Mending(said=f"call the file {path}", path=path)
    edits = (
        mended_front(draft.lines, path, draft.known).edits
        if "number" in read_front(draft.lines).data
        else ()
    )
    said = f"call the file {path}, and leave `number` out: the game gives the number"
    return Mending(said=said, edits=edits, path=path)


def _changes_nothing(mending: Mending, lines: Sequence[str]) -> bool:
    return all(tuple(lines[edit.first - 1 : edit.last]) == edit.lines for edit in mending.edits)


def _bytes_mending(slug: str, data: bytes) -> Mending | None:
    """Return the mending of all that is wrong with a file's bytes."""
    text, asks = _decoded(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    text = text.replace("\r", " " if "\n" in text else "\n")
    if any(heaps_of_marks(text)):
        return None
    text = unicodedata.normalize("NFC", text)
    text = text.replace("\u2028", "\n").replace("\u2029", "\n").replace("\x85", "\n")
    while re.search(CONTROLS, text):
        text = re.sub(CONTROLS, "", text)
    text = text.rstrip("\n") + "\n"
    count = data.decode("utf-8", "replace").count("\n") + 1
    return Mending(said=_BYTES[slug], edits=(Edit(1, count, tuple(text.split("\n"))),), asks=asks)


def _decoded(data: bytes) -> tuple[str, str]:
    """Return a file's text, and a question to its author if the encoding is a guess."""
    try:
        return data.decode(), ""
    except UnicodeDecodeError:
        wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        text = data.decode("utf-16" if wide else "cp1252", "replace")
        return text, "" if wide else "Are all letters right? The file was not saved as UTF-8."


def apply_mendings(data: bytes, mendings: Iterable[Mending]) -> bytes:
    """Return the bytes of a draft with these mendings, the first `_MOST` of them.

    A mending is left out if one of its edits meets an edit that was taken.
    """
    lines = data.decode("utf-8", "replace").split("\n")
    taken: list[Edit] = []
    for mending in [*mendings][:_MOST]:
        new = [edit for edit in mending.edits if edit not in taken]
        if not any(_meet(edit, other) for edit in new for other in taken):
            taken += new
    for edit in sorted(taken, key=lambda other: (other.first, other.last), reverse=True):
        lines[edit.first - 1 : edit.last] = edit.lines
    return "\n".join(lines).encode()


def _meet(edit: Edit, other: Edit) -> bool:
    """Return whether two edits change the same line, insert lines at the same place, or one inserts
    lines just above a line that the other changes.
    """
    return edit.first <= max(other.last, other.first) and other.first <= max(edit.last, edit.first)
