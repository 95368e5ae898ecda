"""The files that programs read: a `Site` goes in, and JSON, a feed and the search come out.

Begin with `files.py`: it makes all documents of `api/v1/`. `rules.py` and `instruments.py` fill
those of rules and instruments; `places.py` has the addresses in them. `api.py`, `api_rules.py` and
`api_instruments.py` say what is in each document. Its schema is made from them. `timeline.py` says
what is in the data of the time machine. `feed.py` writes the feed. `atom.py` has the feed's form.
`search.py` makes the index that the search reads, `recent_changes.py` what a reader who comes back
is told.
"""
