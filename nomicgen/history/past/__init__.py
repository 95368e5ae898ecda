"""What a game's past is, and what a change may not do to it.

In: two states of a game and the edits between them. Out: findings. Begin with `rewrites.py`: it
finds what would rewrite the past, for a pull request and for `verify`. `boundary.py` says where the
past ends, `players.py` what players' and turns' files may not say any more, `restatements.py` what
a correction restates, `commit_changes.py` how a commit changes files about the past.
`append_only.py` knows changes that only add. `effects_between.py` shows what comes about between
two states, and which rule permits it.
"""
