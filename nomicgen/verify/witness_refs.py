"""The notes of witnesses in a repository: a ref for each player, whose commits hold a note and its signature.

A commit of a note has as parents the one with the player's note before, and the commit that was seen: whoever has
the ref has that history too. Whoever may push may have written anything there: all of it is bounded, and what cannot
be read is told of the ref that it stands in.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from nomicgen.model.identifiers import CommitId, PlayerId
from nomicgen.repository.errors import GitBusy, RepositoryError, TooMuch
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.git import PLAIN, call, object_id, object_named, run
from nomicgen.repository.git_objects import kinds, objects
from nomicgen.repository.ssh import SIGNATURE_LIMIT
from nomicgen.repository.statements import STATEMENT_LIMIT
from nomicgen.verify.witness_notes import REFS

_NOTE, _SIGNATURE = "note", "note.sig"
_MOST_REFS = 200
_MOST_COMMITS = 200_000
_MOST_NOTES = 2000
_MOST_BYTES = 64 << 20


class Papers(Struct, frozen=True, kw_only=True):
    """A commit of a note: its id, the bytes of the note and of its signature; `wrong` is why they are not read."""

    sha: CommitId
    note: bytes = b""
    signature: bytes = b""
    wrong: str = ""


class _Overlong(RepositoryError):
    """A ref with more than is read of one."""

    def __init__(self, what: str) -> None:
        super().__init__(f"it has {what}", "ask whose it is")


class Kept(Struct, frozen=True, kw_only=True):
    """What stands in a ref: `name` comes after `refs/witness/`; the papers of its tip first, and then what it comes
    from. `wrong` is why none of it is read, and `hides` says that whoever put it there may have hidden a note by it.
    """

    name: str
    papers: tuple[Papers, ...] = ()
    wrong: str = ""
    hides: bool = False


def witnesses(root: Path, known: Collection[str]) -> tuple[Kept, ...]:
    """What stands in the refs of witnesses; `known` are commits that are gone through already, and hold no notes.

    Raises what git's failing raises when it lists refs.
    """
    tips = _tips(root)
    if not tips:
        return ()
    there = kinds(root, tips.values())
    refs = [
        _kept_by(root, name, CommitId(oid), known)
        if there.get(oid, ("", 0))[0] == "commit"
        else _kept(name, there.get(oid))
        for name, oid in tips.items()
    ]
    if len(tips) > _MOST_REFS:
        refs.append(Kept(name="*", wrong=f"there are more than {_MOST_REFS} refs", hides=True))
    return tuple(sorted(refs, key=lambda kept: kept.name))


def has_witnesses(root: Path) -> bool:
    """Whether there is any ref of a witness."""
    return bool(run(root, "for-each-ref", "--count=1", "--format=%(objectname)", REFS))


def _tips(root: Path) -> dict[str, str]:
    """The ids that the refs name, by what comes after `refs/witness/`."""
    # Nothing of the objects is asked for: one that is missing would be git's failing.
    output = run(
        root, "for-each-ref", f"--count={_MOST_REFS + 1}", "--format=%(objectname) %(refname)", REFS, most=_MOST_BYTES
    )
    lines = (line.split(b" ", 1) for line in output.splitlines())
    return {shown_path(name.removeprefix(REFS.encode())): oid.decode("ascii") for oid, name in lines}


def _kept(name: str, kind: tuple[str, int] | None) -> Kept:
    """What a ref is that names no commit."""
    if kind is None:
        return Kept(name=name, wrong="its object is missing here")
    # A fetch lets nothing but a later commit take the place of a commit; what is none takes any.
    return Kept(name=name, wrong=f"it names a {kind[0]}, and no commit", hides=True)


def _kept_by(root: Path, name: str, tip: CommitId, known: Collection[str]) -> Kept:
    """What stands in a ref that names a commit; or why it cannot be read."""
    try:
        return Kept(name=name, papers=tuple(_read(root, tip, known)))
    except (_Overlong, TooMuch) as error:
        return Kept(name=name, wrong=error.message, hides=True)
    except RepositoryError as error:
        return Kept(name=name, wrong=f"it cannot be read: {error.message}")


_Commits = Mapping[CommitId, tuple[str, Sequence[CommitId]]]
"""The tree and the parents of each commit."""


def _read(root: Path, tip: CommitId, known: Collection[str]) -> Iterator[Papers]:
    feed = f"{tip}\n".encode()
    output = run(root, "log", "-z", "--format=%H %T %P", "--stdin", feed=feed, settings=PLAIN, most=_MOST_BYTES)
    lines = (line.split() for line in output.decode("ascii").split("\0") if line)
    commits = {CommitId(words[0]): (words[1], [CommitId(word) for word in words[2:]]) for words in lines}
    chain = tuple(_chain(tip, commits, known))
    held = kinds(root, {name for sha in chain for name in _names(commits[sha][0])})
    wanted = [name for name, (kind, size) in held.items() if kind == "blob" and size <= SIGNATURE_LIMIT]
    if len(wanted) > _MOST_NOTES:
        raise _Overlong(f"more than {_MOST_NOTES} notes and signatures")
    yield from _papers(chain, commits, held, objects(root, wanted))


def _chain(tip: CommitId, commits: _Commits, known: Collection[str]) -> Iterator[CommitId]:
    """A commit and all that it comes from, the nearest first, up to commits that are known. Raises _Overlong."""
    # By any parent: what a newer note leaves aside counts as well. A tip counts even where the line has it.
    waiting, met = [tip], {tip}
    for sha in waiting:
        yield sha
        for parent in commits[sha][1]:
            if parent not in met and parent not in known and parent in commits:
                met.add(parent)
                waiting.append(parent)
        if len(met) > _MOST_COMMITS:
            raise _Overlong(f"more than {_MOST_COMMITS} commits that HEAD does not have")


def _papers(
    chain: Sequence[CommitId],
    commits: _Commits,
    held: Mapping[str, tuple[str, int]],
    contents: Mapping[str, bytes],
) -> Iterator[Papers]:
    for index, sha in enumerate(chain):
        names = _names(commits[sha][0])
        blobs = [held.get(name, ("", 0)) for name in names]
        if any(kind != "blob" for kind, _ in blobs):
            if index == 0:
                yield Papers(sha=sha, wrong=f"it holds no `{_NOTE}` with a `{_SIGNATURE}`")
            continue
        (_, note_size), (_, size) = blobs
        if note_size > STATEMENT_LIMIT or size > SIGNATURE_LIMIT:
            yield Papers(sha=sha, wrong=f"its note has {note_size} bytes and its signature {size}, which is too much")
        else:
            note, signature = (contents[name] for name in names)
            yield Papers(sha=sha, note=note, signature=signature)


def _names(tree: str) -> tuple[str, str]:
    """What git calls the note and the signature in a tree."""
    return f"{tree}:{_NOTE}", f"{tree}:{_SIGNATURE}"


def file_at(root: Path, commit: CommitId, path: str, limit: int) -> bytes | None:
    """A file as a commit has it, by its path in the repository, or, with `./` before it, from where the game lies.

    None where it is not there, or is larger.
    """
    name = f"{commit}:{path}"
    kind, size = kinds(root, [name]).get(name, ("", 0))
    return objects(root, [name])[name] if kind == "blob" and size <= limit else None


def tip_of(root: Path, player: PlayerId) -> CommitId | None:
    """The commit that a player's ref names; None without one. Raises what git's failing raises."""
    tip = object_named(root, f"{REFS}{player}^{{commit}}")
    return CommitId(tip) if tip is not None else None


def keep_note(
    root: Path, player: PlayerId, note: bytes, signature: bytes, *, parents: Iterable[str], message: str
) -> CommitId:
    """Puts a note into a player's ref, in a commit of its own; gives its id. The first parent is what the ref named.

    Nothing of the index, the branch or the files is touched. Raises GitBusy where the ref has moved
    meanwhile, and what git's failing raises.
    """
    blobs = (
        (name, object_id(root, "hash-object", run(root, "hash-object", "-w", "--stdin", "--no-filters", feed=data)))
        for name, data in ((_NOTE, note), (_SIGNATURE, signature))
    )
    listing = "".join(f"100644 blob {oid}\t{name}\n" for name, oid in blobs).encode()
    tree = object_id(root, "mktree", run(root, "mktree", feed=listing))
    before = tip_of(root, player)
    ancestors = dict.fromkeys((*((before,) if before else ()), *parents))
    line = [word for parent in ancestors for word in ("-p", parent)]
    sha = CommitId(object_id(root, "commit-tree", run(root, "commit-tree", tree, *line, feed=f"{message}\n".encode())))
    status, _, stderr = call(root, "update-ref", "-m", message, f"{REFS}{player}", sha, before or "0" * len(sha))
    if status:
        raise GitBusy(f"the note is not kept: {' '.join(stderr.split())[:200]}", "run the command again")
    return sha
