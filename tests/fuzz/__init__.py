"""Bytes that nobody thought of, for all that reads what others wrote: `make fuzz` finds them, the
tests keep them.
"""
