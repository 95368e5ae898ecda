"""The `yaml rule` blocks of proposals, merged key by key with what rules have in force."""

from __future__ import annotations

from nomicgen.files.documents import read_instrument
from nomicgen.play.rebasing import Rebased
from tests.reading import said
from tests.rebasing import AMENDED, LAMPS, PATH, body, draft, ledger, rebased, slugs

KEYS = "section: Night\nprovisions:\n  cap: {mutable: 9}\n  floor: {mutable: 1}\ndefines: [lamp]\n"


def block(provisions: str = "  cap: {mutable: 9}\n  floor: {mutable: 1}\n", rest: str = "") -> str:
    return f"```yaml rule\nprovisions:\n{provisions}{rest}```\n"


def amendment(text: str, block: str, ref: str = "203/0") -> str:
    return f"## Amend Rule {ref}\n\n{block}\n{text}\n"


def with_block(
    theirs: str, ours: str = "  cap: {mutable: 7}\n  floor: {mutable: 1}\n", rest: str = ""
) -> Rebased:
    """A draft with the block `theirs`, after the cap of the rule has changed in force."""
    made = ledger(keys=KEYS).proposal(
        301, "01-05", amendment(f"{LAMPS} Always.", block(ours, rest))
    )
    return rebased(draft(made, amendment(f"Twice: {LAMPS}", theirs)))


def test_a_block_that_repeats_what_was_in_force_gets_what_is() -> None:
    found = with_block(block())
    now = block("  cap: {mutable: 7}\n  floor: {mutable: 1}\n")
    assert body(found) == amendment(f"Twice: {LAMPS} Always.", now, "203/1")
    assert slugs(found) == ["provisions-kept"]


def test_a_block_that_changes_another_provision_is_merged() -> None:
    found = with_block(block("  cap: {mutable: 9}\n  floor: {mutable: 2}\n  debate: {days: 2}\n"))
    now = block("  cap: {mutable: 7}\n  floor: {mutable: 2}\n  debate: {days: 2}\n")
    assert body(found).startswith(f"## Amend Rule 203/1\n\n{now}\n")


def test_a_provision_that_was_taken_away_stays_away() -> None:
    found = with_block(block(), "  floor: {mutable: 1}\n")
    assert body(found) == amendment(
        f"Twice: {LAMPS} Always.", block("  floor: {mutable: 1}\n"), "203/1"
    )


def test_a_provision_that_was_added_in_force_is_taken_up() -> None:
    found = with_block(
        block(), "  cap: {mutable: 9}\n  floor: {mutable: 1}\n  victory: {points: 50}\n"
    )
    now = block("  cap: {mutable: 9}\n  floor: {mutable: 1}\n  victory: {points: 50}\n")
    assert body(found) == amendment(f"Twice: {LAMPS} Always.", now, "203/1")


def test_a_block_that_says_it_all_already_stays_byte_for_byte() -> None:
    theirs = (
        "```yaml rule\nprovisions:  # as we said\n  floor:   {mutable: 1}\n\n"
        "  cap: {mutable: 7}\n```\n"
    )
    assert body(with_block(theirs)) == amendment(f"Twice: {LAMPS} Always.", theirs, "203/1")


def test_a_block_that_says_nothing_of_the_provisions_leaves_those_in_force() -> None:
    theirs = "```yaml rule\nsection: Day\n```\n"
    found = with_block(theirs)
    assert body(found) == amendment(f"Twice: {LAMPS} Always.", theirs, "203/1")
    assert slugs(found) == ["provisions-kept"]


def test_a_provision_that_both_changed_is_a_conflict() -> None:
    found = with_block(block("  cap: {mutable: 5}\n  floor: {mutable: 2}\n"))
    now = "  floor: {mutable: 2}\n"
    assert body(found) == amendment(
        f"Twice: {LAMPS} Always.",
        "```yaml rule\nprovisions:\n"
        "<<<<<<< Rule 203/1, in force\n"
        "  cap: {mutable: 7}\n"
        "=======\n"
        "  cap: {mutable: 5}\n"
        ">>>>>>> this proposal\n"
        f"{now}```\n",
        "203/1",
    )
    assert slugs(found) == ["merge-conflict"]
    assert found.move.said[0] == "Amend Rule 203/0: it is Rule 203/1 now; in conflict on line 12"


def test_a_provision_that_one_took_away_and_the_other_changed_is_a_conflict() -> None:
    found = with_block("```yaml rule\nprovisions: {}\n```\n")
    assert body(found) == amendment(
        f"Twice: {LAMPS} Always.",
        "```yaml rule\n"
        "<<<<<<< Rule 203/1, in force\n"
        "provisions:\n"
        "  cap: {mutable: 7}\n"
        "  floor: {mutable: 1}\n"
        "=======\n"
        "provisions: {}\n"
        ">>>>>>> this proposal\n"
        "```\n",
        "203/1",
    )


def test_sections_and_terms_are_merged_alike() -> None:
    theirs = "```yaml rule\nsection: Night\ndefines: [lamp, wick]\n```\n"
    found = with_block(theirs, rest="section: Dusk\n")
    now = "```yaml rule\nsection: Dusk\ndefines: [lamp, wick]\n```\n"
    assert body(found) == amendment(f"Twice: {LAMPS} Always.", now, "203/1")
    found = with_block("```yaml rule\nsection: Noon\n```\n", rest="section: Dusk\n")
    assert "section: Dusk\n=======\nsection: Noon\n>>>>>>> this proposal\n" in body(found)


def test_a_mark_is_merged_key_by_key() -> None:
    made = ledger(keys=KEYS).proposal(
        301, "01-05", f"{AMENDED}\n\n## Mark Rule 203/0\n\n```yaml rule\nsection: Dusk\n```"
    )
    theirs = "## Mark Rule {}\n\n```yaml rule\nsection: {}\nnote: dim\n```\n"
    found = rebased(draft(made, theirs.format("203/0", "Night")))
    assert body(found) == theirs.format("203/1", "Dusk")


def test_an_indented_fence_keeps_its_indentation() -> None:
    theirs = (
        "  ~~~~ yaml rule\n  provisions:\n    cap: {mutable: 9}\n    floor: {mutable: 1}\n  ~~~~\n"
    )
    now = theirs.replace("cap: {mutable: 9}", "cap: {mutable: 7}").replace("    ", "    ")
    assert body(with_block(theirs)) == amendment(f"Twice: {LAMPS} Always.", now, "203/1")


def test_keys_in_braces_are_written_on_lines() -> None:
    made = ledger(keys=KEYS).proposal(
        301, "01-05", amendment(LAMPS, block("  cap: {mutable: 7}\n  floor: {mutable: 1}\n"))
    )
    braces = "```yaml rule\n{provisions: {cap: {mutable: 9}, floor: {mutable: 1}}}\n```\n"
    now = block("  cap: {mutable: 7}\n  floor: {mutable: 1}\n")
    assert body(rebased(draft(made, amendment(f"{LAMPS} Twice.", braces)))) == amendment(
        f"{LAMPS} Twice.", now, "203/1"
    )


def test_a_mark_between_two_states_of_a_revision_is_not_undone() -> None:
    """The cap was marked anew while 203/0 stood: a draft that has no day is taken to have seen the
    first.
    """
    marked = (
        "## Mark Rule 203/0\n\n```yaml rule\nprovisions:\n  cap: {mutable: 8}\n"
        "  floor: {mutable: 1}\n```"
    )
    made = ledger(keys=KEYS).proposal(301, "01-05", marked).proposal(302, "01-06", AMENDED)
    proposed = amendment(f"Twice: {LAMPS}", block())
    dated = rebased(draft(made, proposed))
    now = block("  cap: {mutable: 8}\n  floor: {mutable: 1}\n")
    assert body(dated) == amendment(f"Twice: {LAMPS} Always.", now, "203/1")
    undated = rebased(draft(made, proposed, "status: draft\n"))
    assert body(undated) == amendment(f"Twice: {LAMPS} Always.", now, "203/1")


def test_what_is_written_can_be_read() -> None:
    found = with_block(block("  cap: {mutable: 5}\n"))
    data = found.move.parts[0].writes[PATH]
    instrument, findings = read_instrument(PATH, data)
    assert said(findings) == [
        "12:1 merge-conflict: a merge left two texts here: one above line 15, one below it, up "
        "to line 17"
    ]
    assert instrument is not None
    kept = instrument.instructions[0].block
    assert kept is not None
    assert kept.provisions == {"cap": {"mutable": "5"}}
