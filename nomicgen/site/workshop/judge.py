"""The functions that the workshop's worker (`propose-worker.js`) calls in a browser. `open_game`
gives the game, and the others answer about it with JSON: a draft's preview is what
`nomicgen proposal preview --format json` prints.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nomicgen.history.supposed import as_registered, suppose
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.play.game_status import next_number
from nomicgen.play.load import Game, load_tree, overlay
from nomicgen.play.move import free_path
from nomicgen.play.preview.as_json import PREVIEW
from nomicgen.play.preview.previewing import preview_file
from nomicgen.play.refusal import Refused


def open_game(files: str) -> Game:
    """Return the game whose files are given as JSON, by path, as of today."""
    return load_tree(Path(), {path: text.encode() for path, text in json.loads(files).items()})


def judge_draft(game: Game, text: str, shown: str) -> str:
    """Return a draft's preview, or why there is none: `{"preview": …}` or `{"refused": …}`.

    `shown` is the name of the draft's file in findings.
    """
    answer: dict[str, Any]
    try:
        answer = {"preview": PREVIEW.write(preview_file(game, text.encode(), shown))}
    except Refused as error:
        answer = {"refused": {"message": error.message, "remedy": error.remedy}}
    return json.dumps(answer, ensure_ascii=False)


def suppose_adopted(game: Game, asked: str) -> str:
    """Return the ruleset as it would be if some proposals passed in the order given, as JSON:
    `{"rules": […], "gone": […], "failed": […]}`.

    `asked` is a JSON list of their paths in the game; the draft that is being written is
    `{"text": …}`. `gone` has the rules that would be repealed. `failed` has the places in the list
    (from 0) of proposals that cannot be carried out: these change nothing.
    """
    first = Scene.of(game.replay.current, game.records, game.until)
    scene, number, failed = first, next_number(game.records, game.replay, game.until), []
    for place, one in enumerate(json.loads(asked)):
        path = one if isinstance(one, str) else free_path(game, "proposals/draft")
        laid = game if isinstance(one, str) else overlay(game, {path: one["text"].encode()})
        proposal = laid.records.proposal(path)
        outcome = suppose(as_registered(proposal, number), scene) if proposal is not None else None
        if outcome is None or not outcome.legal:
            failed.append(place)
            continue
        scene, number = outcome.after, number + (proposal is not None and proposal.number is None)
    was = {rule.identity: rule for rule in first.ruleset}
    rules = [_row(rule, was.get(rule.identity)) for rule in scene.ruleset]
    gone = [
        _row(rule, rule)
        for rule in first.ruleset
        if rule.identity not in {one.identity for one in scene.ruleset}
    ]
    return json.dumps({"rules": rules, "gone": gone, "failed": failed}, ensure_ascii=False)


def _row(rule: Rule, was: Rule | None) -> dict[str, Any]:
    return {
        "number": rule.number,
        "ref": str(rule.ref),
        "title": rule.title,
        "tier": rule.tier,
        "text": rule.text,
        "was": None
        if was is None
        else {"ref": str(was.ref), "tier": was.tier, "text": was.text, "title": was.title},
    }
