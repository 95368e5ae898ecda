"""Traps: settings of a repository that name a program, each with the plain git command that runs
it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nomicgen.importers.git.history import read_past
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.source_map import shipped_maps
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.commits import commit, init, require_ready
from nomicgen.repository.first_parents import walk
from nomicgen.repository.git_objects import objects
from nomicgen.repository.git_revisions import (
    changed_on_disk,
    commit_id,
    files_at,
    merge_bases,
    touched_on_the_way,
)
from nomicgen.repository.git_state import folders, inspect, scan
from nomicgen.repository.signatures import signatures
from tests.support import GitRepo

RULE_A_FILE = MapReader(shipped_maps()["file-a-rule"])
FILTERED = "* filter=evil diff=evil merge=evil\n"


def ran(program: Path) -> bool:
    """Whether the canary did, since it was last asked."""
    mark = program.with_name("ran")
    found = mark.exists()
    mark.unlink(missing_ok=True)
    return found


def plainly(repo: GitRepo, line: str) -> None:
    """A git command in a terminal, whatever comes of it."""
    control, terminal = os.openpty()
    try:
        subprocess.run(
            ["git", *line.split()],
            cwd=repo.path,
            input=b"protocol=https\nhost=example.invalid\n\n",
            stdout=terminal,
            stderr=subprocess.DEVNULL,
            check=False,
            env={**os.environ, "TERM": "dumb"},
        )
    finally:
        os.close(control)
        os.close(terminal)


def everything(repo: GitRepo) -> Iterator[Callable[[], object]]:
    """Each thing that is ever asked of git."""
    root = repo.path
    head, base = repo.git("rev-parse", "HEAD", "HEAD~1").split()
    yield lambda: inspect(root)
    yield lambda: scan(root)
    yield lambda: folders(root)
    yield lambda: commit_id(root, "main")
    yield lambda: objects(root, [one.oid for one in files_at(root, CommitId(head)).values()])
    yield lambda: changed_on_disk(root, CommitId(base))
    yield lambda: touched_on_the_way(root, base, head)
    yield lambda: merge_bases(root, "main", "other")
    yield lambda: read_past(root, "main", ["rules/*"], RULE_A_FILE)
    yield lambda: walk(root)
    yield lambda: signatures(root, [head, base])
    yield lambda: require_ready(root)
    yield lambda: commit(root, ["rules/203.md"], "x\n")
    yield lambda: commit(root, ["beside.txt"], "y\n")
    (root.parent / "fresh").mkdir()
    yield lambda: init(root.parent / "fresh")


def set_all(repo: GitRepo, settings: Mapping[str, str], *where: str) -> None:
    for key, value in settings.items():
        repo.git("config", *where, key, value)


def included(repo: GitRepo, program: str) -> None:
    file = repo.path.with_name("included")
    set_all(
        repo, {"filter.evil.clean": program, "filter.evil.required": "true"}, "--file", str(file)
    )
    repo.git("config", "include.path", str(file))


def of_the_work_tree(repo: GitRepo, program: str) -> None:
    repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", "--worktree", "filter.evil.process", program)


def odd(repo: GitRepo, program: str) -> None:
    repo.git("config", "filter.evil.ü[*]'.clean", program)
    repo.write({".git/info/attributes": "* filter=evil.ü[*]'\n"})


def hooks(repo: GitRepo, program: str) -> None:
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "post-index-change",
        "reference-transaction",
    ):
        (repo.path / ".git" / "hooks").mkdir(exist_ok=True)
        (repo.path / ".git" / "hooks" / name).symlink_to(program)


def hooks_elsewhere(repo: GitRepo, program: str) -> None:
    hooks(repo, program)
    (repo.path / ".git" / "hooks").rename(repo.path / "hooks")
    repo.git("config", "core.hooksPath", "hooks")


def signed(repo: GitRepo, settings: Mapping[str, str]) -> None:
    """A signature is there to be checked, and one is to be made."""
    set_all(repo, {**settings, "log.showSignature": "true"})
    mark = f"{'SSH' if settings.get('gpg.format') == 'ssh' else 'PGP'} SIGNATURE"
    text = repo.git("cat-file", "commit", "HEAD").replace(
        "\n\n", f"\ngpgsig -----BEGIN {mark}-----\n \n AAAA\n -----END {mark}-----\n\n", 1
    )
    file = repo.path.with_name("signed")
    file.write_text(text + "\n")
    repo.git("reset", "--quiet", "--soft", repo.git("hash-object", "-t", "commit", "-w", str(file)))
    repo.git("config", "commit.gpgSign", "true")


def promised(repo: GitRepo, settings: Mapping[str, str]) -> None:
    """A partial clone that lacks a file, which it would fetch."""
    blob = repo.git("rev-parse", "HEAD:nomic.yml")
    set_all(
        repo,
        {
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "origin",
            "remote.origin.promisor": "true",
            "remote.origin.url": f"file://{repo.path}",
            "protocol.allow": "always",
            **settings,
        },
    )
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()


def submodule(repo: GitRepo, program: str) -> None:
    inner = GitRepo(repo.path / "module")
    inner.commit("Inner", {"a.txt": "a\n", ".gitattributes": FILTERED})
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "module")
    repo.git("commit", "--quiet", "--message=A submodule")
    set_all(inner, {"core.fsmonitor": program, "filter.evil.clean": program})
    inner.write({"a.txt": "b\n"})


@dataclass(frozen=True, kw_only=True)
class Trap:
    """How it is set in a repository, and the plain git command that walks into it."""

    arm: Callable[[GitRepo, str], None]
    sprung: str


def named(settings: Mapping[str, str], program: str) -> dict[str, str]:
    """Settings, with two underscores for a dot and `%` for the program."""
    return {
        key.replace("__", ".").replace("%", program): text.replace("%", program)
        for key, text in settings.items()
    }


def setting(sprung: str, **settings: str) -> Trap:
    return Trap(arm=lambda repo, program: set_all(repo, named(settings, program)), sprung=sprung)


def signing(sprung: str, **settings: str) -> Trap:
    return Trap(arm=lambda repo, program: signed(repo, named(settings, program)), sprung=sprung)


def fetching(**settings: str) -> Trap:
    return Trap(
        arm=lambda repo, program: promised(repo, named(settings, program)),
        sprung="cat-file -p HEAD:nomic.yml",
    )


TRAPS = {
    "clean": setting("add .", filter__evil__clean="%"),
    "clean that is required": setting(
        "diff main", filter__evil__clean="%", filter__evil__required="true"
    ),
    "smudge": setting("checkout --force -- rules", filter__evil__smudge="%"),
    "process": setting("add .", filter__evil__process="%", filter__evil__required="true"),
    "included": Trap(arm=included, sprung="add ."),
    "work tree's own": Trap(arm=of_the_work_tree, sprung="add ."),
    "odd name": Trap(arm=odd, sprung="add ."),
    "fsmonitor": setting("status", core__fsmonitor="%"),
    "hooks": Trap(arm=hooks, sprung="commit --all --message=x"),
    "hooksPath": Trap(arm=hooks_elsewhere, sprung="update-ref refs/heads/new HEAD"),
    "pager": setting("--paginate log", core__pager="%"),
    "editor": setting("commit --all", core__editor="%"),
    "ssh": setting("ls-remote ssh://example.invalid/x", core__sshCommand="%"),
    "gitProxy": setting("ls-remote git://example.invalid/x", core__gitProxy="%"),
    "credential helper": setting("-c core.askPass=true credential fill", credential__helper="!%"),
    "instead of": setting(
        "ls-remote x:y", **{"url.ext::%.insteadOf": "x:y"}, protocol__allow="always"
    ),
    "external diff": setting("diff", diff__external="%"),
    "diff driver": setting("diff", diff__evil__command="%"),
    "textconv": setting("diff", diff__evil__textconv="%"),
    "merge driver": Trap(
        arm=lambda repo, program: set_all(repo, {"merge.evil.driver": program}),
        sprung="merge --autostash other",
    ),
    "alias": setting("evil", alias__evil="!%", alias__status="!%", alias__log="!%"),
    "trailer": setting(
        "interpret-trailers --trailer instrument=x", trailer__instrument__command="%"
    ),
    "gpg": signing("log", gpg__program="%"),
    "openpgp": signing("commit --all --message=x", gpg__openpgp__program="%"),
    "x509": signing("commit --all --message=x", gpg__format="x509", gpg__x509__program="%"),
    "ssh signatures": signing(
        "commit --all --message=x", gpg__format="ssh", gpg__ssh__program="%", user__signingKey="k"
    ),
    "key command": signing(
        "commit --all --message=x", gpg__format="ssh", gpg__ssh__defaultKeyCommand="%"
    ),
    "fetch by ext": fetching(remote__origin__url="ext::%"),
    "fetch by upload-pack": fetching(remote__origin__uploadpack="%"),
    "fetch by ssh": fetching(remote__origin__url="ssh://example.invalid/x", core__sshCommand="%"),
    "fetch instead of": fetching(remote__origin__url="x:y", **{"url.ext::%.insteadOf": "x:y"}),
    "submodule": Trap(arm=submodule, sprung="status"),
}
