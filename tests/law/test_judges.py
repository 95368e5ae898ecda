"""Who judges, until when a judgement may be overruled, and which proposals a judgement may void."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger import UNANIMOUS, Ledger, day
from tests.turns import NEW, ORDER

BODY = "Is it?\n\n## Ruling\n\nIt is.\n"
HERALD = {"roles": [{"role": "herald", "since": day("01-01")}]}


def game(**said: Any) -> Ledger:
    """Rule 212 says this of judgements; Osprey has a turn till 01-03, Quill from then on."""
    made = Ledger.start(
        {
            201: {"turns": {"order": "alphabetical"}},
            203: UNANIMOUS,
            212: {"judgements": said},
            213: {},
        }
    )
    return made.turn("R1T1", "osprey", "01-02", "01-03").turn("R1T2", "quill", "01-03", "01-09")


def judged(made: Ledger, number: int, on: str, judge: str, **matter: Any) -> Ledger:
    return made.judgement(number, on, BODY, judge=judge, **matter)


def reasons(made: Ledger) -> list[str]:
    return [one.split(": ", 1)[1] for one in made.told()]


# Who judges


@pytest.mark.parametrize("judge", ["osprey", "quill", "tallow", "wren"])
def test_the_next_player_judges(judge: str) -> None:
    made = judged(game(judge="next"), 1, "01-04", judge, turn="R1T2")
    wrong = f"{judge} judges in R1T2 of quill; by Rule 212 the judge is tallow (Rule 212)"
    assert reasons(made) == ([] if judge == "tallow" else [wrong])


def test_after_an_overruling_the_one_after_that_judges() -> None:
    for judge, slugs in (
        ("wren", []),
        ("tallow", []),
        ("osprey", ["judge-wrong"]),
        ("quill", ["judge-wrong"]),
    ):
        made = judged(
            game(judge="next"), 1, "01-04", "tallow", status="overruled", overruled=day("01-05")
        )
        assert judged(made, 2, "01-06", judge).slugs() == slugs, judge


def test_who_is_next_goes_round_and_over_who_rests() -> None:
    made = (
        game(judge="next")
        .turn("R1T2", "quill", "01-03", "01-04")
        .turn("R1T3", "tallow", "01-04", "01-05")
    )
    made.turn("R1T4", "wren", "01-05")
    assert judged(made, 1, "01-06", "osprey").slugs() == []
    made.player("osprey", inactive=[{"since": day("01-06")}])
    assert judged(made, 1, "01-06", "osprey").slugs() == ["judge-wrong"]
    assert judged(made, 1, "01-06", "quill").slugs() == []


@pytest.mark.parametrize("overlap", [True, None])
def test_nobody_judges_during_their_own_turn(overlap: bool | None) -> None:
    """Osprey's turn goes on while it is Quill's; where no rule lets turns overlap, its end was not
    recorded.
    """
    made = game(judge="previous").rule(
        201, {"turns": {**ORDER, **({"overlap": True} if overlap else {})}}
    )
    made.turn("R1T1", "osprey", "01-02")
    for judge in ("osprey", "wren"):
        allowed = judge == ("wren" if overlap else "osprey")
        assert judged(made, 1, "01-04", judge, turn="R1T2").slugs() == (
            [] if allowed else ["judge-wrong"]
        ), judge
    # On the day on which it ends nobody knows.
    made.turn("R1T1", "osprey", "01-02", "01-04")
    for judge, slugs in (("osprey", []), ("tallow", ["judge-wrong"])):
        assert judged(made, 1, "01-04", judge, turn="R1T2").slugs() == slugs, judge


def test_whoever_holds_a_role_that_day_judges() -> None:
    made = game(judge={"role": "herald"})
    held = [{"role": "herald", "since": day("01-02"), "until": day("01-05")}]
    made.player("wren", roles=held)
    assert judged(made, 1, "01-04", "wren").slugs() == []
    assert reasons(judged(made, 1, "01-04", "tallow")) == [
        "tallow judges; by Rule 212 the judge is a herald, that is wren (Rule 212)"
    ]
    for on in ("01-01", "01-05"):
        assert reasons(judged(made, 1, on, "wren")) == [
            f"wren judges; by Rule 212 the judge is a herald, and nobody is one on 2026-{on} "
            "(Rule 212)"
        ]


def test_after_an_overruling_another_holder_judges_the_same_question() -> None:
    def again(judge: str, **matter: Any) -> list[str]:
        made = game(judge={"role": "herald"}).player("wren", **HERALD).player("tallow", **HERALD)
        judged(
            made, 1, "01-04", "wren", rules=["213/0"], status="overruled", overruled=day("01-05")
        )
        return reasons(judged(made, 2, "01-06", judge, **matter))

    same = {"rules": ["213/0"]}
    assert again("tallow", **same) == []
    assert again("wren", **same) == [
        "wren judges; by Rule 212 the judge is a herald, that is tallow (Rule 212)"
    ]
    assert again("wren", rules=["203/0"]) == again("wren") == []


def test_the_only_holder_judges_again() -> None:
    made = game(judge={"role": "herald"}).player("wren", **HERALD)
    judged(made, 1, "01-04", "wren", rules=["213/0"], status="overruled", overruled=day("01-05"))
    assert judged(made, 2, "01-06", "wren", rules=["213/0"]).slugs() == []


def test_what_overrules_a_judgement_is_another_holder_s() -> None:
    made = game(judge={"role": "herald"}).player("wren", **HERALD).player("tallow", **HERALD)
    judged(made, 1, "01-04", "wren", status="overruled", overruled=day("01-05"), overruled_by=2)
    assert judged(made, 2, "01-05", "tallow").slugs() == []


def test_who_was_late_does_not_judge_in_the_end() -> None:
    made = game(judge={"role": "herald"}).player("wren", **HERALD)
    assert judged(made, 1, "01-04", "wren", late=["wren"]).slugs() == []  # nobody else can
    made.player("tallow", **HERALD)
    assert reasons(judged(made, 1, "01-04", "wren", late=["wren"])) == [
        "wren judges; by Rule 212 the judge is a herald, that is tallow (Rule 212)"
    ]
    assert judged(made, 1, "01-04", "tallow", late=["wren"]).slugs() == []
    for said in ({"judge": "anyone"}, {}):
        assert reasons(judged(game(**said), 1, "01-04", "wren", late=["wren"])) == [
            "wren judges, and let the time run out, as `late` says"
        ]


def test_anyone_who_plays_judges() -> None:
    made = game(judge="anyone").player("wren", left=day("01-05")).player("die", kind="bot")
    assert judged(made, 1, "01-04", "wren").slugs() == []
    for on, judge in (("01-05", "wren"), ("01-04", "die")):
        assert reasons(judged(made, 1, on, judge)) == [
            f"{judge} judges, and does not play on 2026-{on} (Rule 212)"
        ]


# Until when


def overruled(until: Any, given: str, on: str, **matter: Any) -> list[str]:
    made = game(overruled_until=until)
    return reasons(judged(made, 1, given, "quill", status="overruled", overruled=day(on), **matter))


def test_a_judgement_may_be_overruled_for_so_many_days() -> None:
    for on in ("01-04", "01-06", "01-07"):
        assert overruled("3", "01-04", on) == []
    assert overruled("3", "01-04", "01-08") == [
        "Judgement 1 is overruled on 2026-01-08; by Rule 212 that was possible until 2026-01-07 "
        "(Rule 212)"
    ]
    assert overruled("1", "2026-01-04T12:00", "2026-01-05T12:00") == []
    assert len(overruled("1", "2026-01-04T12:00", "2026-01-05T12:01")) == 1


def test_a_judgement_may_be_overruled_before_the_next_turn_begins() -> None:
    late = (
        "Judgement 1 is overruled on 2026-01-04; by Rule 212 that was possible until "
        "2026-01-03 (Rule 212)"
    )
    assert overruled("next-turn", "01-02", "01-02", turn="R1T1") == []
    assert overruled("next-turn", "01-02", "01-03", turn="R1T1") == []
    assert overruled("next-turn", "01-02", "01-04", turn="R1T1") == [late]
    assert overruled("next-turn", "01-02", "01-04") == [late]
    # No turn has begun since.
    assert overruled("next-turn", "01-04", "12-01", turn="R1T2") == []


def test_too_late_and_by_too_few() -> None:
    made = game(overruled_until="2", overruled_by="others")
    judged(
        made, 1, "01-04", "quill", status="overruled", overruled=day("01-08"), overruled_by=["wren"]
    )
    assert made.slugs() == ["overruling-wrong", "overruling-wrong"]


# What it may void


def voided(
    said: Any, *, under: int | None = None, ended: str | None = "01-04", judged_on: str = "01-04"
) -> Ledger:
    """Everybody has voted for Proposal 301, and it is called void by a judgement that names a rule
    in `under`.
    """
    made = game(**({"voids": said} if said else {}))
    made.rule(104, {"ballot": {"withdrawal": "until-complete"}})
    made.proposal(301, "01-03", NEW, status="void")
    if ended:
        text = made.tree["proposals/301.md"].decode()
        made.file(
            "proposals/301.md",
            text.replace("status: void\n", f"status: void\ndecided: 2026-{ended}\n"),
        )
    matter = {} if under is None else {"under": under}
    return judged(made, 1, judged_on, "quill", voids=301, **matter)


def test_where_a_rule_says_who_may_judge_a_judgement_names_its_judge() -> None:
    for said in ({"judge": "anyone"}, {"never": ["caller"]}, {"voids": "any"}):
        made = Ledger.start({203: UNANIMOUS, 212: {"judgements": said}})
        made.judgement(1, "01-04", BODY, called_by="wren")
        named = "nobody is named as the judge; Rule 212 says who may judge (Rule 212)"
        assert reasons(made) == [] if "voids" in said else [named]


def test_any_judgement_may_void() -> None:
    assert voided(None).slugs() == voided("any").slugs() == []


def test_a_judgement_without_authority_excuses_nothing_though_it_comes_later_in_the_ledger() -> (
    None
):
    """Without a day of its own a proposal was void when it was put forward: before it was
    judged.
    """
    assert voided("none", ended=None).slugs() == ["voids-unlawful", "withdrawal-late"]
    assert (
        voided("any", ended=None).slugs() == voided("offended", under=213, ended=None).slugs() == []
    )


def test_no_judgement_may_void() -> None:
    made = voided("none", under=213)
    assert made.slugs() == ["voids-unlawful", "withdrawal-late"]
    assert (
        "Judgement 1 voids Proposal 301; Rule 212 lets no judgement void a proposal (Rule 212)"
        in reasons(made)
    )
    made.judgement(1, "01-04", BODY)
    assert made.slugs() == ["withdrawal-late"]


def test_a_judgement_may_void_what_offends_a_rule() -> None:
    assert voided("offended", under=213).slugs() == []
    for under, why in (
        (None, "and names no rule in `under`; Rule 212 asks for one that the proposal breaks"),
        (999, "and Rule 999 was not in force then; Rule 212 asks for one that the proposal breaks"),
    ):
        made = voided("offended", under=under)
        assert [one for one in made.slugs() if one != "reference-unknown"] == [
            "voids-unlawful",
            "withdrawal-late",
        ]
        assert f"Judgement 1 voids Proposal 301, {why} (Rule 212)" in reasons(made)


def test_the_rule_was_in_force_when_the_proposal_was_decided() -> None:
    """Rule 213 is repealed on 01-05; Rule 214 is made on that day."""
    body = "## Repeal Rule 213/0\n\n## Enact Rule\n\nNew."
    for under, ended, judged_on, slugs in (
        (213, "01-04", "01-04", []),
        (213, "01-04", "01-09", []),
        (302, "01-04", "01-09", ["voids-unlawful"]),
        (302, "01-06", "01-09", []),
        (213, "01-06", "01-09", ["voids-unlawful"]),
    ):
        made = game(voids="offended").proposal(302, "01-05", body)
        made.proposal(301, "01-03", NEW, status="defeated", votes="aaaa", decided=day(ended))
        assert judged(made, 1, judged_on, "quill", voids=301, under=under).slugs() == slugs, (
            under,
            ended,
            judged_on,
        )


def test_a_rule_without_force_is_not_in_force() -> None:
    made = voided("offended", under=213)
    made.tree["rules/initial/213.md"] = made.tree["rules/initial/213.md"].replace(
        b"---\n\n", b"void: true\n---\n\n"
    )
    assert made.slugs() == ["voids-unlawful", "withdrawal-late"]


# A judgement that changes rules


VOID = "## Mark Rule 213/0\n\n```yaml rule\nvoid: true\n```\n"
MARK = "## Mark Rule 213/0\n\n```yaml rule\nnote: Read it twice.\n```\n"
LETS = {"authority": {"by": "judgement", "to": "void"}}


def before_the_turns(said: Any, *, order: bool = True, **turn: Any) -> Ledger:
    """A game in which no turn has begun, and Rule 214 lets a judgement void a rule."""
    turns = {"turns": {"order": "alphabetical"}} if order else {}
    rules: dict[int, Any] = {201: turns, 203: UNANIMOUS, 213: {}, 214: LETS}
    return Ledger.start(rules if said is None else {**rules, 212: {"judgements": said}})


def voiding(made: Ledger, judge: str = "wren", body: str = VOID, **matter: Any) -> list[str]:
    made.judgement(1, "01-04", f"{BODY}\n{body}", judge=judge, under=214, **matter)
    return reasons(made)


def test_who_may_be_no_judge_changes_no_rule() -> None:
    previous = (
        "Judgement 1 changes rules, and by Rule 212 the judge is the player before the "
        "one whose turn it is, and "
    )
    for said, why in (
        (
            {"judge": "previous", "overruled_by": "others"},
            f"{previous}no turn was played on 2026-01-04 (Rule 212)",
        ),
        ({"overruled_by": "others"}, "Judgement 1 changes rules, and no rule says who judges"),
        (None, "Judgement 1 changes rules, and no rule says who judges"),
    ):
        made = before_the_turns(said)
        assert voiding(made) == [why]
        assert "213/0" in made.numbers(), "nothing came of it"
        assert not [rule for rule in made.play()[1].current if rule.void]


def test_without_instructions_it_is_recorded() -> None:
    for said in ({"judge": "previous"}, {"overruled_by": "others"}, None):
        assert voiding(before_the_turns(said), body="") == []
        assert voiding(before_the_turns(said), body=MARK) == [], "a note binds nobody"


def test_whoever_is_known_to_be_the_judge_changes_rules() -> None:
    turn = {"ident": "R1T1", "player": "osprey", "began": "01-02"}
    for said, judge in (
        ({"judge": "previous"}, "wren"),
        ({"judge": "next"}, "quill"),
        ({"never": ["caller"]}, "tallow"),
    ):
        assert voiding(before_the_turns(said).turn(**turn), judge) == []
    assert (
        voiding(before_the_turns({"judge": "anyone"}))
        == voiding(before_the_turns({"never": ["caller"]}))
        == []
    )


def test_nobody_is_before_another_where_no_rule_orders_the_players() -> None:
    made = before_the_turns({"judge": "previous"}, order=False).turn("R1T1", "sable", "01-02")
    assert voiding(made.player("sable", left=day("01-03"))) == [
        "Judgement 1 changes rules, and by Rule 212 the judge is the player before the one whose "
        "turn it is, and no rule says who plays before or after whom in R1T1 (Rule 212)"
    ]


def test_a_turn_that_is_not_there_makes_no_judge() -> None:
    assert voiding(before_the_turns({"judge": "next"}), turn="R9T9") == [
        "Judgement 1 changes rules, and by Rule 212 the judge is the player after the one whose "
        "turn it is, and there is no turn R9T9 (Rule 212)"
    ]


def test_what_nobody_could_read_makes_nobody_a_wrong_judge() -> None:
    made = before_the_turns({"judge": "previous"}).file("turns/R1T1.yml", "player: [osprey\n")
    assert "judge-wrong" not in [
        finding.slug for finding in made.judgement(1, "01-04", f"{BODY}\n{VOID}").findings()
    ]
