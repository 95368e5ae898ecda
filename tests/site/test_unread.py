"""What a rule's page shows of the sentences that no program reads."""

from __future__ import annotations

import json
import re

from nomicgen.model.values import Moment
from nomicgen.site.build import pages
from tests.ledger import UNANIMOUS, Ledger
from tests.rulesets import archive as archive_of_tree

HOSTILE = '`<b onclick=hacked()>` & "{{ 7 * 7 }}" [x](javascript:hacked())'


def made_of(block: str) -> dict[str, str]:
    game = Ledger.start({101: UNANIMOUS, 202: {"floor": {"mutable": "1"}}})
    text = f"Tea is {HOSTILE}. It is late."
    game.proposal(301, "01-05", f"## Amend Rule 202/0\n\n```yaml rule\n{block}\n```\n\n{text}")
    return dict(pages(archive_of_tree(game.applied().tree), today=Moment.parse("2026-02-01")))


def shown(made: dict[str, str]) -> str:
    """What the page of Rule 202 has beside its text for a program, without its sentences of provisions."""
    found = re.search('<section class="n-program">(.*?)</section>', made["rules/202.md"])
    return re.sub('<h2>.*</h2>|<ul class="n-sentences">.*?</ul>', "", found[1]) if found else ""


def test_a_rule_that_no_program_reads_says_so_in_one_line() -> None:
    made = made_of("provisions: {}\nunread: true")
    assert shown(made) == '<p class="n-unread">No program reads this rule.</p>'
    assert "Machine-readable meaning" not in made["rules/202.md"].partition('id="revisions"')[0]
    assert json.loads(made["api/v1/rules/202.json"])["unread"] is True


def test_the_passages_stand_below_what_a_program_reads_and_can_do_nothing() -> None:
    passage = json.dumps(f"Tea is {HOSTILE}.")
    made = made_of(f"provisions:\n  floor: {{mutable: 1}}\nunread: [{passage}, It is late.]")
    assert "Machine-readable meaning" in made["rules/202.md"]
    assert shown(made) == (
        '<p class="n-unread">No program reads these sentences:</p><ul class="n-unread">'
        "<li><q>Tea is &#96;&lt;b onclick=hacked()&gt;&#96; &amp; &#34;&#123;&#123; 7 * 7 &#125;&#125;&#34; "
        "[x](javascript:hacked()).</q></li>"
        "<li><q>It is late.</q></li></ul>"
    )
    assert json.loads(made["api/v1/rules/202.json"])["unread"] == [f"Tea is {HOSTILE}.", "It is late."]


def test_one_passage_is_one_sentence() -> None:
    made = made_of("provisions: {}\nunread: [It is late.]")
    assert shown(made).startswith('<p class="n-unread">No program reads this sentence:</p>')
    told = "<dt>Read by no program</dt><dd><ins>“It is late.”</ins></dd>"
    assert told in made["proposals/301.md"]


def test_a_rule_that_claims_nothing_shows_nothing() -> None:
    made = made_of("provisions: {}")
    assert shown(made) == ""
    assert json.loads(made["api/v1/rules/202.json"])["unread"] == []
