"""What mends a draft: for findings that can be mended, data that say how to make them go.

In: a draft and its findings. Out: the findings with a `Mending`: edits of lines, another name, or a
command. Begin with `shown.py`: findings get their mendings where they are shown to a person.
`mend.py` finds the mending of each; `front.py` writes front matter, `body.py` mends headings and
blocks, `from_html.py` HTML. A mending changes the form, and never what becomes law: if only the
author knows what was meant, `meant.py` has a whole file for each possibility.
"""
