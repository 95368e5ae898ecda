"""Loading a game, and every move: propose, register, vote, turn, judge, resolve, next.

In: a folder, and what somebody wants to do. Out: a `Game`, or a `Move`: what to write and what to say.
Begin with `load.py`, then `move.py`: a move is verified against the game as it would be, and carried out whole.
Then a move, such as `proposing.py`, `resolving.py` or `judging.py`. `voting/` has votes, `preview/` what a proposal
would do, `mending/` what mends a draft. A move that cannot be made raises `Refused` (`refusal.py`).
What can be done: `open_tasks.py` lists it, `possible_moves.py` tries it; `next_step.py` says what a proposal waits for.
A new game: `start.py`, with `rulesets.py` and `scaffold.py`. What was recorded wrongly: `correcting.py`.
"""
