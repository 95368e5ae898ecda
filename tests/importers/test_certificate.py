"""The certificate of an import: every state of the source against the ledger, when it is imported and afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from nomicgen.cli import main
from nomicgen.files import read_game
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.agora.texts import Seen
from nomicgen.importers.certificate import Observed, certified
from nomicgen.importers.text_import import import_text
from nomicgen.law.replay.run import replay
from nomicgen.model import Imported
from tests.importers.archives import FAIR, LAMPS, STORIES, TURNS, Asked, Story, imported, rule
from tests.support import GitRepo

Repos = Callable[..., GitRepo]
LONG = Path(__file__).parent / "lantern-long.md"
DATA = Path(__file__).parent / "agora" / "data"
TEXT = b"Rule 101: Fair\n\nPlay fair.\n\nRule 201: Lamps\n\nLamps are lit at dusk.\n"


def held(observed: Observed | None, files: Mapping[str, bytes]) -> Imported:
    """The certificate of some files."""
    assert observed is not None
    records, _ = read_game(files)
    return certified(observed, records, replay(records), "source", {})


def spoilt(files: Mapping[str, bytes], path: str, old: str, new: str) -> dict[str, bytes]:
    """The files, one of which says something else."""
    assert old.encode() in files[path]
    return {**files, path: files[path].replace(old.encode(), new.encode())}


def differing(found: Imported) -> list[tuple[str, int, str, int]]:
    return [(one.place, one.rule, one.why, one.states) for one in found.differing]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


class TestGit:
    @pytest.mark.parametrize("name", STORIES)
    def test_every_state_of_a_story_is_in_its_ledger(self, name: str, git_repo: Repos) -> None:
        story = Story(git_repo())
        got = imported(story.repo.path, STORIES[name](story))
        found = held(got.observed, got.files)
        assert differing(found) == []
        assert found.identical == found.states > 0

    @pytest.mark.parametrize(
        ("path", "old", "new", "expected"),
        [
            ("proposals/301.md", "two days", "nine days", [("c2", 202, "text", 1)]),
            ("proposals/301.md", "## Amend", "## Retitle Rule 201/0: Oil\n\n## Amend", [("c2", 201, "title", 3)]),
            (
                "proposals/303.md",
                "Enact Rule 303",
                "Enact Rule 304",
                [("c4", 303, "missing in the ledger", 1), ("c4", 304, "only in the ledger", 1)],
            ),
            ("rules/initial/201.md", "dusk", "noon", [("c1", 201, "text", 4)]),
            ("rules/initial/101.md", "mutability: immutable", "mutability: mutable", [("c1", 101, "tier", 4)]),
        ],
    )
    def test_a_spoilt_ledger_fails(
        self, path: str, old: str, new: str, expected: list[tuple[str, int, str, int]], git_repo: Repos
    ) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/202.md": TURNS})
        story.commit("Proposal 301", {"r/202.md": rule("202/1", "A turn is two days long.")})
        story.commit("Proposal 302", {"r/202.md": rule("202/2", "A turn is a week long.")})
        story.commit("Proposal 303", {"r/202.md": None, "r/303.md": rule("303/0", "Bells ring.")})
        got = imported(story.repo.path)
        assert held(got.observed, got.files).told == "4 of 4 states identical"
        found = held(got.observed, spoilt(got.files, path, old, new))
        assert [(story.named(place), *rest) for place, *rest in differing(found)] == expected
        assert found.identical < found.states

    def test_a_file_without_a_heading_has_the_tier_of_its_folder(self, git_repo: Repos) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r/immutable/101.md": "Play fair.\n", "r/mutable/201.md": "Lamps burn.\n"})
        moved = {"r/immutable/101.md": None, "r/mutable/101.md": "Play fair.\n"}
        story.commit("Proposal 301: transmute", moved)
        got = imported(story.repo.path, Asked(patterns=("r/*/*.md",)))
        assert held(got.observed, got.files).told == "2 of 2 states identical"
        assert [one.what for one in got.report.events if one.rule == 101] == ["initial", "transmuted"]

    def test_the_command_keeps_it_and_verify_computes_it_again(self, tmp_path: Path, git_repo: Repos) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r.md": FAIR + LAMPS})
        story.commit("Proposal 301", {"r.md": FAIR + rule("201/1", "Lamps are lit at dawn.")})
        club, kept = str(tmp_path / "club"), str(story.repo.path)
        done = run("import", "git", kept, "--path", "r.md", "--name", "Club", "--into", club, "--commit")
        assert "import.json says: 2 of 2 states identical" in done.output
        message = GitRepo(tmp_path / "club").git("log", "-1", "--format=%B")
        assert message.splitlines()[-1] == "Certificate: 2 of 2 states identical"
        certificate = json.loads((tmp_path / "club" / "import.json").read_text("utf-8"))
        assert certificate["options"] == {
            "path": ["r.md"],
            "branch": ["HEAD"],
            "commit": [story.shas[-1]],
            "name": ["Club"],
        }
        # What comes later in the source is not what was imported.
        story.commit("Proposal 302", {"r.md": FAIR})
        checked = run("-C", club, "verify", "--source", kept)
        assert (checked.exit_code, checked.output.splitlines()[-1].partition(": ")[2]) == (
            0,
            "2 of 2 states identical",
        )
        file = tmp_path / "club" / "proposals" / "301.md"
        file.write_text(file.read_text("utf-8").replace("dawn", "noon"), "utf-8")
        checked = run("-C", club, "verify", "--source", kept)
        assert checked.exit_code == 1
        assert f"Rule 201 at {story.shas[1][:12]}: the ledger has another text" in checked.output

    def test_what_is_recorded_or_opened_later_leaves_it_true(self, tmp_path: Path, git_repo: Repos) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r.md": FAIR + LAMPS})
        story.commit("Proposal 301", {"r.md": FAIR + rule("201/1", "Lamps are lit at dawn.")})
        club, kept = str(tmp_path / "club"), str(story.repo.path)
        assert run("import", "git", kept, "--path", "r.md", "--into", club).exit_code == 0
        later = ("record", "201", "--on", "2021-04-01", "--by", "Proposal 302", "--text", str(tmp_path / "new.md"))
        (tmp_path / "new.md").write_text("Lamps burn.\n", "utf-8")
        assert run("-C", club, *later).exit_code == 0
        between = ("record", "201", "--on", "2021-03-01", "--text", str(tmp_path / "new.md"))
        assert "reads otherwise" not in run("-C", club, *between).output
        assert run("-C", club, "verify", "--source", kept).exit_code == 0
        opened = ("open", "--adoption", "majority", "--adoption-rule", "101", "--player", "ada", "--on", "2022-01-01")
        assert run("-C", club, *opened).exit_code == 0
        assert run("-C", club, "verify", "--source", kept).exit_code == 0

    def test_what_is_recorded_into_the_past_is_told_where_it_changes_that(
        self, tmp_path: Path, git_repo: Repos
    ) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r.md": FAIR + LAMPS})
        story.commit("Proposal 301", {"r.md": FAIR + rule("201/1", "Lamps are lit at dawn.")})
        club, kept = str(tmp_path / "club"), str(story.repo.path)
        assert run("import", "git", kept, "--path", "r.md", "--into", club).exit_code == 0
        done = run("-C", club, "record", "201", "--on", "2021-03-01", "--by", "An old vote", "--title", "Oil")
        told = "what was imported reads otherwise now, in proposals/301.md: `nomicgen verify --source PATH` says where"
        assert told in done.output
        checked = run("-C", club, "verify", "--source", kept)
        assert checked.exit_code == 1
        assert f"Rule 201 at {story.shas[1][:12]}: the ledger has another title" in checked.output


class TestText:
    def test_one_text_is_one_state(self) -> None:
        found = import_text(TEXT, "rules.txt")
        assert held(found.observed, found.files).told == "1 of 1 state identical"
        wrong = spoilt(found.files, "rules/initial/201.md", "dusk", "noon")
        wrong = spoilt(wrong, "rules/initial/101.md", "title: Fair", "title: Foul")
        told = held(found.observed, wrong)
        assert told.told == "0 of 1 state identical; 1 differs"
        assert differing(told) == [("rules.txt:1", 101, "title", 1), ("rules.txt:1", 201, "text", 1)]

    def test_a_source_that_is_another_now_is_found(self, tmp_path: Path) -> None:
        (tmp_path / "rules.txt").write_bytes(TEXT)
        assert run("import", "text", str(tmp_path / "rules.txt"), "--into", str(tmp_path / "game")).exit_code == 0
        (tmp_path / "rules.txt").write_bytes(TEXT.replace(b"dusk", b"noon"))
        done = run("-C", str(tmp_path / "game"), "verify", "--source", str(tmp_path / "rules.txt"))
        assert done.exit_code == 1
        assert "what is read of rules.txt is not what was imported from it" in done.output
        assert "Rule 201 at rules.txt:1: the ledger has another text" in done.output

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (None, "has no import.json"),
            ('{"format": 1}', "has no import.json"),
            ('{"format": 1, "kind": "text", "source": "x", "options": {"heading": ["("]}, "digest": "x",'
             ' "states": 1, "identical": 1}', "has options that no import takes"),
            ('{"format": 1, "kind": "git", "source": "x", "options": {"commit": ["--all"]}, "digest": "x",'
             ' "states": 1, "identical": 1}', "error: "),
        ],
    )  # fmt: skip
    def test_what_cannot_be_read_again_is_said(self, text: str | None, said: str, tmp_path: Path) -> None:
        (tmp_path / "rules.txt").write_bytes(TEXT)
        game = tmp_path / "game"
        assert run("import", "text", str(tmp_path / "rules.txt"), "--into", str(game)).exit_code == 0
        (game / "import.json").unlink()
        if text is not None:
            (game / "import.json").write_text(text, "utf-8")
        done = run("-C", str(game), "verify", "--source", str(tmp_path / "rules.txt"))
        assert done.exit_code == 2
        assert said in done.output
        assert done.exception is None or isinstance(done.exception, SystemExit)


class TestLong:
    def test_each_printed_revision_is_a_state(self) -> None:
        found = import_text(LONG.read_bytes(), "l.md")
        assert held(found.observed, found.files).told == "12 of 12 states identical"

    def test_a_spoilt_ledger_fails(self) -> None:
        found = import_text(LONG.read_bytes(), "l.md")
        path = next(path for path, data in found.files.items() if path[:10] == "proposals/" and b"## Amend" in data)
        files = {**found.files, path: b"\n".join(found.files[path].split(b"## Amend")[:1])}
        assert held(found.observed, files).identical < 12


class TestAgora:
    def test_each_revision_of_a_rule_is_a_state(self) -> None:
        files = {path.relative_to(DATA).as_posix(): path.read_bytes() for path in DATA.rglob("*") if path.is_file()}
        found = import_agora(files, "data")
        told = held(found.observed, found.files)
        assert told.states > 3
        path = next(one for one, data in found.files.items() if one[:9] == "proposals" and b"## Enact" in data)
        wrong = held(found.observed, {one: data for one, data in found.files.items() if one != path})
        assert wrong.identical < told.identical

    def test_a_text_that_was_only_broken_into_other_lines_is_told_apart(self) -> None:
        files = {path.relative_to(DATA).as_posix(): path.read_bytes() for path in DATA.rglob("*") if path.is_file()}
        data = files["rules/101"]
        broken = data.replace(b"All who moor here keep the rules then", b"All who moor here\n  keep the rules  then")
        other = data.replace(b"All who moor here keep", b"All who moored here kept")
        day = date(2017, 5, 3)
        seen = [
            Seen(path="rules/101", commit=one * 40, day=day, data=text)
            for one, text in (("a", broken), ("b", other), ("c", data))
        ]
        found = import_agora(files, "data", seen=seen)
        told = held(found.observed, found.files)
        before = held(import_agora(files, "data").observed, found.files)
        assert (told.states, told.identical, told.rewrapped) == (before.states + 2, before.identical, 1)
        assert ("b" * 40 + ":rules/101", 101, "text", 1) in differing(told)
        assert f"{before.identical} of {told.states} states identical, 1 but for line breaks; " in told.told
