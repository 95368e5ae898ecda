"""A repository whose commits changed rules, as the files of a game.

In: commits with what they changed, and a map. Out: files and warnings. Begin with `importer.py`.
`survey.py` looks for a map. `history.py` reads the repository. `states.py` works out the ruleset at
each commit, and finds where another game begins; `changes.py` compares two rulesets. `walk.py`
makes instruments of commits: `sides.py` says what a merge brings, `credit.py` who wrote a change,
and `subjects.py` what a subject names; `ledger.py` writes the instructions. `proof_states.py`
gives the commits to the proof.
"""
