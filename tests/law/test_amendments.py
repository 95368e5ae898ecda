"""Amendments whose text is an order about their rule, or leaves provisions behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nomicgen.files.rule_files import read_rule
from nomicgen.model.findings import Finding
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from nomicgen.play.rulesets import NAMES, shipped
from tests.ledger import UNANIMOUS, Ledger
from tests.worked import cases_in, told_of

OLD = """\
Each player begins with no points. The first player to reach 100 points wins. A rule-change is
adopted if the vote is unanimous among the eligible voters.
Whoever has "the Lamp" may speak first."""
PROVISIONS = "provisions:\n  adoption: {needs: unanimous}\n  points: {winning: 100}\n"


def found(
    old: str, new: str, *, block: str = "", status: str = "draft", keys: str = ""
) -> list[Finding]:
    """What is found of a draft that amends a rule."""
    slugs = ("text-is-order", "provisions-kept", "provisions-differ")
    return [one for one in all_found(old, new, block, status, keys) if one.slug in slugs]


def all_found(
    old: str, new: str, block: str, status: str = "draft", keys: str = PROVISIONS
) -> list[Finding]:
    """All that is said of the game with the draft."""
    fenced = f"```yaml rule\n{block}```\n\n" if block else ""
    tree = {
        "nomic.yml": b"format: 1\nname: Tea\ntiers: [mutable]\n",
        "rules/initial/201.md": f"---\nnumber: 201\nmutability: mutable\nrevision: 0\n{keys}---\n"
        f"\n{old}\n".encode(),
        "players/wren.yml": b"name: Wren\njoined: 2026-01-01\n",
        "proposals/tea.md": (
            f"---\ntitle: Tea\nauthor: wren\nstatus: {status}\n---\n\nWhy.\n\n"
            f"## Amend Rule 201/0\n\n{fenced}{new}\n"
        ).encode(),
    }
    return [*load_tree(Path("/nowhere"), tree, Moment.parse("2026-01-05")).findings]


@pytest.mark.parametrize(
    "order",
    [
        'Replace "100" with "50".',
        "Delete the second sentence.",
        "delete the last sentence",
        "**Replace** 100 with 50.",
        "Please strike the word first.",
        "> Add that everyone gets tea.",
        "In the second sentence, “100 points” becomes “50 points”.",
        "Statt „100“ heißt es „50“.",
        "`100` should be `50`",
        "'unanimous' is now 'a majority'.",
        "Change 100 points to 50 points.",
        "Two thirds instead of everyone.",
        "I think 100 points is far too many. It should be 50.",
        "Rule 201: 50 points instead of 100.",
        "100 -> 50",
        "In Rule 201 it is a majority. The rest stays as it is.",
        "We should lower it to 50.",
        'Change "no points" to "ten points", and let all that is said of the first player by '
        "this and any other rule "
        "be said of the last one in the same way and with the same words as before.",
    ],
)
def test_an_order_about_the_rule_is_no_text_of_it(order: str) -> None:
    (finding,) = found(OLD, order)
    assert finding.slug == "text-is-order"
    assert finding.is_error
    assert "Rule 201/0" in finding.message
    assert found(OLD, order, block="text: whole\n") == []


@pytest.mark.parametrize(
    "beside",
    [
        "Each player has ~~one~~ two votes.",
        "Each player has two votes. [rest unchanged]",
        "Each player has two votes. The remainder of the rule is unchanged.",
        "Each player has two votes, and so on …",
        "(add at the end:) Except on Sundays.",
        "Each player starts with 10 points -> 5 points.",
        "```diff\n- 100\n+ 50\n```",
        "- Each player has one vote.\n+ Each player has two votes.",
        "Old: one vote\n\nNew: two votes",
        "---\nnumber: 207\nmutability: mutable\n---\n\nTwo votes.",
        "Each player has two votes.\n\n**Reason:** it is fun.",
        "Each player has two votes.\n\nPS: what do you think?",
        "It should read: Each player has two votes.",
        "Rule 206 is hereby amended.",
        "1. Rule 206 is repealed. 2. Rule 208 now says 50 points.",
        "TODO: say what a song is.",
        "Each player pays ??? points.",
        "Each player has ___ ducks.",
    ],
)
def test_what_is_written_beside_a_text_is_asked_about(beside: str) -> None:
    (finding,) = found(OLD, beside)
    assert finding.slug == "text-is-order"
    assert "hardly belongs in it" in finding.message
    assert found(OLD, beside, block="text: whole\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "Change is good, so players may conspire about rule-changes as they like, and tell the "
        "others of it later on.",
        "Remove your hat before you consult another player on rule-changes that are still to "
        "come, and bow to them.",
        "Who begins a story ends it with the words “to be continued [...]” and waits until "
        "somebody else goes on.",
        "Everyone has tea.",
        "There is no such rule.",
        'Whoever has "the Cup" may speak first.',
        OLD.replace("100", "50"),
        f"{OLD} Replace nothing.",
        "Delete your own file when you leave, and tell the others of it. " * 3,
        "Replacements of players are made by lot.",
    ],
)
def test_a_text_is_a_text(text: str) -> None:
    assert found(OLD, text) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "part", ["(add ", "~~a ", "… ", "- \n", "[ ", "\n#", "Change, ", "change that ", '"a ']
)
def test_no_text_takes_long_to_look_through(part: str) -> None:
    for text in (
        part * (60_000 // len(part)),
        f"Change {part * 5000}",
        part * 2000 + "\n" * 20_000 + "x",
    ):
        assert len(found(OLD, text)) <= 1


def test_an_order_that_was_a_rule_may_be_changed_into_another() -> None:
    bet = "Add {} to your own when you win a bet."
    assert found(bet.format("one point"), bet.format("two points")) == []


def test_nobody_is_asked_of_what_was_put_to_the_vote() -> None:
    assert [one.slug for one in found(OLD, "Delete it.", status="withdrawn")] == []


def text_of(path: str, data: bytes) -> str:
    read, _ = read_rule(path, data)
    return (read.text if read is not None else None) or ""


def test_every_text_that_ships_may_be_that_of_a_rule() -> None:
    sets = [sorted(shipped(name).initial.items()) for name in NAMES]
    texts = [
        text
        for one in dict.fromkeys(file for files in sets for file in files)
        if (text := text_of(*one))
    ]
    assert len(texts) > 80
    for at, text in enumerate(texts):
        assert found(texts[at - 1], text) == []


@pytest.mark.parametrize(
    ("old", "new", "likely"),
    [
        ("unanimous among", "a majority of", "needs: majority"),
        ("unanimous among", "by at least two thirds of", "needs: two-thirds"),
        ("unanimous among", "by a two-thirds majority of", "needs: two-thirds"),
        ("100 points", "50 points", "winning: 50"),
        ("100 points", "twenty points", "winning: 20"),
    ],
)
@pytest.mark.parametrize("is_carried", [True, False])
def test_a_value_that_the_text_no_longer_says_is_named(
    old: str, new: str, likely: str, is_carried: bool
) -> None:
    (finding,) = found(
        OLD, OLD.replace(old, new), keys=PROVISIONS, block=PROVISIONS if is_carried else ""
    )
    assert finding.slug == "provisions-differ"
    key, _, value = likely.partition(": ")
    held = {"needs": "unanimous", "winning": "100"}[key]
    assert f"{value} in the text, `{key}: {held}` in the provisions" in finding.message
    assert likely in finding.detail
    assert held not in finding.detail or key != "needs"
    assert (
        found(
            OLD,
            OLD.replace(old, new),
            keys=PROVISIONS,
            block=PROVISIONS.replace(f"{key}: {held}", likely),
        )
        == []
    )


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace("no points", "one point"),  # it is not said in place of a value that went
        OLD.replace("100 points", "50 or 60 points"),  # of two nobody knows which
        OLD.replace("Each player", "By Rule 305 and Rule 306 each player"),
        f"{OLD} A majority of the voters may end a turn.",
    ],
)
def test_where_no_one_value_took_the_place_of_another_the_block_stays(new: str) -> None:
    (finding,) = found(OLD, new, keys=PROVISIONS, block=PROVISIONS)
    assert finding.slug in ("provisions-kept", "provisions-differ")
    assert "needs: unanimous" in finding.detail
    assert "winning: 100" in finding.detail
    assert found(OLD, new, keys=PROVISIONS, block=f"{PROVISIONS}meaning: stands\n") == []


@pytest.mark.parametrize(
    "new", ["Two thirds of the votes adopt a rule-change.", "Who is quick wins."]
)
def test_the_block_that_one_question_shows_does_not_answer_another(new: str) -> None:
    (kept,) = found(OLD, new, keys=PROVISIONS, block="text: whole\n")
    assert "text: whole\n" in kept.detail  # what was confirmed stays so
    asked = all_found(OLD, new, "")
    (shown,) = [
        one.detail.removeprefix("```yaml rule\n").removesuffix("```") for one in asked if one.detail
    ]
    edited = shown.replace("needs: unanimous", "needs: two-thirds").replace(
        "points: {winning: 100}", "points: {}"
    )
    still = {one.slug for one in all_found(OLD, new, edited)}
    assert still & {"provisions-kept", "provisions-differ", "text-cut"} == {"text-cut"}


def test_a_value_that_the_text_does_not_say_is_named() -> None:
    (finding,) = found(
        OLD, OLD.replace("100", "50"), keys=PROVISIONS, block=PROVISIONS.replace("100", "500")
    )
    assert "50 in the text, `winning: 500` in the provisions" in finding.message
    (finding,) = found(OLD, OLD, keys=PROVISIONS, block=PROVISIONS.replace("100", "70"))
    assert "100 in the text, `winning: 70` in the provisions" in finding.message


@pytest.mark.parametrize("debate", ["debate: 0", "debate: 3, closes_after: 7"])
def test_a_number_of_something_else_is_no_other_value(debate: str) -> None:
    """A text that says "exactly one vote" says nothing of how long a debate is."""
    old, new = "There is time to talk.", "There is no debate. Each player has exactly one vote."
    assert (
        found(
            old,
            new,
            keys="provisions:\n  ballot: {closes_after: 2}\n",
            block=f"provisions:\n  ballot: {{{debate}}}\n",
        )
        == []
    )
    was = "There is one day to talk."
    assert (
        found(
            was,
            new,
            keys="provisions:\n  ballot: {debate: 1}\n",
            block="provisions:\n  ballot: {debate: 0}\n",
        )
        == []
    )


# Rules that change by themselves when something happens: the words say what, and an act says who
# saw it.


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
        "sunset-wrong acts/one.md:2:8: the act does not say who saw the event that changes "
        "Rule 204/0 (Rule 204)"
    ]
    assert made.numbers() == ["203/0", "204/0"]
    assert made.act("one", "01-05", "## Repeal Rule 204/0", **ACT, by="203").slugs() == [
        "sunset-wrong"
    ]
    assert made.act("one", "01-05", "## Amend Rule 204/0\n\nLater.", **ACT, by="wren").slugs() == [
        "sunset-wrong"
    ]


def test_what_was_to_change_unless_amended_waits_for_no_event() -> None:
    made = game({**THANKED, "unless": "amended"})
    made.proposal(301, "01-02", "## Amend Rule 204/0\n\nOther words.")
    made.act("one", "01-05", "## Repeal Rule 204/1", **ACT, by="wren")
    assert made.slugs() == ["sunset-wrong"]


TEXTS = r"""
- case: Texts that are no texts of rules.
  provisions: {}
  proposals:
    301:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 203/0

        The text of 203 ~~of old~~ of new.
    302:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Enact Rule

        Please add a new rule about tea.
    303:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 203/0

        Replace the word "text" with "word".
    304:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 203/0

        Tea.
  gives: |
    text-is-order proposals/301.md:13:1
      the text of Rule 203/0 would hold something that hardly belongs in it: `~~`
      > write the rule's text alone, as it is to be; or, if this is to stand in it, `text:
        whole` in a `yaml rule` block
    text-is-order proposals/302.md:13:1
      `Please add a new rule about tea.` would be the whole text of a new rule
      > write the text that the new rule is to have below the heading; or, if this is to be
        all of it, `text: whole` in a `yaml rule` block
    text-is-order proposals/303.md:13:1
      `Replace the word "text" with "word".` would be the whole text of Rule 203/0, and
        nothing of the 4 words in force would stay
      > write the whole new text below the heading; or, if this is to be all of it, `text:
        whole` in a `yaml rule` block
    text-cut proposals/304.md:13:1
      Rule 203/0 would have 1 word in place of 4
      > to change a part of the rule, write its whole new text; if it is to say no more,
        `text: whole` in a `yaml rule` block says so
- case: A text says other values than its provisions.
  provisions: {}
  files:
    rules/initial/204.md:
      number: 204
      mutability: mutable
      provisions: {victory: {points: 100}, ballot: {closes_after: 7}}
      does: Who has 100 points first wins. A vote lasts seven days.
    rules/initial/205.md:
      number: 205
      mutability: mutable
      provisions: {adoption: [{needs: unanimous, to: amend, over: 202}]}
      does: "Amendments need a unanimous vote, by Rule 7."
  proposals:
    301:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 204/0

        Who has 50 points first wins. A vote lasts seven days.
    302:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 204/0

        Who has 50 or 60 points first wins.
    303:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 205/0

        Amendments need a majority of votes, by Rule 8.
    304:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 205/0

        Amendments need a unanimous vote.
    305:
      on: 01-02
      status: debate
      votes: ....
      does: |-
        ## Amend Rule 204/0

        Who has a hundred points first wins. A vote lasts 7 days, no more.
  gives: |
    provisions-differ proposals/301.md:13:1
      the new text of Rule 204/0 and its provisions say different values: 50 in the text,
        `points: 100` in the provisions
      > a program follows the provisions: if the text is right, let the block below the
        heading say the same
      | ```yaml rule
      | provisions:
      |   victory: {points: 50}
      |   ballot: {closes_after: 7}
      | ```
    provisions-differ proposals/302.md:13:1
      the new text of Rule 204/0 and its provisions say different values: 50 or 60 in the
        text, `points: 100` in the provisions; 50 or 60 in the text, `closes_after: 7` in the
        provisions
      > a program follows the provisions: if the text is right, let the block below the
        heading say the same
      | ```yaml rule
      | provisions:
      |   victory: {points: 100}
      |   ballot: {closes_after: 7}
      | ```
    provisions-differ proposals/303.md:13:1
      the new text of Rule 205/0 and its provisions say different values: majority in the
        text, `needs: unanimous` in the provisions
      > a program follows the provisions: if the text is right, let the block below the
        heading say the same
      | ```yaml rule
      | provisions:
      |   adoption: [{needs: majority, to: amend, over: 202}]
      | ```
    provisions-kept proposals/304.md:13:1
      Rule 205/0 keeps its provisions (adoption), whatever the new text says
      > put this block below the heading and edit it (`provisions: {}` removes them); or, if
        the text means the same, `meaning: stands` in a block
      | ```yaml rule
      | provisions:
      |   adoption: [{needs: unanimous, to: amend, over: 202}]
      | ```
    provisions-kept proposals/305.md:13:1
      Rule 204/0 keeps its provisions (victory, ballot), whatever the new text says
      > put this block below the heading and edit it (`provisions: {}` removes them); or, if
        the text means the same, `meaning: stands` in a block
      | ```yaml rule
      | provisions:
      |   victory: {points: 100}
      |   ballot: {closes_after: 7}
      | ```
- case: Words to the voters are asked about while they are fewer than those in force.
  provisions: {}
  proposals:
    301: {on: 01-02, status: debate, votes: ...., does: "## Amend Rule 203/0\n\nI propose tea."}
    302:
      on: 01-02
      status: debate
      votes: ....
      does: "## Amend Rule 203/0\n\nI propose tea now."
  gives: |
    text-is-order proposals/301.md:13:1
      `I propose tea.` would be the whole text of Rule 203/0, and nothing of the 4 words in
        force would stay
      > write the whole new text below the heading; or, if this is to be all of it, `text:
        whole` in a `yaml rule` block
"""


@pytest.mark.parametrize("case", cases_in(TEXTS))
def test_what_is_told_of_texts(case: Any) -> None:
    assert told_of(case) == case["gives"]
