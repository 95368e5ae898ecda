"""What `nomicgen verify` finds: the words of each finding, the commit that it is about, and the verdict of them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from nomicgen.archive.line_commits import LineCommit
from nomicgen.archive.vote_vouchers import Vouchers
from nomicgen.diagnostics import Finding, listed
from nomicgen.identifiers import CommitId, Digest
from nomicgen.model import Instrument, Span

_SHOWN = 5
_SIGNATURES: Mapping[str, str] = {
    "N": "is not signed",
    "B": "has a signature that was not made for it",
    "U": "is signed with a key that nobody here vouches for",
    "R": "is signed with a key that was revoked",
    "E": "has a signature that cannot be checked here",
    "X": "has a signature that has expired",
    "Y": "is signed with a key that has expired",
}
ASK_KEEPER = "ask the keeper what happened to the history; who has an older clone still has it: `git log`"
_VOUCH = "say whose keys count: `--signers FILE`, or git's own `gpg.ssh.allowedSignersFile`, or gpg's keyring"


class CommitFinding(Struct, frozen=True, kw_only=True):
    """A finding, and the commit that it is about: with `commit` one of the line, else perhaps its id alone."""

    finding: Finding
    commit: LineCommit | None = None
    sha: CommitId | None = None


class Admission(Struct, frozen=True, kw_only=True):
    """A commit that the game owns up to in `nomic.yml`, why, and what is found of it."""

    sha: CommitId
    why: str
    faults: tuple[CommitFinding, ...] = ()


class HistoryVerdict(Struct, frozen=True, kw_only=True):
    """What a game's repository says of its ledger.

    `head` and `tree` are the ids of the commit that was verified and of its whole tree, `digest` that of the ledger;
    `since` is the commit from which the ledger counts, `archived` whether it is the last of an archive, of whose past
    nothing is proved, `commits` how many from there on touched the game, `instruments`
    how many instruments they carried out, `signed` how many of them had to be signed;
    `votes` says who vouches for the votes. Faults are in the order of the
    history.
    """

    head: CommitId
    tree: str
    digest: Digest
    since: LineCommit
    archived: bool = False
    commits: int
    instruments: int
    signed: int = 0
    votes: Vouchers = Vouchers()
    faults: tuple[CommitFinding, ...] = ()
    admitted: tuple[Admission, ...] = field(default_factory=tuple)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(one.finding for one in self.faults)


def _about(
    commit: LineCommit, slug: str, path: str, message: str, remedy: str, *, admits: bool = True, detail: str = ""
) -> CommitFinding:
    """A fault of a commit of the line, which a file of the game is shown for; with `admits` it can be owned up to.

    The message goes on after `commit 0123456789ab (Wren, 2026-05-02)`.
    """
    who = f"commit {commit.sha[:12]} ({commit.author[:60] or 'nobody'}, {commit.date[:10]})"
    own_up = f"to own up to what happened, nomic.yml says `admitted: {{{commit.sha}: WHY}}`" if admits else ""
    help = "; ".join(one for one in (remedy, own_up) if one)
    finding = Finding(slug=slug, span=Span(file=path), message=f"{who} {message}", help=help, detail=detail)
    return CommitFinding(commit=commit, finding=finding)


def hand_edit(commit: LineCommit, paths: Sequence[str], undone: Sequence[str] = (), detail: str = "") -> CommitFinding:
    """A commit that made files of `rules/` differ from what the ledger gives; `undone` by these commits, if it was."""
    by = f"; undone by commit {listed([sha[:12] for sha in undone], _SHOWN)}" if undone else ""
    message = f"changed what the ledger gives: {listed(paths, _SHOWN)}{by}"
    remedy = "" if undone else "`nomicgen apply --commit` brings rules/ back"
    return _about(commit, "verify-hand-edit", paths[0], message, remedy, detail=detail)


def taken_back(commit: LineCommit, path: str, instruments: Sequence[Instrument]) -> CommitFinding:
    """A commit that took `rules/` back to a state before some instruments."""
    names = listed([one.name for one in instruments], _SHOWN)
    message = f"took rules/ back to what they were before {names}"
    remedy = "what was carried out stays so, and another instrument undoes it"
    return _about(commit, "verify-hand-edit", path, message, remedy)


def unnamed(commit: LineCommit, instrument: Instrument) -> CommitFinding:
    """A commit that carries an instrument out and does not name it."""
    message = f"carries out {instrument.name}, and does not name it"
    remedy = f"let the commands commit (`--commit`), or end a message with `Instrument: {instrument.path}`"
    return _about(commit, "verify-unnamed", instrument.path, message, remedy, admits=False)


def not_there(commit: LineCommit, path: str) -> CommitFinding:
    """A commit that names an instrument which the ledger does not have."""
    message = f"names {path[:120]!r} as its instrument, and there is no such one"
    remedy = "a trailer names a file of the game, such as `Instrument: proposals/301.md`"
    return _about(commit, "verify-impostor", "nomic.yml", message, remedy)


def not_carried_out(commit: LineCommit, instrument: Instrument) -> CommitFinding:
    """A commit that names an instrument which it neither decides nor carries out."""
    message = f"names {instrument.name} as its instrument, and neither decides it nor carries it out"
    return _about(commit, "verify-impostor", instrument.path, message, "only the commit that does so names it")


def past_changed(commit: LineCommit, found: Finding) -> CommitFinding:
    """A commit that changed what was decided, as `past-rewritten` says it."""
    return _about(commit, "verify-past", found.span.file, f"changed the past: {found.message}", found.help)


def initial_changed(commit: LineCommit, paths: Sequence[str]) -> CommitFinding:
    """A commit that changed the initial set when something had been decided."""
    message = f"changed the initial set after the game had begun: {listed(paths, _SHOWN)}"
    return _about(commit, "verify-past", paths[0], message, "bring it back as it was, and propose the change")


def added_later(commit: LineCommit, instrument: Instrument, before: LineCommit) -> CommitFinding:
    """A commit that decided an instrument which takes effect before what an earlier one had carried out already."""
    carried_out = f"what commit {before.sha[:12]} had carried out"
    message = f"added {instrument.name}, which takes effect before {carried_out}"
    return _about(commit, "verify-past", instrument.path, message, "give it the day on which it was made")


def otherwise(commit: LineCommit) -> CommitFinding:
    """A commit that brought what the ledger gave then, and does not give now, without a word of why."""
    message = "brought what the ledger gave then, and the ledger of today gives something else"
    remedy = f"see what changed since: `git diff {commit.sha[:12]} HEAD -- players turns nomic.yml`"
    return _about(commit, "verify-past", "nomic.yml", message, remedy)


def missing_commit(span: Span, sha: CommitId, *, apart: bool) -> CommitFinding:
    """A commit that the ledger names: one that is in the repository and not in its history, or not there at all."""
    where = "is in the repository, and not in the history of this branch" if apart else "is not in this repository"
    return CommitFinding(
        sha=sha,
        finding=Finding(
            slug="verify-unreachable",
            span=span,
            message=f"the ledger names commit {sha[:12]}, which {where}",
            help=f"name the commit that took its place; or own up to it: nomic.yml says `admitted: {{{sha}: WHY}}`",
        ),
    )


def unsigned(commit: LineCommit, status: str) -> CommitFinding:
    """A commit whose signature does not hold, or that has none."""
    remedy = _VOUCH if status in ("U", "E") else "sign with `git commit -S`"
    message = f"{_SIGNATURES[status]}, and nomic.yml asks for signatures"
    return _about(commit, "verify-unsigned", "nomic.yml", message, remedy)


def unsigned_vote(span: Span, vote: str, why: str) -> CommitFinding:
    """A vote whose signature does not hold."""
    return CommitFinding(
        finding=Finding(
            slug="verify-unsigned",
            span=span,
            message=f"{vote} has a signature that does not hold: {why}",
            help="see how it came there: `git log -p` of that file; the voter may still have what was signed",
        )
    )


def expired(commit: LineCommit, status: str) -> CommitFinding:
    """A commit whose signature held once."""
    message = f"{_SIGNATURES[status]}: git does not say whether it held when it was made"
    remedy = "ask whoever signed; a new key signs what comes"
    return _about(commit, "verify-unproven", "nomic.yml", message, remedy, admits=False)


def rewritten_history(message: str, help: str = "", detail: str = "") -> CommitFinding:
    """A history that is not the one that was published, or that was seen before."""
    return CommitFinding(
        finding=Finding(
            slug="verify-rewritten",
            span=Span(file="nomic.yml"),
            message=message,
            help=help or ASK_KEEPER,
            detail=detail,
        )
    )


def shallow(commit: LineCommit) -> CommitFinding:
    """A clone that ends before the game's beginning."""
    return CommitFinding(
        commit=commit,
        finding=Finding(
            slug="verify-shallow",
            span=Span(file="nomic.yml"),
            message=f"this clone is shallow: what came before commit {commit.sha[:12]} is not verified",
            help="run `git fetch --unshallow`; in CI, check out with `fetch-depth: 0`",
        ),
    )


def unproven(message: str, help: str, span: Span | None = None) -> CommitFinding:
    """Something that cannot be verified here."""
    return CommitFinding(
        finding=Finding(slug="verify-unproven", span=span or Span(file="nomic.yml"), message=message, help=help)
    )


def _place(fault: CommitFinding) -> tuple[bool, int, Span]:
    """First what limits all the rest, then what is about no commit of the line, then commit after commit."""
    index = fault.commit.index if fault.commit is not None else -1
    return fault.finding.slug != "verify-shallow", index, fault.finding.span


def split_admitted(
    faults: Iterable[CommitFinding], known: Mapping[CommitId, str]
) -> tuple[tuple[CommitFinding, ...], tuple[Admission, ...]]:
    """The faults in the order of the history, and apart from them those of commits that the game owns up to."""
    kept: list[CommitFinding] = []
    owned: dict[str, list[CommitFinding]] = {}
    order = sorted(faults, key=_place)
    for fault in order:
        sha = fault.commit.sha if fault.commit is not None else fault.sha
        if sha is not None and sha in known:
            owned.setdefault(sha, []).append(fault)
        else:
            kept.append(fault)
    told = tuple(Admission(sha=sha, why=why, faults=tuple(owned.get(sha, ()))) for sha, why in known.items())
    return tuple(kept), told
