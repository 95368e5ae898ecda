"""A mended draft, as JSON."""

from __future__ import annotations

from nomicgen.formats.documents import Shape, at
from nomicgen.formats.findings import FINDING
from nomicgen.play.mending.mend import Mended
from nomicgen.play.whole_files import WholeFile

WHOLE_FILE = Shape(
    "WholeFileView",
    "A whole file that an author may put in place of theirs.",
    WholeFile,
    path="what the file is to be called",
    text="the whole file",
    label="what it is for; empty for the author's own file, mended",
)
MENDED = Shape(
    "MendedView",
    "A mended draft. It changes nothing until its author puts it in place of the present one.",
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
        "the rules in force, if the draft names none and may mean one of them",
        list[int],
    ),
)
