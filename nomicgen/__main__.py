"""`python -m nomicgen` is the console script."""

from nomicgen.cli.program import main

if __name__ == "__main__":
    main(prog_name="nomicgen")
