"""What commits of a game's past held, read from the repository's objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from nomicgen.files.documents import read_settings
from nomicgen.files.text_encoding import Oddity
from nomicgen.history.ledger_digest import ledger_digest
from nomicgen.model.line_commits import CommitLine, LineCommit, TouchedFile
from nomicgen.model.settings import Settings
from nomicgen.play.load import Tree
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.first_parents import sized_contents
from nomicgen.repository.game_tree import SETTINGS


def apply_touched(files: dict[str, str], touched: Iterable[TouchedFile]) -> None:
    """Change `files`, the ids of blobs by path, as the commit did that touched `touched`."""
    for touch in touched:
        if touch.blob is None:
            files.pop(touch.path, None)
        else:
            files[touch.path] = touch.blob


def files_of(commits: Iterable[LineCommit]) -> dict[str, str]:
    """Return the files after all `commits`, which begin with the first of the line: the ids of
    blobs by path.
    """
    files: dict[str, str] = {}
    for commit in commits:
        apply_touched(files, commit.touched)
    return files


def first_game_commit(line: CommitLine) -> int:
    """Return the index of the commit that brought `nomic.yml`.

    Commits before it do not belong to this game. Raises RepositoryError if none did.
    """
    for commit in line.commits:
        if any(touch.path == SETTINGS and touch.blob is not None for touch in commit.touched):
            return commit.index
    raise RepositoryError(
        f"no commit has {SETTINGS} yet", "commit the game first: `git add .`, `git commit`"
    )


class PastReader(Struct):
    """The contents of blobs by id. One call of git reads all that is asked for at once, and nothing
    is read twice.
    """

    root: Path
    known: dict[str, bytes | Oddity] = {}

    def read(self, blobs: Collection[str]) -> Mapping[str, bytes | Oddity]:
        """Return all that is known after reading these, too, except submodules and symbolic links:
        before their ids stand a mode and a space.

        Raises RepositoryError.
        """
        wanted = {blob for blob in blobs if blob not in self.known and " " not in blob}
        if wanted:
            self.known |= sized_contents(self.root, wanted)
        return self.known

    def settings(self, line: CommitLine) -> Mapping[int, Settings | None]:
        """Return what `nomic.yml` says at each commit of a line that changed it, by its index; None
        where it cannot be read. Raises RepositoryError.
        """
        blobs = {
            commit.index: touch.blob
            for commit in line.commits
            for touch in commit.touched
            if touch.path == SETTINGS and touch.blob is not None
        }
        known = self.read({*blobs.values()})
        return {index: settings_in(known.get(blob)) for index, blob in blobs.items()}

    def tree(self, files: Mapping[str, str]) -> Tree:
        """Return the contents of files by path, or why one has none, given the ids of their blobs.

        Pictures are empty: only their names are judged. Raises RepositoryError.
        """
        known = self.read(files.values())
        return {path: _file(path, blob, known) for path, blob in sorted(files.items())}


def settings_in(data: object) -> Settings | None:
    """Return what the bytes of a `nomic.yml` say; None where they cannot be read."""
    read = read_settings(SETTINGS, data)[0] if isinstance(data, bytes) else None
    return None if read is None else read[0]


def ledger_digest_at(line: CommitLine, reader: PastReader, index: int) -> str:
    """Return the digest of the ledger as a commit of the line has it. Raises RepositoryError."""
    return ledger_digest(reader.tree(files_of(line.commits[: index + 1])))


def _file(path: str, blob: str, known: Mapping[str, bytes | Oddity]) -> bytes | Oddity:
    """Return the contents of a file; `blob` has a mode before the id if it is no plain file."""
    mode, _, oid = blob.rpartition(" ")
    if mode:
        return Oddity("submodule", oid) if mode == "160000" else Oddity("symlink", "another file")
    return b"" if path.casefold().startswith("images/") else known[blob]
