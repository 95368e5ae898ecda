"""Templates of Markdown for forges: what is filled in is a player's word, and stands as code, unless a filter says that
it is nomicgen's own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files

from jinja2 import DictLoader, Environment, StrictUndefined

from nomicgen.diagnostics import Finding, counted
from nomicgen.formats.markdown_escapes import code_span, fenced, plain_words
from nomicgen.formats.preview_markdown import blocks_markdown, clipped, cut_lines, finding_markdown, words_markdown
from nomicgen.formats.preview_parts import Block, names
from nomicgen.model import Moment

WHOLE = "nomicgen proposal preview --base BASE --head HEAD"
"""What shows all of a comment that was cut."""
_PART = 20_000
"""Characters of one part of a comment."""


class Own(str):
    """Markdown of nomicgen's own, which is filled into a template as it is."""


def _filled(value: object) -> object:
    """What is filled into a template: the words of players as code."""
    return value if isinstance(value, Own | int) else code_span(clipped(str(value)))


def text_templates(package: str, finalize: Callable[[object], object] | None = None) -> Environment:
    """The templates of a package's folder `templates/`; `finalize` is asked about each value that is filled in."""
    folder = files(package) / "templates"
    return Environment(
        loader=DictLoader({one.name: one.read_text("utf-8") for one in folder.iterdir()}),
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@functools.cache
def markdown_templates() -> Environment:
    """The templates of comments, with their filters."""
    environment = text_templates("nomicgen.formats", _filled)
    environment.filters |= {
        "as_it_is": Own,
        "bounded": lambda text: Own("".join(f"{line}\n" for line in cut_lines(text.splitlines()))),
        "cell": _cell,
        "counted": lambda count, thing: Own(counted(count, thing)),
        "file": lambda text: Own(fenced(text.removesuffix("\n"), "markdown")),
        "findings": _findings,
        "markdown": _markdown,
        "moment": lambda moment: Own(moment_words(moment)),
        "names": lambda idents, most=None: Own(words_markdown(names(idents, most))),
        "own": lambda text: Own(plain_words(text)),
        "typed": lambda text: Own(fenced(text, "text")),
    }
    return environment


def _cell(text: str) -> Own:
    """Words in a table, where a bar ends a cell even in code."""
    return Own(code_span(text.replace("|", "\\|")) if text.strip() else "")


def moment_words(moment: Moment) -> str:
    """`2026-02-08`, or `2026-02-08 at 18:30`."""
    return str(moment).replace("T", " at ")


def _markdown(blocks: Sequence[Block]) -> Own:
    return _whole(blocks_markdown(blocks))


def _findings(findings: Sequence[Finding]) -> Own:
    return _whole(chunk for one in findings for chunk in finding_markdown(one))


def _whole(chunks: Iterator[str]) -> Own:
    """Chunks of Markdown as far as a part of a comment has room for them."""
    text = ""
    for chunk in chunks:
        if len(text) + len(chunk) > _PART:
            text += f"⚠️ There is more of this than fits here; all of it: `{WHOLE}`"
            break
        text += f"{chunk}\n\n"
    return Own(text.rstrip("\n"))
