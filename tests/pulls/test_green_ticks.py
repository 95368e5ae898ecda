"""A ✅ is a promise: whatever draft of these tests has one, its next step works, on that day or in
the turn it names.

So it is with a draft that is called legal, and has a ⚠️ since something is asked about it.

The corpus is every text below `tests/pulls/` that a pull request brings as a draft: those of
`comments/` and `cases/`, each in its own game, and those of `mending/drafts.yml`, with the files
that the comments make of them. Those of `comments/` and `mending/` are tried in another player's
turn as well, where only who is on turn may propose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from nomicgen.files.file_editing import set_keys
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.checks.run import ruleset_files
from nomicgen.model.values import Moment
from nomicgen.play.load import Game, load, load_tree
from nomicgen.play.next_step import NextStep, next_step
from nomicgen.play.proposing import turn_on
from nomicgen.pulls.drafts import register_new
from nomicgen.pulls.examine import Pull, supposed_pull
from nomicgen.pulls.parts import headline
from nomicgen.pulls.report import report_on
from nomicgen.repository.game_tree import is_of_game, read_tree
from tests.case_files import case_folder, case_names
from tests.cli.playing import LOOSE, begun
from tests.deep import sampled
from tests.explain_pages import ON
from tests.play.preview.test_command import laid_out
from tests.pulls.cases import CASES, Files, read_case
from tests.pulls.cases import ON as CASES_ON
from tests.pulls.mending.test_mended import DRAFTS, LOGIN, brought
from tests.pulls.test_comments import CASES as COMMENTS
from tests.pulls.test_comments import asked
from tests.support import GitRepo

pytestmark = pytest.mark.deep

URL = "https://forge.example/tea/game/pull/7"
OWN_TURNS = (
    b"---\nnumber: 104\nmutability: immutable\nrevision: 0\ntitle: Own turns\n"
    b"provisions:\n  turns: {order: joined, own_turn: true, proposals: 1}\n---\n\n"
    b"Who is on turn proposes.\n"
)


def lasting(game: Game, files: Mapping[str, bytes], day: Moment) -> Game:
    """The game with other files, and `rules/` as they then give it, on a day."""
    tree = {**game.tree, **files}
    return load_tree(
        game.root, {**tree, **ruleset_files(load_tree(game.root, tree, day).replay.current)}, day
    )


def with_next_turn(game: Game, day: Moment) -> Game:
    """The game after the turn that is being played, if any, has ended, and the next has begun."""
    following = game.replay.next_turn
    assert following is not None
    files = {f"turns/{following.ident}.yml": write_yaml({"player": following.player, "began": day})}
    for turn in game.records.turns_in_order:
        data = game.tree[f"turns/{turn.ident}.yml"]
        if turn.matter.ended is None and isinstance(data, bytes):
            files[f"turns/{turn.ident}.yml"] = set_keys(data, {"ended": day})
    return lasting(game, files, day)


def in_the_turn_of_another(game: Game, author: str) -> Game:
    """The game in a turn of somebody who is not `author`."""
    for _ in range(2):
        game = with_next_turn(game, game.until)
        (last,) = game.records.turns_in_order[-1:]
        if last.matter.player != author:
            break
    return game


def green(pull: Pull) -> NextStep | None:
    """The next step of a draft that has a ✅, or is legal with a question; None of any other pull
    request.
    """
    report = report_on(pull, URL)
    mark, heading = headline(pull.verdict, report.preview, report.standing)
    is_legal = mark == "✅" or heading.startswith("This proposal is legal")
    if (
        pull.verdict.kind != "proposal"
        or report.standing is not None
        or report.preview is None
        or not is_legal
    ):
        return None
    assert report.preview.next_step is not None
    return report.preview.next_step


def require_kept(pull: Pull, step: NextStep) -> None:
    """Makes the step: the draft gets its number, and then its vote opens, each on the day or in the
    turn named.
    """
    game, day = pull.base, pull.base.until
    if step.waits is not None:
        assert step.waits.turn is not None
        for _ in range(20):
            day = Moment.of(day.day + timedelta(days=1))
            game = with_next_turn(game, day)
            if turn_on(game, day) == step.waits.turn:
                break
        assert turn_on(game, day) == step.waits.turn
    after = register_new(game, pull, day, discussion=URL).after
    (path,) = after.tree.keys() - game.tree.keys()
    second = next_step(after, path, day)
    assert second is not None
    if second.waits is not None:
        assert second.waits.since is not None
        later = load_tree(after.root, after.tree, second.waits.since)
        second = next_step(later, path, second.waits.since)
        assert second is not None
    assert (second.kind, second.words, second.move is not None) == (
        "open",
        "Its vote can open now",
        True,
    )


def login_of(words: list[str]) -> str | None:
    """Whose pull request it is, of the words that are typed."""
    return words[words.index("--actor") + 1].removeprefix("github:") if "--actor" in words else None


def commented(folder: Path) -> Iterator[Pull]:
    """The pull requests of `comments/`."""
    for name in case_names(COMMENTS):
        case = case_folder(COMMENTS, name)
        root = laid_out(case, folder / name)
        game = load_tree(root, read_tree(root), Moment.parse(ON))
        files = {
            file.relative_to(case / "pull").as_posix(): file
            for file in (case / "pull").rglob("*.*")
        }
        brings = {path: file.read_bytes() for path, file in files.items() if is_of_game(path)}
        yield supposed_pull(game, brings, login_of(asked(case)[1]))


def cases() -> Iterator[Pull]:
    """The pull requests of `cases/` that bring a file of a proposal, and add and change files
    alone.
    """
    for name in case_names(CASES):
        if not (case_folder(CASES, name) / "head" / "proposals").is_dir():
            continue  # whatever else it brings, it has no ✅
        story = read_case(name)
        if story.now is not None and not story.base.keys() - story.head.keys():
            game = load_tree(Path(), texts(story.now), CASES_ON)
            brings = {
                path: data
                for path, data in texts(story.head).items()
                if texts(story.base).get(path) != data
            }
            yield supposed_pull(game, brings, login_of([*sum(story.options.items(), ())]))


def texts(files: Files) -> dict[str, bytes]:
    return {
        path.decode(): item.data
        for path, item in files.items()
        if is_of_game(path.decode("utf-8", "replace"))
    }


@pytest.fixture(scope="module")
def suber(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game that has just begun by Suber's rules, in which a turn needs no proposal, and osprey
    has an account.
    """
    repo = begun(GitRepo(tmp_path_factory.mktemp("suber") / "game"), {**LOOSE, 202: {}})
    path = "players/osprey.yml"
    repo.write({path: (repo.path / path).read_text() + f"accounts: {{github: {LOGIN}}}\n"})
    return load(repo.path, Moment.parse("2026-01-05"))


def as_mended(pull: Pull) -> Iterator[Pull]:
    """The pull requests that bring what the comment makes of the draft: one, or one for each file
    to choose from.
    """
    mended = report_on(pull, URL).mended
    for file in mended.files if mended is not None else ():
        yield supposed_pull(pull.base, {file.path: file.text.encode()}, LOGIN)


@pytest.mark.nightly
def test_what_the_comments_promise(tmp_path: Path) -> None:
    waiting = kept = 0
    for pull in commented(tmp_path):
        step = green(pull)
        if step is None:
            continue
        require_kept(pull, step)
        kept += 1
        author = pull.verdict.players[-1]
        game = in_the_turn_of_another(
            lasting(pull.base, {"rules/initial/104.md": OWN_TURNS}, pull.base.until), author
        )
        brings = {
            path: data
            for path in pull.verdict.paths
            if isinstance(data := pull.laid.tree[path], bytes)
        }
        late = supposed_pull(game, brings, pull.verdict.actor)
        step = green(late)
        assert step is not None
        assert step.waits is not None
        require_kept(late, step)
        waiting += 1
    assert (kept, waiting) == (4, 4)


@pytest.mark.nightly
def test_what_the_cases_promise() -> None:
    kept = 0
    for pull in cases():
        step = green(pull)
        if step is not None:
            require_kept(pull, step)
            kept += 1
    assert kept == 16


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("begins", "every", "count"),
    sampled([(True, 8, 15), (False, 1, 114), (True, 1, 114)], every=3),
    ids=["some in another's turn", "own turn", "another's turn"],
)
def test_what_mended_drafts_promise(suber: Game, begins: bool, every: int, count: int) -> None:
    game = with_next_turn(with_next_turn(suber, suber.until), suber.until) if begins else suber
    kept = 0
    for draft in DRAFTS[::every]:
        path, data = brought(draft)
        pull = supposed_pull(game, {path: data}, LOGIN)
        for each in (pull, *as_mended(pull)):
            step = green(each)
            if step is not None:
                assert (step.waits is not None) == begins
                require_kept(each, step)
                kept += 1
    assert kept == count
