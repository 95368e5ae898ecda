"""The worked examples of provisions: small games that are documentation, fixture and test at once.

Osprey, Quill, Tallow and Wren play. Rule 101 is immutable; Rule 201 carries the example's
provisions, Rule 202 asks for a majority unless the example has an `adoption`, and Rule 203 is the
text that is changed. All that an example says:

- `provisions`: those of Rule 201.
- `votes`: on Proposal 301, which Osprey puts forward on 2026-01-02; it is opened on 2026-01-03 and
  decided on 2026-01-06. `does` has its instructions, `effective` the day of effect. Without votes
  it is still a draft.
- `players`: what players' files say besides; `files`: other files, as a table or (Markdown) a table
  with a body in `does`.
- `gives`: every finding, and how the vote ends, exactly; of the effects, those that are named.

A case of a table in a test has `settings`, `rules` and `proposals` besides, and in `gives` all that
is told, or that comes of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

import pytest
import yaml

from nomicgen.files.yaml_writing import write_front_matter, write_yaml
from nomicgen.law.judging_kind import Due
from nomicgen.law.prospects import deadlines
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Replay
from nomicgen.law.sentences import signed
from nomicgen.law.voting.tally import Tally
from nomicgen.model.findings import Finding
from tests.ledger import PLAYERS, Ledger, day

_USUAL = {"adoption": {"needs": "majority"}}
_SILENT = frozenset({"law-unread"})


def game_of(example: Mapping[str, Any]) -> Ledger:
    """The game of an example; its proposal's status is what its votes come to."""
    provisions = example["provisions"]
    made = Ledger.start(
        {101: {}, 201: provisions, 202: {} if "adoption" in provisions else _USUAL, 203: {}}
    )
    for ident in PLAYERS:
        made.player(ident, **example.get("players", {}).get(ident, {}))
    for path, matter in example.get("files", {}).items():
        made.tree[path] = _file(path, dict(matter))
    if "votes" in example:
        decide(made, example)
    elif "does" in example:
        body = f"Why not.\n\n{example['does']}"
        made.tree["proposals/try.md"] = write_front_matter(
            {"author": "osprey", "status": "draft"}, body
        )
    return made


def decide(made: Ledger, example: Mapping[str, Any], number: int = 301, month: str = "01") -> None:
    """Adds the proposal of an example, put forward in a month of 2026; its status is what its votes
    come to.
    """
    path, known = (
        f"proposals/{number}.md",
        {"does", "effective", "votes", "case", "provisions", "gives"},
    )
    more = {key: value for key, value in example.items() if key not in known | {"players", "files"}}
    effective = {"effective": day(example["effective"])} if "effective" in example else {}
    rule = made.play()[1].current.get(203)
    usual = f"## Amend Rule {rule.ref if rule else '203/0'}\n\nBishops move diagonally in {month}."
    for status in ("defeated", "adopted"):
        made.proposal(
            number,
            f"{month}-02",
            example.get("does", usual),
            votes="....",
            **{
                "more": example["votes"],
                "status": status,
                "author": "osprey",
                "opened": day(f"{month}-03"),
                "decided": day(f"{month}-06"),
                **(effective if status == "adopted" else {}),
                **more,
            },
        )
        tally = made.play()[1].tallies.get(path)
        if "status" in more or tally is None or not tally.adopted:
            return


def _file(path: str, matter: dict[str, Any]) -> bytes:
    if path.endswith(".yml"):
        return write_yaml(matter)
    body = matter.pop("does", "Why not.")
    number = (
        {"number": path.removeprefix("judgements/").removesuffix(".md")}
        if path.startswith("judgements/")
        else {}
    )
    cause = {"cause": "A rule at work"} if path.startswith("acts/") else {}
    return write_front_matter({**number, **cause, **matter}, body)


def outcome_of(made: Ledger, *numbers: int) -> tuple[list[str], list[str]]:
    """What comes of a game: how its votes end and what is wrong, and the effects.

    The votes are those on proposals with these `numbers`, each line with its number; without any,
    that on Proposal 301.
    """
    played = made.play()[1]
    paths = {f"proposals/{number}.md": f"{number} " for number in numbers} or {
        "proposals/301.md": ""
    }
    votes = [
        f"{paths[path]}{_vote(tally)}" for path, tally in played.tallies.items() if path in paths
    ]
    found = dict.fromkeys(map(_finding, made.applied().findings()))
    return [*votes, *(line for line in found if line)], list(_effects(played))


def _vote(tally: Tally) -> str:
    outcome = {True: "adopted", False: "defeated", None: "open"}[tally.adopted]
    return f"{outcome}: {'; '.join(one.arithmetic for one in tally.conditions)}"


def _finding(one: Finding) -> str:
    return "" if one.slug in _SILENT else f"{one.slug}: {one.message}"


def _effects(played: Replay) -> Iterator[str]:
    for one in played.effects:
        yield f"{one.words}{' is refused' if one.refused else ''}"
    if played.winner is not None:
        yield f"{' and '.join(played.winner.players)} win with {played.winner.points} points"
    if played.next_turn is not None:
        yield f"next: {played.next_turn.ident} of {played.next_turn.player}"


def cases_in(table: str) -> list[Any]:
    """The cases of a table in YAML, as parameters of a test. Each has a `case` in words."""
    cases = yaml.load(table, Loader=yaml.BaseLoader)
    return [pytest.param(case, id=case["case"]) for case in cases]


def told_of(case: Mapping[str, Any]) -> str:
    """All that is told of the game of a case, on the day `until` or at the end of the year."""
    return told_in_full(ledger_of(case), case.get("until", "12-31"))


def ledger_of(case: Mapping[str, Any]) -> Ledger:
    """The game of a case: as that of an example, with more `settings`, `rules` and `proposals`.

    A proposal is put forward, opened and decided on the day in `on`, with `votes` as in `Ledger`.
    """
    made = game_of(case)
    made.tree["nomic.yml"] += write_yaml(case["settings"]) if "settings" in case else b""
    for number, provisions in case.get("rules", {}).items():
        made.rule(int(number), provisions)
    for number, matter in case.get("proposals", {}).items():
        given = {"does": "## Enact Rule\n\nTea.", "votes": "fff.", **matter}
        made.proposal(int(number), given.pop("on"), given.pop("does"), **given)
    return made


def told_in_full(made: Ledger, until: str = "12-31") -> str:
    """All that is told of every finding, once `rules/` is applied.

    Its slug, place and rule; what is wrong; after `>` what to do; after `~` what it waits for;
    after `|` what is shown with it.
    """
    found = sorted(made.applied(until).findings(until), key=lambda one: (one.span, one.slug))
    return "".join(map(_in_full, found))


def _in_full(one: Finding) -> str:
    said = [("", one.message), ("> ", one.help or ""), ("~ ", one.waits.words if one.waits else "")]
    lines = [f"{one.slug} {one.span}{f' (Rule {one.rule})' if one.rule else ''}"]
    for sign, text in said:
        lines += wrap(f"{sign}{text}" if text else "", 90, initial_indent="  ", **_WHOLE_WORDS)
    lines += [f"  | {line}".rstrip() for line in one.detail.splitlines()]
    return "".join(f"{line}\n" for line in lines)


_WHOLE_WORDS: Any = {
    "subsequent_indent": "    ",
    "break_long_words": False,
    "break_on_hyphens": False,
}


def came_of(case: Mapping[str, Any]) -> str:
    """What comes of the game of a case, each on a line.

    Every change of the state after the first day, with why it is permitted; changes that wait or
    are refused; points that were given; votes; what is due; and whose turn is next.
    """
    until = day(case.get("until", "12-31"))
    records, played = ledger_of(case).play(case.get("until", "12-31"))
    lines = [
        f"{one.moment}: {one.kind} of {one.path}: {one.words} [{one.reason}]"
        for one in played.effects
        if one.moment != records.settings.started
    ]
    lines += [
        f"{one.effective}: {one.instrument.path} is {one.outcome}"
        for one in played.steps
        if one.outcome != "applied"
    ]
    lines += [
        f"{one.player} {signed(one.amount)}: {one.reason} (by {one.rule}, {one.moment}, {one.span})"
        for one in played.awards
    ]
    for path, tally in played.tallies.items():
        lines += _counted(path, tally)
    lines += [f"due: {_due(one)}" for one in deadlines(records, played, until)]
    if (won := played.winner) is not None:
        who = " and ".join(won.players)
        lines.append(f"{won.moment}: {who} win with {won.points} points (Rule {won.rule})")
    if (turn := played.next_turn) is not None:
        skipped = f", without {' and '.join(turn.skipped)}" if turn.skipped else ""
        lines.append(f"next: {turn.ident} of {turn.player}{skipped}")
    return "".join(f"{line}\n" for text in lines for line in wrap(text, 92, **_WHOLE_WORDS))


def _counted(path: str, tally: Tally) -> Iterator[str]:
    """The lines of a vote: what was counted, and each condition."""
    sides = {
        "for": tally.for_,
        "against": tally.against,
        "abstaining": tally.abstain,
        "silent": tally.silent,
        "missing": tally.missing,
        "gone": tally.gone,
    }
    said = [f"{side} {' '.join(who)}" for side, who in sides.items() if who]
    said += [f"{len(tally.eligible)} of {len(tally.players)} are eligible"]
    said += [f"{tally.tie_broken_by} breaks the tie"] if tally.tie_broken_by else []
    said += [f"it closes on {tally.closes}"] if tally.closes else []
    said += [] if tally.may_end else ["it may not end yet"]
    said += [f"{tally.fewest} more for would do"] if tally.fewest is not None else []
    said += ["every vote was needed"] if tally.unanimity else []
    yield f"{path}: {'; '.join(said)}"
    for one in tally.conditions:
        lacks = f", lacks {' and '.join(one.lacks)}" if one.lacks else ""
        yield f"{path}: Rule {one.rule}: {one.arithmetic}{lacks}"


def _due(due: Due) -> str:
    then = f"; then {due.then}" if due.then else ""
    writes = "".join(
        f"; {path}: {' '.join(f'{key} {_plain(value)}' for key, value in keys.items())}"
        for path, keys in due.writes.items()
    )
    act = f"; {' '.join(due.act.split())}" if due.act else ""
    return f"{due.moment}: {due.path}: {due.what} (Rule {due.rule}){then}{writes}{act}"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_plain, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_plain(one)}' for key, one in value.items())}}}"
    return str(value)


def fields_of(example: Mapping[str, Any], kind: str) -> set[str]:
    """The fields of a kind that an example's provisions speak of."""
    provisions, problems = parse_provisions(example["provisions"], ("immutable", "mutable"))
    assert problems == ()
    return {name for one in provisions.kinds.get(kind, ()) for name in one.written}
