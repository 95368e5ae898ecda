"""Players' words as HTML that is safe to show. It knows no site and no page.

Begin with `player_html.py`: Markdown goes in, and clean HTML with links comes out.
`terms.py` finds the words that rules define, `phrases.py` marks who wrote which words.
`redline_html.py` makes a redline of two texts; `redline_blocks.py` takes a text apart into
paragraphs, items and rows for it. `short_words.py` cuts words to a width.
"""
