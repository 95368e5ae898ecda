"""Text that goes out: Nomic IV's long and short formats, findings, terminal and JSON. Pure."""
