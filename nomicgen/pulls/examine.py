"""A pull request, judged by its base: its files are read as data, and laid over the base's.

Begin with `examine`. `supposed_pull` judges files that are in no commit yet, such as a mended
draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.history.past.boundary import (
    FileEdit,
    PastBoundary,
    moved_finding,
    past_finding,
    unapproved_finding,
)
from nomicgen.history.past.effects_between import Effects, brought_about, would_bring_about
from nomicgen.history.past.keeper_entries import only_enters
from nomicgen.history.past.restatements import (
    restated_keys,
    standing_throws,
    without_restated,
    wrong_quotations,
)
from nomicgen.history.past.rewrites import changed_outcomes, last_decision, rewrites_of_the_past
from nomicgen.history.supposed import as_registered, suppose
from nomicgen.law.checks.run import ruleset_files, unreadable
from nomicgen.law.prospects import unjudged
from nomicgen.law.replay.player_spans import is_player
from nomicgen.law.replay.scene import Scene
from nomicgen.model.findings import Finding, Findings, ordered
from nomicgen.model.identifiers import CommitId, PlayerId
from nomicgen.model.values import Moment, Span
from nomicgen.play.draft import names_in_game
from nomicgen.play.game_status import next_number
from nomicgen.play.load import Game, Tree, load_tree
from nomicgen.play.mending.mend import with_mendings
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.unclaimed_players import unclaimed_seats
from nomicgen.pulls.request import (
    Kind,
    PullVerdict,
    TouchedPaths,
    claimed_seat,
    classify,
    name_finding,
    new_findings,
    players_of,
    turn_findings,
    what_is_others,
)
from nomicgen.repository.errors import TooMuch
from nomicgen.repository.game_tree import find_root, is_of_game, read_tree, shown_path
from nomicgen.repository.git_objects import TreeEntry, objects
from nomicgen.repository.git_revisions import (
    changed_on_disk,
    commit_id,
    files_at,
    game_of,
    merge_bases,
)

# Git's modes of files that are no links or submodules.
_ORDINARY = frozenset({"100644", "100664", "100755"})
# Paths of texts that may have been meant for drafts: not in docs/, and no README or the like.
_STRAY = (
    r"(?i)(?!\.|docs/)(?!.*/\.)(?!(?:README|CONTRIBUTING|SECURITY|LICENSE|CHANGELOG)\b)"
    r"[^\0]{1,200}\.(?:md|markdown|mdown|txt|text)"
)
# How many of the game's files a pull request may bring, and how many bytes in all. An act that
# comes with all of rules/ brings the most.
_MOST_FILES, _MOST_BYTES = 5000, 4 << 20
_NOT_JUDGED = (
    "a keeper has to mend that file first: until then nobody can tell whether this pull request is "
    "lawful, so do not merge it"
)


class Pull(Struct, frozen=True, kw_only=True):
    """A pull request: `base` is the game without it, `laid` the game with its changes, `head` its
    last commit.

    Where the base has changed a file meanwhile, `laid` has the base's. `head` is None if the
    changes are in no commit. `stray` is the path and text of the only file that it brings, if that
    is not in its place and most likely was meant for a draft, such as `lamps.md`. `change` is what
    it does, to judge it again.
    """

    base: Game
    laid: Game
    head: CommitId | None
    verdict: PullVerdict
    stray: tuple[str, bytes] | None = None
    change: _PullChange | None = None


class _PullChange(Struct, frozen=True, kw_only=True):
    """What a pull request does: `touched` paths, the `files` of the game that it would write, and
    the paths that the base has changed meanwhile (`moved`).

    `is_related` says whether it shares a commit with the base. `stray` is the path and text of its
    only file, if that was most likely meant for a draft.
    """

    touched: TouchedPaths
    files: Tree
    moved: tuple[str, ...] = ()
    is_related: bool = True
    stray: tuple[str, bytes] | None = None


def examine(
    start: Path,
    base: str,
    head: str | None = None,
    *,
    actor: str | None = None,
    machinery: bool = False,
    until: Moment | None = None,
) -> Pull:
    """Judge by the base's law what `head`, or the files on disk, have changed since they branched
    off `base`.

    `actor` is the login of the account that opened the pull request; without one, it does not
    matter whose the files are. `machinery` says that a keeper has allowed a change of the
    machinery. Both games are replayed up to `until`, or today. Raises RepositoryError where git
    does not know a commit, or fails, or where `head` holds more than can be judged.
    """
    root = find_root(start)
    base_id = commit_id(root, base)
    head_id = commit_id(root, head) if head is not None else None
    entries = files_at(root, base_id)
    before = load_tree(root, game_of(root, entries), until)
    change = (
        _of_commit(root, base_id, entries, head_id) if head_id else _of_disk(root, base_id, entries)
    )
    return _pull(before, change, head_id, actor, machinery=machinery)


def supposed_pull(
    base: Game, files: Mapping[str, bytes], actor: str | None = None, *, machinery: bool = False
) -> Pull:
    """Judge a pull request that would bring `files` and nothing else. `actor` is the login that it
    comes from; `machinery` says that a keeper has allowed a change of the machinery.
    """
    new = [path for path in files if path not in base.tree]
    stray = (new[0], files[new[0]]) if len(files) == len(new) == 1 and _is_stray(new[0]) else None
    change = _PullChange(touched=TouchedPaths(paths=tuple(sorted(files))), files=files, stray=stray)
    return _pull(base, change, None, actor, machinery=machinery)


def judge_again(pull: Pull, base: Game) -> Pull:
    """Judge a pull request by what its base has become. A change of the machinery stays as judged:
    nobody knows here whether a keeper has allowed it.
    """
    change, was = pull.change, pull.base.tree
    if change is None or pull.verdict.kind == "machinery" or base.tree == was:
        return pull
    moved = {path for path in change.touched.paths if base.tree.get(path) != was.get(path)}
    change = replace(change, moved=_shown(moved.union(change.moved)))
    return _pull(base, change, pull.head, pull.verdict.actor)


def _pull(
    before: Game,
    change: _PullChange,
    head: CommitId | None,
    actor: str | None,
    *,
    machinery: bool = False,
) -> Pull:
    judges = unjudged(before.records, before.replay, before.until)
    touched = replace(change.touched, waiting=_waiting_proposals(before), unjudged=judges)
    change = replace(change, touched=touched)
    replaced = {*change.touched.paths} - {*change.moved}
    tree = {path: data for path, data in before.tree.items() if path not in replaced}
    brought = {path: data for path, data in change.files.items() if path in replaced}
    laid = load_tree(before.root, {**tree, **brought}, before.until, before)
    verdict = _judge_change(before, laid, change, actor, machinery=machinery)
    return Pull(
        base=before, laid=laid, head=head, verdict=verdict, stray=change.stray, change=change
    )


def with_help(
    base: Game, laid: Game, path: str | None, findings: Sequence[Finding], author: PlayerId | None
) -> Findings:
    """Return the findings of `author`'s pull request, each with how to mend the draft at `path` if
    that is known. A registered proposal gets no mendings.
    """
    data = laid.tree.get(path or "")
    there = base.records.instruments.get(path or "")
    if (
        path is None
        or not isinstance(data, bytes)
        or (there is not None and there.number is not None)
    ):
        return (*findings,)
    player = base.records.players.get(author) if author is not None else None
    plays = player is not None and is_player(player, base.until)
    known = names_in_game(
        base.records, base.replay, frozenset(base.tree), author if plays else None
    )
    return with_mendings(findings, path, data, known)


def _is_stray(path: str) -> bool:
    """Return whether a text at this path, which the base does not have, was most likely meant for a
    draft: `lamps.md`, `Proposals/lamps.md` or `rules/lamps.md`.
    """
    folder = path.partition("/")[0]
    is_near = folder != "proposals" and folder.casefold() == "proposals"
    is_unnumbered = re.fullmatch(r"rules/[^/]*[^0-9/][^/]*\.\w+", path) is not None
    return re.fullmatch(_STRAY, path) is not None and (
        is_near or is_unnumbered or not is_of_game(path)
    )


def _waiting_proposals(game: Game) -> frozenset[str]:
    """Return the proposals whose effect waits for a turn to begin."""
    waiting = (step.instrument for step in game.replay.pending if step.effective is None)
    return frozenset(one.path for one in waiting if one.kind == "proposal")


def _of_commit(
    root: Path, base_id: CommitId, base: Mapping[str, TreeEntry], head: CommitId
) -> _PullChange:
    parted = merge_bases(root, base_id, head)
    # Branches that were merged into each other parted at several commits: then a file has changed
    # if it differs from any of these.
    begun = [files_at(root, commit) for commit in parted] or [{}]
    after = files_at(root, head, base)
    # A file that the base has by now, too, is no change: the base gets a draft's pictures when the
    # draft is registered.
    paths = {
        path
        for path in {*after, *(path for files in begun for path in files)}
        if not _alike(path, base.get(path), after.get(path))
        and not all(_alike(path, files.get(path), after.get(path)) for files in begun)
    }
    # What the base and the pull request have both changed, each in its own way.
    moved = {path for path in paths if all(base.get(path) != files.get(path) for files in begun)}
    brought = {
        path: entry for path in paths if (entry := after.get(path)) is not None and is_of_game(path)
    }
    _require_few(brought)
    files = game_of(root, brought)
    return _PullChange(
        touched=TouchedPaths(paths=_shown(paths), gone=frozenset(_shown(paths - after.keys()))),
        files=files,
        moved=_shown(moved),
        is_related=bool(parted),
        stray=_stray(root, paths, base, after),
    )


def _stray(
    root: Path, paths: set[str], base: Mapping[str, TreeEntry], after: Mapping[str, TreeEntry]
) -> tuple[str, bytes] | None:
    """Return the path and text of a pull request's only file if that is a stray one."""
    path = next(iter(paths), "") if len(paths) == 1 else ""
    entry = after.get(path)
    if (
        path in base
        or not _is_stray(path)
        or entry is None
        or entry.mode not in _ORDINARY
        or entry.size > SIZE_LIMIT
    ):
        return None
    return path, objects(root, [entry.oid])[entry.oid]


def _require_few(brought: Mapping[str, TreeEntry]) -> None:
    """Raise TooMuch for more than anybody brings: reading it would hold up everybody else."""
    sizes = (entry.size for path, entry in brought.items() if not path.startswith("images/"))
    size = sum(of_file for of_file in sizes if of_file <= SIZE_LIMIT)  # a larger file is not read
    if len(brought) > _MOST_FILES:
        raise TooMuch(
            f"{len(brought)} of the game's files are new or changed; {_MOST_FILES} may be"
        )
    if size > _MOST_BYTES:
        raise TooMuch(
            f"the game's files that are new or changed have more than {_MOST_BYTES >> 20} MiB"
        )


def _alike(path: str, first: TreeEntry | None, other: TreeEntry | None) -> bool:
    """Return whether a file is the same in two commits. For a file of the game it does not matter
    whether it can be executed.
    """
    if first is None or other is None or not is_of_game(path):
        return first == other
    return first == other or (first.oid == other.oid and {first.mode, other.mode} <= _ORDINARY)


def _of_disk(root: Path, base_id: CommitId, base: Mapping[str, TreeEntry]) -> _PullChange:
    parted = merge_bases(root, base_id, commit_id(root, "HEAD"))
    before = files_at(root, parted[0]) if parted else {}
    tree, was = read_tree(root), game_of(root, before)
    # What git ignores is read as well, so the game's own files are compared by their bytes.
    changed = changed_on_disk(root, parted[0]) if parted else frozenset()
    pictures = {path for path in changed if path.startswith("images/")}
    others = {path for path in changed if not is_of_game(path)}
    ours = {path for path in {*tree, *was} if tree.get(path) != was.get(path)} | pictures
    moved = {path for path in ours if base.get(path) != before.get(path)}
    return _PullChange(
        touched=TouchedPaths(paths=_shown(ours | others), gone=frozenset(ours - tree.keys())),
        files={path: tree[path] for path in ours if path in tree},
        moved=_shown(moved),
        is_related=bool(parted),
        stray=_stray_on_disk(root, ours | others, {*base, *was}),
    )


def _stray_on_disk(root: Path, paths: set[str], known: set[str]) -> tuple[str, bytes] | None:
    path = next(iter(paths), "") if len(paths) == 1 else ""
    file = root / path
    if path in known or not _is_stray(path) or file.is_symlink() or not file.is_file():
        return None
    return (path, file.read_bytes()) if file.stat().st_size <= SIZE_LIMIT else None


def _shown(paths: set[str]) -> tuple[str, ...]:
    return tuple(sorted(map(shown_path, paths)))


def _judge_change(
    base: Game, laid: Game, change: _PullChange, actor: str | None, *, machinery: bool
) -> PullVerdict:
    corrections = [
        correction
        for correction in laid.replay.corrections
        if correction.act not in base.records.instruments
    ]
    restated = restated_keys(corrections, base.records)
    touched = replace(change.touched, restated=frozenset(restated))
    # Only if a keeper allows it may one enter what was decided before the game was played here.
    only_enters_past = only_enters(touched.paths, base.records, laid.records, base.replay)
    kind, path, wrong = (
        ("machinery", None, ()) if only_enters_past else classify(touched, laid.records)
    )
    new, old = new_findings(base.findings, laid.findings)
    seats = unclaimed_seats(base.records.players.values(), base.until)
    new = tuple(name_finding(finding, actor, seats) for finding in new)
    unmoved = (edited for edited in touched.paths if edited not in change.moved)
    edits = [
        FileEdit(edited, _bytes(base.tree.get(edited)), _bytes(laid.tree.get(edited)))
        for edited in unmoved
    ]
    findings: list[Finding] = [
        *wrong,
        *as_shown(laid, new),
        *_unread_in_base(kind, laid, old),
        *_unread_and_changed(base, touched),
        *_changed_pictures(base, touched),
        *_behind(change),
    ]
    findings += wrong_quotations(corrections, base.records)
    findings += standing_throws(corrections, base.records, base.replay)
    # Proposals that wait for a turn get their day of effect only when one begins.
    begins = laid.records.turns.keys() - base.records.turns.keys()
    waiting = touched.waiting if kind in ("turn", "mixed") and begins else frozenset()
    since = PastBoundary(
        last=last_decision(base.records, base.until),
        until=base.until,
        waiting=waiting,
        restated=restated,
        archived=base.replay if only_enters_past else None,
    )
    past = tuple(rewrites_of_the_past(edits, base.records, laid.records, since))
    where = path or next(iter(touched.paths), "nomic.yml")
    findings += past
    # A file that cannot be read is refused for that, and a replay without it says nothing.
    if not past and laid.records.withheld <= base.records.withheld:
        replays = (without_restated(base.replay, restated), without_restated(laid.replay, restated))
        findings += changed_outcomes(base.records, *replays, where, archived=only_enters_past)
    if kind != "mixed" and not any(finding.slug == "rules-by-hand" for finding in wrong):
        findings += _beyond_the_ledger(touched, laid)
    if kind == "machinery" and not machinery:
        findings.append(unapproved_finding(touched.paths, is_entry=only_enters_past))
    if actor is not None:
        own = replace(touched, paths=tuple(edit.path for edit in edits))
        findings += what_is_others(kind, own, base.records, laid.records, actor, base.until)
    players = base.records.players.values()
    mine = players_of(actor, players) if actor is not None else ()
    if kind == "proposal":
        findings = [*with_help(base, laid, path, findings, mine[-1] if mine else None)]
    due, remedy = base.replay.next_turn, None
    if kind == "turn" and due is not None and actor is not None:
        findings, remedy = turn_findings(
            findings, touched.paths, base.records, laid.records, due, mine
        )
    stranger = actor is not None and not mine
    return PullVerdict(
        kind=kind,
        paths=touched.paths,
        findings=ordered(findings),
        old=old,
        path=path,
        actor=actor,
        players=mine,
        claims=claimed_seat(path, base.records, laid.records, actor, base.until)
        if actor is not None
        else None,
        unclaimed=unclaimed_seats(players, base.until) if stranger else (),
        effects=_effects(base, laid, path),
        is_gone=path in touched.gone,
        remedy=remedy,
    )


def _unread_in_base(kind: Kind, laid: Game, old: Findings) -> Iterator[Finding]:
    """Yield why a file of the base cannot be read: without it nobody can tell whether the pull
    request is lawful.

    A draft gets no such finding: no vote on it opens or ends while the game has errors. Nor does a
    change of the machinery.
    """
    unread = unreadable(laid.records) if kind not in ("proposal", "machinery") else ()
    for finding in old:
        if finding.is_error and finding.span.file in unread:
            yield replace(finding, message=f"in the base, {finding.message}", help=_NOT_JUDGED)


def _unread_and_changed(base: Game, touched: TouchedPaths) -> Iterator[Finding]:
    """Yield findings on changed files of the base that cannot be read, except players' files."""
    unread = unreadable(base.records).intersection(touched.paths)
    for path in sorted(one for one in unread if not one.startswith("players/")):
        message = "the base's file cannot be read, so nobody can tell what this would change"
        yield past_finding(path, message, "a keeper has to mend it in the base")


def _effects(base: Game, laid: Game, path: str | None) -> Effects:
    """Return what a pull request brings about, or would if its proposal is undecided. Nothing if it
    makes a file unreadable.
    """
    if not laid.records.withheld <= base.records.withheld:
        return Effects()
    records, until = laid.records, laid.until
    proposal = records.proposal(path or "")
    if proposal and proposal.matter.is_undecided and not base.records.has_decided(proposal.path):
        draft = as_registered(proposal, next_number(records, laid.replay, until))
        return would_bring_about(suppose(draft, Scene.of(laid.replay.current, records, until)))
    return brought_about(base.records, base.replay, records, laid.replay, until)


def _bytes(content: object) -> bytes | None:
    return content if isinstance(content, bytes) else None


def _changed_pictures(base: Game, touched: TouchedPaths) -> list[Finding]:
    return [
        Finding(
            slug="past-rewritten",
            span=Span(file=path),
            message="a rule may show this picture, so it cannot change",
            help="add the new picture under another name, and propose an amendment that shows it",
        )
        for path in touched.paths
        if path in base.records.images
    ]


def _beyond_the_ledger(touched: TouchedPaths, laid: Game) -> Iterator[Finding]:
    """Yield findings on changed files of rules/ that are not as the ledger gives them."""
    given = ruleset_files(laid.replay.current)
    for path in touched.paths:
        if _is_derived(path) and laid.tree.get(path) != given.get(path):
            yield Finding(
                slug="rules-by-hand",
                span=Span(file=path),
                message=f"{path} would differ from what the game's decisions say",
                help="remove it from this pull request: the game itself writes rules/",
            )


def _is_derived(path: str) -> bool:
    return path.startswith("rules/") and not path.startswith("rules/initial/")


def _behind(change: _PullChange) -> Iterator[Finding]:
    if change.is_related:
        yield from map(moved_finding, change.moved)
        return
    yield Finding(
        slug="base-moved",
        span=Span(file="nomic.yml"),
        message="the pull request has no history in common with the base: nobody knows what it "
        "changes",
        help="begin a new branch from the base, and put your file there; in a shallow clone, "
        "`git fetch --unshallow`",
    )
