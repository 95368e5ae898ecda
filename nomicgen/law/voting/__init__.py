"""The votes on proposals.

A proposal comes in, and a `Scene`: the rules and the players of a moment. An `Assessment` goes out,
with a `Tally`. Begin with `assessment.py`. It asks the other modules in this order:
1. `conditions.py` finds the adoption conditions of each change.
2. `vote_count.py` counts the vote, and makes the `Tally` (`tally.py`). It asks `voting_rights.py`
   who may vote and how much a vote counts. It asks `thresholds.py` how many votes are enough, and
   that asks `amounts.py`.
3. `voters.py` finds mistakes in single votes.

`opening.py` says what stands against the opening of a vote; the kind `ballot` asks it.
"""
