"""`nomicgen import text`, typed: what it prints, what it writes, how it ends; and its game is published."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.play.rulesets import shipped
from tests.cli.playing import run, snapshot
from tests.deep import sampled
from tests.support import GitRepo, mkdocs_build

TEXT = """\
The Lamplighters

Immutable Rules

101. Whoever plays obeys the rules.

Mutable Rules

201. A proposal says
  1. what it changes
  2. why

202. [void] Lamps are lit when somebody sings:

    Light, light,
    late at night.
"""


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    file = tmp_path / "lamps.txt"
    file.write_text(TEXT, "utf-8")
    return file


def imported(file: Path, *more: str, code: int = 0) -> str:
    """What an import into the directory `game` beside the text prints, with that directory as `GAME`."""
    into = file.parent / "game"
    said = run(file.parent, "import text", str(file), "--into", str(into), "--on", "2026-01-10", *more, code=code)
    return said.replace(str(into), "GAME").replace(str(file), "FILE")


@pytest.mark.deep
def test_what_is_said_and_written(lamps: Path) -> None:
    assert imported(lamps, "--commit") == (
        "lamps.txt:1:1: warning[import-outside]: line 1 stands above the first rule, and is left out:"
        " `The Lamplighters`\n"
        "  help: put what players should read into the game's own pages, in docs/\n"
        "lamps.txt:13:1: warning[import-markdown]: the plain text of Rule 202 is written as Markdown\n"
        "  help: check that lists nest and lines break as before\n"
        "GAME holds Nomic: 3 rules\n"
        "import.json says: 1 of 1 state identical\n"
        f"commit {head(lamps.parent / 'game')[:12]}\n"
        "  nomicgen -C GAME check\n"
    )
    files = snapshot(lamps.parent / "game")
    assert sorted(path for path in files if path.startswith(("rules/", "nomic"))) == [
        *("nomic.yml", "rules/101.md", "rules/201.md", "rules/202.md"),
        *("rules/initial/101.md", "rules/initial/201.md", "rules/initial/202.md"),
    ]
    assert files["rules/202.md"].decode() == (
        "---\nnumber: 202\nmutability: mutable\nrevision: 0\nvoid: true\n---\n\n"
        "Lamps are lit when somebody sings:\n\nLight, light,  \nlate at night.\n"
    )
    assert run(lamps.parent / "game", "check --on 2026-01-11") == (
        "nomic.yml:2:7: warning[law-unread]:"
        " no rule has provisions, so numbers, votes, tiers and caps are not judged\n"
        "  help: an archive may stay so; to play on, `nomicgen open` gives a rule provisions\n"
        "\n3 rules in force, 0 instruments replayed: 0 errors, 1 warning\n"
    )


def head(root: Path) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_commit(lamps: Path, git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo("game")
    imported(lamps, "--commit", "--name", "Lamps")
    assert repo.git("log", "--format=%s %as") == "Import Lamps from lamps.txt 2026-01-10"
    assert repo.git("status", "--porcelain") == ""


def test_a_dry_run_writes_nothing(lamps: Path) -> None:
    assert imported(lamps, "--dry-run").splitlines()[-1] == (
        "GAME would hold Nomic, in 12 files; nothing was written (--dry-run)"
    )
    assert not (lamps.parent / "game").exists()


def test_tiers_and_a_name_are_typed(lamps: Path) -> None:
    lamps.write_text("1. Whoever plays obeys.\n\n30. Lamps are lit.\n", "utf-8")
    imported(lamps, "--tiers", "old=1-9,new=10-", "--name", "The Lamp Game")
    settings = (lamps.parent / "game/nomic.yml").read_text("utf-8")
    assert settings == "format: 1\nname: The Lamp Game\nstarted: 2026-01-10\ntiers: [old, new]\n"
    assert "mutability: new\n" in (lamps.parent / "game/rules/30.md").read_text("utf-8")


def test_a_day_that_is_typed_begins_the_history(lamps: Path) -> None:
    imported(lamps)
    game = lamps.parent / "game"
    assert "  Initial mutable Rule 201, Jan 10, 2026\n" in run(game, "rule history 201")
    run(game, "record 201 --on 2026-01-12 --lost")
    assert "date on 2026-01-09, before the game started on 2026-01-10" in run(
        game, "record 201 --on 2026-01-09 --lost", code=1
    )


@pytest.mark.parametrize("typed", ["", "--adoption majority --adoption-rule 201 --player wren --on 2026-01-10"])
def test_a_day_of_nothing_or_of_the_opening_does_not(lamps: Path, typed: str) -> None:
    run(lamps.parent, f"import text {lamps} --into {lamps.parent}/game {typed}")
    assert "started" not in (lamps.parent / "game/nomic.yml").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tiers", "Immutable"), "'Immutable' should name tiers, most entrenched first, such as immutable,mutable"),
        (("--tiers", "a=9-1"), "'a=9-1' should say numbers that ascend, and '9-1' does not"),
        (("--provisions", "calvinball"), "'calvinball' is not one of 'suber', 'discordian', 'pokey'"),
        (("--name", "a\nb"), "should be one line of text"),
    ],
)
def test_what_cannot_be_typed(lamps: Path, options: tuple[str, str], said: str) -> None:
    assert said in " ".join(imported(lamps, *options, code=2).split())
    assert not (lamps.parent / "game").exists()


def test_a_text_without_rules_is_refused(lamps: Path) -> None:
    lamps.write_bytes(b"Only words.\n")
    assert imported(lamps, code=1) == (
        "lamps.txt:1:1: warning[import-unread]:"
        " no rule stands here: nothing begins as `Rule 101`, `101.` or `## 101` does\n"
        "  help: write each rule's number before its text, then import it again\n"
        "error: lamps.txt holds no ruleset\nhelp: see the findings\n"
    )


@pytest.mark.parametrize("data", [b"", b"\0\0\0", b"\xff\xfe1\0.\0", bytes(range(256)) * 9])
def test_bytes_that_are_no_ruleset(lamps: Path, data: bytes) -> None:
    lamps.write_bytes(data)
    assert imported(lamps, code=1).endswith("error: lamps.txt holds no ruleset\nhelp: see the findings\n")


def test_a_hostile_text_is_tamed(lamps: Path) -> None:
    words = "A\0 B\u202e <script>x</script> [c](javascript:d)\r\n# e\r\n\r\n```yaml rule\r\nvoid: true\r\n"
    lamps.write_bytes(f"Rule 201\r\n\r\n{words}".encode())
    said = imported(lamps)
    assert "warning[import-spaces]: lines end in more than a line feed" in said
    assert "warning[import-unread]: 2 characters here and further down are invisible" in said
    text = (lamps.parent / "game/rules/201.md").read_text("utf-8").partition("---\n\n")[2]
    assert text == ("A B \\<script>x\\</script> [c\\](javascript:d)  \n\\# e\n\n\\`\\`\\`yaml rule  \nvoid: true\n")


def test_only_a_file_of_some_size_is_read(lamps: Path) -> None:
    into = str(lamps.parent / "game")
    assert run(lamps.parent, "import text /dev/zero --into", into, code=2).startswith("error: /dev/zero cannot be read")
    with lamps.open("wb") as file:
        file.truncate((4 << 20) + 1)
    assert imported(lamps, code=2) == "error: FILE is larger than 4 MiB\nhelp: that is no ruleset\n"


@pytest.mark.deep
def test_a_rule_that_no_file_can_hold_is_refused(lamps: Path) -> None:
    lamps.write_text(f"Rule 1\n\n{'A rule without an end. ' * 50_000}\n", "utf-8")
    said = imported(lamps, code=1)
    assert "error[file-too-large]" in said
    assert "nothing was written" in said
    assert not (lamps.parent / "game").exists()


def test_what_no_text_of_a_rule_can_have_is_written_otherwise_in_the_long_format_too(tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    history = "##### *History*\n\n*Initial mutable Rule 201, Mar 1, 2021*\n"
    file.write_text(f"# LAMPS RULESET (LONG FORMAT)\n---\n## 201/0\n\nLamps\n---\n\n<b>burn</b>\n\n{history}", "utf-8")
    said = imported(file)
    assert "rules.md:3:1: warning[import-markdown]: a heading above level 3, a fence `yaml rule` or HTML stands" in said
    assert (tmp_path / "game" / "rules" / "201.md").read_text("utf-8").endswith("\n### Lamps\n\n**burn**\n")


def test_a_directory_that_holds_a_game_is_left_alone(lamps: Path) -> None:
    imported(lamps)
    before = snapshot(lamps.parent / "game")
    assert "error: GAME holds nomic.yml already" in imported(lamps, code=2)
    assert snapshot(lamps.parent / "game") == before


class TestProvisions:
    @pytest.fixture
    def suber(self, tmp_path: Path) -> Path:
        """Suber's set in our words, with its numbers and without its provisions."""
        file = tmp_path / "suber's rules.txt"
        texts = [data.decode().split("---\n", 2)[2] for data in shipped("suber").initial.values()]
        numbers = [int(path.split("/")[-1].removesuffix(".md")) for path in shipped("suber").initial]
        pieces = [f"Rule {number}\n{text}" for number, text in zip(numbers, texts, strict=True)]
        file.write_text("\n".join(["Immutable Rules\n", *pieces[:16], "Mutable Rules\n", *pieces[16:]]), "utf-8")
        return file

    def test_they_are_offered(self, suber: Path) -> None:
        said = imported(suber).splitlines()
        assert said[-3:-1] == [
            "  nomicgen -C GAME check",
            "the rules are numbered as those of `suber` are; if they say the same, they can be enforced:",
        ]
        offer = run(suber.parent, "import text", str(suber), "--into", str(suber.parent / "b")).splitlines()[-1]
        assert offer == (
            f"  nomicgen import text {shlex.quote(str(suber))} --into {suber.parent / 'b-suber'} --provisions suber"
        )
        said = run(suber.parent, "", *shlex.split(offer)[1:]).splitlines()
        assert said[-2] == ("provisions of suber: Rules 103–105, 107–111, 114, 201–206, 208–209, 211–212 carry them")
        assert run(suber.parent / "b-suber", "check").endswith(
            "29 rules in force, 0 instruments replayed: 0 errors, 1 warning\n"
        )
        assert "law-unread" not in run(suber.parent / "b-suber", "check")

    def test_the_offer_repeats_what_was_typed(self, suber: Path) -> None:
        said = imported(suber, "--name", "A B", "--tiers", "immutable,mutable=200-").splitlines()
        assert said[-1].endswith(" --name 'A B' --tiers immutable,mutable=200- --provisions suber")

    def test_they_are_never_assumed(self, suber: Path) -> None:
        imported(suber)
        assert b"provisions" not in b"".join(snapshot(suber.parent / "game").values())

    def test_nothing_is_offered_for_other_numbers(self, lamps: Path) -> None:
        assert "they can be enforced" not in imported(lamps)

    def test_what_they_say_is_the_law(self, suber: Path) -> None:
        imported(suber, "--provisions", "suber", "--commit")
        game = suber.parent / "game"
        for player in ("wren", "quill"):
            run(game, f"player join {player} --on 2026-01-11")
        line = "propose --title tea --author wren --on 2026-01-12 --body -"
        said = run(game, line, feed="Why.\n\n## Repeal Rule 101/0\n", code=1)
        assert "error[tier-protected]: Rule 101/0 is immutable; Rule 103 forbids" in said


SEEDS = {
    "suber": "suber-initial-set-usenet.txt",
    "discordian": "discordian-nomic.txt",
    "pokey": "pokey-nomic-rules.txt",
    "paranomic": "paranomic-2-initial-rules.txt",
}


def published(root: Path) -> Path:
    """The site of a game, built as a person would build it; nothing may be wrong with it."""
    site = root.parent / "site"
    done = mkdocs_build(root, site, "--strict", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    return site


@pytest.mark.deep
def test_a_verse_and_a_list_are_published_as_they_stood(lamps: Path) -> None:
    imported(lamps, "--commit")
    site = published(lamps.parent / "game")
    song = (site / "rules/202/index.html").read_text("utf-8")
    assert re.search(r"<p>Light, light,<br ?/?>\s*late at night\.</p>", song)
    steps = (site / "rules/201/index.html").read_text("utf-8")
    assert re.search(r"<ol>\s*<li>what it changes</li>\s*<li>why</li>\s*</ol>", steps)


@pytest.mark.parametrize("ruleset", sampled(SEEDS, every=4))
def test_a_seed_is_published_and_played_on(ruleset: str, shared: Path, tmp_path: Path) -> None:
    seed, game = str(shared / "seeds" / SEEDS[ruleset]), str(tmp_path / "game")
    line = f"--provisions {ruleset} --on 2026-01-01 --commit"
    run(tmp_path, "import text", seed, "--into", game, *line.split())
    run(tmp_path / "game", "player join wren --on 2026-01-02 --commit")
    tea = "Tea helps.\n\n## Enact Rule: Tea\n\nThere is tea.\n"
    run(tmp_path / "game", "propose --title tea --author wren --on 2026-01-03 --commit --body -", feed=tea)
    said = run(tmp_path / "game", "register tea --on 2026-01-03 --commit")
    assert f"proposals/{314 if ruleset == 'pokey' else 301}.md" in said
    site = published(tmp_path / "game")
    assert (site / "rules/101/index.html").is_file()
    for kind in ("long", "short"):
        assert "Rule 101" in run(tmp_path / "game", f"export {kind} --as txt")


@pytest.mark.deep
def test_a_seed_without_provisions_is_published(shared: Path, tmp_path: Path) -> None:
    seed = str(shared / "seeds" / SEEDS["pokey"])
    run(tmp_path, "import text", seed, "--into", str(tmp_path / "game"), "--on", "2026-01-01", "--commit")
    site = published(tmp_path / "game")
    verse = (site / "rules/313/index.html").read_text("utf-8")
    assert len(re.findall(r"<br ?/?>", verse)) >= 12
    assert verse.count("<li>") >= 19


def test_like_oddities_are_one_line_and_the_report_has_them_all(lamps: Path) -> None:
    """Of 68 headings of another level one is told, with how many there are and where the next ones stand."""
    rules = (
        f"## {number}/0\n\nAll play.\n\n#### *History*\n\n*Initial mutable Rule {number}, May 1, 2020*\n"
        for number in range(101, 169)
    )
    file = lamps.parent / "club.md"
    file.write_text("# CLUB RULESET (LONG FORMAT)\n---\n" + "\n".join(rules), "utf-8")
    report = lamps.parent / "report.json"
    said = run(lamps.parent, f"import long {file} --into {lamps.parent / 'new'} --report {report} --dry-run")
    told = [line for line in said.splitlines() if "warning[import-heading]" in line]
    assert len(told) == 1
    assert told[0].endswith("(68 times: also line 15; line 23 and 65 more)")
    (kind,) = [one for one in json.loads(report.read_text("utf-8"))["oddities"] if one["slug"] == "import-heading"]
    assert (kind["count"], len(kind["places"])) == (68, 68)
