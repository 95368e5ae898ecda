"""A pull request's draft with its form put right.

In: a pull request with errors. Out: the file as it could be, what was changed, and what is still
wrong. Begin with `draft.py`: it mends, judges again, and stops when only a guess is left. `rule.py`
writes an edit of `rules/` as the proposal that it was meant for. The mends themselves are
`play/mending/`.
"""
