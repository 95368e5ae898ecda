"""Voting."""
