"""What `nomicgen verify` finds: the words of each finding, the commit that it is about, and the
verdict of them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import CommitId, Digest
from nomicgen.model.line_commits import LineCommit
from nomicgen.model.values import Span
from nomicgen.verify.vote_vouchers import Vouchers

SHOWN = 5
"""How many paths, commits or names a finding lists."""
ASK_KEEPER = "ask the keeper what happened to the history; older clones still have it: `git log`"
_VOUCH = (
    "say whose keys count: `--signers FILE`, or git's own `gpg.ssh.allowedSignersFile`, or "
    "gpg's keyring"
)
_SIGN = "sign with `git commit -S`"
_NEW_KEY = "ask the signer; a new key signs what comes"
_FAULTS: Mapping[str, tuple[str, str, str]] = {
    "edited": (
        "verify-hand-edit",
        "made this differ from the ledger: {paths}",
        "`nomicgen apply --commit` brings rules/ back",
    ),
    "edited-and-undone": (
        "verify-hand-edit",
        "made this differ from the ledger: {paths}; undone by commit {undone}",
        "",
    ),
    "taken-back": (
        "verify-hand-edit",
        "took rules/ back to what they were before {names}",
        "what was carried out stays so, and another instrument undoes it",
    ),
    "unnamed": (
        "verify-unnamed",
        "carries out {name}, but does not name it",
        "let the commands commit (`--commit`), or end a message with `Instrument: {file}`",
    ),
    "not-there": (
        "verify-impostor",
        "names {named} as its instrument, but there is no such file",
        "a trailer names a file of the game, such as `Instrument: proposals/301.md`",
    ),
    "not-carried-out": (
        "verify-impostor",
        "names {name} as its instrument, but neither decides it nor carries it out",
        "let only the commit that decides it or carries it out name it",
    ),
    "past-changed": ("verify-past", "changed the past: {message}", "{help}"),
    "initial-changed": (
        "verify-past",
        "changed the initial set after the game had begun: {paths}",
        "bring it back as it was, and propose the change",
    ),
    "added-later": (
        "verify-past",
        "added {name}, which takes effect before what commit {before} had carried out",
        "give it the day on which it was made",
    ),
    "differs-today": (
        "verify-past",
        "brought what the ledger gave then; today's ledger gives something else",
        "see what changed since: `git diff {sha} HEAD -- players turns nomic.yml`",
    ),
    "signature-N": ("verify-unsigned", "is not signed, but nomic.yml asks for signatures", _SIGN),
    "signature-B": (
        "verify-unsigned",
        "has a signature that was not made for it, and nomic.yml asks for signatures",
        _SIGN,
    ),
    "signature-U": (
        "verify-unsigned",
        "is signed with a key that nobody here vouches for, and nomic.yml asks for signatures",
        _VOUCH,
    ),
    "signature-R": (
        "verify-unsigned",
        "is signed with a key that was revoked, and nomic.yml asks for signatures",
        _SIGN,
    ),
    "signature-E": (
        "verify-unsigned",
        "has a signature that cannot be checked here, and nomic.yml asks for signatures",
        _VOUCH,
    ),
    "signature-X": (
        "verify-unproven",
        "has a signature that has expired: git does not say whether it held when it was made",
        _NEW_KEY,
    ),
    "signature-Y": (
        "verify-unproven",
        "is signed with a key that has expired: git does not say whether it held when it was made",
        _NEW_KEY,
    ),
}
"""By what a commit can have done: the slug of the finding, the words after the commit's name, and
the remedy. The letter in `signature-N` is what git says of a signature (`%G?`).
"""


class CommitFinding(Struct, frozen=True, kw_only=True):
    """A finding, and the commit that it is about, if any.

    `commit` is a commit of the line; of a commit elsewhere there is only the id, in `sha`.
    """

    finding: Finding
    commit: LineCommit | None = None
    sha: CommitId | None = None


class Admission(Struct, frozen=True, kw_only=True):
    """A commit that the game admits in `nomic.yml`, why, and what is found of it."""

    sha: CommitId
    why: str
    faults: tuple[CommitFinding, ...] = ()


class HistoryVerdict(Struct, frozen=True, kw_only=True):
    """What a game's repository says of its ledger.

    `head` and `tree` are the ids of the commit that was verified and of its whole tree, `digest`
    is the ledger's digest. `since` is the commit from which the ledger counts; `archived` says
    that this is the last of an archive, whose past is not proved. `commits` is how many from there
    on touched the game, and `instruments` how many instruments they carried out. `signed` is how
    many commits of the game had to be signed, `votes` says who vouches for the votes. `faults` are
    in the order of the history, without those of commits that are `admitted`.
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
        return tuple(fault.finding for fault in self.faults)


def fault_of(
    commit: LineCommit, kind: str, path: str = "nomic.yml", *, detail: str = "", **words: str
) -> CommitFinding:
    """Return what a commit of the line did, as a finding at the file `path` of the game.

    `kind` is a key of `_FAULTS`; `words` fill the places in its sentences, such as `{paths}`.
    """
    slug, message, remedy = _FAULTS[kind]
    words = {**words, "sha": commit.sha[:12], "file": path}
    who = f"commit {words['sha']} ({commit.author[:60] or 'nobody'}, {commit.date[:10]})"
    helps = [remedy.format(**words)] if remedy else []
    if slug not in ("verify-unnamed", "verify-unproven"):  # these are warnings, and may stay
        helps.append(
            f"to admit what happened, write into nomic.yml `admitted: {{{commit.sha}: WHY}}`"
        )
    message = f"{who} {message.format(**words)}"
    finding = Finding(
        slug=slug, span=Span(file=path), message=message, help="; ".join(helps), detail=detail
    )
    return CommitFinding(commit=commit, finding=finding)


def missing_commit(span: Span, sha: CommitId, *, apart: bool) -> CommitFinding:
    """Return the finding on a commit that the ledger names and the history lacks; `apart` says that
    the repository has it all the same.
    """
    where = (
        "is in the repository, and not in the history of this branch"
        if apart
        else "is not in this repository"
    )
    return CommitFinding(
        sha=sha,
        finding=Finding(
            slug="verify-unreachable",
            span=span,
            message=f"the ledger names commit {sha[:12]}, which {where}",
            help="name the commit that replaced it, or admit it in nomic.yml: `admitted: "
            f"{{{sha}: WHY}}`",
        ),
    )


def rewritten_history(message: str, help: str = "", detail: str = "") -> CommitFinding:
    """Return the finding that a history is not the one that was published, or seen before."""
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
    """Return the finding on a clone that ends before the game's beginning."""
    return CommitFinding(
        commit=commit,
        finding=Finding(
            slug="verify-shallow",
            span=Span(file="nomic.yml"),
            message=f"this clone is shallow: nothing before commit {commit.sha[:12]} is verified",
            help="run `git fetch --unshallow`; in CI, check out with `fetch-depth: 0`",
        ),
    )


def unproven_finding(message: str, help: str) -> CommitFinding:
    """Return the finding that something cannot be verified here."""
    return CommitFinding(
        finding=Finding(
            slug="verify-unproven", span=Span(file="nomic.yml"), message=message, help=help
        )
    )


def _place(fault: CommitFinding) -> tuple[bool, int, Span]:
    """Return the key to sort by: first a shallow clone, then what is about no commit of the line,
    then by commit.
    """
    index = fault.commit.index if fault.commit is not None else -1
    return fault.finding.slug != "verify-shallow", index, fault.finding.span


def split_admitted(
    faults: Iterable[CommitFinding], reasons: Mapping[CommitId, str]
) -> tuple[tuple[CommitFinding, ...], tuple[Admission, ...]]:
    """Return the faults in the order of history, and apart from them those of commits that the game
    admits; `reasons` has the reason for each of these commits.
    """
    kept: list[CommitFinding] = []
    admitted: dict[str, list[CommitFinding]] = {}
    order = sorted(faults, key=_place)
    for fault in order:
        sha = fault.commit.sha if fault.commit is not None else fault.sha
        if sha is not None and sha in reasons:
            admitted.setdefault(sha, []).append(fault)
        else:
            kept.append(fault)
    admissions = tuple(
        Admission(sha=sha, why=why, faults=tuple(admitted.get(sha, ())))
        for sha, why in reasons.items()
    )
    return tuple(kept), admissions
