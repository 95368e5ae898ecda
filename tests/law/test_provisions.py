"""Provisions that make no sense are refused, each at its place and in words that a player
understands.
"""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.law.examples import example_line
from nomicgen.law.reading import parse_provisions
from tests.ledger import UNANIMOUS, Ledger

WHOLE = "should be a whole number such as 203"
DAYS = "should be a number of days such as 7 or `7 days`"
EXACT = (
    "should be an exact number: a whole number, a fraction such as 20/3, or a percentage "
    "such as 15%"
)
NAME = "should be an id: small letters, digits and hyphens, beginning with a letter"
UNKNOWN = "is a key that this provision does not have"
TABLE = "should be a table of keys"
THRESHOLD = "should be a table such as `{at_least: 75%}` or `{more_than: 3}`"
TO = "should be author, for, against, silent, player or judge"


def sunset(**said: Any) -> dict[str, Any]:
    return {"after": {"circuits": "2"}, "becomes": "repealed", **said}


def points(**said: Any) -> dict[str, Any]:
    return {"on": "turn", "to": "player", "amount": "1", **said}


@pytest.mark.parametrize(
    ("kind", "raw", "at", "told"),
    [
        # ballot
        ("ballot", "secret", "secret", f"ballot {TABLE}"),
        ("ballot", [{"silence": "for"}], "[silence", f"ballot {TABLE}"),
        ("ballot", {"quorom": "3"}, "3}", f"ballot.quorom {UNKNOWN}"),
        (
            "ballot",
            {"quorum": "3"},
            "3}",
            "ballot.quorum should be a table such as `{at_least: 75%}` or `{more_than: 3}`",
        ),
        (
            "ballot",
            {"quorum": {"of": "players"}},
            "{of",
            "ballot.quorum should have exactly one of more_than and at_least",
        ),
        (
            "ballot",
            {"quorum": {"at_least": "3/2"}},
            "3/2",
            "ballot.quorum.at_least should be a share from 0 to 1, or a whole number of votes "
            "that is not negative",
        ),
        (
            "ballot",
            {"quorum": {"at_least": ["2"]}},
            "[2]",
            "ballot.quorum.at_least should be a share such as 2/3 or 15%, or a whole number of "
            "votes",
        ),
        (
            "ballot",
            {"weights": {}},
            "{}",
            "ballot.weights should be `strength`, or should not be empty",
        ),
        (
            "ballot",
            {"weights": {"speaker": "-1"}},
            "-1",
            "ballot.weights.speaker should be 0 or more",
        ),
        (
            "ballot",
            {"weights": "votes"},
            "votes",
            "ballot.weights should be `strength`, or a table of keys",
        ),
        (
            "ballot",
            {"electorate_at": "noon"},
            "noon",
            "ballot.electorate_at should be opening or close",
        ),
        (
            "adoption",
            {"needs": "majority", "tied": "lost"},
            "lost",
            "adoption.tied should be adopted or defeated",
        ),
        (
            "ballot",
            {"silence": "golden"},
            "golden",
            "ballot.silence should be waits, for, against or ignored",
        ),
        (
            "ballot",
            {"everyone_votes": "maybe"},
            "maybe",
            "ballot.everyone_votes should be true or false",
        ),
        ("ballot", {"debate": "-1"}, "-1", f"ballot.debate {DAYS}"),
        ("ballot", {"debate": "1.5"}, "1.5", f"ballot.debate {DAYS}"),
        ("ballot", {"debate": "one week"}, "one week", f"ballot.debate {DAYS}"),
        ("ballot", {"closes_after": "0 days"}, "0 days", "ballot.closes_after should be 1 or more"),
        (
            "effect",
            {"after": "7 days", "when": "at-once"},
            "{after",
            "effect should have `when` or `after`, not both",
        ),
        ("effect", {"after": "0"}, "0", "effect.after should be 1 or more"),
        ("effect", {}, "{}", "effect should not be empty"),
        ("effect", {"own_day": "perhaps"}, "perhaps", "effect.own_day should be true or false"),
        ("ballot", {"closes_after": "0"}, "0", "ballot.closes_after should be 1 or more"),
        ("ballot", {"penalty": "3"}, "3", f"ballot.penalty {TABLE}"),
        ("ballot", {"penalty": {}}, "{}", "ballot.penalty.points is missing"),
        (
            "ballot",
            {"penalty": {"points": "0"}},
            "0}",
            "ballot.penalty.points should be more than 0",
        ),
        (
            "ballot",
            {"penalty": {"points": "-3"}},
            "-3}",
            "ballot.penalty.points should be more than 0",
        ),
        (
            "ballot",
            {"penalty": {"points": "1/1000"}},
            "1/1000",
            "ballot.penalty.points should be a whole number, or a fraction with a denominator of "
            "at most three digits",
        ),
        (
            "ballot",
            {"abstention": "fine"},
            "fine",
            "ballot.abstention should be forbidden, counts or ignored",
        ),
        ("ballot", {"resubmissions": "once"}, "once", f"ballot.resubmissions {WHOLE}"),
        ("ballot", {"tie_break": "hal"}, "hal", f"ballot.tie_break {TABLE}"),
        (
            "ballot",
            {"tie_break": {"die": "6", "for": ["1"]}},
            "{die",
            "ballot.tie_break.by is missing",
        ),
        ("ballot", {"tie_break": {"by": "Hal 9"}}, "Hal 9", f"ballot.tie_break.by {NAME}"),
        (
            "ballot",
            {"tie_break": {"by": "hal", "for": ["1"]}},
            "{by",
            "ballot.tie_break has faces and no die",
        ),
        (
            "ballot",
            {"tie_break": {"by": "hal", "die": "6"}},
            "{by",
            "ballot.tie_break should say which faces are a vote for, or against",
        ),
        ("ballot", {"dummy": {"for": ["1"]}}, "{for", "ballot.dummy.die is missing"),
        ("ballot", {"dummy": {"die": "six", "for": ["1"]}}, "six", f"ballot.dummy.die {WHOLE}"),
        ("ballot", {"dummy": {"die": ["6"], "for": ["1"]}}, "[6]", f"ballot.dummy.die {WHOLE}"),
        (
            "ballot",
            {"dummy": {"die": "0", "for": ["1"]}},
            "0,",
            "ballot.dummy.die should be 1 or more",
        ),
        (
            "ballot",
            {"dummy": {"die": "6", "for": "4"}},
            "4}",
            "ballot.dummy.for should be a list, e.g. `[one, another]`",
        ),
        (
            "ballot",
            {"dummy": {"die": "6", "for": ["0"]}},
            "0]",
            "ballot.dummy.for.0 should be 1 or more",
        ),
        (
            "ballot",
            {"dummy": {"die": "6", "for": ["7"]}},
            "{die",
            "ballot.dummy has no face 7: the die has 6 sides",
        ),
        ("ballot", {"dummy": {"die": "6", "for_": ["1"]}}, "[1]", f"ballot.dummy.for_ {UNKNOWN}"),
        (
            "ballot",
            {"dummy": {"die": "6", "for": ["1"], "against": ["1"]}},
            "{die",
            "ballot.dummy should name each face once",
        ),
        ("ballot", {"silence": "for", "over": "all"}, "all", f"ballot.over.0 {WHOLE}"),
        # points
        ("points", [], "[]", "points should not be empty"),
        ("points", "10", "10", f"points {TABLE}"),
        (
            "points",
            [points(), points(to="judge")],
            "{on: turn, to: judge",
            "points.1 cannot go to judge on turn: there is player or a role",
        ),
        (
            "points",
            {"on": "turn", "to": "player"},
            "{on",
            "points should have exactly one of amount and die",
        ),
        ("points", points(die="6"), "{on", "points should have exactly one of amount and die"),
        (
            "points",
            {"on": "adopted", "to": "author", "die": "6"},
            "{on",
            "points should have an amount: a die is thrown only on turn or passed",
        ),
        (
            "points",
            points(on="adopted", to="judge"),
            "{on",
            "points cannot go to judge on adopted: there is author, for, against, silent or a role",
        ),
        (
            "points",
            points(times="changes"),
            "{on",
            "points should have `times` only on adopted, defeated or decided",
        ),
        (
            "points",
            {"on": "turn", "to": "player", "amount": "1", "if": "unanimity-needed"},
            "{on",
            "points should have `if` only on adopted, defeated or decided",
        ),
        ("points", points(amount="1.5"), "1.5", f"points.amount {EXACT}"),
        ("points", points(amount="12345678901"), "12345678901", f"points.amount {EXACT}"),
        (
            "points",
            points(on="birth"),
            "birth",
            "points.on should be adopted, defeated, decided, turn, passed, judged, silence or "
            "late-judge",
        ),
        ("points", points(to="everyone"), "everyone", f"points.to {TO}, or a table of keys"),
        ("points", points(to={}), "{},", f"points.to {TO}, or should not be empty"),
        ("points", points(to={"rule": "umpire"}), "umpire", "points.to.rule should be `role`"),
        ("points", points(to={"role": "The Umpire"}), "The Umpire", f"points.to.role {NAME}"),
        # victory
        ("victory", "100", "100", f"victory {TABLE}"),
        ("victory", {"points": "0"}, "0}", "victory.points should be more than 0"),
        ("victory", {"points": "lots"}, "lots", f"victory.points {EXACT}"),
        # turns
        (
            "turns",
            {"order": "clockwise"},
            "clockwise",
            "turns.order should be alphabetical, joined, seat or random",
        ),
        ("turns", {"proposals": "any"}, "any", f"turns.proposals {WHOLE}"),
        ("turns", {"passing": "never"}, "never", "turns.passing should be true or false"),
        ("turns", {"passes_after": "0"}, "0}", "turns.passes_after should be 1 or more"),
        (
            "turns",
            {"joins": "first"},
            "first",
            "turns.joins should be last, before-current or next-circuit",
        ),
        # sunset
        ("sunset", {"becomes": "repealed"}, "{becomes", "sunset.after is missing"),
        ("sunset", {"after": {"circuits": "2"}}, "{after", "sunset.becomes is missing"),
        ("sunset", sunset(after="2"), "2,", f"sunset.after {TABLE}"),
        (
            "sunset",
            sunset(after={}),
            "{},",
            "sunset.after should have exactly one of circuits, turns, date and event",
        ),
        (
            "sunset",
            sunset(after={"circuits": "2", "turns": "1"}),
            "{circuits",
            "sunset.after should have exactly one of circuits, turns, date and event",
        ),
        (
            "sunset",
            sunset(after={"circuits": "0"}),
            "0}",
            "sunset.after.circuits should be 1 or more",
        ),
        (
            "sunset",
            sunset(after={"date": "2026-02-30"}),
            "2026-02-30",
            "sunset.after.date 2026-02-30 is not in the calendar",
        ),
        (
            "sunset",
            sunset(becomes="gone"),
            "gone",
            "sunset.becomes should be `repealed`, or a table of keys",
        ),
        (
            "sunset",
            sunset(becomes={}),
            "{}}",
            "sunset.becomes should be `repealed`, or should have a text, or provisions, or both",
        ),
        ("sunset", sunset(becomes={"title": "Dusk"}), "Dusk", f"sunset.becomes.title {UNKNOWN}"),
        ("sunset", sunset(unless="repealed"), "repealed}", "sunset.unless should be `amended`"),
        (
            "sunset",
            sunset(over="203"),
            "{after",
            "sunset should be without over and under: what a rule says of itself is no other "
            "rule's to say",
        ),
        ("sunset", [sunset()], "[{after", f"sunset {TABLE}"),
        (
            "sunset",
            sunset(becomes={"provisions": "none"}),
            "none",
            f"sunset.becomes.provisions {TABLE}",
        ),
        (
            "sunset",
            sunset(becomes={"provisions": {"cap": {"mutable": "x"}}}),
            "x}",
            f"sunset.becomes.provisions.cap.mutable {WHOLE}",
        ),
        (
            "sunset",
            sunset(becomes={"text": " "}),
            " }",
            "sunset.becomes.text cannot be the text of a rule: the rule has no text",
        ),
        (
            "sunset",
            sunset(becomes={"text": "Fine.\n\n## Repeal Rule 101/0"}),
            "Fine",
            "sunset.becomes.text cannot be the text of a rule: a heading of level 2 is in a "
            "rule's text",
        ),
        (
            "sunset",
            sunset(becomes={"text": "```\nopen"}),
            "```",
            "sunset.becomes.text cannot be the text of a rule: the fence of 3 backticks is never "
            "closed",
        ),
        # the others
        ("changeable", "sometimes", "sometimes", "changeable.when should be always or texts"),
        ("effect", "next-week", "next-week", "effect.when should be at-once or next-turn"),
        ("authority", {"by": "act", "to": []}, "[]", "authority.to should not be empty"),
        ("adoption", {"needs": "majority", "into": []}, "[]", "adoption.into should not be empty"),
        (
            "adoption",
            {"needs": "majority", "to": "amend", "into": "mutable"},
            "{needs",
            "adoption matches no change: only enact and transmute can have `into`, and "
            "enact cannot have `from`",
        ),
        (
            "adoption",
            {"needs": "majority", "to": "enact", "from": "mutable"},
            "{needs",
            "adoption matches no change: only enact and transmute can have `into`, and "
            "enact cannot have `from`",
        ),
        (
            "adoption",
            {"needs": "majority", "to": []},
            "{needs",
            "adoption matches no change: only enact and transmute can have `into`, and "
            "enact cannot have `from`",
        ),
        (
            "deadline",
            {"for": "turn", "within": "3", "then": "replaced"},
            "replaced",
            "deadline.then does not fit a turn, for which it can be ends",
        ),
        (
            "deadline",
            {"for": "resubmission", "within": "3", "then": "ends"},
            "ends",
            "deadline.then does not fit a resubmission, for which it can be nothing: it is refused "
            "later",
        ),
        (
            "deadline",
            {"for": "judgement", "within": "3", "costs": "3"},
            "3}",
            "deadline.costs needs `then: replaced`: a judge who stays would pay again and again",
        ),
        (
            "deadline",
            {"for": "turn", "within": "3", "idle": "inactive"},
            "inactive",
            "deadline.idle needs `then: ends`: it is about the end of a turn",
        ),
        (
            "deadline",
            {"for": "turn", "within": "3", "unless": "all-voted"},
            "all-voted",
            "deadline.unless needs `with_proposal`: it is about those days",
        ),
        (
            "deadline",
            {"for": "vote", "within": "3", "with_proposal": "2"},
            "2}",
            "deadline.with_proposal is only for a turn",
        ),
        (
            "awards",
            {"in": "act", "amount": "1", "at_most": "2"},
            "{in",
            "awards should have either amount, or at_least and at_most",
        ),
        (
            "awards",
            {"in": "act", "at_least": "3", "at_most": "2"},
            "{in",
            "awards `at_least` must not be greater than `at_most`",
        ),
        (
            "awards",
            {"in": "act", "on": "turn"},
            "{in",
            "awards cannot be on turn: `in` has no turn",
        ),
        (
            "adoption",
            {"needs": "majority", "and": {"more_than": "100%"}},
            "{more_than",
            "adoption.and should be a share below one: there is nothing above all",
        ),
        (
            "adoption",
            {"needs": {"more_than": "100%"}},
            "{more_than",
            "adoption.needs should be unanimous, majority or two-thirds, or a share below one: "
            "there is nothing above all",
        ),
    ],
)
def test_nonsense_is_refused_where_it_stands(kind: str, raw: Any, at: str, told: str) -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {kind: raw}}).applied()
    (found,) = [one for one in made.findings() if one.slug != "provision-unknown"]
    assert (found.slug, found.message) == ("provision-wrong", told)
    assert found.span.file == "rules/initial/204.md"
    line = made.tree["rules/initial/204.md"].decode().split("\n")[found.span.line - 1]
    assert line[found.span.column - 1 :].replace('"', "").startswith(at)
    assert found.help.startswith(f"write it as in `{kind}: ")
    assert found.help.endswith("`; the reference of provisions has all its keys")


def test_the_example_has_the_key_that_is_wrong() -> None:
    assert example_line("points") == "points: {'on': turn, to: player, die: 6}"
    assert "amount: 10" in example_line("points", (0, "amount"))
    assert example_line("cap", ("secret",)) == example_line("cap") == "cap: {mutable: 3}"


def test_a_provision_inside_a_sunset_that_is_unknown() -> None:
    raw = sunset(becomes={"provisions": {"capp": {"mutable": "9"}}})
    made = Ledger.start({203: UNANIMOUS, 204: {"sunset": raw}}).applied()
    (found,) = made.findings()
    assert (found.slug, found.message) == (
        "provision-unknown",
        "capp is not a provision that nomicgen knows",
    )


def test_what_is_refused_is_not_in_force() -> None:
    for raw in (
        sunset(becomes={"text": "## Repeal Rule 101/0"}),
        sunset(after={}),
        sunset(becomes={"provisions": {"cap": {"mutable": "x"}, "floor": {"mutable": "1"}}}),
    ):
        assert not parse_provisions({"sunset": raw}, ("mutable",))[0]


def test_an_empty_provision_says_nothing() -> None:
    for kind in ("ballot", "turns", "victory", "numbering"):
        made = Ledger.start({203: UNANIMOUS, 204: {kind: {}}})
        assert made.told() == []
