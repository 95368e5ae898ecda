"""What a forge recorded of pull requests: reviews, comments and reactions as values; nothing here asks a network."""
