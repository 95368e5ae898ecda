"""What a forge recorded of pull requests, as values. Nothing here asks a network.

In: JSON of GitHub's API. Out: reviews, comments and reactions, each a vote, a request, or neither, with the reason.
Begin with `github.py`; `comments.py` reads what a comment says: a vote, a request, the marker of a ballot.
`recordings.py` has the types, `pull_list.py` the list of pull requests, `json_documents.py` the reading of JSON.
"""
