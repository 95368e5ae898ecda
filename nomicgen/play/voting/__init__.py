"""Votes: opened, cast and ended.

In: a game, a proposal, a choice. Out: a move, or words that say where a vote stands (`status.py`).
Begin with `voting.py`. `ballots.py` draws a ballot's token, and refuses votes that name another.
`ended.py` ends votes that are over. `law/voting/` says whether a vote counts, and what is decided.
"""
