"""Caps and floors that change: none may be adopted that the rules break as they stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicgen.files.text_encoding import Oddity
from nomicgen.law.kind import Table
from nomicgen.law.provisions.cap import CAP, Cap
from nomicgen.law.provisions.floor import FLOOR, Floor
from nomicgen.law.sizes import SizeLimit
from tests.ledger import UNANIMOUS, Ledger
from tests.mutations.game import loaded
from tests.mutations.mutation import DRAFT, R201, swap, valid
from tests.worked import cases_in, told_of

RULES = {
    101: {},
    201: UNANIMOUS,
    202: {"cap": {"mutable": "9"}},
    203: {},
    204: {"cap": {"mutable": "3"}},
}


def amended(said: str, number: int = 202) -> Ledger:
    body = f"## Amend Rule {number}/0\n\n```yaml rule\nprovisions: {said}\n```\n\nOtherwise."
    return Ledger.start(RULES).proposal(301, "02-01", body)


def test_a_cap_below_what_stands_is_refused() -> None:
    made = amended("{cap: {mutable: 3}}").applied()
    (found,) = made.findings()
    assert (found.slug, found.rule, str(found.span)) == (
        "cap-exceeded",
        202,
        "proposals/301.md:18:1",
    )
    assert found.message == "this would leave 4 mutable rules; Rule 202 would allow 3"
    assert (
        found.help
        == "repeal or transmute 1 of them before this or with it, or let Rule 202 allow more"
    )
    assert made.numbers() == ["101/0*", "201/0", "202/0", "203/0", "204/0"]
    assert amended("{cap: {mutable: 4}}").slugs() == []


def test_a_floor_above_what_stands_is_refused() -> None:
    (found,) = amended("{floor: {immutable: 2}, cap: {mutable: 9}}").applied().findings()
    assert (found.slug, found.rule) == ("floor-broken", 202)
    assert found.message == "this would leave 1 immutable rule; Rule 202 would demand 2"
    assert found.help == "enact 1 more before this or with it, or let Rule 202 demand fewer"
    assert amended("{floor: {immutable: 1}, cap: {mutable: 9}}").slugs() == []


def test_a_cap_that_another_kept_out_of_force() -> None:
    made = Ledger.start(RULES).proposal(301, "02-01", "## Enact Rule\n\nOne more.")
    made.proposal(302, "02-02", "## Repeal Rule 202/0")
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, str(found.span)) == (
        "cap-exceeded",
        204,
        "proposals/302.md:18:1",
    )
    assert Ledger.start(RULES).proposal(301, "02-01", "## Repeal Rule 202/0").slugs() == []


def test_a_cap_may_come_closer_to_what_stands() -> None:
    crowded = {**RULES, 202: {"cap": {"mutable": "2"}}}
    body = "## Amend Rule 202/0\n\n```yaml rule\nprovisions: {cap: {mutable: 3}}\n```\n\nOtherwise."
    made = Ledger.start(crowded).proposal(301, "02-01", body).applied()
    assert [(one.slug, one.span.file) for one in made.findings()] == [
        ("cap-exceeded", "rules/initial/202.md")
    ]
    assert made.numbers() == ["101/0*", "201/0", "202/1", "203/0", "204/0"]


def test_an_initial_set_keeps_its_own_floor() -> None:
    made = Ledger.start({101: {"floor": {"immutable": "2", "mutable": "1"}}, 201: UNANIMOUS})
    (found,) = made.applied().findings()
    assert (found.slug, found.rule, found.span.file) == (
        "floor-broken",
        101,
        "rules/initial/101.md",
    )
    assert found.message == "the game begins with 1 immutable rule; Rule 101 demands 2"


COUNTED = {"numbering": {"enacted": "next"}}
FULL = {
    101: COUNTED,
    201: UNANIMOUS,
    202: {"cap": {"mutable": "3"}, "floor": {"mutable": "2"}},
    203: {},
}
RAISED = "## Amend Rule 202/0\n\n```yaml rule\nprovisions: {cap: {mutable: 4}}\n```\n\nOne more."
ONE_MORE = "## Enact Rule\n\nOne more."


def test_what_counts_is_what_the_whole_instrument_leaves() -> None:
    for body in (
        f"{RAISED}\n\n{ONE_MORE}",
        f"{ONE_MORE}\n\n{RAISED}",
        f"{ONE_MORE}\n\n## Repeal Rule 203/0",
    ):
        assert Ledger.start(FULL).proposal(301, "02-01", body).slugs() == []
    two_go = "## Repeal Rule 203/0\n\n## Transmute Rule 201/0 to immutable"
    assert Ledger.start(FULL).proposal(301, "02-01", f"{two_go}\n\n{ONE_MORE}").slugs() == []
    assert Ledger.start(FULL).proposal(301, "02-01", two_go).told() == [
        "floor-broken proposals/301.md:20:1: this would leave 1 mutable rule; Rule 202 demands 2 "
        "(Rule 202)"
    ]


def test_the_last_rule_too_many_is_the_place_of_the_finding() -> None:
    body = f"{ONE_MORE}\n\n## Repeal Rule 203/0\n\n{ONE_MORE}\n\n## Retitle Rule 201/0: Votes"
    assert Ledger.start(FULL).proposal(301, "02-01", body).told() == [
        "cap-exceeded proposals/301.md:24:1: this would leave 4 mutable rules; Rule 202 allows 3 "
        "(Rule 202)"
    ]


def test_the_cap_that_a_change_lifts_does_not_judge_it() -> None:
    body = f"## Repeal Rule 202/0\n\n{ONE_MORE}\n\n{ONE_MORE}"
    assert Ledger.start(FULL).proposal(301, "02-01", body).slugs() == []


@given(
    standing=st.integers(1, 4),
    limits=st.tuples(*[st.none() | st.integers(0, 6)] * 4),
    steps=st.lists(st.sampled_from(["in", "out", "gone", "new"]), min_size=1, max_size=5),
    amended=st.integers(0, 5),
)
def test_caps_and_floors_by_another_way(
    standing: int, limits: tuple[int | None, ...], steps: list[str], amended: int
) -> None:
    cap, floor, new_cap, new_floor = limits
    rules = {
        101: {**UNANIMOUS, **COUNTED},
        102: _said(cap, floor),
        **{110 + one: {} for one in range(5)},
    }
    rules |= {201 + one: {} for one in range(standing)}
    count, outside, bodies = standing, iter(range(110, 115)), list[str]()
    inside = iter(range(201, 201 + standing))
    for step in steps:
        if step == "in":
            bodies.append(f"## Transmute Rule {next(outside)}/0 to mutable")
        elif step == "new":
            bodies.append(ONE_MORE)
        elif (number := next(inside, None)) is not None:
            bodies.append(
                f"## Repeal Rule {number}/0"
                if step == "gone"
                else f"## Transmute Rule {number}/0 to immutable"
            )
        else:
            continue
        count += 1 if step in ("in", "new") else -1
    block = f"```yaml rule\nprovisions: {json.dumps(_said(new_cap, new_floor))}\n```"
    bodies.insert(min(amended, len(bodies)), f"## Amend Rule 102/0\n\n{block}\n\nOther limits.")
    expected = []
    if (
        new_cap is not None
        and count > new_cap
        and (cap is None or count > standing or new_cap < cap)
    ):
        expected.append("cap-exceeded")
    if (
        new_floor is not None
        and count < new_floor
        and (floor is None or count < standing or new_floor > floor)
    ):
        expected.append("floor-broken")
    made = Ledger.start(rules).proposal(301, "02-01", "\n\n".join(bodies))
    assert sorted(one.split()[0] for one in made.told() if "proposals/" in one) == expected


def _said(cap: int | None, floor: int | None) -> dict[str, dict[str, str]]:
    limits = {"cap": cap, "floor": floor}
    return {kind: {"mutable": str(value)} for kind, value in limits.items() if value is not None}


# Pictures of texts: which are looked for, and where a missing one is reported.


def draft(text: str) -> dict[str, bytes | Oddity]:
    """The valid game with this as the text of its draft."""
    data = valid()[DRAFT]
    assert isinstance(data, bytes)
    return {**valid(), DRAFT: swap("Nobody sings in the square after midnight.", text)(data)}


@pytest.mark.parametrize(
    "text",
    [
        "![a sign](../images/sign.png)",
        "![a sign](./../images/sign.png)",
        "![a sign](images/sign.png)",
        "![a sign](../images/sign.png?raw=true#top)",
        "![a sign](https://example.org/images/gone.png)",
        "![a sign](//example.org/images/gone.png)",
        "![a sign](data:image/png;base64,AAAA)",
        "![a sign](<//%5B@[5:]/gone.png>)",
        "`![a sign](../images/gone.png)` shows nothing.",
        "    ![a sign](../images/gone.png)",
        "\\![a sign](../images/gone.png)",
        "[a sign](../images/gone.png)",
        "![a sign]: it is none.",
    ],
)
def test_nothing_is_wrong(text: str) -> None:
    assert [one for one in loaded(draft(text)).findings if one.slug == "image-missing"] == []


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        ("![a sign](../images/gone.png)", 0, "../images/gone.png"),
        ("![a sign](../images/Sign.png)", 0, "../images/Sign.png"),
        ("![a sign](sign.png)", 0, "sign.png"),
        ("![a sign](../../elsewhere/sign.png)", 0, "../../elsewhere/sign.png"),
        ("One.\n\nTwo.\nThree ![a sign][s]\n\n[s]: ../images/gone.png", 3, "../images/gone.png"),
        ("- One.\n- Two:\n\n  ![a sign](../images/gone.png)", 3, "../images/gone.png"),
        ("| sign |\n|---|\n| ![a sign](../images/gone.png) |", 2, "../images/gone.png"),
        (f"![a sign](../images/{'a' * 80}.png)", 0, f"../images/{'a' * 49}…"),
    ],
)
def test_it_is_missing(text: str, line: int, shown: str) -> None:
    (finding,) = [one for one in loaded(draft(text)).findings if one.slug == "image-missing"]
    assert finding.message == f"the picture `{shown}` is not in images/"
    assert str(finding.span) == f"{DRAFT}:{12 + line}:1"


def test_two_missing_pictures_are_two_findings_and_one_of_nearly_that_name_is_named() -> None:
    text = "![a sign](../images/sing.png) and ![another](../images/tower.png)"
    found = [one for one in loaded(draft(text)).findings if one.slug == "image-missing"]
    assert [one.help for one in found] == [
        "did you mean ../images/sign.png?",
        "put the picture into images/, and show it as ../images/NAME.png",
    ]


def test_a_picture_without_an_address() -> None:
    (finding,) = [
        one for one in loaded(draft("![a sign]()")).findings if one.slug == "image-missing"
    ]
    assert finding.message == "the picture has no address"


def test_the_initial_set_is_read_too() -> None:
    data = valid()[R201]
    assert isinstance(data, bytes)
    game = loaded({**valid(), R201: data + b"\n![a ballot](../images/ballot.png)\n"})
    assert [str(one.span) for one in game.findings if one.slug == "image-missing"] == [
        f"{R201}:12:1"
    ]


def test_a_picture_that_could_not_be_read_is_no_missing_one() -> None:
    game = loaded({**valid(), "images/sign.png": Oddity("symlink", "sign.webp")})
    assert [one.slug for one in game.findings] == ["symlink"]


OVERTAKEN = """\
- case: Others came before what is voted on.
  provisions: {}
  proposals:
    301:
      on: 01-02
      does: |-
        ## Amend Rule 203/0

        New.
      status: open
    302:
      on: 01-03
      does: |-
        ## Amend Rule 203/0

        Newer.
    303: {on: 01-02, decided: 2026-01-05, does: "## Repeal Rule 203/0"}
  gives: |
    change-overtaken proposals/301.md:16:1
      if this is adopted, none of its changes is carried out: Rule 203/0 is not the revision
        in force, which is 203/1
      > `nomicgen proposal resolve 301` ends the vote when it is over; if you still want the
        change, propose it again: `nomicgen propose --title TITLE --author wren --amend 203`
    number-wrong proposals/303.md:4:7
      proposal 303 was put forward on 2026-01-02, before proposal 302 on 2026-01-03
      > numbers are given in the order in which proposals are put forward: correct number or
        date
    change-overtaken proposals/303.md:17:1
      adopted, and none of its changes is carried out: Rule 203/0 is not the revision in
        force, which is 203/1
      > nothing has to be done; if you still want the change, propose it again: `nomicgen
        propose --title TITLE --author wren --repeal 203`
- case: Others came before what was adopted takes effect.
  provisions: {}
  proposals:
    301:
      on: 01-02
      effective: 2026-01-09
      does: |-
        ## Amend Rule 203/0

        New.
    302: {on: 01-03, does: "## Repeal Rule 203/0"}
  gives: |
    change-overtaken proposals/301.md:18:1
      decided on 2026-01-02, and impossible on 2026-01-09: there is no Rule 203 any more: it
        was repealed
      > nothing has to be done; if you still want the change, propose it again
    status-incomplete proposals/302.md:5:9
      adopted, but no day in `effective`, which Proposal 301 before it has
      > add `effective: ` and the day
- case: A change falls alone.
  provisions: {effect: {impossible: that}}
  proposals:
    301: {on: 01-02, does: "## Repeal Rule 203/0"}
    302:
      on: 01-02
      decided: 2026-01-03
      does: |-
        ## Amend Rule 203/0

        New.

        ## Enact Rule

        New.
  gives: |
    change-overtaken proposals/302.md:17:1
      this change is dropped, and the others are carried out: there is no Rule 203 any more:
        it was repealed
      > nothing has to be done; if you still want the change, propose it again
- case: "A vote is decided, and another opened, after the day of the check."
  until: 01-05
  provisions: {}
  proposals: {301: {on: 01-07}, 302: {on: 01-07, status: open}}
  gives: |
    date-future proposals/301.md:4:7
      Proposal 301 was put forward on 2026-01-07, which has not begun anywhere on earth: today
        is 2026-01-05
      > write the day on which it happened; what is still to come is written when it has
        happened
    date-future proposals/301.md:7:10
      adopted on 2026-01-07, which is after 2026-01-05: not judged yet
      > correct `decided`; what is not decided yet is `open`
    date-future proposals/302.md:4:7
      Proposal 302 was put forward on 2026-01-07, which has not begun anywhere on earth: today
        is 2026-01-05
      > write the day on which it happened; what is still to come is written when it has
        happened
    date-future proposals/302.md:6:9
      opened on 2026-01-07, which is after 2026-01-05
      > correct `opened`
- case: Votes and days are missing after some that are recorded.
  provisions: {}
  proposals: {301: {on: 01-02}, 302: {on: 01-03, status: open, decided: 2026-01-04}}
  files:
    proposals/303.md:
      number: 303
      author: wren
      date: 2026-01-04
      status: adopted
      votes: unrecorded
      does: |-
        ## Enact Rule

        New.
    proposals/304.md:
      number: 304
      author: wren
      status: defeated
      decided: 2026-01-05
      votes: {wren: for}
      does: |-
        ## Enact Rule

        New.
  gives: |
    date-missing proposals/303.md:5:9
      1 decided proposal without a date, placed by number
      > if you know a date, add `decided`
    status-incomplete proposals/303.md:5:9
      the votes are unrecorded, and those of Proposal 301 before it are recorded
      > record the votes (`votes:`), each under its player's id
    votes-unrecorded proposals/303.md:6:8
      the votes on 1 proposal were not recorded: the outcome is unproved
      > if a record turns up, replace `unrecorded` with the votes
    digest-missing proposals/304.md:4:9
      the vote opened without the digest of what is voted on
      > add `digest: eea44300f524fdf943d877aada6b4d9de031dcc40667cf9578ac547f991e6f18`
    status-incomplete proposals/304.md:4:9
      defeated, but no day in `date`, which Proposal 301 before it has
      > add `date: ` and the day
    status-incomplete proposals/304.md:4:9
      defeated, but no day in `opened`, which Proposal 301 before it has
      > add `opened: ` and the day
- case: "A change leaves too many rules, another one too few."
  provisions: {cap: {mutable: 4}, floor: {immutable: 1}}
  proposals:
    301:
      on: 01-02
      does: |-
        ## Enact Rule 401

        Tea.

        ## Enact Rule 402

        Cakes.
    302: {on: 01-03, does: "## Transmute Rule 101/0 to mutable"}
    303:
      on: 01-03
      does: |-
        ## Amend Rule 201/0

        ```yaml rule
        provisions:
          cap: {mutable: 2}
          floor: {immutable: 3}
        ```

        Few.
  gives: |
    cap-exceeded proposals/301.md:21:1 (Rule 201)
      this would leave 5 mutable rules; Rule 201 allows 4
      > repeal or transmute 1 of them before this or with it, or let Rule 201 allow more
    floor-broken proposals/302.md:17:1 (Rule 201)
      this would leave 0 immutable rules; Rule 201 demands 1
      > enact 1 more before this or with it, or let Rule 201 demand fewer
    cap-exceeded proposals/303.md:17:1 (Rule 201)
      this would leave 3 mutable rules; Rule 201 would allow 2
      > repeal or transmute 1 of them before this or with it, or let Rule 201 allow more
    floor-broken proposals/303.md:17:1 (Rule 201)
      this would leave 1 immutable rule; Rule 201 would demand 3
      > enact 2 more before this or with it, or let Rule 201 demand fewer
- case: An act did first what another had decided for later.
  provisions: {authority: {by: act, to: repeal}}
  files:
    acts/a.md:
      date: 2026-01-03
      by: osprey
      under: 201
      effective: 2026-01-09
      does: "## Repeal Rule 203/0"
    acts/b.md: {date: 2026-01-05, by: osprey, under: 201, does: "## Repeal Rule 203/0"}
  gives: |
    change-overtaken acts/a.md:9:1
      decided on 2026-01-03, and impossible on 2026-01-09: there is no Rule 203 any more: it
        was repealed
      > nothing has to be done; if you still want the change, propose it again
"""


@pytest.mark.parametrize("case", cases_in(OVERTAKEN))
def test_what_is_told_of_what_others_came_before(case: Any) -> None:
    assert told_of(case) == case["gives"]


@pytest.mark.parametrize(
    ("limit", "schema", "about"),
    [(CAP, Cap, "cap of {field} rules"), (FLOOR, Floor, "floor of {field} rules")],
)
def test_a_cap_and_a_floor_are_kinds_that_count_rules(
    limit: SizeLimit, schema: type[Table[int]], about: str
) -> None:
    kind = limit.kind()
    assert (kind.schema, kind.combines, kind.about) == (schema, "tiers", about)
    assert (kind.sentence, kind.hinders, kind.leaves) == (
        limit.sentence,
        limit.hinders,
        limit.leaves,
    )
    assert kind.counts_rules
    assert kind.affects_changeability is not None
    assert kind.affects_changeability(schema()) is True
    assert kind.misfits is not None
    assert [one.message for one in kind.misfits(schema(), ("mutable",))] == ["should name a tier"]
