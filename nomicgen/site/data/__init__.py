"""The files that programs read: a `Site` goes in, and JSON, a feed and the search come out.

Begin with `files.py`: it makes the documents of `api/v1/`, except the time machine's, which
`pages/time_page.py` makes. `rules.py` and `instruments.py` fill those of rules and instruments;
`places.py` makes the addresses in them. `api.py`, `api_rules.py`, `api_instruments.py` and
`timeline.py` have the keys of each document, from which its schema is made. `feed.py` makes the
feeds, and `atom.py` writes them as XML. `search.py` makes the index of the search,
`recent_changes.py` the news for a reader who comes back.
"""
