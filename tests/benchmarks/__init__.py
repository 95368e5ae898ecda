"""Measures of nomicgen on long games: `python -m tests.benchmarks`. None of them is a test."""
