"""The kinds of provisions, a module each: to add a kind is to add a module here.

A module's name is its kind. Its docstring and its `EXAMPLES` stand on the reference's page, its `KIND` says what the
kind is (`law/kind.py`). `law/kinds.py` finds them all.
"""
