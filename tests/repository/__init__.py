"""The edges: the tree on disk, writing to it, and git."""
