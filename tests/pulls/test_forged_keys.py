"""Every key of every kind of file, forged by every hand: what is not its to write is refused.

The cases come from the models of the files: a key that is added is forged too. What an author may
write stands in `OPEN`, by hand: whoever opens a key says so there.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nomicgen.files.file_editing import set_keys
from nomicgen.files.yaml_writing import write_front_matter, write_yaml
from nomicgen.model.common_keys import Matter, Stage
from nomicgen.model.file_model import Key, described
from nomicgen.model.front_matters import (
    ActMatter,
    JudgementMatter,
    PlayerMatter,
    ProposalMatter,
    TurnMatter,
)
from nomicgen.model.rule_matters import RuleMatter
from nomicgen.model.settings import Settings
from nomicgen.play.load import Game, load_tree
from nomicgen.pulls.examine import supposed_pull
from nomicgen.pulls.request import PullVerdict
from tests.case_files import case_folder
from tests.deep import sampled
from tests.ledger import day
from tests.pulls.cases import LAWS, ON, files_in, small_game

LOGINS = {"maren": "maren-k", "odo": "Odo-Pike", "tamsin": "tamsin"}
HANDS = ("author", "another player", "keeper", "stranger")
LAMPS = "\nWhy.\n\n## Enact Rule: Lamps\n\nLamps burn.\n"
ASKED = {"number": 2, "title": "A raft", "judge": "tamsin", "status": "pending"}
NEW_ACT = {"cause": "Temporary Rule 602", "by": "tamsin", "under": 202, "date": day("02-27")}
CALM = "\n## Enact Rule 602: Calm\n\nNobody shouts.\n"

# What a pull request of the author may write, at each stage of each kind of file. All else is
# refused.
_WORDS = {"title", "coauthors", "commences", "note"}
_JUDGED = {
    *(
        "number",
        "title",
        "judge",
        "late",
        "date",
        "turn",
        "effective",
        "rules",
        "proposal",
        "voids",
        "status",
    ),
    *("overruled", "overruled_by", "under", "seq", "points", "note"),
}
_DONE = {"cause", "by", "under", "date", "turn", "effective", "restates", "seq", "points", "note"}
_PLAYER = {"name", "accounts", "joined", "left", "inactive", "order", "keys", "note"}
OPEN: dict[str, set[str]] = {
    "a new draft": _WORDS | {"author", "date", "turn", "status"},
    "a draft": _WORDS | {"author", "date", "turn", "status"},
    "a debate": _WORDS,
    "an open vote": _WORDS,
    "an adopted proposal": {"note"},
    "a new judgement": _JUDGED | {"called_by"},
    "a question": _JUDGED,
    "a judgement": {"note"},
    "a new act": _DONE,
    "an act": {"note"},
    "a new player": _PLAYER,
    "a player": _PLAYER,
    "a new turn": {"player", "began", "ended", "passed", "dice", "points", "note"},
    "a running turn": {"ended", "passed", "points", "note"},
    "a turn that is over": {"note"},
    "an initial rule": set(),
    "a rule": set(),
    "the settings": set(),
}
# Each kind of file at each stage: where it stands, its model, whose it is, its stage.
FILES: dict[str, tuple[str, type[Matter], str, Stage]] = {
    "a new draft": ("proposals/lamps.md", ProposalMatter, "maren", "draft"),
    "a draft": ("proposals/nets.md", ProposalMatter, "maren", "draft"),
    "a debate": ("proposals/305.md", ProposalMatter, "odo", "undecided"),
    "an open vote": ("proposals/304.md", ProposalMatter, "tamsin", "undecided"),
    "an adopted proposal": ("proposals/302.md", ProposalMatter, "odo", "settled"),
    "a new judgement": ("judgements/3.md", JudgementMatter, "tamsin", "draft"),
    "a question": ("judgements/2.md", JudgementMatter, "tamsin", "undecided"),
    "a judgement": ("judgements/1.md", JudgementMatter, "odo", "settled"),
    "a new act": ("acts/2026-02-27-temporary-rule-602.md", ActMatter, "tamsin", "draft"),
    "an act": ("acts/2026-01-25-temporary-rule-601.md", ActMatter, "tamsin", "settled"),
    "a new player": ("players/wren.yml", PlayerMatter, "wren", "draft"),
    "a player": ("players/tamsin.yml", PlayerMatter, "tamsin", "undecided"),
    "a new turn": ("turns/R1T3.yml", TurnMatter, "tamsin", "draft"),
    "a running turn": ("turns/R1T2.yml", TurnMatter, "odo", "undecided"),
    "a turn that is over": ("turns/R1T1.yml", TurnMatter, "maren", "settled"),
    "an initial rule": ("rules/initial/204.md", RuleMatter, "maren", "settled"),
    "a rule": ("rules/204.md", RuleMatter, "maren", "settled"),
    "the settings": ("nomic.yml", Settings, "maren", "settled"),
}
NEW: dict[str, bytes] = {
    "proposals/lamps.md": write_front_matter(
        {"title": "Lamps", "author": "maren", "status": "draft"}, LAMPS
    ),
    "judgements/3.md": write_front_matter({**ASKED, "number": 3}, "\nIs it?\n"),
    "acts/2026-02-27-temporary-rule-602.md": write_front_matter(NEW_ACT, CALM),
    "players/wren.yml": write_yaml(
        {"name": "Wren", "accounts": {"github": "wren-w"}, "joined": day("02-27")}
    ),
    "turns/R1T3.yml": write_yaml({"player": "tamsin", "began": day("02-27")}),
}
# A value for each key, which is another than what any file says.
VALUES: dict[str, Any] = {
    "accounts": {"github": "thief"}, "admitted": {"1" * 40: "It was nothing."}, "author": "odo",
    "ballot": "a2b3c4d5e6", "began": day("01-20"), "by": "odo", "called_by": "odo",
    "cause": "A whim",
    "coauthors": ["odo"], "commences": day("04-01"), "commit": "2" * 40, "confirmed": ["204/1"],
    "date": day("02-01"),
    "decided": day("02-20"),
    "deeds": [{"do": "second", "by": "odo"}], "defines": ["berth"], "dice": [6],
    "digest": "3" * 64, "discussion": "https://example.org/7",
    "earlier": [{"votes": {"odo": "for"}}], "effective": day("02-21"), "ended": day("02-28"),
    "format": 2,
    "groups": {"all": ["mutable"]}, "inactive": [{"since": day("02-28")}], "joined": day("01-02"),
    "judge": "odo",
    "keys": [{"since": day("02-28"), "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43}],
    "kind": "bot",
    "late": ["odo"], "left": day("02-28"), "links": {"commit": "https://example.org/{sha}"},
    "lost": {"proposals": [299]}, "mutability": "immutable", "name": "Otherwise",
    "note": "Something else.",
    "number": 77, "opened": day("02-19"), "order": 9, "overruled": day("02-27"),
    "overruled_by": ["maren"],
    "passed": True, "player": "odo", "points": [{"player": "odo", "amount": 50,
    "reason": "a whim"}], "proposal": 301,
    "provisions": {"cap": {"mutable": 1}}, "repository": "https://example.org/other",
    "restates": [{"file": "proposals/301.md", "key": "votes.odo", "was": "for", "now": "against",
    "evidence": "me"}],
    "revision": 7, "roles": [{"role": "king", "since": day("02-28")}], "rules": ["201/0"],
    "section": "Berths",
    "sections": {"Berths": "where they are"}, "seq": 9, "signatures": "required",
    "started": day("01-02"),
    "status": {"proposals": "adopted", "judgements": "overruled"},
    "strength": [{"since": day("02-28"), "votes": 9}],
    "tagline": "Another game", "text": "lost", "tiers": ["mutable", "immutable"],
    "timezone": "Asia/Tokyo",
    "title": "Another title", "turn": "R1T1", "under": 203, "unread": True, "until": day("03-20"),
    "void": True, "voids": 301, "votes": {"odo": "for", "maren": "for"},
}  # fmt: skip


# What is forged where a file says the value above already.
OTHERS: dict[str, Any] = {
    "author": "tamsin",
    "judge": "maren",
    "player": "tamsin",
    "status": "defeated",
    "turn": "R1T2",
}


@functools.cache
def base() -> Game:
    files = small_game(files_in(case_folder(LAWS, "any-judge")))
    tree = {path.decode(): item.data for path, item in files.items()}
    question = write_front_matter({**ASKED, "called_by": "tamsin"}, "\nDoes a raft have a berth?\n")
    thrown = tree["turns/R1T2.yml"] + b"dice: [3]\n"
    return load_tree(Path(), {**tree, "judgements/2.md": question, "turns/R1T2.yml": thrown}, ON)


def forged(path: str, key: str) -> bytes:
    value = VALUES[key]
    data = NEW.get(path, base().tree.get(path))
    assert isinstance(data, bytes)
    value = value[path.partition("/")[0]] if key == "status" else value
    value = OTHERS[key] if f"\n{key}: {value}\n" in f"\n{data.decode()}" else value
    return set_keys(data, {key: value})


def verdict(kind: str, key: str, hand: str) -> PullVerdict:
    path, _, owner, _ = FILES[kind]
    login = {
        "author": LOGINS.get(owner, "wren-w"),
        "another player": LOGINS["tamsin" if owner == "maren" else "maren"],
        "keeper": "harbour-master",
        "stranger": "nobody-here",
    }[hand]
    return supposed_pull(
        base(), {path: forged(path, key)}, login, machinery=hand == "keeper"
    ).verdict


def cases() -> Iterator[tuple[str, str, str]]:
    for kind, (_, model, _, _) in FILES.items():
        for key in model.names:
            yield from ((kind, key, hand) for hand in HANDS)


def test_so_many_cases_are_forged() -> None:
    assert {key for _, key, _ in cases()} == VALUES.keys(), "give a value to each key, here"
    assert len([*cases()]) >= 1000


@pytest.mark.parametrize("kind", FILES)
def test_a_key_is_open_to_its_author_alone_and_for_its_time(kind: str) -> None:
    path, model, _, stage = FILES[kind]
    data = {} if kind.startswith("a new") else set(base_keys(path))
    may = {key for key in model.names if model.author_writes(key, stage, said=key in data)}
    assert may == OPEN[kind], "say here what the author of such a file may write"


def base_keys(path: str) -> Iterator[str]:
    record = base().records.at(path)
    yield from (
        (attribute.removesuffix("_") for attribute in record.matter.written)
        if record is not None
        else ()
    )


@pytest.mark.deep
@pytest.mark.parametrize(
    ("kind", "every"), sampled([(kind, every) for kind in FILES for every in (4, 1)], every=6)
)
def test_no_key_is_forged(kind: str, every: int) -> None:
    """The author forges each key; with `every` the others forge each so manieth, each hand another
    one.
    """
    let_by = []
    for at, key in enumerate(FILES[kind][1].names):
        for hand in (
            hand for turn, hand in enumerate(HANDS) if hand == "author" or (at + turn) % every == 0
        ):
            judged = verdict(kind, key, hand)
            is_open = hand == "author" and key in OPEN[kind]
            is_open |= (
                kind == "the settings" and hand == "keeper" and Settings.keys[key].until != "once"
            )
            if not is_open and not judged.refused:
                let_by.append((key, hand))
            if is_open:
                assert "record-by-hand" not in {
                    finding.slug for finding in judged.findings if key != "status"
                }
    assert let_by == []


def test_what_an_author_may_write_gets_by() -> None:
    """Not all that is refused is: of the plainest of each kind nothing is said."""
    plain = [
        *(("a new draft", key) for key in ("coauthors", "commences", "note", "title")),
        *(("a debate", key) for key in ("coauthors", "commences", "note", "title")),
        *(("an open vote", key) for key in ("coauthors", "note")),
        *(("a question", key) for key in ("title", "late", "note")),
        *(("a new act", key) for key in ("cause", "seq", "note")),
        *(("a player", key) for key in ("name", "left", "inactive", "note")),
        *(("a running turn", key) for key in ("ended", "note")),
        *(
            (kind, "note")
            for kind in ("an adopted proposal", "a judgement", "an act", "a turn that is over")
        ),
    ]
    assert [case for case in plain if verdict(*case, "author").refused] == []


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (ProposalMatter, "a new draft"),
        (ProposalMatter, "a debate"),
        (ProposalMatter, "an adopted proposal"),
        (JudgementMatter, "a new judgement"),
        (ActMatter, "a new act"),
        (PlayerMatter, "a player"),
        (TurnMatter, "a running turn"),
    ],
)
def test_a_key_that_says_nothing_is_closed(
    model: type[Matter], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the guide's recipe adds one, with a description and no more."""
    key: Key = described("what is promised for it", default=None)
    monkeypatch.setattr(model, "bounty", None, raising=False)
    monkeypatch.setattr(model, "keys", {**model.keys, "bounty": key})
    monkeypatch.setattr(model, "names", {**model.names, "bounty": "bounty"})
    monkeypatch.setitem(model.__annotations__, "bounty", "Text | None")
    monkeypatch.setitem(VALUES, "bounty", "a cup of oil")
    judged = verdict(kind, "bounty", "author")
    assert judged.refused
    assert any("`bounty`" in finding.message for finding in judged.findings)


@pytest.mark.parametrize("kind", ["a debate", "an open vote"])
def test_the_digest_covers_what_says_so(kind: str) -> None:
    path = FILES[kind][0]
    was = base().records.instruments[path]
    for key in ProposalMatter.names:
        now = load_tree(
            Path(), {**base().tree, path: forged(path, key)}, ON, base()
        ).records.instruments.get(path)
        if now is None:
            assert key == "number", "which is another file then"
            continue
        bound = ProposalMatter.keys[key].bound
        assert (was.whole_digest != now.whole_digest) == bool(bound), key
        assert (was.digest != now.digest) == (bound == "changes"), key
