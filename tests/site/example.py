"""A game with one of everything that a site shows: a real repository, one commit an instrument."""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path

from nomicgen.files.game_files import read_game
from nomicgen.history.game_history import GameHistory
from nomicgen.law.checks.run import ruleset_files
from nomicgen.law.replay.run import replay
from nomicgen.model.values import Moment
from nomicgen.play.game_history import game_history_of
from nomicgen.play.load import load
from nomicgen.repository.game_tree import read_tree
from tests.support import GitRepo

__all__ = ["KINDS", "TODAY", "build_game", "load_history"]

TODAY = Moment.parse("2020-10-01")

KINDS = {
    "home": "",
    "ruleset": "rules/",
    "rule": "rules/203/",
    "rule with a table": "rules/206/",
    "rule with references": "rules/304/",
    "repealed": "rules/205/",
    "former number": "rules/103/",
    "revision": "rules/203/0/",
    "long": "ruleset/long/",
    "short": "ruleset/short/",
    "proposals": "proposals/",
    "adopted": "proposals/301/",
    "defeated": "proposals/302/",
    "open": "proposals/305/",
    "draft": "proposals/draft-turnout/",
    "judgements": "judgements/",
    "judgement": "judgements/2/",
    "players": "players/",
    "player": "players/bo/",
    "scores": "scores/",
    "cards": "cards/",
    "history": "history/",
    "week": "digest/2020-W24/",
    "time machine": "time/",
    "workshop": "propose/",
    "a day": "time/#2020-07-15",
}
"""One page of each kind, by its address."""

SETTINGS = """\
format: 1
name: Harbour Nomic
tagline: A game of changing the rules, played by five people in a harbour café.
repository: https://github.com/example/harbour
started: 2020-06-01
tiers: [immutable, mutable]
sections:
  Foundations: what the rest stands on
  Voting: how the law is changed
  Play: turns and points
"""


def _rule(
    number: int, tier: str, title: str, section: str, text: str, more: str = ""
) -> tuple[str, str]:
    head = (
        f"number: {number}\nmutability: {tier}\nrevision: 0\ntitle: {title}\n"
        f"section: {section}\n{more}"
    )
    return f"rules/initial/{number}.md", f"---\n{head}---\n\n{text}\n"


INITIAL = dict(
    (
        _rule(
            101,
            "immutable",
            "The rules bind",
            "Foundations",
            "Every player keeps all rules that are in force, in the form in which they are in "
            "force. The initial set is Rules 101-103 (immutable) and Rules 201-207 (mutable).",
            "defines: [initial set]\n",
        ),
        _rule(
            102,
            "immutable",
            "What may be done",
            "Foundations",
            "An immutable rule may only be transmuted. A mutable rule may be amended, repealed "
            "or transmuted.",
            "provisions:\n"
            "  entrenchment: {immutable: [transmute], mutable: [enact, amend, repeal, transmute]}\n"
            "defines: [transmutation]\n",
        ),
        _rule(
            103,
            "immutable",
            "Numbers",
            "Foundations",
            "Proposals are numbered from 301. A rule keeps its number when it is amended.",
            "provisions:\n"
            "  numbering: {first: 301, enacted: proposal, amended: keep, transmuted: proposal, "
            "changes: any}\n",
        ),
        _rule(
            201,
            "mutable",
            "Turns",
            "Play",
            "Turns go round the table by seat. In a turn a player puts forward one proposal.",
            "provisions:\n  turns: {order: seat, proposals: 1}\n",
        ),
        _rule(
            203,
            "mutable",
            "Adoption",
            "Voting",
            "A rule-change is adopted if every eligible voter votes for it.",
            "provisions:\n  adoption: {needs: unanimous, of: eligible}\ndefines: [rule-change]\n",
        ),
        _rule(
            204,
            "mutable",
            "Moment of effect",
            "Voting",
            "An adopted rule-change takes effect as soon as the vote that adopted it has ended; "
            "see Rule 203.",
            "provisions: {effect: at-once}\n",
        ),
        _rule(
            205,
            "mutable",
            "Snacks",
            "Play",
            "Whoever loses a vote brings the biscuits. This binds under Rule 101.",
        ),
        _rule(
            206,
            "mutable",
            "Points",
            "Play",
            "When a proposal is defeated its author loses points:\n\n"
            "| votes against | points |\n|:--|--:|\n| one or two | 5 |\n| more | **10** |\n\n"
            "1. A *rule-change* that fails by one vote costs half.\n2. Nobody falls below zero.",
            "provisions:\n  points: {on: defeated, to: author, amount: -10}\n",
        ),
        _rule(
            207,
            "mutable",
            "Judgement",
            "Play",
            "A player may call for judgement. See `Rule 299`, Rule 203/0 and Judgement 1.",
            "provisions:\n  authority: {by: judgement, to: [amend]}\n"
            "  judgements: {judge: anyone}\n",
        ),
    )
)

PLAYERS = {
    f"players/{ident}.yml": f"name: {name}\njoined: 2020-06-01\norder: {order}\n"
    for order, (ident, name) in enumerate(
        (
            ("ada", "Ada"),
            ("bo", "Bo Ek"),
            ("cy", "Cy <b>Bold</b>"),
            ("dee", "Dee"),
            ("eli", "Eli & Co"),
        ),
        1,
    )
}

HOSTILE = """\
Harmless words, then <script>window.hacked = 1</script> and <img src=x onerror="window.hacked = 2">.

[a link](javascript:window.hacked=3) and [another](data:text/html,x)
and <a href="#" onclick="window.hacked=4">raw</a>.

{{ config.site_name }} {% for x in y %} {# note #} and \\`\\`\\` fences
\\`\\`\\`
still prose: \\*not em\\* & &lt;b&gt;.

![a picture](https://elsewhere.example/track.png) ![a boat](../images/boat.png)

    {{ 7 * 7 }} </code></pre><script>window.hacked = 5</script>

H<sub>2</sub>O, <span>plain</span>, [[TOC]] and --8<-- "nomic.yml"
"""


def _digest(instructions: str) -> str:
    return hashlib.sha256((instructions.rstrip("\n") + "\n").encode()).hexdigest()


def _proposal(number: int, head: str, argument: str, instructions: str) -> str:
    opened = "opened:" in head
    digest = f"digest: {_digest(instructions)}\n" if opened else ""
    return f"---\nnumber: {number}\n{head}{digest}---\n\n{argument}\n\n{instructions.rstrip()}\n"


def _votes(**votes: str) -> str:
    return "votes:\n" + "".join(
        f"  {ident}: {'for' if vote == 'y' else vote}\n" for ident, vote in votes.items()
    )


ALL_FOR = _votes(ada="y", bo="y", cy="y", dee="y", eli="y")

STEPS: tuple[tuple[str, str, str], ...] = (
    (
        "proposals/301.md",
        "2020-06-10",
        _proposal(
            301,
            "title: A floor under the majority\nauthor: ada\ndate: 2020-06-08\nturn: R1T1\n"
            "status: adopted\n"
            "opened: 2020-06-08\ndecided: 2020-06-10\neffective: 2020-06-10\n" + ALL_FOR,
            "Nobody should be able to stop the law alone. Compare Rule 203.",
            "## Amend Rule 203/0\n\n```yaml rule\nprovisions:\n"
            "  adoption: {needs: majority, of: eligible, and: {more_than: 15%, of: players}}\n"
            "defines: [rule-change, simple majority]\n```\n\n"
            "A rule-change is adopted if a simple majority of eligible voters vote for it. "
            "The majority must be more than 15 % of all players.",
        ),
    ),
    (
        "proposals/302.md",
        "2020-06-20",
        _proposal(
            302,
            "title: No more biscuits\nauthor: bo\ndate: 2020-06-18\nturn: R1T2\nstatus: defeated\n"
            "opened: 2020-06-18\ndecided: 2020-06-20\n"
            + _votes(ada="against", bo="y", cy="against", eli="abstain"),
            "Crumbs in the harbour.",
            "## Repeal Rule 205/0",
        ),
    ),
    (
        "proposals/303.md",
        "2020-07-02",
        _proposal(
            303,
            "title: Numbers are ours\nauthor: cy\ndate: 2020-06-30\nturn: R1T3\nstatus: adopted\n"
            "opened: 2020-06-30\ndecided: 2020-07-02\neffective: 2020-07-02\n"
            + _votes(ada="y", bo="y", cy="y", dee="against"),
            "So that we may change them.",
            "## Transmute Rule 103/0 to mutable\n\n## Repeal Rule 205/0",
        ),
    ),
    (
        "proposals/304.md",
        "2020-07-12",
        _proposal(
            304,
            "title: Weather at sea\nauthor: dee\ndate: 2020-07-10\n"
            "turn: R1T4\nstatus: adopted\nopened: 2020-07-10\ndecided: 2020-07-12\n"
            "effective: 2020-07-12\n" + ALL_FOR,
            "The harbour master has asked for it.",
            "## Enact Rule 304: Weather\n\n```yaml rule\nsection: Play\ndefines: [storm]\n```\n\n"
            "A storm is any wind that keeps the ferry in the harbour. In a storm nobody loses "
            "points, "
            "whatever Rule 206 and Rule 205 say.\n\n"
            "### The scale\n\n- *calm*, when H<sub>2</sub>O lies flat;\n"
            "- **storm**, when `rule 203` is soaked.\n\n"
            "![a boat](../images/boat.png) ![a chart](https://elsewhere.example/chart.png)\n\n"
            "> A [pilot](https://elsewhere.example/pilot) may say so.\n",
        ),
    ),
    (
        "judgements/1.md",
        "2020-07-20",
        "---\nnumber: 1\ntitle: What a voter is\ncalled_by: bo\njudge: eli\ndate: 2020-07-20\n"
        "turn: R1T5\n"
        "rules: [203/0]\nstatus: upheld\n---\n\n"
        "May someone who joined during the vote take part in it?\n\n"
        "## Ruling\n\nNo. Rule 203 counts those who were eligible when the vote opened.\n",
    ),
    (
        "judgements/2.md",
        "2020-08-14",
        "---\nnumber: 2\ntitle: A slip in Rule 204\ncalled_by: ada\njudge: dee\ndate: 2020-08-14\n"
        "rules: [204/0, 101]\nunder: 207\nstatus: upheld\n---\n\nDoes “ended” mean closed?\n\n"
        "## Ruling\n\nIt does; the text is mended.\n\n"
        "## Amend Rule 204/0\n\n```yaml rule\nprovisions: {effect: at-once}\n```\n\n"
        "An adopted rule-change takes effect as soon as the vote that adopted it has closed; see "
        "Rule 203.\n",
    ),
    (
        "proposals/305.md",
        "2020-09-20",
        _proposal(
            305,
            "title: Louder tides\nauthor: eli\ndate: 2020-09-18\nturn: R1T5\nstatus: open\n"
            "opened: 2020-09-18\n" + _votes(ada="y", eli="y", dee="against"),
            "The bell is too quiet for Rule 204, and Proposal 302 was right.",
            "## Amend Rule 201/0\n\n```yaml rule\nprovisions:\n"
            "  turns: {order: seat, proposals: 2}\n```\n\n"
            "Turns go round the table by seat, at the ringing of the bell. In a turn a player "
            "puts forward "
            "one or two proposals.",
        ),
    ),
    (
        "proposals/turnout.md",
        "2020-09-25",
        "---\ntitle: Turnout\nauthor: bo\nstatus: draft\n---\n\nA thought.\n\n"
        "## Enact Rule: Turnout\n\nWhoever does not vote owes a biscuit. See Rules 203 and 205.\n",
    ),
)

HOSTILE_STEP: tuple[str, str, str] = (
    "proposals/306.md",
    "2020-09-28",
    _proposal(
        306,
        "title: 'Hostile </title><script>window.hacked=6</script> {{ 7 * 7 }}'\nauthor: dee\n"
        "date: 2020-09-26\n"
        "turn: R1T4\nstatus: adopted\nopened: 2020-09-26\ndecided: 2020-09-28\n"
        "effective: 2020-09-28\n" + ALL_FOR,
        "To see what the site makes of it. <script>window.hacked = 7</script>",
        "## Enact Rule 306: Weather <script>window.hacked=8</script> & {{ 7 * 7 }}\n\n" + HOSTILE,
    ),
)

TURNS = {
    "turns/R1T1.yml": "player: ada\nbegan: 2020-06-08\nended: 2020-06-10\n",
    **{
        f"turns/R1T{turn}.yml": f"player: {player}\n"
        for turn, player in ((2, "bo"), (3, "cy"), (4, "dee"))
    },
    "turns/R1T5.yml": "player: eli\nbegan: 2020-09-18\n",
}
BOAT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def build_game(repo: GitRepo, *, hostile: bool = False) -> Path:
    """Writes the game and its history; gives its folder. `hostile` adds a rule that tries to act
    upon its readers.
    """
    repo.write({"nomic.yml": SETTINGS, "images/boat.png": BOAT, **INITIAL, **PLAYERS, **TURNS})
    _derive(repo)
    repo.commit("The game begins")
    for path, day, text in (*STEPS, HOSTILE_STEP) if hostile else STEPS:
        repo.write({path: text})
        _derive(repo)
        repo.commit(
            f"{path}\n\nInstrument: {path}", date=datetime.fromisoformat(f"{day}T12:00:00+00:00")
        )
    return repo.path


def load_history(folder: Path) -> GameHistory:
    """The history of a game on `TODAY`."""
    return game_history_of(load(folder, TODAY))


def _derive(repo: GitRepo) -> None:
    records, _ = read_game(read_tree(repo.path))
    made = ruleset_files(replay(records, TODAY).current)
    old = {file.relative_to(repo.path).as_posix() for file in (repo.path / "rules").glob("*.md")}
    repo.write({**dict.fromkeys(old - set(made)), **made})
