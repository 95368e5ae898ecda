"""`nomicgen import text`, typed: what it prints, what it writes, how it ends; and its game is
published.
"""

from __future__ import annotations

import re
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


def imported(file: Path, *more: str, code: int = 0, by: str = "numbered") -> str:
    """What an import into the directory `game` beside the text prints, with that directory as
    `GAME`.
    """
    into = file.parent / "game"
    line = ["--into", str(into), "--on", "2026-01-10", *(["--map", by] if by else []), *more]
    said = run(file.parent, "import text", str(file), *line, code=code)
    return said.replace(str(into), "GAME").replace(str(file), "FILE")


@pytest.mark.deep
def test_what_is_said_and_written(lamps: Path) -> None:
    assert imported(lamps, "--commit") == (
        "GAME holds Nomic: 3 rules\n"
        "import.json says: 1 of 1 states identical, every word placed, 2.8 % on a page\n"
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
        "  help: an archive may stay so; `nomicgen explain law-unread` says how to play on\n"
        "\n2 rules in force, 0 instruments replayed: 0 errors, 1 warning\n"
    )


def head(root: Path) -> str:
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_commit(lamps: Path, git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo("game")
    imported(lamps, "--commit", "--name", "Lamps")
    assert repo.git("log", "--format=%s %as") == "Import Lamps from lamps.txt 2026-01-10"
    assert repo.git("status", "--porcelain") == ""


def test_a_dry_run_writes_nothing(lamps: Path) -> None:
    assert imported(lamps, "--dry-run").splitlines()[-1] == (
        "GAME would hold Nomic, in 16 files; nothing was written (--dry-run)"
    )
    assert not (lamps.parent / "game").exists()


def test_tiers_and_a_name_are_typed(lamps: Path) -> None:
    lamps.write_text("1. Whoever plays obeys.\n\n30. Lamps are lit.\n", "utf-8")
    imported(
        lamps,
        "--tiers",
        "old=1-9,new=10-",
        "--name",
        "The Lamp Game",
        by=own(lamps, r"(?P<number>\d+)\. "),
    )
    settings = (lamps.parent / "game/nomic.yml").read_text("utf-8")
    assert settings == "format: 1\nname: The Lamp Game\nstarted: 2026-01-10\ntiers: [old, new]\n"
    assert "mutability: new\n" in (lamps.parent / "game/rules/30.md").read_text("utf-8")


def own(file: Path, heading: str) -> str:
    """The file of a map beside a text, in which a heading begins each rule."""
    place = file.with_name("own.yml")
    place.write_text(f"rule: {{heading: '{heading}'}}\n", "utf-8")
    return str(place)


def test_a_day_that_is_typed_begins_the_history(lamps: Path) -> None:
    imported(lamps)
    game = lamps.parent / "game"
    assert "  Initial mutable Rule 201, Jan 10, 2026\n" in run(game, "rule history 201")
    run(game, "record 201 --on 2026-01-12 --lost")
    assert "date on 2026-01-09, before the game started on 2026-01-10" in run(
        game, "record 201 --on 2026-01-09 --lost", code=1
    )


@pytest.mark.parametrize(
    "typed", ["", "--adoption majority --adoption-rule 201 --player wren --on 2026-01-10"]
)
def test_a_day_of_nothing_or_of_the_opening_does_not(lamps: Path, typed: str) -> None:
    run(lamps.parent, f"import text {lamps} --map numbered --into {lamps.parent}/game {typed}")
    assert "started" not in (lamps.parent / "game/nomic.yml").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ("--tiers", "Immutable"),
            "'Immutable' should name tiers, most entrenched first, such as immutable,mutable",
        ),
        (("--tiers", "a=9-1"), "'a=9-1' should say numbers that ascend, and '9-1' does not"),
        (
            ("--provisions", "calvinball"),
            "'calvinball' is not one of 'suber', 'discordian', 'pokey'",
        ),
        (("--name", "a\nb"), "should be one line of text"),
    ],
)
def test_what_cannot_be_typed(lamps: Path, options: tuple[str, str], said: str) -> None:
    assert said in " ".join(imported(lamps, *options, code=2).split())
    assert not (lamps.parent / "game").exists()


def test_a_text_without_rules_is_refused(lamps: Path) -> None:
    lamps.write_bytes(b"Only words.\n")
    assert imported(lamps, code=1) == (
        "lamps.txt:1:1: warning[import-unread]: no line in this file begins a rule\n"
        "  help: it is left out\n"
        "error: lamps.txt holds no ruleset\nhelp: see the findings\n"
    )


@pytest.mark.parametrize("data", [b"", b"\0\0\0", bytes(range(256)) * 9])
def test_bytes_that_are_no_ruleset(lamps: Path, data: bytes) -> None:
    lamps.write_bytes(data)
    assert imported(lamps, code=1).endswith(
        "error: lamps.txt holds no ruleset\nhelp: see the findings\n"
    )


def test_a_hostile_text_is_tamed(lamps: Path) -> None:
    words = (
        "A\x1b B\u202e <script>x</script> [c](javascript:d)\r\n# e\r\n\r\n```yaml rule\r\n"
        "void: true\r\n"
    )
    lamps.write_bytes(f"Rule 201\r\n\r\n{words}".encode())
    said = imported(lamps, by="named")
    assert "warning[import-unread]: lines end in CR LF or CR" in said
    assert "characters are invisible from here on" in said
    text = (lamps.parent / "game/rules/201.md").read_text("utf-8").partition("---\n\n")[2]
    assert text == (
        "A B \\<script>x\\</script> [c\\](javascript:d)  \n\\# e\n\n\\`\\`\\`yaml rule  \n"
        "void: true\n"
    )


def test_only_a_file_of_some_size_is_read(lamps: Path) -> None:
    into = str(lamps.parent / "game")
    assert run(lamps.parent, "import text /dev/zero --into", into, code=2).startswith(
        "error: /dev/zero cannot be read"
    )
    with lamps.open("wb") as file:
        file.truncate((4 << 20) + 1)
    assert imported(lamps, code=2) == "error: FILE is larger than 4 MiB\nhelp: that is no ruleset\n"


def test_a_map_that_is_too_large_is_not_called_a_ruleset(lamps: Path) -> None:
    with (lamps.parent / "big.yml").open("wb") as file:
        file.truncate((1 << 20) + 1)
    said = imported(lamps, code=2, by=str(lamps.parent / "big.yml"))
    assert said.replace(str(lamps.parent), "FOLDER") == (
        "error: FOLDER/big.yml is larger than 1 MiB\nhelp: that is no map\n"
    )


@pytest.mark.nightly
def test_a_rule_that_no_file_can_hold_is_refused(lamps: Path) -> None:
    lamps.write_text(f"Rule 1\n\n{'A rule without an end. ' * 50_000}\n", "utf-8")
    said = imported(lamps, code=1, by="named")
    assert "error[file-too-large]" in said
    assert "nothing was written" in said
    assert not (lamps.parent / "game").exists()


class TestMaps:
    """A map is typed, or one that ships is taken where it reads all of a text that is called
    rules.
    """

    RULES = "# Club\n\n" + "".join(
        f"## {at}: Lamp\n\nLamp {at} is lit by whoever is there.\n\n" for at in (1, 2, 5)
    )

    @pytest.fixture
    def club(self, tmp_path: Path) -> Path:
        file = tmp_path / "rules.md"
        file.write_text(self.RULES, "utf-8")
        return file

    def test_one_that_ships_is_taken(self, club: Path) -> None:
        assert "GAME holds Nomic: 3 rules\n" in imported(club, "--tiers", "mutable=1-", by="")
        assert "Lamp 5 is lit" in (club.parent / "game/rules/5.md").read_text("utf-8")

    def test_none_is_taken_where_no_name_speaks_of_rules(self, club: Path) -> None:
        file = club.rename(club.with_name("todo.md"))
        assert imported(file, by="", code=3) == (
            "nothing was imported: without --map, a map that ships is taken only if it reads "
            "everything, no other finds many more rules, and it is clear that these are rules\n"
            "map headings: 3 rules (1–2, 5), 100.0 % of the words\n"
            "a map made for it: 3 rules (1–2, 5), 90.3 % of the words; in no rule: todo.md:1 `# "
            "Club`\n"
            "  nomicgen import text FILE --map headings --into GAME\n"
            "no file's name says that these are rules: if they are, run the command\n"
        )
        assert not (file.parent / "game").exists()

    def test_none_is_taken_that_leaves_much_out(self, club: Path) -> None:
        club.write_text(self.RULES + "# Minutes\n\nThis is no rule.\n", "utf-8")
        assert imported(club, by="", code=3).splitlines()[1:] == [
            "map headings: 3 rules (1–2, 5), 88.8 % of the words; in no rule: rules.md:15 `This "
            "is no rule.`",
            "a map made for it: 3 rules (1–2, 5), 91.6 % of the words; in no rule: rules.md:1 `# "
            "Club`",
            "  nomicgen import text FILE --map headings --into GAME",
            "if nothing is missing from the rules, run the command; else edit the map:"
            " `nomicgen import survey FILE --write my-map.yml`",
        ]

    def test_one_that_a_survey_saves_is_used(self, club: Path) -> None:
        club.write_text(self.RULES.replace("## ", "### § ").replace(":", ""), "utf-8")
        saved = str(club.with_name("own.yml"))
        said = (
            run(club.parent, "import survey", str(club), "--write", saved)
            .replace(str(club), "FILE")
            .splitlines()
        )
        assert said == [
            "a map made for it: 3 rules (1–2, 5), 100.0 % of the words",
            "a map made for it: 3 rules (1–2, 5), 90.3 % of the words; in no rule: rules.md:1 `# "
            "Club`",
            "  nomicgen import text FILE --map my-map.yml --into GAME",
            "no map that ships reads this best: look at the one that was made, and use it if it is "
            "right: `nomicgen import survey FILE --write my-map.yml`",
            f"{saved} holds the map; edit it, then import with --map {saved}",
        ]
        assert "GAME holds Nomic: 3 rules\n" in imported(club, by=saved)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (
                "rule:\n  heading: '(a'\n",
                "own.yml:2: rule.heading: `(a` is no pattern that RE2 takes: missing ): (a",
            ),
            (
                "rule: {heading: x}\n",
                "own.yml:1: the map: no group (?P<number>…) says which number a rule has",
            ),
            (
                None,
                "and the maps that ship are agora, articles-letters, articles-roman, articles, "
                "asciidoc",
            ),
        ],
    )
    def test_one_that_is_wrong_is_told(self, club: Path, text: str | None, said: str) -> None:
        file = club.with_name("own.yml")
        if text is not None:
            file.write_text(text, "utf-8")
        assert said in " ".join(imported(club, by=str(file), code=2).split())

    def test_what_is_to_be_left_out_and_is_not_there_is_told(self, club: Path) -> None:
        file = club.with_name("own.yml")
        omit = "{lines: '# C', why: the title}, {lines: '# Club', why: the club}"
        heading = r"'## (?P<number>\d+): (?P<title>.*)'"
        file.write_text(f"rule: {{heading: {heading}}}\nomit: [{omit}]\n", "utf-8")
        said = imported(club, by=str(file))
        assert "  no line is left out as `the title`: a pattern must match the whole line\n" in said
        assert said.count("no line is left out") == 1

    def test_why_too_much_is_left_out_is_told(self, club: Path) -> None:
        file = club.with_name("own.yml")
        heading = r"'## (?P<number>\d+): (?P<title>.*)'"
        omit = "{lines: 'Lamp 2 .*', why: unlit}, {lines: '# Club', why: the club}"
        file.write_text(f"rule: {{heading: {heading}}}\nomit: [{omit}]\n", "utf-8")
        assert imported(club, by=str(file), code=2).splitlines()[-2:] == [
            "error: 29 % of the words of rules.md are left out, such as `Lamp 2 is lit by whoever "
            "is there.` as `unlit`, `# Club` as `the club`",
            "help: let the map leave less out; or accept it as it is: --accept 70",
        ]

    def test_a_survey_tells_the_long_format(self, club: Path) -> None:
        history = "##### *History*\n\n*Initial mutable Rule {0}, Jan 1, 2026*\n\n"
        rules = [f"## {at}/0\n\nLamps.\n\n{history.format(at)}" for at in (201, 202, 203)]
        club.write_text(f"# CLUB RULESET (LONG FORMAT)\n---\n{''.join(rules)}", "utf-8")
        said = run(club.parent, "import survey", str(club)).replace(str(club), "FILE")
        assert said.splitlines()[-2:] == [
            "  nomicgen import long FILE --into GAME",
            "it is in the long format: a map would take the rules' histories for text",
        ]

    def test_a_text_that_no_map_reads(self, club: Path) -> None:
        club.write_text("Just words.\n", "utf-8")
        help = "write a map that says how a rule begins, and import with --map FILE"
        assert imported(club, by="", code=3).splitlines()[1:] == [help]
        assert (
            run(club.parent, "import survey", str(club), code=2)
            == f"error: no map reads this\nhelp: {help}\n"
        )

    def test_a_file_without_a_text(self, club: Path) -> None:
        club.write_bytes(b"x\0y")
        help = "FILE holds no text: name a file that has the rules"
        assert imported(club, by="", code=3).splitlines()[1:] == [help]


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
        numbers = [
            int(path.split("/")[-1].removesuffix(".md")) for path in shipped("suber").initial
        ]
        pieces = [f"Rule {number}\n{text}" for number, text in zip(numbers, texts, strict=True)]
        file.write_text(
            "\n".join(["Immutable Rules\n", *pieces[:16], "Mutable Rules\n", *pieces[16:]]), "utf-8"
        )
        return file

    def test_they_are_offered(self, suber: Path) -> None:
        """With all that is enforced then, and what is not; the game can take the offer up as it
        is.
        """
        said = imported(suber, by="named").splitlines()
        assert [said[-24], said[-23], said[-2], said[-1]] == [
            "  nomicgen -C GAME check",
            "29 of 29 rules have the words of `suber`; this can be enforced:",
            "  what the 9 other rules say is not enforced: that is for the players to do",
            "  nomicgen -C GAME open --provisions suber",
        ]
        assert [line.partition(": ")[2] for line in said if line.startswith("  Rule 203")] == [
            "Rule-changes need the votes of all eligible voters."
        ]
        opened = run(suber.parent / "game", "open --provisions suber").splitlines()
        assert opened[1:22] == said[-22:-1]
        assert run(suber.parent / "game", "check").endswith(
            "29 rules in force, 1 instrument replayed: 0 errors, 1 warning\n"
        )
        assert "law-unread" not in run(suber.parent / "game", "check")

    def test_they_are_never_assumed(self, suber: Path) -> None:
        imported(suber, by="named")
        assert b"provisions" not in b"".join(snapshot(suber.parent / "game").values())

    def test_nothing_is_offered_for_other_numbers(self, lamps: Path) -> None:
        assert "they can be enforced" not in imported(lamps)

    def test_what_they_say_is_the_law(self, suber: Path) -> None:
        imported(suber, "--provisions", "suber", "--commit", by="named")
        game = suber.parent / "game"
        for player in ("wren", "quill"):
            run(game, f"player join {player} --on 2026-01-11")
        line = "propose --title tea --author wren --on 2026-01-12 --body -"
        said = run(game, line, feed="Why.\n\n## Repeal Rule 101/0\n", code=1)
        assert "error[tier-protected]: Rule 101/0 is immutable; Rule 103 forbids" in said


SEEDS = {
    "suber": "suber-initial-set-usenet.txt --map run-on",
    "discordian": "discordian-nomic.txt --map named",
    "pokey": "pokey-nomic-rules.txt --map numbered",
    "paranomic": "paranomic-2-initial-rules.txt --map paranomic",
}


def published(root: Path) -> Path:
    """The site of a game, built as a person would build it; nothing may be wrong with it."""
    site = root.parent / "site"
    done = mkdocs_build(root, site, "--strict", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    return site


@pytest.mark.nightly
def test_a_verse_and_a_list_are_published_as_they_stood(lamps: Path) -> None:
    imported(lamps, "--commit")
    site = published(lamps.parent / "game")
    song = (site / "rules/202/index.html").read_text("utf-8")
    assert re.search(r"<p>Light, light,<br ?/?>\s*late at night\.</p>", song)
    steps = (site / "rules/201/index.html").read_text("utf-8")
    assert re.search(r"1\. what it changes<br ?/?>\s*2\. why", steps)


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", sampled(SEEDS, every=4))
def test_a_seed_is_published_and_played_on(ruleset: str, shared: Path, tmp_path: Path) -> None:
    line = f"{shared / 'seeds' / SEEDS[ruleset]} --into {tmp_path / 'game'} --provisions {ruleset}"
    run(tmp_path, f"import text {line} --on 2026-01-01 --commit")
    run(tmp_path / "game", "player join wren --on 2026-01-02 --commit")
    tea = "Tea helps.\n\n## Enact Rule: Tea\n\nThere is tea.\n"
    run(
        tmp_path / "game",
        "propose --title tea --author wren --on 2026-01-03 --commit --body -",
        feed=tea,
    )
    said = run(tmp_path / "game", "register tea --on 2026-01-03 --commit")
    assert f"proposals/{314 if ruleset == 'pokey' else 301}.md" in said
    site = published(tmp_path / "game")
    assert (site / "rules/101/index.html").is_file()
    for kind in ("long", "short"):
        assert "Rule 101" in run(tmp_path / "game", f"export {kind} --as txt")


@pytest.mark.nightly
def test_a_seed_without_provisions_is_published(shared: Path, tmp_path: Path) -> None:
    line = f"{shared / 'seeds' / SEEDS['pokey']} --into {tmp_path / 'game'}"
    run(tmp_path, f"import text {line} --on 2026-01-01 --commit")
    site = published(tmp_path / "game")
    verse = (site / "rules/313/index.html").read_text("utf-8")
    assert len(re.findall(r"<br ?/?>", verse)) == 30


def test_like_oddities_are_one_line_and_the_report_has_them_all(lamps: Path) -> None:
    """Of 68 lines that are no history one is told, with how many there are and where the next ones
    stand.
    """
    rules = (
        f"## {number}/0\n\nAll play.\n\n##### *History*\n\n*Initial mutable Rule {number}*  \n"
        f"*Lamp {number}*\n"
        for number in range(101, 169)
    )
    file = lamps.parent / "club.md"
    file.write_text("# CLUB RULESET (LONG FORMAT)\n---\n" + "\n".join(rules), "utf-8")
    report = lamps.parent / "report.md"
    more = f"--into {lamps.parent / 'new'} --report {report} --dry-run --accept 80"
    said = run(lamps.parent, f"import long {file} {more}")
    told = [line for line in said.splitlines() if "warning[import-unread]" in line]
    assert len(told) == 1
    assert told[0].endswith("(68 times: also line 19; line 28 and 65 more)")
    assert report.read_text("utf-8").count(": import-unread: ") == 68
