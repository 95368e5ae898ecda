"""Notes of witnesses that do not count, whoever put them there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nomicgen.verify import witness_refs as kept_notes
from tests.cli.playing import run
from tests.deep import sampled
from tests.signing import needs_ssh
from tests.support import GitRepo
from tests.verify.witnessing import (
    faults,
    fresh,
    head,
    pose,
    put,
    registers,
    seen_by,
    text_of,
    tree,
    witness,
)

Repos = Callable[..., GitRepo]

pytestmark = [needs_ssh, pytest.mark.usefixtures("forgetful")]


def only_warning(keyed: GitRepo, why: str, ref: str = "wren") -> None:
    (found,) = faults(keyed, code=0)
    assert re.sub(r" at \w+ does", " does", found) == (
        f"verify-unproven: refs/witness/{ref} does not count as a witness: {why}"
    )
    assert seen_by(keyed) == []
    assert "seen by 0 of 3 players" in run(keyed.path, "verify --strict", code=1)


@pytest.mark.parametrize(
    ("options", "why"),
    sampled(
        [
            ({"key": "forger"}, "its signature holds with no key that wren had on DAY"),
            ({"space": "git"}, "its signature holds with no key that wren had on DAY"),
            ({"ref": "quill"}, "it is a note of wren"),
            ({"player": "Wren"}, "its player is no id"),
            ({"change": lambda text: f"{text}x"}, "it is not written as such a statement is"),
            ({"change": lambda text: f"{text}x\n"}, "it is none of the form `nomicgen witness 1`"),
            (
                {"change": lambda text: text.replace("witness 1", "witness 2")},
                "it is none of the form `nomicgen witness 1`",
            ),
            ({"change": lambda text: text.replace("\n", "\r\n")}, None),
            ({"change": lambda text: text.replace("branch ", "BRANCH ")}, "it is not written as such a statement is"),
            ({"change": lambda text: text.replace("Tea", "\x1b[31mTea")}, None),
            ({"change": lambda text: text.replace("Tea", "T" * 5000)}, None),
            ({"change": lambda text: re.sub("commit .*", "commit HEAD", text)}, "one of its values is none"),
            ({"change": lambda text: re.sub("date .*", "date   2026-02-30T12:00:00+00:00", text)}, None),
            ({"change": lambda text: re.sub("date .*", "date   2019-06-01T12:00:00+00:00", text)}, None),
        ],
        every=4,
    ),
)
def test_a_note_that_does_not_count(keyed: GitRepo, options: dict[str, Any], why: str | None) -> None:
    given: dict[str, Any] = {"player": "wren", "key": "wren", "ref": "wren", **options}
    pose(keyed, given.pop("player"), given.pop("key"), **given)
    if why is not None:
        only_warning(keyed, why, given["ref"])
    else:
        (found,) = faults(keyed, code=0)
        assert found.startswith("verify-unproven: refs/witness/wren at ")
        assert "\x1b" not in found
        assert seen_by(keyed) == []


@pytest.mark.parametrize(
    ("files", "why"),
    sampled(
        [
            ({}, "it holds no `note` with a `note.sig`"),
            ({"note": b"x"}, "it holds no `note` with a `note.sig`"),
            ({"note": b"\xff\0", "sig": b"\0"}, "it is not UTF-8"),
            ({"note": b"x" * 100_000, "sig": b"y"}, "its note has 100000 bytes and its signature 1, which is too much"),
            ({"note": b"y", "sig": b"x" * 100_000}, "its note has 1 bytes and its signature 100000, which is too much"),
        ],
        every=4,
    ),
)
def test_what_is_no_note_is_told(keyed: GitRepo, files: dict[str, bytes], why: str) -> None:
    put(keyed, "wren", tree(keyed, **files))
    only_warning(keyed, why)


@pytest.mark.deep
def test_a_signature_that_is_garbage(keyed: GitRepo) -> None:
    data = text_of(keyed, "wren")
    put(
        keyed, "wren", tree(keyed, note=data, sig=b"-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n")
    )
    only_warning(keyed, "its signature holds with no key that wren had on DAY")


@pytest.mark.deep
def test_a_ref_that_names_no_commit(keyed: GitRepo) -> None:
    blob = keyed.git("hash-object", "-w", "nomic.yml")
    keyed.git("update-ref", "refs/witness/wren", blob)
    told = "verify-rewritten: refs/witness/wren may speak against this history, and is not judged: "
    assert faults(keyed) == [f"{told}it names a blob, and no commit"]
    keyed.git("tag", "--annotate", "--message", "x", "t", "HEAD")
    keyed.git("update-ref", "refs/witness/wren", head(keyed, "refs/tags/t"))
    assert faults(keyed) == [f"{told}it names a tag, and no commit"]


@pytest.mark.deep
def test_a_fetch_that_puts_something_else_in_the_place_of_a_note(keyed: GitRepo, tmp_path: Path) -> None:
    witness(keyed)
    clone = fresh(keyed, tmp_path, keyed)
    keyed.git("update-ref", "refs/witness/wren", keyed.git("hash-object", "-w", "nomic.yml"))
    clone.git("fetch", "--quiet", str(keyed.path), "refs/witness/*:refs/witness/*")
    assert clone.git("cat-file", "-t", "refs/witness/wren") == "blob"
    assert "is not judged" in faults(clone)[0]


@pytest.mark.deep
def test_a_ref_whose_object_is_missing(keyed: GitRepo) -> None:
    sha = put(keyed, "wren", tree(keyed))
    (keyed.path / ".git/objects" / sha[:2] / sha[2:]).unlink()
    only_warning(keyed, "its object is missing here")


@pytest.mark.deep
def test_a_history_that_is_not_whole_keeps_the_others_readable(keyed: GitRepo) -> None:
    registers(keyed, "quill")
    witness(keyed, "quill")
    lost = keyed.git("commit-tree", "-m", "x", tree(keyed))
    put(keyed, "wren", tree(keyed), lost)
    (keyed.path / ".git/objects" / lost[:2] / lost[2:]).unlink()
    (found,) = faults(keyed, code=0)
    assert found.startswith(
        "verify-unproven: refs/witness/wren does not count as a witness: it cannot be read: `git log`"
    )
    assert seen_by(keyed) == [("quill", 0)]


@pytest.mark.deep
@pytest.mark.parametrize("name", sampled(["ẅren", "a/b", "-a", "wren.yml", "w" * 200], every=5))
def test_a_ref_of_an_odd_name(keyed: GitRepo, name: str) -> None:
    pose(keyed, "wren", "wren", ref=name)
    only_warning(keyed, "it is a note of wren", name)


@pytest.mark.deep
def test_bad_notes_are_told_once_for_a_ref_and_good_ones_below_them_count(keyed: GitRepo) -> None:
    witness(keyed)
    for _ in range(3):
        pose(keyed, "wren", "forger", parents=(head(keyed, "refs/witness/wren"),))
    (found,) = faults(keyed, code=0)
    assert " does not count as a witness (nor do 2 more there): its signature holds with no key" in found
    assert seen_by(keyed) == [("wren", 0)]


@pytest.mark.deep
def test_among_too_many_notes_one_may_be_hidden(keyed: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nomicgen.verify.witness._MOST", 2)
    for _ in range(4):
        pose(keyed, "wren", "forger", parents=(head(keyed, "refs/witness/wren"),) if _ else ())
    told = "verify-rewritten: refs/witness/wren may speak against this history, and is not judged: "
    found, bad = faults(keyed)
    assert found == f"{told}more than 2 notes were to be judged"
    assert "(nor do 1 more there)" in bad
    monkeypatch.setattr(kept_notes, "_MOST_NOTES", 1)
    assert faults(keyed) == [f"{told}it has more than 1 notes and signatures"]
    monkeypatch.setattr(kept_notes, "_MOST_COMMITS", 2)
    assert faults(keyed) == [f"{told}it has more than 2 commits that HEAD does not have"]


@pytest.mark.deep
def test_more_refs_than_are_read(keyed: GitRepo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_notes, "_MOST_REFS", 1)
    witness(keyed)
    keyed.git("update-ref", "refs/witness/a", head(keyed))
    assert any(one.endswith("is not judged: there are more than 1 refs") for one in faults(keyed))
