"""Keys and values: each that is missing, unknown or wrong, where it stands and in a player's
words.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from nomicgen.files.documents import read_instrument, read_player, read_settings, read_turn
from nomicgen.files.file_editing import set_keys
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import Composed
from nomicgen.files.game_files import read_game
from nomicgen.files.rule_files import read_rule
from nomicgen.files.validation import validate
from nomicgen.model.common_keys import Matter
from nomicgen.model.front_matters import (
    ActMatter,
    JudgementMatter,
    PlayerMatter,
    ProposalMatter,
    TurnMatter,
)
from nomicgen.model.rule_matters import RuleBlock, RuleMatter
from nomicgen.model.settings import Settings
from nomicgen.model.values import Source
from tests.reading import PROPOSAL, fronted, said

MODELS: list[type[Matter]] = [
    ProposalMatter,
    JudgementMatter,
    ActMatter,
    RuleMatter,
    RuleBlock,
    PlayerMatter,
    TurnMatter,
    Settings,
]


def test_a_proposal_with_everything_wrong() -> None:
    front = """number: x
title: [x]
author: No
status: adoptd
votes: {Wren: for, bob: yes, al: [x], c: {vote: for, die: -1, zz: 1}, d: {}}
digest: 1
points: [{player: a, amount: [1]}, {amount: 1.5, player: b, reason: ''}]
earlier: x
date: [1]
seq: {a: b}
opend: 2020-01-01
decided: 2020-02-30
turn: 4.3
effective:
commit: abc
"""
    assert fronted(front) == [
        "2:9 value-wrong: `number` cannot be `x`",
        "3:8 value-wrong: `title` cannot be a list",
        "4:9 value-wrong: `author` cannot be `No`",
        "5:9 value-wrong: `status` cannot be `adoptd`",
        "6:9 value-wrong: `Wren` cannot stand here",
        "6:25 value-wrong: `votes.bob` cannot be `yes`",
        "6:34 value-wrong: `votes.al` cannot be a list",
        "6:59 value-wrong: `votes.c.die` cannot be `-1`",
        "6:63 key-unknown: there is no key `votes.c.zz` here",
        "6:74 key-missing: the key `vote` is missing in `votes.d`",
        "7:9 value-wrong: `digest` cannot be `1`",
        "8:10 key-missing: the key `reason` is missing in `points[0]`",
        "8:30 value-wrong: `points[0].amount` cannot be a list",
        "8:45 value-wrong: `points[1].amount` cannot be `1.5`",
        "8:69 value-wrong: `points[1].reason` is empty",
        "9:10 value-wrong: `earlier` cannot be `x`",
        "10:7 value-wrong: `date` cannot be a list",
        "11:6 value-wrong: `seq` cannot be keys with values",
        "12:1 key-unknown: there is no key `opend` here",
        "13:10 value-wrong: `decided` cannot be `2020-02-30`",
        "14:7 value-wrong: `turn` cannot be `4.3`",
        "15:11 value-wrong: `effective` is empty",
        "16:9 value-wrong: `commit` cannot be `abc`",
    ]


@pytest.mark.parametrize(
    ("front", "help"),
    [
        (
            "number: 329\nstatus: adoptd\n",
            "it should be draft, debate, open, adopted, defeated, withdrawn or void; perhaps "
            "`adopted` is meant",
        ),
        ("number: 329\nstatus: open\nopend: x\n", "perhaps `opened` is meant"),
        (
            "number: 329\nstatus: open\nzebra: x\n",
            f"the keys here are {', '.join(ProposalMatter.keys)}",
        ),
        (
            "number: 329\nstatus: open\nvotes: {a: {vote: for, sorce: x}}\n",
            "perhaps `source` is meant",
        ),
        (
            "status: open\nnumber: 329\nauthor: A\n",
            "it should be an id: small letters, digits and hyphens, beginning with a letter",
        ),
        (
            "status: open\nnumber: 329\ndate: soon\n",
            "it should be a date such as 2020-07-26 or 2020-07-26T18:30 (in the game's own time "
            "zone)",
        ),
        ("status: open\nnumber: 329\ndate: 2020-02-30\n", "2020-02-30 is not in the calendar"),
        ("status: open\nnumber: 329\nturn: R1T1٣\n", "it should be a turn such as R4T3"),
        (
            "status: open\nnumber: 329\npoints: [{player: a, amount: ٣, reason: b}]\n",
            "it should be an exact number: a whole number, a fraction such as 20/3, or a "
            "percentage such as 15%",
        ),
        (
            "status: open\nnumber: 329\ntitle:\n",
            "it should say something; delete the key where there is nothing to say",
        ),
    ],
)
def test_help_says_what_to_write(front: str, help: str) -> None:
    _, findings = read_instrument("proposals/329.md", f"---\n{front}---\n".encode())
    assert [one.help for one in findings] == [help]


def test_help_describes_a_missing_key() -> None:
    _, findings = read_instrument("acts/a.md", b"---\ndate: 2020-01-01\n---\n")
    told = ActMatter.keys["cause"].description
    assert told is not None
    assert [one.help for one in findings] == [f"add `cause: …`: {told}"]


def test_rules() -> None:
    front = (
        "number: 0\nmutability: m\nvoid: never\nprovisions: x\ndefines: a\ntext: gone\nrevison: 1\n"
    )
    _, findings = read_rule("rules/initial/1.md", f"---\n{front}---\n\nx\n".encode())
    assert said(findings) == [
        "2:9 value-wrong: `number` cannot be `0`",
        "4:7 value-wrong: `void` cannot be `never`",
        "5:13 value-wrong: `provisions` cannot be `x`",
        "6:10 value-wrong: `defines` cannot be `a`",
        "7:7 value-wrong: `text` cannot be `gone`",
        "8:1 key-unknown: there is no key `revison` here",
    ]
    assert [one.help for one in findings] == [
        "it should be 1 or more",
        "it should be true, or a date such as 2020-08-01",
        "it should be a table of keys",
        "it should be a list, e.g. `[one, another]`",
        "it should be `lost`",
        "perhaps `revision` is meant",
    ]


@pytest.mark.parametrize("value", ["2026-11-12", "{since: 2026-11-12}"])
def test_days_that_are_no_list_are_shown_as_one(value: str) -> None:
    text = f"name: Wren\njoined: 2026-01-01\ninactive: {value}\n"
    _, (found,) = read_player("players/wren.yml", text.encode())
    assert found.help == "it should be a list, e.g. `[{since: 2026-11-12}]`"


def test_a_void_mapping_is_no_date() -> None:
    _, findings = read_rule(
        "rules/initial/1.md", b"---\nnumber: 1\nmutability: m\nvoid: {day: 2020-01-01}\n---\n\nx\n"
    )
    assert said(findings) == ["4:7 value-wrong: `void` cannot be keys with values"]


def test_players_turns_judgements_settings() -> None:
    assert said(
        read_player("players/a.yml", b"name: ''\nkind: x\ninactive: [{until: x}, y]\nroles: s\n")[1]
    ) == [
        "1:7 value-wrong: `name` is empty",
        "2:7 value-wrong: `kind` cannot be `x`",
        "3:12 key-missing: the key `since` is missing in `inactive[0]`",
        "3:20 value-wrong: `inactive[0].until` cannot be `x`",
        "3:24 value-wrong: `inactive[1]` cannot be `y`",
        "4:8 value-wrong: `roles` cannot be `s`",
    ]
    assert said(read_turn("turns/R1T1.yml", b"passed: yes\ndice: [1, x]\n")[1]) == [
        "1:1 key-missing: the key `player` is missing",
        "1:9 value-wrong: `passed` cannot be `yes`",
        "2:11 value-wrong: `dice[1]` cannot be `x`",
    ]
    judgement = b"---\nnumber: 1\nstatus: upheld\nrules: [x, [y], 203/1]\n---\n"
    assert said(read_instrument("judgements/1.md", judgement)[1]) == [
        "4:9 value-wrong: `rules[0]` cannot be `x`",
        "4:12 value-wrong: `rules[1]` cannot be a list",
    ]
    settings = b"format: 2\ntiers: []\nlinks: {comit: x}\nlost: {proposals: [0, a]}\n"
    _, findings = read_settings("nomic.yml", settings)
    assert said(findings) == [
        "1:1 key-missing: the key `name` is missing",
        "1:9 value-wrong: `format` cannot be `2`",
        "2:8 value-wrong: `tiers` is empty",
        "3:9 key-unknown: there is no key `links.comit` here",
        "4:20 value-wrong: `lost.proposals[0]` cannot be `0`",
        "4:23 value-wrong: `lost.proposals[1]` cannot be `a`",
    ]
    assert findings[1].help == "this nomicgen reads format 1; a newer one may read this game"
    assert findings[3].help == "perhaps `commit` is meant"


NAMES = sorted(
    {name for model in MODELS for name in model.keys}
    | {"vote", "amount", "since", "proposals", "x"}
)
NODES = st.recursive(
    st.sampled_from(
        ["", "x", "1", "-1", "true", "for", "2020-01-01", "203/1", "1/2", "R1T1", "lost", "y" * 70]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(st.sampled_from(MODELS), st.dictionaries(st.sampled_from(NAMES), NODES, max_size=8))
@example(JudgementMatter, {"overruled_by": {}})
def test_every_error_of_validation_has_words_of_ours(
    model: type[Matter], data: dict[str, Any]
) -> None:
    notes = Notes("f")
    matter = validate(model, Composed(data, Source(file="f")), notes)
    assert (matter is None) is bool(notes.findings())
    for one in notes.findings():
        assert not re.search(
            r"\b(Input|string_|dictionary|instance|valid|field required)\b", one.message + one.help
        )
        assert "\n" not in one.message + one.help


# What a finding about a file tells in whole: the place, what is wrong, and what to do next.


def whole(text: str) -> list[tuple[str, str, str, str | None]]:
    """Slug, place, message and remedy of every finding about a proposal."""
    found = read_instrument(PROPOSAL, text.encode())[1]
    return [
        (one.slug, f"{one.span.line}:{one.span.column}", one.message, one.help) for one in found
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "---\nnumber: 329\nstatus: open\ntitle: |\n  One\n  two\n---\n",
            [
                (
                    "value-wrong",
                    "4:8",
                    "`title` cannot be `One\\ntwo\\n`",
                    "it should be one line of text",
                )
            ],
        ),
        (
            "---\nnumber: 329\nstatus: open\n<<: {title: x}\n---\n",
            [
                (
                    "yaml-alias",
                    "4:1",
                    "`<<` is a merge key",
                    "write the keys out: merge keys are not allowed in these files",
                )
            ],
        ),
        (
            "---\nnumber: 329\nstatus: open\n---\n\n## Mark Rule 203/0\n\n```yaml rule\n"
            "section: 'a\n",
            [
                (
                    "fence-open",
                    "8:1",
                    "the fence of 3 backticks is never closed",
                    "close it with a line of 3 backticks",
                ),
                (
                    "yaml-syntax",
                    "9:12",
                    "this is not YAML: a quotation mark is not closed",
                    "close the quotes",
                ),
            ],
        ),
        (
            "---\nnumber: 329\nstatus: open\n---\n\n## Enact Rule\n",
            [
                (
                    "instruction-body",
                    "6:1",
                    "`Enact` needs the rule's text, and there is none",
                    "write the whole text below the heading, or `text: lost` in a `yaml rule` "
                    "block",
                )
            ],
        ),
        (
            "---\nnumber: 329\nstatus: open\n[a]: b\n---\n",
            [
                (
                    "yaml-syntax",
                    "4:1",
                    "a list, a mapping or an alias stands as a key",
                    "a key is one plain word",
                )
            ],
        ),
    ],
)
def test_a_file_that_is_wrong(text: str, told: list[tuple[str, str, str, str | None]]) -> None:
    assert whole(text) == told


def test_a_comment_before_the_next_key_stays_with_it_where_all_keys_are_indented() -> None:
    before = b"  name: |\n    Owl\n  # a machine\n  kind: bot\n"
    assert set_keys(before, {"name": "Wren"}) == b"  name: Wren\n  # a machine\n  kind: bot\n"


@pytest.mark.parametrize("tree", [{}, {"nomic.yml": b"["}])
def test_settings_that_are_not_there_or_cannot_be_read_have_their_place(
    tree: dict[str, bytes],
) -> None:
    records, _ = read_game(tree)
    assert str(records.settings_source.at("name")) == "nomic.yml:1:1"
