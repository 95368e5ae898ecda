"""From bytes to records and back, with the place of each word.

In: the bytes of files. Out: records and findings; or bytes, changed only where needed.
Begin with `game_files.py`, which reads a whole game. `front_matter.py` reads YAML with places,
`validation.py` checks it against a model, `markdown.py` and `instructions.py` read bodies,
`rule_files.py` and `documents.py` the kinds of files. Writing: `yaml_writing.py`,
`instruction_text.py`; changing: `file_editing.py`, `instruction_rewriting.py`.
"""
