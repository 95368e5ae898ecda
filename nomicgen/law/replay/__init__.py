"""The replay: it takes every event of the ledger, from the initial rules to a day.

The records and the day come in. A `Replay` goes out, and a `Trail` from which the next replay can
go on. Begin with `run.py`. It gets the events in their order from `events.py`, and gives each of
them to `fold.py`. `fold.py` judges instruments and changes the rules. `carrying_out.py` carries
out their instructions. `fold.py` also tells `gameplay.py` of each event. Turns begin and end there,
and players get points. `turn_order.py` decides who is on turn, by the seats in `seats.py`;
`turn_proposals.py` says which proposals belong to a turn. `awarded_points.py` decides who gets
points. `due_changes.py` finds the day of a sunset, and judges the act that carries it out.
`fold.py` changes the rule. If files give days without times, `since_opening.py` and
`players_at_vote.py` say which rules and players a vote may have had. The values are in
`results.py`, `scene.py` and `effects.py`, and `State` is in `law/subjects.py`. `amendments.py` and
`asked_texts.py` ask authors about the texts of their drafts.

Each object stands below the one that holds it, with its lifetime:

    Trail             from one replay to the next
    ├── Fold          one replay; the trail keeps it, and earlier copies of it
    │   ├── Gameplay      as long as its fold: turns, points, sunsets, the winner
    │   ├── Laws          as long as its fold: makes a Law of a Ruleset, and keeps the last few
    │   └── Ruleset       until the next change of a rule: the change makes another Ruleset
    └── Event         as long as its trail

    State             one event: the fold makes it, and the gate judges by it
    └── is a Scene    one moment: a Ruleset, the players, and Laws
        └── Law       all that the rules say together at that moment; Laws makes it

    Replay            the result: the fold makes it at the end, and it stays
    ├── Ruleset       the first one and the last one
    └── Step          an instrument that takes effect, with the Ruleset before it and after it
"""
