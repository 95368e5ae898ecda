"""The plugin: MkDocs gives its settings, and gets the pages of a game. No other folder of
`nomicgen/` imports MkDocs.

Begin with `plugin.py`: it loads the game, makes the pages and hands them over.
`html_block.py` renders our pages without Python-Markdown.
`watching.py` is for `mkdocs serve`: it says which files MkDocs watches.
`quiet.py` silences a notice of the theme.
"""
