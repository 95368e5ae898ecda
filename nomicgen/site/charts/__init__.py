"""The pictures: `growth.py` and `scores.py`.

A function takes a page. It gives a figure as HTML, or None if there is nothing to see. Begin with
`scores.py`. `frame.py` has the table and the axis of time. `svg.py` has scales and lines. Each
picture's template is `templates/inline/chart_NAME.html`. A figure has a headline, an inline drawing
with its content in words, and the numbers as a table. The stylesheet has the colours. What a colour
says, a dash, a pattern or a word beside it says too.
"""
