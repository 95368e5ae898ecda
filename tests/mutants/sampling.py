"""The mutants there are, which of them are tried, and the copy of the project that they live in."""

from __future__ import annotations

import difflib
import random
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.utils.format_utils import get_mutant_name, mangled_name_from_mutant_name

from tests.mutants.survivors import Change
from tests.mutants.switch import IMPORT, OURS
from tests.support import ROOT
from tests.test_house import project_names

PARTS = ("law", "files")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """One change of one function."""

    name: str
    """By which mutmut knows it; it may change with every change of the function."""
    change: Change


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutated:
    """A module that has all its mutants in it."""

    path: str
    code: str
    mutants: tuple[Mutant, ...]


def mutated(part: str) -> list[Mutated]:
    """The modules of a part, by path."""
    return [_mutated(path) for path in sorted((ROOT / "nomicgen" / part).rglob("*.py"))]


def _mutated(file: Path) -> Mutated:
    path = file.relative_to(ROOT)
    made = mutate_file_contents(path.as_posix(), file.read_text("utf-8"))
    lines = made.code.splitlines()
    spans = made.line_span_by_function_name

    def body(name: str) -> list[str]:
        span = spans[name]
        return [line.replace(name, "…", 1).strip() for line in lines[span.start - 1 : span.end]]

    mutants = []
    for name in made.mutant_names:
        function = mangled_name_from_mutant_name(name)
        changed = list(difflib.ndiff(body(f"{function}__mutmut_orig"), body(name)))
        was, now = (
            "\n".join(line[2:] for line in changed if line.startswith(sign))
            for sign in ("- ", "+ ")
        )
        place = function.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
        change = Change(module=path.as_posix(), function=place, was=was, now=now)
        mutants.append(Mutant(name=get_mutant_name(path, name), change=change))
    assert not mutants or IMPORT in made.code, "mutmut imports its trampolines in another way"
    return Mutated(
        path=path.as_posix(), code=made.code.replace(IMPORT, OURS), mutants=tuple(mutants)
    )


def sample(modules: Iterable[Mutated], count: int | None, seed: int) -> list[Mutant]:
    """So many mutants, as many of each module as its share; all of them for None. A seed gives the
    same ones again.
    """
    held = list(modules)
    total = sum(len(one.mutants) for one in held)
    taken: list[Mutant] = []
    before = 0
    for one in held:
        after = before + len(one.mutants)
        # As much as the shares so far come to, so that the rounding never adds up.
        wanted = (
            len(one.mutants) if count is None else count * after // total - count * before // total
        )
        taken += random.Random(f"{seed} {one.path}").sample(one.mutants, wanted)
        before = after
    # So that the first ones are a sample, too, if there is no time for all.
    random.Random(seed).shuffle(taken)
    return taken


def lay_out(place: Path, modules: Mapping[str, str]) -> None:
    """A copy of the project with other code for some of its modules."""
    shutil.rmtree(place, ignore_errors=True)
    for name in sorted(project_names()):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, place / name)
    for name, code in modules.items():
        (place / name).write_text(code, "utf-8")
