"""What an author says that no program reads: how long that holds, and what is wrong where it does
not fit.
"""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.law.checks.run import rule_bytes
from nomicgen.law.unread_passages import Unread, is_in_text, said_unread, still_unread
from nomicgen.model.values import Moment
from tests.ledger import UNANIMOUS, Ledger
from tests.rulesets import errors, history_of_tree
from tests.worked import cases_in, told_of

TEXT = "Whoever comes last\nbrings tea. Tea is hot (or\niced)."


def game(claim: str, text: str = TEXT, provisions: str = "") -> Ledger:
    """A game with a Rule 202 that makes a claim."""
    made = Ledger.start({101: {"adoption": {"needs": "majority", "of": "eligible"}}})
    head = f"---\nnumber: 202\nmutability: mutable\n{provisions}unread: {claim}\n---\n"
    return made.file("rules/initial/202.md", f"{head}\n{text}\n")


def amended(made: Ledger, text: str, block: str = "") -> Ledger:
    fence = f"```yaml rule\n{block}\n```\n\n" if block else ""
    return made.proposal(301, "02-01", f"## Amend Rule 202/0\n\n{fence}{text}")


def unread(made: Ledger) -> object:
    assert made.applied().slugs() == []
    _, played = made.play()
    return next(rule for rule in played.current if rule.number != 101).unread


@pytest.mark.parametrize(
    ("passage", "stands"),
    [
        ("Tea is hot", True),
        ("Whoever comes  last brings\ttea.", True),
        ("Tea is hot (or iced).", True),
        ("(or", True),
        ("ea is hot", False),
        ("Tea is ho", False),
        ("tea is hot", False),
        ("Tea hot", False),
        (" ", False),
    ],
)
def test_a_passage_stands_in_a_text_word_for_word_however_lines_break(
    passage: str, stands: bool
) -> None:
    assert is_in_text(passage, TEXT) is stands
    assert not is_in_text(passage, None)


def test_the_claim_of_the_initial_set_is_the_rules() -> None:
    assert unread(game("true")) is True
    assert unread(game("false")) == unread(game("[]")) == ()
    assert unread(game('["Whoever comes last brings tea.", "Tea is hot", "Tea  is hot"]')) == (
        "Whoever comes last brings tea.",
        "Tea is hot",
    )


def test_a_new_text_keeps_the_passages_that_it_has_and_the_claim_about_the_whole() -> None:
    claim = '["Whoever comes last brings tea.", Tea is hot]'
    assert unread(amended(game(claim), "Tea is hot, and good.")) == ("Tea is hot",)
    assert unread(amended(game(claim), "Coffee.")) == ()
    assert unread(amended(game("true"), "Coffee.")) is True
    assert still_unread(("Tea is hot",), None, None) == ()
    assert still_unread(True, None, None) is True


def test_an_amendment_says_it_anew_or_takes_it_back() -> None:
    assert unread(amended(game("true"), "Coffee.", "unread: [Coffee]")) == ("Coffee",)
    assert unread(amended(game("true"), "Coffee.", "unread: false")) == ()
    assert unread(amended(game("[Tea is hot]"), TEXT, "unread: []")) == ()


def test_a_rule_that_gets_provisions_is_read() -> None:
    assert unread(amended(game("true"), "Coffee.", "provisions:\n  floor: {mutable: 1}")) == ()
    assert unread(amended(game("[Tea]"), "Tea.", "provisions:\n  floor: {mutable: 1}")) == ("Tea",)
    assert still_unread(True, TEXT, {}) is True


def test_a_new_rule_and_a_mark_make_a_claim() -> None:
    made = game("[]").proposal(
        301, "02-01", "## Mark Rule 202/0\n\n```yaml rule\nunread: true\n```"
    )
    assert unread(made) is True
    made = Ledger.start({101: {"adoption": {"needs": "majority", "of": "eligible"}}})
    made.proposal(
        301, "02-01", "## Enact Rule\n\n```yaml rule\nunread: [Tea is hot]\n```\n\nTea is hot."
    )
    assert unread(made) == ("Tea is hot",)


def test_the_derived_file_says_it() -> None:
    _, played = game("[Tea  is hot, brings tea.]").play()
    assert b"\nunread: [Tea is hot, brings tea.]\n" in rule_bytes(played.current.rules[202])
    _, played = game("true").play()
    assert b"\nunread: true\n" in rule_bytes(played.current.rules[202])
    _, played = game("[]").play()
    assert b"unread" not in rule_bytes(played.current.rules[202])


def found(made: Ledger) -> list[str]:
    return [f"{one.span}: [{one.slug}] {one.message}" for one in made.applied().findings()]


def test_a_claim_that_does_not_fit_the_initial_text_is_found() -> None:
    assert found(game("[Tea is hot, Tea is cold]")) == [
        "rules/initial/202.md:4:22: [unread-wrong] `Tea is cold` is not in the rule's text"
    ]
    assert found(game("true", provisions="provisions:\n  floor: {mutable: 1}\n")) == [
        "rules/initial/202.md:6:9: [unread-wrong] `unread` says that no program reads this rule, "
        "but the rule has provisions"
    ]
    assert found(game("perhaps")) == [
        "rules/initial/202.md:4:9: [value-wrong] `unread` cannot be `perhaps`",
    ]
    assert found(game("[a, '']")) == [
        "rules/initial/202.md:4:9: [value-wrong] `unread` cannot be a list"
    ]
    assert found(game(f"[{', '.join(['Tea'] * 100)}]")) == []
    assert found(game(f"[{', '.join(['Tea'] * 101)}]")) == [
        "rules/initial/202.md:4:9: [value-wrong] `unread` cannot be a list"
    ]
    assert found(game("[Tea, {a: b}]")) == [
        "rules/initial/202.md:4:9: [value-wrong] `unread` cannot be a list"
    ]


def test_a_claim_of_an_instruction_is_about_the_text_that_it_gives_or_marks() -> None:
    assert found(amended(game("true"), "Coffee.", "unread: [Tea is hot]")) == [
        "proposals/301.md:21:10: [unread-wrong] `Tea is hot` is not in the rule's text"
    ]
    made = game("true").proposal(
        301, "02-01", "## Mark Rule 202/0\n\n```yaml rule\nunread: [Tea is hot, Coffee]\n```"
    )
    assert found(made) == [
        "proposals/301.md:21:22: [unread-wrong] `Coffee` is not in the rule's text"
    ]
    made = game("[]").proposal(
        301, "02-01", "## Mark Rule 101/0\n\n```yaml rule\nunread: true\n```"
    )
    assert [line.partition("] ")[2] for line in found(made)] == [
        "`unread` says that no program reads this rule, but the rule has provisions"
    ]
    made = game("[]").proposal(
        301, "02-01", "## Enact Rule\n\n```yaml rule\nunread: [Milk]\n```\n\nTea."
    )
    assert [line.partition("] ")[2] for line in found(made)] == ["`Milk` is not in the rule's text"]
    # A stale instruction is told of both.
    draft = game("[]").proposal(
        301,
        "02-01",
        "## Amend Rule 202/7\n\n```yaml rule\nunread: [Milk]\n```\n\nTea.",
        status="debate",
        votes="....",
    )
    assert draft.slugs() == ["revision-stale", "text-cut", "unread-wrong"]


# What only an instrument can say that names its commit elsewhere: a count of its own, and what was
# void.


SHA = "0123456789abcdef0123456789abcdef01234567"
GAME = {
    "nomic.yml": b"format: 1\nname: Lantern\nstarted: 2021-03-01\n",
    "players/wren.yml": b"name: Wren\n",
    "rules/initial/201.md": b"---\nnumber: 201\nmutability: mutable\nrevision: 1\n---\n\n"
    b"Lamps are lit.\n",
}


def act(*instructions: str, commit: str = f"commit: {SHA}\n") -> dict[str, bytes]:
    body = "\n\n".join(instructions)
    text = f"---\ncause: Correction\nby: wren\ndate: 2021-03-02\n{commit}---\n\n{body}\n"
    return {**GAME, "acts/2021-03-02-correction.md": text.encode()}


def block(words: str) -> str:
    return f"\n\n```yaml rule\n{words}\n```"


@pytest.mark.parametrize(
    ("said", "revision"), [("revision: 1", 1), ("revision: 7", 7), ("revision: 0", 0), (None, 2)]
)
def test_an_amendment_may_say_which_revision_it_makes(said: str | None, revision: int) -> None:
    tree = act(f"## Amend Rule 201/1{block(said) if said else ''}\n\nLamps burn.")
    rule = history_of_tree(tree).replay.current.get(201)
    assert rule is not None
    assert (rule.revision, rule.text) == (revision, "Lamps burn.")


def test_a_new_rule_may_come_as_a_later_revision() -> None:
    rule = history_of_tree(
        act(f"## Enact Rule 302{block('revision: 3')}\n\nBells ring.")
    ).replay.current.get(302)
    assert rule is not None
    assert rule.ref == "302/3"


@pytest.mark.parametrize("heading", ["Amend Rule 201/1", "Enact Rule 302"])
def test_without_a_commit_revisions_are_counted(heading: str) -> None:
    found = history_of_tree(act(f"## {heading}{block('revision: 7')}\n\nBells ring.", commit=""))
    assert [one for one in errors(found) if "impossible" in one] == [
        "acts/2021-03-02-correction.md:7:1 instruction-impossible:"
        " a revision can be written only with `reenacts`, or with a `commit` in the front matter"
    ]


def test_what_was_void_elsewhere_is_told_as_it_was() -> None:
    tree = act(f"## Mark Rule 201/1{block('void: true')}")
    rule = history_of_tree(tree).replay.current.get(201)
    assert rule is not None
    assert rule.void is True
    assert not [one for one in errors(history_of_tree(tree)) if "authority" in one]


def test_a_mark_of_void_can_end() -> None:
    initial = GAME["rules/initial/201.md"].replace(b"revision: 1\n", b"revision: 1\nvoid: true\n")
    tree = {**act(f"## Mark Rule 201/1{block('void: false')}"), "rules/initial/201.md": initial}
    rule = history_of_tree(tree).replay.current.get(201)
    assert rule is not None
    assert not rule.void_on(Moment.parse("2021-03-03"))


UNKNOWN_KINDS = """\
- case: Provisions that nobody knows.
  provisions: {zzzzzz: {mutable: 9}, capp: {mutable: 9}}
  gives: |
    provision-unknown rules/initial/201.md:6:3
      zzzzzz is not a provision that nomicgen knows
      > the provisions are adoption, authority, awards, ballot, cap, changeable, deadline,
        effect, entrenchment, floor, guards, judgements, numbering, points, seconding, stay,
        sunset, turns, victory
    provision-unknown rules/initial/201.md:7:3
      capp is not a provision that nomicgen knows
      > did you mean cap?
"""


@pytest.mark.parametrize("case", cases_in(UNKNOWN_KINDS))
def test_what_is_told_of_unknown_kinds(case: Any) -> None:
    assert told_of(case) == case["gives"]


@pytest.mark.parametrize(
    ("unread", "said"),
    [
        (True, "No program reads this rule."),
        ((), ""),
        (("One.",), "No program reads this sentence:"),
        (("One.", "Two."), "No program reads these sentences:"),
    ],
)
def test_a_claim_is_said_in_words(unread: Unread, said: str) -> None:
    assert said_unread(unread) == (said, () if unread is True else unread)


# What of rules/ is not what the ledger gives.


def test_what_is_not_applied_is_told_at_the_first_of_it() -> None:
    made = Ledger.start({203: UNANIMOUS}).applied()
    made.proposal(301, "01-02", "## Enact Rule\n\nTea.").proposal(
        302, "01-03", "## Repeal Rule 203/0"
    )
    assert [(str(one.span), one.message, one.help) for one in made.findings()] == [
        (
            "proposals/301.md:5:9",
            "adopted, due and not applied to rules/: Proposal 301, Proposal 302",
            "run `nomicgen apply`, or `nomicgen apply --commit`",
        )
    ]


def test_who_changed_rules_is_told_how_to_undo_it() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {}, 205: {}}).applied()
    made.file("rules/203.md", made.tree["rules/203.md"].decode().replace("of 203", "of wonder"))
    made.file("rules/206.md", made.tree["rules/204.md"].decode())
    del made.tree["rules/205.md"]
    mendings = {one.span.file: one.mending for one in made.findings()}
    assert {path: one and (one.said, one.command) for path, one in mendings.items()} == {
        path: (f"leave {path} as it was, and propose the change instead", "nomicgen apply")
        for path in ("rules/203.md", "rules/205.md", "rules/206.md")
    }


def test_of_an_unreadable_ledger_only_what_it_cannot_explain_is_told() -> None:
    """It may have amended, repealed and enacted rules; the same revision has one text."""
    made = Ledger.start({203: UNANIMOUS, 204: {}, 205: {}}).applied()
    texts = {number: made.tree[f"rules/{number}.md"].decode() for number in (203, 204)}
    made.file("rules/203.md", texts[203].replace("of 203", "of wonder"))
    made.file("rules/204.md", texts[204].replace("revision: 0", "revision: 1"))
    made.file("rules/206.md", texts[204].replace("204", "206"))
    del made.tree["rules/205.md"]
    made.file("proposals/301.md", "---\n[\n")
    told = [(one.slug, str(one.span)) for one in made.findings() if "rules" in one.slug]
    assert told == [("rules-differ", "rules/203.md:9:1")]
