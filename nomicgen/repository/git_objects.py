"""Objects by their ids, read with one `git cat-file`, and the files that a tree lists."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

from nomicgen.repository.errors import GitFailed
from nomicgen.repository.git import run, unexpected_output

# What `ls-tree` prints before a path: mode, kind, id and size.
_ENTRY = rb"([0-7]{6}) [a-z]+ ([0-9a-f]{40,64}) +(\d+|-)"
# What `cat-file` prints of an object: id, kind and size.
_HEADER = rb"([0-9a-f]{40,64}) ([a-z]+) ([0-9]{1,18})"
_MOST = 1 << 30  # bytes of all objects that are read


class TreeEntry(Struct, frozen=True, kw_only=True):
    """A file of a commit: mode in octal, object's id, size in bytes (0 for a submodule)."""

    mode: str
    oid: str
    size: int


def objects(root: Path, oids: Collection[str], kind: str = "blob") -> dict[str, bytes]:
    """Return the bytes of objects of one kind, by id.

    Raises GitFailed for one that is not here, or is of another kind; TooMuch for more than a GiB;
    and what `run` raises.
    """
    wanted = sorted(set(oids))
    if not wanted:
        return {}
    output = run(root, "cat-file", "--batch", feed=_listed(wanted), most=_MOST)
    contents, at = {}, 0
    for oid in wanted:
        head, _, _ = output[at : at + 200].partition(b"\n")
        match = re.fullmatch(_HEADER, head)
        if match is None or match[2].decode() != kind:
            raise GitFailed(
                "cat-file", f"{oid} is {b' '.join(head.split()[1:]).decode(errors='replace')}"
            )
        begin = at + len(head) + 1
        end = begin + int(match[3])
        if end >= len(output):
            raise unexpected_output(root, "cat-file", head)
        contents[oid] = output[begin:end]
        at = end + 1
    return contents


def kinds_and_sizes(root: Path, oids: Collection[str]) -> dict[str, tuple[str, int]]:
    """Return the kind and the size in bytes of those objects that are here, by id. Raises what
    `run` raises.
    """
    wanted = sorted(set(oids))
    if not wanted:
        return {}
    lines = run(root, "cat-file", "--batch-check", feed=_listed(wanted)).split(b"\n")
    if len(lines) != len(wanted) + 1:
        raise unexpected_output(root, "cat-file", b"\n".join(lines[-2:]))
    matches = ((oid, re.fullmatch(_HEADER, line)) for oid, line in zip(wanted, lines, strict=False))
    return {oid: (match[2].decode(), int(match[3])) for oid, match in matches if match is not None}


def tree_entries(
    root: Path, tree: str, *paths: str, most: int, partial: bool = False
) -> Iterator[tuple[bytes, TreeEntry]]:
    """Yield the files of a tree, or of a commit, each with its path from the top of the work tree;
    with `paths`, only those at or below them.

    With `partial`, files whose contents are not in the repository are passed over. Raises TooMuch
    where their list has more than `most` bytes, and what `run` raises.
    """
    # Run in a folder, `ls-tree` shows only that folder, unless it gets `--full-tree`.
    output = run(root, "ls-tree", "-r", "-z", "-l", "--full-tree", tree, "--", *paths, most=most)
    for line in output.split(b"\0")[:-1]:
        head, _, path = line.partition(b"\t")
        if partial and head.endswith(b" BAD"):
            continue
        match = re.fullmatch(_ENTRY, head)
        if match is None:
            raise unexpected_output(root, "ls-tree", head)
        mode, oid, size = (part.decode("ascii") for part in match.groups())
        yield path, TreeEntry(mode=mode, oid=oid, size=0 if size == "-" else int(size))


def _listed(oids: Collection[str]) -> bytes:
    return "".join(f"{oid}\n" for oid in oids).encode()
