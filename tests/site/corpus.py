"""A public corpus of XSS payloads, and a game that has many of them in every place where a player's
words can stand.
"""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence

import brs_kb

from nomicgen.files.text_encoding import CONTROLS

__all__ = ["DRAFTS", "TODAY", "corpus_game", "groups", "one_line", "payloads"]

TODAY = "2026-03-01"
GROUPS = 3
"""Among so many rules, proposals, acts and so on the payloads are dealt out: each kind has them
all.
"""
EVERY = 16
"""The game has one payload of so many: what only escapes a text does so with any; `render_text`
gets them all.
"""
_STRUCTURE = ("#", "=", "-", "```", "~~~")
DRAFTS = [f"draft-{number}" for number in range(GROUPS)]


@functools.cache
def payloads() -> tuple[str, ...]:
    """Every payload once, in the order of the corpus, without what no file of a game may hold."""
    found = (
        unicodedata.normalize("NFC", one["payload"]) for one in brs_kb.get_all_payloads().values()
    )
    cleaned = (
        "".join(re.sub(CONTROLS, "", one.replace("\r", "\n")).encode("utf-8", "ignore").decode())
        for one in found
    )
    return tuple(dict.fromkeys(one.strip() for one in cleaned if one.strip()))


def one_line(text: str) -> str:
    """A payload where one line is asked for."""
    return " ".join(text.split())


@functools.cache
def groups() -> Sequence[Sequence[str]]:
    """The payloads of the game, dealt out."""
    return [payloads()[number * EVERY :: GROUPS * EVERY] for number in range(GROUPS)]


def _words(number: int) -> str:
    """A group as a text: each payload a paragraph, and what can only stand alone at the end of
    it.
    """
    return "\n\n".join(
        ["Words before them.", *(_inside(one) for one in groups()[number]), "Words after them."]
    )


def _inside(payload: str) -> str:
    """Without lines that would be a heading of the file, or a fence that nothing closes."""
    return "\n".join(
        f"so {one}" if one.lstrip().startswith(_STRUCTURE) else one for one in payload.split("\n")
    )


def _line(number: int) -> str:
    """A group as one value of a front matter."""
    return json.dumps(" ".join(map(one_line, groups()[number])), ensure_ascii=False)


def _section(number: int) -> str:
    """As much of a group as YAML takes for a key."""
    return json.dumps(json.loads(_line(number))[:800], ensure_ascii=False)


def corpus_game() -> Mapping[str, str]:
    """The files of the game; each is as its kind should be, but for the words."""
    settings = {
        "format": 1,
        "name": "Corpus " + json.loads(_line(0)),
        "tagline": json.loads(_line(1)),
        "repository": "javascript:alert(1)//" + one_line(payloads()[0]),
        "links": {
            "commit": "javascript:alert('{sha}')",
            "file": "data:text/html,<script>alert(1)</script>{sha}{path}",
        },
        "started": "2026-01-01",
        "sections": {
            json.loads(_section(number)): json.loads(_line(number)) for number in range(GROUPS)
        },
    }
    files = {"nomic.yml": json.dumps(settings, ensure_ascii=False) + "\n"}
    for number in range(GROUPS):
        files |= _group(number)
    return files


def _group(number: int) -> Mapping[str, str]:
    title, words = _line(number), _words(number)
    defines = json.dumps([one_line(one) for one in groups()[number][:40]], ensure_ascii=False)
    section = _section(number)
    player, turn = f"player-{number}", f"R1T{number + 1}"
    points = f"points: [{{player: {player}, amount: 5, reason: {title}}}]\n"
    seen = f"turn: {turn}\nnote: {title}\n"
    heading = one_line(" ".join(groups()[number])).strip("#").strip()
    votes = "".join(f"  player-{one}: {{vote: for, source: {title}}}\n" for one in range(3))
    block = f"```yaml rule\nsection: {section}\ndefines: {defines}\n```"
    enact = f"## Enact Rule {301 + number}: {heading}\n\n{block}\n\n{words}\n"
    return {
        f"rules/initial/{101 + number}.md": f"---\nnumber: {101 + number}\n"
        f"mutability: immutable\ntitle: {title}\n"
        f"section: {section}\ndefines: {defines}\nnote: {title}\n---\n\n{words}\n",
        f"players/{player}.yml": f"name: {title}\naccounts: {{github: {title}}}\n"
        "joined: 2026-01-01\n"
        f"order: {number + 1}\nnote: {title}\n",
        f"turns/{turn}.yml": f"player: {player}\nbegan: 2026-01-02\nended: 2026-01-03\n"
        f"note: {title}\n{points}",
        f"proposals/{301 + number}.md": f"---\nnumber: {301 + number}\ntitle: {title}\n"
        f"author: {player}\n"
        "date: 2026-01-02\nstatus: adopted\nopened: 2026-01-02\ndecided: 2026-01-03\n"
        "effective: 2026-01-03\n"
        f"discussion: javascript:alert(1)\n{seen}{points}votes:\n{votes}---\n\n{words}\n\n{enact}",
        f"proposals/draft-{number}.md": f"---\ntitle: {title}\nauthor: {player}\nstatus: draft\n"
        f"---\n\n{words}\n\n" + enact.replace(f"Rule {301 + number}:", "Rule:"),
        f"judgements/{1 + number}.md": f"---\nnumber: {1 + number}\ntitle: {title}\n"
        f"called_by: {player}\n"
        f"judge: {player}\ndate: 2026-01-04\nrules: [{101 + number}/0]\nstatus: upheld\n"
        f"{seen}{points}---\n\n"
        f"{words}\n\n## Ruling\n\n{words}\n",
        f"acts/act-{number}.md": f"---\ncause: {title}\nby: {player}\ndate: 2026-01-05\n"
        f"{seen}{points}---\n\n{words}\n",
    }
