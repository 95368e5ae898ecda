"""Words to bytes and back: every reader of YAML gets the same, and nothing of a text is lost."""

from __future__ import annotations

import datetime
import re
import unicodedata
from fractions import Fraction
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from nomicgen.files.documents import read_instrument, read_player
from nomicgen.files.file_findings import Notes
from nomicgen.files.front_matter import YamlPlace, compose
from nomicgen.files.rule_files import read_rule
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.files.yaml_writing import write_front_matter, write_rule, write_yaml
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.values import Moment, RuleRef
from tests.reading import MARKDOWN, PROPOSAL, RULE, said


def test_a_rule_to_the_byte() -> None:
    written = write_rule(
        number=203,
        mutability="mutable",
        revision=1,
        title="Adoption: yes",
        section="on",
        provisions={
            "adoption": {
                "needs": "majority",
                "of": "eligible",
                "and": {"more_than": "15%", "of": "players"},
            },
            "cap": {"mutable": "25"},
            "effect": {"on": "adopted", "x": "025", "everyone_votes": "true", "y": "no"},
            "entrenchment": {"constitutional": [], "immutable": ["transmute"]},
            "changeable": "always",
        },
        defines=["simple majority", "no"],
        unread=["Line", "A player, who is late, waits."],
        void=Moment.parse("2020-08-01"),
        note="two\nlines",
        text="Line  \nend",
        commit="0" * 40,
    )
    assert (
        written.decode()
        == """---
number: 203
mutability: mutable
revision: 1
title: "Adoption: yes"
section: "on"
provisions:
  adoption: {needs: majority, of: eligible, and: {more_than: 15%, of: players}}
  cap: {mutable: 25}
  effect: {"on": adopted, x: "025", everyone_votes: true, "y": "no"}
  entrenchment: {constitutional: [], immutable: [transmute]}
  changeable: always
defines: [simple majority, "no"]
unread: [Line, "A player, who is late, waits."]
void: 2020-08-01
note: "two\\nlines"
commit: "0000000000000000000000000000000000000000"
---

Line\x20\x20
end
"""
    )


def test_a_rule_says_no_more_than_it_must() -> None:
    assert write_rule(
        number=1, mutability="mutable", revision=0, provisions={}, void=False, text=None
    ) == (b"---\nnumber: 1\nmutability: mutable\nrevision: 0\ntext: lost\n---\n")


def test_a_new_document_to_the_byte() -> None:
    mapping = {
        "number": 329,
        "title": "203",
        "author": "no",
        "date": Moment.parse("2020-07-26T18:30:05"),
        "status": "adopted",
        "decided": datetime.date(2020, 7, 27),
        "votes": {
            "alekosen": "for",
            "crorem": {"vote": "against", "at": Moment.parse("2020-07-27")},
            "on": "abstain",
        },
        "digest": "12e4567890" * 6 + "abcd",
        "points": [{"player": "alekosen", "amount": Fraction(20, 3), "reason": "Rule 313"}],
        "earlier": [],
        "commit": None,
        "rules": [RuleRef(203, 1), RuleRef(7)],
        "passed": True,
        "lost": {"proposals": [302, 303]},
    }
    assert (
        write_front_matter(mapping, "\n \nWhy.  \n\n---\n\n\n").decode()
        == """---
number: 329
title: "203"
author: "no"
date: 2020-07-26T18:30:05
status: adopted
decided: 2020-07-27
votes:
  alekosen: for
  crorem:
    vote: against
    at: 2020-07-27
  "on": abstain
digest: 12e456789012e456789012e456789012e456789012e456789012e4567890abcd
points:
  - player: alekosen
    amount: 20/3
    reason: Rule 313
earlier: []
rules: [203/1, 7]
passed: true
lost:
  proposals: [302, 303]
---

Why.\x20\x20

---
"""
    )
    assert write_front_matter({"status": "draft"}, "\n") == b"---\nstatus: draft\n---\n"
    assert write_yaml({}) == b""


def test_a_signed_vote_and_what_is_escaped_to_the_byte() -> None:
    signed = "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH AAAA\n-----END SSH SIGNATURE-----\n"
    mapping = {
        "votes": {"wren": {"signed": signed}},
        "a": 'b "c"\\\t\x85\u2028é',
        "list": [{"a": [], "b": [{"c": "d"}]}],
    }
    assert write_yaml(mapping).decode() == (
        "votes:\n  wren:\n    signed: |\n      -----BEGIN SSH SIGNATURE-----\n      U1NIU0lH AAAA\n"
        "      -----END SSH SIGNATURE-----\n"
        'a: "b \\"c\\"\\\\\\t\\u0085\\u2028é"\n'
        "list:\n  - a: []\n    b:\n      - c: d\n"
    )


def test_words_outside_of_brackets_need_fewer_quotes() -> None:
    assert write_yaml({"title": "Who, [then], votes?", "defines": ["who, then?", "votes"]}) == (
        b'title: Who, [then], votes?\ndefines: ["who, then?", votes]\n'
    )


def test_what_no_front_matter_holds() -> None:
    with pytest.raises(TypeError, match="holds a float"):
        write_yaml({"amount": 0.5})
    with pytest.raises(TypeError, match="holds a NoneType"):
        write_yaml({"a": [None]})


WORDS = """~ null Null yes No on OFF y N true FALSE = << 0 00 1 -1 +1 1_000 0x1F 0o17 017 0b1 1.5 .5
1. 1e3 12e4567 1.5e+3 1:20 190:20:30 .inf -.INF .NaN 2020-01-01 2020-1-1 2020-01-01T10:00:00Z - --
--- ... ? : :: a:
a:b #a a# a#b &a *a !a |a >a 'a "a %a @a `a {a} [a] a,b a{b a]b , -a ?a :a a? a?b
20/3 15% -10 203/1 9f2c 1e 0x 08 089 0.0.0
1__0 _1 é ß 😀 —"""
AWKWARD = WORDS.split()
SPACED = [
    " a",
    "a ",
    "",
    " ",
    "a b",
    "a: b",
    "a #b",
    "a\nb",
    "\n",
    "a\tb",
    "a\\b",
    "2020-01-01 10:00:00",
    "a :b",
]


def ours(text: str) -> Any:
    notes = Notes("f")
    composed = compose(text, notes, YamlPlace("f", 1))
    assert composed is not None
    assert said(notes.findings()) == []
    return composed.data


def readers(text: str) -> list[Any]:
    """What our reader, YAML 1.1 as PyYAML reads it, and YAML 1.2 make of a text."""
    return [ours(text), yaml.safe_load(text), YAML(typ="safe", pure=True).load(text)]


@pytest.mark.parametrize("word", AWKWARD + SPACED)
def test_a_string_is_a_string_to_every_reader(word: str) -> None:
    mapping = {"a": word, word: "b", "c": [word], "d": {"e": [{word: word}]}}
    assert readers(write_yaml(mapping).decode()) == [mapping] * 3
    provisions = {"provisions": {"kind": {"a": word, "b": [word, {word: word}]}}}
    text = write_yaml(provisions).decode()
    assert ours(text) == provisions
    assert text.count("\n") == 2
    for read in readers(text)[1:]:
        found = read["provisions"]["kind"]["a"]
        if type(found) is bool:
            assert word == ("true" if found else "false")
        else:
            assert str(found) == word
            assert isinstance(found, str | int)


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\ufeff\ufffe\uffff"), max_size=40
).map(
    # What is spelt out there would be a finding.
    lambda text: re.sub(CONTROLS, "", text)
)
LIKELY = st.lists(
    st.sampled_from([*WORDS.split(), " ", ": ", " #", '"', "\\", ",", "é", "\u00a0", "\t"])
).map("".join)
VALUES = st.recursive(
    LIKELY | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(
    st.dictionaries(
        (LIKELY | TEXTS).filter(lambda key: key != "provisions"), VALUES, min_size=1, max_size=4
    )
)
def test_whatever_is_written_is_read_again(mapping: dict[str, Any]) -> None:
    assert ours(write_yaml(mapping).decode()) == mapping
    assert yaml.safe_load(write_yaml(mapping)) == mapping
    assert ours(write_yaml({"provisions": mapping}).decode()) == {"provisions": mapping}


CLEAN = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=40
).map(lambda text: unicodedata.normalize("NFC", text))
BODIES = st.lists(
    CLEAN.map(lambda line: f"{line}  ")
    | st.sampled_from(
        [
            "---",
            "- a",
            "  - b",
            "1. c",
            "| a | b |",
            "|---|---|",
            "```",
            "## Not an instruction",
            "",
            " ",
        ]
    ),
    max_size=12,
).map("\n".join)


def stripped(body: str) -> str:
    lines = body.split("\n")
    while lines and not lines[0].strip(" \t"):
        lines.pop(0)
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    return "\n".join(lines)


@given(BODIES | MARKDOWN, CLEAN, st.dictionaries(CLEAN, VALUES, max_size=3))
@example("> - <!--\n> ", "A", {})
def test_a_rule_is_read_as_it_was_written(
    body: str, title: str, provisions: dict[str, Any]
) -> None:
    text = stripped(body) or None
    written = write_rule(
        number=203,
        mutability="mutable",
        revision=3,
        title=title,
        provisions=provisions,
        note=title,
        text=text,
    )
    found, _ = read_rule(RULE, written)
    assert found is not None
    assert found.text == text
    assert found.matter.title == found.matter.note == (title or None)
    assert found.matter.provisions == (provisions or None)
    matter = found.matter
    again = write_rule(
        number=matter.number,
        mutability=matter.mutability,
        revision=matter.revision,
        title=matter.title,
        provisions=matter.provisions,
        note=matter.note,
        text=found.text,
    )
    assert again == written


@given(CLEAN, BODIES)
def test_an_instrument_is_read_as_it_was_written(title: str, argument: str) -> None:
    fenced = "~~~~~~\n## inside a fence\n\n---\n~~~~~~"
    body = (
        f"{fenced}\n\n## Amend Rule 203/0\n\n{fenced}\n"
        f"{argument.replace('#', '').replace('```', '')}"
    )
    written = write_front_matter({"number": 329, "title": title or None, "status": "open"}, body)
    found, _ = read_instrument(PROPOSAL, written)
    assert found is not None
    assert isinstance(found.matter, ProposalMatter)
    assert (found.matter.title, found.preamble) == (title or None, fenced)
    assert found.instructions[0].text == stripped(body.split("203/0\n", 1)[1])


def test_a_player_written_and_read() -> None:
    written = write_yaml(
        {
            "name": "Wren: the 2nd",
            "accounts": {"github": "wren"},
            "joined": Moment.parse("2020-01-01"),
        }
    )
    assert written == b'name: "Wren: the 2nd"\naccounts:\n  github: wren\njoined: 2020-01-01\n'
    found, findings = read_player("players/wren.yml", written)
    assert findings == ()
    assert found is not None
    assert (found.ident, found.matter.name) == ("wren", "Wren: the 2nd")
