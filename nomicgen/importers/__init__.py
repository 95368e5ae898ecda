"""Rules that were kept elsewhere, as the files of a game.

In: a text, a repository, a ruleset in the long format, or Agora's data. Out: files, a report and a
certificate. Each source has a folder; begin with its `importer.py`. The sources do not know each
other. `source_map.py` says how a source is read, `decoding.py` makes words of bytes,
`map_reader.py` reads them; `survey.py` tries maps. `rule_text/` writes texts. `founding.py` makes a
game of what an importer gives; `game_writing.py` writes its files. `proof.py` compares words, and
knows no source; `sources.py` reads again. `import_report.py` collects what is odd.
`open_archive.py` opens an archive for play, `entering.py` enters changes that were made elsewhere.
"""
