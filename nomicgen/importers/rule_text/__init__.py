"""The text of a rule, as Markdown that a rule may have, from a source's lines.

Begin with `written.py`. `from_markdown.py` keeps what is Markdown already; `from_html.py` takes
HTML out of it; `blocks.py` and `inline.py` write plain text as Markdown.
"""
