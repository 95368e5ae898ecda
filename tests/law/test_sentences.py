"""The sentence of each provision: in English, and what is enforced, no more and no less."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgen.law.reading import parse_provisions
from nomicgen.law.sentences import sentences
from tests.deep import examples

TIERS = ("immutable", "mutable")


def said(raw: Any) -> list[str]:
    provisions, problems = parse_provisions(raw, TIERS)
    assert problems == ()
    return list(sentences(provisions))


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (
            {"needs": "majority"},
            "Rule-changes need the votes of more than half of eligible voters.",
        ),
        ({"needs": "unanimous", "of": "players"}, "Rule-changes need the votes of all players."),
        ({"needs": "majority", "of": "cast"}, "Rule-changes need more than half of votes cast."),
        ({"needs": {"at_least": "1"}}, "Rule-changes need at least 1 vote."),
        (
            {"needs": "majority", "of": "cast", "and": {"at_least": "3"}},
            "Rule-changes need more than half of votes cast, and at least 3 votes.",
        ),
        (
            {"needs": "majority", "of": "cast", "and": {"more_than": "15%", "of": "players"}},
            "Rule-changes need more than half of votes cast, and the votes of more than 15% of "
            "all players.",
        ),
        (
            {"needs": "majority", "and": {"more_than": "15%", "of": "players"}, "under": "308"},
            "Rule-changes need the votes of more than half of eligible voters, and of more than "
            "15% of all players. "
            "It gives way to Rule 308.",
        ),
        (
            {"needs": "two-thirds", "to": ["enact", "amend"], "over": ["203", "204"]},
            "Enactments and amendments need the votes of at least two thirds of eligible voters. "
            "It goes before what Rules 203 and 204 say about this.",
        ),
        (
            {"needs": "unanimous", "from": "immutable"},
            "Rule-changes of immutable rules need the votes of all eligible voters.",
        ),
        (
            {"needs": "unanimous", "into": ["immutable", "mutable"]},
            "Enactments and transmutations into immutable or mutable rules need the votes of all "
            "eligible voters.",
        ),
        (
            {"needs": "unanimous", "from": "immutable", "into": "mutable"},
            "Transmutations of immutable rules into mutable rules need the votes of all eligible "
            "voters.",
        ),
        (
            {"needs": "unanimous", "to": ["amend", "transmute"], "into": "mutable"},
            "Transmutations into mutable rules need the votes of all eligible voters.",
        ),
        (
            {"needs": "unanimous", "to": ["enact", "repeal"], "from": "mutable"},
            "Repeals of mutable rules need the votes of all eligible voters.",
        ),
    ],
)
def test_adoption(raw: Any, sentence: str) -> None:
    assert said({"adoption": raw}) == [sentence]


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({}, "No way of voting is laid down."),
        ({"electorate": "players"}, "All players may vote."),
        (
            {"electorate": "active", "everyone_votes": "true"},
            "Only active players may vote; everyone who may vote must.",
        ),
        (
            {"everyone_votes": "false", "silence": "ignored"},
            "Nobody has to vote; silence is no vote.",
        ),
        (
            {"silence": "waits", "closes_after": "3"},
            "A vote closes 3 days after it opened; silence holds a vote open.",
        ),
        ({"debate": "0"}, "A vote may open as soon as its proposal is put forward."),
        ({"debate": "1"}, "A vote opens no sooner than a day after its proposal was put forward."),
        (
            {"debate": "3", "closes_after": "1", "silence": "for", "penalty": {"points": "3"}},
            "A vote opens no sooner than 3 days after its proposal was put forward; a vote "
            "closes a day after it "
            "opened; silence counts as a vote for; silence that counts as a vote costs 3 points.",
        ),
        (
            {"silence": "against", "penalty": {"points": "1"}},
            "Silence counts as a vote against; silence that counts as a vote costs 1 point.",
        ),
        ({"penalty": {"points": "1/2"}}, "Silence that counts as a vote costs 1/2 points."),
        ({"abstention": "forbidden"}, "Nobody may abstain."),
        ({"abstention": "counts"}, "An abstention counts as a vote cast."),
        ({"abstention": "ignored"}, "An abstaining voter does not count as eligible."),
        ({"author_votes_for": "true"}, "An author who has not voted counts as a vote for."),
        ({"author_votes_for": "false"}, "An author votes like anyone else."),
        ({"tie_break": {"by": "hal"}}, "A tie is broken by hal, who has no other vote."),
        (
            {"tie_break": {"by": "hal", "die": "3", "for": ["1"], "against": ["2"]}},
            "A tie is broken by hal, who has no other vote and votes by a die of 3 sides (for on "
            "1, against on 2, no "
            "vote on any other face).",
        ),
        (
            {"dummy": {"die": "6", "for": ["4", "5", "6"], "against": ["1", "2", "3"]}},
            "A dummy player votes by a die of 6 sides (for on 4, 5 and 6, against on 1, 2 and 3).",
        ),
        (
            {"dummy": {"die": "6", "for": ["6"]}},
            "A dummy player votes by a die of 6 sides (for on 6, no vote on any other face).",
        ),
        ({"resubmissions": "0"}, "A proposal may not be put to the vote again."),
        ({"resubmissions": "1"}, "A proposal may be put to the vote again once."),
        (
            {"resubmissions": "2", "over": "203"},
            "A proposal may be put to the vote again up to 2 times. It goes before what Rule 203 "
            "says about this.",
        ),
    ],
)
def test_ballot(raw: Any, sentence: str) -> None:
    assert said({"ballot": raw}) == [sentence]


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (
            {"on": "defeated", "to": "author", "amount": "-10"},
            "When a proposal is defeated, its author loses 10 points.",
        ),
        (
            {"on": "adopted", "to": "author", "amount": "10", "times": "share-for"},
            "When a proposal is adopted, its author gets 10 points times the share of votes for, "
            "abstentions not counted.",
        ),
        (
            {"on": "adopted", "to": "author", "amount": "2", "times": "changes"},
            "When a proposal is adopted, its author gets 2 points for each change in it.",
        ),
        (
            {"on": "adopted", "to": "against", "amount": "10", "if": "unanimity-not-needed"},
            "When a proposal that did not need every eligible vote is adopted, each voter "
            "against gets 10 points.",
        ),
        (
            {"on": "decided", "to": "for", "amount": "1", "if": "unanimity-needed"},
            "When a proposal that needed every eligible vote is decided, each voter for gets 1 "
            "point.",
        ),
        (
            {"on": "decided", "to": "silent", "amount": "-1"},
            "When a proposal is decided, each voter whose silence counted loses 1 point.",
        ),
        (
            {"on": "decided", "to": {"role": "umpire"}, "amount": "20/3"},
            "When a proposal is decided, each umpire gets 20/3 points.",
        ),
        (
            {"on": "turn", "to": "player", "die": "6"},
            "At the end of a turn that is not passed, the player whose turn it was gets the "
            "throw of a die of 6 sides.",
        ),
        (
            {"on": "passed", "to": "player", "amount": "-1"},
            "At the end of a turn that is passed, the player whose turn it was loses 1 point.",
        ),
        (
            {"on": "turn", "to": {"role": "piper"}, "die": "6"},
            "At the end of a turn that is not passed, the player whose turn it was, if a holder of "
            "the role piper, gets the throw of a die of 6 sides.",
        ),
        (
            {"on": "turn", "to": {"role": "piper"}, "amount": "2"},
            "At the end of a turn that is not passed, each piper gets 2 points.",
        ),
        (
            {"on": "judged", "to": "judge", "amount": "1"},
            "When a judgement is given, the judge gets 1 point.",
        ),
        (
            {"on": "late-judge", "to": "judge", "amount": "-3"},
            "When a judgement is given, each judge who was late loses 3 points.",
        ),
        (
            {"on": "late-judge", "to": {"role": "umpire"}, "amount": "2"},
            "When a judgement is given after a judge was late, each umpire gets 2 points.",
        ),
        (
            {"on": "silence", "to": "silent", "amount": "-3"},
            "When a proposal is decided, each voter whose silence counted loses 3 points.",
        ),
        (
            {"on": "silence", "to": {"role": "umpire"}, "amount": "1", "over": "203"},
            "When a proposal is decided and silence counted as a vote, each umpire gets 1 point. "
            "It goes before what Rule 203 says about this.",
        ),
    ],
)
def test_points(raw: Any, sentence: str) -> None:
    assert said({"points": raw}) == [sentence]


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({"victory": {"points": "100"}}, "The first player with 100 points wins."),
        ({"victory": {"points": "1"}}, "The first player with 1 point wins."),
        ({"victory": {}}, "No rule says how many points win."),
        ({"turns": {}}, "No order of turns is laid down."),
        (
            {"turns": {"order": "alphabetical"}},
            "Turns go round in the alphabetical order of names.",
        ),
        (
            {
                "turns": {
                    "order": "seat",
                    "proposals": "1",
                    "passing": "false",
                    "joins": "before-current",
                }
            },
            "Turns go round in the order of seats; a turn has one proposal, its player's; nobody "
            "may pass a turn; a newcomer plays just before the player whose turn it is.",
        ),
        (
            {"turns": {"order": "random", "proposals": "0", "passing": "true", "joins": "last"}},
            "Turns go round in an order drawn by lot; a turn has no proposal; a turn may be "
            "passed; a newcomer plays "
            "last.",
        ),
        (
            {
                "turns": {
                    "order": "joined",
                    "proposals": "3",
                    "passes_after": "1",
                    "joins": "next-circuit",
                }
            },
            "Turns go round in the order of joining; a turn has up to 3 proposals, all its "
            "player's; a turn without a "
            "proposal passes by itself after a day; a newcomer plays from the next round on.",
        ),
        (
            {"changeable": "always"},
            "No change may make it impossible to go on changing rules by votes.",
        ),
        (
            {"changeable": "texts"},
            "No change may make it impossible to go on amending or enacting rules by votes.",
        ),
        ({"effect": "at-once"}, "An adopted change takes effect as soon as it is adopted."),
        (
            {"effect": {"when": "next-turn"}},
            "An adopted change takes effect at the start of the next turn.",
        ),
        ({"floor": {"mutable": "1"}}, "There may be no fewer than 1 mutable rule."),
        (
            {"authority": {"by": "act", "to": ["amend", "repeal"], "over": "308"}},
            "An act under this rule may amend or repeal rules. It goes before what Rule 308 says "
            "about this.",
        ),
        (
            {"authority": {"by": "judgement", "to": "void"}},
            "A judgement under this rule may void rules.",
        ),
        (
            {"awards": [{"in": ["proposal", "act"], "amount": "1"}]},
            "A proposal or an act may give 1 point, with the reason.",
        ),
        (
            {"awards": {"in": "turn", "at_least": "-10", "at_most": "20/3"}},
            "A turn may give at least \N{MINUS SIGN}10 and at most 20/3 points, with the reason.",
        ),
        ({"awards": {"in": "judgement"}}, "A judgement may give points, with the reason."),
        (
            {"judgements": {"judge": "previous", "overruled_by": "others"}},
            "The judge is the player before the one whose turn it is, and the one before that if "
            "overruled; a judgement is overruled by the votes of all other players.",
        ),
        (
            {"judgements": {"never": ["caller", "author"], "overruled_by": "judgement"}},
            "Nobody judges a question that they asked or a question about their own proposal; "
            "a judgement is overruled by a later judgement by another judge.",
        ),
        ({"judgements": {}}, "No rule says who judges."),
        (
            {"turns": {"overlap": "false", "proposal_required": "true"}},
            "A turn must have a proposal; a turn begins when the one before it has ended.",
        ),
        (
            {"turns": {"overlap": "true", "proposal_required": "false"}},
            "A turn need not have a proposal; a turn may begin before the one before it has ended.",
        ),
        (
            {"ballot": {"withdrawal": "until-opened"}},
            "An author may withdraw a proposal until the vote on it opens.",
        ),
        (
            {"ballot": {"withdrawal": "until-complete"}},
            "An author may withdraw a proposal until everyone has voted on it.",
        ),
        (
            {"sunset": {"after": {"event": "somebody thanks it."}, "becomes": "repealed"}},
            "When this happens: somebody thanks it, this rule is repealed by itself.",
        ),
    ],
)
def test_the_others(raw: Any, sentence: str) -> None:
    assert said(raw) == [sentence]


BECOMES: dict[str, Any] = {"adoption": {"needs": "majority"}, "cap": {"mutable": "3"}}


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (
            {"after": {"circuits": "1"}, "becomes": "repealed"},
            "When a round has been completed since this provision came into force, this rule is "
            "repealed by itself.",
        ),
        (
            {"after": {"circuits": "2"}, "unless": "amended", "becomes": "repealed"},
            "When 2 rounds have been completed since this provision came into force, this rule is "
            "repealed by itself, unless its "
            "text was amended by then.",
        ),
        (
            {"after": {"turns": "1"}, "becomes": {"text": "New."}},
            "When a turn has ended since this provision came into force, this rule changes by "
            "itself. It then has a new text and its other provisions.",
        ),
        (
            {"after": {"turns": "5"}, "becomes": {"provisions": {}}},
            "When 5 turns have ended since this provision came into force, this rule changes by "
            "itself. It then has the same text and no provisions.",
        ),
        (
            {
                "after": {"date": "2026-03-01"},
                "unless": "amended",
                "becomes": {"text": "New.", "provisions": BECOMES},
            },
            "On 2026-03-01, this rule changes by itself, unless its text was amended by then. "
            "It then has a new text and these provisions: Rule-changes need the votes of more "
            "than half of eligible "
            "voters. There may be at most 3 mutable rules.",
        ),
        (
            {
                "after": {"date": "2026-03-01T18:00"},
                "becomes": {
                    "provisions": {"sunset": {"after": {"turns": "2"}, "becomes": "repealed"}}
                },
            },
            "On 2026-03-01T18:00, this rule changes by itself. It then has the same text and these "
            "provisions: When 2 turns have ended since this provision came into force, this rule "
            "is repealed by itself.",
        ),
    ],
)
def test_a_sunset_says_what_the_rule_becomes(raw: Any, sentence: str) -> None:
    assert said({"sunset": raw}) == [sentence]


FACES = st.sampled_from([{"for": ["1"]}, {"against": ["1", "2"]}, {"for": ["1"], "against": ["3"]}])
DIE = st.builds(lambda die, faces: {"die": str(die), **faces}, st.integers(3, 20), FACES)
BALLOT = st.fixed_dictionaries(
    {},
    optional={
        "electorate": st.sampled_from(["players", "active"]),
        "everyone_votes": st.sampled_from(["true", "false"]),
        "silence": st.sampled_from(["waits", "for", "against", "ignored"]),
        "debate": st.sampled_from(["0", "1", "7"]),
        "closes_after": st.sampled_from(["1", "7"]),
        "penalty": st.just({"points": "3"}),
        "abstention": st.sampled_from(["forbidden", "counts", "ignored"]),
        "author_votes_for": st.sampled_from(["true", "false"]),
        "tie_break": st.builds(lambda die: {"by": "hal", **die}, st.one_of(st.just({}), DIE)),
        "resubmissions": st.sampled_from(["0", "1", "2"]),
        "dummy": DIE,
        "over": st.sampled_from(["203", ["203", "204"]]),
    },
)


@settings(max_examples=examples(0.8), deadline=None)
@given(BALLOT)
def test_every_ballot_is_one_sentence_with_a_part_for_every_field(ballot: dict[str, Any]) -> None:
    (sentence,) = said({"ballot": ballot})
    parts = re.sub(r"\([^)]*\)", "", sentence.partition(" It goes before")[0]).split("; ")
    assert len(parts) == max(1, len(ballot.keys() - {"over"}))
    assert re.fullmatch(r"[A-Z][^{}\[\]'_]*\.", sentence)
