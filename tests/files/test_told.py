"""What a finding about a file tells in whole: the place, what is wrong, and what to do next."""

from __future__ import annotations

import pytest

from nomicgen.files.documents import read_instrument
from nomicgen.files.file_editing import set_keys
from nomicgen.files.game_files import read_game
from tests.reading import PROPOSAL


def whole(text: str) -> list[tuple[str, str, str, str | None]]:
    """Slug, place, message and remedy of every finding about a proposal."""
    found = read_instrument(PROPOSAL, text.encode())[1]
    return [(one.slug, f"{one.span.line}:{one.span.column}", one.message, one.help) for one in found]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "---\nnumber: 329\nstatus: open\ntitle: |\n  One\n  two\n---\n",
            [("value-wrong", "4:8", "`title` cannot be `One\\ntwo\\n`", "it should be one line of text")],
        ),
        (
            "---\nnumber: 329\nstatus: open\n<<: {title: x}\n---\n",
            [("yaml-alias", "4:1", "`<<` is a merge key", "write the keys out: these files merge none")],
        ),
        (
            "---\nnumber: 329\nstatus: open\n---\n\n## Mark Rule 203/0\n\n```yaml rule\nsection: 'a\n",
            [
                (
                    "fence-open",
                    "8:1",
                    "the fence of 3 backticks is never closed",
                    "close it with a line of 3 backticks",
                ),
                ("yaml-syntax", "9:12", "this is not YAML: found unexpected end of stream", "close the quotes"),
            ],
        ),
        (
            "---\nnumber: 329\nstatus: open\n---\n\n## Enact Rule\n",
            [
                (
                    "instruction-body",
                    "6:1",
                    "`Enact` needs the rule's text, and there is none",
                    "write the whole text below the heading, or `text: lost` in a `yaml rule` block",
                )
            ],
        ),
        (
            "---\nnumber: 329\nstatus: open\n[a]: b\n---\n",
            [("yaml-syntax", "4:1", "a list or an alias stands as a key", "a key is one plain word")],
        ),
    ],
)
def test_a_file_that_is_wrong(text: str, told: list[tuple[str, str, str, str | None]]) -> None:
    assert whole(text) == told


def test_a_comment_before_the_next_key_stays_with_it_where_all_keys_are_indented() -> None:
    before = b"  name: |\n    Owl\n  # a machine\n  kind: bot\n"
    assert set_keys(before, {"name": "Wren"}) == b"  name: Wren\n  # a machine\n  kind: bot\n"


@pytest.mark.parametrize("tree", [{}, {"nomic.yml": b"["}])
def test_settings_that_are_not_there_or_cannot_be_read_have_their_place(tree: dict[str, bytes]) -> None:
    records, _ = read_game(tree)
    assert str(records.settings_source.at("name")) == "nomic.yml:1:1"
