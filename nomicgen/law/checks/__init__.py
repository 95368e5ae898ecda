"""The checks: they find the mistakes in a game that its replay does not find.

The records and their `Replay` come in. Findings go out. Begin with `run.py`. It lists the checks,
and runs them one after the other. The other modules hold the checks, one module for each subject,
such as `dates.py`, `names.py` and `votes.py`. Read them in any order: no module imports another
one, except `run.py`. `derived.py` compares `rules/` with the ledger. Several checks share
`files/near_names.py` and `law/replay/moments.py`.
"""
