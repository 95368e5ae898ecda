"""The commands, a file for each: parse, call, print, exit.

In: what is typed. Out: a terminal, JSON, an exit code: 0 clean, 1 findings, 2 wrong usage. Begin
with `program.py`, which lists the commands and loads the file of the one that is called.
`command_options.py` has what commands share: options, errors as messages, and how a move is shown
or carried out. No rule of a game is decided here.
"""
