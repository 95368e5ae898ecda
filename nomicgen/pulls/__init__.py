"""A pull request, from its commits to its comment and its count.

In: a base, a head commit (or the files on disk), and what the forge recorded. Out: a verdict, a
comment, votes, and what is to be done. Begin with `examine.py`: it reads the commits, lays the
change on the base, and judges it. `request.py` says what kind of pull request it is, which findings
are its own, and what in it is somebody else's; `status.py` where its proposal stands; `mending/`
mends its draft. `report.py` gathers what the comment says; `as_markdown.py`, `as_text.py` and
`as_json.py` write it. Votes: `forge/` reads what GitHub recorded, `forge_tally.py` counts it. All
open pull requests: `run.py` does what is due on those that `choice.py` chooses. `drafts.py`
registers a draft, brings its text up to date, or puts it to the vote again. `answers.py` writes
what the bot then comments.
"""
