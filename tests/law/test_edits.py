"""What may happen to a proposal while votes stand: edits of its title and argument, and
withdrawals.
"""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from nomicgen.files.documents import read_instrument
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.kind import Provision, as_field, unsaid
from nomicgen.law.prospects import against_deed
from nomicgen.law.provisions.turns import Turns
from nomicgen.law.questions import points_for_silence, waiting_text
from nomicgen.law.replay.asked_texts import without_struck
from nomicgen.law.replay.effects import Licence, Verdict
from nomicgen.law.sentences import Phrase, by_field, worded
from nomicgen.law.subjects import State, TurnBegun, permitted_by
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Judgement
from nomicgen.model.values import Number, Span
from tests.ledger import UNANIMOUS, Ledger, day

TEA = "## Enact Rule: Tea\n\nThere is tea.\n"
MAJORITY = {"adoption": {"needs": "majority"}}


def game(**ballot: Any) -> Ledger:
    return Ledger.start(
        {101: {}, 201: {"ballot": ballot} if ballot else {}, 202: MAJORITY, 203: {}}
    )


def digest_of(
    title: str | None, argument: str, instructions: str = TEA, commences: str = ""
) -> str:
    """The digest as the guide says how to make it, by nothing but SHA-256."""
    head = f"commences: {commences}\n" if commences else ""
    return hashlib.sha256(
        f"{head}title: {title or ''}\n{argument}\n\n{instructions}".encode()
    ).hexdigest()


def opened(
    made: Ledger, digest: str | None, body: str = f"Why not.\n\n{TEA}", **more: Any
) -> Ledger:
    matter = {
        "number": 301,
        "title": "tea",
        "author": "wren",
        "date": day("01-06"),
        "status": "open",
        "opened": day("01-06"),
        "votes": {"osprey": "for"},
        "digest": digest,
        **more,
    }
    said = {key: one for key, one in matter.items() if one is not None}
    made.tree["proposals/301.md"] = write_front_matter(said, body)
    return made


@pytest.mark.parametrize("title", ["tea", None, "Tea: and 'cakes'"])
@pytest.mark.parametrize("commences", ["", "2027-01-01"])
def test_the_digest_of_the_whole_is_made_as_the_guide_says(
    title: str | None, commences: str
) -> None:
    matter = {"status": "draft", "title": title, "commences": day(commences) if commences else None}
    said = {key: one for key, one in matter.items() if one is not None}
    for body in (f"Why.\n\n{TEA}", f"\n\nWhy.\n\n{TEA}\n \n"):
        found, _ = read_instrument("proposals/tea.md", write_front_matter(said, body))
        assert found is not None
        assert found.whole_digest == digest_of(title, "Why.", commences=commences)
        assert found.digest != found.whole_digest


@pytest.mark.parametrize("edits", ["lapse", "forbidden"])
@pytest.mark.parametrize(
    ("title", "argument"),
    [("tea", "Why not."), ("coffee", "Why not."), ("tea", "Why not?"), (None, "Why not.")],
)
def test_title_and_argument_are_bound(edits: str, title: str | None, argument: str) -> None:
    made = opened(
        game(edits=edits), digest_of("tea", "Why not."), f"{argument}\n\n{TEA}", title=title
    )
    same = (title, argument) == ("tea", "Why not.")
    found = [one for one in made.applied().findings() if one.is_error]
    assert [one.slug for one in found] == ["digest-differs"] * (not same)
    if found:
        assert (
            found[0].message
            == "title, argument, instructions or `commences` changed after the vote opened"
        )
        assert found[0].help is not None
        assert ("nomicgen proposal resubmit 301" in found[0].help) == (edits == "lapse")
        assert ("nomicgen proposal withdraw 301" in found[0].help) == (edits == "forbidden")


@pytest.mark.parametrize("ballot", [{}, {"edits": "stand"}])
def test_unsaid_they_may_change(ballot: dict[str, str]) -> None:
    digest = hashlib.sha256(TEA.encode()).hexdigest()
    assert opened(game(**ballot), digest, f"Other.\n\n{TEA}", title="x").slugs() == []
    assert opened(game(**ballot), digest_of("tea", "Why not.")).slugs() == ["digest-differs"]


def test_a_digest_that_is_missing_is_given_in_the_form_that_is_due() -> None:
    (found,) = opened(game(edits="lapse"), None).applied().findings()
    assert (found.slug, found.help) == (
        "digest-missing",
        f"add `digest: {digest_of('tea', 'Why not.')}`",
    )


@pytest.mark.parametrize(
    ("law", "amended", "whole"),
    [("lapse", "stand", True), ("stand", "lapse", False), (None, "lapse", False)],
)
def test_the_law_of_the_day_of_opening_says_what_is_bound(
    law: str | None, amended: str, whole: bool
) -> None:
    made = game(**({"edits": law} if law else {}))
    digest = digest_of("tea", "Why not.") if whole else hashlib.sha256(TEA.encode()).hexdigest()
    opened(made, digest)
    block = f"```yaml rule\nprovisions: {{ballot: {{edits: {amended}}}}}\n```"
    made.proposal(
        302, "01-08", f"## Amend Rule 201/0\n\n{block}\n\nIt is otherwise.", date=day("01-06")
    )
    if law == "lapse":
        path = "proposals/302.md"
        found, _ = read_instrument(path, made.tree[path])
        assert found is not None
        made.tree[path] = made.tree[path].replace(
            (found.digest or "").encode(), (found.whole_digest or "").encode()
        )
    assert made.slugs() == []


@pytest.mark.parametrize(
    ("edits", "before", "told"),
    [
        ("forbidden", digest_of("tea", "Why not."), ""),
        ("forbidden", hashlib.sha256(TEA.encode()).hexdigest(), ""),
        (
            "forbidden",
            digest_of("tea", "Other."),
            "put to the vote again with other words; Rule 201 forbids that",
        ),
        ("lapse", digest_of("tea", "Other."), ""),
        ("stand", "0" * 64, ""),
    ],
)
def test_where_nothing_may_change_a_proposal_is_put_again_word_for_word(
    edits: str, before: str, told: str
) -> None:
    earlier = [{"opened": day("01-04"), "digest": before, "votes": {"osprey": "for"}}]
    now = (
        hashlib.sha256(TEA.encode()).hexdigest()
        if edits == "stand"
        else digest_of("tea", "Why not.")
    )
    made = opened(game(edits=edits), now, date=day("01-03"), earlier=earlier)
    assert [one.message for one in made.applied().findings()] == [told] * bool(told)


def test_a_vote_without_a_day_of_opening_is_bound_by_the_law_of_its_decision() -> None:
    made = game(edits="lapse").proposal(
        301, "01-06", TEA, opened=None, digest=digest_of(None, "Why not.")
    )
    assert "digest-differs" not in made.slugs()


@pytest.mark.parametrize(
    ("withdrawal", "late"),
    [
        (None, ""),
        ("until-decided", ""),
        ("never", "Proposal 301 was withdrawn; Rule 201 never allows that"),
        (
            "until-opened",
            "Proposal 301 was withdrawn when the vote on it had opened; Rule 201 allows that "
            "only before",
        ),
        ("until-complete", ""),
    ],
)
def test_until_when_a_proposal_may_be_withdrawn(withdrawal: str | None, late: str) -> None:
    made = game(**({"withdrawal": withdrawal} if withdrawal else {}))
    made.proposal(301, "01-06", TEA, "f...", "withdrawn", decided=day("01-07"))
    made.tree["proposals/301.md"] = made.tree["proposals/301.md"].replace(
        b"opened: 2026-01-06\n", b"opened: 2026-01-06\ndecided: 2026-01-07\n"
    )
    assert [one.message for one in made.applied().findings()] == [late] * bool(late)


@pytest.mark.parametrize("status", ["withdrawn", "void"])
@pytest.mark.parametrize(
    ("since", "late"),
    [
        (None, "Rule 201 allows that only when wren is inactive"),
        ("2026-01-08", "Rule 201 allows that only when wren is inactive"),
        ("2026-01-06", ""),
    ],
)
def test_a_proposal_falls_with_an_author_who_rests(
    status: str, since: str | None, late: str
) -> None:
    made = game(withdrawal="when-inactive")
    made.proposal(301, "01-06", TEA, "f...", status, decided=day("01-07"))
    made.tree["proposals/301.md"] = made.tree["proposals/301.md"].replace(
        b"opened: 2026-01-06\n", b"opened: 2026-01-06\ndecided: 2026-01-07\n"
    )
    if since is not None:
        made.tree["players/wren.yml"] += f"inactive:\n  - since: {since}\n".encode()
    assert [one.message.partition("; ")[2] for one in made.applied().findings()] == [late] * bool(
        late
    )


def test_never_means_in_debate_too() -> None:
    made = game(withdrawal="never").proposal(
        301, "01-06", TEA, "....", "withdrawn", opened=None, digest=None
    )
    made.tree["proposals/301.md"] = made.tree["proposals/301.md"].replace(
        b"status: withdrawn\n", b"status: withdrawn\ndecided: 2026-01-07\n"
    )
    (found,) = made.applied().findings()
    assert found.slug == "withdrawal-late"
    assert found.help == "set `status` back to `debate`, and delete `decided`"


# How a kind of provision is made.


class Weather(Provision):
    """A kind that no game has."""

    rain: Number | None = unsaid("how much it rains")
    snow: Number | None = unsaid("how much it snows")


def test_a_field_that_may_be_unsaid_says_what_it_is() -> None:
    assert Weather.keys["rain"].description == "how much it rains"
    assert (Weather().rain, Weather.read({"rain": "3"}).rain) == (None, 3)
    assert as_field(Weather.rain).key == (Weather.kind, "rain")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({}, "Nothing falls."),
        ({"rain": "1"}, "It drizzles."),
        ({"rain": "2"}, "It rains 2 inches."),
        ({"snow": "3", "rain": "1"}, "It drizzles; it snows like 3 winters."),
    ],
)
def test_a_sentence_has_a_part_for_each_field_that_is_said(said: Any, sentence: str) -> None:
    words: dict[str, Phrase[Weather]] = {
        "rain": {1: "it drizzles", None: "it rains {} inches"},
        "snow": worded(Weather.snow, lambda many: f"it snows like {many} winters"),
    }
    assert by_field(words, "nothing falls")(Weather.read(said)) == sentence
    assert by_field(words)(Weather.read({"rain": "1"})) == "It drizzles."


def test_what_rules_speak_of_is_permitted_by_them_unless_something_is_wrong_with_it() -> None:
    made = game().rule(204, {"turns": {"order": "joined"}}).turn("R1T1", "osprey", "01-02")
    records, played = made.play()
    state = State.at(records, played, day("01-03"))
    begun = TurnBegun(records.turns["R1T1"], ())
    wrong = Finding(slug="turn-order", span=Span(file="nomic.yml"), message="no", help="no")

    def judge(subject: TurnBegun, asked: State) -> list[Finding]:
        assert (subject, asked) == (begun, state)
        return [wrong]

    entry = permitted_by(TurnBegun, [Turns.order, Turns.joins], judge)
    assert entry.effect is TurnBegun
    assert entry.judge(begun, state) == Verdict((Licence(204, 0, "turns"),), (wrong,))
    unspoken = permitted_by(TurnBegun, [Turns.joins], lambda _subject, _state: ())
    assert unspoken.judge(begun, state) == Verdict()


# Small questions.


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Tea ~~with milk~~ is served .", "Tea is served."),
        ("Tea ~~with milk~~, or none", "Tea, or none"),
        ("  Tea  ~~old~~  and cake  ", "Tea and cake"),
        ("Tea is served.", None),
        ("Tea ~~with milk~~ is served. TODO", None),
    ],
)
def test_a_text_without_what_is_struck_out(text: str, plain: str | None) -> None:
    assert without_struck(text) == plain


def test_the_text_that_a_rule_will_have_by_itself() -> None:
    evening: dict[str, Any] = {"after": {"turns": "2"}, "becomes": {"text": "Evening."}}
    laws: list[Any] = [
        {},
        {"sunset": evening},
        {"sunset": {**evening, "becomes": "repealed"}},
        {"sunset": {**evening, "becomes": {"provisions": {}}}},
    ]
    plain, dusk, gone, bare = (
        rule for law in laws for rule in Ledger.start({203: law}).play()[1].initial
    )
    waiting = [waiting_text(before, dusk) for before in (None, plain, dusk, gone)]
    assert waiting == ["Evening.", "Evening.", None, "Evening."]
    assert [waiting_text(None, after) for after in (plain, gone, bare)] == [None, None, None]


def test_the_points_that_silence_costs_are_those_of_the_silent() -> None:
    points = [
        {"on": "silence", "to": "silent", "amount": "-3"},
        {"on": "decided", "to": "author", "amount": "1"},
    ]
    (rule,) = Ledger.start({203: {"points": points}}).play()[1].initial
    assert [one.amount for one in points_for_silence(rule)] == [-3]


def test_nobody_waives_a_judgement_that_is_given() -> None:
    law = {"stay": {"of": "next-turn"}, "turns": {"order": "joined"}}
    made = Ledger.start({203: UNANIMOUS, 204: law}).turn("R1T1", "osprey", "01-02", "01-03")
    records, played = made.judgement(1, "01-03", "Is it?\n\n## Ruling\n\nIt is.").play()
    judgement = records.instruments["judgements/1.md"]
    assert isinstance(judgement, Judgement)
    found = against_deed("waive", judgement, PlayerId("wren"), records, played, day("01-04"))
    assert [(one.message, one.rule) for one in found] == [
        ("wren waives judgement 1, which is given", 204)
    ]


def test_what_was_before_the_game_was_played_is_archived() -> None:
    law = "```yaml rule\nprovisions:\n  adoption: {needs: unanimous}\n```"
    archive = Ledger.start({203: {}})
    assert archive.play()[1].is_archived(day("02-01"))
    opening = f"## Mark Rule 203/0\n\n{law}"
    opened = archive.act("open", "02-03", opening, cause="opening").play()[1]
    days = [opened.is_archived(day(on)) for on in ("02-02", "02-03", "02-04")]
    assert (opened.judged_from, days) == (day("02-03"), [True, False, False])
    assert not Ledger.start({203: UNANIMOUS}).play()[1].is_archived(day("02-01"))


def test_a_claim_that_nothing_reads_a_passage_outlives_new_provisions() -> None:
    made = Ledger.start({203: UNANIMOUS}).file(
        "rules/initial/204.md",
        "---\nnumber: 204\nmutability: mutable\nunread: [Tea is served.]\n---\n\nTea is served.\n",
    )
    marked = "## Mark Rule 204/0\n\n```yaml rule\nprovisions:\n  cap: {mutable: 9}\n```"
    played = made.proposal(301, "01-02", marked).play()[1]
    assert [rule.unread for rule in played.current] == [(), ("Tea is served.",)]


def test_who_is_known_from_an_archive_alone_voted_in_it() -> None:
    """While no rule says who votes, they count as players; from the first provision on they do
    not.
    """
    made = Ledger.start({203: {}}).player("lark", kind="past")
    made.proposal(301, "02-01", "## Enact Rule\n\nTea.", more={"lark": "for"})
    law = "```yaml rule\nprovisions:\n  adoption: {needs: majority}\n```"
    made.act("open", "02-03", f"## Mark Rule 203/0\n\n{law}", cause="opening")
    made.proposal(302, "02-04", "## Enact Rule\n\nCake.", more={"lark": "for"})
    tallies = made.play()[1].tallies
    counted = ["lark" in tallies[f"proposals/{number}.md"].for_ for number in (301, 302)]
    assert counted == [True, False]
