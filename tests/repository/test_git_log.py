"""A game's history, as git tells it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from nomicgen.model.commits import CommitInfo, GitState, Log
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.commits import commit, init
from nomicgen.repository.game_tree import read_tree
from nomicgen.repository.git_log import blob_id, parse_log
from nomicgen.repository.git_state import inspect, scan
from tests.repository.places import fill
from tests.support import GitRepo

Repos = Callable[..., GitRepo]
GAME = {
    "nomic.yml": "format: 1\n",
    "rules/203.md": "unanimous\n",
    "players/wren.yml": "name: Wren\n",
}


def paths(one: CommitInfo) -> list[str]:
    return [path for path, _ in one.blobs]


def test_the_log_is_the_first_parent_line_oldest_first(git_repo: Repos) -> None:
    repo = git_repo()
    begun = repo.commit("Begin", GAME)
    applied = repo.commit(
        "Apply Proposal 301\n\nBy a majority.\n\n"
        "Instrument: proposals/301.md\nInstrument: acts/a flood.md\nReviewed-by: Kit",
        {"rules/203.md": "a majority\n", "proposals/301.md": "adopted\n", "players/wren.yml": None},
    )
    assert scan(repo.path) == Log(
        commits=(
            CommitInfo(
                sha=CommitId(begun),
                date="2020-01-01T12:00:00+00:00",
                author="Ada Player",
                subject="Begin",
                blobs=tuple((path, blob_id(text.encode())) for path, text in sorted(GAME.items())),
                index=0,
            ),
            CommitInfo(
                sha=CommitId(applied),
                date="2020-01-02T12:00:00+00:00",
                author="Ada Player",
                subject="Apply Proposal 301",
                instruments=("proposals/301.md", "acts/a flood.md"),
                blobs=(
                    ("proposals/301.md", blob_id(b"adopted\n")),
                    ("rules/203.md", blob_id(b"a majority\n")),
                ),
                index=1,
            ),
        )
    )


def test_a_merge_shows_what_it_brought_and_the_branch_stays_out(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    repo.git("switch", "--quiet", "-c", "proposal")
    repo.commit("On the branch\n\nInstrument: proposals/301.md", {"proposals/301.md": "draft\n"})
    repo.commit(
        "More on the branch", {"proposals/301.md": "adopted\n", "rules/203.md": "a majority\n"}
    )
    repo.git("switch", "--quiet", "main")
    repo.commit("Meanwhile", {"players/kit.yml": "name: Kit\n"})
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request #1", "proposal")
    commits = scan(repo.path).commits
    assert [(one.subject, one.instruments, one.blobs) for one in commits[1:]] == [
        ("Meanwhile", (), (("players/kit.yml", blob_id(b"name: Kit\n")),)),
        (
            "Merge pull request #1",
            (),
            (
                ("proposals/301.md", blob_id(b"adopted\n")),
                ("rules/203.md", blob_id(b"a majority\n")),
            ),
        ),
    ]
    assert [one.index for one in commits] == [0, 1, 2]


def test_of_the_rules_alone_the_same_commits_are_told(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    repo.commit(
        "Nothing of the rules\n\nInstrument: proposals/301.md", {"proposals/301.md": "adopted\n"}
    )
    repo.git("switch", "--quiet", "-c", "seat")
    repo.commit("On the branch", {"players/kit.yml": "name: Kit\n"})
    repo.git("switch", "--quiet", "main")
    repo.commit(
        "Apply",
        {
            "rules/203.md": "a majority\n",
            "rules/initial/203.md": "unanimous\n",
            "rules.md": "none\n",
        },
    )
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge", "seat")
    repo.git("commit", "--quiet", "--allow-empty", "-m", "Empty")
    whole, part = scan(repo.path), scan(repo.path, rules_only=True)
    assert part.commits == tuple(
        replace(one, blobs=tuple(blob for blob in one.blobs if blob[0].startswith("rules/")))
        for one in whole.commits
    )
    assert [(one.subject, len(one.blobs)) for one in part.commits] == [
        ("Begin", 1),
        ("Nothing of the rules", 0),
        ("Apply", 2),
        ("Merge", 0),
        ("Empty", 0),
    ]


def test_a_renamed_file_is_one_that_was_added(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit("Begin", GAME)
    repo.git("mv", "rules/203.md", "rules/305.md")
    repo.commit("Renumber")
    assert scan(repo.path).commits[1].blobs == (("rules/305.md", blob_id(b"unanimous\n")),)


def test_links_and_submodules_are_no_files(git_repo: Repos) -> None:
    repo = git_repo()
    (repo.path / "rules").mkdir()
    (repo.path / "rules" / "1.md").symlink_to("2.md")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},rules/sub")
    (repo.path / "run.sh").write_text("x")
    (repo.path / "run.sh").chmod(0o755)
    repo.git("add", "rules/1.md", "run.sh")
    repo.git("commit", "--quiet", "-m", "Odd things")
    assert scan(repo.path).commits[0].blobs == (("run.sh", blob_id(b"x")),)


def test_a_game_below_the_top_sees_its_own_commits_by_its_own_paths(git_repo: Repos) -> None:
    repo = git_repo()
    repo.commit(
        "The other game\n\nInstrument: proposals/301.md", {"other/rules/203.md": "unanimous\n"}
    )
    repo.commit("Begin", {f"ours/{path}": text for path, text in GAME.items()})
    repo.commit("Prefixed alike", {"ours-too/rules/203.md": "x\n"})
    repo.commit("Both", {"ours/rules/203.md": "a majority\n", "other/rules/203.md": "a majority\n"})
    assert [(one.subject, paths(one), one.index) for one in scan(repo.path / "ours").commits] == [
        ("Begin", sorted(GAME), 0),
        ("Both", ["rules/203.md"], 1),
    ]


def test_what_people_write_cannot_pass_for_the_logs_own_words(git_repo: Repos) -> None:
    repo = git_repo()
    change = f":000000 100644 {'0' * 40} {'1' * 40} A"
    one = repo.commit(
        change, {f"rules/{change}.md": "a", "rules/\t\n\x01\x1f.md": "b", "rules/" + "a" * 40: "c"}
    )
    two = repo.commit(
        f"{'b' * 40}\nsecond line\n\nInstrument: a\x1fb\nInstrument:\nInstrument:   \n",
        {"rules/x": "d"},
    )
    three = repo.commit("Ünïcode 🎲 \x1b[31m", {"rules/ü.md": "e"}, author=f"{'c' * 40} <a@b>")
    commits = scan(repo.path).commits
    assert [
        (commit.sha, commit.subject, commit.author, commit.instruments) for commit in commits
    ] == [
        (one, change, "Ada Player", ()),
        (two, f"{'b' * 40} second line", "Ada Player", ("a", "b")),
        (three, "Ünïcode 🎲 \x1b[31m", "c" * 40, ()),
    ]
    assert [sorted(paths(commit)) for commit in commits] == [
        sorted([f"rules/{change}.md", "rules/\t\n\x01\x1f.md", "rules/" + "a" * 40]),
        ["rules/x"],
        ["rules/ü.md"],
    ]


def test_names_and_messages_in_other_encodings_are_read(git_repo: Repos) -> None:
    repo = git_repo()
    repo.write({"rules/1.md": "a"})
    Path(os.fsdecode(os.fsencode(repo.path / "rules") + b"/\xff.md")).write_text("odd")
    repo.git("add", ".")
    repo.git("-c", "i18n.commitEncoding=latin-1", "commit", "--quiet", "-m", "x")
    message = repo.path.parent / "message"
    message.write_bytes(b"Gr\xfc\xdfe")
    repo.git(
        "-c", "i18n.commitEncoding=latin-1", "commit", "--quiet", "--amend", "-F", str(message)
    )
    (only,) = scan(repo.path).commits
    assert only.subject == "Grüße"
    assert paths(only) == ["rules/1.md", "rules/\\xff.md"]
    assert set(paths(only)) == set(read_tree(repo.path))


def test_an_empty_message_and_an_empty_commit_at_the_top_are_in_the_log(git_repo: Repos) -> None:
    repo = git_repo()
    repo.git("commit", "--quiet", "--allow-empty", "--allow-empty-message", "-m", "")
    last = repo.commit("Nothing\n\nInstrument: proposals/301.md")
    assert [(one.subject, one.instruments, one.blobs) for one in scan(repo.path).commits] == [
        ("", (), ()),
        ("Nothing", ("proposals/301.md",), ()),
    ]
    assert scan(repo.path).commits[1].sha == last


def test_where_a_shallow_clone_ends_is_marked(git_repo: Repos) -> None:
    repo = git_repo()
    for number in range(4):
        repo.commit(
            f"Move {number}", {"rules/203.md": f"{number}\n", f"turns/R1T{number}.yml": "x\n"}
        )
    repo.git("clone", "--quiet", "--depth=2", f"file://{repo.path}", "../shallow")
    clone = repo.path.parent / "shallow"
    assert inspect(clone) == GitState(
        present=True, shallow=True, head=CommitId(repo.git("rev-parse", "HEAD"))
    )
    assert [(one.subject, one.boundary, len(one.blobs)) for one in scan(clone).commits] == [
        ("Move 2", True, 4),
        ("Move 3", False, 2),
    ]
    assert not inspect(repo.path).shallow


def test_a_linked_work_tree_is_a_work_tree(git_repo: Repos) -> None:
    repo = git_repo()
    head = repo.commit("Begin", GAME)
    repo.git("worktree", "add", "--quiet", "--detach", "../linked")
    linked = repo.path.parent / "linked"
    assert inspect(linked) == GitState(present=True, head=CommitId(head))
    assert [one.sha for one in scan(linked).commits] == [head]
    (linked / "rules" / "203.md").write_text("changed\n")
    changed = commit(linked, ["rules/203.md"], "Change\n")
    assert inspect(linked) == GitState(present=True, head=CommitId(changed))


def test_a_repository_with_sha256_has_longer_ids(
    git_repo: Repos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    repo = git_repo()
    begun = repo.commit("Begin", GAME)
    assert len(begun) == 64
    assert inspect(repo.path) == GitState(
        present=True, head=CommitId(begun), object_format="sha256"
    )
    repo.write({"rules/203.md": "a majority\n"})
    changed = commit(repo.path, ["rules/203.md"], "Change\n\nInstrument: proposals/301.md\n")
    last = scan(repo.path).commits[-1]
    assert (last.sha, last.instruments) == (changed, ("proposals/301.md",))
    assert last.blobs == (("rules/203.md", blob_id(b"a majority\n", "sha256")),)


def test_init_makes_a_repository_and_leaves_one_that_is_there(tmp_path: Path) -> None:
    init(tmp_path)
    fill(tmp_path, GAME)
    first = commit(tmp_path, sorted(GAME), "Begin\n")
    init(tmp_path)
    assert inspect(tmp_path) == GitState(present=True, head=CommitId(first))


# --- ids and the parser ---------------------------------------------------------------------------


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("data", [b"", b"x\n", "ü\r\n".encode(), b"\0" * 70_000])
def test_blob_ids_are_gits_own(
    git_repo: Repos, data: bytes, object_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DEFAULT_HASH", object_format)
    repo = git_repo()
    repo.write({"file": data})
    assert blob_id(data, object_format) == repo.git("hash-object", "--no-filters", "file")


def test_a_format_that_git_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="md6"):
        blob_id(b"", "md6")


_FIELD = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=50)
_PATH = st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=20)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.binary(min_size=20, max_size=20),
            _FIELD,
            _FIELD,
            st.lists(st.tuples(_PATH, st.binary())),
        ),
        max_size=5,
        unique_by=lambda one: one[0],
    )
)
def test_whatever_is_written_in_a_commit_the_log_is_read_back(
    written: list[tuple[bytes, str, str, list[tuple[str, bytes]]]],
) -> None:
    printed, expected = [], []
    for index, (sha, author, subject, files) in enumerate(written):
        blobs = tuple((path, hashlib.sha1(data).hexdigest()) for path, data in files)
        lead = "\n"
        printed += [sha.hex(), "2020-01-01T12:00:00+00:00", author, subject, ""]
        for path, blob in blobs:
            printed += [f"{lead}:000000 100644 {'0' * 40} {blob} A", path]
            lead = ""
        expected.append(
            CommitInfo(
                sha=CommitId(sha.hex()),
                date="2020-01-01T12:00:00+00:00",
                author=author,
                subject=subject,
                blobs=blobs,
                index=index,
            )
        )
    output = "".join(f"{token}\0" for token in printed).encode()
    assert parse_log(output) == Log(commits=tuple(expected))


def test_what_git_does_not_print_is_a_bug() -> None:
    with pytest.raises(ValueError, match="git log printed 'nonsense'"):
        parse_log(b"nonsense\0")
    for cut in (b"a" * 40, b":100644 100644 b c M"):
        with pytest.raises(ValueError, match=r"git log printed|values to unpack"):
            parse_log(cut)
