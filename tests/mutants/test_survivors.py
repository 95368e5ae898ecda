"""The list of survivors is up to date: what each of them changes still stands in the code, and has
a reason.
"""

from __future__ import annotations

import ast

from tests.mutants.survivors import Change, survivors
from tests.support import ROOT


def function(change: Change) -> list[str]:
    """The lines of the function that a survivor changes, without what they are indented by."""
    inside, _, name = change.function.rpartition(".")
    text = (ROOT / change.module).read_text("utf-8")
    held: list[ast.stmt] = ast.parse(text).body
    if inside:
        (held,) = (one.body for one in held if isinstance(one, ast.ClassDef) and one.name == inside)
    (made,) = (one for one in held if isinstance(one, ast.FunctionDef) and one.name == name)
    return [line.strip() for line in text.splitlines()[made.lineno - 1 : made.end_lineno]]


def test_every_survivor_is_in_the_code_and_has_a_reason() -> None:
    told = survivors()
    assert told
    gone = [one for one in told if not set(one.was.splitlines()) <= set(function(one))]
    assert gone == []
    assert [
        one for one, why in told.items() if one.was == one.now or not why.strip().endswith(".")
    ] == []
