"""What a forge recorded of pull requests, as values; and the steps of the workflows that ask it.

In: JSON of GitHub's API. Out: reviews, comments and reactions, each a vote, a request, or neither,
with the reason. Begin with `github.py`; `comments.py` reads what a comment says: a vote, a request,
the marker of a ballot. `recordings.py` has the types, `pull_list.py` the list of pull requests,
`json_documents.py` the reading of JSON. `play_forge.py` (with `read_forge.py` and
`answer_closed.py`), `write_comment.py`, `post_replies.py` and `allow_machinery.py` are steps of
workflows. They share `workflow.py`, which starts `gh`, git and nomicgen, and need the standard
library alone.
"""
