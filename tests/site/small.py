"""A small game of which everything is in memory: players of every state, points, a winner, what is
pending and late.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from nomicgen.files.game_files import read_game
from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import build_histories
from nomicgen.law.replay.run import replay
from nomicgen.model.commits import GitState
from nomicgen.model.values import Moment
from nomicgen.site.addresses import Addresses
from nomicgen.site.site_view import Site

__all__ = ["LANTERN", "ON", "main_text", "site_of", "small_history", "words"]

ON = Moment.parse("2021-03-01")


def _rule(number: int, title: str, text: str, provisions: str = "") -> str:
    law = f"provisions: {provisions}\n" if provisions else ""
    return (
        f"---\nnumber: {number}\nmutability: mutable\nrevision: 0\ntitle: {title}\n{law}---\n"
        f"\n{text}\n"
    )


def _adopted(
    number: int, author: str, days: tuple[str, str, str], more: str, instruction: str
) -> str:
    opened, decided, effective = days
    head = (
        f"number: {number}\nauthor: {author}\ndate: {opened}\nopened: {opened}\n"
        f"decided: {decided}\n"
    )
    head += f"effective: {effective}\nstatus: adopted\n{more}"
    return f"---\n{head}---\n\nLight it.\n\n{instruction}\n"


LANTERN: Mapping[str, str] = {
    "nomic.yml": "format: 1\nname: Lantern\nrepository: https://github.com/example/lantern\n"
    "started: 2021-01-01\n",
    "rules/initial/201.md": _rule(201, "Turns", "By seat.", "{turns: {order: seat}}"),
    "rules/initial/203.md": _rule(
        203, "Votes", "Most win.", "{adoption: {needs: majority, of: cast}}"
    ),
    "rules/initial/206.md": _rule(
        206,
        "Points",
        "Ten for the author.",
        "{points: {on: adopted, to: author, amount: 10}, awards: {in: [proposal, act, turn]}}",
    ),
    "rules/initial/208.md": _rule(208, "Winning", "Twenty win.", "{victory: {points: 20}}"),
    "players/ada.yml": "name: Ada\njoined: 2021-01-01\norder: 1\n"
    "accounts: {github: ada-l, pigeon: 'https://x.example'}\n"
    "roles:\n  - {role: lamp-keeper, since: 2021-01-05}\n"
    "  - {role: scribe, since: 2021-01-02, until: 2021-01-05}\n"
    "strength:\n  - {votes: 3, since: 2021-01-05}\n"
    "  - {votes: 0, since: 2021-01-07, until: 2021-01-08}\n",
    "players/bo.yml": "name: Bo <b>\njoined: 2021-01-01\norder: 2\n"
    "inactive:\n  - {since: 2021-01-03, until: 2021-01-04}\n  - {since: 2021-02-20}\n",
    "players/cy.yml": "name: Cy\njoined: 2021-01-01\nleft: 2021-02-10\norder: 3\n"
    "accounts: {gitlab: 'cy/../x'}\n",
    "players/eve.yml": "name: Eve\njoined: 2021-06-01\n",
    "players/index.yml": "name: Index\njoined: 2021-01-02\norder: 4\nnote: An odd name.\n",
    "players/post.yml": "name: Post\nkind: dummy\n",
    "players/robin.yml": "name: Robin\nkind: bot\n",
    "proposals/301.md": _adopted(
        301,
        "ada",
        ("2021-01-05", "2021-01-06", "2021-01-06"),
        "turn: R1T1\n"
        "votes: {ada: for, bo: {vote: for, at: 2021-01-06, source: 'https://list.example/7'}, "
        "cy: against}\n"
        "points: [{player: cy, amount: 1/2, reason: for grace}, {player: bo, amount: 1/2, "
        "reason: for grace}]\n",
        "## Enact Rule 301: Lamps\n\nThere are lamps.",
    ),
    "proposals/302.md": _adopted(
        302,
        "ada",
        ("2021-02-01", "2021-02-02", "2021-02-02"),
        "turn: R1T2\nvotes: {ada: for, bo: abstain, cy: against, index: for, robin: for}\n"
        "earlier: [{opened: 2021-01-30, votes: {bo: against, cy: for}}]\n",
        "## Amend Rule 301/0\n\nThere are two lamps.",
    ),
    "proposals/303.md": _adopted(
        303,
        "index",
        ("2021-02-25", "2021-02-27", "2021-03-10"),
        "commences: 2021-03-10\nvotes: {ada: for, index: for}\n",
        "## Amend Rule 301/1\n\nThere are three lamps.",
    ),
    "proposals/304.md": "---\nnumber: 304\ntitle: Oil\nauthor: index\ndate: 2021-02-28\n"
    "opened: 2021-02-28\n"
    "commences: 2021-04-01\nstatus: open\nvotes: {index: for}\n---\n\nIt burns.\n\n"
    "## Repeal Rule 206/0\n",
    "proposals/305.md": "---\nnumber: 305\nauthor: cy\ndate: 2021-01-20\nopened: 2021-01-20\n"
    "decided: 2021-01-21\n"
    "status: defeated\nvotes: {ada: against, bo: against, cy: for}\n---\n\nNo.\n\n"
    "## Repeal Rule 201/0\n",
    "judgements/1.md": "---\nnumber: 1\ncalled_by: bo\njudge: ada\nrules: [203/0]\n"
    "status: pending\n---\n\nWhat is most?\n",
    "acts/index.md": "---\ncause: Candlemas\nby: ada\ndate: 2021-02-02\n"
    "points: [{player: robin, amount: -3, reason: soot}]\n---\n\nA feast.\n",
    "turns/R1T1.yml": "player: ada\nbegan: 2021-01-05\nended: 2021-01-07\ndice: 4\n",
    "turns/R1T2.yml": "player: bo\nbegan: 2021-02-01\nended: 2021-02-03\npassed: true\n"
    "points: [{player: bo, amount: -1, reason: a nap}]\n",
}


def small_history(files: Mapping[str, str], today: Moment = ON) -> GameHistory:
    """The history of a game whose files are given; no git knows of it."""
    records, findings = read_game({path: text.encode() for path, text in files.items()})
    assert findings == ()
    played = replay(records, today)
    initial = {
        one.matter.number: (path, one.matter.commit) for path, one in records.initial.items()
    }
    return GameHistory(
        records=records,
        replay=played,
        histories=build_histories(played, initial),
        git=GitState(present=False, reason="there is none"),
        findings=played.findings,
    )


def site_of(game_history: GameHistory, today: Moment = ON) -> Site:
    """What the pages of a game are made from."""
    records = game_history.records
    addresses = Addresses(
        settings=records.settings, git=game_history.git, histories=game_history.histories
    )
    return Site(game_history=game_history, today=today, addresses=addresses)


def words(html: str) -> str:
    """The words of a piece of HTML, tags replaced by single blanks."""
    return re.sub(
        r" (?=[.,;:)’])",
        "",
        re.sub(r"(?<=\() ", "", " ".join(re.sub(r"<[^>]*>", " ", html).split())),
    )


def main_text(page: str, anchor: str) -> str:
    """The words of the section whose heading has this anchor."""
    rest = page.split(f'<h2 id="{anchor}">', 1)[1]
    depth, at = 1, 0
    for match in re.finditer(r"<(/?)section\b", rest):
        depth += -1 if match[1] else 1
        at = match.start()
        if not depth:
            break
    return words(rest[:at])
