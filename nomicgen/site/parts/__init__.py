"""What pages are put together from. No part imports a page.

Begin with `page.py`: it makes the links of a page. `page_source.py` makes a file of a page's HTML,
`metadata.py` the data in its head for programs, and `legislation.py` that about a law.
`contents.py` makes the list of a page's headings, `page_foot.py` its foot. A rule's page is made
with `notices.py`, `authors.py`, `lifeline.py`, `ways_to_change.py` and `rule_past.py`.
`rule_past.py` has the redline between two revisions, `linked_history.py` the lines of the history.
A proposal's page is made with `change_view.py`, which has a redline of each change, and
`vote_section.py`; the history and the weeks with `day_events.py`; lists with
`instrument_lists.py`, `filters.py`, `further_pages.py` and `tiers.py`. `status_words.py`,
`points.py` and `task_list.py` say how things stand.
"""
