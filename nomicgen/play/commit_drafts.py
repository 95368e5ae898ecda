"""The draft that a review was written on: the only one that its commit has and the game has not.

It is read from git as an object; nothing is checked out.
"""

from __future__ import annotations

import re
from pathlib import Path

from nomicgen.files.documents import read_instrument
from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.model.identifiers import CommitId, Digest
from nomicgen.model.records import Instrument
from nomicgen.repository.errors import TooMuch
from nomicgen.repository.git_objects import TreeEntry, objects
from nomicgen.repository.git_revisions import commit_id, files_at, has_commit, merge_base
from nomicgen.repository.git_state import inspect

# A proposal whose name is no number.
_DRAFT = r"(?i)proposals/(?![0-9]+\.md$)[^/]*\.md"
_FILES = ("100644", "100755", "100664")
"""Git's modes of ordinary files."""


class Drafts:
    """The drafts of commits of the repository at `root`. Each commit is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        # HEAD and its files; by commit its own draft, or why there is none.
        self._base: tuple[CommitId, dict[str, TreeEntry]] | None = None
        self._found: dict[str, str | Instrument] = {}
        self._is_git: bool | None = None

    def why_not(self, commit: CommitId | None, digest: Digest) -> str:
        """Return a line that says why a review of a commit is not about the text with this digest;
        '' if it is. Raises RepositoryError if git itself fails.
        """
        if commit is None:
            return "the recording does not say which commit the review is on"
        draft = self._found.get(commit)
        if draft is None:
            draft = self._found[commit] = self._read(commit)
        if isinstance(draft, str):
            return draft
        return (
            ""
            if draft.is_bound_by(digest)
            else f"it is on another text, that of commit {commit[:12]}"
        )

    def _read(self, commit: CommitId) -> str | Instrument:
        """Return a commit's own draft, or a line that says why there is none."""
        if self._is_git is None:
            self._is_git = inspect(self.root).present
        if not self._is_git or not has_commit(self.root, commit):
            return f"commit {commit} is not here: `git fetch origin {commit}`, then count again"
        try:
            own = self._own_drafts(commit)
        except TooMuch as error:
            return f"commit {commit[:12]} is not read: {error.message}"
        if len(own) != 1:
            count = f"{len(own)} drafts" if own else "no draft"
            return (
                f"commit {commit[:12]} has {count} of its own, so nobody knows what the "
                "review is on"
            )
        (entry,) = own.values()
        if entry.mode not in _FILES or entry.size > SIZE_LIMIT:
            return f"the draft of commit {commit[:12]} is no ordinary file"
        instrument, _ = read_instrument(
            "proposals/draft.md", objects(self.root, [entry.oid])[entry.oid]
        )
        if instrument is None or instrument.digest is None:
            return f"the draft of commit {commit[:12]} cannot be read"
        return instrument

    def _own_drafts(self, commit: CommitId) -> dict[str, TreeEntry]:
        """Return the drafts of a commit, without those that HEAD has, too, or the merge base of
        both.
        """
        if self._base is None:
            head = commit_id(self.root, "HEAD")
            self._base = (head, files_at(self.root, head))
        head, here = self._base
        begun = merge_base(self.root, commit, head)
        # A draft at the merge base may have got its number since: then HEAD has it no more.
        then = files_at(self.root, begun) if begun is not None and begun != head else here
        known = {(path, entry.oid) for files in (here, then) for path, entry in files.items()}
        return {
            path: entry
            for path, entry in files_at(self.root, commit, here).items()
            if re.fullmatch(_DRAFT, path) and (path, entry.oid) not in known
        }
