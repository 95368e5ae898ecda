"""The first page: what the game is, whose turn it is, what is before the players, and what changed last."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgen.archive.history_lines import history_link
from nomicgen.archive.rule_history import Entry, RuleHistory
from nomicgen.diagnostics import counted
from nomicgen.files.urls import is_web
from nomicgen.law.electorate import is_player
from nomicgen.law.replay_state import Tally
from nomicgen.model import Instrument, Moment, ProposalMatter
from nomicgen.site.addresses import CARDS, HISTORY, PLAYERS, SCORES, TIME, tier_anchor
from nomicgen.site.data_parts import FEED, data_file
from nomicgen.site.linked_history import entry_html, said_of_effect
from nomicgen.site.lists import ACTS, JUDGEMENTS, PROPOSALS
from nomicgen.site.page_foot import seen_by
from nomicgen.site.recent_changes import NEWS
from nomicgen.site.render import origin_view, render_page
from nomicgen.site.rules_page import RULES
from nomicgen.site.ruleset_page import LONG, SHORT
from nomicgen.site.scores_page import is_over, standing_rows, victory_view
from nomicgen.site.shared_pieces import chance, joined, knows_only_adopted, over_since, said_of_votes, turn_link
from nomicgen.site.site_view import Site
from nomicgen.site.task_list import task_views
from nomicgen.site.tiers import grouped

INDEX = "index.md"
HOME_SCRIPTS = ("words.js", "home.js")
VERIFYING = "https://nomicgen.github.io/nomicgen/guide/reader/verify/"
"""The page of nomicgen's guide that says how to verify a game."""

_SAID = ("vote", "change-vote")
"""What can be done that the list of votes says already."""

_LAST = 8
_BEST = 5


def home_page(site: Site) -> str:
    """The page `index.md`."""
    page = INDEX
    settings = site.archive.records.settings
    status = site.status
    return render_page(
        site,
        "home.html",
        page,
        kind="home",
        title=settings.name,
        description=settings.tagline or "",
        name=settings.name,
        tagline=settings.tagline,
        victory=victory_view(site, page),
        glance=tuple(_glance(site, page)),
        turn=joined(_turn(site, page), " "),
        open=[_open(site, one, tally, page) for one, tally in status.voting],
        due=tuple(_due(site, page)),
        tasks=[one for one in task_views(site, page) if one["kind"] not in _SAID],
        news=site.addresses.href(NEWS, page),
        scripts=[site.addresses.href(f"assets/{one}", page) for one in HOME_SCRIPTS],
        changes=_changes(site, page),
        history=site.addresses.href(HISTORY, page),
        best=standing_rows(site, page, _BEST) if site.archive.replay.awards else (),
        scores=site.addresses.href(SCORES, page),
        join={"how": _join(site), "href": site.addresses.join(site.today.day)},
        propose={
            "how": _propose(site),
            "href": site.addresses.propose(),
            "rules": site.archive.replay.current if site.addresses.has_editor else (),
            "page": site.addresses.href("rules/N.md", page),
        },
        read=[{"href": site.addresses.href(path, page), "text": text} for path, text in _reading(site)],
        proof=tuple(_proof(site)),
        seen_by=seen_by(site),
        seen=tuple(_seen(site, page)),
        admitted=tuple(_admitted(site)),
        check=VERIFYING,
        more=[{"href": site.addresses.href(path, page), "text": text} for path, text in _more(site)],
    )


def _reading(site: Site) -> Iterator[tuple[str, str]]:
    yield RULES[0], "All rules"
    yield LONG, "The ruleset in long format"
    yield SHORT, "The ruleset in short format"
    yield TIME, "The law as it stood on any day"
    yield CARDS, "The rules as cards to print"


def _more(site: Site) -> Iterator[tuple[str, str]]:
    yield HISTORY, "Everything that happened"
    yield PROPOSALS[0], "All proposals"
    yield JUDGEMENTS[0], "All judgements"
    if site.archive.records.of_kind("act"):
        yield ACTS[0], "All acts"
    yield PLAYERS, "All players"
    yield SCORES, "Scores and turns"
    yield FEED, "What is new, as a feed"
    yield data_file(INDEX), "All of it, as JSON"


def _proof(site: Site) -> Iterator[tuple[str, str, str | None]]:
    """What lets a reader verify the game: what each is called, its id, where it leads."""
    archive = site.archive
    head = archive.git.head
    if head is not None and archive.tree is not None and archive.digest is not None:
        yield "Commit", head, site.addresses.commit(head)
        yield "Tree", archive.tree, None
        yield "Ledger", archive.digest, None


def _seen(site: Site, page: str) -> Iterator[Mapping[str, Any]]:
    """Who signed what they saw of the history, when, and how much of it there was then."""
    for one in site.archive.witnessed.seen if site.archive.witnessed is not None else ():
        yield {
            "who": site.who(one.player, page),
            "when": site.when(Moment.parse(one.date), page),
            "note": f"{counted(one.behind, 'commit')} ago" if one.behind else "this commit",
        }


def _admitted(site: Site) -> Iterator[tuple[str, str | None, str]]:
    """The commits that the game owns up to: the id of each, where it leads, and why."""
    for sha, why in site.archive.records.settings.admitted.items():
        yield sha, site.addresses.commit(sha), why


def _glance(site: Site, page: str) -> Iterator[Mapping[str, Any]]:
    """The numbers of the game, without those that are zero."""
    settings, tiers = site.archive.records.settings, site.status.tiers
    for name, members in grouped(settings, tiers).items():
        count = sum(tiers[tier][0] for tier in members)
        caps = [cap for _, cap in (tiers[tier] for tier in members) if cap is not None]
        anchor = next((tier_anchor(tier) for tier in members if tiers[tier][0]), "")
        note = f"of {sum(caps)} at most" if len(caps) == len(members) else ""
        yield from _told(f"{name} rules", count, site.addresses.href(RULES[0], page, anchor), note)
    proposals = site.archive.records.of_kind("proposal")
    numbered = sum(one.number is not None for one in proposals)
    adopted = sum(one.matter.status == "adopted" for one in proposals)
    href = site.addresses.href(PROPOSALS[0], page)
    note = ""
    if adopted and not knows_only_adopted(site):
        note = Markup('<a href="{}?status=adopted">{} adopted</a>').format(href, adopted)
    yield from _told("adopted proposals" if adopted and not note else "proposals", numbered, href, note)
    judgements = len(site.archive.records.of_kind("judgement"))
    yield from _told("judgements", judgements, site.addresses.href(JUDGEMENTS[0], page))
    people = [one for one in site.archive.records.players.values() if one.matter.kind == "person"]
    playing = sum(is_player(one, site.today) for one in people)
    yield from _told("players", playing, site.addresses.href(PLAYERS, page))


def _told(name: str, count: int, href: str, note: str = "") -> Iterator[Mapping[str, Any]]:
    if count:
        yield {"name": name, "value": count, "href": href, "note": note}


def _turn(site: Site, page: str) -> Iterator[Markup]:
    turn, replay = site.status.turn, site.archive.replay
    following = None if is_over(site) else replay.next_turn
    playing = turn is not None and turn.matter.ended is None
    if turn is None:
        yield Markup("No turn has been recorded yet.")
    elif turn.matter.ended is not None:
        how = "passed" if turn.matter.passed else "ended"
        yield Markup("The last turn, {} of <strong>{}</strong>, {} on {}.").format(
            turn_link(site, turn.ident, page),
            site.who(turn.matter.player, page),
            how,
            site.when(turn.matter.ended, page),
        )
    else:
        since = Markup(", since {}").format(site.when(turn.matter.began, page)) if turn.matter.began else ""
        yield Markup("It is <strong>{}</strong>’s turn ({}{}).").format(
            site.who(turn.matter.player, page), turn_link(site, turn.ident, page), since
        )
    if replay.overdue is not None and playing:
        yield Markup("By its rules it ended by itself on {}.").format(site.when(replay.overdue, page))
    if following is not None:
        yield Markup("The next is <strong>{}</strong>’s ({}).").format(
            site.who(following.player, page), turn_link(site, following.ident, page)
        )


def _open(site: Site, one: Instrument, tally: Tally, page: str) -> Mapping[str, Any]:
    opened, talk = (
        (one.matter.opened, one.matter.discussion) if isinstance(one.matter, ProposalMatter) else (None, None)
    )
    over = over_since(site, one)
    since = Markup(", open since {}").format(site.when(opened, page)) if opened else ""
    until = Markup(" until {}").format(site.when(tally.closes, page)) if tally.closes else ""
    if over is not None:
        since, until = Markup(", over since {}, waits to be resolved").format(site.when(over, page)), ""
    said = Markup("By {}{}{}: {}.").format(site.who(one.actor, page), since, until, said_of_votes(tally))
    return {
        "href": site.instrument_href(one, page),
        "text": site.titled(one),
        "vote": is_web(talk) and over is None and talk,
        "said": joined([said, *([still] if over is None and (still := chance(tally)) else [])], " "),
        "waiting": ()
        if over is not None
        else [
            *(site.who(ident, page) for ident in tally.missing),
            *(_silent(site, ident, tally, page) for ident in tally.silent),
        ],
    }


def _silent(site: Site, ident: str, tally: Tally, page: str) -> Markup:
    """Who has said nothing, where the law counts that as a vote."""
    side = "for" if ident in tally.for_ else "against"
    return Markup('{} <span class="n-note">(silence counts {})</span>').format(site.who(ident, page), side)


def _due(site: Site, page: str) -> Iterator[Markup]:
    """What is decided and not yet done, and what changes by itself."""
    for step in site.archive.replay.steps:
        if step.outcome == "pending":
            one = step.instrument
            moment = Markup("on {}").format(site.when(step.effective, page)) if step.effective else "with the next turn"
            yield Markup('<a href="{}">{}</a> takes effect {}.').format(
                site.instrument_href(one, page), site.titled(one), moment
            )
    for due in site.archive.replay.due:
        history = site.archive.histories.rules[due.rule.identity]
        deed = "is repealed by itself" if due.provision.becomes == "repealed" else "changes by itself"
        yield Markup('<a class="n-ref" href="{}">Rule {}</a> {} since {}; the ruleset does not show it yet.').format(
            site.rule_href(history, page), due.rule.ref, deed, site.when(due.moment, page)
        )


def _changes(site: Site, page: str) -> Sequence[Mapping[str, Any]]:
    """The last lines of all histories, newest first, without the initial set."""
    lines: list[tuple[Moment, int, int, int]] = []
    order = {step.instrument.path: place for place, step in enumerate(site.archive.replay.steps)}
    for identity, history in site.archive.histories.rules.items():
        for index, entry in enumerate(history.entries):
            if entry.step is not None and entry.moment is not None:
                lines.append((entry.moment, order[entry.path], identity, index))
    found = []
    for _, _, identity, index in heapq.nlargest(_LAST, lines):
        history = site.archive.histories.rules[identity]
        found.append(_change(site, history, index, history.entries[index], page))
    return found


def _change(site: Site, history: RuleHistory, index: int, entry: Entry, page: str) -> Mapping[str, Any]:
    rule = entry.rule
    link = history_link(site.archive, history.identity, index)
    title = f" · {rule.title}" if rule.title else ""
    href = site.rule_href(history, page, rule.number, rule.revision if entry in history.revisions else None)
    return {
        "text": entry_html(site, entry, page),
        "effect": said_of_effect(site, entry, page),
        "rule": {"href": href, "text": f"Rule {rule.ref}{title}", "note": "", "gone": False, "revision": ""},
        "origin": origin_view(site, site.archive.origins.get((history.identity, index)), link),
    }


def _forge(site: Site) -> Markup:
    repository = site.archive.records.settings.repository
    if is_web(repository):
        return Markup('<a href="{}">the game’s repository</a>').format(repository)
    return Markup("the game’s repository")


def _join(site: Site) -> Markup:
    return Markup(
        "<p>Add a file of your own, <code>players/your-id.yml</code>, to {}: with <code>nomicgen player join</code>, "
        "or in the forge’s editor. The rules in force say who may join, and when.</p>"
    ).format(_forge(site))


def _propose(site: Site) -> Markup:
    editor = Markup(", or from a rule’s page with <em>Propose an amendment</em>") if site.addresses.has_editor else ""
    return Markup(
        "<p>Write a file in <code>proposals/</code>: with <code>nomicgen propose</code>{}. "
        "Every second-level heading in it is one change.</p>"
        "<p><code>nomicgen check</code> says whether it can be carried out.</p>"
    ).format(editor)
