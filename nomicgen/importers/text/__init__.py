"""A text with rules, as the files of a game.

In: bytes and a map. Out: files, and findings about what was left out.
Begin with `importer.py`. `proof_state.py` gives the proof what the text has.
"""
