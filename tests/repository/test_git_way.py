"""What the commits on the way to a pull request's last one touched, even if it is undone in the end."""

from __future__ import annotations

from collections.abc import Callable

from nomicgen.repository.git_revisions import touched_on_the_way
from tests.support import GitRepo


def test_what_is_undone_was_touched(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    base = repo.commit("one", {"a.md": "a\n", "b.md": "b\n"})
    repo.commit("two", {"c.md": "c\n", "a.md": None, "né\nw.md": "n\n"})
    head = repo.commit("three", {"c.md": None, "a.md": "a\n", "né\nw.md": None, "d.md": "d\n"})
    assert touched_on_the_way(repo.path, base, head) == {"a.md", "c.md", "d.md", "né\nw.md"}
    assert touched_on_the_way(repo.path, head, head) == frozenset()
    assert touched_on_the_way(repo.path, head, base) == frozenset()


def test_what_is_slipped_into_a_merge_was_touched_and_what_it_merges_was_not(
    git_repo: Callable[..., GitRepo],
) -> None:
    repo = git_repo()
    repo.commit("one", {"a.md": "a\n"})
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit("mine", {"b.md": "b\n"})
    repo.git("checkout", "--quiet", "main")
    base = repo.commit("theirs", {"a.md": "A\n"})
    repo.git("checkout", "--quiet", "side")
    repo.git("merge", "--quiet", "--no-edit", "main")
    assert touched_on_the_way(repo.path, base, "HEAD") == {"b.md"}
    repo.write({"evil.yml": "on: push\n"})
    repo.git("add", "evil.yml")
    repo.git("commit", "--quiet", "--amend", "--no-edit")
    assert touched_on_the_way(repo.path, base, "HEAD") == {"b.md", "evil.yml"}


def test_a_game_in_a_folder_has_its_own_paths(git_repo: Callable[..., GitRepo]) -> None:
    repo = git_repo()
    base = repo.commit("one", {"games/tea/nomic.yml": "a\n"})
    head = repo.commit("two", {"games/tea/proposals/x.md": "x\n", "README.md": "r\n"})
    assert touched_on_the_way(repo.path / "games" / "tea", base, head) == {"proposals/x.md", "../README.md"}
