"""The words of a game: what its files say, typed, with the place where it is said.

Begin with `records.py`: a game as records, each with its place. `front_matters.py` has the keys of
each kind of file; `values.py` the types of values; `types.py` and `file_model.py` how a value and a
file are read. `findings.py` is the finding, and the registry of all kinds; the page of each, with
its example, is `explain/SLUG.md`. `settings.py` is `nomic.yml`. `commits.py` and `line_commits.py`
are what git says, as values; `identifiers.py` the types of names.
"""
