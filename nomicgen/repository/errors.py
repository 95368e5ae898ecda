"""What can go wrong with disk and git: each error says what happened and what to do next."""

from __future__ import annotations

import errno
import os
import shlex
from pathlib import Path
from typing import ClassVar

_SAID = 800  # characters shown of what git said
NO_REPOSITORY = "the game is in no git repository"
"""What `GitState` says instead of `NotVersioned`: it may be published, so it names no path."""


class RepositoryError(Exception):
    """Something is wrong with the disk, with git, or with how they are used: `message` says what
    happened, `remedy` what to do next.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class _WordedError(RepositoryError):
    """An error with fixed words; its arguments take the place of the braces in `happened`.

    The docstrings of such errors name the arguments after a colon.
    """

    happened: ClassVar[str]
    advice: ClassVar[str]

    def __init__(self, *about: object) -> None:
        super().__init__(self.happened.format(*about), self.advice)


class NoGame(_WordedError):
    """Neither a directory nor any above it holds a game: the directory.

    `misnamed` is a file in it that was probably meant to be nomic.yml.
    """

    happened = "there is no nomic.yml in {} or above it"
    advice = "start a game with `nomicgen init DIRECTORY`, or go to where one is"

    def __init__(self, directory: Path, misnamed: str | None = None) -> None:
        super().__init__(directory)
        if misnamed is not None:
            self.remedy = f"rename {misnamed} to nomic.yml"


class UnknownRevision(_WordedError):
    """A name that git knows no commit by: the name."""

    happened = "git knows no commit called {!r}"
    advice = "fetch it first (`git fetch origin`), or name another: `git log --all`"


class Unreadable(_WordedError):
    """A file or directory that cannot be read: its path, and the reason."""

    happened = "{} cannot be read: {}"
    advice = "look at it with `ls -l`: correct the path, give permission, or move it away"

    def __init__(self, path: str, reason: str | None) -> None:
        super().__init__(path, reason)
        if reason == os.strerror(errno.ENOENT):
            self.remedy = "correct the path"


class Locked(_WordedError):
    """Another command reads or writes the game: the game's directory."""

    happened = "another command is at work on {}"
    advice = "wait until it has ended, then run this one again"


class UnsafePath(_WordedError):
    """A path that a plan may not write to: the path, and why."""

    happened = "{!r} is not written: {}"
    advice = "see to that path, then run the command again"


class Changed(RepositoryError):
    """Files that someone edited since they were read."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        super().__init__(
            f"changed while the command ran: {', '.join(paths)}",
            "nothing was written; run it again",
        )
        self.paths = paths


class Edited(RepositoryError):
    """Files that a command was about to write when it was interrupted, and that someone has edited
    since.
    """

    def __init__(self, paths: tuple[str, ...]) -> None:
        super().__init__(
            f"edited since a command that was writing there was interrupted: {', '.join(paths)}",
            "move your version elsewhere, run `nomicgen status`, then bring back what you want "
            "of it",
        )
        self.paths = paths


class WriteFailed(RepositoryError):
    """The system refused a write; no file of the game was changed."""

    def __init__(self, root: Path, error: OSError) -> None:
        super().__init__(
            f"{error.filename or root} cannot be written: {error.strerror or error}",
            "nothing was changed; make room or give permission, then run the command again",
        )


class Unfinished(RepositoryError):
    """A write was decided, and then the system refused a part of it. The next command completes
    it, or takes it back if it was to be committed and is not.
    """

    def __init__(self, root: Path, error: OSError) -> None:
        super().__init__(
            f"the write stopped at {error.filename or root}: {error.strerror or error}",
            "give permission or make room; the next command completes the write or takes it back",
        )


class ForeignJournal(_WordedError):
    """A `.nomicgen` that no interrupted command left here: the game's directory, and why."""

    happened = "{}/.nomicgen was not left here by an interrupted command: {}"
    advice = "look at the game with `git status`, then delete .nomicgen"


class TooManyFiles(_WordedError):
    """A game has more files, or more bytes in them, than are read: the limit, in words."""

    happened = "the game has more than {}"
    advice = "move other files out of its folders, or delete them"


class TooMuch(_WordedError):
    """A commit, or a history, holds more than is read: what is too much."""

    happened = "that commit holds more than is read of one: {}"
    advice = "make another without them"


class GitFailed(RepositoryError):
    """Git ended with an error; `stderr` is what it said."""

    def __init__(self, command: str, stderr: str) -> None:
        reason = " ".join(stderr[:_SAID].split()) or "it gave no reason"
        super().__init__(
            f"`git {command}` failed: {reason}", "correct that, then run the command again"
        )
        self.stderr = stderr


class GitHung(GitFailed):
    """Git printed nothing for `seconds`, and was ended."""

    def __init__(self, command: str, seconds: float) -> None:
        super().__init__(command, "")
        self.message = f"`git {command}` printed nothing for {seconds:.0f} seconds, and was ended"
        self.remedy = f"see whether `git {command}` ends by itself, and what it waits for"


class NoGit(_WordedError):
    """There is no git program, or it does not run: the reason."""

    happened = "git does not run: {}"
    advice = "install git, and see that it is in the PATH"


class OldGit(NoGit):
    """The git program is too old for what is asked: its version, and what is needed."""

    def __init__(self, version: str, needed: str) -> None:
        super().__init__(version)
        self.message = f"git is too old: it is {version!r}, and {needed} or newer is needed"
        self.remedy = f"install {needed} or newer, and see that it comes first in the PATH"


class NotVersioned(_WordedError):
    """The game lies in no git work tree: its directory."""

    happened = "{} is in no git repository"
    advice = "make one with `git init`"


class DubiousOwner(RepositoryError):
    """Git will not work in a repository that belongs to someone else."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            f"git refuses to work in {root}, which belongs to another user",
            "if you trust it, run `git config --global --add safe.directory "
            f"{shlex.quote(str(root))}`",
        )


class NoIdentity(_WordedError):
    """Git does not know in whose name to commit."""

    happened = "git does not know in whose name to commit"
    advice = 'run `git config --global user.name "…"` and `git config --global user.email …`'


class NothingToCommit(_WordedError):
    """The files are as the last commit has them."""

    happened = "there is nothing to commit"
    advice = "the files are as the last commit has them"


class Detached(_WordedError):
    """HEAD is at a commit and on no branch."""

    happened = "no branch is checked out (HEAD is detached), so a commit would be on none"
    advice = (
        "type `git switch BRANCH` to go to one, or `git switch -c NAME` to begin one here; "
        "then try again"
    )


class GitBusy(RepositoryError):
    """Git is in the middle of something, or another git command is at work."""


class IndexHeld(GitBusy):
    """Another git command holds the index."""

    def __init__(self) -> None:
        super().__init__(
            "another git command holds the index",
            "wait until it has ended; where none runs, remove `.git/index.lock`",
        )


class FilteredFile(_WordedError):
    """A file that git would filter before it is committed: its path, and the filter's name."""

    happened = (
        "{} has the filter {!r}, a program that would commit something else than what the "
        "file holds"
    )
    advice = (
        "delete `filter` from .gitattributes for the game's files: they are committed as they are"
    )


class UnsafeSettings(_WordedError):
    """Settings name programs that git cannot be kept from running: what they name."""

    happened = "git's settings for this repository name {}, which might be run"
    advice = "look at them with `git config --list --show-origin`, and delete them"


class FakeRepository(_WordedError):
    """A folder of files that git takes for a repository: the folder."""

    happened = "{} poses as a git repository of its own: it holds HEAD, objects and refs"
    advice = "trust nothing in it until you know who put them there; then remove those three"


class PartialClone(_WordedError):
    """A partial clone lacks an object that is needed."""

    happened = (
        "this is a partial clone, and what is needed is not in it; nothing is fetched from here"
    )
    advice = (
        "make the clone whole with `git fetch --refetch --no-filter`, or clone anew without "
        "--filter"
    )


class SparseCheckout(RepositoryError):
    """A sparse checkout leaves files of the game out."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        super().__init__(
            f"a sparse checkout leaves files of the game out: {paths[0]}{more}",
            "bring them back with `git sparse-checkout disable`, then run the command again",
        )


class WorkTreeElsewhere(_WordedError):
    """The work tree is elsewhere, or there is none: the game's folder, and the repository's."""

    happened = (
        "{} is no work tree: the settings of {} say that it is elsewhere, or that there is none"
    )
    advice = "look at core.worktree and core.bare with `git config --list --show-origin`"
