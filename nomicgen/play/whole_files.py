"""Whole files of proposals, to be copied by a player who does not know how such a file is written.

Only the player knows what is to be done. So there are several files, for what the law lets a vote
do to a rule, with the text and the provisions in force where they belong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from nomicgen.files.instruction_text import amend, repeal, transmute
from nomicgen.files.yaml_writing import write_front_matter
from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.amendments import likely_provisions
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.law.sentences import sentences
from nomicgen.play.load import Game, overlay

NEW_TEXT = "The full new text of the rule."
ENACTED_TEXT = "The full text of the new rule."
"""Both stand where the author is to write a text. No draft with one of them gets a number."""

# Comments above the provisions of an amendment: as they are in force, or as they follow the text.
_READS = "A program reads this block, and not the text: let both say the same. In force, it says:"
_FOLLOWS = (
    "A program reads this block, and not the text. It was changed to follow the new text. "
    "Check it. It says:"
)


class WholeFile(Struct, frozen=True, kw_only=True):
    """A whole file of `proposals/`.

    `label` says in nomicgen's own words what it is for; "" for the author's own file, mended, and
    for a sample.
    """

    path: str
    text: str
    label: str = ""


class DraftFrame(Struct, frozen=True, kw_only=True):
    """What stands around a draft's instructions: its path, front matter and argument."""

    path: str
    front: str
    argument: str = ""

    @classmethod
    def of(cls, path: str, title: str, author: str, argument: str = "") -> DraftFrame:
        """Return the frame of a new draft, with front matter of this title and author."""
        front = write_front_matter(
            {"title": title, "author": author, "status": "draft"}, ""
        ).decode()
        return cls(path=path, front=front, argument=argument)

    def whole(self, label: str, *instructions: str) -> WholeFile:
        """Return the file with this label, and these instructions in the frame."""
        body = "\n\n".join(
            part for part in (self.front.strip("\n"), self.argument, *instructions) if part
        )
        return WholeFile(path=self.path, text=f"{body}\n", label=label)


def amendment(
    rule: Rule, text: str, provisions: Mapping[str, Any] | None = None, *, whole: bool = False
) -> str:
    """Return an amendment with a block of provisions, and a comment that says what they do.

    They are `provisions`, or if these are None or those in force, those in force with values of the
    new text. If values differ, the comment says so. `whole` confirms that `text` is the whole text.
    """
    kept = rule.provisions or {}
    carried = (
        likely_provisions(kept, rule, text) if provisions in (None, kept) else provisions or {}
    )
    does = sentences(parse_provisions(carried, None)[0])
    comment = (_READS if carried == kept else _FOLLOWS, *does)
    said = carried if carried or rule.provisions else None
    return amend(rule.ref, text, comment=comment if does else (), provisions=said, whole=whole)


def can_be_carried_out(game: Game, file: WholeFile) -> bool:
    """Return whether a file could be read, and would have no errors, as a draft of the game."""
    laid = overlay(game, {file.path: file.text.encode()})
    return file.path in laid.records.instruments and not any(
        error.span.file == file.path for error in laid.errors
    )


def files_changing(game: Game, rules: Iterable[Rule], frame: DraftFrame) -> Iterator[WholeFile]:
    """Yield files that amend or repeal each rule, as far as a vote can by the law in force; in
    place of those that amend, files that transmute it, if it cannot be amended.

    A file may still be impossible, since only the kind of change is judged: `can_be_carried_out`
    judges a file.
    """
    scene = Scene.of(game.replay.current, game.records, game.until)
    ways = () if scene.lawless else possible_changes(scene)
    for rule in rules:
        possible = {(way.verb, way.into) for way in ways if way.from_ == rule.tier and way.possible}
        verbs = {"amend", "repeal"} if scene.lawless else {verb for verb, _ in possible}
        name = f"Rule {rule.number}"
        if "amend" in verbs:
            yield frame.whole(f"to change a part of {name}", amendment(rule, rule.text or NEW_TEXT))
            yield frame.whole(f"to replace all of {name}", amendment(rule, NEW_TEXT, whole=True))
        else:
            for into in sorted(
                into for verb, into in possible if verb == "transmute" and into is not None
            ):
                yield frame.whole(
                    f"to make {name} {into}, so that it can be changed later",
                    transmute(rule.ref, into),
                )
        if "repeal" in verbs:
            yield frame.whole(f"to repeal {name}", repeal(rule.ref))
