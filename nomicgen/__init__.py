"""Keeps a game of Nomic in git: checks moves, carries out proposals, publishes the rules."""

__version__ = "0.1.0"
