"""Rulesets that print their own history: Nomic IV's long format.

`format.py` takes the text apart; `printed_history.py` reads lines of history, `history.py` works out what became of
one rule; `certificate.py` compares a game with the text.
"""
