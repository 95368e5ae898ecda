"""Files to the byte: a rule's text, and what cannot stand in it; SSH keys of players, which nothing
verifies.
"""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nomicgen.files.documents import read_player
from nomicgen.files.file_editing import set_keys
from nomicgen.files.file_findings import Notes
from nomicgen.files.markdown import parse_body, parser
from nomicgen.files.quick_outline import is_marked
from nomicgen.files.rule_files import _check_text, read_rule
from nomicgen.model.values import Moment
from tests.reading import MARKDOWN, RULE, places, rule, said


def test_a_text_runs_from_its_first_to_its_last_line() -> None:
    found, findings = rule("\n \n    code  \n\nend  \n")
    assert findings == ()
    assert found is not None
    assert (found.text, found.text_line, found.source.body_line) == ("    code  \n\nend  ", 8, 5)


def test_keys_of_a_rule() -> None:
    front = """number: 203
mutability: mutable
revision: 1
title: Adoption
section: Voting
provisions:
  adoption: {needs: majority, of: eligible, and: {more_than: 15%, of: players}}
  cap: {mutable: 25}
defines: [simple majority]
void: 2020-08-01
note: see judgement 4
"""
    found, findings = rule("x\n", front)
    assert findings == ()
    assert found is not None
    matter = found.matter
    assert (matter.revision, matter.title, matter.section) == (1, "Adoption", "Voting")
    assert matter.void == Moment.parse("2020-08-01")
    assert matter.provisions == {
        "adoption": {
            "needs": "majority",
            "of": "eligible",
            "and": {"more_than": "15%", "of": "players"},
        },
        "cap": {"mutable": "25"},
    }
    assert str(found.source.at("provisions", "adoption", "and", "of")) == f"{RULE}:8:71"


def test_lost_texts() -> None:
    front = "number: 203\nmutability: mutable\ntext: lost\n"
    found, findings = read_rule(RULE, f"---\n{front}---\n".encode())
    assert findings == ()
    assert found is not None
    assert found.text is None
    assert said(rule("\nfoo\n", front)[1]) == [
        "8:1 value-wrong: the text is said to be lost, but here it is"
    ]
    assert said(read_rule(RULE, b"---\nnumber: 203\nmutability: mutable\n---\n")[1]) == [
        "1:1 key-missing: the rule has no text"
    ]


def test_the_number_is_the_one_of_the_name() -> None:
    found, findings = rule("x\n", "mutability: mutable\nnumber: 204\n")
    assert found is None
    assert places(findings) == [f"{RULE}:3:9 number-mismatch"]
    assert findings[0].help == "write `number: 203`, or rename the file to 204.md"


def test_what_cannot_stand_in_a_text() -> None:
    body = (
        "# A\n\nfoo\nbar\n---\n\n> ## B\n\n- # C\n\n### fine\n\n<div>\n\nx <i>y</i>\n\n"
        "```yaml rule\nx\n```\n\n"
        "## Repeal Rule 1/0\n\n~~~~ yml rule\n"
    )
    found, findings = rule(body)
    assert found is not None
    assert said(findings) == [
        "6:1 heading-level: a heading of level 1 is in a rule's text",
        "8:1 heading-level: a heading of level 2 is in a rule's text",
        "12:3 heading-level: a heading of level 2 is in a rule's text",
        "14:3 heading-level: a heading of level 1 is in a rule's text",
        "18:1 html: `<div>` is raw HTML",
        "20:3 html: `<i>` is raw HTML",
        "20:7 html: `</i>` is raw HTML",
        "22:1 block-misplaced: a `yaml rule` block is in a rule's text",
        "26:1 heading-level: a heading of level 2 is in a rule's text",
        "28:1 fence-open: the fence of 4 tildes is never closed",
    ]


def test_broken_keys_do_not_hide_a_broken_text() -> None:
    assert said(rule("# x\n", "number: 203\nmutability: [\n")[1]) == [
        "3:14 yaml-syntax: this is not YAML: no value can begin like this",
        "6:1 heading-level: a heading of level 1 is in a rule's text",
    ]


@given(MARKDOWN | st.text(st.sampled_from("#<`~=- >\t\nab"), max_size=30))
@example("> - <!--\n> ")
def test_a_text_is_parsed_wherever_something_could_be_wrong_with_it(body: str) -> None:
    notes = Notes(RULE)
    _check_text(parse_body(body, 1), notes)
    assert not notes or is_marked(body)


def test_the_shared_parser_reads_github_flavoured_markdown() -> None:
    text = (
        "A list\n- follows\n\n| a |\n|---|\n| ~~b~~ |\n\n"
        "https://a.example and b.example and me@b.example\n"
    )
    assert parser().render(text) == (
        "<p>A list</p>\n<ul>\n<li>follows</li>\n</ul>\n<table>\n<thead>\n<tr>\n<th>a</th>\n"
        "</tr>\n</thead>\n"
        "<tbody>\n<tr>\n<td><s>b</s></td>\n</tr>\n</tbody>\n</table>\n"
        '<p><a href="https://a.example">https://a.example</a> and b.example and me@b.example</p>\n'
    )
    assert parser() is parser()


_ADDRESSES = [
    "https://a.example",
    "HTTP://a.example",
    "//a.example",
    "ftp://a.example",
    "MailTo:me@a.example",
]
_NONE = ["b.example", "me@b.example", "http:", "/", ":", "a", " ", "\n", "*", "`", "<", ">"]


@given(st.lists(st.sampled_from([*_ADDRESSES, *_NONE])).map("".join))
def test_the_shared_parser_looks_for_addresses_wherever_one_may_be(text: str) -> None:
    always = MarkdownIt("commonmark", {"linkify": True, "maxNesting": 50}).enable(
        ["table", "strikethrough", "linkify"]
    )
    assert always.linkify is not None
    always.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    assert parser().render(text) == always.render(text)


def test_deep_lists_are_not_dropped() -> None:
    text = "".join(f"{'  ' * depth}- item {depth}\n" for depth in range(20))
    assert "item 19" in parser().render(text)


KEYS = (
    "name: Wren\nkeys:\n"
    "  - {key: ssh-ed25519 AAAAC3 wren@lamp, since: 2026-01-05, until: 2026-02-01}\n"
)


def test_a_note_goes_behind_the_keys() -> None:
    assert set_keys(KEYS.encode(), {"note": "here"}) == KEYS.encode() + b"note: here\n"


def test_keys_are_read_with_their_days() -> None:
    player, findings = read_player("players/wren.yml", KEYS.encode())
    assert player is not None
    assert not findings
    [key] = player.matter.keys_
    assert (key.key, str(key.since), str(key.until)) == (
        "ssh-ed25519 AAAAC3 wren@lamp",
        "2026-01-05",
        "2026-02-01",
    )
    assert player.matter.fields()["keys.0.since"] == "2026-01-05"
