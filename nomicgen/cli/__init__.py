"""The commands, a file for each: parse, call, print, exit.

In: what is typed. Out: a terminal, JSON, an exit code: 0 if it is done, 1 if something is wrong
with the game, 2 if it could not be done, 3 if `import` shows a survey instead. Begin with
`program.py`, which lists the commands and loads the file of the one that is called.
`command_options.py` has what commands share: options, errors as messages, and how a move is shown
or carried out. No rule of a game is decided here.
"""
