"""How much of a comment stands before its first fold, and what a red one says first: of all that tests expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicgen.formats.folding import VISIBLE, folded
from tests.case_files import case_folder, case_names

HERE = Path(__file__).parent
COMMENTS = {
    f"{prefix}{name}": case_folder(folder, name) / "comment.md"
    for prefix, folder in (("", HERE / "comments"), ("ballot-", HERE / "standings"))
    for name in case_names(folder)
}


@pytest.mark.parametrize("path", COMMENTS.values(), ids=COMMENTS)
def test_a_comment_is_short_before_its_first_fold(path: Path) -> None:
    text = path.read_text("utf-8")
    first, *rest = text.split("\n", 1)[1].split("<details>")
    assert len(first.split()) <= VISIBLE
    assert text.count("<details>") == text.count("</details>") == len(rest)


@pytest.mark.parametrize("path", COMMENTS.values(), ids=COMMENTS)
def test_a_comment_says_first_what_to_do(path: Path) -> None:
    """Where it is red, and where a draft's author is the one to go on."""
    _, heading, _, first, *_ = path.read_text("utf-8").split("\n")
    is_told = heading.startswith(("### ❌ ", "### ⚠️ ", "### ✅ This proposal"))
    assert first.startswith("**What to do:** ") == is_told


def test_what_fits_stays_and_the_rest_is_folded_item_by_item() -> None:
    item = "- " + "word " * 19
    parts = [
        "#### One\n\n- Short.",
        f"#### Two\n\n{item}\n{item}\n  - inner\n{item}\n{item}\n{item}\n{item}",
        "#### Three\n\nx",
    ]
    shown = [*folded("A heading", parts)]
    assert shown[0] == parts[0]
    assert shown[1] == f"#### Two\n\n{item}\n{item}\n  - inner\n{item}\n{item}\n{item}"
    assert shown[2] == f"<details><summary>Two, continued</summary>\n\n{item}\n\n</details>"
    assert shown[3] == "<details><summary>Three</summary>\n\nx\n\n</details>"


def test_a_heading_does_not_stay_alone() -> None:
    fence = "```text\n" + "word " * 200 + "\n```"
    assert [*folded("", [f"#### One\n\n{fence}"])] == [f"<details><summary>One</summary>\n\n{fence}\n\n</details>"]
