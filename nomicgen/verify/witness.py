"""A history against what its players signed of it: whoever rewrites it has to take back what others keep."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from nomicgen.files.documents import read_player
from nomicgen.files.text_encoding import SIZE_LIMIT
from nomicgen.law.replay.player_spans import is_player, keys_of
from nomicgen.model.identifiers import CommitId
from nomicgen.model.line_commits import CommitLine
from nomicgen.model.records import Players
from nomicgen.model.values import Moment
from nomicgen.play.load import Game
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.first_parents import first_parents, is_on_branch, walk, whereabouts
from nomicgen.repository.game_tree import shown_path
from nomicgen.repository.ssh import NoSigner, signer_of, verify, verify_listed
from nomicgen.repository.state_folder import branch_of
from nomicgen.verify.findings import CommitFinding, rewritten_history, unproven
from nomicgen.verify.kept import KeptCommit, compare_kept
from nomicgen.verify.read import PastReader
from nomicgen.verify.witness_notes import NAMESPACE, REFS, LatestNote, Note, WitnessSummary, read_note
from nomicgen.verify.witness_refs import Kept, Papers, file_at, has_witnesses, witnesses

_MOST = 500
"""So many signatures are judged, and so many histories that are not this one gone through."""


class Witnesses(Struct, frozen=True, kw_only=True):
    """Who saw the history, and what is wrong with it, or with a note."""

    summary: WitnessSummary = field(default_factory=WitnessSummary)
    faults: tuple[CommitFinding, ...] = ()


class _Bad(Exception):
    """Why a note does not count."""


class _Spent(Exception):
    """More notes were to be judged than are."""


class _Ref(Struct, kw_only=True):
    """What is found out of one ref: the latest notes that count, on the line and ahead of it, and what is wrong.

    `apart` says that the line is another than what was signed, `unknown` that it is not compared with a note.
    """

    name: str
    latest: Note | None = None
    ahead: Note | None = None
    apart: CommitFinding | None = None
    unknown: CommitFinding | None = None
    bad: list[tuple[str, str]] = []

    def faults(self) -> Iterator[CommitFinding]:
        yield from (fault for fault in (self.apart, self.unknown) if fault is not None)
        if self.bad:
            sha, why = self.bad[0]
            more = f" (nor do {len(self.bad) - 1} more there)" if len(self.bad) > 1 else ""
            at = f" at {sha[:12]}" if sha else ""
            yield unproven(
                f"{REFS}{self.name}{at} does not count as a witness{more}: {why}",
                f"ask whose it is; to be rid of it, `git update-ref -d {REFS}{self.name}`",
            )


def judge_notes(game: Game, line: CommitLine, reader: PastReader, signers: Path | None = None) -> Witnesses:
    """Holds a line against the notes in `refs/witness/`; `game` is as HEAD has it.

    A note counts if it was signed with a key that its player has in the game, or in the history that the note is about,
    or in the file `signers`, under the player's id. Raises what git's failing raises.
    """
    present = _present(game)
    refs: list[_Ref] = []
    faults: list[CommitFinding] = []
    kept = witnesses(game.root, frozenset(commit.sha for commit in line.commits))
    if kept:
        try:
            judge = _Judge(game, line, reader, signers)
            refs = [judge.judged(ref) for ref in kept]
        except NoSigner as error:
            faults.append(unproven(f"no note of a witness was judged: {error.message}", error.remedy))
    index = {commit.sha: commit.index for commit in line.commits}
    last = line.commits[-1].index
    seen = [
        _sighting(ref.latest, last - index[ref.latest.commit])
        for ref in refs
        if ref.latest is not None and ref.apart is None and ref.name in present
    ]
    ahead = [_sighting(ref.ahead) for ref in refs if ref.ahead is not None and ref.name in present]
    summary = WitnessSummary(
        players=len(present),
        seen=tuple(sorted(seen, key=lambda note: (note.behind, note.player))),
        ahead=tuple(ahead),
        asked=bool(seen or ahead) or _has_keys(game),
    )
    return Witnesses(summary=summary, faults=(*faults, *(fault for ref in refs for fault in ref.faults())))


def witnessed_at(game: Game) -> WitnessSummary:
    """Who signed what they saw of the history of HEAD, for those who build a site. Raises what git's failing raises."""
    if not has_witnesses(game.root):
        return WitnessSummary(players=len(_present(game)), asked=_has_keys(game))
    return judge_notes(game, walk(game.root), PastReader(game.root)).summary


def _present(game: Game) -> Players:
    """The persons who play now, by id."""
    players = game.records.players.items()
    return {
        ident: player for ident, player in players if player.matter.kind == "person" and is_player(player, game.until)
    }


def _has_keys(game: Game) -> bool:
    return any(player.matter.keys_ for player in _present(game).values())


def _sighting(note: Note, behind: int = 0) -> LatestNote:
    return LatestNote(player=note.player, date=note.day, commit=note.commit, behind=behind)


class _Judge:
    """What notes are held against, and what was found out once."""

    def __init__(self, game: Game, line: CommitLine, reader: PastReader, signers: Path | None) -> None:
        self.root, self.game, self.line, self.reader, self.signers = game.root, game, line, reader, signers
        self.program = signer_of(self.root)
        self.folder = shown_path(line.prefix.rstrip("/") or ".")
        self.index = {commit.sha: commit for commit in line.commits}
        self.left = _MOST

    def judged(self, kept: Kept) -> _Ref:
        """What a ref says. Raises NoSigner."""
        ref = _Ref(name=kept.name)
        if kept.hides:
            ref.apart = self._hidden(kept.name, kept.wrong)
        elif kept.wrong:
            ref.bad.append(("", kept.wrong))
        passed: set[str] = set()
        for papers in kept.papers:
            try:
                note = self._read(kept.name, papers)
                if note.commit in self.index:
                    self._on_line(ref, note, papers)
                elif ref.apart is None and note.commit not in passed:
                    passed |= {*self._beside(ref, note, papers)}
            except _Spent:
                ref.apart = self._hidden(kept.name, f"more than {_MOST} notes were to be judged")
            except _Bad as error:
                ref.bad.append((papers.sha, str(error)))
            except NoSigner:
                raise
            except RepositoryError as error:
                ref.bad.append((papers.sha, error.message))
        return ref

    def _hidden(self, name: str, why: str) -> CommitFinding:
        """That nobody knows whether a note speaks against the line: whoever adds many would hide one."""
        return rewritten_history(
            f"{REFS}{name} may speak against this history, and is not judged: {why}",
            f"ask whose notes these are: `git for-each-ref {REFS}`; `git update-ref -d REF` takes one away, and then "
            "the player may give you their own",
        )

    def _read(self, name: str, papers: Papers) -> Note:
        """The note of a player. Raises _Bad."""
        if papers.wrong:
            raise _Bad(papers.wrong)
        try:
            note = read_note(papers.note)
        except ValueError as error:
            raise _Bad(str(error)) from None
        if note.player != name:
            raise _Bad(f"it is a note of {note.player}")
        return note

    def _on_line(self, ref: _Ref, note: Note, papers: Papers) -> None:
        if ref.latest is not None or note.folder != self.folder:
            return
        self._vouched(note, papers)
        ref.latest = note
        ref.apart = ref.apart or next(compare_kept(self.line, self.reader, _kept_commit(note)), None)

    def _beside(self, ref: _Ref, note: Note, papers: Papers) -> Collection[str]:
        """Judges a note on a commit that the line does not have; gives the commits of which no more need be said."""
        self._spend()
        line = first_parents(self.root, note.commit)
        if line is not None and self.line.commits[-1].sha in line:
            if ref.ahead is None and note.folder == self.folder:
                self._vouched(note, papers)
                ref.ahead = note
            return line
        # Of another game of this repository something is said only where HEAD has not what was seen: it may have moved.
        if note.folder != self.folder and self._is_reachable(note.commit):
            return ()
        kept_commit = _kept_commit(note, only_there=self._vouched(note, papers))
        if not self.line.shallow and self._is_elsewhere(note):
            ref.unknown = ref.unknown or unproven(
                f"{kept_commit.words} is on the branch {note.branch}, and HEAD is on another: it is not compared",
                f"go there with `git switch {note.branch}`, and verify that",
            )
            return ()
        fault = next(compare_kept(self.line, self.reader, kept_commit))
        if self.line.shallow:
            ref.unknown = fault
        else:
            ref.apart = fault
        return ()

    def _is_reachable(self, sha: CommitId) -> bool:
        return whereabouts(self.root, self.line.head, [sha])[sha] == "reachable"

    def _vouched(self, note: Note, papers: Papers) -> bool:
        """Whether the key that signed a note is registered in the history that it is about, and nowhere else.

        Raises _Bad for a signature that does not hold with any key that counts; _Spent; NoSigner.
        """
        self._spend()
        day, who = Moment.parse(note.day), self.game.records.players.get(note.player)
        here = keys_of(who, day) if who is not None else ()
        if self._holds(papers, here):
            return False
        if self.signers is not None and verify_listed(
            papers.note, papers.signature, NAMESPACE, self.signers, note.player, program=self.program
        ):
            return False
        there = self._keys_then(note, day)
        if set(there) <= set(here) or not self._holds(papers, there):
            raise _Bad(f"its signature holds with no key that {note.player} had on {note.day}")
        return note.commit not in self.index

    def _holds(self, papers: Papers, keys: Sequence[str]) -> bool:
        return verify(papers.note, papers.signature, NAMESPACE, keys, program=self.program)

    def _keys_then(self, note: Note, day: Moment) -> Sequence[str]:
        """The keys that the player's file has in the tree of the commit that was seen."""
        path = f"players/{note.player}.yml"
        folder = "./" if note.folder == self.folder else "" if note.folder == "." else f"{note.folder}/"
        data = file_at(self.root, note.commit, f"{folder}{path}", SIZE_LIMIT)
        player = read_player(path, data)[0] if data is not None else None
        return keys_of(player, day) if player is not None else ()

    def _spend(self) -> None:
        if self.left == 0:
            raise _Spent
        self.left -= 1

    def _is_elsewhere(self, note: Note) -> bool:
        """Whether HEAD is on another branch than the note, and that branch has what was seen."""
        branch = branch_of(self.root)
        return branch not in (None, note.branch) and is_on_branch(self.root, note.branch, note.commit)


def _kept_commit(note: Note, *, only_there: bool = False) -> KeptCommit:
    key = f" with a key that players/{note.player}.yml has only there" if only_there else ""
    ref = f"{REFS}{note.player}"
    return KeptCommit(
        words=f"commit {note.commit[:12]}, which {note.player} saw and signed on {note.day}{key},",
        commit=note.commit,
        tree=note.tree,
        ledger=note.ledger,
        advice=f"what {note.player} saw came along with {ref}: `git log {note.commit[:12]}`; "
        f"if the note is false, `git update-ref -d {ref}`",
    )
