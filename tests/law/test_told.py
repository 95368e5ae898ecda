"""What a finding tells in whole: the place, what is wrong, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from nomicgen.law.checks.provisions import check_confirmed
from nomicgen.law.precedence import Law
from nomicgen.law.prospects import against_opening, deadlines, possible_deeds
from nomicgen.law.questions import debate_of
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.player_spans import are_together, has_left
from nomicgen.law.sentences import sentences
from nomicgen.law.voting.amounts import Amount
from nomicgen.model.identifiers import PlayerId
from tests.ledger import UNANIMOUS, Ledger, day
from tests.turns import ORDER, game, played


def whole(made: Ledger, slug: str, until: str = "12-31") -> list[tuple[str, str, str | None]]:
    """Place, message and remedy of every finding of a kind, once `rules/` is applied."""
    return [
        (str(one.span), one.message, one.help)
        for one in made.applied(until).findings(until)
        if one.slug == slug
    ]


@pytest.mark.parametrize(
    ("value", "share", "text"),
    [
        (Fraction(3, 20), True, "15%"),
        (Fraction(1), True, "100%"),
        (Fraction(1, 2), True, "half"),
        (Fraction(3, 4), True, "three quarters"),
        (Fraction(2, 3), True, "two thirds"),
        (Fraction(1, 7), True, "1/7"),
        (Fraction(4), False, "4"),
    ],
)
def test_a_share_is_written_as_people_write_it(value: Fraction, share: bool, text: str) -> None:
    assert str(Amount(value, share)) == text


def test_a_game_without_a_law_is_told_where_its_name_stands() -> None:
    assert whole(Ledger.start({203: {}}), "law-unread") == [
        (
            "nomic.yml:2:7",
            "no rule has provisions, so numbers, votes, tiers and caps are not judged",
            "an archive may stay so; `nomicgen explain law-unread` says how to play on",
        )
    ]


def test_to_void_a_rule_is_to_change_it() -> None:
    body = "## Mark Rule {}/0\n\n```yaml rule\nvoid: true\n```"
    rules: dict[int, dict[str, Any]] = {
        103: {"entrenchment": {"immutable": ["transmute"]}},
        203: UNANIMOUS,
        204: {},
    }
    made = Ledger.start(rules).proposal(301, "02-01", body.format(204))
    assert made.slugs() == []
    assert made.proposal(301, "02-01", body.format(204), "fffa").slugs() == ["votes-few"]
    assert made.proposal(301, "02-01", body.format(103)).slugs() == ["tier-protected"]


def test_a_tier_that_the_game_does_not_have() -> None:
    body = "## Transmute Rule 203/0 to sacred"
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", body)
    assert [one[:2] for one in whole(made, "instruction-impossible")] == [
        (
            "proposals/301.md:18:1",
            "sacred is no tier of this game (nomic.yml has immutable, mutable)",
        )
    ]


def test_a_condition_on_changes_of_one_tier_is_not_asked_of_another() -> None:
    amending = [
        {"to": ["amend"], "from": ["immutable"], "needs": "unanimous", "of": "eligible"},
        {"to": ["amend"], "from": ["mutable"], "needs": "majority", "of": "cast"},
        {"to": ["enact"], "needs": "majority", "of": "cast"},
    ]
    made = Ledger.start({102: {}, 203: {"adoption": amending}, 204: {}})
    made.proposal(301, "02-01", "## Amend Rule 204/0\n\nOther words.", votes="fffa")
    assert made.slugs() == []
    made.proposal(302, "02-02", "## Amend Rule 102/0\n\nOther words.", votes="fffa")
    assert [(one.slug, one.rule) for one in made.applied().findings()] == [("votes-few", 203)]


@pytest.mark.parametrize(
    ("turn", "remedy"),
    [
        ("R1T1 quill", "write `player: osprey`"),
        ("R1T2 osprey", "name it turns/R1T1.yml, or add that turn before it"),
    ],
)
def test_a_turn_out_of_order_is_told_what_to_change(turn: str, remedy: str) -> None:
    assert [one[2] for one in whole(played(game(ORDER), turn), "turn-order")] == [remedy]


def test_points_are_given_to_players_alone() -> None:
    def award(who: str) -> dict[str, object]:
        return {"player": who, "amount": 1, "reason": "Rain"}

    made = Ledger.start({203: UNANIMOUS})
    made.act("a", "02-01", "It rained.", points=[award("wren"), award("quilt")])
    assert [(message, remedy) for _, message, remedy in whole(made, "reference-unknown")] == [
        ("there is no players/quilt.yml", "did you mean quill?")
    ]


def test_a_draft_has_no_votes_and_an_act_does_something() -> None:
    made = Ledger.start({203: UNANIMOUS})
    made.proposal(301, "02-01", "## Enact Rule\n\nNew.", status="debate", opened=None).act(
        "a", "02-02", "It rained."
    )
    assert whole(made, "status-incomplete") == [
        (
            "acts/a.md:2:8",
            "an act without instructions, points or `restates` does nothing",
            "say what it changed, as instructions or as points",
        ),
        (
            "proposals/301.md:5:9",
            "debate, but there are votes",
            "delete `votes`: votes are cast when the vote is open",
        ),
    ]


def unrecorded(number: int, *lines: str) -> tuple[str, str]:
    """A proposal of an archive that has lost its votes."""
    keys = "\n".join(
        (f"number: {number}", "author: wren", "status: adopted", *lines, "votes: unrecorded")
    )
    return f"proposals/{number}.md", f"---\n{keys}\n---\n\n## Enact Rule\n\nNew.\n"


def test_decided_proposals_without_a_date_are_counted() -> None:
    made = Ledger.start({203: UNANIMOUS}).file(*unrecorded(301)).file(*unrecorded(302))
    assert whole(made, "date-missing") == [
        (
            "proposals/301.md:4:9",
            "2 decided proposals without a date, placed by number",
            "if you know a date, add `decided`",
        )
    ]


def test_numbers_that_go_back_in_time_are_seen_past_one_without_a_date() -> None:
    made = Ledger.start({203: UNANIMOUS}).file(*unrecorded(301))
    made.file(*unrecorded(302, "date: 2026-03-02")).file(*unrecorded(303, "date: 2026-03-01"))
    assert [(place, message) for place, message, _ in whole(made, "number-wrong")] == [
        (
            "proposals/303.md:5:7",
            "proposal 303 was put forward on 2026-03-01, before proposal 302 on 2026-03-02",
        )
    ]


def test_a_judgement_is_missing_too() -> None:
    body = "## Ruling\n\nIt is so."
    made = Ledger.start({203: UNANIMOUS}).judgement(1, "02-01", body).judgement(3, "02-02", body)
    assert whole(made, "number-missing") == [
        (
            "judgements/3.md:2:9",
            "judgement 2 is missing before judgement 3",
            "bring judgements/2.md back: whatever became of a judgement, its number and its file "
            "stay. If it is lost, list it under `lost: {judgements: [...]}` in nomic.yml",
        )
    ]


def test_an_account_is_one_players() -> None:
    made = Ledger.start({203: UNANIMOUS}).player("osprey", accounts={"github": "fish"})
    assert whole(made.player("quill", accounts={"github": "feather"}), "account-doubled") == []
    assert whole(made.player("quill", accounts={"gitlab": "fish"}), "account-doubled") == []
    assert whole(made.player("quill", accounts={"github": "FISH"}), "account-doubled") == [
        (
            "players/quill.yml:4:11",
            "osprey has that account on github already, so no vote from it could count",
            "give each player their own account, or write when one of the two `left`",
        )
    ]


def test_the_days_of_a_key_are_in_their_order() -> None:
    key = {"key": "ssh-ed25519 AAAAC3", "since": "2026-03-01", "until": "2026-02-01"}
    made = Ledger.start({203: UNANIMOUS}).player("osprey", keys=[key])
    assert [message for _, message, _ in whole(made, "dates-disorder")] == [
        "until 2026-02-01, before it begins on 2026-03-01"
    ]


def test_a_section_that_the_game_does_not_have() -> None:
    made = Ledger.start({203: UNANIMOUS}, sections={"Votes": "How", "Turns": "Whose"})
    body = "## Enact Rule\n\n```yaml rule\nsection: Turn\n```\n\nNew."
    assert whole(made.proposal(301, "02-01", body), "reference-unknown")[:1] == [
        ("proposals/301.md:21:10", "Turn is no section of nomic.yml", "did you mean Turns?")
    ]


def test_an_initial_rule_of_a_tier_that_the_game_does_not_have() -> None:
    made = Ledger.start({203: UNANIMOUS}).rule(204, tier="mutabel")
    assert whole(made, "reference-unknown")[:1] == [
        ("rules/initial/204.md:3:13", "mutabel is no tier of this game", "did you mean mutable?")
    ]


def test_days_of_a_player_stand_in_their_order() -> None:
    away = [
        {"since": day("02-01"), "until": day("02-03")},
        {"since": day("03-04"), "until": day("03-01")},
    ]
    made = Ledger.start({203: UNANIMOUS}).player("quill", left=day("2025-12-01"), inactive=away)
    assert whole(made, "dates-disorder") == [
        (
            "players/quill.yml:3:7",
            "left on 2025-12-01, before joining on 2026-01-01",
            "correct `left` or `joined`",
        ),
        (
            "players/quill.yml:8:12",
            "until 2026-03-01, before it begins on 2026-03-04",
            "correct `until` or `since`",
        ),
    ]


def test_who_changes_rules_by_a_judgement_says_when_and_who() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {}})
    made.file(
        "judgements/1.md",
        "---\nnumber: 1\nstatus: upheld\n---\n\n## Ruling\n\nSo.\n\n## Repeal Rule 204/0\n",
    )
    assert whole(made, "status-incomplete") == [
        (
            "judgements/1.md:3:9",
            f"changes rules, and no `{key}`",
            f"add `{key}`: who changes rules says when and who",
        )
        for key in ("date", "judge")
    ]


def test_an_act_that_changes_rules_under_none() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {}}).act("a", "02-01", "## Repeal Rule 204/0")
    assert whole(made, "authority-missing") == [
        (
            "acts/a.md:6:1",
            "Repeal Rule 204/0: an act changes rules only under a rule that lets it, and names "
            "none",
            "name in `under` a rule in force whose `authority` provision allows it, or make it a "
            "proposal",
        )
    ]


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        ((), ["number-wrong", "revision-stale", "turn-order"]),
        (("turns/R2T1.yml",), ["number-wrong", "revision-stale"]),
        (("acts/a.md",), []),
        (("acts/a.md", "turns/R2T1.yml"), []),
    ],
)
def test_what_an_unreadable_file_may_have_decided_is_blamed_on_nobody(
    broken: tuple[str, ...], kept: list[str]
) -> None:
    made = played(game(ORDER, r204={}), "R1T2 quill")
    made.proposal(302, "02-01", "## Amend Rule 204/3\n\nNew.").proposal(
        303, "01-31", "## Amend Rule 204/0\n\nNew."
    )
    for path in broken:
        made.file(path, "---\n[\n")
    told = {one.slug for one in made.applied().findings()}
    assert sorted(told & {"number-wrong", "revision-stale", "turn-order"}) == kept


def test_rules_that_are_not_what_the_ledger_gives() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {}, 205: {}}).applied()
    texts = {path: made.tree[path].decode() for path in ("rules/203.md", "rules/204.md")}
    del made.tree["rules/205.md"]
    made.file("rules/204.md", texts["rules/204.md"].replace("The text of 204.", "Other words."))
    made.file("rules/206.md", texts["rules/204.md"].replace("204", "206"))
    found = made.findings()
    assert [(one.slug, str(one.span), one.message, one.help) for one in found] == [
        (
            "rules-differ",
            "rules/204.md:7:1",
            "the file of Rule 204/0 differs from what the ledger gives",
            "do not edit rules/ by hand: `nomicgen apply` restores the file; to change the rule, "
            "restore it, then `nomicgen propose --title TITLE --amend 204`",
        ),
        (
            "rules-missing",
            "rules/205.md:1:1",
            "the ledger has Rule 205/0, but rules/ has no file for it",
            "run `nomicgen apply`, which writes it",
        ),
        (
            "rules-extra",
            "rules/206.md:1:1",
            "the ledger has no such rule",
            "`nomicgen apply` removes this file; to have such a rule, propose it (`nomicgen "
            "propose`)",
        ),
    ]
    assert found[0].detail == "\n".join(
        (
            "--- rules/204.md",
            "+++ what the ledger gives",
            "@@ -6,2 +6,2 @@",
            " ",
            "-Other words.",
            "+The text of 204.",
        )
    )


NEW = "## Enact Rule\n\nTea."
GUARDED = {
    203: UNANIMOUS,
    204: {"victory": {"points": "100"}},
    205: {"guards": {"keep": "victory"}},
}


@pytest.mark.parametrize(
    ("made", "slug", "place", "message"),
    [
        (
            lambda: (
                game(ORDER).turn("R1T1", "osprey", "01-05", "01-06").turn("R1T2", "quill", "01-02")
            ),
            "dates-disorder",
            "turns/R1T2.yml:2:8",
            "R1T2 began on 2026-01-02, before R1T1 on 2026-01-05",
        ),
        (
            lambda: (
                Ledger.start({203: UNANIMOUS})
                .proposal(301, "01-02", NEW)
                .proposal(305, "01-03", NEW)
            ),
            "number-missing",
            "proposals/305.md:2:9",
            "proposals 302 to 304 are missing before proposal 305",
        ),
        (
            lambda: Ledger.start(GUARDED).proposal(
                301, "01-02", "## Amend Rule 204/0\n\n```yaml rule\nprovisions: {}\n```\n\nDucks."
            ),
            "guard-broken",
            "proposals/301.md:18:1",
            "after this no rule would have a `victory` provision, which Rule 205 guards",
        ),
        (
            lambda: Ledger.start({203: UNANIMOUS, 204: {"cap": {}}}),
            "provision-wrong",
            "rules/initial/204.md:6:8",
            "cap should name a tier",
        ),
        (
            lambda: Ledger.start({203: UNANIMOUS, 204: {"ballot": {"debate": "1"}}}).proposal(
                301, "01-02", NEW, opened=None
            ),
            "debate-short",
            "proposals/301.md:6:10",
            "adopted on 2026-01-02; Rule 204 leaves 1 day for debate, so not before 2026-01-03",
        ),
    ],
)
def test_a_finding_says_where_and_what(
    made: Callable[[], Ledger], slug: str, place: str, message: str
) -> None:
    (found,) = [one for one in whole(made(), slug) if one[0] == place]
    assert found[:2] == (place, message)


def test_a_vote_in_the_order_of_turns_waits_for_no_turn_that_nobody_has_begun() -> None:
    made = game({**ORDER, "votes_in_order": True}).turn("R1T1", "osprey", "01-01")
    made.proposal(
        302, "01-02", NEW, author="osprey", turn="R9T9", status="debate", opened=None, votes="...."
    )
    made.proposal(301, "01-02", NEW, author="osprey", turn="R1T1")
    assert "vote-disorder" not in made.slugs()


def test_of_several_turns_each_deadline_is_that_of_the_last() -> None:
    clock = {"deadline": {"for": "turn", "within": 3, "then": "ends"}}
    made = Ledger.start({201: {"turns": ORDER}, 203: UNANIMOUS, 111: clock})
    made.turn("R1T1", "osprey", "01-01", "01-03").turn("R1T2", "quill", "01-03")
    records, replayed = made.play("01-10")
    (due,) = deadlines(records, replayed, day("01-10"))
    assert (due.path, str(due.moment), due.then) == ("turns/R1T2.yml", "2026-01-06", "R1T2 ends")


def test_what_players_can_do_is_theirs_who_play_and_are_persons() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {"seconding": {"seconds": 1}}})
    made.player("dummy", joined=day("01-01"), kind="dummy").player(
        "gone", joined=day("01-01"), left=day("01-02")
    )
    made.proposal(301, "01-02", NEW, author="osprey", status="debate", opened=None, votes="....")
    records, replayed = made.play("01-03")
    ((kind, done, able),) = possible_deeds(records, replayed, day("01-03"))
    assert (kind.name, done.path, able) == (
        "second",
        "proposals/301.md",
        ["quill", "tallow", "wren"],
    )


def test_why_a_vote_cannot_open_yet_says_since_when_it_can() -> None:
    made = Ledger.start({203: UNANIMOUS, 204: {"ballot": {"debate": "2"}}})
    made.proposal(301, "01-02", NEW, author="osprey", status="debate", opened=None, votes="....")
    records, replayed = made.play("01-03")
    (proposal,) = records.of_kind("proposal")
    (found,) = against_opening(proposal, records, replayed, day("01-03"))
    assert found.waits is not None
    assert (found.rule, str(found.waits.since)) == (204, "2026-01-04")
    said = debate_of(Law.of(replayed.current, records.settings, day("01-03")))
    assert said is not None
    assert (said.value, said.rule) == (2, 204)
    assert against_opening(proposal, records, replayed, day("01-04")) == ()


def test_an_overruling_in_time_is_said_in_words() -> None:
    until = {"judgements": {"overruled_until": "next-turn"}}, {"judgements": {"overruled_until": 7}}
    told = [" ".join(sentences(parse_provisions(law, None)[0])) for law in until]
    assert "before the next turn begins" in told[0]
    assert "within 7 days" in told[1]


def test_who_left_has_left_from_that_day_on() -> None:
    made = Ledger.start({203: UNANIMOUS}).player("gone", joined=day("01-01"), left=day("01-05"))
    gone = made.play()[0].players[PlayerId("gone")]
    assert [has_left(gone, day(on)) for on in ("01-04", "01-05", "01-06")] == [False, True, True]
    assert has_left(gone, None)
    wren = made.play()[0].players[PlayerId("wren")]
    assert not has_left(wren, None)


@pytest.mark.parametrize(
    ("left", "joined", "together"),
    [
        ("01-04", "01-05", False),
        ("01-05", "01-05", False),
        ("01-06", "01-05", True),
        (None, "01-05", True),
    ],
)
def test_who_joins_before_another_leaves_plays_with_them(
    left: str | None, joined: str, together: bool
) -> None:
    days = {} if left is None else {"left": day(left)}
    made = Ledger.start({203: UNANIMOUS}).player("gone", joined=day("01-01"), **days)
    players = made.player("come", joined=day(joined)).play()[0].players
    gone, come = players[PlayerId("gone")], players[PlayerId("come")]
    assert are_together(gone, come) is are_together(come, gone) is together


def test_a_text_that_is_newer_than_its_provisions_is_told_in_its_file() -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", "## Amend Rule 203/0\n\nNew.")
    records, played = made.play()
    assert [(str(one.span), one.rule) for one in check_confirmed(records, played)] == [
        ("rules/203.md:1:1", 203)
    ]


@pytest.mark.parametrize(("status", "told"), [("withdrawn", 0), ("void", 0), ("open", 1)])
def test_what_was_taken_back_need_not_have_said_anything(status: str, told: int) -> None:
    made = Ledger.start({203: UNANIMOUS}).proposal(301, "02-01", "", "....", status)
    assert len(whole(made, "instruction-missing")) == told
