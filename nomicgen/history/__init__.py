"""Views of a replay: rules' histories, redlines, references, scores.

In: a replay, and commits as values. Out: what pages and commands show. Nothing here reads a disk or
a clock. Begin with `rule_history.py`, the history of each rule; `provenance.py` finds the commit of
each revision, and `history_lines.py` has the lines that tell of a rule. `redline.py` compares two
texts. `merge.py` merges two changes of one text, which `stale.py` needs. `supposed.py` says what a
proposal would do, `differences.py` how two laws differ. `authorship.py` says who wrote which words,
with `carried_words.py`, and `passages.py` which sentences. `references.py` finds what texts cite,
`citations.py` reads a citation, `outdated_citations.py` finds outdated ones. `standings.py` has the
scores, `decisive_votes.py` the votes that decided. For `verify`, `decisions.py` finds the commits
that decided something, `ruleset_states.py` the states of `rules/`. `past/` says what the past is.
"""
