"""What git says of a game: its state, and its history in one pass."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from nomicgen.files.game_files import is_hidden
from nomicgen.model.commits import GitState, Log
from nomicgen.repository.errors import NO_REPOSITORY, NoGit, NotVersioned, SparseCheckout
from nomicgen.repository.game_tree import FOLDERS, SETTINGS, shown_path
from nomicgen.repository.git import Place, boundaries, locate, reading_output, run
from nomicgen.repository.git_log import FORMAT, parse_log

_GAME = (SETTINGS, *sorted(FOLDERS))


def inspect(root: Path) -> GitState:
    """Return what git says about the game in `root`. Without git, or outside a work tree, it is not
    `present`.

    Raises the other errors of `locate`, and what `run` raises.
    """
    try:
        place = locate(root)
    except NotVersioned:
        return GitState(present=False, reason=NO_REPOSITORY)
    except NoGit as error:
        return GitState(present=False, reason=error.message, remedy=error.remedy)
    return GitState(
        present=True,
        shallow=place.shallow,
        head=place.head,
        prefix=place.prefix,
        dirty=_dirty(place),
        object_format=place.object_format,
    )


def folders(root: Path) -> tuple[Path, ...]:
    """Return the folders where git keeps HEAD and where it keeps branches: two in a linked work
    tree, else one; () without git or outside a work tree. Raises the other errors of `locate`.
    """
    try:
        paths = locate(root).paths
    except (NotVersioned, NoGit):
        return ()
    return tuple(dict.fromkeys(paths[name].resolve().parent for name in ("index.lock", "shallow")))


def scan(root: Path, *, rules_only: bool = False) -> Log:
    """Return the first-parent line of HEAD, oldest first, with what each commit changed in the
    game, by one `git log`.

    With `rules_only`, only changes in `rules/` come with the commits: git compares folders entry by
    entry, and that of the proposals has thousands. If the game is in a folder of the work tree,
    `rules_only` makes no difference: only commits that changed something there are listed, with all
    that they changed there. Raises what `locate` and `run` raise.
    """
    place = locate(root)
    if place.head is None:
        return Log()
    options = (
        "--first-parent --reverse --raw -z --no-abbrev --no-renames --diff-merges=first-parent "
        "--relative --no-ext-diff --no-textconv --encoding=UTF-8"
    )
    # `--sparse` keeps the commits that changed nothing there.
    limit = ("--", ".") if place.prefix else ("--sparse", "--", "rules") if rules_only else ("--",)
    output = run(root, "log", *options.split(), f"--format={FORMAT}", place.head, *limit)
    with reading_output(root, "log", output):
        return parse_log(output, boundaries(place.paths["shallow"]))


def require_present(root: Path) -> None:
    """Raise SparseCheckout if a sparse checkout leaves out a file of the game."""
    _has_index_marks(root)


def _dirty(place: Place) -> tuple[str, ...]:
    changed = _status(place, {})
    if _has_index_marks(place.root):
        # An index made anew has no marks, so git compares every file.
        with tempfile.TemporaryDirectory() as folder:
            environment = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            run(place.root, "read-tree", place.head or "--empty", environment=environment)
            changed |= _status(place, environment)
    return tuple(sorted(path for path in map(shown_path, changed) if not is_hidden(path)))


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


def _has_index_marks(root: Path) -> bool:
    """Return whether marks in the index (`skip-worktree`, `assume-unchanged`) keep git from looking
    at files of the game. Raises SparseCheckout where a file with `skip-worktree` is not there.
    """
    entries = run(root, "ls-files", "-v", "-z", "--", *_GAME).split(b"\0")
    marked = [
        (entry[:1], entry[2:])
        for entry in entries
        if entry and (entry[:1] == b"S" or entry[:1].islower())
    ]
    gone = [
        path
        for tag, path in marked
        if tag in b"Ss" and not os.path.lexists(os.fsencode(root) + b"/" + path)
    ]
    if gone:
        raise SparseCheckout(tuple(map(shown_path, gone)))
    return bool(marked)
