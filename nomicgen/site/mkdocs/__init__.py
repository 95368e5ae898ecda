"""Mkdocs."""
