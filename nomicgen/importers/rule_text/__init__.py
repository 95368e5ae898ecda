"""A source's words, as the Markdown that a rule's text may have.

`from_markdown.py` keeps what is Markdown already; `blocks.py` writes plain text as Markdown, with
`inline.py`; `from_html.py` takes HTML out of a text.
"""
