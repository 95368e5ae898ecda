"""The registry of findings: what each needs, and that nothing in the code names a finding that is
not in it.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest

import nomicgen
from nomicgen.model import findings
from nomicgen.model.findings import CODES, Need
from nomicgen.model.types import type_of
from nomicgen.model.values import Boolean, Moment

SOURCE = Path(findings.__file__)
CODE = Path(nomicgen.__file__).parent
# What these two report of a foreign archive is called by words of their own; only a `Finding` of
# theirs is one.
REPORTS = ("importers/agora", "importers/git", "importers/import_report")


def test_what_needs_all_players_needs_the_whole_ledger_too() -> None:
    needs = {need: {code.slug for code in CODES.values() if need in code.needs} for need in Need}
    assert all(needs.values())
    assert needs[Need.PLAYERS] < needs[Need.LEDGER]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (" [ledger players turns]\n", " [ledger plyers turns]\n"),
        (" [ledger]\n", " [leger]\n"),
        ("\nerror   file-name: ", "\neror    file-name: "),
        ("\nerror   file-name: ", "\nerror   symlink: "),
    ],
)
def test_a_slip_in_the_registry_does_not_import(
    right: str, wrong: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = SOURCE.read_text(encoding="utf-8")
    assert right in source
    (tmp_path / "with_a_slip.py").write_text(source.replace(right, wrong, 1), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"plyers|leger|stail|eror|symlink"):
        import_module("with_a_slip")
    assert "with_a_slip" not in sys.modules


def _constants(node: ast.expr) -> Iterator[str]:
    """The strings that an expression may give: a literal, or either branch of a condition."""
    if isinstance(node, ast.IfExp):
        yield from (*_constants(node.body), *_constants(node.orelse))
    elif isinstance(node, ast.Set | ast.Tuple | ast.List):
        yield from (text for one in node.elts for text in _constants(one))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _takers(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """The functions that take a slug by its place: the name, that place, how many must be given;
    `self` is none.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            kinds = {one.arg: one.annotation for one in node.args.args if one.arg != "self"}
            names, kind = list(kinds), kinds.get("slug")
            if kind is not None and ast.unparse(kind) == "str":
                yield node.name, names.index("slug"), len(names) - len(node.args.defaults)


def _said(
    tree: ast.Module, takers: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[int, ast.expr]]:
    """What stands in a module where a slug should, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name == "Finding" or name in takers:
                yield from ((node.lineno, one.value) for one in node.keywords if one.arg == "slug")
            place, least = takers.get(name, (0, 99))
            if len(node.args) >= max(least, place + 1):
                yield node.lineno, node.args[place]
        elif (
            isinstance(node, ast.Compare)
            and getattr(node.left, "attr", getattr(node.left, "id", "")) == "slug"
        ):
            yield from ((node.lineno, one) for one in node.comparators)


@functools.cache
def _trees() -> Mapping[str, ast.Module]:
    """Every module, read."""
    return {
        path.relative_to(CODE).as_posix(): ast.parse(path.read_bytes())
        for path in sorted(CODE.rglob("*.py"))
    }


def _named() -> Iterator[tuple[str, int, str]]:
    """Each slug that the code writes out: the file, the line, and the slug."""
    every = [
        (file, one)
        for file, tree in _trees().items()
        if not file.startswith(REPORTS)
        for one in _takers(tree)
    ]
    for file, tree in _trees().items():
        # What begins with an underscore is a module's own.
        takers = {
            name: (place, least)
            for of, (name, place, least) in every
            if of == file or name[0] != "_"
        }
        for line, one in _said(tree, {} if file.startswith(REPORTS) else takers):
            yield from ((file, line, slug) for slug in _constants(one))


def test_the_code_names_no_finding_that_is_not_registered() -> None:
    named = list(_named())
    assert [one for one in named if one[2] not in CODES] == []
    assert len(named) > 200


# Moments that are not known to the day.


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2019-03", "2019-03-01"),
        ("about 2001", "2001-01-01"),
        ("around 1994-08-13", "1994-08-13"),
        ("after 1998-02", "1998-02-01"),
        ("between 1994-08-03 and 1995", "1994-08-03"),
    ],
)
def test_dates_that_are_not_known_to_the_day(text: str, day: str) -> None:
    moment = Moment.parse_inexact(text)
    assert (str(moment), moment.reckoned) == (text, day)
    assert moment == Moment.parse(day)
    with pytest.raises(ValueError, match="should be a date such as"):
        Moment.parse(text)


@pytest.mark.parametrize(
    "text",
    ["2019", "about", "between 2001 and 2000", "about 2001-13", "around 2001-02-30", "before 2001"],
)
def test_dates_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"should be|calendar|ends before"):
        Moment.parse_inexact(text)


@pytest.mark.parametrize("value", [0, 1, 1.0, "True", "yes", None])
def test_a_number_is_no_boolean(value: object) -> None:
    assert [type_of(Boolean).read(one) for one in ("true", True, "false", False)] == [
        *(True, True),
        *(False, False),
    ]
    with pytest.raises(ValueError, match="should be true or false"):
        type_of(Boolean).read(value)
