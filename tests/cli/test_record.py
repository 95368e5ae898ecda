"""`nomicgen record`, typed: what happened elsewhere is entered, before the game is played here and
not after.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.cli.archives import entered, faults, lamps
from tests.cli.playing import run, snapshot
from tests.support import GitRepo

TABLE = """\
# What the list decided.
- rule: 3
  on: 2020-05-20
  by: "Proposal 303: Lamps"
  author: Wren
  source: https://example.org/list/7
  text: |
    There is one lamp.
- rule: 4
  on: 2020-05-20
  by: Proposal 303
  title: Oil
- enact: Tea
  rule: 601
  on: 2020-07-01
  by: Temporary Rule 601
  transmute: immutable
  file: texts/tea.md
- rule: 4
  on: 2020-08-01
  repeal: true
- rule: 3
  on: 2020-09-01
  renumber: 305
"""


@pytest.fixture
def archive(git_repo: Callable[..., GitRepo]) -> GitRepo:
    return lamps(git_repo())


def table(archive: GitRepo, text: str, name: str = "changes.yml") -> str:
    """A table beside the game."""
    file = archive.path.parent / name
    file.write_text(text, "utf-8")
    return str(file)


def test_a_change_without_a_cause_names_its_commit(archive: GitRepo) -> None:
    run(archive.path, "record 3 --on 2020-06-01 --title Lanterns --commit")
    assert archive.git("log", "-1", "--format=%s").strip() == "Record: Retitle Rule 3: Lanterns"


def test_one_change_is_one_commit(archive: GitRepo) -> None:
    more = ("--by", "Proposal 305", "--author", "Wren", "--source", "https://example.org/7")
    said = run(
        archive.path,
        "record 3 --on 2020-06-01 --text - --commit",
        *more,
        feed="There are many lamps.\n",
    )
    head = archive.git("rev-parse", "HEAD").strip()
    assert said == f"proposals/305.md: Rule 3/0 becomes Rule 3/1\ncommit {head[:12]}\n"
    assert (archive.path / "proposals/305.md").read_text("utf-8") == (
        "---\nnumber: 305\nauthor: wren\nstatus: adopted\ndecided: 2020-06-01\nvotes: unrecorded\n"
        "note: https://example.org/7\n---\n\n## Amend Rule 3\n\nThere are many lamps.\n"
    )
    assert (archive.path / "players/wren.yml").read_text("utf-8") == "name: Wren\nkind: past\n"
    assert archive.git("log", "-1", "--format=%s %as") == "Record: Proposal 305 2020-06-01"
    assert run(archive.path, "rule history 3").splitlines()[-1] == (
        f"  {head[:10]}  Amended (1) by Proposal 305 (Wren), Jun 1, 2020"
    )
    assert run(archive.path, "show 3").rstrip().endswith("There are many lamps.")
    assert faults(archive) == []


def test_what_is_not_known_stays_unknown(archive: GitRepo) -> None:
    entered(archive, "3 --on 2020-06-01 --lost")
    assert (archive.path / "acts/2020-06-01-record.md").read_text("utf-8") == (
        "---\ncause: an unknown cause\ndate: 2020-06-01\n---\n\n## Amend Rule 3\n\n```yaml rule\n"
        "text: lost\n```\n"
    )
    assert run(archive.path, "rule history 3").endswith(
        "  Amended (1) by an unknown cause, Jun 1, 2020\n"
    )
    assert not (archive.path / "players").exists()


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("4 --repeal", "Rule 4/0 is repealed"),
        ("4 --renumber 12", "Rule 4/0 becomes Rule 12/0"),
        ("4 --transmute immutable", "Rule 4/0 becomes immutable"),
        ("4 --title Oil", "Retitle Rule 4: Oil"),
        ("--enact Tea --lost", "Rule 5/0 is enacted, mutable"),
        ("77 --enact Tea --lost --transmute immutable", "Rule 77/0 is enacted, immutable"),
        ("4 --lost --title Oil --transmute immutable --renumber 9", "Rule 4/1 becomes immutable"),
    ],
)
def test_what_may_become_of_a_rule(archive: GitRepo, line: str, rules: str) -> None:
    assert rules in run(archive.path, f"record {line} --on 2020-06-01")
    run(archive.path, "check --on 2026-01-20")


def test_a_judgement_changes_a_rule(archive: GitRepo) -> None:
    run(
        archive.path,
        "record 4 --lost --on 2020-06-01 --commit",
        "--by",
        "Judgement 2",
        "--author",
        "Wren",
    )
    assert (
        (archive.path / "judgements/2.md")
        .read_text("utf-8")
        .startswith(
            "---\nnumber: 2\njudge: wren\ndate: 2020-06-01\nstatus: upheld\n---\n\n## Ruling\n\n"
            "## Amend Rule 4\n"
        )
    )
    assert "  judgements: [1]\n" in (archive.path / "nomic.yml").read_text("utf-8")
    run(archive.path, "check")
    assert faults(archive) == []


def test_a_table_is_a_commit_for_each_deed(archive: GitRepo) -> None:
    (archive.path.parent / "texts").mkdir()
    (archive.path.parent / "texts/tea.md").write_text("\ufeffTea is free.\r\n", "utf-8")
    entered(archive, "4 --on 2020-05-01 --lost", "3 --on 2020-06-01 --lost --by P305")
    before = archive.git("rev-list", "--count", "HEAD")
    said = run(archive.path, "record --commit --from", table(archive, TABLE))
    assert said.splitlines()[:4] == [
        "proposals/303.md: Rule 3/0 becomes Rule 3/1; Retitle Rule 4: Oil",
        "acts/2020-07-01-temporary-rule-601.md: Rule 601/0 is enacted, immutable",
        "acts/2020-08-01-record.md: Rule 4/1 is repealed",
        "acts/2020-09-01-record.md: Rule 3/2 becomes Rule 305/2",
    ]
    assert int(archive.git("rev-list", "--count", "HEAD")) == int(before) + 4
    assert archive.git("status", "--porcelain") == ""
    assert (
        (archive.path / "rules/601.md")
        .read_text("utf-8")
        .endswith("title: Tea\n---\n\nTea is free.\n")
    )
    told = [line.split("  ")[2] for line in run(archive.path, "rule history 305").splitlines()[1:]]
    assert told == [
        "Initial mutable Rule 3",
        "Amended (1) by Proposal 303 (Wren), May 20, 2020",
        "Amended (2) by P305, Jun 1, 2020",
        "Renumbered from 3 by an unknown cause, Sep 1, 2020",
    ]
    run(archive.path, "check")
    assert faults(archive) == []


def test_the_numbers_between_are_lost(archive: GitRepo) -> None:
    def lost() -> str:
        return (archive.path / "nomic.yml").read_text("utf-8").partition("lost:\n")[2]

    for number, wanted in (
        ("305", ""),
        ("312", "  proposals: [306-311]\n"),
        ("308", "  proposals: [306-307, 309-311]\n"),
        ("306", "  proposals: [307, 309-311]\n"),
        ("303", "  proposals: [304, 307, 309-311]\n"),
    ):
        run(archive.path, "record 3 --on 2020-06-01 --lost --commit", "--by", f"Proposal {number}")
        assert lost() == wanted
    assert "the next proposal is 313" in run(archive.path, "status")
    run(archive.path, "check")
    assert faults(archive) == []


def test_a_spreadsheet_is_a_table_too(archive: GitRepo) -> None:
    text = (
        '\ufeffRule;on;by;text;repeal\n3;2020-05-01;Proposal 301;"One lamp;\n\nand oil.";\n'
        "4;2020-05-02;;;yes\n"
    )
    text = text.replace("\n", "\r\n")
    said = run(archive.path, "record --from", table(archive, text, "changes.csv"))
    assert (
        said == "proposals/301.md: Rule 3/0 becomes Rule 3/1\n"
        "acts/2020-05-02-record.md: Rule 4/0 is repealed\n"
    )
    assert (archive.path / "rules/3.md").read_text("utf-8").endswith("\n\nOne lamp;\n\nand oil.\n")


WRONG = """\
- rule: 99
  on: 2020-05-01
  text: y
- rule: 4
  on: 2020-05-02
  transmute: golden
"""
LATE = """\
- rule: 3
  on: 2999-05-01
  text: lost
- rule: 3
  on: 2020-05-01
  by: Proposal 305
  file: ../x.md
- rule: 3
  on: 2020-05-02
  by: Proposal 305
  file: nowhere.md
- rule: 3
  on: 2020-05-02
  by: correction
  text: lost
"""
HIGH = """\
- rule: 3
  on: 2020-05-01
  by: Proposal 301
  text: lost
- rule: 3
  on: 2020-05-02
  by: Proposal 999999999
  text: lost
"""


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (
            "bad.yml",
            "- rule: 3\n  on: 2020-13-01\n  text: x\n- ruel: 3\n  on: 2020-05-01\n"
            "  repeal: true\n- enact: true\n"
            "  on: 2020-05-01\n- rule: 4\n  on: 2020-05-01\n  text: a\n  file: b\n- rule: 4\n"
            "  on: 2020-05-01\n",
            [
                "bad.yml:2:7: error[value-wrong]: `changes[0].on` cannot be `2020-13-01`",
                "bad.yml:4:3: error[key-unknown]: there is no key `changes[1].ruel` here",
                "bad.yml:7:3: error[key-missing]: the key `text` is missing in `changes[2]`",
                "bad.yml:12:9: error[value-wrong]: `changes[3].file` cannot be `b`",
                "bad.yml:13:3: error[key-missing]: the key `text` is missing in `changes[4]`",
            ],
        ),
        (
            "bad.yml",
            "- rule: [\n",
            ["bad.yml:1:10: error[yaml-syntax]: this is not YAML: no value can begin like this"],
        ),
        (
            "bad.yml",
            "# nothing\n",
            ["bad.yml:1:1: error[key-missing]: the key `changes` is missing"],
        ),
        ("bad.yml", "changes: []\n", ["bad.yml:1:1: error[file-empty]: the table has no row"]),
        (
            "bad.csv",
            "rule,on,txt\n3,2020-05-01,foo\n",
            ["bad.csv:1:1: error[key-unknown]: no column can be called `txt`"],
        ),
        (
            "bad.csv",
            "rule,on,text\n3,2020-05-01,a,b\n\n4,2020-05-01,a,b\n",
            [
                "bad.csv:2:1: error[value-wrong]: the row has 4 cells, and the first line names 3",
                "bad.csv:4:1: error[value-wrong]: the row has 4 cells, and the first line names 3",
            ],
        ),
        (
            "bad.csv",
            "rule,on,text\n3,yesterday,a\n,2020-05-01,b\n",
            [
                "bad.csv:2:1: error[value-wrong]: `changes[0].on` cannot be `yesterday`",
                "bad.csv:3:1: error[key-missing]: the key `rule` is missing in `changes[1]`",
            ],
        ),
        ("bad.csv", "", ["bad.csv:1:1: error[file-empty]: the table is empty"]),
        (
            "bad.csv",
            'rule,on\n"3"x,2\n',
            ["bad.csv:2:1: error[yaml-syntax]: this is not CSV: ',' expected after '\"'"],
        ),
        (
            "late.yml",
            LATE,
            [
                "late.yml:1:3: error[date-future]: 2999-05-01 is after TODAY: it has not "
                "happened yet",
                "late.yml:4:3: error[value-wrong]: `file`: ../x.md does not lie beside the table",
                "late.yml:8:3: error[value-wrong]: `file`: nowhere.md cannot be read: No such "
                "file or directory",
                "late.yml:8:3: error[value-wrong]: `on` of Proposal 305 is 2020-05-02 here, and "
                "2020-05-01 in line 4",
                "late.yml:12:3: error[value-wrong]: `by` cannot be `correction` alone,"
                " which is a kind of act of its own",
            ],
        ),
        (
            "wrong.yml",
            WRONG,
            [
                "wrong.yml:1:3: error[rule-unknown]: there is no Rule 99",
                "wrong.yml:4:3: error[instruction-impossible]: golden is no tier of this game"
                " (nomic.yml has immutable, mutable)",
            ],
        ),
        (
            "high.yml",
            HIGH,
            [
                "high.yml:5:3: error[number-missing]: proposals 302 to 999999998 are missing before"
                " proposal 999999999",
                "nomic.yml:5:14: error[value-wrong]: `lost.proposals` cannot be a list",
            ],
        ),
    ],
)
def test_all_that_is_wrong_with_a_table_is_told_at_once(
    archive: GitRepo, name: str, text: str, wanted: list[str]
) -> None:
    before = snapshot(archive.path)
    said = run(archive.path, "record --from", table(archive, text, name), code=1)
    plain = re.sub(r"after [0-9-]+:", "after TODAY:", said.replace(f"{archive.path.parent}/", ""))
    found = [line for line in plain.splitlines() if "error[" in line]
    assert found == wanted
    assert said.count("\n  help: ") == len(wanted)
    assert "error: nothing was recorded" in said
    assert snapshot(archive.path) == before


def test_a_table_that_is_no_text(archive: GitRepo) -> None:
    file = archive.path.parent / "bad.csv"
    file.write_bytes(b"\xff\xfe")
    said = run(archive.path, "record --from", str(file), code=1)
    assert said.startswith(
        "bad.csv:1:1: error[encoding]: the table is not UTF-8\n  help: save it as UTF-8"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--lost", "give the number that the rule had on that day: nomicgen record 203 --on …"),
        (
            "3",
            "say what became of the rule: --text FILE, --lost, --repeal, --title, --renumber or "
            "--transmute.",
        ),
        ("3 --repeal --lost", "A repealed rule has no other change: leave out the other options."),
        (
            "3 --enact Tea",
            "--enact TITLE needs --text FILE or --lost; of the others it takes only --transmute.",
        ),
        (
            "3 --lost --text -",
            "--lost says that the text did not survive: leave out --lost or --text.",
        ),
        ("3 --renumber 0", "error: `renumber` cannot be `0`\nhelp: it should be 1 or more"),
        (
            "3 --lost --transmute GOLD",
            "error: `transmute` cannot be `GOLD`\nhelp: it should be an id",
        ),
        (
            "--lost --from changes.yml",
            "With --from, the table says everything about each change: leave out the other "
            "options.",
        ),
    ],
)
def test_what_is_typed_wrongly(
    archive: GitRepo, line: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive.path.parent)
    table(archive, TABLE)
    assert said in run(archive.path, f"record {line}", code=2, feed="Words.\n")


def test_what_is_there_already_stays(archive: GitRepo) -> None:
    run(archive.path, "record 3 --on 2020-06-01 --lost --commit", "--by", "Proposal 305")
    said = run(archive.path, "record 3 --on 2020-06-01 --lost", "--by", "Proposal 305")
    assert said == "1 change was entered before: nothing is new\n"
    said = run(archive.path, "record 3 --on 2020-06-02 --lost", "--by", "Proposal 305", code=1)
    assert (
        "error[number-doubled]: proposals/305.md is there already, and says something else\n"
        in said
    )


HEADED = """\
Lamps
=====

There are many lamps.
## Repeal Rule 4
# Oil

```yaml rule
void: true
```
"""


@pytest.mark.parametrize("how", ["typed", "table"])
def test_a_text_is_a_text_whatever_stands_in_it(archive: GitRepo, how: str) -> None:
    if how == "typed":
        said = run(
            archive.path, "record 3 --on 2020-06-01 --text - --by", "Proposal 305", feed=HEADED
        )
    else:
        (archive.path.parent / "3.md").write_text(HEADED, "utf-8")
        said = run(
            archive.path,
            "record --from",
            table(archive, "- {rule: 3, on: 2020-06-01, by: Proposal 305, file: 3.md}\n"),
        )
    assert said == "proposals/305.md: Rule 3/0 becomes Rule 3/1\n"
    assert (archive.path / "rules/4.md").exists()
    lowered = (
        "### Lamps\n\nThere are many lamps.\n\n**Repeal Rule 4**\n\n### Oil\n\n```yaml\n"
        "void: true\n```\n"
    )
    assert (archive.path / "rules/3.md").read_text("utf-8").endswith(f"---\n\n{lowered}")


def test_a_table_that_has_grown_adds_only_what_is_new(archive: GitRepo) -> None:
    (archive.path.parent / "texts").mkdir()
    (archive.path.parent / "texts/tea.md").write_text("Tea is free.\n")
    unknown = "- {rule: 305, on: 2020-10-01, text: lost}\n"
    run(archive.path, "record --commit --from", table(archive, TABLE + unknown))
    before = snapshot(archive.path)
    assert run(archive.path, "record --commit --from", table(archive, TABLE + unknown)) == (
        "6 changes were entered before: nothing is new\n"
    )
    assert snapshot(archive.path) == before
    said = run(archive.path, "record --commit --from", table(archive, TABLE + unknown + unknown))
    assert said.splitlines()[0] == "acts/2020-10-01-record-2.md: Rule 305/2 becomes Rule 305/3"
    assert said.splitlines()[1] == "6 changes were entered before, and left out"
    run(archive.path, "check")
    assert faults(archive) == []


def test_a_dry_run_shows_each_file_once_as_it_is_in_the_end(archive: GitRepo) -> None:
    rows = "".join(
        f"- rule: 3\n  on: 2020-06-0{day}\n  by: Proposal {300 + 2 * day}\n  text: {day} lamps.\n"
        for day in (1, 2, 3)
    )
    said = run(archive.path, "record --dry-run --from", table(archive, rows))
    files = [line.removeprefix("+++ ") for line in said.splitlines() if line.startswith("+++ ")]
    assert sorted(files) == [
        "nomic.yml",
        *(f"proposals/{number}.md" for number in (302, 304, 306)),
        "rules/3.md",
    ]
    shown = said.partition("+++ rules/3.md")[2].partition("\n--- ")[0]
    assert "+3 lamps." in shown
    assert not re.search(r"[12] lamps", shown)


def test_a_dry_run_writes_nothing(archive: GitRepo) -> None:
    before = snapshot(archive.path)
    said = run(archive.path, "record 3 --on 2020-06-01 --lost --dry-run")
    assert said.endswith("nothing was written (--dry-run)\n")
    assert snapshot(archive.path) == before
