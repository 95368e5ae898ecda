"""What fuzzing learnt, played again: the corpus, and everything that something was wrong with
once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest

from nomicgen.model.findings import Finding
from nomicgen.model.values import Span
from tests.case_files import case_names
from tests.deep import sampled
from tests.fuzz.target import Hang, hold, joined, limited, pairs_of, parts_of
from tests.fuzz.targets import CORPUS, FOUND, TARGETS, found, learnt

pytestmark = pytest.mark.deep

ROOM = 400 << 10
SEEDS = 8


@contextmanager
def named(what: str) -> Iterator[None]:
    """Says what something failed on."""
    try:
        yield
    except BaseException as error:
        error.add_note(what)
        raise


@pytest.mark.parametrize("name", sampled(TARGETS, every=4))
def test_what_was_learnt_holds(name: str) -> None:
    """Each input by itself: no exception, no hang, nothing lost."""
    target = TARGETS[name]
    told = learnt(name)
    assert told
    told |= found(name)
    told |= {f"seed {at}": seed for at, seed in enumerate(islice(target.seeds(), SEEDS))}
    for shown, data in told.items():
        with named(f"on {shown}"), limited():
            target.run(data)


def test_the_corpus_is_small_and_of_targets() -> None:
    archives = sorted(CORPUS.iterdir())
    assert [file.name for file in archives] == sorted(f"{name}.zip" for name in TARGETS)
    assert {*case_names(FOUND)} <= {*TARGETS}
    assert sum(file.stat().st_size for file in (*archives, *FOUND.iterdir())) < ROOM


# The harness itself


def test_a_hang_is_ended() -> None:
    def wait() -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass

    with pytest.raises(Hang), limited(0.01):
        wait()


def test_several_files_are_one_input() -> None:
    parts = {"a": b"1\n", "b/c": b"", "d": b"@@\n@@x\n"}
    assert parts_of(joined(parts)) == parts
    assert pairs_of(b"above\n@@ a\n1@@ b\n@@ a\n2") == [
        ("", b"above\n"),
        ("a", b"1@@ b\n"),
        ("a", b"2"),
    ]


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        (3, 1, "x"),
        (0, 1, "x"),
        (1, 4, "x"),
        (1, 0, "x"),
        (1, 1, "x\ny"),
        (1, 1, "\x1b[31m"),
        (1, 1, ""),
    ],
)
def test_a_finding_outside_its_text_is_a_defect(line: int, column: int, message: str) -> None:
    def found(line: int, column: int, message: str) -> Finding:
        return Finding(
            slug="yaml-syntax",
            span=Span(file="f", line=line, column=column),
            message=message,
            help="y",
        )

    hold([found(1, 3, "x"), found(2, 1, "x")], {"f": b"ab\n"})
    with pytest.raises(AssertionError):
        hold([found(line, column, message)], {"f": b"ab\n"})
