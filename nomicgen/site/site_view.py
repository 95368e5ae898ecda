"""`Site`, from which every page is made: the game with its history, look-up tables, addresses, and
words that pages share, such as a rule's heading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from markupsafe import Markup

from nomicgen.history.activity import Activity, activity_of
from nomicgen.history.decisive_votes import decisive_votes
from nomicgen.history.game_events import GameEvent, game_events
from nomicgen.history.game_history import GameHistory
from nomicgen.history.references import citing_rules
from nomicgen.history.rule_history import Histories, RuleHistory
from nomicgen.history.standings import Score, Standings, standings_of
from nomicgen.law.replay.results import Replay, Rule, ScoreLine, Step
from nomicgen.model.commits import Origin
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.records import Instrument, Judgement, Proposal, Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, RuleRef
from nomicgen.play.game_status import Status, status_of
from nomicgen.play.open_tasks import open_tasks
from nomicgen.play.tasks import Task
from nomicgen.site.addresses import Addresses, revision_anchors
from nomicgen.site.revision_spans import MOST_PAGES, RevisionSpan, revision_spans
from nomicgen.site.texts.player_html import excerpt
from nomicgen.site.texts.terms import Terms, term_key

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


def folder_of(path: str) -> str:
    """Return the first folder of a path, with a slash at its end: `rules/` of `rules/203.md`."""
    return f"{path.partition('/')[0]}/"


def values_by_key(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, tuple[_Value, ...]]:
    """Return the values of each key, in their order."""
    groups: dict[_Key, list[_Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: tuple(values) for key, values in groups.items()}


@dataclass(frozen=True, kw_only=True)
class Site:
    """A game as its site shows it on the day `today`, and everything that is looked up in it more
    than once.

    `url` is where the site will stand, with a slash at its end; '' if that is not known.
    `rendered_texts` is a cache of `Page.text`, and `_anchors` one of `revision_anchors`.
    """

    game_history: GameHistory
    today: Moment
    addresses: Addresses
    url: str = ""
    rendered_texts: dict[tuple[int, str, str, int], Markup] = field(
        default_factory=dict, repr=False, compare=False
    )
    _anchors: dict[int, Mapping[int, str]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def records(self) -> Records:
        """The files of the game."""
        return self.game_history.records

    @property
    def replay(self) -> Replay:
        """The law of the game, replayed."""
        return self.game_history.replay

    @property
    def histories(self) -> Histories:
        """The history of each rule."""
        return self.game_history.histories

    @property
    def settings(self) -> Settings:
        """The settings of the game."""
        return self.records.settings

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each player by id."""
        return self.records.names

    @cached_property
    def cited_by(self) -> Mapping[int, tuple[int, ...]]:
        """The numbers of the rules in the ruleset that cite a rule in it, by that rule's number."""
        return citing_rules(self.replay.current)

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """The step of each instrument that changed rules or would change them, by path."""
        return {
            **self.replay.previews,
            **{step.instrument.path: step for step in self.replay.steps},
        }

    @cached_property
    def entries_of(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """The lines of rules' histories that each instrument made, by its path: pairs of a rule's
        identity and the index of the line.
        """
        return values_by_key(
            (entry.path, (identity, index))
            for identity, history in self.histories.rules.items()
            for index, entry in enumerate(history.entries)
            if entry.step is not None
        )

    @cached_property
    def instruments(self) -> Mapping[tuple[str, int], Instrument]:
        """The proposals and judgements that have a number, by kind and number."""
        instruments = self.records.instruments.values()
        return {
            (instrument.kind, instrument.number): instrument
            for instrument in instruments
            if instrument.number is not None
        }

    @cached_property
    def status(self) -> Status:
        """How the game stands: what is in force, open, drafted."""
        return status_of(self.records, self.replay, self.today)

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """What can be done now, the most pressing first."""
        return open_tasks(self.records, self.replay, self.today)

    @cached_property
    def standings(self) -> Standings:
        """How many points each player has."""
        return standings_of(self.records, self.replay, self.today)

    @cached_property
    def ranking(self) -> Sequence[Score]:
        """The scores of the persons who play, the highest first. Others, such as dummies, have no
        place.
        """
        players = self.records.players
        return [
            score
            for score in self.standings.scores
            if score.plays and players[score.player].matter.kind == "person"
        ]

    def rank_of(self, ident: str) -> tuple[int, bool] | None:
        """Return a player's place in the ranking, from 1, and whether others share it; None if they
        have none.
        """
        own = next((score.total for score in self.ranking if score.player == ident), None)
        if own is None:
            return None
        totals = [score.total for score in self.ranking]
        return 1 + sum(total > own for total in totals), totals.count(own) > 1

    @property
    def is_archive(self) -> bool:
        """Whether the game was imported, and no rule of it ever had a provision."""
        return self.records.imported is not None and self.replay.is_lawless

    @cached_property
    def is_over(self) -> bool:
        """Whether the game was won, and on no later day a turn began or a vote opened."""
        winner = self.replay.winner
        if winner is None:
            return False
        begun = [turn.matter.began for turn in self.records.turns.values()]
        opened = [proposal.matter.opened for proposal in self.records.of_kind("proposal")]
        return not any(
            moment is not None and winner.moment and winner.moment.day < moment.day
            for moment in (*begun, *opened)
        )

    @cached_property
    def events(self) -> tuple[GameEvent, ...]:
        """Everything that happened, the earliest first, what has no date last."""
        return game_events(self.game_history)

    @cached_property
    def activities(self) -> Mapping[PlayerId, Activity]:
        """What each player did, by id."""
        return activity_of(self.records, self.replay)

    @cached_property
    def decisive(self) -> Mapping[PlayerId, tuple[tuple[Proposal, ...], int]]:
        """For each voter, by id, the proposals whose outcome would be another if they alone had
        voted otherwise, and how many of their votes were tried.
        """
        return decisive_votes(self.records, self.replay)

    @cached_property
    def awards_of(self) -> Mapping[str, tuple[ScoreLine, ...]]:
        """The points that each instrument and each turn gave or took, by the path of its file."""
        return values_by_key((line.span.file, line) for line in self.replay.awards)

    @cached_property
    def findings_on(self) -> Mapping[str, tuple[Finding, ...]]:
        """The findings on each file, by its path."""
        return values_by_key((finding.span.file, finding) for finding in self.game_history.findings)

    @cached_property
    def last_in(self) -> Mapping[str, Origin]:
        """The last commit that touched a file in each folder, by the folder's name with a slash;
        `/` is the whole game.
        """
        last: dict[str, Origin] = {}
        for path, commit in self.game_history.touched.items():
            for folder in ("/", folder_of(path)):
                if folder not in last or last[folder].index < commit.index:
                    last[folder] = commit
        return last

    def last_commit(self, paths: Iterable[str]) -> Origin | None:
        """Return the last commit that touched one of some files, or a file in a folder, given with
        a slash at its end; None if there is none.
        """
        commits = (
            self.last_in.get(path) if path.endswith("/") else self.game_history.touched.get(path)
            for path in paths
        )
        return max(filter(None, commits), key=lambda commit: commit.index, default=None)

    @cached_property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors."""
        return tuple(finding for finding in self.game_history.findings if finding.is_error)

    @cached_property
    def proposals_of(self) -> Mapping[str, tuple[Instrument, ...]]:
        """The proposals of each turn, by its id; a draft has no turn yet, whatever it says."""
        proposals = self.records.of_kind("proposal")
        return values_by_key(
            (one.matter.turn, one)
            for one in proposals
            if one.matter.turn is not None and one.number is not None
        )

    @cached_property
    def judgements_on(self) -> Mapping[int, tuple[tuple[Judgement, RuleRef], ...]]:
        """The judgements that construe each rule, by its identity, with their references to it."""
        return values_by_key(
            (history.identity, (judgement, ref))
            for judgement in self.records.of_kind("judgement")
            for ref in judgement.matter.rules
            if (history := self.addresses.rule_named(ref)) is not None
        )

    @cached_property
    def definers(self) -> Mapping[str, Rule]:
        """The rule that defines each term, by `term_key`: of several, the first in the ruleset."""
        definers: dict[str, Rule] = {}
        for rule in self.replay.current:
            if not rule.void_on(self.today):
                for term in rule.defines:
                    definers.setdefault(term_key(term), rule)
        return definers

    @cached_property
    def terms(self) -> Terms | None:
        """The terms that rules define; None if no rule defines any."""
        return Terms(self.definers) if self.definers else None

    def revision_anchors(self, history: RuleHistory) -> Mapping[int, str]:
        """Return the anchors of a rule's revisions on its own page (`addresses.py`)."""
        if history.identity not in self._anchors:
            self._anchors[history.identity] = revision_anchors(history)
        return self._anchors[history.identity]

    @cached_property
    def _spans(self) -> Mapping[int, Sequence[RevisionSpan]]:
        histories = self.histories.rules
        spans = {
            identity: revision_spans(self.addresses, history)
            for identity, history in histories.items()
        }
        return spans if sum(map(len, spans.values())) <= MOST_PAGES else {}

    def revisions_with_pages(self, history: RuleHistory) -> Sequence[RevisionSpan]:
        """Return the revisions of a rule; none if the game has too many for pages of their own."""
        return self._spans.get(history.identity, ())

    def revision_page(self, history: RuleHistory, index: int) -> str | None:
        """Return the page of the revision that stood after a line of a rule's history; None if it
        has none, or the line is a repeal.
        """
        spans = self.revisions_with_pages(history)
        return next((span.path for span in spans if span.first <= index <= span.last), None)

    def name(self, ident: str | None) -> str:
        """Return the name of a player, or of a rule that acts by itself; `unknown` for None."""
        if ident is None:
            return "unknown"
        return self.names.get(ident, f"Rule {ident}" if ident.isdecimal() else ident)

    def is_in_force(self, history: RuleHistory) -> bool:
        """Return whether a rule is neither repealed nor void."""
        return history.current is not None and not history.current.void_on(self.today)

    def heading(self, rule: Rule) -> str:
        """Return a rule's heading: `Rule 203/1 · Adoption`."""
        return f"Rule {rule.ref}{f' · {rule.title}' if rule.title else ''}"

    def title_of(self, instrument: Instrument) -> str:
        """Return an instrument's name and title: `Proposal 301 · A floor under the majority`."""
        return f"{instrument.name}{f' · {instrument.title}' if instrument.title else ''}"

    def summary(self, rule: Rule, most: int = 120) -> str:
        """Return the first words of a rule's text, up to `most` characters, or that it is lost."""
        return excerpt(rule.text, most) if rule.text is not None else "(the text is lost)"

    def fate(self, history: RuleHistory, number: int, revision: int | None = None) -> str:
        """Return what has become of a rule since it was referred to: `repealed`, `now Rule 305`,
        `void`, `since amended, now 203/2`; '' if nothing has.
        """
        if history.current is None:
            return "repealed"
        if history.current.number != number:
            return f"now Rule {history.current.number}"
        if history.current.void_on(self.today):
            return "void"
        return (
            f"since amended, now {history.current.ref}"
            if revision is not None and revision < history.current.revision
            else ""
        )

    def file(self, path: str, rule: Rule | None = None) -> str | None:
        """Return a file's address on the forge, as the last commit that changed it left it; None if
        the settings do not say where files are.
        """
        last = self.game_history.touched.get(path)
        return self.addresses.file(path, rule, last.sha if last else None)
