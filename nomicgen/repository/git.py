"""Git: what a game's directory is, and its history in one pass; every command that any module runs goes through `run`.

The only module that knows GitPython. Git's failing is an error with a name, never an empty answer.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from nomicgen.archive.provenance import GitState, Log
from nomicgen.repository.errors import (
    DubiousOwner,
    Elsewhere,
    GitFailed,
    IndexHeld,
    NoGit,
    NotVersioned,
    Partial,
    Posing,
    RepositoryError,
    Sparse,
    TooMuch,
)
from nomicgen.repository.guard import ENVIRONMENT, INERT, LISTING, Drivers, drivers, told, withheld
from nomicgen.repository.guard import SETTINGS as GUARDED
from nomicgen.repository.log import FORMAT, parse_log
from nomicgen.repository.tree import FOLDERS, SETTINGS, shown_path

try:
    from git import Git
    from git.exc import GitCommandNotFound
except ImportError as error:
    # GitPython tries out git while it is loaded. A game can be checked without git, so this is told when git is asked.
    _IMPORTED: str | None = str(error).partition("\n")[0]
else:
    _IMPORTED = None

__all__ = [
    "UNDER_WAY",
    "Place",
    "boundaries",
    "call",
    "drivers_of",
    "failure",
    "folders",
    "head_of",
    "inspect",
    "located",
    "one_line",
    "opened",
    "require_present",
    "run",
    "scan",
]

# A rebase picks and merges, so it comes first.
UNDER_WAY = {
    "rebase-merge": ("rebase", "git rebase --abort"),
    "rebase-apply/applying": ("git am", "git am --abort"),
    "rebase-apply": ("rebase", "git rebase --abort"),
    "MERGE_HEAD": ("merge", "git merge --abort"),
    "CHERRY_PICK_HEAD": ("cherry-pick", "git cherry-pick --abort"),
    "REVERT_HEAD": ("revert", "git revert --abort"),
    "sequencer": ("cherry-pick or a revert", "git cherry-pick --quit"),
    "BISECT_LOG": ("bisect", "git bisect reset"),
}
"""What git may be in the middle of, by what it then keeps, and how that is ended."""


_GAME = (SETTINGS, *sorted(FOLDERS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a game lies in its work tree; `head` is None before the first commit, `paths` as `git --git-path` says."""

    root: Path
    prefix: str
    head: str | None
    shallow: bool
    object_format: str
    paths: Mapping[str, Path]


def inspect(root: Path) -> GitState:
    """What git says about the game in `root`; not `present` without git or outside a work tree.

    Raises DubiousOwner, GitFailed.
    """
    try:
        place = located(root)
    except NotVersioned:
        return GitState(present=False, reason="the game is in no git repository")  # the path is nobody's business
    except NoGit as error:
        return GitState(present=False, reason=error.message)
    return GitState(
        present=True,
        shallow=place.shallow,
        head=place.head,
        prefix=place.prefix,
        dirty=_dirty(place),
        object_format=place.object_format,
    )


def folders(root: Path) -> tuple[Path, ...]:
    """Where git keeps HEAD, and where its branches; () outside a work tree. Raises DubiousOwner, GitFailed."""
    try:
        paths = located(root).paths
    except (NotVersioned, NoGit):
        return ()
    return tuple(dict.fromkeys(paths[name].resolve().parent for name in ("index.lock", "shallow")))


def scan(root: Path, *, rules_only: bool = False) -> Log:
    """The first-parent line of HEAD, oldest first, with what each commit changed in the game: one pass of `git log`.

    With `rules_only` the same commits, with what they changed in `rules/`: git compares folders entry by entry, and
    that of the proposals has thousands. Where the game is not at the work tree's top, only commits that changed
    something in it are listed, and then with everything that they changed.
    Raises NotVersioned, NoGit, DubiousOwner, GitFailed.
    """
    place = located(root)
    if place.head is None:
        return Log()
    options = (
        "--first-parent --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent --relative "
        "--no-ext-diff --no-textconv --encoding=UTF-8"
    )
    # `--sparse` keeps the commits that changed nothing there.
    limit = ("--", ".") if place.prefix else ("--sparse", "--", "rules") if rules_only else ("--",)
    output = run(root, "log", *options.split(), f"--format={FORMAT}", place.head, *limit)
    return parse_log(output, boundaries(place))


def run(
    root: Path,
    command: str,
    *arguments: str,
    feed: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    most: int | None = None,
    settings: Sequence[str] = (),
) -> bytes:
    """What `git command` prints, run in `root` with `feed` as its input, under further `settings` (`name=value`).

    Raises TooMuch for more than `most` bytes, and what git's failing raises.
    """
    status, output, said = call(
        root, command, *arguments, feed=feed, environment=environment, most=most, settings=settings
    )
    if status:
        raise failure(root, command, said)
    return output


def call(
    root: Path,
    command: str,
    *arguments: str,
    feed: bytes | None = None,
    environment: Mapping[str, str] | None = None,
    most: int | None = None,
    settings: Sequence[str] = (),
) -> tuple[int, bytes, str]:
    if _IMPORTED is not None:
        raise NoGit(_IMPORTED)
    given = {**ENVIRONMENT, **(environment or {})}
    line = _line(root, (command, *arguments), given, settings)
    with tempfile.TemporaryFile() as stream:
        stream.write(feed or b"")
        stream.seek(0)
        try:
            if most is not None:
                return _bounded(Git(str(root)).execute(line, istream=stream, env=given, as_process=True), most)
            status, output, said = Git(str(root)).execute(
                line,
                istream=stream,
                env=given,
                with_extended_output=True,
                with_exceptions=False,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        except (GitCommandNotFound, PermissionError) as error:
            raise NoGit("there is no such program") from error
    return status, output, said


def _line(root: Path, command: Sequence[str], given: Mapping[str, str], settings: Sequence[str] = ()) -> list[str]:
    """What is run; `given` are the variables that it gets."""
    unset = tuple(option for name in withheld(os.environ) if name not in given for option in ("-u", name))
    disarmed = () if command[0] in INERT else drivers_of(root).settings
    return [
        # GitPython can add to the environment, but take nothing from it.
        *(("env", *unset) if unset else ()),
        Git.GIT_PYTHON_GIT_EXECUTABLE or "git",
        # GitPython would rather run git somewhere else than fail to enter a directory.
        *("-C", str(root.absolute())),
        *(option for one in (*told(os.environ), *GUARDED, *disarmed, *settings) for option in ("-c", one)),
        *command,
    ]


def drivers_of(root: Path) -> Drivers:
    """The programs that git would run on files there, and what keeps it from that. Raises GitFailed, Unarmed."""
    return drivers(run(root, "config", *LISTING))


@contextmanager
def opened(root: Path, command: str, *arguments: str, feed: bytes) -> Iterator[IO[bytes]]:
    """What `git command` prints, to be read as it comes, to the end. Raises what git's failing raises, after it."""
    if _IMPORTED is not None:
        raise NoGit(_IMPORTED)
    with tempfile.TemporaryFile() as stream:
        stream.write(feed)
        stream.seek(0)
        try:
            line = _line(root, (command, *arguments), ENVIRONMENT)
            process = Git(str(root)).execute(line, istream=stream, env=ENVIRONMENT, as_process=True)
        except (GitCommandNotFound, PermissionError) as error:
            raise NoGit("there is no such program") from error
    try:
        yield process.stdout
        said = process.stderr.read().decode(errors="replace")
    finally:
        process.stdout.close()
        process.stderr.close()
        # The wrapper's own `wait` raises where git fails.
        status = process.proc.wait() if process.proc is not None else 0
    if status:
        raise failure(root, command, said)


def _bounded(process: Git.AutoInterrupt, most: int) -> tuple[int, bytes, str]:
    """What a process prints, which is ended where that is more than `most` bytes: a few objects can name millions."""
    output = process.stdout.read(most + 1)
    is_whole = len(output) <= most
    if not is_whole:
        process.kill()
    said = process.stderr.read().decode(errors="replace")
    process.stdout.close()
    process.stderr.close()
    # The wrapper's own `wait` raises where git fails.
    status = process.proc.wait() if process.proc is not None else 0
    if not is_whole:
        raise TooMuch(f"a list of files of more than {most >> 20} MiB")
    return status, output, said


def failure(root: Path, command: str, said: str) -> RepositoryError:
    if "dubious ownership" in said or "unsafe repository" in said:
        return DubiousOwner(root)
    if "index.lock" in said:
        return IndexHeld()
    if "from promisor remote" in said or "lazy fetching disabled" in said:
        return Partial()
    if "not a git repository" in said and not _has_git(root):
        return NotVersioned(root)
    return GitFailed(command, said)


def _has_git(root: Path) -> bool:
    """Whether there is something called .git: then a repository that git does not find is a broken one."""
    here = root.resolve()
    return any(os.path.lexists(directory / ".git") for directory in (here, *here.parents))


def located(root: Path) -> Place:
    names = ("shallow", "index.lock", *UNDER_WAY)
    asked = [option for name in names for option in ("--git-path", name)]
    # The prefix comes last: it alone may hold a line feed.
    output = run(
        root,
        "rev-parse",
        "--is-inside-work-tree",
        "--is-shallow-repository",
        "--show-object-format",
        *asked,
        "--show-prefix",
    )
    inside, shallow, object_format, *rest = os.fsdecode(output).split("\n", 3 + len(asked) // 2)
    paths = {name: root / path for name, path in zip(names, rest, strict=False)}
    _require_work_tree(root, paths["index.lock"].parent.resolve(), inside=inside == "true")
    return Place(
        root=root,
        prefix=rest[-1].removesuffix("\n"),
        head=head_of(root),
        shallow=shallow == "true",
        object_format=object_format,
        paths=paths,
    )


def _require_work_tree(root: Path, folder: Path, *, inside: bool) -> None:
    """That the game lies in the work tree of the repository in `folder`, and not in `folder`."""
    is_within = root.resolve().is_relative_to(folder)
    if is_within and folder.name != ".git":
        # Git takes any folder with HEAD, objects and refs for a repository, and a clone can bring one along.
        raise Posing(folder)
    if not inside:
        raise NotVersioned(root) if is_within else Elsewhere(root, folder)


def head_of(root: Path) -> str | None:
    status, output, said = call(root, "rev-parse", "--verify", "--quiet", "HEAD")
    if status == 0:
        return one_line(output)
    # `--quiet` keeps silent about a branch that is not born and about one that is broken.
    status, _, said = call(root, "log", "--max-count=1", "--format=")
    if "does not have any commits yet" in said:
        return None
    raise failure(root, "log", said)


def boundaries(place: Place) -> frozenset[str]:
    """The commits at which a shallow clone ends."""
    if not place.shallow:
        return frozenset()
    try:
        return frozenset(place.paths["shallow"].read_text("ascii").split())
    except (OSError, ValueError) as error:
        raise GitFailed("log", f"the list of a shallow clone's ends cannot be read: {error}") from error


def require_present(root: Path) -> None:
    """That no file of the game is left out by a sparse checkout. Raises Sparse; without git all is there."""
    try:
        _marked(root)
    except Sparse:
        raise
    except RepositoryError:
        return


def _dirty(place: Place) -> tuple[str, ...]:
    found = _status(place, {})
    if _marked(place.root):
        # A copy of the index that knows nothing of the disk trusts no mark.
        with tempfile.TemporaryDirectory() as folder:
            environment = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            run(place.root, "read-tree", place.head or "--empty", environment=environment)
            found |= _status(place, environment)
    return tuple(sorted(shown_path(path) for path in found))


def _status(place: Place, environment: Mapping[str, str]) -> set[bytes]:
    output = run(
        place.root,
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=all",
        # What is ignored is read as well, and so it must be committed.
        "--ignored=traditional",
        "--no-renames",
        "--ignore-submodules=all",
        "--",
        *_GAME,
        environment=environment,
    )
    prefix = os.fsencode(place.prefix)
    return {entry[3:].removeprefix(prefix) for entry in output.split(b"\0") if entry}


def _marked(root: Path) -> bool:
    """Whether the index marks files of the game so that git looks for no change in them. Raises Sparse."""
    entries = run(root, "ls-files", "-v", "-z", "--", *_GAME).split(b"\0")
    marked = [(entry[:1], entry[2:]) for entry in entries if entry and (entry[:1] == b"S" or entry[:1].islower())]
    gone = [path for tag, path in marked if tag in b"Ss" and not os.path.lexists(os.fsencode(root) + b"/" + path)]
    if gone:
        raise Sparse(tuple(map(shown_path, gone)))
    return bool(marked)


def one_line(output: bytes) -> str:
    return output.decode("ascii").strip()
