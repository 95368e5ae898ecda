"""What can go wrong at the edges: each error says what happened and what to do next."""

from __future__ import annotations

import shlex
from pathlib import Path

_SAID = 800


class RepositoryError(Exception):
    """A broken environment: `message` says what happened, `remedy` what to do next."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class NoGame(RepositoryError):
    """Neither a directory nor any above it holds a game."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"there is no nomic.yml in {path} or above it", "start a game with `nomicgen init`, or go to where one is"
        )
        self.path = path


class UnknownRevision(RepositoryError):
    """A name that git knows no commit by."""

    def __init__(self, ref: str) -> None:
        super().__init__(
            f"git knows no commit called {ref!r}",
            "fetch it first (`git fetch origin`), or name another: `git log --all`",
        )
        self.ref = ref


class Unreadable(RepositoryError):
    """A file or directory of the game that cannot be read; `why` is the system's word or ours."""

    def __init__(self, path: str, why: str | None) -> None:
        super().__init__(f"{path} cannot be read: {why}", "look at it with `ls -l`; give permission, or move it away")
        self.path = path


class Locked(RepositoryError):
    """Another command is writing to the game."""

    def __init__(self, root: Path) -> None:
        super().__init__(f"another command is at work on {root}", "wait until it has ended, then run this one again")


class UnsafePath(RepositoryError):
    """A path that a plan may not write to."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} is not written: {why}", "see to that path, then run the command again")
        self.path = path


class Changed(RepositoryError):
    """Files that someone edited since they were read."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        super().__init__(f"changed while the command ran: {', '.join(paths)}", "nothing was written; run it again")
        self.paths = paths


class Edited(RepositoryError):
    """Files that someone edited after a command was interrupted that was about to write them."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        super().__init__(
            f"changed after a command was interrupted that was writing there: {', '.join(paths)}",
            "move your version elsewhere, run `nomicgen status`, then bring back what you want of it",
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
    """A write was decided, and then the system refused a part of it. The next command completes it."""

    def __init__(self, root: Path, error: OSError) -> None:
        super().__init__(
            f"the write stopped at {error.filename or root}: {error.strerror or error}",
            "give permission or make room; the next command completes the write",
        )


class ForeignJournal(RepositoryError):
    """A `.nomicgen` that no interrupted command left here."""

    def __init__(self, root: Path, why: str) -> None:
        super().__init__(
            f"{root / '.nomicgen'} was not left here by an interrupted command: {why}",
            "look at the game with `git status`, then delete .nomicgen",
        )


class Overfull(RepositoryError):
    """A game of more than can be read; `what` says of what."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the game has more than {what}", "move what is none of its files out of its folders, or delete it"
        )


class TooMuch(RepositoryError):
    """Another commit holds more than is read of anybody's; `what` says more of what."""

    def __init__(self, what: str) -> None:
        super().__init__(f"that commit holds more than is read of one: {what}", "make another without them")


class GitFailed(RepositoryError):
    """Git ended with an error; `stderr` is what it said."""

    def __init__(self, command: str, stderr: str) -> None:
        said = " ".join(stderr[:_SAID].split()) or "it gave no reason"
        super().__init__(f"`git {command}` failed: {said}", "mend that, then run the command again")
        self.stderr = stderr


class Hung(GitFailed):
    """Git printed nothing for so many seconds that it was ended."""

    def __init__(self, command: str, seconds: float) -> None:
        super().__init__(command, "")
        self.message = f"`git {command}` printed nothing for {seconds:.0f} seconds, and was ended"
        self.remedy = f"see whether `git {command}` ends by itself, and what it waits for"


class Special(RepositoryError):
    """Something that git would read, which is no file."""

    def __init__(self, path: Path, kind: str) -> None:
        super().__init__(
            f"{path} is {kind}, and git would wait for it for ever",
            "trust nothing in that folder until you know who put it there; then remove it",
        )


class NoGit(RepositoryError):
    """There is no git program, or it does not run."""

    def __init__(self, why: str) -> None:
        super().__init__(f"git does not run: {why}", "install git, and see that it is in the PATH")


class OldGit(NoGit):
    """The git program does not know what is asked of it; `version` is what it calls itself."""

    def __init__(self, version: str, needed: str) -> None:
        super().__init__(f"it is {version!r}, and {needed} or newer is needed")
        self.remedy = f"install {needed} or newer, and see that it comes first in the PATH"


class NotVersioned(RepositoryError):
    """The game lies in no git work tree."""

    def __init__(self, root: Path) -> None:
        super().__init__(f"{root} is in no git repository", "make one with `git init`")


class DubiousOwner(RepositoryError):
    """Git will not work in a repository that belongs to someone else."""

    def __init__(self, root: Path) -> None:
        super().__init__(
            f"git refuses to work in {root}, which belongs to another user",
            f"if you trust it, run `git config --global --add safe.directory {shlex.quote(str(root))}`",
        )


class NoIdentity(RepositoryError):
    """Git does not know in whose name to commit."""

    def __init__(self) -> None:
        super().__init__(
            "git does not know in whose name to commit",
            'run `git config --global user.name "…"` and `git config --global user.email …`',
        )


class NothingToCommit(RepositoryError):
    """The files are as the last commit has them."""

    def __init__(self) -> None:
        super().__init__("there is nothing to commit", "the files are as the last commit has them")


class Detached(RepositoryError):
    """HEAD is at a commit and on no branch."""

    def __init__(self) -> None:
        super().__init__(
            "no branch is checked out (HEAD is detached), so a commit would be on none",
            "type `git switch BRANCH` to go to one, or `git switch -c NAME` to begin one here; then try again",
        )


class GitBusy(RepositoryError):
    """Git is in the middle of something, or another git command is at work."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)


class IndexHeld(GitBusy):
    """Another git command holds the index."""

    def __init__(self) -> None:
        super().__init__(
            "another git command holds the index", "wait until it has ended; where none runs, remove `.git/index.lock`"
        )


class Filtered(RepositoryError):
    """A file that git would put through a program before it is committed."""

    def __init__(self, path: str, name: str) -> None:
        super().__init__(
            f"{path} has the filter {name!r}, a program that would commit something else than what the file holds",
            "take `filter` out of .gitattributes for the game's files: they are committed as they are",
        )
        self.path = path


class Unarmed(RepositoryError):
    """Settings of a repository that name programs in a way that git cannot be kept from."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"git's settings for this repository name {what}, which might be run",
            "look at them with `git config --list --show-origin`, and take them out",
        )


class Posing(RepositoryError):
    """A folder of files that git takes for a repository."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} poses as a git repository of its own: it holds HEAD, objects and refs",
            "trust nothing in it until you know who put them there; then remove those three",
        )


class Partial(RepositoryError):
    """A partial clone lacks an object that is needed."""

    def __init__(self) -> None:
        super().__init__(
            "this is a partial clone, and what is needed is not in it; nothing is fetched from here",
            "make the clone whole with `git fetch --refetch --no-filter`, or clone anew without --filter",
        )


class Sparse(RepositoryError):
    """A sparse checkout leaves files of the game out."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        super().__init__(
            f"a sparse checkout leaves files of the game out: {paths[0]}{more}",
            "bring them back with `git sparse-checkout disable`, then run the command again",
        )
        self.paths = paths


class Elsewhere(RepositoryError):
    """A repository in `folder`, found from the game, whose work tree is elsewhere or nowhere."""

    def __init__(self, root: Path, folder: Path) -> None:
        super().__init__(
            f"{root} is no work tree: the settings of {folder} say that it is elsewhere, or that there is none",
            "look at core.worktree and core.bare with `git config --list --show-origin`",
        )
