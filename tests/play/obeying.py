"""Obeying what a finding or a refusal says: the commands that it names, filled in and typed, with
nothing written.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from nomicgen.cli.program import main

_NAMED = re.compile(r"(?P<then>\bthen )?`nomicgen (?P<words>[^`…]+)`")
_FILLED = {
    "TITLE": "another-title",
    "ID": "quill",
    "FACE": "3",
    "for|against": "for",
    "votes.ID": "votes.quill",
    "DIRECTORY": "another-directory",
}


def commands_of(text: str | None) -> Iterator[str]:
    """The commands that a text names, with real values, if they can be typed at once and as they
    are.

    What stands after `then` is for another state, once the rest is done. A command without its
    number or its options is only called by its name.
    """
    for found in _NAMED.finditer(text or ""):
        words = [_FILLED.get(word, word) for word in shlex.split(found["words"])]
        if not found["then"] and _is_whole(words):
            yield shlex.join(words)


def _command(words: list[str]) -> tuple[click.Command, list[str]]:
    command: click.Command = main
    rest = words
    while isinstance(command, click.Group) and rest:
        inner = command.get_command(click.Context(command), rest[0])
        if inner is None:
            break
        command, rest = inner, rest[1:]
    return command, rest


def _is_whole(words: list[str]) -> bool:
    if "DATE" in words:  # which day it was, nobody but a person knows
        return False
    command, rest = _command(words)
    try:
        command.make_context("it", list(rest))
    except (click.UsageError, click.exceptions.Exit):
        return False
    return not isinstance(command, click.Group)


def obeyed(root: Path, texts: Iterable[str | None], on: str) -> list[tuple[str, int, str]]:
    """Each command that the texts name, typed in a game: with its exit code, and what it
    printed.
    """
    answers = []
    for typed in dict.fromkeys(typed for text in texts for typed in commands_of(text)):
        words = [word for word in shlex.split(typed) if word != "--commit"]
        options = {option for param in _command(words)[0].params for option in param.opts}
        writes = "--dry-run" in options and ("next" not in words or "--do" in words)
        more = ["--dry-run"] * writes + ["--on", on] * ("--on" in options and "--on" not in words)
        result = CliRunner().invoke(main, ["-C", str(root), *words, *more])
        answers.append((typed, result.exit_code, result.output))
    return answers
