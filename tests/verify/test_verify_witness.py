"""Notes of witnesses: what players sign of a history, and what a history that is another is refused for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nomicgen.archive.witness import NAMESPACE, read_note
from nomicgen.game.load import load
from nomicgen.game.published import publication_of
from nomicgen.repository import witness as kept_notes
from nomicgen.repository.git import run as run_git
from nomicgen.repository.ssh import sign
from tests.cli.playing import TEA, begun, passed, refused, run, snapshot
from tests.signing import needs_ssh, private_key, public_key
from tests.support import GitRepo
from tests.verify.histories import LAMP, LAW, OIL, SCHEMA, by_hand

Repos = Callable[..., GitRepo]

pytestmark = needs_ssh


@pytest.fixture(autouse=True)
def _nobody_remembers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory of each test's own: what a reader saw before has tests of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("CI", "true")


def registers(game: GitRepo, player: str, key: str = "", since: str = "2026-01-01", until: str = "") -> str:
    """A commit that registers a key."""
    path = f"players/{player}.yml"
    span = f"since: {since}{f', until: {until}' if until else ''}"
    text = (game.path / path).read_text("utf-8")
    head = "" if "keys:\n" in text else "keys:\n"
    line = f"  - {{key: {public_key(key or player)}, {span}}}\n"
    return game.commit(f"{player} registers a key", {path: f"{text}{head}{line}"})


def played(repo: GitRepo, *, lamp: str = LAMP, key: str = "wren") -> GitRepo:
    """A game of two adopted proposals in which wren has a key."""
    game = begun(repo, LAW)
    registers(game, "wren", key)
    passed(game, 301, lamp, "2026-01-05", title="lamps")
    passed(game, 302, OIL, "2026-01-06", title="oil")
    return game


@pytest.fixture(scope="session")
def played_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(GitRepo(tmp_path_factory.mktemp("played") / "game")).path


@pytest.fixture
def game(played_template: Path, tmp_path: Path) -> GitRepo:
    shutil.copytree(played_template, tmp_path / "game", symlinks=True)
    repo = GitRepo(tmp_path / "game")
    repo.commits = 1
    return repo


def witness(game: GitRepo, player: str = "wren", key: str = "", *, code: int = 0) -> str:
    return run(game.path, f"witness {player} --key {private_key(key or player)}", code=code)


def head(game: GitRepo, name: str = "HEAD") -> str:
    return game.git("rev-parse", name)


def document(game: GitRepo, *options: str, code: int = 0) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(run(game.path, "verify --format json", *options, code=code))
    assert list(SCHEMA.iter_errors(printed)) == []
    return printed


def faults(game: GitRepo, *options: str, code: int = 1, **names: str) -> list[str]:
    """The findings, with names in place of ids, and DAY in place of a day."""
    lines = [
        f"{one['finding']['slug']}: {one['finding']['message']}"
        for one in document(game, *options, code=code)["faults"]
    ]
    for name, sha in {"HEAD": head(game), **names}.items():
        lines = [line.replace(sha[:12], name) for line in lines]
    return [re.sub(r"\b\d{4}-\d{2}-\d{2}\b", "DAY", line) for line in lines]


def seen_by(game: GitRepo, *options: str, code: int = 0) -> list[tuple[str, int]]:
    """Who has seen the history, and how many commits came after."""
    return [(one["player"], one["behind"]) for one in document(game, *options, code=code)["witnessed"]["seen"]]


def line_of(game: GitRepo, code: int = 0) -> str:
    (line,) = re.findall(r"^seen by .*$", run(game.path, "verify", code=code), re.MULTILINE)
    return re.sub(r"\b\d{4}-\d{2}-\d{2}\b", "DAY", line)


def fresh(game: GitRepo, tmp_path: Path, *notes: GitRepo) -> GitRepo:
    """A clone as somebody makes it who was never here, with the notes that others hand them."""
    subprocess.run(["git", "clone", "--quiet", str(game.path), str(tmp_path / "fresh")], check=True)
    clone = GitRepo(tmp_path / "fresh")
    for one in notes:
        clone.git("fetch", "--quiet", str(one.path), "refs/witness/*:refs/witness/*")
    return clone


def forgery(tmp_path: Path, key: str = "wren") -> GitRepo:
    """The game with another text of Proposal 301 and its digest, each commit from there on made anew."""
    return played(GitRepo(tmp_path / "forgery"), lamp=LAMP.replace("hall", "yard"), key=key)


# --- a note is made ---------------------------------------------------------------------------------------------------


def test_a_note_says_what_was_seen(game: GitRepo) -> None:
    before, status = snapshot(game.path), game.git("status", "--porcelain=v2", "--branch")
    said = witness(game)
    assert (snapshot(game.path), game.git("status", "--porcelain=v2", "--branch")) == (before, status)
    text = game.git("show", "refs/witness/wren:note")
    assert said.startswith(f"{text}\nsigned, and kept in refs/witness/wren (commit ")
    assert said.endswith("  git push origin refs/witness/wren\n  git fetch origin 'refs/witness/*:refs/witness/*'\n")
    note = read_note(f"{text}\n".encode())
    first = game.git("rev-list", "--max-parents=0", "HEAD")
    assert (note.game, note.folder, note.branch, note.player) == ("Tea", ".", "main", "wren")
    assert (note.began, note.commit, note.tree) == (first, head(game), head(game, "HEAD^{tree}"))
    assert note.ledger == document(game)["ledger"]


def test_a_note_is_kept_with_the_history_and_the_note_before(game: GitRepo) -> None:
    witness(game)
    one = head(game, "refs/witness/wren")
    assert game.git("ls-tree", "--format=%(objectmode) %(path)", one).split("\n") == ["100644 note", "100644 note.sig"]
    assert game.git("show", "--no-patch", "--format=%P", one) == head(game)
    passed(game, 303, TEA, "2026-01-07")
    witness(game)
    assert game.git("show", "--no-patch", "--format=%P", "refs/witness/wren") == f"{one} {head(game)}"


def test_the_key_is_the_one_of_the_persons_own_settings(
    game: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.git("config", "gpg.format", "ssh")
    game.git("config", "user.signingKey", str(private_key("wren")))
    assert "your own git settings name no SSH key to sign with" in refused(game.path, "witness wren")
    own = tmp_path / "own.gitconfig"
    own.write_text(f"[gpg]\n  format = ssh\n[user]\n  signingKey = {private_key('wren')}.pub\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    run(game.path, "witness wren")
    assert seen_by(game) == [("wren", 0)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("witness osprey --key {wren}", "players/osprey.yml has no key at HEAD"),
        ("witness nobody --key {wren}", "HEAD has no players/nobody.yml"),
        ("witness wren --key {odo}", " is no key that players/wren.yml has at HEAD on "),
        ("witness wren --key {wren}.none", "does not exist"),
    ],
)
def test_who_may_not_sign(game: GitRepo, line: str, why: str) -> None:
    typed = line.format(wren=private_key("wren"), odo=private_key("odo"))
    assert why in " ".join(run(game.path, typed, code=2).split())
    assert game.git("for-each-ref", "refs/witness/") == ""


def test_a_key_that_is_not_committed_does_not_count(game: GitRepo) -> None:
    text = (game.path / "players/quill.yml").read_text("utf-8")
    game.write({"players/quill.yml": f"{text}keys:\n  - {{key: {public_key('quill')}, since: 2026-01-01}}\n"})
    assert "has no key at HEAD" in witness(game, "quill", code=2)


def test_nobody_signs_a_history_with_errors(game: GitRepo) -> None:
    by_hand(game, "rules/301.md", "hall", "yard")
    said = refused(game.path, f"witness wren --key {private_key('wren')}")
    assert "in this history: nobody signs that" in said
    assert game.git("for-each-ref", "refs/witness/") == ""


def test_nobody_signs_without_a_branch(game: GitRepo) -> None:
    game.git("checkout", "--quiet", "--detach")
    assert "no branch is checked out" in refused(game.path, f"witness wren --key {private_key('wren')}")


def test_a_ref_that_moved_meanwhile_is_left_alone(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(game)
    there = head(game, "refs/witness/wren")
    monkeypatch.setattr(kept_notes, "tip_of", lambda *_: None)
    assert "the note is not kept: " in witness(game, code=2)
    assert head(game, "refs/witness/wren") == there


def test_a_program_that_is_missing_is_named(game: GitRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    witness(game)
    own = tmp_path / "own.gitconfig"
    own.write_text('[gpg "ssh"]\n  program = no-such-keygen\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    assert faults(game, code=0) == [
        "verify-unproven: no note of a witness was judged: no-such-keygen does not run: there is no such program"
    ]
    assert "no-such-keygen does not run" in refused(game.path, f"witness wren --key {private_key('wren')}")


# --- who saw it -------------------------------------------------------------------------------------------------------


def test_a_game_without_keys_and_notes_says_nothing_of_them(git_repo: Repos, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = begun(git_repo("plain"), LAW)
    asked: list[str] = []

    def spy(root: Path, command: str, *arguments: str, **options: Any) -> bytes:
        asked.append(command)
        return run_git(root, command, *arguments, **options)

    monkeypatch.setattr("nomicgen.repository.witness.run", spy)
    assert "seen by" not in run(plain.path, "verify")
    assert document(plain)["witnessed"] is None
    assert asked == ["for-each-ref"] * 2
    found = publication_of(load(plain.path)).witnessed
    assert found is not None
    assert not found.asked
    assert asked == ["for-each-ref"] * 3


def test_who_saw_how_much_is_told(game: GitRepo) -> None:
    assert line_of(game) == "seen by 0 of 3 players"
    witness(game)
    assert line_of(game) == "seen by 1 of 3 players: wren (DAY)"
    registers(game, "quill")
    witness(game, "quill")
    assert line_of(game) == "seen by 2 of 3 players: quill (DAY), wren (DAY, 1 commit ago)"
    assert seen_by(game) == [("quill", 0), ("wren", 1)]
    found = publication_of(load(game.path)).witnessed
    assert found is not None
    assert [(one.player, one.behind) for one in found.seen] == [("quill", 0), ("wren", 1)]


def test_who_has_left_is_not_counted(game: GitRepo) -> None:
    witness(game)
    text = (game.path / "players/wren.yml").read_text("utf-8")
    game.commit("wren leaves", {"players/wren.yml": f"{text}left: 2026-02-01\n"})
    assert document(game)["witnessed"] is None
    registers(game, "quill")
    assert line_of(game) == "seen by 0 of 2 players"


def test_an_older_clone_is_no_fork(game: GitRepo) -> None:
    witness(game)
    passed(game, 303, TEA, "2026-01-07")
    witness(game)
    witness(game)
    game.git("reset", "--quiet", "--hard", "HEAD~1")
    assert line_of(game) == "seen by 1 of 3 players: wren (DAY, 3 commits ago); a later commit than HEAD by wren (DAY)"


def test_a_key_counts_on_its_days_alone(game: GitRepo) -> None:
    registers(game, "quill", since="2026-01-01", until="2026-02-01")
    assert "players/quill.yml has no key at HEAD" in witness(game, "quill", code=2)
    text = (game.path / "players/quill.yml").read_text("utf-8")
    game.commit("It goes on", {"players/quill.yml": text.replace(", until: 2026-02-01", "")})
    witness(game, "quill")
    game.commit("It ended", {"players/quill.yml": text})
    # The history that was seen still has it.
    assert seen_by(game) == [("quill", 1)]


def test_a_file_of_signers_says_whose_key_counts(game: GitRepo, tmp_path: Path) -> None:
    pose(game, "osprey", "osprey")
    assert faults(game, code=0, NOTE=head(game, "refs/witness/osprey")) == [
        "verify-unproven: refs/witness/osprey at NOTE does not count as a witness: its signature holds with no key "
        "that osprey had on DAY"
    ]
    file = tmp_path / "signers"
    file.write_text(f"osprey {public_key('osprey')}\n")
    assert seen_by(game, "--signers", str(file)) == [("osprey", 0)]
    file.write_text(f"quill {public_key('osprey')}\n")
    assert seen_by(game, "--signers", str(file)) == []


def test_a_game_in_a_folder(git_repo: Repos, tmp_path: Path) -> None:
    whole = git_repo("whole")
    inner = played(GitRepo(tmp_path / "inner"))
    shutil.rmtree(inner.path / ".git")
    shutil.copytree(inner.path, whole.path / "games" / "tea")
    whole.commit("Bring the game")
    whole.commit("Something else", {"README": "x\n"})
    place = GitRepo.__new__(GitRepo)
    place.path, place.commits = whole.path / "games" / "tea", 0
    witness(place)
    assert seen_by(place) == [("wren", 0)]
    assert "folder games/tea\n" in whole.git("show", "refs/witness/wren:note")
    shutil.copytree(place.path, whole.path / "games" / "chess")
    whole.commit("Bring another")
    place.path = whole.path / "games" / "chess"
    assert seen_by(place) == []
    assert faults(place, code=0) == []


# --- a history that is another ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "told"), [("wren", ""), ("forger", " with a key that players/wren.yml has only there")]
)
def test_one_witness_alone_refuses_a_history_that_was_forged_throughout(
    game: GitRepo, tmp_path: Path, key: str, told: str
) -> None:
    witness(game)
    seen = head(game)
    other = forgery(tmp_path, key)
    subjects = [repo.git("log", "--format=%s").splitlines() for repo in (game, other)]
    assert subjects[0] == subjects[1]
    assert faults(fresh(other, tmp_path), code=0) == []
    shutil.rmtree(tmp_path / "fresh")
    clone = fresh(other, tmp_path, game)
    assert not clone.git("for-each-ref", "refs/heads/", "refs/remotes/", "--contains", seen)
    (found,) = faults(clone, SEEN=seen)
    assert found.startswith(
        f"verify-rewritten: commit SEEN, which wren saw and signed on DAY{told}, is not in the history of HEAD any "
        "more; HEAD is HEAD: "
    )
    (one,) = document(clone, code=1)["faults"]
    assert f"git log {seen[:12]}" in one["finding"]["help"]
    assert "`git update-ref -d refs/witness/wren`" in one["finding"]["help"]
    assert one["finding"]["detail"].endswith(f"- {seen[:12]} proposals/302.md")
    assert document(clone, code=1)["witnessed"]["seen"] == []


def test_what_is_lost_is_told(game: GitRepo) -> None:
    witness(game)
    seen, common = head(game), head(game, "HEAD~2")
    game.git("reset", "--quiet", "--hard", "HEAD~2")
    game.commit(
        "Another end", {"players/quill.yml": (game.path / "players/quill.yml").read_text("utf-8") + "note: x\n"}
    )
    assert faults(game, SEEN=seen, COMMON=common) == [
        "verify-rewritten: commit SEEN, which wren saw and signed on DAY, is not in the history of HEAD any more; "
        "HEAD is HEAD: 2 commits are gone, and the last that both have is COMMON"
    ]


def test_a_history_that_is_only_merged_into_another_is_not_that_one(game: GitRepo) -> None:
    witness(game)
    seen = head(game)
    game.git("reset", "--quiet", "--hard", "HEAD~2")
    game.git("commit", "--quiet", "--allow-empty", "--message", "Aside")
    game.git("merge", "--quiet", "--strategy=ours", "--message", "Take it in", "refs/witness/wren")
    (found,) = [one for one in faults(game, SEEN=seen) if "wren saw" in one]
    assert "stands beside the first-parent line of HEAD" in found


def test_a_newer_note_hides_no_older_one(game: GitRepo, tmp_path: Path) -> None:
    witness(game)
    seen, note = head(game), head(game, "refs/witness/wren")
    clone = fresh(forgery(tmp_path, "forger"), tmp_path, game)
    for parents in ((note,), (head(clone), note)):
        pose(clone, "wren", "forger", parents=parents)
        (found,) = faults(clone, SEEN=seen)
        assert found.startswith("verify-rewritten: commit SEEN, which wren saw and signed on DAY with a key that ")


def test_a_signed_note_that_is_not_in_keeping_with_its_commit(game: GitRepo) -> None:
    for key in ("tree", "ledger"):
        pose(game, "wren", "wren", change=partial(re.sub, rf"(?m)^({key:<7}).{{8}}", r"\g<1>00000000"))
        (found,) = faults(game)
        assert re.fullmatch(
            rf"verify-rewritten: commit HEAD, which wren saw and signed on DAY, had the {key} 00000000\w{{4}}, and has "
            r"\w{12}",
            found,
        )
        assert seen_by(game, code=1) == []
        game.git("update-ref", "-d", "refs/witness/wren")


def test_a_branch_of_ones_own_is_no_other_history(game: GitRepo) -> None:
    witness(game)
    seen = head(game)
    game.git("switch", "--quiet", "--create", "draft", "HEAD~1")
    game.git("commit", "--quiet", "--allow-empty", "--message", "My own")
    assert faults(game, code=0, SEEN=seen) == [
        "verify-unproven: commit SEEN, which wren saw and signed on DAY, is on the branch main, and HEAD is on "
        "another: it is not compared"
    ]
    game.git("branch", "--quiet", "--delete", "--force", "main")
    (found,) = faults(game, SEEN=seen)
    assert found.startswith(
        "verify-rewritten: commit SEEN, which wren saw and signed on DAY, is not in the history of HEAD"
    )


def test_of_a_shallow_clone_nothing_is_guessed(game: GitRepo, tmp_path: Path) -> None:
    witness(game)
    seen = head(game)
    passed(game, 303, TEA, "2026-01-07")
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=2", f"file://{game.path}", str(tmp_path / "fresh")],
        check=True,
        capture_output=True,
    )
    clone = GitRepo(tmp_path / "fresh")
    clone.git("fetch", "--quiet", "--depth=1", f"file://{game.path}", "refs/witness/*:refs/witness/*")
    assert "verify-unproven: commit SEEN, which wren saw and signed on DAY, is not in this shallow clone" in faults(
        clone, SEEN=seen
    )


# --- notes that do not count ------------------------------------------------------------------------------------------


def tree(game: GitRepo, **files: bytes) -> str:
    """A tree with these files; `sig` is note.sig."""
    lines = []
    for name, data in files.items():
        done = subprocess.run(
            ["git", "hash-object", "-w", "--stdin"], cwd=game.path, input=data, capture_output=True, check=True
        )
        lines.append(f"100644 blob {done.stdout.decode().strip()}\t{'note.sig' if name == 'sig' else name}\n")
    done = subprocess.run(
        ["git", "mktree"], cwd=game.path, input="".join(lines).encode(), capture_output=True, check=True
    )
    return done.stdout.decode().strip()


def put(game: GitRepo, ref: str, where: str, *parents: str) -> str:
    line = [word for one in parents for word in ("-p", one)]
    sha = game.git("commit-tree", *line, "-m", "x", where)
    game.git("update-ref", f"refs/witness/{ref}", sha)
    return sha


def text_of(game: GitRepo, player: str, change: Callable[[str], str] = lambda text: text) -> bytes:
    """The note that a player would sign of HEAD."""
    said = document(game, "--no-memory")
    first = game.git("rev-list", "--max-parents=0", "HEAD")
    text = (
        f"nomicgen witness 1\ngame   Tea\nbegan  {first}\nfolder .\nbranch main\ncommit {said['commit']}\n"
        f"tree   {said['tree']}\nledger {said['ledger']}\ndate   2026-06-01T12:00:00+00:00\nplayer {player}\n"
    )
    return change(text).encode()


def pose(
    game: GitRepo,
    player: str,
    key: str,
    *,
    ref: str = "",
    parents: tuple[str, ...] = (),
    change: Callable[[str], str] = lambda text: text,
    space: str = NAMESPACE,
) -> str:
    """A note that somebody writes with tools of their own."""
    at = game.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/witness/")
    for line in at.splitlines():
        game.git("update-ref", "-d", line.split()[0])
    data = text_of(game, player, change)
    for line in at.splitlines():
        game.git("update-ref", *line.split())
    where = tree(game, note=data, sig=sign(data, space, str(private_key(key))))
    return put(game, ref or player, where, *(parents or (head(game),)))


def only_warning(game: GitRepo, why: str, ref: str = "wren") -> None:
    (found,) = faults(game, code=0)
    assert re.sub(r" at \w+ does", " does", found) == (
        f"verify-unproven: refs/witness/{ref} does not count as a witness: {why}"
    )
    assert seen_by(game) == []
    assert "seen by 0 of 3 players" in run(game.path, "verify --strict", code=1)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"key": "forger"}, "its signature holds with no key that wren had on DAY"),
        ({"space": "git"}, "its signature holds with no key that wren had on DAY"),
        ({"ref": "quill"}, "it is a note of wren"),
        ({"player": "Wren"}, "its player is no id"),
        ({"change": lambda text: f"{text}x"}, "it is not written as a note is"),
        ({"change": lambda text: f"{text}x\n"}, "it is no note of the form `nomicgen witness 1`"),
        (
            {"change": lambda text: text.replace("witness 1", "witness 2")},
            "it is no note of the form `nomicgen witness 1`",
        ),
        ({"change": lambda text: text.replace("\n", "\r\n")}, None),
        ({"change": lambda text: text.replace("branch ", "BRANCH ")}, "it is not written as a note is"),
        ({"change": lambda text: text.replace("Tea", "\x1b[31mTea")}, None),
        ({"change": lambda text: text.replace("Tea", "T" * 5000)}, None),
        ({"change": lambda text: re.sub("commit .*", "commit HEAD", text)}, None),
        ({"change": lambda text: re.sub("date .*", "date   2026-02-30T12:00:00+00:00", text)}, None),
        ({"change": lambda text: re.sub("date .*", "date   2019-06-01T12:00:00+00:00", text)}, None),
    ],
)
def test_a_note_that_does_not_count(game: GitRepo, options: dict[str, Any], why: str | None) -> None:
    given: dict[str, Any] = {"player": "wren", "key": "wren", "ref": "wren", **options}
    pose(game, given.pop("player"), given.pop("key"), **given)
    if why is not None:
        only_warning(game, why, given["ref"])
    else:
        (found,) = faults(game, code=0)
        assert found.startswith("verify-unproven: refs/witness/wren at ")
        assert "\x1b" not in found
        assert seen_by(game) == []


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "it holds no `note` with a `note.sig`"),
        ({"note": b"x"}, "it holds no `note` with a `note.sig`"),
        ({"note": b"\xff\0", "sig": b"\0"}, "it is not UTF-8"),
        ({"note": b"x" * 100_000, "sig": b"y"}, "its note has 100000 bytes and its signature 1, which is too much"),
        ({"note": b"y", "sig": b"x" * 100_000}, "its note has 1 bytes and its signature 100000, which is too much"),
    ],
)
def test_what_is_no_note_is_told(game: GitRepo, files: dict[str, bytes], why: str) -> None:
    put(game, "wren", tree(game, **files))
    only_warning(game, why)


def test_a_signature_that_is_garbage(game: GitRepo) -> None:
    data = text_of(game, "wren")
    put(game, "wren", tree(game, note=data, sig=b"-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n"))
    only_warning(game, "its signature holds with no key that wren had on DAY")


def test_a_ref_that_names_no_commit(game: GitRepo) -> None:
    blob = game.git("hash-object", "-w", "nomic.yml")
    game.git("update-ref", "refs/witness/wren", blob)
    only_warning(game, "it names a blob, and no commit")
    game.git("tag", "--annotate", "--message", "x", "t", "HEAD")
    game.git("update-ref", "refs/witness/wren", head(game, "refs/tags/t"))
    only_warning(game, "it names a tag, and no commit")


def test_a_ref_whose_object_is_missing(game: GitRepo) -> None:
    sha = put(game, "wren", tree(game))
    (game.path / ".git/objects" / sha[:2] / sha[2:]).unlink()
    only_warning(game, "its object is missing here")


def test_a_history_that_is_not_whole_keeps_the_others_readable(game: GitRepo) -> None:
    registers(game, "quill")
    witness(game, "quill")
    lost = game.git("commit-tree", "-m", "x", tree(game))
    put(game, "wren", tree(game), lost)
    (game.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    (found,) = faults(game, code=0)
    assert found.startswith(
        "verify-unproven: refs/witness/wren does not count as a witness: it cannot be read: `git log`"
    )
    assert seen_by(game) == [("quill", 0)]


@pytest.mark.parametrize("name", ["a/b", "..a", "wren.yml", "ẅren", "w" * 200])
def test_a_ref_of_an_odd_name(game: GitRepo, name: str) -> None:
    if name == "..a":
        name = "-a"
    pose(game, "wren", "wren", ref=name)
    only_warning(game, "it is a note of wren", name)


def test_bad_notes_are_told_once_for_a_ref_and_good_ones_below_them_count(game: GitRepo) -> None:
    witness(game)
    for _ in range(3):
        pose(game, "wren", "forger", parents=(head(game, "refs/witness/wren"),))
    (found,) = faults(game, code=0)
    assert " does not count as a witness (nor do 2 more there): its signature holds with no key" in found
    assert seen_by(game) == [("wren", 0)]


def test_of_too_many_notes_not_all_are_judged(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomicgen.game.verify_witness._MOST", 2)
    for _ in range(4):
        pose(game, "wren", "forger", parents=(head(game, "refs/witness/wren"),) if _ else ())
    (found,) = faults(game, code=0)
    assert "(nor do 3 more there)" in found
    monkeypatch.setattr(kept_notes, "_NOTES", 1)
    assert "it cannot be read: it has more than 1 notes and signatures" in faults(game, code=0)[0]
    monkeypatch.setattr(kept_notes, "_COMMITS", 2)
    assert "it cannot be read: it has more than 2 commits that HEAD does not have" in faults(game, code=0)[0]


def test_more_refs_than_are_read(game: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_notes, "_REFS", 1)
    witness(game)
    game.git("update-ref", "refs/witness/a", head(game))
    assert any("there are more than 1 refs" in one for one in faults(game, code=0))
