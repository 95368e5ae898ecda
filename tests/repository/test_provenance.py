"""Which commit a revision came from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nomicgen.history.provenance import trace, trace_files
from nomicgen.history.rule_history import Histories, HistoryEntry, RuleHistory
from nomicgen.law.replay.results import Rule, Ruleset, Step
from nomicgen.model.commits import CommitInfo, Log, Origin
from nomicgen.model.front_matters import ProposalMatter
from nomicgen.model.identifiers import CommitId
from nomicgen.model.records import Proposal
from nomicgen.model.values import Source
from nomicgen.repository.commits import commit
from nomicgen.repository.git_log import blob_id
from nomicgen.repository.git_state import inspect, scan
from nomicgen.repository.write_plan import WritePlan, execute
from tests.support import GitRepo


def entry(path: str, *, verb: str = "amend", commit: CommitId | None = None) -> HistoryEntry:
    instrument = Proposal(
        path=path, matter=ProposalMatter(status="adopted"), source=Source(file=path)
    )
    nothing = Ruleset()
    step = Step(
        instrument=instrument,
        effective=None,
        outcome="applied",
        changes=(),
        before=nothing,
        after=nothing,
    )
    return HistoryEntry(
        verb=verb,
        rule=Rule(identity=1, number=203, revision=0, tier="mutable", text="x"),
        path=path,
        step=None if verb == "initial" else step,
        commit=commit,
    )


def histories(*entries: HistoryEntry, identity: int = 1) -> Histories:
    return Histories(
        rules={identity: RuleHistory(identity=identity, entries=entries, current=None)},
        bearers={203: (identity,)},
    )


def made(
    sha: str, *blobs: tuple[str, str], instruments: tuple[str, ...] = (), boundary: bool = False
) -> CommitInfo:
    return CommitInfo(
        sha=CommitId(sha),
        date=f"date of {sha}",
        author=f"author of {sha}",
        subject=f"subject of {sha}",
        blobs=blobs,
        instruments=instruments,
        boundary=boundary,
    )


def found(
    only: HistoryEntry,
    commits: tuple[CommitInfo, ...],
    blob: str | None = None,
    file: str | None = None,
) -> str:
    """`kind sha` of the origin of the only entry; `blob` is its rule file's, `file` its own file's
    as it is now.
    """
    origin = trace(
        histories(only),
        Log(commits=commits),
        ({(1, 0): ("rules/203.md", blob)} if blob else {}).get,
        {only.path: file} if file else {},
    )[1, 0]
    return f"{origin.kind} {origin.sha}"


P = "proposals/301.md"
R = "rules/203.md"


def test_a_commit_that_the_file_names_is_the_origin_wherever_it_lies() -> None:
    commits = (made("a", (R, "r1"), instruments=(P,)), made("b"))
    origins = trace(
        histories(entry(P, commit=CommitId("b")), entry(P, commit=CommitId("elsewhere"))),
        Log(commits=commits),
        {(1, 0): (R, "r1")}.get,
        {},
    )
    assert origins == {
        (1, 0): Origin(
            kind="named",
            sha=CommitId("b"),
            date="date of b",
            author="author of b",
            subject="subject of b",
        ),
        (1, 1): Origin(kind="named", sha=CommitId("elsewhere")),
    }


def test_a_trailer_goes_before_the_bytes_and_the_earliest_counts() -> None:
    commits = (
        made("a", (R, "r1")),
        made("b", (P, "p1"), instruments=("proposals/300.md", P)),
        made("c", instruments=(P,)),
    )
    assert found(entry(P), commits, "r1", "p1") == "trailer b"
    assert found(entry("proposals/3.md"), commits, "r1") == "blob a"
    assert found(entry("proposals/301"), commits) == "missing None"


def test_of_several_trailers_the_one_that_wrote_the_revision_counts() -> None:
    commits = (
        made("proposed", (P, "p1"), instruments=(P,)),
        made("applied", (R, "r1"), instruments=(P,)),
    )
    assert found(entry(P), commits, "r1", "p1") == "trailer applied"
    assert found(entry(P), commits, "r2", "p1") == "trailer proposed"


def test_without_a_trailer_the_first_commit_that_wrote_the_bytes_there_counts() -> None:
    commits = (
        made("a", ("rules/204.md", "r1")),
        made("b", (R, "r0")),
        made("c", (R, "r1"), (P, "p1")),
        made("d", (R, "r0")),
        made("e", (R, "r1")),
    )
    assert found(entry(P), commits, "r1", "p1") == "blob c"


def test_a_revision_that_was_never_written_leads_to_its_instruments_commit() -> None:
    commits = (made("draft", (P, "p0")), made("adopted", (P, "p1")), made("later", (R, "r2")))
    assert found(entry(P), commits, "r1", "p1") == "instrument adopted"
    assert found(entry(P, verb="repeal"), commits, None, "p1") == "instrument adopted"
    assert found(entry(P), commits, "r1", "not committed") == "missing None"
    assert found(entry(P), (), "r1", "p1") == "missing None"


def test_the_initial_set_came_with_its_file() -> None:
    first = "rules/initial/203.md"
    commits = (
        made("other", (R, "i")),
        made("begin", (first, "i")),
        made("again", (first, "i"), instruments=(first,)),
    )
    assert found(entry(first, verb="initial"), commits, None, "i") == "blob begin"
    assert found(entry(first, verb="initial"), commits, None, "changed since") == "missing None"
    given = trace(
        histories(entry(first, verb="initial")),
        Log(commits=commits),
        {(1, 0): (first, "i")}.get,
        {},
    )
    assert given[1, 0].sha == "begin"


def test_no_revision_is_written_out_where_one_commit_alone_says_that_it_is_of_the_instrument() -> (
    None
):
    asked: list[tuple[int, int]] = []
    commits = (
        made("a", instruments=(P,)),
        made("b", (R, "r1"), instruments=("acts/a.md",)),
        made("c"),
    )
    again = (*commits, made("d", (R, "r2"), instruments=("acts/a.md",)))

    def blob(place: tuple[int, int]) -> tuple[str, str]:
        asked.append(place)
        return R, "r2"

    both = histories(entry(P), entry("acts/a.md"))
    assert [one.sha for one in trace(both, Log(commits=commits), blob, {}).values()] == ["a", "b"]
    assert asked == []
    assert [one.sha for one in trace(both, Log(commits=again), blob, {}).values()] == ["a", "d"]
    assert asked == [(1, 1)]


def test_where_a_shallow_clone_ends_nobody_is_blamed_for_the_whole_tree() -> None:
    commits = (made("end", (R, "r1"), (P, "p1")), made("b", (R, "r2")), made("c", (R, "r1")))
    assert found(entry(P), commits, "r1", "p1") == "blob end"
    shallow = (made("end", (R, "r1"), (P, "p1"), boundary=True), *commits[1:])
    # Not `c` either: it only brought back what was there.
    assert found(entry(P), shallow, "r1", "p1") == "missing None"
    assert found(entry(P), shallow, "r2", "p1") == "blob b"
    named = (made("end", (R, "r1"), instruments=(P,), boundary=True),)
    assert found(entry(P), named, "r1") == "trailer end"


def test_every_entry_of_every_rule_has_an_origin() -> None:
    one, two = entry(P), entry("acts/a.md")
    both = Histories(
        rules={
            1: RuleHistory(identity=1, entries=(one, two), current=None),
            7: RuleHistory(identity=7, entries=(two,), current=None),
        },
        bearers={},
    )
    origins = trace(
        both, Log(commits=(made("a", ("rules/7.md", "r")),)), {(7, 0): ("rules/7.md", "r")}.get, {}
    )
    assert {key: origin.kind for key, origin in origins.items()} == {
        (1, 0): "missing",
        (1, 1): "missing",
        (7, 0): "blob",
    }


def test_files_lead_to_the_commit_that_changed_them_last() -> None:
    commits = (
        made("end", (P, "p0"), ("acts/a.md", "a"), boundary=True),
        made("b", (P, "p1")),
        made("c", (P, "p2")),
    )
    assert trace_files(Log(commits=commits), [P, "acts/a.md", "acts/none.md"]) == {
        P: Origin(
            kind="instrument",
            sha=CommitId("c"),
            date="date of c",
            author="author of c",
            subject="subject of c",
        )
    }


def test_an_instrument_was_recorded_by_the_commit_that_decided_it() -> None:
    """A later commit may add the day of its effect, and another may only name it."""
    commits = (
        made("open", (P, "p0")),
        made("decided", (P, "p1"), instruments=(P,)),
        made("turn", (P, "p2")),
        made("impostor", ("acts/a.md", "a"), instruments=(P,)),
    )
    found = trace_files(Log(commits=commits), [P, "acts/a.md"], named=True)
    assert {path: origin.sha for path, origin in found.items()} == {P: "decided"}


@pytest.fixture
def begun(git_repo: Callable[..., GitRepo]) -> GitRepo:
    repo = git_repo()
    repo.commit(
        "Begin",
        {"nomic.yml": "format: 1\n", "rules/initial/203.md": "r0\n", "rules/203.md": "r0\n"},
    )
    return repo


def origins(root: Path, *revisions: tuple[HistoryEntry, str | None]) -> list[str]:
    """`kind subject` of each entry's origin in a real repository; a revision's bytes are given with
    it.
    """
    state = inspect(root)
    blobs = {
        (1, at): (R, blob_id(text.encode(), state.object_format))
        for at, (_, text) in enumerate(revisions)
        if text is not None
    }
    files = {
        path.relative_to(root).as_posix(): blob_id(path.read_bytes(), state.object_format)
        for path in root.rglob("*.md")
    }
    given = trace(histories(*(one for one, _ in revisions)), scan(root), blobs.get, files)
    return [f"{given[1, at].kind}: {given[1, at].subject}" for at in range(len(revisions))]


def test_in_a_real_repository_each_revision_leads_to_its_commit(begun: GitRepo) -> None:
    root = begun.path
    begun.commit("Adopt 301", {"proposals/301.md": "adopted\n"})
    execute(root, WritePlan(writes={R: b"r1\n"}))
    commit(root, [R], "Apply 301\n\nInstrument: proposals/301.md\n")
    begun.git("switch", "--quiet", "-c", "pull-request")
    begun.commit(
        "Inside\n\nInstrument: proposals/302.md", {"proposals/302.md": "adopted\n", R: "r2\n"}
    )
    begun.git("switch", "--quiet", "main")
    begun.commit("Meanwhile", {"README.md": "x\n"})
    begun.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request 2", "pull-request")
    begun.commit(
        "Adopt 303 and 304", {"proposals/303.md": "adopted\n", "proposals/304.md": "adopted too\n"}
    )
    begun.commit("By hand, both at once", {R: "r4\n"})
    assert origins(
        root,
        (entry("rules/initial/203.md", verb="initial"), None),
        (entry("proposals/301.md"), "r1\n"),
        (entry("proposals/302.md"), "r2\n"),
        (entry("proposals/303.md"), "r3\n"),
        (entry("proposals/304.md"), "r4\n"),
        (entry("proposals/305.md", verb="repeal"), None),
    ) == [
        "blob: Begin",
        "trailer: Apply 301",
        "blob: Merge pull request 2",
        "instrument: Adopt 303 and 304",
        "blob: By hand, both at once",
        "missing: None",
    ]


def test_a_shallow_clone_says_what_it_knows_and_no_more(begun: GitRepo) -> None:
    begun.commit(
        "Apply 301\n\nInstrument: proposals/301.md", {R: "r1\n", "proposals/301.md": "adopted\n"}
    )
    begun.commit("Between", {"README.md": "x\n"})
    begun.commit(
        "Apply 302\n\nInstrument: proposals/302.md", {R: "r2\n", "proposals/302.md": "adopted\n"}
    )
    revisions = (
        (entry("rules/initial/203.md", verb="initial"), None),
        (entry("proposals/301.md"), "r1\n"),
        (entry("proposals/302.md"), "r2\n"),
    )
    assert origins(begun.path, *revisions) == [
        "blob: Begin",
        "trailer: Apply 301",
        "trailer: Apply 302",
    ]
    begun.git("clone", "--quiet", "--depth=2", f"file://{begun.path}", "../shallow")
    shallow = begun.path.parent / "shallow"
    assert origins(shallow, *revisions) == ["missing: None", "missing: None", "trailer: Apply 302"]
