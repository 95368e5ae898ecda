"""Numbers that change hands: rules that take their proposal's number, and numbers that are given
again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from nomicgen.files.game_files import read_game
from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import HistoryEntry, RuleHistory, build_histories
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.run import replay
from nomicgen.model.commits import GitState
from nomicgen.model.identifiers import CommitId
from nomicgen.model.values import Moment
from nomicgen.site.addresses import revision_anchors
from nomicgen.site.build import pages

SETTINGS = "format: 1\nname: Small\nstarted: 2020-01-01\n"


def rule(number: int, text: str, provisions: str = "") -> str:
    return f"---\nnumber: {number}\nmutability: mutable\nrevision: 0\n{provisions}---\n\n{text}\n"


def adopted(number: int, day: str, instruction: str) -> str:
    head = (
        f"number: {number}\nauthor: ada\ndate: {day}\nstatus: adopted\ndecided: {day}\n"
        "votes: unrecorded\n"
    )
    return f"---\n{head}---\n\nSo be it.\n\n{instruction}\n"


NUMBERING = rule(
    108, "An amended rule takes a new number.", "provisions:\n  numbering: {amended: proposal}\n"
)


def made(files: Mapping[str, str], head: CommitId | None = None) -> Mapping[str, str]:
    tree = {"nomic.yml": SETTINGS, "players/ada.yml": "name: Ada\n", **files}
    records, findings = read_game({path: text.encode() for path, text in tree.items()})
    assert findings == ()
    played = replay(records)
    assert [step.outcome for step in played.steps] == ["applied"] * len(played.steps)
    histories = build_histories(
        played,
        {one.matter.number: (path, one.matter.commit) for path, one in records.initial.items()},
    )
    git = GitState(present=head is not None, reason="none", head=head)
    game_history = GameHistory(records=records, replay=played, histories=histories, git=git)
    return pages(game_history, today=Moment.parse("2020-12-31"))


def words(page: str) -> str:
    """What is read of a page."""
    return " ".join(re.sub(r"<[^>]*>", "", page).split())


def test_a_rule_that_takes_its_proposals_number_keeps_its_history() -> None:
    site = made(
        {
            "rules/initial/108.md": NUMBERING,
            "rules/initial/203.md": rule(203, "All must agree."),
            "proposals/301.md": adopted(
                301, "2020-02-01", "## Amend Rule 203/0\n\nMost must agree."
            ),
            "proposals/302.md": adopted(
                302, "2020-03-01", "## Amend Rule 301/1\n\nMost must agree, as Rule 203 said."
            ),
        }
    )
    assert {path for path in site if path.startswith("rules/")} == {
        f"rules/{name}.md"
        for name in ("108", "108/0", "203", "203/0", "301", "301/1", "302", "302/2", "index")
    }
    now, then = site["rules/302.md"], site["rules/203.md"]
    assert [anchor in now for anchor in ('id="r0"', 'id="r1"', 'id="r2"')] == [True, True, True]
    assert [anchor in then for anchor in ('id="r0"', 'id="r1"', 'id="r2"')] == [True, False, False]
    assert "Amended (2) by Proposal 302 (Ada), Mar 1, 2020" in words(now)
    assert (
        'What was Rule 203 is now <a class="n-ref" href="../../rules/302/">Rule 302/2</a>.' in then
    )
    # The text names the number that its own rule bore: a reference to itself is no link.
    assert "as Rule 203 said." in now


def test_a_number_that_is_given_again_leads_to_who_bore_it_before() -> None:
    site = made(
        {
            "rules/initial/101.md": rule(101, "The first."),
            "rules/initial/102.md": rule(102, "See Rule 101 and Rule 101/0."),
            "proposals/301.md": adopted(301, "2020-02-01", "## Repeal Rule 101/0"),
            "proposals/302.md": adopted(302, "2020-03-01", "## Enact Rule 101\n\nThe second."),
            "proposals/303.md": adopted(303, "2020-04-01", "## Repeal Rule 101/0"),
            "proposals/304.md": adopted(304, "2020-05-01", "## Enact Rule 101\n\nThe third."),
        }
    )
    assert {path for path in site if path.startswith("rules/101")} == {
        "rules/101.md",
        "rules/101/0.md",
        "rules/101/2020-01-01.md",
        "rules/101/2020-01-01/0.md",
        "rules/101/2020-03-01.md",
        "rules/101/2020-03-01/0.md",
    }
    assert "<p>The third.</p>" in site["rules/101.md"]
    assert 'href="../../rules/101/2020-01-01/"' in site["rules/101.md"]
    assert 'href="../../rules/101/2020-03-01/"' in site["rules/101.md"]
    assert "<p>The first.</p>" in site["rules/101/2020-01-01.md"]
    assert "Repealed by Proposal 301 (Ada), Feb 1, 2020" in words(site["rules/101/2020-01-01.md"])
    assert 'href="../../../rules/101/"' in site["rules/101/2020-01-01.md"]
    law = site["rules/102.md"].partition('<div class="n-law">')[2].partition("</div>")[0]
    assert law == (
        '<p>See <a class="n-ref" href="../../rules/101/" data-revision="101/0" title="Rule '
        '101/0">Rule 101</a> and '
        '<a class="n-ref" href="../../rules/101/#r0" data-revision="101/0" title="Rule '
        '101/0">Rule 101/0</a>.</p>'
    )


def test_texts_that_are_lost_are_said_to_be() -> None:
    site = made(
        {
            "rules/initial/203.md": "---\nnumber: 203\nmutability: mutable\nrevision: 0\n"
            "text: lost\n---\n",
            "proposals/301.md": adopted(301, "2020-02-01", "## Amend Rule 203/0\n\nKnown again."),
        }
    )
    assert '<li id="r0"><span class="n-line">' in site["rules/203.md"]
    assert "<p>Known again.</p>" in site["proposals/301.md"]
    assert (
        '<p class="n-note">The text that it amended is lost, so this is the whole new '
        'text:</p><div class="n-law">' in site["proposals/301.md"]
    )
    assert "The votes were not recorded." in site["proposals/301.md"]


def test_a_new_text_that_is_lost_is_said_to_be() -> None:
    site = made(
        {
            "rules/initial/203.md": rule(203, "All must agree."),
            "proposals/301.md": adopted(
                301, "2020-02-01", "## Amend Rule 203/0\n\n```yaml rule\ntext: lost\n```"
            ),
            "proposals/302.md": adopted(302, "2020-03-01", "## Amend Rule 203/1\n\nKnown again."),
        }
    )
    assert "The new text is lost." in site["proposals/301.md"]
    assert (
        '<a class="n-ref" href="../../rules/203/#r1">then Rule 203/1</a> '
        '<span class="n-note">(since amended, now 203/2)</span>' in site["proposals/301.md"]
    )


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("[302]", "1 in all: 1 adopted. Not in this archive: 302."),
        ("[307, 302]", "1 in all: 1 adopted. Not in this archive: 302, 307."),
    ],
)
def test_proposals_that_did_not_survive_are_named(lost: str, said: str) -> None:
    site = made(
        {
            "nomic.yml": f"{SETTINGS}lost:\n  proposals: {lost}\n",
            "proposals/301.md": adopted(301, "2020-02-01", "## Enact Rule 301\n\nSing."),
        }
    )
    assert f'<p class="n-lead">{said}</p>' in site["proposals/index.md"]


def test_a_withdrawn_proposal_is_no_failed_one() -> None:
    head = "number: 301\nauthor: ada\ndate: 2020-02-01\nstatus: withdrawn\ndecided: 2020-02-03\n"
    unanimity = "provisions:\n  adoption: {needs: unanimous, of: eligible}\n"
    site = made(
        {
            "rules/initial/203.md": rule(203, "All must agree.", unanimity),
            "proposals/301.md": f"---\n{head}votes:\n  ada: against\n---\n\nOr not.\n\n"
            "## Repeal Rule 203/0\n",
        }
    )
    page = site["proposals/301.md"]
    assert "<li>withdrawn</li>" in page
    assert "The changes proposed" in page
    assert "Shown against the ruleset of that time." in page
    assert (
        '<dt>Withdrawn</dt><dd><a class="n-when" href="../../time/#2020-02-03"><time '
        'datetime="2020-02-03">' in page
    )
    assert "What it needed" not in page
    assert "not met" not in page
    assert '<span class="n-state n-badge--plain">withdrawn</span>' in site["proposals/index.md"]


FAR = "a1" * 20
COMMIT = f"commit: {FAR}\n"


@pytest.mark.parametrize(
    ("links", "href"),
    [
        ("file: https://far.example/{sha}/{number}.md", f"https://far.example/{FAR}/301.md"),
        ("commit: https://far.example/{sha}", f"https://far.example/{FAR}"),
    ],
)
def test_what_came_from_elsewhere_was_recorded_there(links: str, href: str) -> None:
    proposal = adopted(301, "2020-02-01", "## Enact Rule 301\n\nSing.").replace(
        "author", f"{COMMIT}author"
    )
    act = (
        f"---\ncause: A storm\nby: ada\nunder: 108\ndate: 2020-03-01\n{COMMIT}---\n\n"
        "## Amend Rule 301/0\n\nHum.\n"
    )
    site = made(
        {
            "nomic.yml": f"{SETTINGS}links:\n  {links}\n",
            "rules/initial/108.md": rule(
                108, "A storm may change the rules.", "provisions:\n  authority: {to: [amend]}\n"
            ),
            "proposals/301.md": proposal,
            "acts/storm.md": act,
        },
        head=CommitId("b2" * 20),
    )
    assert (
        f'<dd><a href="{href}"><code title="{FAR}">a1a1a1a</code></a></dd>'
        in site["proposals/301.md"]
    )
    assert (
        f'<dd><a href="{href}"><code title="{FAR}">a1a1a1a</code></a></dd>' in site["acts/storm.md"]
    )
    assert (
        '<dt>Under</dt><dd><a class="n-ref" href="../../rules/108/">Rule 108</a></dd>'
        in site["acts/storm.md"]
    )
    entry = site["acts/index.md"].split("<li data-nomic-item")[1]
    assert (
        '<span class="n-name">Amend <a class="n-ref" href="../rules/301/#r0">Rule 301/0</a></span>'
        in entry
    )
    assert (
        '<a class="n-who" href="../players/ada/">Ada</a>, <a class="n-when" '
        'href="../time/#2020-03-01">' in entry
    )
    for path, text in site.items():
        assert "Its file in the repository" not in text, path
        assert f"far.example/{'b2' * 20}" not in text, path


def test_a_rule_that_is_enacted_again_has_an_anchor_for_each_text() -> None:
    def line(verb: str, number: int, revision: int) -> HistoryEntry:
        rule = Rule(identity=1, number=number, revision=revision, tier="mutable", text="So.")
        return HistoryEntry(verb=verb, rule=rule, path=f"proposals/{number}.md")

    lines = (
        line("initial", 204, 0),
        line("amend", 204, 1),
        line("repeal", 204, 1),
        line("enact", 313, 0),
        line("retitle", 313, 0),
        line("repeal", 313, 0),
        line("enact", 313, 0),
    )
    history = RuleHistory(identity=1, entries=lines, current=lines[-1].rule)
    assert revision_anchors(history) == {0: "r0-204", 1: "r1", 3: "r0-313", 6: "r0"}
    assert revision_anchors(history, 204) == {0: "r0", 1: "r1", 3: "r0-313-2", 6: "r0-313"}
