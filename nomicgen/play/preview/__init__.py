"""What a proposal would do, before anybody votes.

In: a game and a proposal, or a file from anywhere. Out: a `Preview`, as text, Markdown or JSON.
Begin with `previewing.py`, which finds the proposal; `proposal.py` makes the preview.
`interactions.py` says how undecided proposals change each other. `sections.py` words a preview;
`as_*.py` print it.
"""
