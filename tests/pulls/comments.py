"""A pull request as its comment, its text and its JSON are made of: a preview, votes and
effects.
"""

from __future__ import annotations

import functools
import json

from msgspec.structs import replace

from nomicgen.history.differences import ReachChange
from nomicgen.history.past.effects_between import Effects, StateDifference
from nomicgen.law.possible_changes import PossibleChange
from nomicgen.law.replay.effects import Effect, Licence
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import Digest, PlayerId
from nomicgen.model.values import Moment, Span
from nomicgen.play.load import Game, load_tree
from nomicgen.play.preview.previewing import preview_file
from nomicgen.play.preview.proposal import Preview
from nomicgen.pulls.request import PullVerdict
from nomicgen.pulls.status import ProposalStatus, UncountedVote, VoteOnFile
from nomicgen.repository.game_tree import read_tree
from tests.explain_pages import BASE, ON

BALLOT = "303-k7q2m4x9ta"
DIGEST = "9f2c1a7b" + "0" * 56
DRAFT = "proposals/oil.md"
OIL = (
    "Whoever holds a lamp may speak in the square after dusk. Who holds two lends one, with "
    "its oil."
)


@functools.cache
def base() -> Game:
    return load_tree(BASE, read_tree(BASE), Moment.parse(ON))


@functools.cache
def previewed(title: str = "Oil", text: str = OIL) -> Preview:
    quoted = json.dumps(" ".join(title.split()) or "x", ensure_ascii=False)
    data = (
        f"---\ntitle: {quoted}\nauthor: wren\nstatus: draft\n---\n\nWhy.\n\n"
        f"## Amend Rule 302/1\n\n{text}\n"
    )
    return preview_file(base(), data.encode("utf-8", "replace"), DRAFT)


def day(text: str) -> Moment:
    return Moment.parse(text)


OPEN = ProposalStatus(
    number=303,
    status="open",
    ballot=BALLOT,
    digest=Digest(DIGEST),
    opened=day("2026-02-01"),
    closes=day("2026-02-08T18:30"),
    may_vote=(PlayerId("osprey"), PlayerId("quill"), PlayerId("tallow"), PlayerId("wren")),
    missing=("tallow",),
    votes=(
        VoteOnFile(player=PlayerId("osprey"), choice="abstain", at=day("2026-02-02T09:00")),
        VoteOnFile(
            player=PlayerId("quill"),
            choice="against",
            at=day("2026-02-02T10:00"),
            url="https://github.com/o/g/pull/7#c1",
        ),
        VoteOnFile(player=PlayerId("wren"), choice="for", at=day("2026-02-01T10:00")),
    ),
    strays=(
        UncountedVote(login="Tallow-`s`-twin", reason="no player has this account"),
        UncountedVote(
            login=None, reason="its account is gone", url="https://github.com/o/g/pull/7#c2"
        ),
        UncountedVote(
            login="quill9", reason="its text was edited after it was written: <!-- x -->"
        ),
    ),
    fewest=1,
    discussion="https://github.com/o/g/pull/7",
)
VERDICT = PullVerdict(
    kind="proposal",
    paths=(DRAFT,),
    path=DRAFT,
    actor="wren-of-the-wharf",
    players=(PlayerId("wren"),),
)
ENDED = replace(OPEN, decided=day("2026-02-08"), closes=None, fewest=None)
STANDINGS = {
    "open": OPEN,
    "open-to-the-last-vote": replace(OPEN, closes=None, fewest=None, strays=()),
    "open-until-ended": replace(
        OPEN, closes=None, may_end=True, fewest=0, changed=True, votes=OPEN.votes[1:]
    ),
    "debate": ProposalStatus(number=303, status="debate", debate_until=day("2026-02-04")),
    "adopted-later": replace(
        ENDED, status="adopted", effective=day("2026-03-01"), effect="pending"
    ),
    "defeated": replace(ENDED, status="defeated"),
    "withdrawn": replace(ENDED, status="withdrawn", votes=(), strays=()),
    "void": replace(ENDED, status="void", decided=None, votes=(), strays=()),
}
WRONG = Finding(
    slug="value-wrong",
    span=Span(file="players/wren.yml", line=2),
    message="no such day",
    help="correct it",
)


WAY = PossibleChange(
    verb="amend",
    from_="mutable",
    into=None,
    possible=False,
    rules=(103,),
    reason="Rule 103 forbids it",
)


def effects_of(one: str, two: str, three: str) -> Effects:
    """What comes about, in words of players."""
    points = Effect(
        kind="points", path=three, words=f"{one}: 5 → 105 points ({two})", moment=None, refused=True
    )
    licence = Licence(203, 1, "adoption", "3 for; all eligible voters (3): 3 needed")
    rule = Effect(
        kind="rule", path=one, words=three, moment=day("2026-02-01"), licences=(licence, licence)
    )
    return Effects(
        effects=(points, rule, Effect(kind="seat", path=two, words=two, moment=None)),
        differences=(
            StateDifference(what="score", before=("5",), after=("105",), player=PlayerId(one)),
            StateDifference(what="winner", before=(), after=(two, three)),
            StateDifference(what="turn", before=(three,), after=()),
            StateDifference(what="voters", before=(f"1{one}",), after=(f"2{two}", f"3{three}")),
        ),
        reach=(
            ReachChange(
                before=replace(WAY, possible=True, needs=("all eligible voters",)), after=WAY
            ),
        ),
    )
