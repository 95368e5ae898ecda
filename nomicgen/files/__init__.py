"""Between bytes and words: the files of a game, read with the place of everything, and written byte for byte. Pure."""

from typing import TYPE_CHECKING

from nomicgen.files.documents import read_instrument, read_keys, read_player, read_settings, read_turn
from nomicgen.files.game_files import read_game
from nomicgen.files.instructions import instructions_digest
from nomicgen.files.markdown import parser
from nomicgen.files.rule_files import read_rule
from nomicgen.files.text_encoding import Oddity
from nomicgen.lazy_imports import later

if TYPE_CHECKING:
    from nomicgen.files.file_editing import set_body, set_keys, set_value
    from nomicgen.files.yaml_writing import write_front_matter, write_rule, write_yaml

__all__ = [
    "Oddity",
    "instructions_digest",
    "parser",
    "read_game",
    "read_instrument",
    "read_keys",
    "read_player",
    "read_rule",
    "read_settings",
    "read_turn",
    "set_body",
    "set_keys",
    "set_value",
    "write_front_matter",
    "write_rule",
    "write_yaml",
]

__getattr__ = later(
    __name__,
    {
        "file_editing": ("set_body", "set_keys", "set_value"),
        "yaml_writing": ("write_front_matter", "write_rule", "write_yaml"),
    },
)
