"""Drafts as people write them in a browser: what the help says can be done there, and what is left is a legal draft."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nomicgen.game import examine
from nomicgen.game.pull_preview import tell
from nomicgen.model import Moment
from tests.cli.playing import begun
from tests.support import GitRepo, once

Repo = Callable[..., GitRepo]
HEAD = "---\ntitle: Tea\nauthor: wren\nstatus: draft\n"
BODY = "Tea helps.\n\n## Enact Rule: Tea\n\nThere is tea.\n"
MISSING = {"instruction-missing": "## Enact Rule"}
AMENDED = f"{HEAD}---\n\nTea helps.\n\n## Amend Rule 203/0\n\nTea decides.\n"


@pytest.fixture
def game(git_repo: Repo) -> GitRepo:
    """A game whose wren has an account."""

    def play(repo: GitRepo) -> None:
        begun(repo)
        path = repo.path / "players/wren.yml"
        repo.commit("Accounts", {"players/wren.yml": f"{path.read_text()}accounts: {{github: wren-gh}}\n"})

    return once("helped", git_repo(), play)


def judged(game: GitRepo, name: str, text: str) -> list[tuple[str, str]]:
    """The errors of a pull request that adds one file, each with its help."""
    game.git("checkout", "--quiet", "-B", "pull", "main")
    sha = game.commit("Propose", {f"proposals/{name}.md": text})
    game.git("checkout", "--quiet", "main")
    until = Moment.parse("2026-01-05")
    pull = examine(game.path, "main", sha, actor="wren-gh", until=until)
    preview = tell(pull).preview
    found = [*pull.verdict.findings, *(preview.findings if preview is not None else ())]
    return sorted({(one.slug, one.help or "") for one in found if one.is_error})


@pytest.mark.parametrize(
    ("wrong", "helps", "right"),
    [
        (
            f"{HEAD}---\n\nTea helps.\n\n# Enact Rule: Tea\n\nThere is tea.\n",
            {
                "heading-misplaced": "begin the line with `## `, as in `## Enact Rule: Tea`",
                "instruction-missing": "## Enact Rule",
            },
            f"{HEAD}---\n\n{BODY}",
        ),
        (
            f"{HEAD}---\n\nTea helps.\n\n# Rule 301\n\nThere is tea.\n",
            {
                "heading-misplaced": "to enact a rule, write `## Enact Rule: Title`",
                "instruction-missing": "## Enact Rule",
            },
            f"{HEAD}---\n\nTea helps.\n\n## Enact Rule: Title\n\nThere is tea.\n",
        ),
        (
            f"---\ntitle: Tea\nauthor: wren\n---\n\n{BODY}",
            {"key-missing": "add `status: draft`"},
            f"{HEAD}---\n\n{BODY}",
        ),
        (
            f"---\ntitle: Tea\nstatus: draft\n---\n\n{BODY}",
            {"actor-other": "add `author: wren`"},
            f"{HEAD}---\n\n{BODY}",
        ),
        (
            f"{HEAD}votes: {{wren: for}}\n---\n\n{BODY}",
            {"record-by-hand": "take `votes` out", "status-incomplete": "take `votes` out"},
            f"{HEAD}---\n\n{BODY}",
        ),
        (
            f"{HEAD}digest: {'0' * 64}\nballot: k7q2m4x9ta\n---\n\n{BODY}",
            {"record-by-hand": "take `", "digest-differs": ""},
            f"{HEAD}---\n\n{BODY}",
        ),
        (f"{HEAD}---\n\nTea helps.\n\n## Amend Rule 203\n\nTea decides.\n", {"instruction-unknown": "203/0"}, AMENDED),
        (
            f"{HEAD}---\n\nTea helps.\n\n## Amend Rule 203/3\n\nTea decides.\n",
            {"revision-stale": "write 203/0"},
            AMENDED,
        ),
        (BODY, {"front-matter": "`title: TITLE`, `author: YOUR-ID`, `status: draft`, `---`"}, f"{HEAD}---\n\n{BODY}"),
    ],
)
def test_what_the_help_says_makes_a_draft_legal(game: GitRepo, wrong: str, helps: dict[str, str], right: str) -> None:
    found = judged(game, "tea", wrong)
    assert {slug for slug, _ in found} == set(helps)
    for slug, said in found:
        assert helps[slug] in said, (slug, said)
    assert judged(game, "tea", right) == []


def test_a_guessed_number_gets_one_advice(game: GitRepo) -> None:
    found = judged(game, "301", f"---\nnumber: 301\n{HEAD.removeprefix('---')[1:]}---\n\n{BODY}")
    assert [slug for slug, _ in found] == ["number-by-hand", "number-mismatch"]
    assert all("`number` out" in said and "`nomicgen register` gives" in said for _, said in found)
