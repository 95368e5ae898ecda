"""Previews of a proposal of the game, or of a file from anywhere, as if it was in the game."""

from __future__ import annotations

import re
from pathlib import PurePath

from msgspec.structs import replace

from nomicgen.files.documents import read_keys
from nomicgen.model.findings import Finding, Findings, ordered
from nomicgen.model.records import Proposal
from nomicgen.play.draft import slug_of
from nomicgen.play.load import Game, overlay
from nomicgen.play.mending.shown import as_shown
from nomicgen.play.move import free_path
from nomicgen.play.next_step import next_step
from nomicgen.play.preview.proposal import Preview, preview
from nomicgen.play.refusal import Refused

_DECIDED = ("adopted", "defeated", "withdrawn", "void")


def preview_of(game: Game, path: str) -> Preview:
    """Return what the proposal at `path` in the game would do.

    If it cannot be read, the preview has only findings. Raises Refused if `path` is not in
    proposals/, or the proposal is decided.
    """
    instrument = game.records.proposal(path)
    if not path.startswith("proposals/"):
        raise Refused(
            f"{path} is no proposal", "preview a file of proposals/, or one from elsewhere"
        )
    if instrument is None:
        own = [finding for finding in game.findings if finding.span.file == path]
        proposals = game.records.of_kind("proposal")
        undecided = {path, *(one.path for one in proposals if one.matter.is_undecided)}
        elsewhere = sum(1 for error in game.errors if error.span.file not in undecided)
        return Preview(
            path=path,
            moment=game.until,
            findings=ordered(as_shown(game, own)),
            elsewhere=elsewhere,
        )
    _require_live(instrument)
    made = preview(
        instrument, game.records, game.replay, as_shown(game, game.findings), game.until, path
    )
    return replace(made, next_step=next_step(game, path, game.until)) if made.legal else made


def preview_file(game: Game, data: bytes, shown: str) -> Preview:
    """Return what a proposal in a file from anywhere would do; findings name the file as `shown`.

    If it bears the number of a proposal of the game, it is taken for a new version of that one.
    Raises Refused if either is decided.
    """
    number, status = _number_and_status(data)
    path = (
        f"proposals/{number}.md"
        if number
        else free_path(game, f"proposals/{slug_of(PurePath(shown).stem)}")
    )
    there = game.records.proposal(path)
    if there is not None:
        _require_live(there)
    if status in _DECIDED:
        raise _decided(shown, status)
    laid = overlay(game, {path: data})
    return _renamed(preview_of(laid, path), path, shown)


def _number_and_status(data: bytes) -> tuple[int | None, str | None]:
    """Return the number and the status that a proposal's file has in its front matter."""
    keys = read_keys(data)
    number, status = (
        value if isinstance(value := keys.get(key), str) else "" for key in ("number", "status")
    )
    return int(number) if re.fullmatch(r"[1-9][0-9]{0,8}", number) else None, status or None


def _require_live(instrument: Proposal) -> None:
    if not instrument.matter.is_undecided:
        raise _decided(instrument.name, instrument.matter.status)


def _decided(name: str, status: str) -> Refused:
    return Refused(
        f"{name} is {status} already",
        "only undecided proposals can be previewed; `nomicgen status` lists them",
    )


def _renamed(preview: Preview, path: str, shown: str) -> Preview:
    """Return the preview with the findings about `path` at `shown`, the name its reader knows."""

    def at(findings: Findings) -> Findings:
        return tuple(
            _moved(finding, path, shown) if finding.span.file == path else finding
            for finding in findings
        )

    met = tuple(
        replace(
            interaction,
            this_after=replace(
                interaction.this_after, findings=at(interaction.this_after.findings)
            ),
        )
        if interaction.this_after
        else interaction
        for interaction in preview.interactions
    )
    return replace(
        preview,
        path=shown,
        findings=at(preview.findings),
        dangling=at(preview.dangling),
        interactions=met,
    )


def _moved(finding: Finding, path: str, shown: str) -> Finding:
    """Return a finding at the name that the reader knows. If its help is to rebase, that needs the
    file in the game, at `path`.
    """
    help = (
        f"put it into {path}; then {finding.help}"
        if "`nomicgen proposal rebase " in finding.help
        else finding.help
    )
    return replace(finding, span=replace(finding.span, file=shown), help=help)
