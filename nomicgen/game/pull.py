"""A pull request, judged by its base: its files are read as data, and laid on the game as base has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nomicgen.archive.pull import Touched, Verdict, added, classify, owned, players_of
from nomicgen.diagnostics import Finding, ordered
from nomicgen.game.load import Game, Tree, load_tree
from nomicgen.law.past import Edit, last_decision, rewritten
from nomicgen.model import Moment, Span
from nomicgen.repository import find_root, read_tree
from nomicgen.repository.revisions import (
    Entry,
    changed_on_disk,
    commit_id,
    files_at,
    game_of,
    merge_base,
)
from nomicgen.repository.tree import is_of_game, shown_path

__all__ = ["Pull", "examine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """A pull request: `base` is the game without it, `laid` the game with its changes, `head` its commit if it has one.

    What base has changed meanwhile stays as base has it. `head` is None for the files on disk.
    """

    base: Game
    laid: Game
    head: str | None
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """What a pull request does: the paths that it touches, the files of the game that they become, what base moved."""

    touched: Touched
    files: Tree
    moved: tuple[str, ...] = ()


def examine(
    start: Path,
    base: str,
    head: str | None = None,
    *,
    actor: str | None = None,
    machinery: bool = False,
    until: Moment | None = None,
) -> Pull:
    """Judges what `head` changes, or the files on disk, since its line and that of `base` parted: by base's law.

    `actor` is the login of the account that asks; `machinery` says that a keeper of the game allowed a change of what
    it is judged with. Raises RepositoryError where git does not know a commit, or fails.
    """
    root = find_root(start)
    upon = commit_id(root, base)
    asked = commit_id(root, head) if head is not None else None
    entries = files_at(root, upon)
    before = load_tree(root, game_of(root, entries), until)
    change = _of_commit(root, upon, entries, asked) if asked else _of_disk(root, upon, entries)
    replaced = {*change.touched.paths} - {*change.moved}
    tree = {path: data for path, data in before.tree.items() if path not in replaced}
    brought = {path: data for path, data in change.files.items() if path in replaced}
    laid = load_tree(root, {**tree, **brought}, before.until)
    return Pull(base=before, laid=laid, head=asked, verdict=_judged(before, laid, change, actor, machinery=machinery))


def _of_commit(root: Path, upon: str, base: Mapping[str, Entry], head: str) -> _Change:
    parted = merge_base(root, upon, head)
    before = files_at(root, parted) if parted is not None else {}
    after = files_at(root, head)
    paths = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    # What base and the pull request both changed, and not alike.
    moved = {path for path in paths if base.get(path) not in (before.get(path), after.get(path))}
    files = game_of(root, {path: entry for path in paths if (entry := after.get(path)) is not None})
    return _Change(
        touched=Touched(paths=_shown(paths), gone=frozenset(_shown(paths - after.keys()))),
        files=files,
        moved=_shown(moved),
    )


def _of_disk(root: Path, upon: str, base: Mapping[str, Entry]) -> _Change:
    parted = merge_base(root, upon, commit_id(root, "HEAD"))
    before = files_at(root, parted) if parted is not None else {}
    tree, was = read_tree(root), game_of(root, before)
    # What git ignores is read as well, so the game's own files are compared by their bytes.
    changed = changed_on_disk(root, parted) if parted is not None else frozenset()
    pictures = {path for path in changed if path.startswith("images/")}
    others = {path for path in changed if not is_of_game(path)}
    ours = {path for path in {*tree, *was} if tree.get(path) != was.get(path)} | pictures
    moved = {path for path in ours if base.get(path) != before.get(path)}
    return _Change(
        touched=Touched(paths=_shown(ours | others), gone=frozenset(ours - tree.keys())),
        files={path: tree[path] for path in ours if path in tree},
        moved=_shown(moved),
    )


def _shown(paths: set[str]) -> tuple[str, ...]:
    return tuple(sorted(map(shown_path, paths)))


def _judged(base: Game, laid: Game, change: _Change, actor: str | None, *, machinery: bool) -> Verdict:
    touched = change.touched
    kind, path, wrong = classify(touched, laid.records)
    new, old = added(base.findings, laid.findings)
    laid_on = (one for one in touched.paths if one not in change.moved)
    edits = [Edit(one, _bytes(base.tree.get(one)), _bytes(laid.tree.get(one))) for one in laid_on]
    found: list[Finding] = [*wrong, *new, *_pictures(base, touched), *map(_moved, change.moved)]
    found += rewritten(edits, base.records, laid.records, last_decision(base.records, base.until))
    if kind == "machinery" and not machinery:
        found.append(_machinery(touched.paths))
    if actor is not None:
        found += owned(kind, touched, base.records, laid.records, actor)
    return Verdict(
        kind=kind,
        paths=touched.paths,
        findings=ordered(found),
        old=old,
        path=path,
        actor=actor,
        players=players_of(actor, base.records.players.values()) if actor is not None else (),
    )


def _bytes(content: object) -> bytes | None:
    return content if isinstance(content, bytes) else None


def _pictures(base: Game, touched: Touched) -> list[Finding]:
    return [
        Finding(
            slug="past-rewritten",
            span=Span(file=path),
            message="a picture that is there can be shown by a rule, and stays as it is",
            help="add the new picture under another name, and propose an amendment that shows it",
        )
        for path in touched.paths
        if path in base.records.images
    ]


def _moved(path: str) -> Finding:
    return Finding(
        slug="base-moved",
        span=Span(file=path),
        message="the base has changed this file since the pull request began",
        help="update the branch (`git merge` of the base, or the forge's button), and keep both changes",
    )


def _machinery(paths: tuple[str, ...]) -> Finding:
    shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    return Finding(
        slug="machinery-unapproved",
        span=Span(file=paths[0]),
        message=f"this changes what the game is kept and judged with, and cannot approve itself: {shown}",
        help="a keeper who is not its author reads it, and sets the label `machinery` (or gives `--machinery`)",
    )
