"""What is said of a pull request, as JSON."""

from __future__ import annotations

from typing import Any

from nomicgen.formats.documents import FORMAT, Shape
from nomicgen.formats.findings import FINDING, pick_listed
from nomicgen.play.effects_json import EFFECTS
from nomicgen.play.mending.as_json import MENDED
from nomicgen.play.preview.as_json import PREVIEW
from nomicgen.pulls.report import PullReport
from nomicgen.pulls.request import PullVerdict
from nomicgen.pulls.status import ProposalStatus, UncountedVote, VoteOnFile

VERDICT = Shape(
    "VerdictView",
    "What kind of pull request it is, what it touches, and what is wrong with it.",
    PullVerdict,
    format=FORMAT,
    kind="the kind, by what it touches; `mixed` where it is more than one",
    refused="whether it has an error of its own, and so is refused",
    paths="what it touches, seen from the game's root; `../x` is outside of it",
    path="the file of its one instrument, player or turn; null for other pull requests",
    actor="the account that it comes from; null where that was not said",
    players="the ids of the players that the account plays as",
    findings=FINDING.many(
        "what is wrong that the base does not have: at most 5,000",
        lambda verdict: pick_listed(verdict.findings),
    ),
    old=FINDING.many(
        "what is wrong with the base already: at most 5,000",
        lambda verdict: pick_listed(verdict.old),
    ),
    effects=EFFECTS("what it brings about, or would if it is a proposal"),
)
BALLOT = Shape(
    "BallotView",
    "One player's vote that counts. (The key `ballot` names the round of voting.)",
    VoteOnFile,
    player="the id of the player",
    choice="what was voted",
    at="when it was cast; null where that is not recorded",
    url="where it was cast; null where that is not recorded",
)
STRAY = Shape(
    "StrayView",
    "A vote that does not count.",
    UncountedVote,
    login="the account that cast it, null for one that is gone; if it stands in the proposal's "
    "file, the id of the player",
    reason="why it does not count",
    url="where it was cast; null where that is not recorded",
)
STANDING = Shape(
    "StandingView",
    "Where a registered proposal stands on the base.",
    ProposalStatus,
    number="its number",
    status="what has become of it",
    ballot="the name of its round of voting, such as 301-k7q2m4x9ta; null where it has no token",
    digest="SHA-256 of what is voted on",
    debate_until="the day before which its vote may not open; null where no day keeps it waiting",
    opened="when its vote opened",
    closes="the last moment of its vote; null where no rule ends it",
    decided="when it was decided",
    effective="when it takes effect; null if it does not, or waits for a turn to begin",
    may_vote="the ids of those who may vote",
    missing="the ids of those who have yet to vote",
    lapsed="the ids of those who voted on the text before this one, and have not voted again",
    ballots=BALLOT("single votes that count", "votes"),
    strays=STRAY("the votes that do not count"),
    may_end="whether the vote can end with the votes that it has",
    fewest="how many more votes for it would pass it; null if no number would, or it is not open",
    discussion="the address of its pull request",
    changed="whether the pull request no longer holds what is voted on",
    is_counted="whether the votes on the pull request were looked at",
)
PULL = Shape(
    "PullView",
    "A pull request: the verdict, what its proposal would do, and where that stands.",
    format=FORMAT,
    verdict=VERDICT.one("what it is, and what is wrong with it"),
    preview=PREVIEW.maybe("what it would do; null where it is no proposal, or is decided"),
    standing=STANDING.maybe("where it stands; null before it has a number"),
    mended=MENDED.maybe(
        "the file as it could be: corrected, or several files of which its author has to choose "
        "one; null if nothing is wrong, nobody can mend it, or no player's account was named"
    ),
)


def pull_json(verdict: PullVerdict, report: PullReport) -> dict[str, Any]:
    """Return a pull request in the form of `PULL`."""
    return PULL.write(report, verdict=verdict)
