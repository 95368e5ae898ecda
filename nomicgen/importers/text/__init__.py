"""A text with rules, as the files of a game.

In: bytes and a map. Out: files, and findings about what is odd. Begin with `importer.py`.
`proof_state.py` gives the text to the proof.
"""
