"""The workshop: the page on which a proposal is written, and the program in the browser that judges
it.

`form_data.py` says what the page's form is made from. `judge.py` is what a browser calls.
`bundle.py` packs what that needs of the program, and `runtime.py` fetches the Python for browsers
in which it runs.
"""
