"""Rules that change by themselves when something happens: the words say what, and an act says who saw it."""

from __future__ import annotations

from typing import Any

from tests.ledger import UNANIMOUS, Ledger

THANKED = {"after": {"event": "somebody thanks it"}, "becomes": "repealed"}
ACT: dict[str, Any] = {"cause": "Rule 204", "under": 204}


def game(sunset: Any) -> Ledger:
    """Rule 204 changes by itself."""
    return Ledger.start({203: UNANIMOUS, 204: {"sunset": sunset}})


def test_a_rule_changes_by_itself_when_somebody_saw_what_its_words_wait_for() -> None:
    made = game(THANKED)
    assert made.play()[1].due == ()
    assert made.act("one", "01-05", "## Repeal Rule 204/0", **ACT, by="wren").told() == []
    assert made.numbers() == ["203/0"]
    assert made.act("one", "01-05", "## Repeal Rule 204/0", **ACT).told() == [
        "sunset-wrong acts/one.md:2:8: the act does not say who saw that Rule 204/0 is to change (Rule 204)"
    ]
    assert made.numbers() == ["203/0", "204/0"]
    assert made.act("one", "01-05", "## Repeal Rule 204/0", **ACT, by="203").slugs() == ["sunset-wrong"]
    assert made.act("one", "01-05", "## Amend Rule 204/0\n\nLater.", **ACT, by="wren").slugs() == ["sunset-wrong"]


def test_what_was_to_change_unless_amended_waits_for_no_event() -> None:
    made = game({**THANKED, "unless": "amended"})
    made.proposal(301, "01-02", "## Amend Rule 204/0\n\nOther words.")
    made.act("one", "01-05", "## Repeal Rule 204/1", **ACT, by="wren")
    assert made.slugs() == ["sunset-wrong"]
