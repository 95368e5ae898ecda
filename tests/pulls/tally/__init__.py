"""Tally."""
