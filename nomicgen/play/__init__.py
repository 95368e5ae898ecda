"""Loading a game, and every move: propose, register, vote, turn, judge, resolve, next.

In: a folder, and what somebody wants to do. Out: a `Game`, or a `Move`: what to write and what to
say. Begin with `load.py`, then `move.py`: most moves are refused if the game after them would have
errors, and each part is written whole or not at all. Then read a move, such as `proposing.py`,
`resolving.py` or `judging.py`. `voting/` has votes, `preview/` what a proposal would do, `mending/`
what mends a draft. A move that cannot be made raises `Refused` (`refusal.py`). Players and turns:
`players_and_turns.py` (join, claim, rest, begin, end), `doing.py` (deeds, and taking a role). What
can be done: `tasks.py` has what a task is, `open_tasks.py` lists them; `possible_moves.py` tries
them, and does what needs no choice (`next --do`); `advancing.py` has what the rules do by
themselves; `next_step.py` says what a proposal waits for. A new game: `start.py`. A game with its
past: `game_history.py`. Corrections, and provisions that are confirmed: `correcting.py`.
"""
