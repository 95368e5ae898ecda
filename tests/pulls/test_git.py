"""Pull requests as git has them: odd paths, odd histories, sizes, places; what no folder of files
could hold.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.pulls.examine import Pull, examine
from nomicgen.repository.errors import RepositoryError
from tests.case_files import case_folder, case_names
from tests.deep import sampled
from tests.pulls.cases import (
    CASES,
    LINK,
    MODULE,
    ON,
    PROGRAM,
    Files,
    Item,
    Story,
    findings_text,
    git,
    judged,
    lay_out,
    quoted,
    read_case,
    small_game,
    verdict_line,
)

pytestmark = pytest.mark.deep

DRAFT = (case_folder(CASES, "good-proposal") / "head/proposals/quiet.md").read_bytes()
QUIET = {b"proposals/quiet.md": Item(DRAFT)}


def pulled(
    tmp_path: Path, head: Files, *, gone: tuple[bytes, ...] = (), prefix: bytes = b""
) -> Pull:
    """The pull request of maren's that adds files, and removes some."""
    base = small_game()
    after = {path: item for path, item in {**base, **head}.items() if path not in gone}
    story = Story(base=base, head=after, options={"--actor": "github:maren-k"})
    return judged(story, lay_out(story, tmp_path / "game", prefix=prefix))


def slugs(pull: Pull) -> list[tuple[str, str]]:
    return [(one.slug, one.span.file) for one in pull.verdict.findings]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        (b"proposals/a\nb.md", "proposals/a\\nb.md"),
        (b"proposals/\x1b[31mred.md", "proposals/\\x1b[31mred.md"),
        (b"proposals/\xff\xfe.md", "proposals/\\xff\\xfe.md"),
        ("proposals/quiet\u202e.md".encode(), "proposals/quiet\\u202e.md"),
        ("proposals/qui\u0435t.md".encode(), "proposals/qui\u0435t.md"),
        (b"proposals/a\tb.md", "proposals/a\\tb.md"),
        (b"proposals/a\\nb.md", "proposals/a\\nb.md"),
        (b"proposals/ quiet.md", "proposals/ quiet.md"),
        (b"proposals/quiet.md ", "proposals/quiet.md "),
        (b"proposals/" + b"q" * 250 + b".md", "proposals/" + "q" * 250 + ".md"),
        (b"proposals/" + b"deep/" * 300 + b"quiet.md", "proposals/" + "deep/" * 300 + "quiet.md"),
        (b"proposals/::error file=x::y.md", "proposals/::error file=x::y.md"),
    ],
)
def test_an_odd_path_of_the_game_is_refused_and_shown_on_one_line(
    path: bytes, shown: str, tmp_path: Path
) -> None:
    pull = pulled(tmp_path, {path: Item(DRAFT)})
    assert verdict_line(pull) == f"proposal {shown}: refused\n"
    assert ("file-name", shown) in slugs(pull)
    assert all(line.isprintable() for line in findings_text(pull).splitlines())


def test_two_paths_that_are_shown_alike_are_refused(tmp_path: Path) -> None:
    pull = pulled(tmp_path, {b"proposals/a\nb.md": Item(DRAFT), b"proposals/a\\nb.md": Item(DRAFT)})
    assert pull.verdict.refused


@pytest.mark.parametrize(
    "path", [b"evil\nnomic.yml", b"\xff", b"RULES", b"proposals ", b".gitmodules", b"Nomic.YML"]
)
def test_an_odd_path_beside_the_game_is_machinery(path: bytes, tmp_path: Path) -> None:
    pull = pulled(tmp_path, {**QUIET, path: Item(b"x\n")})
    assert pull.verdict.kind == "mixed"
    assert ("kinds-mixed", "proposals/quiet.md") in slugs(pull)


@pytest.mark.parametrize(
    ("item", "slug"),
    [
        (Item(b"../../../etc/passwd", LINK), "symlink"),
        (Item(b"\xff\n" * 20, LINK), "symlink"),
        (Item(b"x" * 5000, LINK), "symlink"),
        (Item(b"5e" * 20, MODULE), "submodule"),
        (Item(b"x" * (1 << 20) + b"\n"), "file-too-large"),
        (Item(b"\0" * 100), "control-character"),
        (Item(b"\xff\xfe"), "encoding"),
        (Item(b""), "file-empty"),
    ],
)
def test_what_is_no_text_is_refused(item: Item, slug: str, tmp_path: Path) -> None:
    pull = pulled(tmp_path, {b"proposals/quiet.md": item})
    assert pull.verdict.refused
    assert (slug, "proposals/quiet.md") in slugs(pull)


@pytest.mark.nightly
def test_five_thousand_files_are_one_mixture(tmp_path: Path) -> None:
    pull = pulled(tmp_path, {b"proposals/quiet-%d.md" % at: Item(DRAFT) for at in range(5000)})
    assert verdict_line(pull) == "mixed -: refused\n"
    (mixed,) = (one for one in pull.verdict.findings if one.slug == "kinds-mixed")
    assert mixed.message == (
        "a pull request brings one proposal, but this one has 5000: proposals/quiet-0.md, "
        "proposals/quiet-1.md, "
        "proposals/quiet-10.md and 4997 more"
    )


def test_a_draft_that_can_be_run_is_a_draft(tmp_path: Path) -> None:
    pull = pulled(tmp_path, {b"proposals/quiet.md": Item(DRAFT, PROGRAM)})
    assert verdict_line(pull) == "proposal proposals/quiet.md: accepted\n"


def test_a_program_beside_the_game_is_machinery_for_its_mode_alone(tmp_path: Path) -> None:
    pull = pulled(tmp_path, {b"README.md": Item(small_game()[b"README.md"].data, PROGRAM)})
    assert verdict_line(pull) == "machinery -: refused\n"


def test_a_game_in_a_folder_of_its_repository(tmp_path: Path) -> None:
    pull = pulled(tmp_path, QUIET, prefix=b"games/harbour/")
    assert verdict_line(pull) == "proposal proposals/quiet.md: accepted\n"
    assert pull.verdict.paths == ("proposals/quiet.md",)


def test_what_lies_beside_a_game_in_a_folder_is_machinery(tmp_path: Path) -> None:
    story = Story(base=small_game(), head={**small_game(), **QUIET})
    where = lay_out(story, tmp_path / "game", prefix=b"games/harbour/")
    git(tmp_path / "game", "checkout", "--quiet", "theirs")
    (tmp_path / "game/proposals").mkdir()
    (tmp_path / "game/proposals/quiet.md").write_bytes(DRAFT)
    git(tmp_path / "game", "add", "--all")
    git(tmp_path / "game", "commit", "--quiet", "--message", "More")
    pull = judged(story, where)
    assert pull.verdict.paths == ("../proposals/quiet.md", "proposals/quiet.md")
    assert verdict_line(pull) == "mixed -: refused\n"


def test_the_folder_of_a_game_can_be_no_link(tmp_path: Path) -> None:
    base = small_game()
    story = Story(base=base, head=base)
    where = lay_out(story, tmp_path / "game", prefix=b"games/harbour/")
    stream = (
        b"commit refs/heads/theirs\ncommitter A <a@b> 1770000009 +0000\ndata 1\nx\n"
        b"from refs/heads/main\n"
    )
    stream += b"D games/harbour\nM 120000 inline games/harbour\ndata 10\n../../evil\n"
    git(where, "fast-import", "--quiet", "--force", feed=stream)
    pull = judged(story, where)
    assert pull.verdict.refused
    assert "../games/harbour" in pull.verdict.paths


def test_an_empty_commit_is_nothing(tmp_path: Path) -> None:
    pull = pulled(tmp_path, {})
    assert (verdict_line(pull), findings_text(pull)) == ("nothing -: accepted\n", "()\n")


NO_HISTORY = """\
nomic.yml:1:1: error[base-moved]: the pull request has no history in common with the base:\
 nobody knows what it changes
  help: begin a new branch from the base, and put your file there; in a shallow clone,\
 `git fetch --unshallow`
"""


def test_a_branch_without_common_history_is_refused_once(tmp_path: Path) -> None:
    story = Story(
        base=small_game(), head={**small_game(), **QUIET}, options={"--actor": "github:maren-k"}
    )
    where = lay_out(story, tmp_path / "game")
    orphan = git(where, "commit-tree", "theirs^{tree}", "-m", "From nowhere")
    git(where, "branch", "--force", "theirs", orphan)
    pull = judged(story, where)
    assert (verdict_line(pull), findings_text(pull)) == (
        "proposal proposals/quiet.md: refused\n",
        NO_HISTORY,
    )


def test_a_shallow_clone_that_misses_the_common_commit_is_refused(tmp_path: Path) -> None:
    story = Story(
        base=small_game(),
        head={**small_game(), **QUIET},
        now={**small_game(), b"README.md": Item(b"# Another\n")},
        options={"--actor": "github:maren-k"},
    )
    whole = lay_out(story, tmp_path / "whole")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth=1", "--no-single-branch", whole.as_uri(), str(clone))
    git(clone, "branch", "theirs", "origin/theirs")
    pull = judged(story, clone)
    assert pull.verdict.refused
    assert NO_HISTORY in findings_text(pull)
    git(clone, "fetch", "--quiet", "--unshallow")
    assert verdict_line(judged(story, clone)) == "proposal proposals/quiet.md: accepted\n"


@pytest.mark.parametrize("crossed", ["base-first", "head-first"])
@pytest.mark.parametrize("date", ["2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z"])
def test_merges_that_cross_hide_no_change(
    crossed: str, date: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git would merge is what is judged, also where a line has taken in a part of the other
    and undone it.
    """
    old = small_game()
    changed = {**old, b"players/odo.yml": Item(old[b"players/odo.yml"].data + b"note: here\n")}
    where = lay_out(Story(base=old, head={**old, **QUIET}, now=changed), tmp_path / "game")
    # Of several commits to start from git names that first which is newest.
    monkeypatch.setenv("GIT_COMMITTER_DATE", date)
    early = git(where, "commit-tree", "theirs^{tree}", "-p", "main~1", "-m", "The draft")
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    later = git(where, "rev-parse", "main")
    both = git(where, "rev-parse", "main^{tree}")
    merged = git(where, "commit-tree", both, "-p", later, "-p", early, "-m", "Merge")
    git(where, "reset", "--quiet", "--hard", merged)
    parents = ("-p", early, "-p", later) if crossed == "head-first" else ("-p", later, "-p", early)
    undone = git(where, "commit-tree", "theirs^{tree}", *parents, "-m", "Merge of the base")
    git(where, "branch", "--force", "theirs", undone)
    assert len(git(where, "merge-base", "--all", "main", "theirs").split()) == 2
    pull = examine(where, "main", "theirs", actor="maren-k", until=ON)
    assert "players/odo.yml" in pull.verdict.paths
    assert pull.verdict.refused
    git(where, "merge", "--quiet", "--no-edit", "theirs")
    changes = git(where, "diff", "--name-only", merged, "HEAD").split()
    assert "players/odo.yml" in changes
    assert set(changes) <= set(pull.verdict.paths)


def test_a_merge_of_the_base_into_the_branch_is_no_change(tmp_path: Path) -> None:
    base = small_game()
    now = {**base, b"README.md": Item(b"# Another\n")}
    story = Story(base=base, head={**base, **QUIET}, now=now, options={"--actor": "github:maren-k"})
    where = lay_out(story, tmp_path / "game")
    git(where, "checkout", "--quiet", "theirs")
    git(where, "merge", "--quiet", "--no-edit", "main")
    git(where, "checkout", "--quiet", "main")
    assert verdict_line(judged(story, where)) == "proposal proposals/quiet.md: accepted\n"


def test_a_merge_that_keeps_nothing_of_the_base_takes_it_back(tmp_path: Path) -> None:
    base = small_game()
    now = {**base, b"README.md": Item(b"# Another\n")}
    story = Story(base=base, head={**base, **QUIET}, now=now, options={"--actor": "github:maren-k"})
    where = lay_out(story, tmp_path / "game")
    git(where, "checkout", "--quiet", "theirs")
    git(where, "merge", "--quiet", "--no-edit", "--strategy=ours", "main")
    git(where, "checkout", "--quiet", "main")
    pull = judged(story, where)
    assert pull.verdict.paths == ("README.md", "proposals/quiet.md")
    assert verdict_line(pull) == "mixed -: refused\n"


def test_nothing_of_the_head_is_run_or_written(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    head = {
        **QUIET,
        b".gitattributes": Item(b"* filter=evil diff=evil merge=evil text=auto eol=crlf\n"),
        b"nomicgen/__init__.py": Item(f"open({str(mark)!r}, 'w')\n".encode()),
        b"sitecustomize.py": Item(f"open({str(mark)!r}, 'w')\n".encode()),
    }
    story = Story(base=small_game(), head={**small_game(), **head})
    where = lay_out(story, tmp_path / "game")
    for kind in ("clean", "smudge", "process"):
        git(where, "config", f"filter.evil.{kind}", f"touch {mark}")
    git(where, "config", "diff.evil.textconv", f"touch {mark}")
    git(where, "config", "diff.external", f"touch {mark}")
    before = sorted(path for path in where.rglob("*") if ".git" not in path.parts)
    assert judged(story, where).verdict.refused
    assert not mark.exists()
    assert sorted(path for path in where.rglob("*") if ".git" not in path.parts) == before


@pytest.mark.parametrize(
    "ref", ["", "-h", "--all", "nowhere", "main:rules", "main..theirs", "refs/heads/none", "\x01"]
)
def test_what_is_no_commit_cannot_be_judged(ref: str, tmp_path: Path) -> None:
    where = lay_out(Story(base=small_game(), head=small_game()), tmp_path / "game")
    with pytest.raises(RepositoryError):
        examine(where, "main", ref, until=ON)
    done = CliRunner().invoke(main, ["-C", str(where), "check", f"--base={ref}", "--head=theirs"])
    assert done.exit_code == 2
    assert done.output.startswith("error: git knows no commit called ")


@pytest.mark.parametrize(
    "name", sampled([name for name in case_names(CASES) if name.startswith("good-")], every=24)
)
def test_files_on_disk_are_judged_like_a_commit(name: str, tmp_path: Path) -> None:
    story = read_case(name)
    where = lay_out(story, tmp_path / "game")
    committed = judged(story, where)
    git(where, "checkout", "--quiet", "--detach", "theirs")
    git(where, "reset", "--quiet", "--soft", "main")
    actor = story.options.get("--actor", "").removeprefix("github:") or None
    disk = examine(where, "main", actor=actor, machinery=story.machinery, until=ON)
    assert disk.head is None
    assert disk.verdict == committed.verdict


def test_a_base_that_is_not_checked_out_judges_all_the_same(tmp_path: Path) -> None:
    story = read_case("player-seat-taken-over")
    where = lay_out(story, tmp_path / "game")
    told = findings_text(judged(story, where))
    git(where, "checkout", "--quiet", "theirs")
    shutil.rmtree(where / "rules")
    (where / "players/odo.yml").unlink()
    assert findings_text(judged(story, where)) == told


def test_paths_are_quoted_for_git() -> None:
    assert quoted(b'a"\n') == b'"\\141\\042\\012"'


def test_whoever_joins_a_second_time_is_told_how_to_claim_the_seat_that_they_have(
    tmp_path: Path,
) -> None:
    base = {**small_game(), b"players/robin.yml": Item(b"name: Robin\njoined: 2026-01-05\n")}
    second = Item(b"name: Robin\naccounts: {github: robin-r}\njoined: 2026-02-01\n")
    story = Story(
        base=base,
        head={**base, b"players/robin-r.yml": second},
        options={"--actor": "github:robin-r"},
    )
    [finding] = judged(story, lay_out(story, tmp_path / "game")).verdict.findings
    assert finding.slug == "name-doubled"
    assert finding.help.startswith(
        "if you are robin: add the line `accounts: {github: robin-r}` to your file"
    )
