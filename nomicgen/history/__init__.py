"""Views of a replay: rules' histories, redlines, references, scores.

In: a replay, and commits as values. Out: what pages and commands show. Nothing here reads a disk or
a clock. Begin with `rule_history.py`, the history of each rule; `provenance.py` finds the commit of
each revision, and `game_history.py` has both together. `history_lines.py` has the lines that tell
of a rule. `redline.py` compares two texts; `formats/` and `site/texts/` lay that out.
`authorship.py` says who wrote which words, with `carried_words.py`, and `passages.py` which
sentences. `references.py` finds what texts cite, `outdated_citations.py` citations elsewhere whose
words have changed. `standings.py` has the scores, `decisive_votes.py` the votes that decided.
`past/` says what the past is, and finds what would rewrite it.
"""
