"""A ruleset in Nomic IV's long format, as the files of a game.

In: a text. Out: files, and findings about slips of the source. Begin with `importer.py`; `../printed/` reads the text.
"""
