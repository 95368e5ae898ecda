"""What a file was read as: its rules, the words that stand in none, and what is odd about it."""

from __future__ import annotations

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted

_ENDINGS = {"outside": "outside", "text-html": "markdown", "text-markdown": "markdown"}
"""What follows `import-` in the slug of a finding, by the slug of its slip. For slips that are not
listed, it is `unread`.
"""


class Slip(Struct, frozen=True, kw_only=True):
    """Something odd about a file's words, and its `outcome`: what was done; `line` counts
    from 1.
    """

    slug: str
    line: int
    message: str
    outcome: str
    quote: str = ""


class Passage(Struct, frozen=True, kw_only=True):
    """A rule as a file has it: what the file does not say of it is None.

    `mark` is `void`, `repealed` or ''. A `bare` rule has no heading that could say its tier or
    mark: those of the commit before stay.
    """

    number: int
    revision: int | None = None
    tier: str | None = None
    mark: str = ""
    title: str | None = None
    text: str | None = None
    note: str | None = None
    bare: bool = False


class FileText(Struct, frozen=True, kw_only=True):
    """The rules of a file, in its order, each with its line, from 1; and what is odd about the
    file.

    `outside` are the stretches of text that stand in no rule, each with its line; `above` is the
    one above the first rule. A file is not `readable` if it holds no text.
    """

    rules: tuple[tuple[int, Passage], ...] = ()
    slips: tuple[Slip, ...] = ()
    outside: tuple[tuple[int, str], ...] = ()
    above: str = ""
    readable: bool = True

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(passage for _, passage in self.rules)

    def note(self, notes: Notes) -> None:
        """Add the slips to the findings of a file."""
        for slip in self.slips:
            words = f"{slip.message}: {quoted(slip.quote)}" if slip.quote else slip.message
            outcome = slip.outcome if self.readable else "name a file that holds text"
            notes.at(f"import-{_ENDINGS.get(slip.slug, 'unread')}", slip.line, 1, words, outcome)
