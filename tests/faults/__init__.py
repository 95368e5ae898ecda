"""Faults at every system call that writes: see docs/guide/contributor/faults.md."""
