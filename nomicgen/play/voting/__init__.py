"""Votes: opened, cast, signed and ended.

In: a game, a proposal, a choice. Out: a move, or where a vote stands in words (`status.py`).
Begin with `voting.py`. `ballots.py` draws the token that votes name, and refuses votes on another.
`ended.py` ends what is over.
`signed_vote.py` is a signed vote as text, `signed_votes.py` judges signatures.
Whether a vote counts, and what is decided, is said by `law/voting/`.
"""
