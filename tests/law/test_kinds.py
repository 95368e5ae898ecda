"""Each kind of provision is one module: whatever it lacks fails here by its name."""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.law.examples import examples_of, meaning_of
from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Kind, Provision
from nomicgen.law.kinds import kinds, module_of
from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import sentences
from tests.worked import fields_of, game_of, outcome_of

EXAMPLES = [(kind, index) for kind in kinds() for index in range(len(examples_of(kind)))]


@pytest.mark.parametrize("name", kinds())
def test_a_kind_has_all_that_its_module_must_have(name: str) -> None:
    module, kind = module_of(name), kinds()[name]
    assert isinstance(kind, Kind)
    assert issubclass(kind.schema, Provision)
    assert {"EXAMPLES", "KIND"} <= set(vars(module))
    assert kind.schema.__doc__
    assert kind.schema.__doc__ != Provision.__doc__, (
        "the schema's docstring stands on the reference's page"
    )
    assert len(meaning_of(name)) > 20, "so does the module's docstring"
    assert examples_of(name), "a kind without an example"
    assert all(one.description for one in kind.schema.keys.values()), "a key without a description"
    hinders = isinstance(kind, JudgingKind) and (kind.demands or kind.hinders)
    assert kind.affects_changeability or not hinders, (
        "`affects_changeability` says whether votes can change rules for ever"
    )


@pytest.mark.parametrize("name", kinds())
def test_every_key_of_a_kind_has_an_example(name: str) -> None:
    """What no example speaks of nobody sees work."""
    shown = set[str]().union(*(fields_of(example, name) for example in examples_of(name)))
    assert set(kinds()[name].schema.keys) - {"over", "under"} <= shown


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_an_example_gives_what_it_says(name: str, index: int) -> None:
    example: Any = examples_of(name)[index]
    told, effects = outcome_of(game_of(example))
    wanted = [" ".join(line.split()) for line in example["gives"]]
    assert [line for line in wanted if line not in effects] == told
    assert wanted
    assert example["case"].endswith(".")


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_an_example_reads_as_sentences(name: str, index: int) -> None:
    example: Any = examples_of(name)[index]
    provisions, problems = parse_provisions(example["provisions"], ("immutable", "mutable"))
    assert problems == ()
    assert name in provisions.kinds
    for one in sentences(provisions):
        assert one[0].isupper()
        assert one.endswith(".")


def test_a_field_that_one_rule_decides_is_none_where_it_is_left_out() -> None:
    """So `unsaid` and the default are the same, and a law falls back on the next rule."""
    for name, kind in kinds().items():
        if kind.combines == "fields" and not kind.as_word:
            empty: Any = kind.schema.read({})
            assert {getattr(empty, field) for field in kind.schema.keys} <= {None, ()}, name


def test_a_judge_who_stays_does_not_pay_again_and_again() -> None:
    raw = {"deadline": {"for": "judgement", "within": "3", "costs": "3"}}
    (problem,) = parse_provisions(raw, ("immutable", "mutable"))[1]
    assert problem.path == ("deadline", "costs")
    raw["deadline"]["then"] = "replaced"
    assert parse_provisions(raw, ("immutable", "mutable"))[1] == ()
