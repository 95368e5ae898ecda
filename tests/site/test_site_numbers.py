"""Numbers that change hands: rules that take their proposal's number, and numbers that are given again."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgen.archive.history import build_histories
from nomicgen.archive.provenance import GitState
from nomicgen.archive.view import Archive
from nomicgen.files import read_game
from nomicgen.law.replay import replay
from nomicgen.model import Moment
from nomicgen.site import pages

SETTINGS = "format: 1\nname: Small\nstarted: 2020-01-01\n"


def rule(number: int, text: str, provisions: str = "") -> str:
    return f"---\nnumber: {number}\nmutability: mutable\nrevision: 0\n{provisions}---\n\n{text}\n"


def adopted(number: int, day: str, instruction: str) -> str:
    head = f"number: {number}\nauthor: ada\ndate: {day}\nstatus: adopted\ndecided: {day}\nvotes: unrecorded\n"
    return f"---\n{head}---\n\nSo be it.\n\n{instruction}\n"


NUMBERING = rule(108, "An amended rule takes a new number.", "provisions:\n  numbering: {amended: proposal}\n")


def made(files: Mapping[str, str]) -> Mapping[str, str]:
    tree = {"nomic.yml": SETTINGS, "players/ada.yml": "name: Ada\n", **files}
    records, findings = read_game({path: text.encode() for path, text in tree.items()})
    assert findings == ()
    played = replay(records)
    assert [step.outcome for step in played.steps] == ["applied"] * len(played.steps)
    histories = build_histories(
        played, {one.matter.number: (path, one.matter.commit) for path, one in records.initial.items()}
    )
    git = GitState(present=False, reason="none")
    archive = Archive(records=records, replay=played, histories=histories, git=git)
    return pages(archive, today=Moment.parse("2020-12-31"))


def test_a_rule_that_takes_its_proposals_number_keeps_its_history() -> None:
    site = made(
        {
            "rules/initial/108.md": NUMBERING,
            "rules/initial/203.md": rule(203, "All must agree."),
            "proposals/301.md": adopted(301, "2020-02-01", "## Amend Rule 203/0\n\nMost must agree."),
            "proposals/302.md": adopted(302, "2020-03-01", "## Amend Rule 301/1\n\nMost must agree, as Rule 203 said."),
        }
    )
    assert {path for path in site if path.startswith("rules/")} == {
        f"rules/{name}.md" for name in ("108", "203", "301", "302", "index")
    }
    now, then = site["rules/302.md"], site["rules/203.md"]
    assert [anchor in now for anchor in ('id="r0"', 'id="r1"', 'id="r2"')] == [True, True, True]
    assert [anchor in then for anchor in ('id="r0"', 'id="r1"', 'id="r2"')] == [True, False, False]
    assert "Amended (2) by Proposal 302 (Ada), Mar 1, 2020" in now
    assert 'What was Rule 203 is now <a class="n-ref" href="../../rules/302/">Rule 302/2</a>.' in then
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
        "rules/101/2020-01-01.md",
        "rules/101/2020-03-01.md",
    }
    assert "<p>The third.</p>" in site["rules/101.md"]
    assert 'href="../../rules/101/2020-01-01/"' in site["rules/101.md"]
    assert 'href="../../rules/101/2020-03-01/"' in site["rules/101.md"]
    assert "<p>The first.</p>" in site["rules/101/2020-01-01.md"]
    assert "Repealed by Proposal 301 (Ada), Feb 1, 2020" in site["rules/101/2020-01-01.md"]
    assert 'href="../../../rules/101/"' in site["rules/101/2020-01-01.md"]
    law = site["rules/102.md"].partition('<div class="n-law">')[2].partition("</div>")[0]
    assert law == (
        '<p>See <a class="n-ref" href="../../rules/101/" data-revision="101/0" title="Rule 101/0">Rule 101</a> and '
        '<a class="n-ref" href="../../rules/101/#r0" data-revision="101/0" title="Rule 101/0">Rule 101/0</a>.</p>'
    )


def test_texts_that_are_lost_are_said_to_be() -> None:
    site = made(
        {
            "rules/initial/203.md": "---\nnumber: 203\nmutability: mutable\nrevision: 0\ntext: lost\n---\n",
            "proposals/301.md": adopted(301, "2020-02-01", "## Amend Rule 203/0\n\nKnown again."),
        }
    )
    assert "The text of this revision is lost." in site["rules/203.md"]
    assert "<p>Known again.</p>" in site["proposals/301.md"]
    assert "The text that it amended is lost." in site["proposals/301.md"]
    assert "The votes were not recorded." in site["proposals/301.md"]
