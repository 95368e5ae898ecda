"""The kinds of provisions, one module for each: a new kind is a new module.

A provision of a rule comes in. Its sentence goes out, and what it permits, demands or forbids. A
module's name is its kind. Its docstring and its `EXAMPLES` go onto the reference's
page. Its `KIND` is a `Kind` (`law/kind.py`), or a `JudgingKind` (`law/judging_kind.py`) if it
judges. `law/kinds.py` finds them all. Begin with `numbering.py`, which is short. Then read
`entrenchment.py`, which judges instructions, `turns.py`, which judges effects, and `ballot.py`,
which judges votes. `sunset.py` defines a sunset, and says when it is overdue.
`law/replay/due_changes.py` finds its day. No kind imports another one. Shared code is beside them,
in `law/`, `law/replay/` and `law/voting/`.
"""
