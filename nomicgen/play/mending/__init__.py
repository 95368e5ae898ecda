"""What mends a draft: for a finding its mend, as data.

In: a draft and its findings. Out: the findings with their mends: edits of lines, another name, or a
command. Begin with `shown.py`: findings get their mends where a person is shown them. `mend.py`
finds the mend of each; `front.py` writes front matter, `body.py` mends headings and blocks,
`from_html.py` HTML. A mend changes form, and never writes law: where it would take a guess,
`meant.py` has a whole file for each thing that the draft can be.
"""
