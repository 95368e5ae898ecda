"""Votes: opened, cast and ended.

In: a game, a proposal, a choice. Out: a move, or where a vote stands in words (`status.py`).
Begin with `voting.py`. `ballots.py` draws the token that votes name, and refuses votes on another.
`ended.py` ends what is over.
Whether a vote counts, and what is decided, is said by `law/voting/`.
"""
