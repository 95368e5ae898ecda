"""Proposals in people's own words: none becomes a law that they did not mean, and two rounds are
enough.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nomicgen.play.load import Game
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.examine import Pull, supposed_pull
from nomicgen.pulls.parts import headline
from nomicgen.pulls.report import report_on
from tests.pulls.mending.test_mended import LOGIN, PATH, PULL, base

pytestmark = pytest.mark.deep

__all__ = ["base"]

PROPOSALS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("own_words.yml").read_text("utf-8")
)


def heading(pull: Pull) -> str:
    report = report_on(pull, PULL)
    return " ".join(headline(pull.verdict, report.preview, report.standing))


@pytest.mark.nightly
@pytest.mark.parametrize(
    "proposal", PROPOSALS, ids=[one["text"].strip().split("\n")[-1] for one in PROPOSALS]
)
def test_two_rounds_are_enough(base: Game, proposal: dict[str, Any]) -> None:
    first = supposed_pull(base, {PATH: proposal["text"].encode()}, LOGIN)
    assert heading(first) == proposal["first"]
    told = report_on(first, PULL)
    # What the program itself says of code stands as code.
    assert "\\`" not in comment_markdown(first.verdict, told).split("\n\n")[1]
    path, text = PATH, proposal["text"]
    if "takes" in proposal:
        mended = report_on(first, PULL).mended
        assert mended is not None
        ((path, text),) = (
            (one.path, one.text) for one in mended.files if one.label == proposal["takes"]
        )
    for old, new in proposal.get("edits", {}).items():
        assert old in text
        text = text.replace(old, new)
    second = supposed_pull(base, {path: text.encode()}, LOGIN)
    assert heading(second) == "✅ This proposal is legal"
    preview = report_on(second, PULL).preview
    assert preview is not None
    (rule,) = preview.rules
    ((verb, number), *said) = proposal["does"].items()
    there, left = rule.before or rule.after, rule.after or rule.before
    assert there is not None
    assert left is not None
    assert there.number == number
    assert proposal.get("title", left.title) == left.title
    assert (rule.before is None, rule.after is None) == (verb == "enact", verb == "repeal")
    assert (verb == "transmute") == (there.tier != left.tier)
    assert [word for _, word in said if word not in (left.text or "")] == []
