"""Strategies of games: played by asking the law what is possible, or with whatever somebody writes
into a file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from nomicgen.files.yaml_writing import write_yaml
from nomicgen.law.possible_changes import possible_changes
from nomicgen.law.reading import parse_provisions
from nomicgen.law.replay.results import Rule
from nomicgen.law.replay.scene import Scene
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Records
from tests.ledger import PLAYERS, Ledger, day
from tests.oracle import TIERS, plays

FIRST = 301
VERBS = ("enact", "amend", "repeal", "transmute")
NUMBERING = {
    "first": str(FIRST),
    "enacted": "proposal",
    "amended": "keep",
    "transmuted": "keep",
    "changes": "any",
}
Provisions = dict[str, Any]

# --- what rules say -------------------------------------------------------------------------------

tiers = st.sampled_from(TIERS)
shares = st.sampled_from(["1/2", "2/3", "15%", "60%", "1", "2", "3"])
needs = st.one_of(
    st.sampled_from(["unanimous", "majority", "two-thirds"]),
    shares.map(lambda share: {"more_than": share}),
    shares.map(lambda share: {"at_least": share}),
)
bases = st.sampled_from(["eligible", "cast", "players"])
passing = st.sampled_from(["adopted", "defeated"])
weighing = {
    "of": bases,
    "and": st.builds(lambda part, of: {"needs": part, "of": of}, needs, bases),
    "tied": passing,
    "unvoted": passing,
}
adoptions = st.fixed_dictionaries(
    {"needs": needs},
    optional={
        **weighing,
        "to": st.lists(st.sampled_from(VERBS), min_size=1, max_size=3, unique=True),
        "from": tiers,
        "into": tiers,
        "over": st.sampled_from(["201", "204", "301"]),
        "under": st.sampled_from(["201", "204", "301"]),
    },
)
RIVALS = (105, 204, 205)
"""Rules of both tiers, each of which may go before another."""
rivals = st.builds(
    lambda one, claim: one | claim,
    st.fixed_dictionaries({"needs": needs}, optional=weighing),
    st.builds(
        lambda key, number: {key: str(number)},
        st.sampled_from(["over", "under"]),
        st.sampled_from(RIVALS),
    ),
)
ballots = st.fixed_dictionaries(
    {},
    optional={
        "everyone_votes": st.sampled_from(["true", "false"]),
        "silence": st.sampled_from(["waits", "for", "against", "ignored"]),
        "abstention": st.sampled_from(["counts", "ignored"]),
        "author_votes_for": st.sampled_from(["true", "false"]),
        "quorum": st.builds(
            lambda key, many, of: {key: many, "of": of},
            st.sampled_from(["at_least", "more_than"]),
            st.sampled_from(["1/4", "50%", "3/4", "1", "2", "3"]),
            st.sampled_from(["eligible", "players"]),
        ),
        "weights": st.one_of(
            st.just("strength"),
            st.fixed_dictionaries(
                {},
                optional={
                    role: st.sampled_from(["0", "1", "2", "3"]) for role in ("speaker", "observer")
                },
            ).filter(bool),
        ),
        "electorate_at": st.sampled_from(["opening", "close"]),
    },
).filter(bool)
days = st.sampled_from(["01-01", "02-02", "02-03", "02-04"])
stretches = st.builds(
    lambda since, until: {"since": day(since), **({"until": day(until)} if until > since else {})},
    days,
    st.sampled_from(["", "02-03", "02-05"]),
)
seats = st.fixed_dictionaries(
    {},
    optional={
        "joined": days.map(day),
        "left": st.sampled_from(["02-02", "02-03", "02-04", "03-01"]).map(day),
        "roles": st.lists(
            st.builds(
                lambda span, role: {"role": role, **span},
                stretches,
                st.sampled_from(["speaker", "observer"]),
            ),
            max_size=2,
        ),
        "strength": st.lists(
            st.builds(lambda span, votes: {"votes": votes, **span}, stretches, st.integers(0, 3)),
            max_size=1,
        ),
    },
)
"""What players' files may say around a vote that is opened on 2026-02-02 and decided on
2026-02-04.
"""
points: st.SearchStrategy[Provisions] = st.sampled_from(["author", "for", "against"]).map(
    lambda to: {"points": {"on": "decided", "to": to, "amount": "2"}}
)
# There are three immutable rules at first, and five mutable ones.
limits: st.SearchStrategy[Provisions] = st.one_of(
    st.builds(lambda tier, most: {"cap": {tier: str(most)}}, tiers, st.integers(2, 7)),
    st.builds(lambda tier, least: {"floor": {tier: str(least)}}, tiers, st.integers(1, 6)),
)
anything: st.SearchStrategy[Provisions] = st.one_of(
    st.just({}),
    limits,
    limits,
    st.builds(
        lambda tier, open_: {"entrenchment": {tier: sorted(open_)}},
        tiers,
        st.sets(st.sampled_from(VERBS), min_size=1),
    ),
    adoptions.map(lambda one: {"adoption": one}),
    st.lists(adoptions, min_size=2, max_size=2).map(lambda many: {"adoption": many}),
    ballots.map(lambda one: {"ballot": one}),
    st.builds(
        lambda by, to: {"authority": {"by": by, "to": to}},
        st.sampled_from(["act", "judgement"]),
        st.sampled_from(VERBS),
    ),
    st.sampled_from(["author", "for", "against"]).map(
        lambda to: {"points": {"on": "decided", "to": to, "amount": "2"}}
    ),
    st.just({"changeable": "always"}),
)
provisions = anything.filter(lambda raw: parse_provisions(raw, TIERS)[1] == ())
voting: st.SearchStrategy[Provisions] = ballots.map(lambda one: {"ballot": one})
asking: st.SearchStrategy[Provisions] = adoptions.map(lambda one: {"adoption": one}).filter(
    lambda raw: parse_provisions(raw, TIERS)[1] == ()
)


@st.composite
def beginnings(draw: st.DrawFn) -> Ledger:
    """A game before its first move: somebody joins late, somebody leaves early, and some rules say
    this or that.
    """
    # Ballots and conditions that override each other are where votes go wrong.
    said: list[Provisions] = [
        draw(st.one_of(often, provisions)) for often in (voting, asking, points)
    ]
    rules: dict[int, Provisions] = {
        101: {"entrenchment": {"immutable": ["transmute"]}},
        102: {"numbering": NUMBERING},
        103: said[0],
        201: {
            "adoption": draw(
                st.sampled_from([{"needs": "majority"}, {"needs": "unanimous", "of": "cast"}])
            )
        },
        202: {},
        203: draw(limits),
        204: said[1],
        205: said[2],
    }
    made = Ledger.start(rules)
    made.player("quill", left=day(draw(st.sampled_from(["02-04", "03-01"]))))
    made.player("tallow", joined=day(draw(st.sampled_from(["01-01", "02-03"]))))
    assume(made.slugs() == [])
    return made


# --- moves ----------------------------------------------------------------------------------------


def block(said: Provisions | None) -> str:
    """The `yaml rule` block that gives a rule provisions."""
    if said is None:
        return ""
    inside = write_yaml({"provisions": said}).decode() if said else "provisions: {}\n"
    return f"```yaml rule\n{inside}```\n\n"


def instruction(draw: st.DrawFn, verb: str, rule: Rule | None, tier: str) -> str:
    """An instruction as it is written: of a verb's class, about a rule, into a tier."""
    said = draw(st.one_of(st.none(), provisions))
    if rule is None:
        inside = [
            f"mutability: {tier}\n",
            write_yaml({"provisions": said}).decode() if said else "",
        ]
        return f"## Enact Rule\n\n```yaml rule\n{''.join(inside)}```\n\nSomething new."
    forms: dict[str, Callable[[], str]] = {
        "amend": lambda: f"## Amend Rule {rule.ref}\n\n{block(said)}Something else.",
        "repeal": lambda: f"## Repeal Rule {rule.ref}",
        "transmute": lambda: f"## Transmute Rule {rule.ref} to {tier}",
        "retitle": lambda: f"## Retitle Rule {rule.ref}: Another name",
        "mark": lambda: f"## Mark Rule {rule.ref}\n\n{block(said or {})}",
        "void": lambda: f"## Mark Rule {rule.ref}\n\n```yaml rule\nvoid: true\n```",
    }
    return forms[verb]().strip()


def on(index: int) -> str:
    """The day of a move."""
    return f"02-{index + 1:02}"


def path_of(index: int) -> str:
    return f"proposals/{FIRST + index}.md"


def of_file(findings: tuple[Finding, ...], path: str) -> list[Finding]:
    return [one for one in findings if one.span.file == path]


ballot_papers = st.lists(st.sampled_from("fffaa-.."), min_size=4, max_size=4).map("".join)


@st.composite
def legal_games(draw: st.DrawFn, moves: int = 7) -> Ledger:
    """A game in which everything that is done is what the law says can be done, and comes out as it
    says.
    """
    made = draw(beginnings())
    for index in range(moves):
        if not propose_lawfully(draw, made, index):
            break
    return made


def propose_lawfully(draw: st.DrawFn, made: Ledger, index: int) -> bool:
    """One proposal, decided as the law says of its votes; False where the law leaves nothing that
    was found.
    """
    for _ in range(4):
        records, played = made.play(on(index))
        scene = Scene.of(played.current, records, day(on(index)))
        possible = [one for one in possible_changes(scene) if one.possible]
        if not possible:
            return False
        chosen = draw(st.sampled_from(possible))
        standing = [rule for rule in played.current if rule.tier == chosen.from_]
        rule = draw(st.sampled_from(standing)) if chosen.from_ else None
        verb = (
            draw(st.sampled_from(["amend", "amend", "retitle", "mark"]))
            if chosen.verb == "amend"
            else chosen.verb
        )
        body = instruction(draw, verb, rule, chosen.into or "mutable")
        votes = draw(st.one_of(ballot_papers, st.just("ffff")))
        for paper in (votes, votes.replace(".", "f"), "ffff"):
            ballot = of_players(paper, records, index)
            made.proposal(FIRST + index, on(index), body, ballot, status="open")
            _, seen = made.play(on(index))
            tally = seen.tallies[path_of(index)]
            errors = [one for one in of_file(seen.findings, path_of(index)) if one.is_error]
            if not errors and tally.adopted is not None:
                status = "adopted" if tally.adopted else "defeated"
                made.proposal(FIRST + index, on(index), body, ballot, status=status)
                return True
        del made.tree[path_of(index)]
    return False


def of_players(paper: str, records: Records, index: int) -> str:
    """The votes of those who play that day; of the others none."""
    there = [plays(records.players[PlayerId(ident)], day(on(index))) for ident in PLAYERS]
    return "".join(vote if here else "." for vote, here in zip(paper, there, strict=True))


@st.composite
def wild_games(draw: st.DrawFn, moves: int = 5) -> Ledger:
    """A game in which some moves are as the law says, and others whatever somebody writes into a
    file.
    """
    made = draw(beginnings())
    for index in range(moves):
        if draw(st.integers(0, 3)) == 0 and propose_lawfully(draw, made, index):
            continue
        standing = list(made.play(on(index))[1].current)
        bodies = []
        for _ in range(draw(st.integers(1, 2))):
            verb = draw(
                st.sampled_from(
                    ["enact", "amend", "amend", "repeal", "transmute", "retitle", "mark", "void"]
                )
            )
            rule = None if verb == "enact" or not standing else draw(st.sampled_from(standing))
            bodies.append(instruction(draw, verb, rule, draw(tiers)))
        write_down(draw, made, index, "\n\n".join(bodies))
    return made


def write_down(draw: st.DrawFn, made: Ledger, index: int, body: str) -> None:
    """Changes as a proposal with some outcome, as an act or as a judgement, under some rule or
    none.
    """
    kind = draw(st.sampled_from(["proposal", "proposal", "proposal", "act", "judgement"]))
    under = draw(st.sampled_from([103, 204, 205]))
    if kind == "act":
        made.act(f"2026-{on(index)}", on(index), f"Done.\n\n{body}", under=under)
    elif kind == "judgement":
        number = 1 + sum(1 for path in made.tree if path.startswith("judgements/"))
        made.judgement(number, on(index), f"## Ruling\n\nSo be it.\n\n{body}", under=under)
    else:
        status = draw(st.sampled_from(["adopted", "adopted", "defeated"]))
        made.proposal(FIRST + index, on(index), body, draw(ballot_papers), status=status)
