"""Git: `call` and `run`, through which every command of git goes, and where a game lies in its
repository.

If git fails, `run` raises one of the errors of `failure`; `call` returns git's status.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgen.model.identifiers import CommitId
from nomicgen.repository.errors import (
    DubiousOwner,
    FakeRepository,
    GitFailed,
    GitHung,
    IndexHeld,
    NoGit,
    NotVersioned,
    OldGit,
    PartialClone,
    RepositoryError,
    WorkTreeElsewhere,
)
from nomicgen.repository.git_guard import (
    ENVIRONMENT,
    INERT,
    LISTING,
    Guard,
    cleanse,
    guard_from_settings,
)
from nomicgen.repository.git_guard import SETTINGS as GUARDED
from nomicgen.repository.paths import nearest_git
from nomicgen.repository.process_output import NoOutput, ProcessOutput

if TYPE_CHECKING:
    from nomicgen.repository.gitpython import Git

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
"""What git may be in the middle of, by the file that it then keeps: a name, and what ends it."""
PLAIN = ("core.commitGraph=false",)
"""Settings for reading a history: git caches a graph of commits, which may be wrong."""


_MOST = 256 << 20  # bytes of what git prints
_SHOWN = 80  # bytes of unexpected output
_ID = r"[0-9a-f]{40}|[0-9a-f]{64}"
_FORMATS = ("sha1", "sha256")
_OLDEST = (2, 31)  # the version of git that is needed
_VERSION = r"git version (\d{1,4})\.(\d{1,4})"
# These commands do little, so git soon prints something.
_QUICK = frozenset(
    {"check-attr", "config", "init", "rev-parse", "symbolic-ref", "update-ref", "var", "version"}
)
# For how many seconds a quick command may print nothing, and any other.
_LITTLE, _LONG = 15.0, 30.0


class Place(Struct, frozen=True, kw_only=True):
    """Where a game lies in its work tree: in the folder `prefix` (`games/lock/`, or '').

    `head` is None before the first commit. `object_format` is `sha1` or `sha256`. `paths` has the
    places of files that git may keep, by their names: `shallow`, `index.lock`, and those of
    `UNDER_WAY`.
    """

    root: Path
    prefix: str
    head: CommitId | None
    shallow: bool
    object_format: str
    paths: Mapping[str, Path]


def run(
    root: Path,
    command: str,
    *arguments: str,
    feed: bytes = b"",
    environment: Mapping[str, str] | None = None,
    most: int = _MOST,
    settings: Sequence[str] = (),
    patience: float | None = None,
) -> bytes:
    """Return what `git COMMAND` prints, run in `root` with `feed` as its input, with further
    variables (`environment`) and settings (`name=value`).

    Raises TooMuch for more than `most` bytes, GitHung where nothing comes for `patience` seconds
    (by default 15 or 30), NoGit, UnsafeSettings, and the errors of `failure` where git fails.
    """
    status, output, stderr = call(
        root,
        command,
        *arguments,
        feed=feed,
        environment=environment,
        most=most,
        settings=settings,
        patience=patience,
    )
    if status:
        raise failure(root, command, stderr)
    return output


def call(
    root: Path,
    command: str,
    *arguments: str,
    feed: bytes = b"",
    environment: Mapping[str, str] | None = None,
    most: int = _MOST,
    settings: Sequence[str] = (),
    patience: float | None = None,
) -> tuple[int, bytes, str]:
    """Run git as `run` does; return its status, what it printed, and what it said on stderr.

    Where the command itself fails nothing is raised: the caller looks at the status.
    """
    variables = {**ENVIRONMENT, **(environment or {})}
    process = _start_git(_command_line(root, (command, *arguments), settings), variables, feed)
    try:
        with closing(
            ProcessOutput(process, patience or (_LITTLE if command in _QUICK else _LONG))
        ) as output:
            printed = output.read_all(most)
            status = output.end()
    except NoOutput as error:
        raise GitHung(command, error.seconds) from error
    return (
        status,
        printed,
        output.stderr or (f"it was ended by signal {-status}" if status < 0 else ""),
    )


def git_setting(root: Path, key: str) -> str | None:
    """Return the value of a key in git's settings, those of the repository included; None where it
    has none or an empty one, or git fails.
    """
    status, output, _ = call(root, "config", "--get", key)
    words = output.decode("utf-8", "replace").strip()
    return words if status == 0 and words else None


def _start_git(
    command_line: Sequence[str], environment: Mapping[str, str], feed: bytes
) -> Git.AutoInterrupt:
    """Start git with `feed` as its input. Raises NoGit."""
    # Imported late: `nomicgen status`, which asks git nothing, saves a tenth of its time.
    from nomicgen.repository.gitpython import Git, GitCommandNotFound

    cleanse(os.environ)
    with ExitStack() as stack:
        stream = None
        if feed:
            stream = stack.enter_context(TemporaryFile())
            stream.write(feed)
            stream.seek(0)
        try:
            return Git().execute(command_line, istream=stream, as_process=True, env=environment)
        except GitCommandNotFound as error:
            raise NoGit("there is no such program") from error
        except OSError as error:
            raise NoGit(error.strerror or str(error)) from error


def _command_line(root: Path, command: Sequence[str], settings: Sequence[str] = ()) -> list[str]:
    """Return git's command line with the settings that guard it. Raises what `guard_of` raises."""
    disarmed = () if command[0] in INERT else guard_of(root).settings
    return [
        "git",
        *("-C", str(root.absolute())),
        *(option for setting in (*GUARDED, *disarmed, *settings) for option in ("-c", setting)),
        *command,
    ]


def guard_of(root: Path) -> Guard:
    """Return the names of filters that git knows in `root`, and the settings that keep git from
    running them and other programs.

    Raises UnsafeSettings, and what `run` raises.
    """
    return guard_from_settings(run(root, "config", *LISTING))


def failure(root: Path, command: str, stderr: str) -> RepositoryError:
    """Return the error that git's words on stderr tell of; for unknown words OldGit if git is too
    old, else GitFailed.
    """
    if "dubious ownership" in stderr or "unsafe repository" in stderr:
        return DubiousOwner(root)
    if "index.lock" in stderr:
        return IndexHeld()
    if "from promisor remote" in stderr or "lazy fetching disabled" in stderr:
        return PartialClone()
    # If there is something called .git, and git finds no repository, it is a broken one.
    if "not a git repository" in stderr and nearest_git(root) is None:
        return NotVersioned(root)
    return _too_old(root) or GitFailed(command, stderr)


def unexpected_output(root: Path, command: str, output: bytes) -> RepositoryError:
    """Return the error for output of git that cannot be read."""
    return _too_old(root) or GitFailed(command, f"it printed {output[:_SHOWN]!r}")


@contextmanager
def reading_output(root: Path, command: str, output: bytes) -> Iterator[None]:
    """Run a block that reads what git printed: a ValueError in it means unexpected output."""
    try:
        yield
    except ValueError as error:
        raise unexpected_output(root, command, output) from error


def _too_old(root: Path) -> OldGit | None:
    status, output, _ = call(root, "version")
    version = output[:_SHOWN].decode(errors="replace").strip()
    match = re.match(_VERSION, version)
    if status or match is None or (int(match[1]), int(match[2])) >= _OLDEST:
        return None
    return OldGit(version, "git {}.{}".format(*_OLDEST))


def locate(root: Path) -> Place:
    """Return where the game in `root` lies. Raises NotVersioned, WorkTreeElsewhere, FakeRepository,
    and what `run` raises.
    """
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
    inside, *words = os.fsdecode(output).split("\n", 3 + len(names))
    if (
        len(words) != 3 + len(names)
        or words[1] not in _FORMATS
        or {inside, words[0]} - {"true", "false"}
    ):
        raise unexpected_output(root, "rev-parse", output)
    shallow, object_format, *rest = words
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
    """Raise an error unless the game lies in a work tree. `folder` is the repository's own,
    such as `.git`; `inside` is git's answer.
    """
    is_within = root.resolve().is_relative_to(folder)
    if is_within and folder.name != ".git":
        # Git takes any folder with HEAD, objects and refs for a repository, and a clone can bring
        # one along.
        raise FakeRepository(folder)
    if not inside:
        raise NotVersioned(root) if is_within else WorkTreeElsewhere(root, folder)


def object_named(root: Path, name: str) -> str | None:
    """Return the id of the object that git knows by a name; None where git knows none, or fails."""
    status, output, _ = call(
        root, "rev-parse", "--verify", "--quiet", "--end-of-options", name, settings=PLAIN
    )
    # Before 2.36 git printed `--end-of-options` as well.
    return (
        object_id(root, "rev-parse", output.strip().rpartition(b"\n")[2]) if status == 0 else None
    )


def branch_ref(root: Path) -> str | None:
    """Return the full name of the branch that HEAD is on, such as `refs/heads/main`; None where it
    is on none.
    """
    status, output, stderr = call(root, "symbolic-ref", "--quiet", "HEAD")
    if status > 1:
        raise failure(root, "symbolic-ref", stderr)
    return os.fsdecode(output).strip() if status == 0 else None


def head_of(root: Path) -> CommitId | None:
    """Return the id of the commit that HEAD names; None before the first commit."""
    head = object_named(root, "HEAD")
    if head is not None:
        return CommitId(head)
    # `--quiet` says nothing about a branch without a commit, and nothing about a broken one.
    _, _, stderr = call(root, "log", "--max-count=1", "--format=")
    if "does not have any commits yet" in stderr:
        return None
    raise failure(root, "log", stderr)


def boundaries(shallow: Path) -> frozenset[str]:
    """Return the commits at which a shallow clone ends, from git's file `shallow`.

    Empty where there is no such file. Raises GitFailed.
    """
    try:
        return frozenset(shallow.read_text("ascii").split())
    except FileNotFoundError:
        return frozenset()
    except (OSError, ValueError) as error:
        raise GitFailed(
            "log", f"the list of a shallow clone's ends cannot be read: {error}"
        ) from error


def object_id(root: Path, command: str, output: bytes) -> str:
    """Return the id of an object that git printed, alone on its line. Raises GitFailed, OldGit."""
    name = output.decode(errors="replace").strip()
    if not re.fullmatch(_ID, name):
        raise unexpected_output(root, command, output)
    return name
