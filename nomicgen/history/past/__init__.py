"""Past."""
