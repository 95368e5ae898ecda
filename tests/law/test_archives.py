"""What only an instrument can say that names its commit elsewhere: a count of its own, and what was void."""

from __future__ import annotations

import pytest

from nomicgen.model.values import Moment
from tests.rulesets import archive, errors

SHA = "0123456789abcdef0123456789abcdef01234567"
GAME = {
    "nomic.yml": b"format: 1\nname: Lantern\nstarted: 2021-03-01\n",
    "players/wren.yml": b"name: Wren\n",
    "rules/initial/201.md": b"---\nnumber: 201\nmutability: mutable\nrevision: 1\n---\n\nLamps are lit.\n",
}


def act(*instructions: str, commit: str = f"commit: {SHA}\n") -> dict[str, bytes]:
    body = "\n\n".join(instructions)
    text = f"---\ncause: Correction\nby: wren\ndate: 2021-03-02\n{commit}---\n\n{body}\n"
    return {**GAME, "acts/2021-03-02-correction.md": text.encode()}


def block(words: str) -> str:
    return f"\n\n```yaml rule\n{words}\n```"


@pytest.mark.parametrize(("said", "revision"), [("revision: 1", 1), ("revision: 7", 7), ("revision: 0", 0), (None, 2)])
def test_an_amendment_may_say_which_revision_it_makes(said: str | None, revision: int) -> None:
    tree = act(f"## Amend Rule 201/1{block(said) if said else ''}\n\nLamps burn.")
    rule = archive(tree).replay.current.get(201)
    assert rule is not None
    assert (rule.revision, rule.text) == (revision, "Lamps burn.")


def test_a_new_rule_may_come_as_a_later_revision() -> None:
    rule = archive(act(f"## Enact Rule 302{block('revision: 3')}\n\nBells ring.")).replay.current.get(302)
    assert rule is not None
    assert rule.ref == "302/3"


@pytest.mark.parametrize("heading", ["Amend Rule 201/1", "Enact Rule 302"])
def test_without_a_commit_revisions_are_counted(heading: str) -> None:
    found = archive(act(f"## {heading}{block('revision: 7')}\n\nBells ring.", commit=""))
    assert [one for one in errors(found) if "impossible" in one] == [
        "acts/2021-03-02-correction.md:7:1 instruction-impossible:"
        " revisions are counted: only an instrument with a `commit` can say which it makes"
    ]


def test_what_was_void_elsewhere_is_told_as_it_was() -> None:
    tree = act(f"## Mark Rule 201/1{block('void: true')}")
    rule = archive(tree).replay.current.get(201)
    assert rule is not None
    assert rule.void is True
    assert not [one for one in errors(archive(tree)) if "authority" in one]


def test_a_mark_of_void_can_end() -> None:
    initial = GAME["rules/initial/201.md"].replace(b"revision: 1\n", b"revision: 1\nvoid: true\n")
    tree = {**act(f"## Mark Rule 201/1{block('void: false')}"), "rules/initial/201.md": initial}
    rule = archive(tree).replay.current.get(201)
    assert rule is not None
    assert not rule.void_on(Moment.parse("2021-03-03"))
