"""Whole games: some files laid over a small one; what comes of it, and what a pull request with
them is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from nomicgen.files.documents import read_instrument
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.formats.styled_text import without_style
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.findings import Finding
from nomicgen.play.command_json import RULE
from nomicgen.play.load import Game, load_tree
from nomicgen.play.preview.as_json import PREVIEW
from nomicgen.play.preview.as_markdown import preview_markdown
from nomicgen.play.preview.as_text import preview_text
from nomicgen.play.preview.previewing import preview_file
from nomicgen.play.refusal import Refused
from nomicgen.pulls.as_json import pull_json
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.as_text import verdict_text
from nomicgen.pulls.examine import Pull, _judge_change, _PullChange
from nomicgen.pulls.report import report_on
from nomicgen.pulls.request import TouchedPaths
from nomicgen.repository.game_tree import is_of_game, shown_path
from tests.case_files import case_folder, case_names
from tests.fuzz.markdown_files import WORDS as MARKDOWN
from tests.fuzz.target import Target, hold, joined, parts_of
from tests.fuzz.yaml_files import WORDS as YAML
from tests.pulls.cases import CASES, ON, files_in, small_game
from tests.rulesets import history_of_tree

_WORDS = (
    *MARKDOWN,
    *YAML,
    *(
        "@@ proposals/306.md\n",
        "@@ proposals/a.md\n",
        "@@ judgements/2.md\n",
        "@@ acts/a.md\n",
        "@@ players/a.yml\n",
    ),
    *(
        "@@ turns/R1T1.yml\n",
        "@@ nomic.yml\n",
        "@@ rules/initial/205.md\n",
        "@@ rules/201.md\n",
        "@@ images/a.png\n",
    ),
    *(
        "adoption: {needs: ",
        "majority",
        "unanimous",
        "2/3",
        "of: eligible",
        "of: cast",
        "to: [amend]",
        "over: [201]",
    ),
    *(
        "entrenchment: ",
        "authority: {by: judgement, to: [amend]}",
        "ballot: {",
        "effect: at-once",
        "numbering: {",
    ),
    *(
        "sunset: ",
        "points: ",
        "turns: ",
        "victory: ",
        "quorum: ",
        "status: adopted",
        "decided: 2026-02-20",
        "effective: ",
    ),
)


@cache
def small() -> Game:
    """A game with rules, players, decided proposals, and one that is open."""
    return load_tree(
        Path(),
        {path.decode(): item.data for path, item in small_game().items() if _is_read(path)},
        ON,
    )


def _is_read(path: bytes) -> bool:
    return is_of_game(path.decode())


def _laid(data: bytes) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What an input brings, and the files of the small game with it. A file without content is
    taken away.
    """
    brought = {
        shown_path(name or "proposals/a.md"): content for name, content in parts_of(data).items()
    }
    tree = {path: content for path, content in small().tree.items() if isinstance(content, bytes)}
    tree |= brought
    return brought, {path: content for path, content in tree.items() if content}


def play(data: bytes) -> None:
    """A game with any files: all that is wrong is said, and what it gives as rules and exports
    reads back.
    """
    _, tree = _laid(data)
    game = load_tree(Path(), tree, ON)
    _hold(game.findings, tree)
    given = ruleset_files(game.replay.current)
    for rule in game.replay.current:
        json.dumps(RULE.write(rule))
    rest = {
        path: content for path, content in tree.items() if path not in game.records.derived_rules
    }
    again = history_of_tree({**rest, **given}, str(ON))
    assert ruleset_files(again.replay.current) == given
    if not again.records.withheld:
        assert not {one.slug for one in again.findings} & {
            "rules-extra",
            "rules-missing",
            "rules-differ",
            "not-applied",
        }
    for export in (long_md, short_md, long_txt, short_txt):
        export(again).encode()


def preview(data: bytes) -> None:
    """A proposal from anywhere: what it would do, in every form."""
    try:
        made = preview_file(small(), data, "a file.md")
    except Refused:
        return
    hold(made.findings, {"a file.md": data} | _files(small()))
    json.dumps(PREVIEW.write(made))
    _plain(preview_markdown(made))
    _plain("\n".join(without_style(line) for line in preview_text(made)))
    assert made.legal or any(one.is_error for one in made.findings) or made.elsewhere, made


def pull(data: bytes) -> None:
    """A pull request with any files: it is judged by the base, and its comment is one that a forge
    takes.
    """
    brought, tree = _laid(data)
    base = small()
    laid = load_tree(Path(), tree, ON)
    touched = TouchedPaths(
        paths=tuple(sorted(brought)), gone=frozenset(path for path in brought if path not in tree)
    )
    ours = {path: content for path, content in brought.items() if content}
    verdict = _judge_change(
        base, laid, _PullChange(touched=touched, files=ours), "tamsin", machinery=False
    )
    # What is said of another's file stands where base has it.
    of_base = {path: content for path, content in _files(base).items() if path in brought}
    own = [one for one in verdict.findings if one.slug != "actor-other"]
    _hold(own, tree)
    _hold([one for one in verdict.findings if one not in own], of_base)
    judged = Pull(base=base, laid=laid, head=None, verdict=verdict)
    told = report_on(judged)
    json.dumps(pull_json(verdict, told))
    comment = comment_markdown(verdict, told)
    _plain(comment)
    assert len(comment) <= 65536
    _plain("\n".join(without_style(line) for line in verdict_text(verdict)))
    if told.preview is not None:
        _plain("\n".join(without_style(line) for line in preview_text(told.preview)))
    for path in brought:
        if (
            path in base.tree
            and path.startswith(("rules/initial/", "proposals/30"))
            and tree.get(path) != base.tree[path]
        ):
            assert path in verdict.paths


def _plain(shown: str) -> None:
    """Nothing that is shown is invisible, or a command of a terminal."""
    shown = shown.replace("\N{WORD JOINER}", "")  # which parts marks that would call somebody
    assert re.search(CONTROLS, shown) is None, re.search(CONTROLS, shown)


def _hold(findings: Iterable[Finding], tree: Mapping[str, bytes]) -> None:
    hold([one for one in findings if one.span.file in tree], tree)


def _files(game: Game) -> dict[str, bytes]:
    return {path: content for path, content in game.tree.items() if isinstance(content, bytes)}


def _cases() -> Iterator[bytes]:
    for name in case_names(CASES):
        head = {
            path.decode(): item.data
            for path, item in files_in(case_folder(CASES, name) / "head").items()
        }
        if head and sum(map(len, head.values())) < 2000:
            yield joined(head)


def _drafts() -> Iterator[bytes]:
    for path, content in _files(small()).items():
        if path.startswith("proposals/"):
            draft, _ = read_instrument(path, content)
            assert draft is not None
            yield content
            yield content.replace(b"status: adopted", b"status: draft").replace(
                b"number: 30", b"seq: "
            )


TARGETS = (
    Target(name="game", run=play, seeds=_cases, words=_WORDS),
    Target(name="preview", run=preview, seeds=_drafts, words=_WORDS),
    Target(name="pull", run=pull, seeds=_cases, words=_WORDS),
)
