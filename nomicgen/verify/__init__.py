"""The history of a repository against its ledger.

In: a repository. Out: findings, commit by commit along the first-parent line, and one verdict.
Begin with `history.py`, which calls the others; `findings.py` has the words of each finding, and
`as_text.py` prints them. A rewritten past: `past.py` holds each commit against the one before. A
wrong rule: `line.py` follows `rules/`. A history that was exchanged: `kept.py` compares it with a
commit that was kept: on this machine (`seen.py`, `seen_history.py`), or on a site
(`published.py`). `signed.py` judges signatures, `named.py` looks for the commits that the ledger
names, `vote_vouchers.py` counts who vouches for votes, and `read.py` reads what commits held.
"""
