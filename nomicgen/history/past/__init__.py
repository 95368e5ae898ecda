"""What a game's past is, and what a change may not do to it.

In: two states of a game and the edits between them. Out: findings. Begin with `rewrites.py`: it
finds what would rewrite the past, for a pull request and for `verify`. `boundary.py` says where the
past ends, `players.py` what players' and turns' files may not say any more, `restatements.py` what
a correction restates, `keeper_entries.py` what a keeper may enter of the time before the game was
played here. For `verify`, `commit_changes.py` says how a commit changes files about the past, and
`append_only.py` knows commits that only add. `effects_between.py` shows what comes about between
two states, and which rule permits it.
"""
