"""The use cases: load, check, register, vote, resolve, apply, judge, publish; each reads like the data's way.

A use case gives a `Move`: what to write, and what to say of it. The shell shows it, or carries it out with `perform`.
"""
