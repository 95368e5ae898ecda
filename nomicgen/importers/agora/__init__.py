"""Agora's rules data and repository, as the files of a game.

In: `rules/N`, `proposals/N`, `config/index`. Out: files of a game. Begin with `importer.py`.
`read.py` reads the data, `history.py` follows each rule, `ledger.py` orders instruments,
`instructions.py` words them. `texts.py` and `titles.py` take earlier texts from the repository that
`repository.py` reads. `certificate.py` holds the game against both.
"""
