"""The kinds of provisions, one module for each: a new kind is a new module.

A module's name is its kind. Its docstring and its `EXAMPLES` go onto the reference's page. Its `KIND` says what the
kind does (`law/kind.py`). `law/kinds.py` finds them all.
"""
