"""What the first page says of an archive that was opened for play."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgen.site.pages.home_page import home_pages
from tests.site.small import site_of, small_archive, words

RULE = "---\nnumber: {}\nmutability: {}\nrevision: 0\n---\n\nAbout lamps.\n"
ARCHIVE: Mapping[str, str] = {
    "nomic.yml": "format: 1\nname: Lantern\nstarted: 2021-01-01\n",
    "rules/initial/101.md": RULE.format(101, "immutable"),
    "rules/initial/203.md": RULE.format(203, "mutable"),
}
ACT = "---\ncause: opening\ndate: 2021-01-02\n---\n\n## Mark Rule 203\n\n```yaml rule\nprovisions:\n  {}\n```\n"
SAID = "No provision guards the immutable rules: whatever they say of it, they are amended and repealed as any rule is."


def _home(law: str) -> str:
    ((_, page),) = home_pages(site_of(small_archive({**ARCHIVE, **({"acts/open.md": ACT.format(law)} if law else {})})))
    return words(page)


def test_it_says_of_which_tier_nothing_guards_the_rules() -> None:
    assert SAID in _home("adoption: {needs: majority}")
    assert SAID in _home("adoption: [{needs: majority}, {needs: unanimous, to: transmute, from: immutable}]")


def test_it_says_nothing_where_something_does_or_nobody_plays() -> None:
    assert "guards" not in _home("")
    assert "guards" not in _home("entrenchment: {immutable: [transmute]}")
    assert "guards" not in _home("adoption: [{needs: majority}, {needs: unanimous, from: immutable}]")
