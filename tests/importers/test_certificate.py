"""The certificate of an import: every state of the source against the ledger, when it is imported
and afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from nomicgen.cli.program import main
from nomicgen.files.game_files import read_game
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.agora.texts import Seen
from nomicgen.importers.certificate import Observed, certify
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.source_map import shipped_maps
from nomicgen.importers.text.importer import import_text
from nomicgen.law.replay.run import replay
from nomicgen.model.import_record import Imported
from tests.case_files import unfold
from tests.importers.archives import (
    FAIR,
    LAMPS,
    STORIES,
    TURNS,
    Asked,
    Story,
    imported,
    proved,
    rule,
)
from tests.importers.telling import events_of
from tests.support import GitRepo

Repos = Callable[..., GitRepo]
LONG = Path(__file__).parent / "long" / "lantern-long.md"
DATA = unfold((Path(__file__).parent / "agora" / "data.txt").read_bytes())
NOWHERE = {
    "odd-files": [
        "c1:r/106.md:1 107",
        "c1:r/108.md:1 109",
        "c1:r/110.md:1 110 0",
        "c1:r/110.md:3 Gone",
        "c1:r/notes.md:1 Notes and",
    ],
}
"""What the stories have that no game has: a slip, a number that a file's name overrules, a rule
that is gone, notes.
"""
TEXT = b"Rule 101: Fair\n\nPlay fair.\n\nRule 201: Lamps\n\nLamps are lit at dusk.\n"


def held(observed: Observed | None, files: Mapping[str, bytes]) -> Imported:
    """The certificate of some files."""
    assert observed is not None
    records, _ = read_game(files)
    return certify(observed, records, replay(records), "source", {})


def spoilt(files: Mapping[str, bytes], path: str, old: str, new: str) -> dict[str, bytes]:
    """The files, one of which says something else."""
    assert old.encode() in files[path]
    return {**files, path: files[path].replace(old.encode(), new.encode())}


def differing(found: Imported) -> list[tuple[str, int, str, int]]:
    return [(one.place, one.rule, one.why, one.states) for one in found.differing]


def faults(found: Imported) -> list[str]:
    """Everything that a proof finds, a line each, with the number of states."""
    return [
        *(f"{one.place} {one.rule} {one.why}, {one.states}" for one in found.differing),
        *(f"{one.place} nowhere: {one.text}, {one.states}" for one in found.passages),
        *(
            f"{one.place} {one.rule} foreign: {one.text}, {one.states}"
            for one in found.foreign_passages
        ),
    ]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


class TestGit:
    @pytest.mark.parametrize("name", STORIES)
    def test_every_state_of_a_story_is_in_its_ledger(self, name: str, git_repo: Repos) -> None:
        story = Story(git_repo())
        asked = STORIES[name](story)
        found = proved(story.repo.path, imported(story.repo.path, asked), *asked.patterns)
        nowhere = [f"{story.named(one.place)} {one.text}" for one in found.passages]
        assert nowhere == NOWHERE.get(name, [])
        assert (found.differing, found.foreign) == ([], 0)
        assert (found.identical == found.states) is (not nowhere)

    @pytest.mark.parametrize(
        ("path", "old", "new", "expected"),
        [
            (
                "proposals/301.md",
                "two days",
                "nine days",
                ["c2:r/202.md:3 nowhere: two, 1", "c2 202 foreign: nine, 1"],
            ),
            (
                "proposals/301.md",
                "## Amend",
                "## Retitle Rule 201/0: Oil\n\n## Amend",
                ["c2 201 foreign: oil, 3"],
            ),
            (
                "proposals/303.md",
                "Enact Rule 303",
                "Enact Rule 304",
                ["c4 304 number, 1", "c4:r/303.md:1 nowhere: 303, 1"],
            ),
            (
                "rules/initial/201.md",
                "dusk",
                "noon",
                ["c1:r/201.md:3 nowhere: dusk, 4", "c1 201 foreign: noon, 4"],
            ),
            (
                "rules/initial/101.md",
                "mutability: immutable",
                "mutability: mutable",
                ["c1:r/101.md:1 nowhere: IMMUTABLE, 4"],
            ),
        ],
    )
    def test_a_spoilt_ledger_fails(
        self, path: str, old: str, new: str, expected: list[str], git_repo: Repos
    ) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "r/202.md": TURNS})
        story.commit("Proposal 301", {"r/202.md": rule("202/1", "A turn is two days long.")})
        story.commit("Proposal 302", {"r/202.md": rule("202/2", "A turn is a week long.")})
        story.commit("Proposal 303", {"r/202.md": None, "r/303.md": rule("303/0", "Bells ring.")})
        got = imported(story.repo.path)
        assert proved(story.repo.path, got).told == "4 of 4 states identical, every word placed"
        found = proved(story.repo.path, replace(got, files=spoilt(got.files, path, old, new)))
        assert [story.named(one) for one in faults(found)] == expected
        assert found.identical < found.states

    def test_a_file_without_a_heading_has_the_tier_of_its_folder(self, git_repo: Repos) -> None:
        story = Story(git_repo())
        story.commit(
            "Begin", {"r/immutable/101.md": "Play fair.\n", "r/mutable/201.md": "Lamps burn.\n"}
        )
        moved = {"r/immutable/101.md": None, "r/mutable/101.md": "Play fair.\n"}
        story.commit("Proposal 301: transmute", moved)
        got = imported(story.repo.path, Asked(patterns=("r/*/*.md",)))
        found = proved(story.repo.path, got, "r/*/*.md")
        assert found.told == "2 of 2 states identical, every word placed"
        assert [one.what for one in events_of(got.files) if one.number == 101] == [
            "initial",
            "transmuted",
        ]

    def test_the_command_keeps_it_and_verify_computes_it_again(
        self, tmp_path: Path, git_repo: Repos
    ) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r.md": FAIR + LAMPS})
        story.commit("Proposal 301", {"r.md": FAIR + rule("201/1", "Lamps are lit at dawn.")})
        club, kept = str(tmp_path / "club"), str(story.repo.path)
        done = run(
            "import",
            "git",
            kept,
            "--map",
            "headings",
            "--path",
            "r.md",
            "--name",
            "Club",
            "--into",
            club,
            "--commit",
        )
        assert "import.json says: 2 of 2 states identical, every word placed" in done.output
        message = GitRepo(tmp_path / "club").git("log", "-1", "--format=%B")
        assert message.splitlines()[-1] == "Certificate: 2 of 2 states identical, every word placed"
        certificate = json.loads((tmp_path / "club" / "import.json").read_text("utf-8"))
        assert certificate["options"] == {
            "branch": ["HEAD"],
            "commit": [story.shas[-1]],
            "name": ["Club"],
        }
        # What comes later in the source is not what was imported.
        story.commit("Proposal 302", {"r.md": FAIR})
        checked = run("-C", club, "verify", "--source", kept)
        assert (checked.exit_code, checked.output.splitlines()[-1].partition(": ")[2]) == (
            0,
            "2 of 2 states identical, every word placed",
        )
        file = tmp_path / "club" / "proposals" / "301.md"
        file.write_text(file.read_text("utf-8").replace("dawn", "noon"), "utf-8")
        checked = run("-C", club, "verify", "--source", kept)
        assert checked.exit_code == 1
        assert f"{story.shas[1][:12]}:r.md:6: nowhere: `dawn`" in checked.output
        assert f"{story.shas[1][:12]}: Rule 201: in no source: `noon`" in checked.output

    def test_what_is_recorded_or_opened_later_leaves_it_true(
        self, tmp_path: Path, git_repo: Repos
    ) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r.md": FAIR + LAMPS})
        story.commit("Proposal 301", {"r.md": FAIR + rule("201/1", "Lamps are lit at dawn.")})
        club, kept = str(tmp_path / "club"), str(story.repo.path)
        assert (
            run(
                "import", "git", kept, "--map", "headings", "--path", "r.md", "--into", club
            ).exit_code
            == 0
        )
        later = (
            "record",
            "201",
            "--on",
            "2021-04-01",
            "--by",
            "Proposal 302",
            "--text",
            str(tmp_path / "new.md"),
        )
        (tmp_path / "new.md").write_text("Lamps burn.\n", "utf-8")
        assert run("-C", club, *later).exit_code == 0
        between = ("record", "201", "--on", "2021-03-01", "--text", str(tmp_path / "new.md"))
        assert "reads otherwise" not in run("-C", club, *between).output
        assert run("-C", club, "verify", "--source", kept).exit_code == 0
        opened = (
            "open",
            "--adoption",
            "majority",
            "--adoption-rule",
            "101",
            "--player",
            "ada",
            "--on",
            "2022-01-01",
        )
        assert run("-C", club, *opened).exit_code == 0
        assert run("-C", club, "verify", "--source", kept).exit_code == 0

    def test_what_is_recorded_into_the_past_is_told_where_it_changes_that(
        self, tmp_path: Path, git_repo: Repos
    ) -> None:
        story = Story(git_repo())
        story.commit("Begin", {"r.md": FAIR + LAMPS})
        story.commit("Proposal 301", {"r.md": FAIR + rule("201/1", "Lamps are lit at dawn.")})
        club, kept = str(tmp_path / "club"), str(story.repo.path)
        assert (
            run(
                "import", "git", kept, "--map", "headings", "--path", "r.md", "--into", club
            ).exit_code
            == 0
        )
        done = run(
            "-C",
            club,
            "record",
            "201",
            "--on",
            "2021-03-01",
            "--by",
            "An old vote",
            "--title",
            "Oil",
        )
        told = (
            "what was imported reads otherwise now, in proposals/301.md: `nomicgen verify "
            "--source PATH` says where"
        )
        assert told in done.output
        checked = run("-C", club, "verify", "--source", kept)
        assert checked.exit_code == 1
        assert f"{story.shas[1][:12]}: Rule 201: in no source: `oil`" in checked.output


class TestText:
    def test_one_text_is_one_state(self) -> None:
        found = import_text(TEXT, "rules.txt", shipped_maps()["named"])
        assert (
            held(found.observed, found.files).told == "1 of 1 states identical, every word placed"
        )
        wrong = spoilt(found.files, "rules/initial/201.md", "dusk", "noon")
        wrong = spoilt(wrong, "rules/initial/101.md", "title: Fair", "title: Foul")
        told = held(found.observed, wrong)
        said = "84.6 % of the words placed, 2 words are nowhere, 2 words are in no source"
        assert told.told == f"0 of 1 states identical; {said}"
        assert faults(told) == [
            "rules.txt:1 nowhere: Fair, 1",
            "rules.txt:7 nowhere: dusk, 1",
            "rules.txt 201 foreign: noon, 1",
            "rules.txt 101 foreign: foul, 1",
        ]

    def test_too_little_is_refused_unless_somebody_accepts_it(self, tmp_path: Path) -> None:
        (tmp_path / "rules.txt").write_bytes(TEXT + b"\n\n-- \nWe began in May, by the harbour.\n")
        asked = (
            "import",
            "text",
            str(tmp_path / "rules.txt"),
            "--map",
            "named",
            "--into",
            str(tmp_path / "game"),
        )
        done = run(*asked)
        assert done.exit_code != 0
        assert not (tmp_path / "game" / "nomic.yml").exists()
        assert "rules.txt:11:1" in done.output
        assert "`We began in May by the harbour`" in done.output
        assert "only 65 % of the words of rules.txt have a place in the game" in done.output
        assert "--accept 65" in done.output
        assert run(*asked, "--accept", "90").exit_code != 0
        done = run(*asked, "--accept", "65")
        assert done.exit_code == 0
        assert (
            "import.json says: 0 of 1 states identical; 65 % of the words placed, 7 words are "
            "nowhere" in done.output
        )
        kept = json.loads((tmp_path / "game" / "import.json").read_text("utf-8"))
        assert (kept["accepted"], kept["words"], kept["placed"], kept["nowhere"]) == (65, 20, 13, 7)

    @pytest.mark.parametrize(
        ("above", "refused"),
        [
            ("101. Obey.\n\n102. Write all down.\n", True),
            ("Article 4: Obey, and write down what was said.\n", True),
            ("## UC1 - Asked by pull request\n", True),
            ("How we play: at dusk, by the harbour, and never alone.\n", False),
        ],
    )
    def test_rules_on_a_page_are_refused_unless_somebody_accepts_them(
        self, above: str, refused: bool, tmp_path: Path
    ) -> None:
        (tmp_path / "rules.txt").write_bytes(above.encode() + b"\n" + TEXT)
        asked = (
            "import",
            "text",
            str(tmp_path / "rules.txt"),
            "--map",
            "named",
            "--into",
            str(tmp_path / "game"),
        )
        done = run(*asked)
        assert (done.exit_code != 0) is refused
        assert ("stand above the rules, and look like rules" in done.output) is refused
        if refused:
            assert run(*asked, "--accept", "60").exit_code == 0
            assert (
                json.loads((tmp_path / "game" / "import.json").read_text("utf-8"))["accepted"] == 60
            )

    def test_what_nobody_needs_to_accept_is_not_told(self, tmp_path: Path) -> None:
        (tmp_path / "rules.txt").write_bytes(TEXT)
        asked = ("import", "text", str(tmp_path / "rules.txt"), "--into", str(tmp_path / "game"))
        assert run(*asked, "--accept", "50").exit_code == 0
        assert "accepted" not in json.loads((tmp_path / "game" / "import.json").read_text("utf-8"))

    def test_a_source_that_is_another_now_is_found(self, tmp_path: Path) -> None:
        (tmp_path / "rules.txt").write_bytes(TEXT)
        assert (
            run(
                "import", "text", str(tmp_path / "rules.txt"), "--into", str(tmp_path / "game")
            ).exit_code
            == 0
        )
        (tmp_path / "rules.txt").write_bytes(TEXT.replace(b"dusk", b"noon"))
        done = run("-C", str(tmp_path / "game"), "verify", "--source", str(tmp_path / "rules.txt"))
        assert done.exit_code == 1
        assert "what is read of rules.txt is not what was imported from it" in done.output
        assert "rules.txt:7: nowhere: `noon`" in done.output

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (None, "has no import.json"),
            ('{"format": 1}', "has no import.json"),
            ('{"format": 1, "kind": "text", "source": "x", "options": {"tiers": ["("]}, '
             '"digest": "x",'
             ' "states": 1, "identical": 1}', "import.json or import.yml is wrong"),
            ('{"format": 1, "kind": "git", "source": "x", "options": {"commit": ["--all"]}, '
             '"digest": "x",'
             ' "states": 1, "identical": 1}', "error: "),
        ],
    )  # fmt: skip
    def test_what_cannot_be_read_again_is_said(
        self, text: str | None, said: str, tmp_path: Path
    ) -> None:
        (tmp_path / "rules.txt").write_bytes(TEXT)
        game = tmp_path / "game"
        assert (
            run("import", "text", str(tmp_path / "rules.txt"), "--into", str(game)).exit_code == 0
        )
        (game / "import.json").unlink()
        if text is not None:
            (game / "import.json").write_text(text, "utf-8")
        done = run("-C", str(game), "verify", "--source", str(tmp_path / "rules.txt"))
        assert done.exit_code == 2
        assert said in done.output
        assert done.exception is None or isinstance(done.exception, SystemExit)


class TestLong:
    def test_each_printed_line_is_an_event(self) -> None:
        found = import_long(LONG.read_bytes(), "l.md")
        assert (
            held(found.observed, found.files).told == "1 of 1 states identical, every word placed"
        )

    def test_a_spoilt_ledger_fails(self) -> None:
        found = import_long(LONG.read_bytes(), "l.md")
        path = next(
            path
            for path, data in found.files.items()
            if path[:10] == "proposals/" and b"## Amend" in data
        )
        files = {**found.files, path: b"\n".join(found.files[path].split(b"## Amend")[:1])}
        told = held(found.observed, files)
        assert told.identical == 0
        assert [one.text.split()[0] for one in told.passages] == ["2", "Amended"]


class TestAgora:
    def test_each_revision_of_a_rule_is_a_state(self) -> None:
        files = dict(DATA)
        found = import_agora(files)
        told = held(found.observed, found.files)
        assert told.states > 3
        path = next(
            one
            for one, data in found.files.items()
            if one[:9] == "proposals" and b"## Enact" in data
        )
        wrong = held(
            found.observed, {one: data for one, data in found.files.items() if one != path}
        )
        assert wrong.identical < told.identical

    def test_a_text_that_was_only_broken_into_other_lines_is_the_same(self) -> None:
        files = dict(DATA)
        data = files["rules/101"]
        broken = data.replace(
            b"All who moor here keep the rules then", b"All who moor here\n  keep the rules  then"
        )
        other = data.replace(b"All who moor here keep", b"All who moored here kept")
        day = date(2017, 5, 3)
        seen = [
            Seen(path="rules/101", commit=one * 40, day=day, data=text)
            for one, text in (("a", broken), ("b", other), ("c", data))
        ]
        found = import_agora(files, seen=seen)
        told = held(found.observed, found.files)
        before = held(import_agora(files).observed, found.files)
        assert (told.states, told.identical) == (before.states + 2, before.identical + 1)
        assert ("b" * 40 + ":rules/101", 101, "text", 1) in differing(told)
        assert f"{told.identical} of {told.states} states identical; 1 differs" == told.told
