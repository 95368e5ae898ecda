"""Measures of nomicgen on long games: `python -m benchmarks`. None of them is a test."""
