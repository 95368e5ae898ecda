"""Judgements that change rules, under a rule that lets them; that pay and cost points; that are
overruled.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.playing import begun, passed, refused, run
from tests.pulls.pulling import draft
from tests.support import GitRepo

RULING = "It cannot go on.\n"
REPEAL = "## Repeal Rule 213/0\n"
VOID = "## Mark Rule 205/0\n\n```yaml rule\nvoid: 2026-01-05\nnote: see judgement 1\n```\n"


@pytest.fixture
def court(git_repo: Callable[..., GitRepo]) -> GitRepo:
    """A game where judgements under Rule 212 may amend and repeal rules, are paid for, and cost who
    is late.
    """
    authority = {"by": "judgement", "to": ["amend", "repeal"]}
    points = [
        {"on": "judged", "to": "judge", "amount": "2"},
        {"on": "late-judge", "to": "judge", "amount": "-3"},
    ]
    game = begun(
        git_repo(),
        {212: {"authority": authority, "points": points, "judgements": {"judge": "anyone"}}},
    )
    texts = {
        "ruling.md": RULING,
        "repeal.md": REPEAL,
        "void.md": VOID,
        "why.md": "May play go on?\n",
    }
    for name, text in texts.items():
        (game.path.parent / name).write_text(text)
    return game


def judged(game: GitRepo, line: str, *files: str) -> list[str]:
    """The arguments of a judgement, its files named by their options."""
    given = [
        word for option in files for word in (f"--{option.partition(':')[0]}", _path(game, option))
    ]
    return [f"judgement file --judge quill {line}", *given]


def _path(game: GitRepo, option: str) -> str:
    return str(game.path.parent / f"{option.rpartition(':')[2]}.md")


def test_a_judgement_that_repeals_a_rule(court: GitRepo) -> None:
    line = (
        "--called-by wren --rule 213 --title Stop --under 212 --late osprey --on 2026-01-03 "
        "--commit"
    )
    typed = judged(court, line, "question:why", "ruling:ruling", "changes:repeal")
    assert run(court.path, *typed).splitlines()[:-1] == [
        "judgements/1.md is written",
        "  quill +2: judgement 1, as its judge (Rule 212)",
        "  osprey −3: judgement 1, as a judge who was late (Rule 212)",
    ]
    assert (court.path / "judgements/1.md").read_text() == (
        "---\nnumber: 1\ntitle: Stop\ncalled_by: wren\njudge: quill\nlate: [osprey]\n"
        "date: 2026-01-03\n"
        "rules: [213/0]\nstatus: upheld\nunder: 212\n---\n\n"
        "May play go on?\n\n## Ruling\n\nIt cannot go on.\n\n## Repeal Rule 213/0\n"
    )
    assert court.git("log", "-1", "--format=%s|%(trailers:only)").strip() == (
        "Judgement 1: Stop|Instrument: judgements/1.md"
    )
    assert court.git("show", "--name-status", "--format=").splitlines() == [
        "A\tjudgements/1.md",
        "D\trules/213.md",
    ]
    assert "Repealed by Judgement 1 (quill)" in run(court.path, "rule history 213")
    assert run(court.path, "check --strict").endswith("nothing is wrong\n")


def test_a_judgement_that_voids_a_rule(court: GitRepo) -> None:
    run(
        court.path,
        *judged(
            court,
            "--rule 205 --under 212 --on 2026-01-05 --commit",
            "ruling:ruling",
            "changes:void",
        ),
    )
    said = run(court.path, "show 205")
    assert (
        "(void from 2026-01-05 on: it stays listed, without force)\nnote: see judgement 1\n" in said
    )
    assert court.git("show", "--name-status", "--format=").splitlines() == [
        "A\tjudgements/1.md",
        "M\trules/205.md",
    ]
    assert run(court.path, "check --strict").endswith("nothing is wrong\n")


def test_a_rule_that_is_void_later_has_force_until_then(game: GitRepo) -> None:
    path = game.path / "rules/initial/205.md"
    path.write_text(path.read_text().replace("---\n", "---\nvoid: 2999-01-01\n", 1))
    run(game.path, "apply")
    said = run(game.path, "show 205")
    assert "(void from 2999-01-01 on: it stays listed, without force)\n" in said
    assert "Machine-readable meaning:" in said
    assert "Rule 205/0: At once\n  enforced: " in run(game.path, "rulesets show")


@pytest.mark.parametrize(
    ("line", "files", "code", "said"),
    [
        (
            "--under 212",
            ["changes:repeal"],
            2,
            "error: a judgement can change rules only with a ruling, and this one has none\n",
        ),
        (
            "--under 212",
            ["ruling:ruling", "changes:why"],
            2,
            "error: --changes has no instruction\n",
        ),
        (
            "",
            ["ruling:ruling", "changes:repeal"],
            1,
            "a judgement changes rules only under a rule that lets it",
        ),
        (
            "--under 211",
            ["ruling:ruling", "changes:repeal"],
            1,
            "Rule 211 gives a judgement no authority",
        ),
        (
            "--under 999",
            ["ruling:ruling", "changes:repeal"],
            1,
            "error[reference-unknown]: there never was a Rule 999",
        ),
        ("--proposal 999", [], 1, "error[reference-unknown]: there is no proposal 999"),
        ("--late nobody", [], 2, "error: there is no player nobody\n"),
        ("--called-by nobody", [], 2, "error: there is no player nobody\n"),
        ("--rule 999", [], 2, "error: there is no Rule 999 in force\n"),
    ],
)
def test_a_judgement_without_authority(
    court: GitRepo, line: str, files: list[str], code: int, said: str
) -> None:
    assert said in refused(court.path, *judged(court, f"{line} --on 2026-01-03", *files), code=code)


def test_an_entrenched_rule_is_out_of_reach(court: GitRepo) -> None:
    (court.path.parent / "repeal.md").write_text("## Repeal Rule 105/0\n")
    typed = judged(court, "--under 212 --on 2026-01-03", "ruling:ruling", "changes:repeal")
    said = refused(court.path, *typed, code=1)
    assert (
        "error[tier-protected]: Rule 105/0 is immutable; Rule 103 forbids the repeal of "
        "immutable rules " in said
    )


def test_a_pending_judgement_pays_nobody(court: GitRepo) -> None:
    assert (
        run(court.path, *judged(court, "--rule 203 --late osprey --on 2026-01-03"))
        == "judgements/1.md is written\n"
    )
    assert "pending: Judgement 1\n" in run(court.path, "status")
    assert run(court.path, "scores").splitlines()[:3] == ["osprey  0", "quill   0", "wren    0"]


def test_overruling_keeps_what_was_changed(court: GitRepo) -> None:
    typed = judged(court, "--under 212 --on 2026-01-03 --commit", "ruling:ruling", "changes:repeal")
    run(court.path, *typed)
    assert run(court.path, "judgement overrule 1 --on 2026-01-06 --commit").splitlines()[:-1] == [
        "judgement 1 is overruled, from 2026-01-06",
        "what it changed stays until an instruction undoes it: see judgements/1.md",
    ]
    text = (court.path / "judgements/1.md").read_text()
    assert "\nstatus: overruled\noverruled: 2026-01-06\nunder: 212\n" in text
    assert not (court.path / "rules/213.md").exists()
    assert court.git("log", "-1", "--format=%s") == "Judgement 1 is overruled"
    assert run(court.path, "check --strict").endswith("nothing is wrong\n")


def test_what_cannot_be_overruled(court: GitRepo) -> None:
    run(court.path, *judged(court, "--on 2026-01-03", "ruling:ruling"))
    run(court.path, *judged(court, "--on 2026-01-04"))
    stands = "help: those that stand can be overruled: 1\n"
    assert (
        refused(court.path, "judgement overrule 9") == f"error: there is no judgement 9\n{stands}"
    )
    assert refused(court.path, "judgement overrule 2") == f"error: judgement 2 is pending\n{stands}"
    said = refused(court.path, "judgement overrule 1 --on 2026-01-02", code=1)
    assert (
        "error[dates-disorder]: overruled on 2026-01-02, before it was made on 2026-01-03\n" in said
    )
    run(court.path, "judgement overrule 1 --on 2026-01-05")
    assert refused(court.path, "judgement overrule 1") == (
        "error: judgement 1 is overruled\nhelp: those that stand can be overruled: there is none\n"
    )


# What `nomicgen judgement file` and `nomicgen judgement overrule` refuse.


LAW = {
    212: {"judgements": {"judge": {"role": "herald"}, "overruled_until": 3, "voids": "offended"}}
}
HERALD = "name: Quill\njoined: 2026-01-01\norder: 2\nroles: [{role: herald, since: 2026-01-01}]\n"


def test_a_court_of_heralds(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), LAW)
    game.write({"players/quill.yml": HERALD})
    game.commit("Quill is the herald")
    passed(game, 301, "Tea.\n\n## Enact Rule\n\nThere is tea.\n", "2026-01-03")
    ruling = game.path.parent / "ruling.md"
    ruling.write_text("It is void.\n")
    said = refused(
        game.path, f"judgement file --judge wren --ruling {ruling} --on 2026-01-04", code=1
    )
    assert (
        "error[judge-wrong]: wren judges; by Rule 212 the judge is a herald, that is quill\n"
        "  rule: Rule 212\n" in said
    )
    typed = f"judgement file --judge quill --voids 301 --ruling {ruling} --on 2026-01-04"
    said = refused(game.path, typed, code=1)
    assert (
        "error[voids-unlawful]: Judgement 1 voids Proposal 301, and names no rule in `under`; "
        in said
    )
    assert run(game.path, f"{typed} --under 203 --commit").startswith(
        "judgements/1.md is written\n"
    )
    late = "Judgement 1 is overruled on 2026-01-08; by Rule 212 that was possible until 2026-01-07"
    assert f"error[overruling-wrong]: {late}\n" in refused(
        game.path, "judgement overrule 1 --on 2026-01-08", code=1
    )
    assert f"error[overruling-wrong]: {late}\n" in refused(
        game.path, "judgement overrule 1 --on 2026-01-08 --dry-run", code=1
    )
    assert "judgement 1 is overruled, from 2026-01-07" in run(
        game.path, "judgement overrule 1 --on 2026-01-07"
    )


def test_the_judge_of_a_question_is_the_one_whom_the_rules_name(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo(), {})
    run(game.path, "turn --on 2026-01-02 --commit")
    line = "judgement file --called-by osprey --rule 203 --title Votes --on 2026-01-03"
    said = refused(game.path, f"{line} --judge quill", code=1)
    assert (
        "error[judge-wrong]: quill judges in R1T1 of osprey; by Rule 212 the judge is wren" in said
    )
    assert not (game.path / "judgements/1.md").exists()
    assert run(game.path, f"{line} --commit").startswith("judgements/1.md is written\n")
    assert "judge: wren\n" in (game.path / "judgements/1.md").read_text("utf-8")


def test_where_several_may_judge_the_judge_is_to_be_named(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo(), {212: {}})
    said = refused(game.path, "judgement file --called-by osprey --rule 203 --title Votes")
    assert "osprey, quill, wren may judge this" in said
    assert "name the judge: --judge ID" in said


def test_who_plays_next_is_not_asked_whether_the_turn_may_begin(
    git_repo: Callable[..., GitRepo],
) -> None:
    """Rule 212 asks a majority of the other players."""
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {}})
    run(game.path, "turn --on 2026-01-02 --commit")
    run(
        game.path,
        "judgement file --judge wren --called-by quill --rule 203 --title Votes --on 2026-01-03 "
        "--commit",
    )
    said = refused(game.path, "do waive 1 --player quill --on 2026-01-04")
    assert "quill waives judgement 1, and R1T2 is theirs; Rule 212 asks the other players" in said
    for player in ("osprey", "wren"):
        assert run(game.path, f"do waive 1 --player {player} --on 2026-01-04 --commit").startswith(
            f"{player} waives"
        )
    assert "deed-unlawful" not in run(game.path, "check")
    # The ruling comes later, and writes its own day where the day of the question was.
    pending = (game.path / "judgements/1.md").read_text("utf-8")
    given = pending.replace("date: 2026-01-03", "date: 2026-01-05")
    given = given.replace("status: pending", "status: upheld")
    game.write({"judgements/1.md": f"{given}\n## Ruling\n\nYes.\n"})
    assert "0 errors" in run(game.path, "check --on 2026-01-05")
    # When the next turn begins first, another player judges.
    game.write({"judgements/1.md": pending})
    run(game.path, "turn --end --on 2026-01-04 --commit")
    run(game.path, "turn --on 2026-01-05 --commit")
    assert (
        "Judgement 1 waits for osprey in place of wren\n  write `## Ruling` with the ruling, "
        "`judge: osprey`, `date: 2026-01-06` and `status: upheld` into judgements/1.md, and delete "
        "`turn`\n"
    ) in (said := run(game.path, "next --on 2026-01-06"))
    # No rule says who proposes in a turn.
    assert "it is quill's turn (R1T2): anybody can propose" in said


def test_a_draft_that_waits_for_a_turn_says_which_judgement_keeps_it_from_beginning(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat", "proposals": 1}}, 202: {}})
    run(game.path, "turn --on 2026-01-02 --commit")
    line = "judgement file --judge wren --called-by quill --rule 203 --title Votes"
    run(game.path, f"{line} --on 2026-01-02 --commit")
    run(game.path, "turn --end --on 2026-01-03 --commit")
    game.write({"proposals/tea.md": draft("Tea", author="wren")})
    said = refused(game.path, "register tea --on 2026-01-03")
    assert (
        "R1T2 of quill is the next turn, and cannot begin while Judgement 1 is pending; Rule 212 "
        "asks for the consent of more than half of the other players (2), and none consent"
    ) in said
    assert "`/waive 1`" in said


def test_who_consented_before_the_judge_was_late_has_consented(
    git_repo: Callable[..., GitRepo],
) -> None:
    """The day of a judgement that has another judge is that on which the time of one ran out. A
    turn and a consent of one day need no times.
    """
    late = {"deadline": {"for": "judgement", "within": 2, "then": "replaced"}}
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {}, 203: late})
    run(game.path, "turn --on 2026-01-02 --commit")
    asked = "judgement file --judge wren --called-by quill --title Votes"
    run(game.path, f"{asked} --on 2026-01-02 --commit")
    run(game.path, "do waive 1 --player wren --on 2026-01-02T13:00 --commit")
    said = run(game.path, "next --do --on 2026-01-05 --commit")
    assert "somebody other than wren judges\n" in said
    assert "late: [wren]\ndate: 2026-01-04\n" in (game.path / "judgements/1.md").read_text("utf-8")
    assert "nothing is wrong" in run(game.path, "check --on 2026-01-05")


@pytest.mark.parametrize(("day", "is_earlier"), [("2026-01-03", False), ("2026-01-02", True)])
def test_what_is_asked_in_a_turn_does_not_hold_up_that_turn(
    git_repo: Callable[..., GitRepo], day: str, is_earlier: bool
) -> None:
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {}})
    run(game.path, "turn --on 2026-01-02 --commit")
    run(game.path, "turn --end --on 2026-01-03 --commit")
    run(game.path, "turn --on 2026-01-03 --commit")
    line = (
        f"judgement file --judge osprey --called-by wren --rule 203 --title Votes --turn R1T2 "
        f"--on {day}"
    )
    if is_earlier:
        assert "R1T2 was not being played on 2026-01-02" in refused(game.path, line, code=1)
    else:
        assert run(game.path, line).startswith("judgements/1.md is written\n")


def test_a_judgement_is_overruled_before_the_next_turn_begins(
    git_repo: Callable[..., GitRepo],
) -> None:
    """Of two things of one day the program does not know which came first, and asks for the
    time.
    """
    game = begun(git_repo(), {201: {"turns": {"order": "seat"}}, 202: {}})
    (game.path.parent / "so.md").write_text(RULING)
    run(game.path, "turn --on 2026-01-02 --commit")
    line = (
        "judgement file --judge wren --called-by quill --rule 203 --on 2026-01-03 --commit --ruling"
    )
    run(game.path, line, str(game.path.parent / "so.md"))
    by = "--by osprey --by quill"
    assert "is overruled" in run(game.path, f"judgement overrule 1 {by} --on 2026-01-04 --dry-run")
    run(game.path, "turn R1T1 --end --on 2026-01-04 --commit")
    run(game.path, "turn --on 2026-01-04 --commit")
    said = refused(game.path, f"judgement overrule 1 {by} --on 2026-01-04")
    assert said == (
        "error: R1T2 began on 2026-01-04; by Rule 212 a judgement is overruled before that\n"
        "help: if the players voted for it before R1T2 began, say when: --on 2026-01-04T10:00\n"
    )
    late = refused(game.path, f"judgement overrule 1 {by} --on 2026-01-05", code=1)
    assert "by Rule 212 that was possible until 2026-01-04" in late
    assert "is overruled" in run(
        game.path, f"judgement overrule 1 {by} --on 2026-01-04T10:00 --commit"
    )
