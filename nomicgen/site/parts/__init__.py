"""What pages are put together from. No part imports a page.

Begin with `page.py`: a page that is being made, with its links. `page_source.py` makes the file of
its HTML, `metadata.py` what its head tells programs, `legislation.py` a law's part of that.
`contents.py` goes at the top, `page_foot.py` at the foot. A rule's page is made of `notices.py`,
`authors.py`, `lifeline.py`, `ways_to_change.py` and `rule_past.py`. `rule_past.py` has the redline
between two revisions; `linked_history.py` has the lines of the history. A proposal's page is made
of `change_view.py`, with a redline of each change, and `vote_section.py`. The history and the weeks
are made of `day_events.py`. Lists are made with `instrument_lists.py`, `filters.py`,
`further_pages.py` and `tiers.py`. `status_words.py`, `points.py` and `task_list.py` say how things
stand.
"""
