"""The pictures: `growth.py` and `scores.py`.

A function takes a page. It gives a figure as HTML, or None where there is nothing to see. Begin
with `scores.py`. `frame.py` has the headline, the table and the axis of time. `svg.py` has scales
and lines. Each picture's template is `templates/inline/chart_NAME.html`. A figure has a headline,
an inline drawing that says in words what is to be seen, and the numbers as a table. Colours are the
stylesheet's. What a colour says, a dash, a pattern or a word beside it says too.
"""
