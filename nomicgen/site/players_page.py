"""The page of each player, and the list of them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.activity import Ballot, Deeds, Standing, standing_of
from nomicgen.archive.game_events import count_votes
from nomicgen.archive.rule_history import TEXTS, RuleHistory
from nomicgen.diagnostics import counted
from nomicgen.files.urls import is_web
from nomicgen.formats.scores_text import amount
from nomicgen.law.electorate import is_player
from nomicgen.model import Instrument, Moment, Player, ProposalMatter, Role, Stretch, Turn
from nomicgen.patterns import lazy_pattern
from nomicgen.site.addresses import PLAYERS, SCORES, player_page
from nomicgen.site.charts import scores as scores_picture
from nomicgen.site.correction_lines import corrected
from nomicgen.site.lists import PROPOSALS
from nomicgen.site.render import render_page
from nomicgen.site.scores_page import rank_of, ranked, score_rows, turn_rows, winner_words
from nomicgen.site.shared_pieces import (
    STATUS,
    choices,
    instrument_link,
    joined,
    knows_only_adopted,
    moment_of,
    said_of_standing,
    same_elsewhere,
    search_text,
    select,
    useful,
    verdict_of,
)
from nomicgen.site.site_view import Site
from nomicgen.site.task_list import what_to_do

_CRUMB = (PLAYERS, "Players")
_TONES: Mapping[Standing, str] = {"playing": "good", "left": "bad"}
_ORDER: Sequence[Standing] = ("playing", "inactive", "to come", "left", "past", "dummy", "bot")
_KINDS = {"dummy": "a seat that no person fills", "past": "known from the archive alone"}
# How a login becomes an address, on the forges that are known; nothing else in a player's file becomes a link.
_FORGES = {
    "github": "https://github.com/{}",
    "gitlab": "https://gitlab.com/{}",
    "codeberg": "https://codeberg.org/{}",
    "bitbucket": "https://bitbucket.org/{}",
    "sourcehut": "https://sr.ht/~{}",
}
_LOGIN = lazy_pattern(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")


def player_pages(site: Site) -> Iterator[tuple[str, str]]:
    """The page of everyone in `players/`, and their list."""
    deeds, written = site.deeds, _written(site)
    players = sorted(site.archive.records.players.values(), key=lambda one: _place(one, site.today))
    yield PLAYERS, _list(site, players, deeds)
    for index, one in enumerate(players):
        page = player_page(one.ident)
        around = [
            {"href": site.addresses.href(player_page(players[at].ident), page), "text": site.name(players[at].ident)}
            if 0 <= at < len(players)
            else None
            for at in (index - 1, index + 1)
        ]
        yield page, _page(site, one, deeds[one.ident], written.get(one.ident, ()), page, around)


def _written(site: Site) -> Mapping[str, Sequence[RuleHistory]]:
    """The rules in force to which each player gave a text, by number."""
    found: dict[str, dict[int, RuleHistory]] = {}
    for history in site.archive.histories.rules.values():
        for entry in history.entries if site.is_force(history) else ():
            if entry.verb in TEXTS and entry.actor is not None:
                found.setdefault(entry.actor, {})[history.identity] = history
    return {ident: sorted(all_.values(), key=lambda one: one.last.number) for ident, all_ in found.items()}


def _place(player: Player, today: Moment) -> tuple[object, ...]:
    return (_ORDER.index(standing_of(player, today)), player.matter.name.casefold(), player.ident)


def _list(site: Site, players: Sequence[Player], deeds: Mapping[str, Deeds]) -> str:
    page = PLAYERS
    known = {"adopted": not knows_only_adopted(site), "votes": any(one.ballots for one in deeds.values())}
    rows = [_row(site, one, deeds[one.ident], page) for one in players]
    states = [standing_of(one, site.today) for one in players]
    return render_page(
        site,
        "players.html",
        page,
        kind="players",
        shows=("players/",),
        title="Players",
        description=f"The players of {site.archive.records.settings.name}",
        lead=_lead(states),
        selects=useful([select("state", "State", ((one, said_of_standing(one)) for one in dict.fromkeys(states)))]),
        rows=rows,
        scored=bool(site.archive.replay.awards),
        known=known,
    )


def _lead(states: Sequence[Standing]) -> str:
    if not states:
        return "Nobody has joined yet."
    present = states.count("playing") + states.count("inactive")
    all_ = f", of {len(states)} in all" if present < len(states) else ""
    parts = [f"{counted(present, 'player')}{all_}."]
    if "inactive" in states:
        parts.append(f"{states.count('inactive')} of them not active now.")
    return " ".join(parts)


def _row(site: Site, player: Player, deeds: Deeds, page: str) -> Mapping[str, Any]:
    state = standing_of(player, site.today)
    matter = player.matter
    score = site.standings.of(player.ident)
    adopted = _having(deeds.proposals, "adopted")
    since = [Markup("since {}").format(site.when(matter.joined, page))] if matter.joined else []
    until = [Markup("until {}").format(site.when(matter.left, page))] if matter.left else []
    return {
        "who": site.who(player.ident, page),
        "state": said_of_standing(state),
        "tone": _TONES.get(state, "plain"),
        "span": joined([*since, *until]),
        "score": amount(score.total) if score else "",
        "score_href": site.addresses.href(player_page(player.ident), page, "score"),
        "proposals": _number(site, player.ident, page, len(deeds.proposals)),
        "adopted": _number(site, player.ident, page, len(adopted), "adopted"),
        "votes": len(deeds.ballots),
        "search": search_text(matter.name, player.ident, state, *(one.role for one in matter.roles)),
        "data": {"state": choices(state)},
    }


def _number(site: Site, ident: str, page: str, count: int, status: str = "") -> Markup:
    """A count of proposals, as a link to the list of them."""
    if not count:
        return Markup("0")
    also = f"&status={status}" if status else ""
    return Markup('<a href="{}?author={}{}">{}</a>').format(site.addresses.href(PROPOSALS[0], page), ident, also, count)


def _having(proposals: Iterable[Instrument], status: str) -> Sequence[Instrument]:
    return [one for one in proposals if isinstance(one.matter, ProposalMatter) and one.matter.status == status]


def _page(
    site: Site,
    player: Player,
    deeds: Deeds,
    written: Sequence[RuleHistory],
    page: str,
    around: Sequence[Mapping[str, str] | None],
) -> str:
    name = player.matter.name
    state = standing_of(player, site.today)
    badges = [{"text": said_of_standing(state), "kind": _TONES.get(state, "")}]
    badges += [{"text": _role(one), "kind": ""} for one in player.matter.roles if _now(one, site.today)]
    return render_page(
        site,
        "player.html",
        page,
        kind="player",
        shows=(f"players/{player.ident}.yml",),
        title=name,
        description=f"{name}, a player of {site.archive.records.settings.name}",
        crumbs=(_CRUMB,),
        here=name,
        name=name,
        badges=badges,
        notices=tuple(_notices(site, player, page)),
        asked=_asked(site, player, page),
        score=_score(site, player, page),
        proposals=_proposals(site, player.ident, deeds.proposals, page),
        votes=_votes(site, deeds.ballots, page),
        judgements=_judgements(site, deeds, page),
        written=[{"href": site.rule_href(one, page), "text": site.heading(one.last)} for one in written],
        acts=[_line(site, one, page) for one in deeds.acts],
        turns=_turns(site, deeds.turns, page),
        facts=tuple(_facts(site, player, page)),
        roles=[_stretch(site, one, page, _role(one)) for one in player.matter.roles],
        note=player.matter.note,
        corrected=tuple(corrected(site, f"players/{player.ident}.yml", page)),
        actions=same_elsewhere(site, page, f"players/{player.ident}.yml"),
        before=around[0],
        after=around[1],
    )


def _role(role: Role) -> str:
    return role.role.replace("-", " ")


def _now(span: Stretch, today: Moment) -> bool:
    return not today.precedes(span.since) and (span.until is None or today.precedes(span.until))


def _notices(site: Site, player: Player, page: str) -> Iterator[Markup]:
    winner = site.archive.replay.winner
    if winner is not None and player.ident in winner.players:
        yield winner_words(site, winner, page)


def _asked(site: Site, player: Player, page: str) -> Sequence[Markup]:
    """What can be done now by a player, if the player plays."""
    if not is_player(player, site.today):
        return ()
    found = [what_to_do(site, task, page) for task in site.tasks if task.who == player.ident]
    return tuple(dict.fromkeys(found))


def _score(site: Site, player: Player, page: str) -> Mapping[str, Any] | None:
    """The score, its place and every line of it, the newest first; None where nobody has any points."""
    score = site.standings.of(player.ident)
    if score is None or not site.archive.replay.awards:
        return None
    rows = score_rows(site, score.lines, page)
    rank = rank_of(site, player.ident)
    return {
        "total": amount(score.total),
        "rank": rank,
        "tied": rank is not None and sum(one.total == score.total for one in ranked(site)) > 1,
        "scores": site.addresses.href(SCORES, page),
        "rows": rows,
        "open": len(rows) <= 12,
        "said": counted(len(rows), "change"),
        "picture": scores_picture(site, page, player=player.ident),
    }


def _proposals(site: Site, ident: str, proposals: Sequence[Instrument], page: str) -> Mapping[str, Any] | None:
    if not proposals:
        return None
    statuses = [one.matter.status for one in proposals if isinstance(one.matter, ProposalMatter)]
    order = ("open", "debate", "draft", "adopted", "defeated", "withdrawn", "void")
    groups = [
        {
            "name": STATUS.get(status, status),
            "count": statuses.count(status),
            "items": [_line(site, one, page) for one in reversed(proposals) if _having([one], status)],
            "open": len(proposals) <= 30,
        }
        for status in order
        if status in statuses
    ]
    return {"groups": groups, "all": _number(site, ident, page, len(proposals)), "count": len(proposals)}


def _line(site: Site, one: Instrument, page: str) -> Mapping[str, Any]:
    moment = moment_of(one)
    status, tone = verdict_of(site, one)
    return {
        "link": instrument_link(site, one, page, titled=True),
        "when": site.when(moment, page) if moment else "",
        "state": status,
        "tone": tone,
    }


def _votes(site: Site, ballots: Sequence[Ballot], page: str) -> Mapping[str, Any] | None:
    """What a player voted, the newest first, with how often it was what most voted."""
    if not ballots:
        return None
    counts = dict.fromkeys(("for", "against", "abstain"), 0)
    for one in ballots:
        counts[one.choice] += one.counted
    sided = [one.majority for one in ballots if one.majority is not None]
    uncounted = sum(not one.counted for one in ballots)
    more = f", {uncounted} not counted" if uncounted else ""
    return {
        "summary": f"{count_votes(counts['for'], counts['against'], counts['abstain'])}{more}",
        "majority": f"{sum(sided)} of {len(sided)} with the majority" if sided else "",
        "open": len(ballots) <= 15,
        "said": counted(len(ballots), "vote"),
        "rows": [_ballot(site, one, page) for one in reversed(ballots)],
    }


def _ballot(site: Site, one: Ballot, page: str) -> Mapping[str, Any]:
    notes = [*([one.how] if one.how else []), *([] if one.counted else ["not counted"])]
    status, tone = verdict_of(site, one.proposal)
    moment = moment_of(one.proposal)
    return {
        "proposal": instrument_link(site, one.proposal, page, titled=True),
        "vote": {"abstain": "abstained"}.get(one.choice, one.choice),
        "note": ", ".join(notes),
        "state": status,
        "tone": tone,
        "when": site.when(moment, page) if moment else "",
    }


def _judgements(site: Site, deeds: Deeds, page: str) -> Sequence[Mapping[str, Any]]:
    given = [one for one in deeds.judged if verdict_of(site, one)[0] != "pending"]
    groups = (
        ("To be given", [one for one in deeds.judged if one not in given]),
        ("Given", given),
        ("Asked for", deeds.called),
        ("Not given in time", deeds.late),
    )
    return [
        {"name": name, "items": [_line(site, one, page) for one in reversed(judgements)]}
        for name, judgements in groups
        if judgements
    ]


def _turns(site: Site, turns: Sequence[Turn], page: str) -> Mapping[str, Any] | None:
    if not turns:
        return None
    return {"rows": turn_rows(site, turns[::-1], page), "open": len(turns) <= 12, "said": counted(len(turns), "turn")}


def _facts(site: Site, player: Player, page: str) -> Iterator[Mapping[str, Any]]:
    matter = player.matter
    yield {"name": "Called", "value": Markup("<code>{}</code>").format(player.ident)}
    if matter.kind != "person":
        yield {"name": "Kind", "value": _KINDS.get(matter.kind, matter.kind)}
    if matter.order is not None:
        yield {"name": "Seat", "value": matter.order}
    for name, moment in (("Joined", matter.joined), ("Left", matter.left)):
        if moment is not None:
            yield {"name": name, "value": site.when(moment, page)}
    for one in matter.inactive:
        yield {"name": "Not active", "value": _stretch(site, one, page)}
    for held in matter.strength:
        yield {"name": "Vote counts", "value": _stretch(site, held, page, str(held.votes))}
    for forge, login in sorted(matter.accounts.items()):
        yield {"name": forge, "value": _account(forge, login)}


def _stretch(site: Site, span: Stretch, page: str, words: str = "") -> Markup:
    """A span of days, and what it was spent as."""
    until = Markup(" until {}").format(site.when(span.until, page)) if span.until else ""
    said = Markup("since {}{}").format(site.when(span.since, page), until)
    return joined([words, said]) if words else said


def _account(forge: str, login: str) -> Markup:
    template = _FORGES.get(forge)
    address = template.format(login) if template and _LOGIN.fullmatch(login) else None
    if not is_web(address):
        return Markup("{}").format(login)
    return Markup('<a class="n-out" rel="noopener nofollow ugc" href="{}">{}</a>').format(address, login)
