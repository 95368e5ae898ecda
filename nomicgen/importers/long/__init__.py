"""Long."""
