"""Agora's rules data and repository, as the files of a game.

In: `rules/N`, `proposals/N`, `config/index`. Out: files of a game. Begin with `importer.py`.
`read.py` reads the data, `history.py` follows each rule, `agents.py` says what changed it;
`ledger.py` makes and orders instruments, `cases.py` judgements, `instructions.py` writes what they
do. `texts.py` and `titles.py` find earlier texts and titles in the repository that `repository.py`
reads. `certificate.py` compares the game with both.
"""
