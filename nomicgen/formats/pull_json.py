"""What is said of a pull request, as JSON. Its shape is written as models, of which the reference makes its schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from nomicgen.archive.mending import Mended
from nomicgen.archive.proposal_preview import Preview
from nomicgen.archive.pull_request import Kind, Verdict
from nomicgen.archive.pull_status import Standing
from nomicgen.diagnostics import picked
from nomicgen.formats.effects_json import EffectsView, effects_view
from nomicgen.formats.findings import LISTED, FindingView, finding_view
from nomicgen.formats.json_parts import Document, View, date_of
from nomicgen.formats.preview_json import PreviewView, preview_json
from nomicgen.model import Choice


class VerdictView(Document):
    """What a pull request is, and what is wrong with it."""

    kind: Kind = Field(description="what it is, by what it touches; `mixed` where it is more than one thing")
    refused: bool = Field(description="whether an error of its own stands against it")
    paths: Sequence[str] = Field(description="what it touches, in the game's root; `../x` is outside of it")
    path: str | None = Field(description="its one instrument, player's or turn's file; null for other pull requests")
    actor: str | None = Field(description="the account that it comes from; null where that was not said")
    players: Sequence[str] = Field(description="the ids of the players that the account plays as")
    findings: Sequence[FindingView] = Field(description="what is wrong that the base does not have: the first 5,000")
    old: Sequence[FindingView] = Field(description="what is wrong with the base already: the first 5,000")
    effects: EffectsView = Field(description="what it brings about, or would if it is a proposal")


class BallotView(View):
    """A vote that counts."""

    player: str = Field(description="the id of the player")
    choice: Choice = Field(description="what was voted")
    at: str | None = Field(description="when it was cast")
    url: str | None = Field(description="where it was cast")


class StrayView(View):
    """A vote that does not count."""

    login: str | None = Field(description="the account that cast it; null for one that is gone")
    reason: str = Field(description="why it does not count")
    url: str | None = Field(description="where it was cast")


class StandingView(View):
    """Where a registered proposal stands on the base."""

    number: int = Field(description="its number")
    status: Literal["debate", "open", "adopted", "defeated", "withdrawn", "void"] = Field(
        description="what has become of it"
    )
    ballot: str | None = Field(description="the name of its vote, such as 301-k7q2m4x9ta; null where it has no token")
    digest: str | None = Field(description="SHA-256 of what is voted on")
    debate_until: str | None = Field(description="the first day on which its vote may open; null where it has come")
    opened: str | None = Field(description="when its vote opened")
    closes: str | None = Field(description="the last moment of its vote; null where no rule ends it")
    decided: str | None = Field(description="when it was decided")
    effective: str | None = Field(description="when it takes effect")
    may_vote: Sequence[str] = Field(description="the ids of those who may vote")
    missing: Sequence[str] = Field(description="the ids of those who have yet to vote")
    lapsed: Sequence[str] = Field(
        description="the ids of those who voted on the text before this one, and have not voted again"
    )
    ballots: Sequence[BallotView] = Field(description="the votes that count")
    strays: Sequence[StrayView] = Field(description="the votes that do not")
    may_end: bool = Field(description="whether the vote can be counted as it stands")
    fewest: int | None = Field(description="how few more votes in favour would pass it; null if none would")
    discussion: str | None = Field(description="the address of its pull request")
    changed: bool = Field(description="whether the pull request no longer holds what is voted on")
    is_counted: bool = Field(description="whether the votes on the pull request were looked at")


class MendedView(View):
    """A draft as it could be: nothing is taken over by itself."""

    path: str = Field(description="what the file is to be called")
    before: str = Field(description="what the file is called now")
    fresh: bool = Field(description="whether it is a new file for another pull request")
    text: str = Field(description="the whole file")
    said: Sequence[str] = Field(description="what is mended in it")
    asks: Sequence[str] = Field(description="what its author is asked, as it was guessed")
    left: Sequence[FindingView] = Field(description="what is still wrong with it")


class PullView(Document):
    """A pull request: the verdict, what its proposal would do, and where that stands."""

    verdict: VerdictView = Field(description="what it is, and what is wrong with it")
    preview: PreviewView | None = Field(description="what it would do; null where it is no proposal, or decided")
    standing: StandingView | None = Field(description="where it stands; null before it has a number")
    mended: MendedView | None = Field(description="the file as it could be; null where nobody can mend it, or need")


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as a mapping."""
    return _verdict(verdict).model_dump(mode="json", by_alias=True)


def pull_json(
    verdict: Verdict, preview: Preview | None, standing: Standing | None, mended: Mended | None = None
) -> dict[str, Any]:
    """A pull request as a mapping."""
    view = PullView.model_construct(
        verdict=_verdict(verdict),
        preview=None,
        standing=None if standing is None else _standing(standing),
        mended=None if mended is None else _mended(mended),
    )
    document = view.model_dump(mode="json", by_alias=True)
    return document | {"preview": None if preview is None else preview_json(preview)}


def _verdict(verdict: Verdict) -> VerdictView:
    return VerdictView(
        kind=verdict.kind,
        refused=verdict.refused,
        paths=verdict.paths,
        path=verdict.path,
        actor=verdict.actor,
        players=verdict.players,
        findings=[finding_view(one) for one in picked(verdict.findings, LISTED)[0]],
        old=[finding_view(one) for one in picked(verdict.old, LISTED)[0]],
        effects=effects_view(verdict.effects),
    )


def _mended(mended: Mended) -> MendedView:
    return MendedView(
        path=mended.path,
        before=mended.before,
        fresh=mended.fresh,
        text=mended.text,
        said=mended.said,
        asks=mended.asks,
        left=[finding_view(one) for one in mended.left],
    )


def _standing(standing: Standing) -> StandingView:
    return StandingView(
        number=standing.number,
        status=standing.status,
        ballot=standing.ballot,
        digest=standing.digest,
        debate_until=date_of(standing.debate_until),
        opened=date_of(standing.opened),
        closes=date_of(standing.closes),
        decided=date_of(standing.decided),
        effective=date_of(standing.effective),
        may_vote=standing.may_vote,
        missing=standing.missing,
        lapsed=standing.lapsed,
        ballots=[
            BallotView(player=one.player, choice=one.choice, at=date_of(one.at), url=one.url)
            for one in standing.ballots
        ],
        strays=[StrayView.model_validate(one) for one in standing.strays],
        may_end=standing.may_end,
        fewest=standing.fewest,
        discussion=standing.discussion,
        changed=standing.changed,
        is_counted=standing.is_counted,
    )
