"""Quorum, weights, the day on which voters are settled, and what a tie or no vote at all comes
to.
"""

from __future__ import annotations

from typing import Any

import pytest

from nomicgen.files.documents import read_player
from nomicgen.law.replay.player_spans import strength_of
from nomicgen.law.voting.tally import Tally
from nomicgen.model.records import Player
from nomicgen.model.values import Moment
from tests.law.test_lasting import TRANSMUTE, lasting
from tests.law.test_reach import people, possible, reach
from tests.ledger import Ledger, day
from tests.worked import came_of, cases_in

NEW = "## Enact Rule\n\nNew."
MAJORITY = {"needs": "majority", "of": "cast"}
TRIO: dict[str, Any] = {"roles": [{"role": "speaker", "since": day("01-01")}]}


def game(ballot: Any, adoption: Any = MAJORITY) -> Ledger:
    return Ledger.start({105: {"ballot": ballot}, 203: {"adoption": adoption}})


def tally(made: Ledger, votes: str, **matter: Any) -> Tally:
    made.proposal(301, "02-01", NEW, votes, **{"status": "open", **matter})
    return made.play("02-10")[1].tallies["proposals/301.md"]


def test_a_die_is_a_ballot_and_silence_is_none() -> None:
    ballot = {"quorum": {"at_least": "3"}, "dummy": {"die": "6", "for": ["6"]}, "silence": "for"}
    made = game(ballot).player("wren", kind="dummy")
    two = tally(made, "ff..")
    assert (two.adopted, two.ballots, two.fewest) == (False, 2, 1)
    assert tally(made, "ff..", more={"wren": {"vote": "for", "cast_by": "die", "die": 6}}).adopted
    assert (
        tally(made, "ff..", more={"tallow": {"vote": "for", "cast_by": "silence"}}).adopted is False
    )


def test_an_author_who_votes_by_proposing_is_no_ballot_until_they_vote() -> None:
    made = game({"quorum": {"at_least": "100%"}, "author_votes_for": "true"})
    assert (tally(made, "fff.").adopted, tally(made, "fff.").fewest) == (False, 1)
    assert tally(made, "ffff").adopted


def test_the_vote_that_only_breaks_a_tie_is_no_ballot() -> None:
    made = game({"quorum": {"at_least": "3"}, "tie_break": {"by": "wren"}})
    assert tally(made, "fa.f").adopted is False
    assert [one.arithmetic for one in tally(made, "fa.f").conditions][
        1
    ] == "2 ballots; at least 3 ballots (3): 3 needed"


def test_the_base_of_a_quorum_is_heads_whatever_abstention_does() -> None:
    made = game(
        {
            "quorum": {"more_than": "50%", "of": "players"},
            "abstention": "ignored",
            "weights": {"speaker": "3"},
        }
    )
    made.player("osprey", **TRIO)
    assert tally(made, "f-..").adopted is False
    assert tally(made, "f--.").adopted


def test_ties_are_of_weights() -> None:
    made = game({"weights": {"speaker": "2"}}, {**MAJORITY, "tied": "adopted"}).player(
        "osprey", **TRIO
    )
    found = tally(made, "faa.")
    assert (found.is_tied, found.adopted, found.weights) == (True, True, {"osprey": 2})
    assert tally(made, "fa..").is_tied is False


def test_a_casting_vote_counts_one() -> None:
    made = game({"weights": {"speaker": "2"}, "tie_break": {"by": "osprey"}}).player(
        "osprey", **TRIO
    )
    assert (
        tally(made, "ffa.").conditions[0].arithmetic
        == "2 for; more than half of votes cast (3): more than 1.5, so at least 2 needed"
    )
    assert tally(made, ".fa.").adopted is False


def test_the_largest_weight_of_several_roles_counts_and_a_role_that_ended_does_not() -> None:
    roles = [
        {"role": "speaker", "since": day("01-01"), "until": day("02-05")},
        {"role": "observer", "since": day("01-01")},
    ]
    made = game({"weights": {"speaker": "2", "observer": "0"}}).player("osprey", roles=roles)
    assert tally(made, "f...", status="adopted").weights == {"osprey": 2}
    assert tally(made, "f...", status="adopted", decided=day("02-05")).weights == {"osprey": 0}


def test_points_by_the_share_of_votes_for_follow_the_weights() -> None:
    points = {"points": {"on": "adopted", "to": "author", "amount": "10", "times": "share-for"}}
    made = Ledger.start(
        {105: {"ballot": {"weights": "strength"}}, 203: {"adoption": MAJORITY, **points}}
    )
    made.player("osprey", strength=[{"votes": 4, "since": day("01-01")}])
    made.proposal(301, "02-01", NEW, "fa..")
    assert [str(line.amount) for line in made.play()[1].awards] == ["8"]


@pytest.mark.parametrize(("when", "slugs"), [("opening", ["voter-unknown"]), ("close", [])])
def test_who_joins_while_a_vote_is_open_has_a_vote_only_where_voters_are_settled_at_its_close(
    when: str, slugs: list[str]
) -> None:
    made = game({"electorate_at": when}).player("wren", joined=day("02-03"))
    made.proposal(
        301,
        "02-01",
        NEW,
        "fff.",
        more={"wren": {"vote": "for", "at": day("02-04")}},
        decided=day("02-06"),
    )
    assert made.slugs() == slugs
    if slugs:
        (found,) = made.findings()
        assert (found.rule, found.message) == (
            105,
            "wren voted, but was not an eligible voter on 2026-02-01, when the vote opened",
        )


def test_who_leaves_is_not_waited_for_and_stays_in_the_base() -> None:
    ballot = {"electorate_at": "opening", "everyone_votes": "true"}
    made = game(ballot, {"needs": "majority"}).player("wren", left=day("02-04"))
    found = tally(made, "ff..")
    assert (found.missing, found.gone, found.eligible) == (
        ("tallow",),
        ("wren",),
        ("osprey", "quill", "tallow", "wren"),
    )
    assert tally(made, "ffa.").adopted is False
    assert tally(made, "ffaf").adopted, "a vote that was cast before still counts"
    silent = game({"electorate_at": "opening", "silence": "for"}).player("wren", left=day("02-04"))
    assert tally(silent, "f...").silent == ("quill", "tallow")


def test_who_rests_since_is_still_waited_for() -> None:
    ballot = {"electorate_at": "opening", "electorate": "active", "everyone_votes": "true"}
    made = game(ballot).player("wren", inactive=[{"since": day("02-03")}])
    assert tally(made, "fff.").missing == ("wren",)
    closing = game({**ballot, "electorate_at": "close"}).player(
        "wren", inactive=[{"since": day("02-03")}]
    )
    assert tally(closing, "fff.").missing == ()


def test_who_wakes_to_vote_is_a_voter_though_the_vote_opened_before() -> None:
    made = game({"electorate_at": "opening", "electorate": "active", "inactive_may_vote": "true"})
    made.player("wren", inactive=[{"since": day("01-15"), "until": day("02-03")}])
    woke = {"wren": {"vote": "for", "at": day("02-03")}}
    made.proposal(301, "02-01", NEW, "faa.", "defeated", woke, decided=day("02-06"))
    assert made.slugs() == []
    assert made.play()[1].tallies["proposals/301.md"].eligible == (
        "osprey",
        "quill",
        "tallow",
        "wren",
    )
    made.proposal(301, "02-01", NEW, "faa.", "defeated", decided=day("02-06"))
    assert made.play()[1].tallies["proposals/301.md"].eligible == ("osprey", "quill", "tallow")


def test_a_vote_after_leaving_is_none() -> None:
    made = game({"electorate_at": "opening"}).player("wren", left=day("02-04"))
    made.proposal(
        301,
        "02-01",
        NEW,
        "fff.",
        more={"wren": {"vote": "for", "at": day("02-05")}},
        decided=day("02-06"),
    )
    assert made.slugs() == ["voter-unknown"]


@pytest.mark.parametrize(
    ("adoption", "votes", "adopted"),
    [
        ({"needs": "majority", "tied": "adopted"}, "ffaa", True),
        ({"needs": "majority", "tied": "adopted"}, "....", False),
        ({"needs": "majority", "tied": "adopted", "and": {"at_least": "3"}}, "ffaa", False),
        ({"needs": {"at_least": "2"}, "tied": "defeated"}, "ffaa", False),
        ({"needs": {"at_least": "0"}, "unvoted": "defeated"}, "....", False),
        ({"needs": {"at_least": "0"}, "unvoted": "defeated"}, "-...", True),
        ({"needs": "unanimous", "unvoted": "adopted"}, "....", True),
        ({"needs": "unanimous", "unvoted": "adopted"}, "-...", False),
        ({"needs": "unanimous", "unvoted": "adopted", "and": {"at_least": "1"}}, "....", False),
    ],
)
def test_ties_and_votes_that_nobody_casts(adoption: Any, votes: str, adopted: bool) -> None:
    assert tally(game({"electorate": "players"}, adoption), votes).adopted is adopted


def test_a_tie_that_is_broken_is_no_tie() -> None:
    made = game({"tie_break": {"by": "wren"}}, {**MAJORITY, "tied": "adopted"})
    assert tally(made, "fa.a").adopted is False


def test_reach_finds_a_quorum_that_cannot_be_met() -> None:
    rules: dict[int, Any] = {
        101: {},
        203: {"adoption": MAJORITY, "ballot": {"quorum": {"at_least": "5"}}},
    }
    found = reach(rules)
    assert possible(found) == []
    assert found["amend mutable"].reason == "Rule 203 asks for at least 5 ballots, and 4 can vote"
    assert len(possible(reach(rules, people(5)))) == 8
    needs = reach(rules, people(5))["amend mutable"].needs
    assert needs == ("more than half of votes cast", "at least 5 ballots")


def test_reach_counts_weights() -> None:
    rules: dict[int, Any] = {
        101: {},
        203: {"adoption": {"needs": {"at_least": "5"}}, "ballot": {"weights": "strength"}},
    }
    assert (
        reach(rules)["amend mutable"].reason
        == "Rule 203 asks for at least 5 votes, and 4 can vote for"
    )
    strong = {"name": "Strong", "strength": [{"votes": "2", "since": "2026-01-01"}]}
    assert len(possible(reach(rules, people(3, strong)))) == 8
    weak = {"name": "Weak", "strength": [{"votes": "0", "since": "2026-01-01"}]}
    assert reach(rules, people(4, weak))["amend mutable"].reason == (
        "Rule 203 asks for at least 5 votes, and the votes of all who can vote for count 4"
    )


@pytest.mark.parametrize(
    ("adoption", "ballot", "passes"),
    [
        ({"needs": "majority", "unvoted": "adopted"}, {}, True),
        ({"needs": "majority"}, {}, False),
        ({"needs": "majority", "unvoted": "adopted"}, {"quorum": {"at_least": "1"}}, False),
        ({"needs": "majority", "unvoted": "adopted", "and": {"at_least": "1"}}, {}, False),
    ],
)
def test_where_nobody_can_vote_only_what_needs_no_vote_passes(
    adoption: Any, ballot: Any, passes: bool
) -> None:
    rules: dict[int, Any] = {
        101: {},
        203: {"adoption": adoption, "ballot": {"electorate": "players", **ballot}},
    }
    bot = people(0, {"name": "Bot", "kind": "bot"})
    assert (len(possible(reach(rules, bot))) == 8) is passes


@pytest.mark.parametrize(
    ("adoption", "ballot", "passes"),
    [
        ({"unvoted": "adopted"}, {}, True),
        ({"unvoted": "adopted"}, {"silence": "against"}, False),
        ({"unvoted": "adopted"}, {"everyone_votes": "true"}, False),
    ],
)
def test_no_vote_at_all_may_be_the_only_way(adoption: Any, ballot: Any, passes: bool) -> None:
    said = {
        "adoption": {"needs": {"at_least": "9"}, **adoption},
        "ballot": {"electorate": "players", **ballot},
    }
    assert (len(possible(reach({101: {}, 203: said}, people(3)))) == 8) is passes


def test_what_lasts_depends_on_the_quorum() -> None:
    assert (
        lasting({101: {}, 203: TRANSMUTE, 204: {"ballot": {"quorum": {"at_least": "5"}}}})
        == "nothing"
    )
    assert (
        lasting({101: {}, 203: TRANSMUTE, 204: {"ballot": {"quorum": {"at_least": "4"}}}})
        == "tiers"
    )


def test_a_change_that_no_quorum_allows_any_more_is_refused() -> None:
    made = Ledger.start({201: {"changeable": "always"}, 202: {"adoption": MAJORITY}, 203: {}})
    body = "```yaml rule\nprovisions: {ballot: {quorum: {at_least: 5}}}\n```\n\nAll five."
    made.proposal(301, "02-01", f"## Amend Rule 203/0\n\n{body}")
    assert made.slugs() == ["change-ossifies"]


def test_a_quorum_that_was_not_met_is_found_with_its_rule() -> None:
    made = game({"quorum": {"at_least": "3"}}).proposal(301, "02-01", NEW, "ff..")
    (found,) = made.applied().findings()
    assert (found.slug, found.rule) == ("votes-few", 105)
    assert (
        found.message == "adopted with too few votes: 2 ballots; at least 3 ballots (4): 3 needed"
    )
    assert "A proposal is adopted only with at least 3 ballots." in str(found.help)


# How many votes a player's vote counts on a day.


def _player(*stretches: str) -> Player:
    said = ", ".join(f"{{{one}}}" for one in stretches)
    player, findings = read_player("players/wren.yml", f"name: Wren\nstrength: [{said}]\n".encode())
    assert findings == ()
    assert player is not None
    return player


def test_a_vote_counts_once_where_nothing_is_said() -> None:
    assert strength_of(_player(), Moment.parse("2026-05-01")) == 1
    assert strength_of(_player(), None) == 1


@pytest.mark.parametrize(
    ("day", "votes"),
    [
        ("2026-04-30", 1),
        ("2026-05-01", 3),
        ("2026-05-31", 3),
        ("2026-06-01", 0),
        ("2026-06-30T23:59", 0),
        ("2026-07-01", 3),
    ],
)
def test_the_stretch_that_began_last_says_how_much_a_vote_counts(day: str, votes: int) -> None:
    stretches = ("votes: 3, since: 2026-05-01", "votes: 0, since: 2026-06-01, until: 2026-07-01")
    assert strength_of(_player(*stretches), Moment.parse(day)) == votes
    assert strength_of(_player(*stretches[::-1]), Moment.parse(day)) == votes


def test_of_stretches_that_began_together_the_one_written_last_holds() -> None:
    player = _player("votes: 3, since: 2026-05-01", "votes: 2, since: 2026-05-01")
    assert strength_of(player, Moment.parse("2026-05-01")) == 2


def test_without_a_day_the_last_stretch_that_has_no_end_holds() -> None:
    open_, ended = "votes: 3, since: 2026-05-01", "votes: 2, since: 2026-06-01, until: 2026-07-01"
    assert strength_of(_player(open_, ended), None) == 3
    assert strength_of(_player(ended), None) == 1


def test_on_the_day_of_a_change_the_hour_counts() -> None:
    player = _player("votes: 3, since: 2026-05-01T12:00")
    assert strength_of(player, Moment.parse("2026-05-01T11:00")) == 1
    assert strength_of(player, Moment.parse("2026-05-01T12:00")) == 3


@pytest.mark.parametrize("votes", ["-1", "1/2", "many"])
def test_the_votes_are_a_whole_number(votes: str) -> None:
    data = f"name: Wren\nstrength: [{{votes: {votes}, since: 2026-05-01}}]\n".encode()
    player, findings = read_player("players/wren.yml", data)
    assert player is None
    assert [one.slug for one in findings] == ["value-wrong"]


COUNTED = r"""
- case: Votes count as the rules say.
  until: 01-05
  provisions:
    ballot:
      silence: against
      closes_after: 3
      abstention: ignored
      weights: {speaker: 2}
      tie_break: {by: hal}
      author_votes_for: true
      quorum: {at_least: "50%"}
  players: {osprey: {roles: [{role: speaker, since: 2026-01-01}]}}
  files: {players/hal.yml: {name: hal, joined: 2026-01-01}}
  proposals:
    301: {on: 01-02, votes: fa.., status: adopted, more: {hal: for}, decided: 2026-01-05}
    302: {on: 01-02, votes: a-.., status: defeated, decided: 2026-01-05}
    303: {on: 01-04, votes: f..., status: open}
    304: {on: 01-04, votes: "-a..", status: open}
  gives: |
    2026-01-05: rule of proposals/301.md: Rule 301/0 is enacted, mutable [Rule 202/0, 3 for
        (osprey 2); more than half of eligible voters (5): more than 2.5, so at least 3 needed]
    proposals/301.md: for osprey wren; against quill tallow; silent tallow; 4 of 5 are eligible;
        it closes on 2026-01-05
    proposals/301.md: Rule 202: 3 for (osprey 2); more than half of eligible voters (5): more
        than 2.5, so at least 3 needed
    proposals/301.md: Rule 201: 2 ballots; at least half of eligible voters (4): 2 needed
    proposals/302.md: for wren; against osprey tallow; abstaining quill; silent tallow; 4 of 5
        are eligible; it closes on 2026-01-05
    proposals/302.md: Rule 202: 1 for; more than half of eligible voters (4): more than 2
        needed, lacks more than half of eligible voters
    proposals/302.md: Rule 201: 2 ballots; at least half of eligible voters (4): 2 needed
    proposals/303.md: for osprey wren; missing quill tallow; 4 of 5 are eligible; it closes on
        2026-01-07; it may not end yet; 1 more for would do
    proposals/303.md: Rule 202: 3 for (osprey 2); more than half of eligible voters (5): more
        than 2.5, so at least 3 needed
    proposals/303.md: Rule 201: 1 ballot; at least half of eligible voters (4): 2 needed, lacks
        the ballots of at least half of eligible voters
    proposals/304.md: for wren; against quill; abstaining osprey; missing tallow; 4 of 5 are
        eligible; it closes on 2026-01-07; it may not end yet; 1 more for would do
    proposals/304.md: Rule 202: 1 for; more than half of eligible voters (3): more than 1.5, so
        at least 2 needed, lacks more than half of eligible voters
    proposals/304.md: Rule 201: 2 ballots; at least half of eligible voters (4): 2 needed
- case: "Everyone must vote, and who left is not waited for."
  until: 01-05
  provisions:
    ballot: {everyone_votes: true, electorate_at: opening}
    adoption:
      - {needs: unanimous, to: enact}
      - needs: {at_least: 2}
        of: cast
        and: {more_than: "20%", of: players}
        to: [enact, amend]
  players: {tallow: {left: 2026-01-04}}
  proposals:
    301: {on: 01-03, votes: f..f, status: open}
    302: {on: 01-02, votes: fafa, status: defeated, does: "## Amend Rule 203/0\n\nNew."}
    303:
      on: 01-03
      votes: f...
      status: open
      does: |-
        ## Amend Rule 203/0

        New.

        ## Repeal Rule 202/0
  gives: |
    2026-01-04: seat of players/tallow.yml: tallow leaves [no provision speaks of it]
    proposals/302.md: for osprey tallow; against quill wren; 4 of 4 are eligible
    proposals/302.md: Rule 201: 2 for; at least 2 votes (4): 2 needed; 2 for; more than 20% of
        all players (4): more than 0.8, so at least 1 needed
    proposals/301.md: for osprey wren; missing quill; gone tallow; 4 of 4 are eligible; it may
        not end yet; every vote was needed
    proposals/301.md: Rule 201: 2 for; all eligible voters (4): 4 needed, lacks all eligible
        voters
    proposals/301.md: Rule 201: 2 for; at least 2 votes (2): 2 needed; 2 for; more than 20% of
        all players (4): more than 0.8, so at least 1 needed
    proposals/303.md: for osprey; missing quill wren; gone tallow; 4 of 4 are eligible; it may
        not end yet
    proposals/303.md: Rule 201: 1 for; at least 2 votes (1): 2 needed; 1 for; more than 20% of
        all players (4): more than 0.8, so at least 1 needed, lacks at least 2 votes
- case: "A tie is enough, and so is no vote."
  provisions:
    ballot: {silence: ignored}
    adoption: {needs: unanimous, of: cast, tied: adopted, unvoted: adopted}
  proposals:
    301: {on: 01-02, votes: ffaa}
    302: {on: 01-03, votes: "----"}
    303: {on: 01-04, votes: ....}
    304: {on: 01-05, votes: faa., status: defeated}
  gives: |
    2026-01-02: rule of proposals/301.md: Rule 301/0 is enacted, mutable [Rule 201/0, 2 for; all
        votes cast (4): 4 needed, but the votes are tied, and that is enough]
    2026-01-03: rule of proposals/302.md: Rule 302/0 is enacted, mutable [no rule permits it]
    2026-01-04: rule of proposals/303.md: Rule 303/0 is enacted, mutable [Rule 201/0, 0 for; all
        votes cast (0): 0 needed, but nobody has voted, and that is enough]
    proposals/301.md: for osprey quill; against tallow wren; 4 of 4 are eligible
    proposals/301.md: Rule 201: 2 for; all votes cast (4): 4 needed, but the votes are tied, and
        that is enough
    proposals/302.md: abstaining osprey quill tallow wren; 4 of 4 are eligible
    proposals/302.md: Rule 201: 0 for; all votes cast (0): 0 needed, lacks all votes cast
    proposals/303.md: missing osprey quill tallow wren; 4 of 4 are eligible
    proposals/303.md: Rule 201: 0 for; all votes cast (0): 0 needed, but nobody has voted, and
        that is enough
    proposals/304.md: for osprey; against quill tallow; missing wren; 4 of 4 are eligible
    proposals/304.md: Rule 201: 1 for; all votes cast (3): 3 needed, lacks all votes cast
- case: "Silence is recorded, and counts as it would unrecorded."
  provisions: {ballot: {silence: against}}
  proposals:
    301:
      on: 01-02
      votes: ff..
      status: defeated
      more: {tallow: {vote: against, cast_by: silence}}
  gives: |
    proposals/301.md: for osprey quill; against tallow wren; silent tallow wren; 4 of 4 are
        eligible
    proposals/301.md: Rule 202: 2 for; more than half of eligible voters (4): more than 2
        needed, lacks more than half of eligible voters
"""


@pytest.mark.parametrize("case", cases_in(COUNTED))
def test_how_votes_are_counted(case: Any) -> None:
    assert came_of(case) == case["gives"]
