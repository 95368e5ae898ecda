"""Objects of a repository by their ids, read in one pass of `git cat-file`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from nomicgen.patterns import lazy_pattern
from nomicgen.repository.errors import GitFailed
from nomicgen.repository.git import misprinted, run

_HEAD = lazy_pattern(rb"([0-9a-f]{40,64}) ([a-z]+) ([0-9]{1,18})")
_MOST = 1 << 30  # bytes of all objects that are read


def objects(root: Path, oids: Collection[str], kind: str = "blob") -> dict[str, bytes]:
    """The bytes of objects, by id. Raises GitFailed for one that is not here, or is of another kind; and TooMuch."""
    wanted = sorted(set(oids))
    if not wanted:
        return {}
    output = run(root, "cat-file", "--batch", feed=_listed(wanted), most=_MOST)
    found, at = {}, 0
    for oid in wanted:
        head, _, _ = output[at : at + 200].partition(b"\n")
        match = _HEAD.fullmatch(head)
        if match is None or match[2].decode() != kind:
            raise GitFailed("cat-file", f"{oid} is {b' '.join(head.split()[1:]).decode(errors='replace')}")
        begin = at + len(head) + 1
        end = begin + int(match[3])
        if end >= len(output):
            raise misprinted(root, "cat-file", head)
        found[oid] = output[begin:end]
        at = end + 1
    return found


def kinds(root: Path, oids: Collection[str]) -> dict[str, tuple[str, int]]:
    """The kind and the size in bytes of those objects that are here, by id. Raises what git's failing raises."""
    wanted = sorted(set(oids))
    if not wanted:
        return {}
    lines = run(root, "cat-file", "--batch-check", feed=_listed(wanted)).split(b"\n")
    if len(lines) != len(wanted) + 1:
        raise misprinted(root, "cat-file", b"\n".join(lines[-2:]))
    matches = ((oid, _HEAD.fullmatch(line)) for oid, line in zip(wanted, lines, strict=False))
    return {oid: (match[2].decode(), int(match[3])) for oid, match in matches if match is not None}


def _listed(oids: Collection[str]) -> bytes:
    return "".join(f"{oid}\n" for oid in oids).encode()
