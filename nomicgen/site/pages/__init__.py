"""A file for each kind of page. No page imports another page.

A function takes the `Site`. It yields pairs of a path and a text. Begin with `home_page.py`, the
first page; the others are made like it. `rules_page.py` makes the page of a rule, `ruleset_page.py`
the list of rules and the whole ruleset. `lists_page.py` makes the lists of proposals, judgements
and acts, `instruments_page.py` the page of each. A page's template is in `templates/`: `rule.html`
for a rule. What pages share is in `parts/`. A rule's redlines stand on its page:
`parts/rule_past.py` asks for them, `texts/redline_html.py` makes them.
"""
