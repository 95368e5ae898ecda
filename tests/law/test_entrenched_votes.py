"""What an entrenched rule says of a vote, and what lesser rules may make of it; votes that were
once signed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ballots import HAL, by_die, game, silent, tally, told
from tests.cli.playing import MAJORITY, begun, registered, run
from tests.support import GitRepo
from tests.worked import cases_in, told_of

QUILL = {"tie_break": {"by": "quill"}}
ALL_VOTE: dict[str, Any] = {"electorate": "players", "everyone_votes": "true"}


def test_a_lesser_rule_takes_nobodys_vote_away() -> None:
    made = game(ALL_VOTE, r204={"ballot": QUILL})
    found = tally(made, "f.aa")
    assert (found.eligible, found.missing) == (("osprey", "quill", "tallow", "wren"), ("quill",))
    assert told(made, "fffa") == []
    # A rule of the same tier, or a more entrenched one, may.
    assert "quill" not in tally(game(ALL_VOTE | QUILL), "f.aa").eligible
    assert "quill" not in tally(game(QUILL, r204={"ballot": ALL_VOTE}), "f.aa").eligible


@pytest.mark.parametrize(
    ("votes", "adopted", "arithmetic"),
    [
        (
            "ffaa",
            True,
            "3 for; more than half of eligible voters (5): more than 2.5, so at least 3 needed",
        ),
        (
            "faaf",
            False,
            "2 for; more than half of eligible voters (5): more than 2.5, so at least 3 needed",
        ),
        ("fffa", True, "3 for; more than half of eligible voters (4): more than 2 needed"),
    ],
)
def test_a_casting_vote(votes: str, adopted: bool, arithmetic: str) -> None:
    made = game(ALL_VOTE, r204={"ballot": QUILL})
    found = tally(made, votes)
    assert (found.adopted, [one.arithmetic for one in found.conditions]) == (adopted, [arithmetic])
    assert found.tie_broken_by == ("quill" if "(5)" in arithmetic else None)
    assert sorted((*found.for_, *found.against)) == ["osprey", "quill", "tallow", "wren"]
    assert told(made, votes) == []


def test_a_casting_vote_counts_once_more_in_every_base() -> None:
    for of, base in (("cast", 5), ("players", 5), ("eligible", 5)):
        made = game(ALL_VOTE, {"needs": "two-thirds", "of": of}, r204={"ballot": QUILL})
        (condition,) = tally(made, "ffaa").conditions
        assert condition.arithmetic.startswith("3 for;")
        assert f"({base})" in condition.arithmetic


def test_a_casting_vote_needs_no_die() -> None:
    dice = {"tie_break": {**HAL["tie_break"], "by": "quill"}}
    made = game(ALL_VOTE, r204={"ballot": dice})
    assert told(made, "ffaa") == []
    assert told(made, "f.aa", more={"quill": by_die("for", 1)}) == [
        "vote-unlawful proposals/301.md:12:3: quill votes by a die, and no rule lets quill do so"
    ]
    # A bot has no vote that could be taken away.
    bot = game(ALL_VOTE, r204={"ballot": HAL}).player("hal", kind="bot")
    assert tally(bot, "ffaa", more={"hal": by_die("for", 1)}).adopted is True
    assert told(bot, "ffaa", more={"hal": by_die("for", 1)}) == []


def test_how_few_votes_would_do_with_a_casting_vote() -> None:
    made = game(ALL_VOTE, r204={"ballot": QUILL})
    assert tally(made, "f...", status="open").fewest == 1
    assert tally(made, "fa..", status="open").fewest == 2
    assert tally(made, "f.aa", status="open").fewest == 1


def test_an_author_whom_an_entrenched_rule_waits_for() -> None:
    lesser = {"ballot": {"author_votes_for": "true"}}
    for entrenched in (ALL_VOTE, {"silence": "waits"}):
        found = tally(game(entrenched, r204=lesser), "fff.", status="open")
        assert (found.for_, found.missing) == (("osprey", "quill", "tallow"), ("wren",))
    made = game(ALL_VOTE, r204=lesser)
    assert [one.split()[0] for one in told(made, "fff.")] == ["vote-missing"]
    assert [one.split()[0] for one in told(made, "fff.", more={"wren": silent("for")})] == [
        "vote-unlawful"
    ]
    assert tally(game({**ALL_VOTE, "author_votes_for": "true"}), "fff.").for_[-1] == "wren"


FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "electorate": st.sampled_from(["players", "active"]),
        "everyone_votes": st.sampled_from(["true", "false"]),
        "silence": st.sampled_from(["waits", "ignored"]),
        "author_votes_for": st.sampled_from(["true", "false"]),
        "tie_break": st.just({"by": "quill"}),
    },
)


@given(FIELDS, FIELDS, st.text("fa.", min_size=4, max_size=4))
def test_entrenched_and_lesser_fields_by_another_way(
    first: dict[str, Any], then: dict[str, Any], votes: str
) -> None:
    said = then | first
    gives = "electorate" in first or first.get("everyone_votes") == "true"
    waits = (
        said.get("silence", "waits" if said.get("everyone_votes") == "true" else "ignored")
        == "waits"
    )
    named = "tie_break" in said
    apart = named and ("tie_break" in first or not gives)
    cast = {
        who: vote
        for who, vote in zip(("osprey", "quill", "tallow", "wren"), votes, strict=True)
        if vote != "."
    }
    given_ = cast.pop("quill", None) if apart else cast.get("quill")
    asked = first.get("silence") == "waits" or first.get("everyone_votes") == "true"
    if said.get("author_votes_for") == "true" and ("author_votes_for" in first or not asked):
        cast.setdefault("wren", "f")
    voters = 3 if apart else 4
    for_, against = (sum(1 for vote in cast.values() if vote == side) for side in "fa")
    if named and for_ == against > 0 and given_ is not None:
        voters, for_ = voters + 1, for_ + (given_ == "f")
    expected = None if waits and len(cast) < (3 if apart else 4) else 2 * for_ > voters
    made = game(first, r204={"ballot": then} if then else {})
    found = tally(made, votes)
    assert ("quill" in found.eligible) is not apart
    assert found.adopted is expected


SIGNED = """
  wren:
    vote: for
    at: 2026-01-05T12:00
    signature: |
      nomicgen vote 1
      game   Tea
      -----BEGIN SSH SIGNATURE-----
      U1NIU0lH
      -----END SSH SIGNATURE-----
"""
RULE = "by Rule 204/0 only signed votes count, and no signature is verified: every vote counts"


def played(tmp_path: Path) -> GitRepo:
    """A game in which only signed votes count, with a vote that is signed and one that is not."""
    law = {105: {}, 111: {}, 203: MAJORITY, 204: {"ballot": {"silence": "ignored"}}}
    game = begun(GitRepo(tmp_path / "game"), law)
    files = {
        path: (game.path / path).read_text("utf-8")
        for path in ("rules/initial/204.md", "rules/204.md")
    }
    game.commit(
        "Signed",
        {path: text.replace("{silence", "{signed: true, silence") for path, text in files.items()},
    )
    registered(game, 301, "2026-01-03")
    run(game.path, "vote 301 for --player quill --on 2026-01-04 --commit")
    path = game.path / "proposals/301.md"
    text = path.read_text("utf-8")
    cast = "\n  quill:\n    vote: for\n    at: 2026-01-04\n"
    assert cast in text
    game.commit("A signed vote", {"proposals/301.md": text.replace(cast, f"{cast[:-1]}{SIGNED}")})
    return game


def test_both_are_read_with_a_warning_and_every_vote_counts(tmp_path: Path) -> None:
    game = played(tmp_path)
    said = run(game.path, "check")
    assert f"rules/204.md:1:1: warning[signature-unverified]: {RULE}" in said
    assert "warning[signature-unverified]: the signature of wren's vote is not verified" in said
    assert "## Mark Rule 204/0" in said
    assert "0 errors" in said
    assert "proposal 301 is adopted: 2 for" in run(
        game.path, "proposal resolve 301 --on 2026-01-05 --commit"
    )


def test_the_instruction_that_is_shown_takes_signed_out(tmp_path: Path) -> None:
    game = played(tmp_path)
    run(game.path, "proposal resolve 301 --on 2026-01-05 --commit")
    said = run(game.path, "check").split("    ## Mark Rule 204/0")[1].split("```\n")
    block = "\n".join(line.removeprefix("    ") for line in f"{said[0]}```".splitlines())
    body = f"No signature is verified.\n\n## Mark Rule 204/0{block}\n"
    assert "provisions:\n  ballot: {silence: ignored}" in body
    run(
        game.path,
        "propose --title Unsigned --author osprey --register --on 2026-01-06 --commit --body -",
        feed=body,
    )
    run(game.path, "vote 302 for --player wren --player quill --on 2026-01-06 --commit")
    run(game.path, "proposal resolve 302 --on 2026-01-06 --commit")
    assert f"signature-unverified]: {RULE}" not in run(game.path, "check")


TO_MUTABLE = "## Transmute Rule 105/0 to mutable"


def test_a_lesser_rule_leaves_no_voter_of_an_entrenched_one_out() -> None:
    """Nomic IV's Rule 326 leaves out who abstains, and Rule 108 asks for every eligible voter: one
    is not enough.
    """
    unanimous = {"adoption": {"needs": "unanimous", "of": "eligible", "to": "transmute"}}
    ignored = {"ballot": {"abstention": "ignored"}}
    made = game(None, r109=unanimous, r204=ignored)
    few, all_ = (
        made.proposal(301, "02-01", TO_MUTABLE, votes).play()[1].tallies["proposals/301.md"]
        for votes in ("f---", "ffff")
    )
    assert [one.arithmetic for one in few.conditions] == [
        "1 for; all eligible voters (4): 4 needed",
        "1 for; more than half of eligible voters (1): more than 0.5, so at least 1 needed",
    ]
    assert (few.adopted, all_.adopted) == (False, True)
    assert tally(made, "f---").adopted is True
    # A rule of the same tier, or a more entrenched one, leaves them out.
    (condition,) = tally(game(ignored["ballot"]), "f---").conditions
    assert "(1)" in condition.arithmetic


VOTES = r"""
- case: Votes that no rule lets count.
  provisions:
    ballot:
      dummy: {die: 6, for: [1], against: [2]}
      tie_break: {by: hal}
      silence: for
      abstention: forbidden
  files:
    players/dum.yml: {name: dum, joined: 2026-01-01, kind: dummy}
    players/hal.yml: {name: hal, joined: 2026-01-01, kind: bot}
  proposals:
    301:
      on: 01-02
      votes: fff.
      more: {dum: {vote: for, cast_by: die, die: 7}, wren: {vote: abstain}, hal: for}
    302:
      on: 01-02
      votes: ff..
      more:
        dum: {vote: for, cast_by: die, die: 3}
        wren: {vote: against, cast_by: silence}
        tallow: {vote: for, cast_by: die, die: 2}
    303:
      on: 01-02
      votes: f...
      status: open
      more: {dum: for, hal: {vote: for, cast_by: silence}}
    304:
      on: 01-02
      votes: ff..
      status: open
      more: {dum: {vote: abstain, cast_by: die, die: 2}}
  gives: |
    vote-unlawful proposals/301.md:12:3 (Rule 201)
      a die of 6 sides does not show 7
      > correct `die`, or put back `status: open`, delete `decided`, then `nomicgen apply`,
        delete the vote, then `nomicgen vote 301 --die FACE --player dum`
    vote-unlawful proposals/301.md:16:3 (Rule 201)
      wren abstained: an abstention is not allowed
      > delete the vote of wren, or record what wren voted
    vote-unlawful proposals/301.md:18:3 (Rule 201)
      hal votes only to break a tie, and there was none
      > delete the vote of hal
    vote-unlawful proposals/302.md:11:3 (Rule 201)
      a throw of 3 is no vote, and `for` is recorded
      > correct `vote` or `die`, or put back `status: open`, delete `decided`, then `nomicgen
        apply`, delete the vote, then `nomicgen vote 302 --die FACE --player dum`
    vote-unlawful proposals/302.md:15:3 (Rule 201)
      wren's silence counts as a vote for, and `against` is recorded
      > delete the vote of wren, or record what wren voted
    vote-unlawful proposals/302.md:18:3
      tallow votes by a die, and no rule lets tallow do so
      > delete `cast_by` if the player voted, or let a rule's `ballot` say who votes by die
    vote-unlawful proposals/303.md:9:3 (Rule 201)
      dum votes by die, and no throw is recorded
      > throw, then `nomicgen vote 303 --die FACE --player dum`
    vote-unlawful proposals/303.md:10:3 (Rule 201)
      hal votes only to break a tie, and silence breaks none
      > delete the vote of hal, or record what hal voted
    vote-unlawful proposals/304.md:10:3 (Rule 201)
      a throw of 2 is a vote against, and `abstain` is recorded
      > correct `vote` or `die`, or delete the vote, then `nomicgen vote 304 --die FACE
        --player dum`
- case: "Everyone must vote, and nobody abstain."
  provisions: {ballot: {everyone_votes: true}}
  proposals: {301: {on: 01-02, votes: fff.}, 302: {on: 01-02, votes: fff-, status: open}}
  gives: |
    vote-missing proposals/301.md:8:1 (Rule 201)
      adopted without the votes of wren; Rule 201 demands every vote
      > if they voted, `nomicgen correct proposals/301.md votes.wren for|against --evidence
        TEXT`; else put back `status: open`, delete `decided` and `effective`, then `nomicgen
        apply` if the change is in rules/, and wait for their votes
    vote-unlawful proposals/302.md:11:3 (Rule 201)
      wren abstained: everyone must vote, and no rule lets anyone abstain
      > vote for or against
- case: "If several votes are missing, no correction can add them one by one."
  provisions: {ballot: {everyone_votes: true}}
  proposals: {301: {on: 01-02, votes: aa.., status: defeated}}
  gives: |
    vote-missing proposals/301.md:8:1 (Rule 201)
      defeated without the votes of tallow, wren; Rule 201 demands every vote
      > put back `status: open`, delete `decided` and `effective`, then `nomicgen apply` if
        the change is in rules/, and wait for their votes
- case: "A vote ends too early; a player votes too late."
  provisions: {ballot: {closes_after: 3}}
  proposals:
    301: {on: 01-02, votes: fff.}
    302:
      on: 01-02
      votes: ff..
      decided: 2026-01-09
      more: {wren: {vote: for, at: 2026-01-08}}
  gives: |
    vote-early proposals/301.md:7:10 (Rule 201)
      adopted on 2026-01-02 without the votes of wren, who could vote until 2026-01-05
      > if they voted, `nomicgen correct proposals/301.md votes.wren for|against --evidence
        TEXT`; or correct `decided`, if the day is wrong; else put back `status: open`, delete
        `decided` and `effective`, then `nomicgen apply` if the change is in rules/, and wait
    vote-late proposals/302.md:11:3 (Rule 201)
      wren voted on 2026-01-08; the vote closed on 2026-01-05
      > correct `at`, or delete the vote: wren then counts as silent
- case: "Who left, came later or rested voted."
  provisions: {ballot: {electorate: active, electorate_at: opening}}
  files:
    players/lark.yml: {name: lark, joined: 2026-01-04}
    players/crow.yml: {name: crow, joined: 2026-01-01, left: 2026-01-02}
    players/rook.yml: {name: rook, joined: 2026-01-01, inactive: [{since: 2026-01-02}]}
  proposals:
    301:
      on: 01-03
      decided: 2026-01-05
      more: {lark: {vote: for, at: 2026-01-05}, crow: for, rook: for, nobody: for}
  gives: |
    voter-unknown proposals/301.md:12:3 (Rule 201)
      lark voted, but was not an eligible voter on 2026-01-03, when the vote opened
      > players/lark.yml says when lark played; correct it there, or delete the vote
    voter-unknown proposals/301.md:15:3 (Rule 201)
      crow voted, but was not an eligible voter on 2026-01-03, when the vote opened
      > players/crow.yml says when crow played; correct it there, or delete the vote
    voter-unknown proposals/301.md:16:3 (Rule 201)
      rook voted, but was not an eligible voter on 2026-01-03, when the vote opened
      > Rule 201 says who may vote: delete the vote, or correct players/rook.yml, if that is
        wrong
    voter-unknown proposals/301.md:17:3
      nobody voted, and there is no players/nobody.yml
      > add players/nobody.yml with the day of joining, or delete the vote
- case: An inactive player votes where that is taken.
  provisions: {ballot: {electorate: active, inactive_may_vote: true}}
  files: {players/rook.yml: {name: rook, joined: 2026-01-01, inactive: [{since: 2026-01-02}]}}
  proposals: {301: {on: 01-03, decided: 2026-01-05, more: {rook: for}}}
  gives: |
    voter-unknown proposals/301.md:12:3 (Rule 201)
      rook voted, but was inactive on 2026-01-05
      > `nomicgen player return rook --on 2026-01-05` records that the vote ended the absence
- case: "Too few votes, enough votes, and a quorum that is not reached."
  provisions: {ballot: {quorum: {at_least: 3}}}
  proposals: {301: {on: 01-03, votes: ff..}, 302: {on: 01-03, votes: ffff, status: defeated}}
  gives: |
    votes-few proposals/301.md:5:9 (Rule 202)
      adopted with too few votes: 2 for; more than half of eligible voters (4): more than 2
        needed
      > Rule 202 as it was then: Rule-changes need the votes of more than half of eligible
        voters. Set `status: defeated`, and delete `effective`, or correct the votes:
        `nomicgen correct proposals/301.md votes.ID for --evidence TEXT`
    votes-few proposals/301.md:5:9 (Rule 201)
      adopted with too few votes: 2 ballots; at least 3 ballots (4): 3 needed
      > Rule 201 as it was then: A proposal is adopted only with at least 3 ballots. Set
        `status: defeated`, and delete `effective`, or correct the votes: `nomicgen correct
        proposals/301.md votes.ID for --evidence TEXT`
    votes-enough proposals/302.md:5:9 (Rule 202)
      defeated with enough votes: 4 for; more than half of eligible voters (4): more than 2
        needed
      > Rule 202 as it was then: Rule-changes need the votes of more than half of eligible
        voters. Set `status: adopted`, and `effective` unless it waits for a turn, or correct
        the votes: `nomicgen correct proposals/302.md votes.ID against --evidence TEXT`
- case: No rule says how a change is adopted.
  provisions: {adoption: {needs: unanimous, of: cast, to: amend}}
  proposals: {301: {on: 01-03, votes: ffff}}
  gives: |
    adoption-missing proposals/301.md:18:1
      no rule in force says how a change such as `Enact Rule` is adopted
      > a change that no rule permits is forbidden: let an `adoption` provision of a rule
        cover it
- case: Votes and a debate of a proposal without a day.
  provisions: {ballot: {debate: 2}}
  files:
    proposals/301.md:
      number: 301
      author: wren
      status: open
      opened: 2026-01-04
      votes: {wren: for}
      does: |-
        ## Enact Rule

        New.
  gives: |
    digest-missing proposals/301.md:4:9
      the vote opened without the digest of what is voted on
      > add `digest: eea44300f524fdf943d877aada6b4d9de031dcc40667cf9578ac547f991e6f18`
    status-incomplete proposals/301.md:4:9 (Rule 201)
      open, but no day in `date`, from which Rule 201 counts
      > add `date: ` and the day on which it was put forward
- case: A rule says how rules come into a tier.
  provisions:
    adoption:
      - {needs: {at_least: 1}, to: [enact, transmute]}
      - {needs: unanimous, into: immutable}
  proposals:
    301: {on: 01-02, votes: f...}
    302:
      on: 01-02
      votes: fff.
      does: |-
        ## Enact Rule

        ```yaml rule
        mutability: immutable
        ```

        Tea.
    303: {on: 01-02, votes: fff., does: "## Transmute Rule 203/0 to immutable"}
  gives: |
    votes-few proposals/302.md:5:9 (Rule 201)
      adopted with too few votes: 3 for; all eligible voters (4): 4 needed
      > Rule 201 as it was then: Enactments and transmutations into immutable rules need the
        votes of all eligible voters. Set `status: defeated`, and delete `effective`, or
        correct the votes: `nomicgen correct proposals/302.md votes.ID for --evidence TEXT`
    transmutation-votes proposals/303.md:5:9 (Rule 201)
      adopted with too few votes: 3 for; all eligible voters (4): 4 needed
      > Rule 201 as it was then: Enactments and transmutations into immutable rules need the
        votes of all eligible voters. Set `status: defeated`, and delete `effective`, or
        correct the votes: `nomicgen correct proposals/303.md votes.ID for --evidence TEXT`
- case: A proposal holds more changes than a rule allows.
  provisions: {numbering: {changes: 1}}
  proposals: {301: {on: 01-02, does: "## Enact Rule\n\nTea.\n\n## Repeal Rule 203/0"}}
  gives: |
    changes-many proposals/301.md:21:1 (Rule 201)
      Proposal 301 holds 2 changes; Rule 201 allows 1
      > put the others into proposals of their own
"""


@pytest.mark.parametrize("case", cases_in(VOTES))
def test_what_is_told_of_votes(case: Any) -> None:
    assert told_of(case) == case["gives"]
