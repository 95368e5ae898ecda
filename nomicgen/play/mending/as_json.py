"""A draft as it could be, as JSON."""

from __future__ import annotations

from nomicgen.formats.documents import Shape, at
from nomicgen.formats.findings import FINDING
from nomicgen.play.mending.mend import Mended
from nomicgen.play.whole_files import WholeFile

WHOLE_FILE = Shape(
    "WholeFileView",
    "A whole file that an author may take over.",
    WholeFile,
    path="what the file is to be called",
    text="the whole file",
    label="what it is for; empty where it is the only one",
)
MENDED = Shape(
    "MendedView",
    "A draft as it could be: nothing is taken over by itself.",
    Mended,
    before="what the file is called now",
    fresh="whether it is a new file for another pull request",
    files=WHOLE_FILE.many("the file as it could be; of several its author has to choose one"),
    said="what is mended in it",
    asks="what its author is asked",
    left=FINDING("what is still wrong with it"),
    why="why its author has to choose one; empty where there is no choice",
    rules=at(
        lambda mended: [rule.number for rule in mended.rules],
        "the rules in force, where it names none and may mean one",
        list[int],
    ),
)
