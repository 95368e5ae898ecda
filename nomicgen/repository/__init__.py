"""The disk and git. Nothing here decides anything about a game.

In: a folder. Out: bytes, commits, and writes that happen whole or not at all. Begin with
`game_tree.py`, which reads the files of a game, and `write_plan.py`, which writes them;
`journal.py` and `lock.py` keep a write whole. Only `git.py` starts git, and `git_guard.py` keeps
git from running a repository's programs. `git_state.py` says what git knows of a game, `git_log.py`
and `first_parents.py` read its history, `git_revisions.py` reads other commits, `commits.py` makes
commits. Most errors are in `errors.py`: each says what happened and what to do.
"""
