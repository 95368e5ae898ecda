"""The workshop: the page on which a proposal is written, and the program in the browser that judges
it.

`form_data.py` makes the data for the page's form. `judge.py` has the functions that a browser
calls. `bundle.py` packs the modules that these need, and `runtime.py` fetches the Python for
browsers in which they run.
"""
