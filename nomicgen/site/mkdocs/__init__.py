"""The plugin: MkDocs gives its settings, and gets the pages of a game. Nothing else imports MkDocs.

Begin with `plugin.py`: it loads the game, makes the pages and hands them over.
`html_block.py` keeps our pages past Python-Markdown.
`watching.py` is for `mkdocs serve`: it says which files MkDocs looks at.
"""
