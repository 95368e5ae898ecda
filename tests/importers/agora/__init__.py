"""Agora."""
