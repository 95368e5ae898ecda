"""A ruleset in Nomic IV's long format, which prints its own history, as the files of a game.

In: bytes. Out: files, and findings about what is odd. Begin with `importer.py`. `format.py` finds
the parts of each rule; `history_lines.py` reads lines, `history.py` works out what became of a
rule, `instruments.py` and `judgements.py` what did it. `proof_state.py` gives the text to the
proof.
"""
