"""Pull requests as cases: what each holds, and how its two commits are made.

A case of `cases/` is a pull request on the game in `game.txt`. It has these files, as far as it
needs them:

    laws.txt     cases of `laws/` that lie over the game on the base: rules, and what goes with them
    base/        files that lie over the game on the base
    gone.txt     paths that the base does not have, one a line
    head/        files that the pull request adds or changes
    delete.txt   paths that it removes
    links.txt    `PATH TARGET`: what it makes a symbolic link
    modes.txt    `MODE PATH`: files whose mode it changes
    modules.txt  paths that it makes submodules
    derived.txt  paths in rules/ that are what the ledger with the pull request gives
    moved/       files that the base adds or changes meanwhile
    moved.txt    paths that the base removes meanwhile
    asked.txt    options of `nomicgen check --base main --head theirs`
    verdict.txt  the kind, the file, and whether it is refused
    text.txt     the findings, as they are printed; () when there are none
    effects.txt  what changes in the game with it, and the rule that permits each

`DIGEST` stands for the digest of a file's own instructions. Commits are made by `git fast-import`,
which takes any path and any mode, whatever the system that the tests run on could write.
"""

from __future__ import annotations

import shlex
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nomicgen.files.documents import read_instrument
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.values import Moment
from nomicgen.play.load import load_tree
from nomicgen.pulls.examine import Pull, examine
from nomicgen.repository.game_tree import is_of_game
from tests.case_files import case_folder, unfold
from tests.explain_pages import printed
from tests.support import voted

GAME = Path(__file__).parent / "game.txt"
CASES = Path(__file__).parent / "cases"
LAWS = Path(__file__).parent / "laws"
ON = Moment.parse("2026-03-01")
"""The day on which every pull request is judged."""
LAST = "2026-01-25"
"""The day on which something was decided last in the game."""

FILE, PROGRAM, LINK, MODULE = "100644", "100755", "120000", "160000"


@dataclass(frozen=True, slots=True)
class Item:
    """What stands at a path of a commit: the bytes of a file, the target of a link, the id of a
    submodule's commit.
    """

    data: bytes
    mode: str = FILE


Files = Mapping[bytes, Item]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A base, the head of a pull request that left it, and the base as it is now."""

    base: Files
    head: Files
    now: Files | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    machinery: bool = False


def files_in(folder: Path) -> dict[bytes, Item]:
    """Every file of a folder."""
    found = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            path = file.relative_to(folder).as_posix()
            found[path.encode()] = Item(_digested(path, file.read_bytes()))
    return found


def _digested(path: str, data: bytes) -> bytes:
    if not path.startswith("proposals/") or b"DIGEST" not in data:
        return data
    instrument, _ = read_instrument(path, data.replace(b"DIGEST", b"0" * 64))
    assert instrument is not None
    return data.replace(b"DIGEST", voted(instrument).encode())


def small_game(*overlays: Mapping[bytes, Item], gone: tuple[bytes, ...] = ()) -> dict[bytes, Item]:
    """The game with other files laid over it, and `rules/` as the ledger then gives it."""
    files = {
        path.encode(): Item(_digested(path, data))
        for path, data in unfold(GAME.read_bytes()).items()
    }
    for overlay in overlays:
        files |= overlay
    for path in gone:
        del files[path]
    return {**derived(files), **files}


def derived(files: Mapping[bytes, Item]) -> dict[bytes, Item]:
    """The files of `rules/` that the ledger among some files gives."""
    tree = {path.decode(): item.data for path, item in files.items() if is_of_game(path.decode())}
    game = load_tree(Path(), tree, ON)
    return {path.encode(): Item(data) for path, data in ruleset_files(game.replay.current).items()}


def said(name: str, what: str) -> str:
    """What a case says that is printed: its `verdict`, `text` or `effects`; '' where it says
    nothing of that.
    """
    file = case_folder(CASES, name) / f"{what}.txt"
    return file.read_text("utf-8") if file.is_file() else ""


def read_case(name: str) -> Story:
    """The pull request of a case."""
    folder = case_folder(CASES, name)
    overlays = [files_in(case_folder(LAWS, name)) for name in _lines(folder / "laws.txt")]
    gone = tuple(line.encode() for line in _lines(folder / "gone.txt"))
    base = small_game(*overlays, files_in(folder / "base"), gone=gone)
    head = base | files_in(folder / "head")
    for line in _lines(folder / "delete.txt"):
        del head[line.encode()]
    for line in _lines(folder / "links.txt"):
        path, target = line.split()
        head[path.encode()] = Item(target.encode(), LINK)
    for line in _lines(folder / "modules.txt"):
        head[line.encode()] = Item(b"5e" * 20, MODULE)
    for line in _lines(folder / "modes.txt"):
        mode, path = line.split()
        head[path.encode()] = Item(head[path.encode()].data, mode)
    wanted = {line.encode() for line in _lines(folder / "derived.txt")}
    if wanted:
        head |= {path: item for path, item in derived(head).items() if path in wanted}
    now = base | files_in(folder / "moved")
    for line in _lines(folder / "moved.txt"):
        del now[line.encode()]
    words = shlex.split(" ".join(_lines(folder / "asked.txt")))
    plain = [word for word in words if word != "--machinery"]
    return Story(
        base=base,
        head=head,
        now=now,
        options=dict(zip(plain[::2], plain[1::2], strict=True)),
        machinery="--machinery" in words,
    )


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines() if file.is_file() else []


def lay_out(story: Story, root: Path, *, prefix: bytes = b"") -> Path:
    """Makes a repository of a story: `main` is the base, `theirs` the head. Gives the directory of
    the game.

    The base is checked out; of the head there are objects only.
    """
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    stream = [
        _commit(b"main", 1, None, story.base, prefix),
        _commit(b"theirs", 2, b":1", story.head, prefix),
    ]
    if story.now is not None and story.now != story.base:
        stream.append(_commit(b"main", 3, b":1", story.now, prefix))
    git(root, "fast-import", "--quiet", feed=b"".join(stream))
    git(root, "reset", "--quiet", "--hard", "main")
    return root / prefix.decode()


def add_branch(where: Path, branch: str, files: Files) -> None:
    """Makes a branch that leaves `main` with a commit of some files."""
    git(
        where, "fast-import", "--quiet", feed=_commit(branch.encode(), 1, b"refs/heads/main", files)
    )


def _commit(
    branch: bytes, mark: int, parent: bytes | None, files: Files, prefix: bytes = b""
) -> bytes:
    parts = [
        b"commit refs/heads/%s\nmark :%d\n" % (branch, mark),
        b"committer Ada <ada@example.org> %d +0000\ndata 4\ntext\n" % (1_770_000_000 + mark),
        b"from %s\n" % parent if parent else b"",
        b"deleteall\n",
    ]
    for path, item in files.items():
        if item.mode == MODULE:
            parts.append(b"M 160000 %s %s\n" % (item.data, quoted(prefix + path)))
        else:
            parts.append(b"M %s inline %s\n" % (item.mode.encode(), quoted(prefix + path)))
            parts.append(b"data %d\n%s\n" % (len(item.data), item.data))
    return b"".join(parts)


def quoted(path: bytes) -> bytes:
    """A path as `git fast-import` reads it."""
    return b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'


def git(root: Path, *arguments: str, feed: bytes | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, input=feed
    )
    return done.stdout.decode("utf-8", "replace").strip()


def judged(story: Story, where: Path) -> Pull:
    """What nomicgen says of a pull request."""
    actor = story.options.get("--actor")
    return examine(
        where,
        "main",
        story.options.get("--head", "theirs"),
        actor=actor.removeprefix("github:") if actor else None,
        machinery=story.machinery,
        until=ON,
    )


def verdict_line(pull: Pull) -> str:
    """The kind, the file, whether it is refused: on one line."""
    verdict = pull.verdict
    return f"{verdict.kind} {verdict.path or '-'}: {'refused' if verdict.refused else 'accepted'}\n"


def findings_text(pull: Pull) -> str:
    return printed(pull.verdict.findings) or "()\n"


def effects_text(pull: Pull) -> str:
    """The effects that the game has with a pull request and not without it: `points wren: 5 → 9
    points: Rule 206/0`.
    """
    told = [
        [f"{one.kind} {one.words}: {one.reason}\n" for one in game.replay.effects]
        for game in (pull.base, pull.laid)
    ]
    known = Counter(told[0])
    found = []
    for line in told[1]:
        known[line] -= 1
        if known[line] < 0:
            found.append(line)
    return "".join(found) or "()\n"
