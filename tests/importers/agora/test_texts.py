"""Agora's repository: which text of its history is of which revision, and what its index says is in
force.
"""

from __future__ import annotations

import os
import random
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.agora.repository import is_repository, read_agora
from nomicgen.importers.agora.texts import Seen
from nomicgen.importers.certificate import certify
from nomicgen.importers.founding import ImportOrigin, bring_in
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.play.start import Founding
from tests.deep import examples
from tests.support import GitRepo

BEGUN = "- change:\n    type: enactment\n  date: 2001-01-01\n  agent:\n    proposal: '7'\n"
MORE = "- change:\n    type: amendment\n  date: 2018-02-01\n  agent:\n    proposal: '8'\n"
CLEAN = (
    "- change:\n    type: amendment\n  date: 2018-03-01\n  agent:\n    cleaning:\n      by: Wren\n"
)
OLD = "- Created by Proposal 7, Jan. 1 2001\n"
INDEX = "- name: Ropes\n  note: What ropes are.\n  rules:\n"


def rule(text: str, history: str, number: int = 101) -> str:
    lines = "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))
    return f"id: {number}\nname: Ropes\npower: 1\ntext: |\n{lines}history:\n{history}"


def commit(repo: GitRepo, day: str, files: dict[str, str | bytes | None]) -> None:
    when = datetime.fromisoformat(day).replace(tzinfo=UTC)
    repo.commit("The ropes", files, author="Wren Keeper <wren@example.org>", date=when)


def imported(path: Path) -> tuple[ImportedGame, Game]:
    past = read_agora(path)
    found = import_agora(past.files, seen=past.seen)
    return found, bring_in(
        Path("nowhere"), found, ImportOrigin(source="data"), Moment.parse("2030-01-10"), Founding()
    ).after


def texts(game: Game) -> list[tuple[str, str | None]]:
    initial = [(one.ref, one.text) for one in game.replay.initial]
    changes = [change.after for step in game.replay.steps for change in step.changes]
    return initial + [(one.ref, one.text) for one in changes if one is not None]


def test_each_revision_has_its_text(tmp_path: Path) -> None:
    """Files that were named by titles, moved, and mended; history before text, and text before
    history.
    """
    repo = GitRepo(tmp_path / "ropes")
    commit(repo, "2017-06-01", {"rules/Old Ropes": rule("Ropes are cioled.", OLD)})
    commit(repo, "2017-07-01", {"rules/Old Ropes": rule("Ropes are coiled.", OLD)})
    commit(
        repo, "2017-11-01", {"rules/Old Ropes": None, "rules/101": rule("Ropes are coiled.", BEGUN)}
    )
    commit(repo, "2018-02-01", {"rules/101": rule("Ropes are dry.", BEGUN)})
    commit(repo, "2018-02-02", {"rules/101": rule("Ropes are dry.", BEGUN + MORE)})
    commit(
        repo,
        "2018-03-01",
        {"rules/101": None, "rules_data/rules/101": rule("Ropes are dry!", BEGUN + MORE + CLEAN)},
    )
    commit(repo, "2018-03-02", {"rules_data/config/index": f"{INDEX}  - 101\n"})
    found, game = imported(tmp_path / "ropes")
    assert game.errors == ()
    assert texts(game) == [
        ("101/0", "Ropes are coiled."),
        ("101/1", "Ropes are dry."),
        ("101/2", "Ropes are dry!"),
    ]
    [mended] = [one for one in found.warnings if one.slug == "text-mended"]
    assert mended.message == "the repository has 2 texts of Rule 101/0"


def test_a_title_that_no_entry_tells_of_came_with_the_amendment_that_shows_it(
    tmp_path: Path,
) -> None:
    repo = GitRepo(tmp_path / "ropes")
    old = rule("Ropes are coiled.", BEGUN).replace("name: Ropes", "name: Cables")
    commit(repo, "2017-11-01", {"rules/101": old})
    commit(repo, "2018-02-02", {"rules/101": rule("Ropes are dry.", BEGUN + MORE)})
    commit(repo, "2018-03-01", {"rules/101": rule("Ropes are dry!", BEGUN + MORE + CLEAN)})
    found, game = imported(tmp_path / "ropes")
    assert game.errors == ()
    changes = [change.after for step in game.replay.steps for change in step.changes]
    titles = {one.ref: one.title for one in changes if one is not None}
    assert titles == {"101/0": "Cables", "101/1": "Ropes", "101/2": "Ropes"}
    [unsaid] = [one for one in found.warnings if one.slug == "title-unsaid"]
    assert (unsaid.quote, unsaid.line) == ("Ropes", 12)
    assert found.observed is not None
    held = certify(found.observed, game.records, game.replay, "ropes", {})
    assert held.told == "3 of 3 states identical"


@pytest.mark.parametrize(
    ("listed", "said"), [(True, "between 2018-02-01 and 2018-04-02"), (False, "after 2018-02-01")]
)
def test_the_index_says_what_is_in_force(tmp_path: Path, listed: bool, said: str) -> None:
    """A rule that the index leaves out is repealed, and nobody knows by what, nor on which day."""
    repo = GitRepo(tmp_path / "ropes")
    files = {
        f"rules/{number}": rule("Ropes are dry.", BEGUN + MORE, number) for number in (101, 102)
    }
    if listed:
        commit(repo, "2018-03-02", {**files, "config/index": f"{INDEX}  - 101\n  - 102\n"})
    commit(
        repo,
        "2018-04-02" if listed else "2017-04-02",
        {**files, "config/index": f"{INDEX}  - 101 # Ropes\n"},
    )
    found, game = imported(tmp_path / "ropes")
    assert [one.number for one in game.replay.current] == [101]
    [act] = [data.decode() for path, data in found.files.items() if path.startswith("acts/")]
    assert act.startswith(f"---\ncause: Left out of the index\ndate: {said}\n")
    assert act.endswith("## Repeal Rule 102/1\n")


def test_a_file_of_comments_is_no_rule(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "ropes")
    commit(
        repo, "2018-03-02", {"rules/101": rule("Ropes are dry.", BEGUN), "rules/102": "# id: 102\n"}
    )
    found, game = imported(tmp_path / "ropes")
    assert [one.number for one in game.replay.current] == [101]
    assert [one.path for one in found.warnings if one.slug == "rule-empty"] == ["rules/102"]


def test_a_text_of_no_known_revision_is_reported(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "ropes")
    strange = "- change:\n    type: amendment\n  date: 2018-01-01\n  agent:\n    proposal: '9'\n"
    commit(
        repo,
        "2018-03-01",
        {"rules/101": rule("Ropes sing.", BEGUN + strange), "rules/900": rule("Fog.", OLD, 900)},
    )
    commit(repo, "2018-03-02", {"rules/101": rule("Ropes are dry.", BEGUN), "rules/900": None})
    found, _ = imported(tmp_path / "ropes")
    told = [one.message for one in found.warnings if one.slug == "text-strange"]
    assert told == [
        "a text of Rule 101 belongs to no revision in its history",
        "the data has no Rule 900, and the repository had texts of it",
    ]


def test_versions_of_any_shape() -> None:
    """Whatever stood in a file of a rule or in the index, the import goes on."""
    rng = random.Random(11)
    parts = [
        *(
            "id: 101\n",
            "id: '7\n",
            "rev: 3\n",
            "---\n",
            "text: |\n",
            "text:\n",
            "history:\n",
            "- change:\n",
            "  text\n",
        ),
        *(
            "    type: amendment\n",
            "  agent: {proposal: '7'}\n",
            "  agent:\n    rule: 9\n",
            "- Amended(2) by Proposal 9\n",
        ),
        *(
            "- Created by\n",
            "  date: [\n",
            "&a *a\n",
            "\xff\n",
            "  - 101\n",
            "? x\n",
            "\t\n",
            "text: [a]\n",
            "history: x\n",
        ),
    ]
    paths = (
        "rules/101",
        "rules/Ropes",
        "rules_data/rules/101",
        "config/index",
        "rules_data/config/index",
    )
    files = {"rules/101": rule("Ropes are dry.", BEGUN + MORE).encode()}
    for _ in range(examples(20)):
        seen = [
            Seen(
                path=rng.choice(paths),
                commit="0" * 40,
                day=rng.choice([None, date(2018, 1, 1)]),
                data=rng.choice(
                    [None, "".join(rng.choices(parts, k=rng.randrange(12))).encode("latin-1")]
                ),
            )
            for _ in range(20)
        ]
        found = import_agora(files, seen=seen)
        assert [path for path in found.files if path.startswith("proposals/")] == [
            "proposals/7.md",
            "proposals/8.md",
        ]


def test_texts_beside_data(tmp_path: Path) -> None:
    """Data in a folder, and the repository that has the texts; what is none is refused."""
    repo = GitRepo(tmp_path / "ropes")
    commit(repo, "2018-01-01", {"rules/101": rule("Ropes are coiled.", BEGUN)})
    (tmp_path / "data/rules").mkdir(parents=True)
    (tmp_path / "data/rules/101").write_text(rule("Ropes are dry.", BEGUN + MORE))
    line = [
        "import",
        "agora",
        str(tmp_path / "data"),
        "--into",
        str(tmp_path / "game"),
        "--on",
        "2026-01-10",
        "--texts",
    ]
    done = CliRunner().invoke(main, [*line, str(tmp_path / "data")])
    assert (done.exit_code, "is in no git repository" in done.output) == (2, True)
    done = CliRunner().invoke(main, [*line, str(tmp_path / "ropes")])
    assert done.exit_code == 0
    assert "Ropes are coiled.\n" in (tmp_path / "game/proposals/7.md").read_text()
    done = CliRunner().invoke(
        main, ["import", "agora", str(tmp_path / "ropes"), "--into", str(tmp_path / "other")]
    )
    assert "other holds Agora: 1 rules" in done.output


@pytest.mark.skipif(
    "NOMICGEN_AGORA" not in os.environ, reason="NOMICGEN_AGORA names no clone of Agora's repository"
)
def test_all_of_agora() -> None:
    """Agora's own repository: its folder is given."""
    folder = Path(os.environ["NOMICGEN_AGORA"])
    assert is_repository(folder)
    found, game = imported(folder)
    assert game.errors == ()
    assert len(game.replay.current) >= 149
    assert (
        sum(
            b"text: lost" not in data
            for path, data in found.files.items()
            if path[:9] == "proposals"
        )
        >= 1606
    )
