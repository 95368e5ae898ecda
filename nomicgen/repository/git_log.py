"""The output of `git log`, read, and the ids that git gives to files. Nothing here runs git."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from nomicgen.files.raw_log import INSTRUMENTS, read_log, trailer_values
from nomicgen.model.commits import CommitInfo, Log
from nomicgen.model.identifiers import CommitId

# Not %aN: a .mailmap is a file of the repository, and would say who wrote what.
FORMAT = f"%H%x00%cI%x00%an%x00%s%x00{INSTRUMENTS}"
"""The format for `parse_log`: five fields of each commit. Between them stand NULs, which no field
can hold.
"""


def blob_id(data: bytes, object_format: str = "sha1") -> str:
    """Return git's id for a file of these bytes, in a repository of format `sha1` or `sha256`."""
    framed = b"blob %d\0%b" % (len(data), data)
    return hashlib.new(object_format, framed, usedforsecurity=False).hexdigest()


def parse_log(output: bytes, boundaries: Collection[str] = ()) -> Log:
    """Return the commits of `git log -z --raw --no-abbrev --no-renames --format=FORMAT`, in the
    order of the output.

    `boundaries` are the commits where a shallow clone ends. Raises ValueError for what git does not
    print.
    """
    commits = []
    for index, ((sha, date, author, subject, trailers), changes) in enumerate(read_log(output, 5)):
        commit = CommitInfo(
            sha=CommitId(sha),
            date=date,
            author=author,
            subject=subject,
            instruments=trailer_values(trailers),
            # Regular files only: neither links, nor submodules, nor what was deleted.
            blobs=tuple(
                (change.path, change.id) for change in changes if change.mode.startswith("100")
            ),
            index=index,
            boundary=sha in boundaries,
        )
        commits.append(commit)
    return Log(commits=tuple(commits))
