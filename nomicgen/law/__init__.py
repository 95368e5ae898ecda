"""The law of a game: what its rules mean, and how its votes end. No clock, no disk, no network.

The records come in, as `files/` reads them. A `Replay` and findings go out. Read in this order:
1. `replay/` takes each event of the ledger in its order: turns, points and sunsets too.
2. `kind.py` and `provisions/` define provisions; `reading.py` and `sentences.py` read and say them.
3. `precedence.py` makes the `Law` of a moment: of rules that disagree, it finds the one that
   decides. This room asks it by field (`law.says(Ballot.debate)`), others by `questions.py`.
4. `subjects.py` lists effects. `gate.py` asks the kinds (`judging_kind.py`) which rules permit one.
5. `voting/` counts votes; `limits.py` carries out an instrument within the limits of the law.
6. `prospects.py` says what prevents a step, and what is due; `possible_changes.py` says which
   changes of rules a vote could still make.
7. `checks/` finds the other mistakes in a game.
"""
