"""Proposals merged with rules that have moved on: what stands in the file afterwards, and what is
said of it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.play.refusal import Refused
from tests.ledger import Ledger
from tests.rebasing import AMENDED, BOATS, LAMPS, PATH, body, draft, ledger, rebased, refused, slugs

# --- texts ----------------------------------------------------------------------------------------


def test_two_changes_of_one_paragraph_are_merged() -> None:
    made = ledger().proposal(
        301, "01-05", f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a lantern')}"
    )
    found = rebased(
        draft(made, f"## Amend Rule 203/0\n\n{LAMPS.replace('after dusk', 'at any hour')}\n")
    )
    assert (
        body(found)
        == "## Amend Rule 203/1\n\nWhoever holds a lantern may speak in the square at any hour.\n"
    )
    assert found.move.said == (
        "Amend Rule 203/0: it is Rule 203/1 now; merged",
        "proposals/quiet.md changes the rules in force: read it again, then",
        "  nomicgen register quiet",
    )
    assert slugs(found) == []
    assert [(one.rule.ref, one.text, one.conflicts) for one in found.merged] == [
        ("203/1", "Whoever holds a lantern may speak in the square at any hour.", ())
    ]


def test_words_that_both_changed_stand_between_marks() -> None:
    made = ledger().proposal(
        301, "01-05", f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a lantern')}"
    )
    found = rebased(
        draft(made, f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a candle')}\n\nMore.\n")
    )
    assert body(found) == (
        "## Amend Rule 203/1\n\n"
        "<<<<<<< Rule 203/1, in force\n"
        "Whoever holds a lantern may speak in the square after dusk.\n"
        "=======\n"
        "Whoever holds a candle may speak in the square after dusk.\n"
        ">>>>>>> this proposal\n"
        "\nMore.\n"
    )
    assert found.move.said == (
        "Amend Rule 203/0: it is Rule 203/1 now; in conflict on line 10",
        "proposals/quiet.md has 1 conflict: write what is meant, delete the lines that mark "
        "them, then",
        "  nomicgen check",
    )
    assert slugs(found) == ["merge-conflict"]
    assert [(one.text, one.conflicts) for one in found.merged] == [(None, (10,))]


def test_blanks_at_line_ends_lists_and_tables_are_kept_as_they_are() -> None:
    text = (
        "One two three four.  \nFive.\n\n- a  \n   - b\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n"
        "      code\n\tmore"
    )
    made = ledger(text=text).proposal(
        301, "01-05", f"## Amend Rule 203/0\n\n{text.replace('Five.', 'Six.')}"
    )
    found = rebased(
        draft(
            made,
            f"##  Amend Rule 203/0 ##\n\n\n{text.replace('| 1 |', '| 9 |')}\n  \n\n"
            "## Repeal Rule 204/0\n",
        )
    )
    expected = text.replace("Five.", "Six.").replace("| 1 |", "| 9 |")
    assert body(found) == f"##  Amend Rule 203/1 ##\n\n\n{expected}\n  \n\n## Repeal Rule 204/0\n"


def test_other_instructions_stay_byte_for_byte() -> None:
    made = ledger().proposal(
        301, "01-05", f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a lantern')}"
    )
    fence = "```yaml rule\nsection:   'Ropes'  # as before\n```"
    above = f"## Enact Rule: Nets\n\n\n{fence}\nNets dry.  \n\n\n## Repeal Rule 204/0\n"
    below = "\n\n##   Enact Rule\n\nRule 203/0 is the one about lamps.\n"
    changed = LAMPS.replace("after dusk", "at noon")
    found = rebased(draft(made, f"{above}## Amend Rule 203/0\n\n{changed}{below}"))
    merged = changed.replace("a lamp", "a lantern")
    assert body(found) == f"{above}## Amend Rule 203/1\n\n{merged}{below}"


def test_each_stale_instruction_is_merged_by_itself() -> None:
    made = ledger()
    made.proposal(301, "01-05", f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a lantern')}")
    made.proposal(302, "01-06", f"## Amend Rule 204/0\n\n{BOATS.replace('one coin', 'two coins')}")
    lamps = f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a candle')}\n"
    boats = f"## Amend Rule 204/0\n\n{BOATS.replace('each night', 'each day')}\n"
    alone = [body(rebased(draft(made, one))) for one in (lamps, boats)]
    both = rebased(draft(made, f"{lamps}\n{boats}"))
    assert body(both) == "\n".join(alone)
    assert both.move.said[:2] == (
        "Amend Rule 203/0: it is Rule 203/1 now; in conflict on line 10",
        "Amend Rule 204/0: it is Rule 204/1 now; merged",
    )


# --- which rule -----------------------------------------------------------------------------------


def test_a_rule_is_found_under_its_new_number() -> None:
    made = ledger(numbering=True).proposal(301, "01-05", f"## Amend Rule 203/0\n\n{LAMPS} Always.")
    found = rebased(draft(made, f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a candle')}\n"))
    merged = LAMPS.replace("a lamp", "a candle")
    assert body(found) == f"## Amend Rule 301/1\n\n{merged} Always.\n"


def test_a_rule_that_was_renumbered_twice_is_found() -> None:
    made = ledger().proposal(301, "01-05", "## Renumber Rule 203/0 to 250")
    made.proposal(302, "01-06", "## Renumber Rule 250/0 to 260")
    found = rebased(draft(made, f"## Amend Rule 203/0\n\n{LAMPS} Always.\n"))
    assert body(found) == f"## Amend Rule 260/0\n\n{LAMPS} Always.\n"
    found = rebased(draft(made, f"## Amend Rule 250/0\n\n{LAMPS} Always.\n", "status: draft\n"))
    assert body(found) == f"## Amend Rule 260/0\n\n{LAMPS} Always.\n"


def test_a_rule_that_was_transmuted_is_found() -> None:
    made = ledger(numbering=True).proposal(301, "01-05", "## Transmute Rule 203/0 to immutable")
    found = rebased(draft(made, "## Repeal Rule 203/0\n"))
    assert body(found) == "## Repeal Rule 301/0\n"
    assert (
        found.move.said[0]
        == "Repeal Rule 203/0: it is Rule 301/0 now; read `nomicgen rule diff 203/0 301/0`"
    )


def test_a_number_that_another_rule_bears_now_leads_to_the_rule_that_was_meant() -> None:
    made = ledger().proposal(301, "01-05", "## Renumber Rule 203/0 to 250")
    made.proposal(302, "01-06", "## Renumber Rule 204/0 to 203")
    made.proposal(303, "01-07", f"## Amend Rule 203/0\n\n{BOATS} Always.")
    found = rebased(
        draft(made, f"## Amend Rule 203/0\n\n{LAMPS} Twice.\n", "date: 2026-01-02\nstatus: draft\n")
    )
    assert body(found) == f"## Amend Rule 250/0\n\n{LAMPS} Twice.\n"
    found = rebased(
        draft(made, f"## Amend Rule 203/0\n\nTwice: {BOATS}\n", "date: 2026-01-06\nstatus: draft\n")
    )
    assert body(found) == f"## Amend Rule 203/1\n\nTwice: {BOATS} Always.\n"


def test_a_repealed_rule_is_refused() -> None:
    made = draft(
        ledger().proposal(301, "01-05", "## Repeal Rule 203/0"),
        f"## Amend Rule 203/0\n\n{LAMPS} Always.\n",
    )
    assert refused(made) == (
        "proposals/quiet.md cannot be merged, so nothing was written",
        "correct them by hand, then `nomicgen proposal rebase quiet`",
        [
            "Rule 203/0 was repealed by Proposal 301 on 2026-01-05 | delete this instruction; "
            "`## Enact Rule` with `reenacts: 203` brings the rule back"
        ],
    )


def test_a_rule_that_was_enacted_again_is_found() -> None:
    made = ledger().proposal(301, "01-05", "## Repeal Rule 203/0")
    made.proposal(
        302, "01-06", f"## Enact Rule\n\n```yaml rule\nreenacts: 203\n```\n\n{LAMPS} Always."
    )
    found = rebased(draft(made, f"## Amend Rule 203/0\n\n{LAMPS.replace('a lamp', 'a candle')}\n"))
    merged = LAMPS.replace("a lamp", "a candle")
    assert body(found) == f"## Amend Rule 302/0\n\n{merged} Always.\n"


def test_every_instruction_that_cannot_be_merged_is_named() -> None:
    made = ledger().proposal(301, "01-05", "## Repeal Rule 203/0")
    made.proposal(302, "01-06", f"## Amend Rule 204/0\n\n{BOATS} Always.")
    draft(
        made,
        f"## Repeal Rule 203/0\n\n## Amend Rule 204/0\n\n{BOATS} Always.\n\n## Repeal Rule 999/3\n",
    )
    assert refused(made)[2] == [
        "Rule 203/0 was repealed by Proposal 301 on 2026-01-05 | delete this instruction; "
        "`## Enact Rule` with `reenacts: 203` brings the rule back",
        "Amend Rule 204/0: Rule 204/1 already says so, and nothing is left to change | "
        "delete this instruction from the proposal; if it is the only one, there is nothing to "
        "propose",
        "there never was a Rule 999/3 | `nomicgen rule history 999` shows what there was; "
        "correct the heading",
    ]


@pytest.mark.parametrize(
    ("lost", "amended", "proposed"),
    [
        ("text: lost\n", f"{LAMPS} Always.", f"{LAMPS} Twice."),
        ("", "```yaml rule\ntext: lost\n```", f"{LAMPS} Twice."),
        ("", f"{LAMPS} Always.", "```yaml rule\ntext: lost\n```"),
    ],
)
def test_a_lost_text_is_merged_with_nothing(lost: str, amended: str, proposed: str) -> None:
    made = ledger(text="" if lost else LAMPS, keys=lost)
    made.act("lamps", "01-05", f"## Amend Rule 203/0\n\n{amended}", under=103)
    assert refused(draft(made, f"## Amend Rule 203/0\n\n{proposed}\n"))[2] == [
        "Rule 203/0 cannot be merged with Rule 203/1: one of the texts is lost | "
        "write the whole text by hand, and name Rule 203/1"
    ]


# --- instructions without a text ------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading", ["Repeal Rule {}", "Transmute Rule {} to immutable", "Retitle Rule {}: Lamps"]
)
def test_a_heading_names_the_revision_in_force(heading: str) -> None:
    found = rebased(
        draft(ledger().proposal(301, "01-05", AMENDED), f"## {heading.format('203/0')}\n")
    )
    assert body(found) == f"## {heading.format('203/1')}\n"
    verb = heading.partition(" ")[0]
    assert (
        found.move.said[0]
        == f"{verb} Rule 203/0: it is Rule 203/1 now; read `nomicgen rule diff 203/0 203/1`"
    )
    assert slugs(found) == []


@pytest.mark.parametrize(
    ("change", "heading"),
    [
        ("## Transmute Rule 203/0 to immutable", "Transmute Rule {} to immutable"),
        ("## Retitle Rule 203/0: Lamps", "Retitle Rule {}: Lamps"),
        ("## Renumber Rule 203/0 to 250", "Renumber Rule {} to 250"),
        (
            "## Mark Rule 203/0\n\n```yaml rule\nnote: dim\n```",
            "Mark Rule {}\n\n```yaml rule\nnote: dim\n```",
        ),
    ],
)
def test_a_change_that_was_made_already_is_refused(change: str, heading: str) -> None:
    made = ledger().proposal(301, "01-05", f"{change}\n\n{AMENDED}")
    now = "250/1" if heading.startswith("Renumber") else "203/1"
    shown = heading.format("203/0").split("\n")[0]
    assert refused(draft(made, f"## {heading.format('203/0')}\n"))[2] == [
        f"{shown}: Rule {now} already says so, and nothing is left to change | "
        "delete this instruction from the proposal; if it is the only one, there is nothing to "
        "propose"
    ]


def test_an_amendment_that_was_made_already_is_refused() -> None:
    made = ledger().proposal(301, "01-05", AMENDED)
    assert refused(draft(made, f"{AMENDED}\n"))[2][0].startswith(
        "Amend Rule 203/0: Rule 203/1 already says so"
    )


def test_two_titles_are_a_conflict() -> None:
    made = ledger(keys="title: Lamp\n").proposal(
        301, "01-05", f"## Retitle Rule 203/0: Lanterns\n\n{AMENDED}"
    )
    found = rebased(draft(made, "## Retitle Rule 203/0: Candles\n"))
    assert body(found) == (
        "<<<<<<< Rule 203/1, in force\n"
        "## Retitle Rule 203/1: Lanterns\n"
        "=======\n"
        "## Retitle Rule 203/1: Candles\n"
        ">>>>>>> this proposal\n"
    )
    assert slugs(found) == ["merge-conflict"]
    assert found.move.said[0] == "Retitle Rule 203/0: it is Rule 203/1 now; in conflict on line 8"


# --- which proposals ------------------------------------------------------------------------------


def put_forward(status: str, **matter: Any) -> Ledger:
    """A game with a stale proposal of that status."""
    made = ledger().proposal(301, "01-05", AMENDED)
    return made.proposal(
        302,
        "01-06",
        f"## Amend Rule 203/0\n\nTwice: {LAMPS}",
        votes="....",
        status=status,
        **matter,
    )


def test_a_proposal_in_debate_is_merged() -> None:
    made = put_forward("debate", opened=None, digest=None)
    for name in ("302", "proposals/302.md"):
        found = rebased(made, name)
        assert body(found, "proposals/302.md") == f"## Amend Rule 203/1\n\nTwice: {LAMPS} Always.\n"
        assert found.move.said[-1] == "  nomicgen vote 302 for --player ID"


@pytest.mark.parametrize(
    ("status", "message", "remedy"),
    [
        (
            "open",
            "the vote on proposal 302 is open, so `rebase` does not change its text",
            "change it by hand, then `nomicgen proposal resubmit 302`; or, if the rules let its "
            "author, `nomicgen proposal withdraw 302`",
        ),
        (
            "adopted",
            "proposal 302 is adopted",
            "what was decided stays as it was; propose the change again",
        ),
        (
            "withdrawn",
            "proposal 302 is withdrawn",
            "what was decided stays as it was; propose the change again",
        ),
    ],
)
def test_what_was_put_to_the_vote_is_refused(status: str, message: str, remedy: str) -> None:
    assert refused(put_forward(status), "302") == (message, remedy, [])


@pytest.mark.parametrize(
    ("status", "help"),
    [
        ("debate", "`nomicgen proposal rebase 302` merges this change with the rule in force"),
        (
            "open",
            "compare with `nomicgen rule diff 203/0 203/1`, and write Rule 203/1; "
            "then `nomicgen proposal resubmit 302`",
        ),
        ("adopted", "compare with `nomicgen rule diff 203/0 203/1`, and write Rule 203/1"),
    ],
)
def test_what_is_stale_says_what_to_do(status: str, help: str) -> None:
    found = [
        one.help for one in put_forward(status).applied().findings() if one.slug == "revision-stale"
    ]
    assert found == [help]


def test_what_is_not_there_is_refused() -> None:
    assert refused(ledger(), "nowhere")[0] == "there is no proposal nowhere"


def test_what_cannot_be_read_is_refused() -> None:
    made = draft(ledger(), "## Amend the lamps\n")
    assert refused(made)[:2] == ("proposals/quiet.md could not be read", "correct it first")


def test_a_conflict_comes_first() -> None:
    made = ledger().proposal(301, "01-05", AMENDED)
    found = rebased(draft(made, f"## Amend Rule 203/0\n\n{LAMPS} Never.\n"))
    made.file(PATH, found.move.parts[0].writes[PATH].decode())
    message, _, findings = refused(made)
    assert message == "proposals/quiet.md cannot be merged as it is"
    assert len(findings) == 1
    assert findings[0].startswith("a merge left two texts here")


def test_line_ends_of_another_system_are_refused() -> None:
    made = draft(
        ledger().proposal(301, "01-05", AMENDED), f"## Amend Rule 203/0\r\n\r\n{LAMPS} Never.\r\n"
    )
    assert refused(made)[0] == "proposals/quiet.md cannot be merged as it is"


def test_errors_of_the_ledger_come_first_and_those_of_other_drafts_do_not() -> None:
    made = draft(
        ledger().proposal(301, "01-05", AMENDED), f"## Amend Rule 203/0\n\nTwice: {LAMPS}\n"
    )
    made.file("proposals/other.md", "---\nstatus: draft\n---\n\nWhy.\n\n## Repeal Rule 203/0\n")
    assert body(rebased(made)) == f"## Amend Rule 203/1\n\nTwice: {LAMPS} Always.\n"
    made.proposal(302, "01-06", "## Repeal Rule 203/0")
    assert refused(made)[0] == "the game has errors"


def test_other_errors_of_the_draft_are_not_hidden() -> None:
    made = draft(
        ledger().proposal(301, "01-05", AMENDED), f"## Amend Rule 203/0\n\nTwice: {LAMPS}\n"
    )
    made.tree[PATH] += b"\n## Transmute Rule 204/0 to wooden\n"
    found = rebased(made)
    assert found.move.said == (
        "Amend Rule 203/0: it is Rule 203/1 now; merged",
        "proposals/quiet.md has other errors:",
        "  nomicgen check",
    )


BODIES = st.lists(
    st.sampled_from(
        [
            "## Amend Rule 203/1\n\nText.  \n",
            "##   Repeal Rule 204/0   ##\n\n\n",
            "## Enact Rule: Rule 203/0\n\n```yaml rule\nsection: 'x'\n```\nRule 203/0.\n\n",
            "## Retitle Rule 204/0: Rule 203/0\n",
        ]
    ),
    min_size=1,
    max_size=4,
).map(lambda parts: "".join(parts).rstrip("\n") + "\n")


@given(BODIES)
def test_a_draft_without_anything_stale_is_left_alone(text: str) -> None:
    made = draft(ledger().proposal(301, "01-05", AMENDED), text)
    found = rebased(made)
    assert found.move.parts == ()
    assert found.merged == ()
    assert found.move.said == ("proposals/quiet.md names revisions in force: nothing to merge",)


WORDS = st.lists(
    st.sampled_from(["lamp", "oil", "wick", "boat", "quay", "net", "rope"]), min_size=1, max_size=9
)


@given(WORDS, WORDS, st.booleans())
@example(ours=["lamp", "wick", "lamp"], theirs=["lamp", "wick", "boat"], numbering=False)
def test_what_is_merged_is_stale_no_more(
    ours: list[str], theirs: list[str], numbering: bool
) -> None:
    base, now, proposed = "lamp oil wick boat", " ".join(ours), " ".join(theirs)
    made = ledger(numbering, text=base).proposal(301, "01-05", f"## Amend Rule 203/0\n\n{now}")
    draft(made, f"## Amend Rule 203/0\n\n{proposed}\n")
    ref = "301/1" if numbering else "203/1"
    found = None
    with suppress(Refused):
        found = rebased(made)
    if found is None or proposed in (base, now):  # what the draft changes is so already
        gone, come = set(base.split()) - {*theirs}, {*theirs} - set(base.split())
        assert gone.isdisjoint(ours)
        assert come <= {*ours}
        assert "nothing is left to change" in refused(made)[2][0]
        return
    assert body(found).startswith(f"## Amend Rule {ref}\n\n")
    assert set(slugs(found)) <= {"merge-conflict", "text-cut"}
    assert bool(slugs(found)) == bool(found.merged[0].conflicts)
    if now == base:
        assert body(found) == f"## Amend Rule {ref}\n\n{proposed}\n"
