"""The plugin: MkDocs gives its settings, and gets the pages of a game. Nothing else imports MkDocs.

Begin with `plugin.py`: it loads the game, makes the pages and hands them over.
`html_block.py` keeps our pages past Python-Markdown.
The rest is for `mkdocs serve`. `watching.py` says when a game has changed.
`rebuild.py` then makes what is new, and `site_output.py` writes what is new.
"""
