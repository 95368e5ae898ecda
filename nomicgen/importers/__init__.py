"""Rules that were kept elsewhere, as the files of a game.

In: a text, a repository, a ruleset in the long format, or Agora's data. Out: files, a report and a
certificate. Each source has a folder; begin with its `importer.py`. The sources do not import each
other. A map (`source_map.py`) says what begins a rule: `map_reader.py` reads by it, after
`decoding.py` has decoded the bytes, and `survey.py` tries which map fits. `rule_text/` writes the
texts of rules, `game_writing.py` the files of the game, and `founding.py` founds it. `proof.py`
compares the source's words with the game's, and `sources.py` does so again for `nomicgen verify`.
`import_report.py` collects what is odd. `open_archive.py` opens an archive for play, `entering.py`
enters older changes.
"""
