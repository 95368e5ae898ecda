"""Who wrote which words, measured against what people say who read both texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nomicgen.history.authorship import AuthoredText, authorship_of, without_lone_marks

_TRUTH = Path(__file__).with_name("authorship.toml")
RULES: Sequence[Mapping[str, Any]] = tomllib.loads(_TRUTH.read_text("utf-8"))["rules"]
_PART = r"\{(\d+):([^}]*)\}"


def truth_of(rule: Mapping[str, Any]) -> list[AuthoredText]:
    return [AuthoredText(text, int(index)) for index, text in re.findall(_PART, rule["truth"])]


def found_in(rule: Mapping[str, Any]) -> list[AuthoredText]:
    return list(without_lone_marks(authorship_of([*rule["texts"], "".join(one.text for one in truth_of(rule))])))


def letters(runs: Sequence[AuthoredText]) -> list[int]:
    """The origin of each letter."""
    return [one.index for one in runs for _ in range(one.letters)]


def test_there_are_forty_rules() -> None:
    assert len(RULES) >= 40
    assert len({rule["name"] for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=[rule["name"] for rule in RULES])
def test_most_of_a_rule_is_credited_rightly_and_in_no_more_pieces(rule: Mapping[str, Any]) -> None:
    truth, found = truth_of(rule), found_in(rule)
    right = [one == other for one, other in zip(letters(truth), letters(found), strict=True)]
    assert sum(right) >= 0.9 * len(right), found
    assert len(found) <= len(truth) + (len(truth) > 2), found


def test_all_of_them_together() -> None:
    pairs = [pair for rule in RULES for pair in zip(letters(truth_of(rule)), letters(found_in(rule)), strict=True)]
    assert sum(one == other for one, other in pairs) >= 0.995 * len(pairs)
    assert sum(len(found_in(rule)) for rule in RULES) <= 1.02 * sum(len(truth_of(rule)) for rule in RULES)


def test_no_phrase_is_a_small_word() -> None:
    small = {"is", "of", "the", "a", "rule", "them", "it", "and", "that", "to"}
    alone = {run.text.strip(" \n.,;:").casefold() for rule in RULES for run in found_in(rule)}
    assert not alone & small
