"""nomicgen keeps a game of Nomic in git: it checks, applies and publishes rule-changes."""

__version__ = "0.1.0"
