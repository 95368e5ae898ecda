"""A repository whose commits changed rules, as the files of a game.

In: commits with what they changed, and a map. Out: files and a report. Begin with `importer.py`.
`history.py` reads the repository. `states.py` has the ruleset at each commit, and finds where
another game begins; `changes.py` has what became of each rule between two. `walk.py` makes
instruments of commits; `credit.py` finds their authors, `subjects.py` reads what a commit's subject
says, `ledger.py` writes instructions. `proof_states.py` gives the proof what each commit has.
"""
