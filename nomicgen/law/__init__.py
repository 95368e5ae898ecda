"""The law of a game: the meaning of its rules, and the outcome of its votes. No clock, no disk, no network.

The records come in, as `files/` reads them. A `Replay` and findings go out. Read in this order:
1. `replay/` takes each event of the ledger in its order. Turns, points and sunsets are there too.
2. `kind.py` and `provisions/` define provisions. `reading.py` reads them, `sentences.py` puts them into English.
3. `precedence.py` makes the `Law` of a moment. If several rules disagree, it finds the one that decides. Modules that
   `pyproject.toml` lists ask it by the fields of a kind (`law.says(Ballot.debate)`); other rooms ask `questions.py`.
4. `licence.py` lists the effects. `gate.py` says which rule permits an effect; it asks `judging_kind.py`.
5. `voting/` counts votes and decides proposals. `limits.py` carries out an instrument within the limits of the law.
6. `prospects.py` says what stands against a next step, what players can do, and what is due. `possible_changes.py`
   finds the changes that votes can still make.
7. `checks/` finds the other mistakes in a game.
"""
