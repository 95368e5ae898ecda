"""Lets `python -m nomicgen` do what the command `nomicgen` does."""

from nomicgen.cli.program import main

if __name__ == "__main__":
    main(prog_name="nomicgen")
