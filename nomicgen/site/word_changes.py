"""Whether a site is the same but for words in arguments: who writes one and looks at it, waits for no other page.

An argument is prose. It stands on the page of its proposal, in its data and in the feed, and nothing goes by it. So
where two archives differ in arguments alone, all other pages are what they were.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from nomicgen.history.archive_view import Archive
from nomicgen.model import Instrument, ProposalMatter


def is_reworded(old: Archive, new: Archive, paths: Collection[str]) -> bool:
    """Whether two archives are the same but for the arguments of proposals, of which `paths` are the files.

    All other files of the game are to be the same, byte for byte, and so is the day.
    """
    return (
        all(_is_reworded(old.records.instruments.get(path), new.records.instruments.get(path)) for path in paths)
        and _told(old) == _told(new)
        and set(old.git.dirty) ^ set(new.git.dirty) <= set(paths)
        and (old.origins, old.touched) == (new.origins, new.touched)
    )


def _told(archive: Archive) -> Any:
    """What else pages show. Where in a file a finding is, the first page alone says; what git says of it, none."""
    git, findings = archive.git, archive.findings
    return (
        (git.present, git.reason, git.shallow, git.head, git.prefix, archive.zone),
        [
            (finding.slug, finding.span.file, finding.message)
            for finding in findings
            if finding.is_error or not finding.slug.startswith("git-")
        ],
    )


def _is_reworded(old: Instrument | None, new: Instrument | None) -> bool:
    if old is None or new is None or not isinstance(old.matter, ProposalMatter):
        return False
    # Under some laws votes are on the argument, too.
    voted = old.matter.digest is not None and old.digest != old.matter.digest
    return not voted and (old.matter, old.digest, _asked(old)) == (new.matter, new.digest, _asked(new))


def _asked(instrument: Instrument) -> list[Any]:
    """The instructions, wherever in the file they stand."""
    return [
        (
            instruction.verb,
            instruction.index,
            instruction.target,
            instruction.title,
            instruction.tier,
            instruction.number,
            instruction.text,
            instruction.lost,
            instruction.block,
        )
        for instruction in instrument.instructions
    ]
