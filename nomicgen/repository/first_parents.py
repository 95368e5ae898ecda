"""The first-parent line of HEAD, read for `nomicgen verify`: one pass of `git log`, and blobs in one of `git cat-file`.

Nothing that a repository's own settings, attributes or caches say changes what is read, and nothing is fetched.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from nomicgen.archive.line_commits import CommitLine, LineCommit, TouchedFile
from nomicgen.files.text_encoding import SIZE_LIMIT, Oddity
from nomicgen.patterns import lazy_pattern
from nomicgen.repository.errors import GitFailed, RepositoryError, TooMuch
from nomicgen.repository.game_tree import FOLDERS, SETTINGS, shown_path
from nomicgen.repository.git import Place, boundaries, call, located, run, understood
from nomicgen.repository.git_objects import kinds
from nomicgen.repository.git_revisions import contents

PLAIN = ("core.commitGraph=false",)
"""Settings: a graph of commits is a cache, which can say anything."""

_SEPARATOR = "\x1f"
_TRAILERS = "%(trailers:key=Instrument,valueonly,unfold,separator=%x1f)"
# Not %aN: a .mailmap is a file of the repository, and would say who wrote what.
_FORMAT = f"%H%x00%T%x00%P%x00%aI%x00%an%x00%s%x00{_TRAILERS}"
_OPTIONS = (
    "--first-parent --reverse --raw -z --no-abbrev --no-renames --no-follow --diff-merges=first-parent --relative "
    "--sparse --no-ext-diff --no-textconv --ignore-submodules=none --encoding=UTF-8"
)
_HEADER = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
_CHANGE = lazy_pattern(r":[0-7]{6} (?P<mode>[0-7]{6}) [0-9a-f]+ (?P<blob>[0-9a-f]+) [A-Z]\d*")
_MOST = 512 << 20  # bytes of all files that are read, and of what git prints


def walk(root: Path, head: str | None = None) -> CommitLine:
    """The first-parent line of HEAD, or of the commit `head`.

    Raises RepositoryError without a commit, and what git's failing raises.
    """
    place = located(root)
    if head is not None:
        place = replace(place, head=head)
    if place.head is None:
        raise RepositoryError("nothing has been committed yet", "commit the game first: `git add .`, `git commit`")
    output = run(
        root,
        "log",
        *_OPTIONS.split(),
        f"--format={_FORMAT}",
        place.head,
        "--",
        SETTINGS,
        *sorted(FOLDERS),
        settings=PLAIN,
        most=_MOST,
    )
    with understood(root, "log", output):
        return parse_line(output, place, boundaries(place.paths["shallow"]))


def parse_line(output: bytes, place: Place, ends: Collection[str] = ()) -> CommitLine:
    """The line that `git log` printed; `ends` are the commits where a shallow clone ends.

    Raises ValueError for what git does not print.
    """
    tokens = iter(output.decode("utf-8", "backslashreplace").split("\0"))
    commits: list[LineCommit] = []
    touched: list[TouchedFile] = []
    for token in tokens:
        # Git puts a line feed before a commit's first change; what a person may have written is taken by place.
        token = token.removeprefix("\n")
        if change := _CHANGE.fullmatch(token):
            path = next(tokens, None)
            if path is None or not commits:
                raise ValueError("git log printed a change that is of nothing")
            touched.append(TouchedFile(shown_path(path), _content(change["mode"], change["blob"])))
        elif _HEADER.fullmatch(token):
            _close(commits, touched)
            commits.append(_commit(token, tokens, boundary=token in ends))
        elif token:
            raise ValueError(f"git log printed {token[:80]!r}")
    _close(commits, touched)
    # Another game of the repository names its instruments by paths of its own.
    kept = (one for one in commits if one.touched or not place.prefix)
    return CommitLine(
        head=place.head or "",
        tree=commits[-1].tree if commits else "",
        commits=tuple(replace(one, index=index) for index, one in enumerate(kept)),
        prefix=place.prefix,
        shallow=place.shallow,
        object_format=place.object_format,
    )


def _content(mode: str, blob: str) -> str | None:
    if mode == "000000":
        return None
    return blob if mode.startswith("100") else f"{mode} {blob}"


def _commit(sha: str, tokens: Iterator[str], *, boundary: bool) -> LineCommit:
    tree, parents, date, author, subject, trailers = islice(tokens, 6)
    return LineCommit(
        sha=sha,
        tree=tree,
        parents=tuple(parents.split()),
        date=date,
        author=author.strip(),
        subject=subject,
        instruments=_named(trailers),
        boundary=boundary,
    )


def _named(trailers: str) -> tuple[str, ...]:
    return tuple(value.strip() for value in trailers.split(_SEPARATOR) if value.strip())


def _close(commits: list[LineCommit], touched: list[TouchedFile]) -> None:
    if touched:
        commits[-1] = replace(commits[-1], touched=tuple(touched))
        touched.clear()


def sized_contents(root: Path, oids: Collection[str]) -> dict[str, bytes | Oddity]:
    """The bytes of blobs by id; of one that is larger than a file of a game may be only that. Raises TooMuch."""
    sizes = {oid: size for oid, (_, size) in kinds(root, oids).items()}
    if lacking := sorted(set(oids) - sizes.keys()):
        raise GitFailed("cat-file", f"{lacking[0]} is missing")
    small = [oid for oid, size in sizes.items() if size <= SIZE_LIMIT]
    if sum(sizes[oid] for oid in small) > _MOST:
        raise TooMuch(f"files of more than {_MOST >> 20} MiB together")
    large = {oid: Oddity("file-too-large", f"{size} bytes") for oid, size in sizes.items() if size > SIZE_LIMIT}
    return {**contents(root, small), **large}


Whereabouts = Literal["reachable", "unreachable", "missing"]


def whereabouts(root: Path, head: str, shas: Collection[str]) -> Mapping[str, Whereabouts]:
    """For each full id, whether it is a commit that `head` comes from, one of the repository only, or not there."""
    asked = sorted(set(shas))
    there = [sha for sha, (kind, _) in kinds(root, asked).items() if kind == "commit"]
    apart: set[str] = set()
    if there:
        feed = "".join(f"{one}\n" for one in (*there, f"^{head}")).encode()
        output = run(root, "rev-list", "--stdin", feed=feed, settings=PLAIN, most=_MOST)
        apart = set(output.decode("ascii", "replace").split())
    return {sha: "missing" if sha not in there else "unreachable" if sha in apart else "reachable" for sha in asked}


def first_parents(root: Path, sha: str) -> frozenset[str] | None:
    """The ids of the first-parent line that ends at a commit; None where the commit is not here."""
    if kinds(root, [sha]).get(sha, ("", 0))[0] != "commit":
        return None
    output = run(root, "rev-list", "--first-parent", sha, settings=PLAIN, most=_MOST)
    return frozenset(output.decode("ascii", "replace").split())


def is_on_branch(root: Path, branch: str, sha: str) -> bool:
    """Whether a branch of this name, of this repository or as it was fetched from another, has a commit."""
    output = run(root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/", "refs/remotes/", most=_MOST)
    for line in os.fsdecode(output).splitlines():
        oid, _, name = line.partition(" ")
        short = name.removeprefix("refs/heads/")
        if name.startswith("refs/remotes/"):
            short = name.removeprefix("refs/remotes/").partition("/")[2]
        if short == branch and whereabouts(root, oid, [sha])[sha] == "reachable":
            return True
    return False


def side_trailers(root: Path, merges: Sequence[LineCommit]) -> Mapping[str, frozenset[str]]:
    """The instruments that the commits name which each merge brought from its other parents."""
    if not merges:
        return {}
    merged = [parent for one in merges for parent in one.parents[1:]]
    feed = "".join(f"{one}\n" for one in (*merged, *(f"^{one.parents[0]}" for one in merges[:1]))).encode()
    output = run(
        root,
        "log",
        "-z",
        f"--format=%H%x00%P%x00{_TRAILERS}",
        "--stdin",
        feed=feed,
        settings=PLAIN,
        most=_MOST,
    )
    tokens = output.decode("utf-8", "backslashreplace").split("\0")
    known = {tokens[at]: (tokens[at + 1].split(), tokens[at + 2]) for at in range(0, len(tokens) - 2, 3)}
    return {one.sha: frozenset(_brought(one, known)) for one in merges}


def _brought(merge: LineCommit, known: Mapping[str, tuple[list[str], str]]) -> Iterator[str]:
    waiting, seen = list(merge.parents[1:]), {merge.parents[0]}
    for sha in waiting:
        if sha in seen or sha not in known:
            continue
        seen.add(sha)
        parents, trailers = known[sha]
        yield from _named(trailers)
        waiting += parents


def tree_of(root: Path, commit: str) -> str | None:
    """The id of a commit's tree; None where there is no such commit here."""
    if not _HEADER.fullmatch(commit):
        return None
    status, output, _ = call(root, "rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", settings=PLAIN)
    return os.fsdecode(output).strip() if status == 0 else None
