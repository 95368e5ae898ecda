"""Rule_text."""
