"""What the comment on a pull request is made of: where its proposal stands on the base, and what it
would do.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from nomicgen.model.records import Judgement, Proposal
from nomicgen.play.forge_editor import editor_of, workshop_of
from nomicgen.play.load import Game, overlay
from nomicgen.play.mending.mend import Mended
from nomicgen.play.next_step import NextStep
from nomicgen.play.preview.previewing import preview_of
from nomicgen.play.preview.proposal import Preview
from nomicgen.play.refusal import Refused
from nomicgen.pulls.drafts import proposal_debated_at, rewrite_registered
from nomicgen.pulls.examine import Pull, with_help
from nomicgen.pulls.mending.draft import mended_pull
from nomicgen.pulls.parts import wrong_with
from nomicgen.pulls.request import PullVerdict
from nomicgen.pulls.status import ProposalStatus, proposal_status
from nomicgen.repository.git_state import inspect


class PullReport(Struct, frozen=True, kw_only=True):
    """What is said of a pull request besides its verdict.

    `preview` is None if it brings no proposal, or one that is decided already; `standing` is None
    if its proposal is not registered. `mended` is what its file could be, None if there is nothing
    to offer. `editor` is the address where the forge lets its author change the file; at
    `workshop`, the game's site says what would happen as they write. Each is None where there is no
    such address, or nothing is wrong. `hint` says what the pull request leaves undone, though
    its author may think it done.
    """

    preview: Preview | None = None
    standing: ProposalStatus | None = None
    mended: Mended | None = None
    editor: str | None = None
    workshop: str | None = None
    hint: str | None = None


def report_on(pull: Pull, discussion: str | None = None, branch: str | None = None) -> PullReport:
    """Return what can be said of a pull request without its votes; `discussion` is its address on
    the forge, `branch` that of the branch that it comes from.
    """
    draft = pull.laid.records.proposal(pull.verdict.path or "")
    on_base = proposal_debated_at(pull.base, discussion) if discussion else None
    if on_base is None and not pull.verdict.refused:
        # Whoever may not touch the proposal is told that, and not how it stands.
        on_base = pull.base.records.proposal(pull.verdict.path or "")
    if on_base is None or on_base.matter.status == "draft":
        preview = preview_in(pull)
        wrong = pull.verdict.refused or (preview is not None and not preview.legal)
        mended = mended_pull(pull) if wrong else None
        editor = None
        if mended is not None and (branch is not None or discussion is not None):
            folder = inspect(pull.base.root).prefix.rstrip("/")
            editor = editor_of(mended, branch=branch, discussion=discussion, folder=folder)
        # The workshop takes any text for a proposal: so no other file is sent there.
        path = (pull.verdict.path or "") if pull.verdict.kind == "proposal" else ""
        if pull.base.records.has_decided(path):
            path = ""
        path, data = pull.stray if pull.stray is not None else (path, pull.laid.tree.get(path))
        repository = pull.base.settings.repository
        workshop = (
            workshop_of(pull.base.root, path, data, repository=repository, discussion=discussion)
            if wrong and isinstance(data, bytes)
            else None
        )
        return PullReport(
            preview=preview,
            mended=mended,
            editor=editor,
            workshop=workshop,
            hint=_left_undone(pull),
        )
    changed = (
        on_base.matter.status == "open"
        and draft is not None
        and not draft.is_bound_by(on_base.matter.digest)
    )
    counted = discussion is None or not on_base.matter.is_undecided
    base = pull.base
    standing = proposal_status(
        on_base, base.records, base.replay, base.until, changed=changed, is_counted=counted
    )
    preview = _preview_of_registered(pull.base, on_base, pull.laid, draft)
    return PullReport(preview=preview, standing=standing)


def _left_undone(pull: Pull) -> str | None:
    """Return what a judge or a player on turn leaves undone, in a sentence; None if nothing."""
    records, path = pull.laid.records, pull.verdict.path or ""
    instrument, turn = records.instruments.get(path), records.turn_at(path)
    if isinstance(instrument, Judgement):
        return _left_by_judge(pull, instrument)
    goes_on = turn is not None and turn.matter.ended is None and turn.matter.dice
    if pull.verdict.kind == "turn" and goes_on:
        return "The turn goes on: it ends on the day that its file says in `ended`."
    return None


def _left_by_judge(pull: Pull, judgement: Judgement) -> str | None:
    matter, asked = judgement.matter, pull.base.records.instruments.get(judgement.path)
    is_mine = matter.judge in pull.verdict.players and not pull.verdict.refused
    if matter.status == "pending" and is_mine:
        return (
            "The judgement stays pending: in place of `status: pending`, write `status: upheld`."
            if judgement.ruling
            else "The judgement stays pending: write the heading `## Ruling` and below it your "
            "ruling, and `status: upheld` in place of `status: pending`."
        )
    if not isinstance(asked, Judgement) or asked.matter.status != "pending":
        return None
    adds = (judgement.ruling, judgement.instructions, matter.voids, matter.points)
    # An answer may stand below the question, without a heading.
    if matter.status == "upheld" and not any(adds) and judgement.preamble == asked.preamble:
        return (
            "The judgement is given, and rules nothing: below the question, write the heading "
            "`## Ruling` and below it your ruling."
        )
    return None


def judge_pull(pull: Pull, discussion: str | None = None) -> tuple[PullVerdict, NextStep | None]:
    """Return the verdict, with what the preview of its draft finds and the base does not have; and
    the step that gives the draft its number, None if that is not the next step.

    A draft that is registered already, as the proposal debated at `discussion`, has no preview.
    """
    is_known = discussion is not None and proposal_debated_at(pull.base, discussion) is not None
    preview = None if is_known else preview_in(pull)
    step = preview.next_step if preview is not None else None
    own, old = pull.verdict.findings, {(one.slug, one.span) for one in pull.verdict.old}
    found = wrong_with(pull.verdict, preview)
    wrong = (find for find in found if find in own or (find.slug, find.span) not in old)
    verdict = replace(pull.verdict, findings=tuple(wrong))
    return verdict, step if step is not None and step.kind == "register" else None


def preview_in(pull: Pull) -> Preview | None:
    """Return what the draft that a pull request brings would do; None where it brings none, or it
    is decided.
    """
    path = pull.verdict.path
    if pull.verdict.kind != "proposal" or path is None or path not in pull.laid.tree:
        return None
    if pull.base.records.has_decided(path):
        return None
    preview, author = (
        _preview(pull.laid, path),
        pull.verdict.players[-1] if pull.verdict.players else None,
    )
    helped = with_help(pull.base, pull.laid, path, preview.findings, author) if preview else ()
    return replace(preview, findings=helped) if preview else None


def _preview_of_registered(
    base: Game, registered: Proposal, laid: Game, draft: Proposal | None
) -> Preview | None:
    """Return the preview of a registered proposal: while it is debated, with the text that the pull
    request has now; None once it is decided.
    """
    if registered.matter.status != "debate":
        return _preview(base, registered.path) if registered.matter.is_undecided else None
    if draft is None or draft.path == registered.path:
        return _preview(laid, registered.path)
    try:
        written = rewrite_registered(base, registered.number or 0, laid, draft)
    except Refused:
        written = None
    return _preview(
        overlay(base, {registered.path: written}) if written is not None else base, registered.path
    )


def _preview(game: Game, path: str) -> Preview | None:
    try:
        return preview_of(game, path)
    except Refused:
        # Its `status` says that it is decided: the verdict has what is wrong with that.
        return None
