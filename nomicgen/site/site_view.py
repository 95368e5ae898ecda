"""What every page is made from: the archive, with its indices, its addresses, and the words that pages share."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from markupsafe import Markup

from nomicgen.archive.activity import Activity, activity_of
from nomicgen.archive.archive_view import Archive
from nomicgen.archive.game_events import GameEvent, game_events
from nomicgen.archive.game_status import Status, status_of
from nomicgen.archive.history_lines import shown_date
from nomicgen.archive.open_tasks import Task, open_tasks
from nomicgen.archive.provenance import Origin
from nomicgen.archive.references import Reference, citing_rules
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.archive.standings import Standings, standings_of
from nomicgen.diagnostics import Finding
from nomicgen.law.replay_state import Change, Rule, ScoreLine, Step
from nomicgen.model import Instrument, JudgementMatter, Moment, RuleRef
from nomicgen.patterns import lazy_pattern
from nomicgen.site.addresses import TIME, Addresses, instrument_page, moment_anchor, player_page, revision_anchors
from nomicgen.site.player_html import Linker, Target, excerpt, render_text
from nomicgen.site.terms import Terms, term_key

_HEADING = lazy_pattern(r"^[ >]*(?:[-*+] |\d+[.)] )?[ >]*(?:#|=|-)", re.MULTILINE)


def folder_of(path: str) -> str:
    """The folder of the game that a file lies in, with a slash at its end."""
    return f"{path.partition('/')[0]}/"


# A site says the same days and names on thousands of pages; what was said once is kept.
def moment_time(moment: Moment | None) -> Markup:
    """A moment as a `time` element, one that is not known to the day as its words; a dash where it is not known."""
    if moment is None:
        return Markup('<span title="not recorded">—</span>')
    return Markup("{}").format(shown_date(moment)) if moment.words else _moment_time(moment)


@functools.lru_cache(maxsize=16384)
def _moment_time(moment: Moment) -> Markup:
    clock = f", {moment.clock:%H:%M}" if moment.timed else ""
    return Markup('<time datetime="{}">{}{}</time>').format(moment, shown_date(moment), clock)


@functools.lru_cache(maxsize=16384)
def _when(href: str, moment: Moment, _: str) -> Markup:
    return Markup('<a class="n-when" href="{}">{}</a>').format(href, moment_time(moment))


@functools.lru_cache(maxsize=16384, typed=True)
def _who(href: str, name: str) -> Markup:
    return Markup('<a class="n-who" href="{}">{}</a>').format(href, name)


@dataclass(frozen=True, kw_only=True)
class Site:
    """An archive to be published on the day `today`, and everything that is looked up in it more than once.

    `url` is where the site will stand, with a slash at its end; '' where that is not known.
    """

    archive: Archive
    today: Moment
    addresses: Addresses
    url: str = ""
    _texts: dict[tuple[int, str, str, int], Markup] = field(default_factory=dict, repr=False, compare=False)
    _anchors: dict[int, Mapping[int, str]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each player by id."""
        return self.archive.records.names

    @cached_property
    def cited_by(self) -> Mapping[int, tuple[int, ...]]:
        """The rules in force that cite a rule in force, by number."""
        return citing_rules(self.archive.replay.current)

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """The step of each instrument that changed rules, or was to, by path."""
        return {**self.archive.replay.previews, **{step.instrument.path: step for step in self.archive.replay.steps}}

    @cached_property
    def entries_of(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """What each instrument made of the law, by its path: the lines of histories, (identity, index)."""
        found: dict[str, list[tuple[int, int]]] = {}
        for identity, history in self.archive.histories.rules.items():
            for index, entry in enumerate(history.entries):
                if entry.step is not None:
                    found.setdefault(entry.path, []).append((identity, index))
        return {path: tuple(pairs) for path, pairs in found.items()}

    @cached_property
    def instruments(self) -> Mapping[tuple[str, int], Instrument]:
        """The proposals and judgements by kind and number."""
        found = self.archive.records.instruments.values()
        return {(one.kind, one.number): one for one in found if one.number is not None}

    @cached_property
    def status(self) -> Status:
        """Where the game stands."""
        return status_of(self.archive.records, self.archive.replay, self.today)

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """What can be done now, the most pressing first."""
        return open_tasks(self.archive.records, self.archive.replay, self.today)

    @cached_property
    def standings(self) -> Standings:
        """Who has how many points."""
        return standings_of(self.archive.records, self.archive.replay, self.today)

    @cached_property
    def events(self) -> tuple[GameEvent, ...]:
        """Everything that happened, the earliest first."""
        return game_events(self.archive)

    @cached_property
    def deeds(self) -> Mapping[str, Activity]:
        """What each player did, by id."""
        return activity_of(self.archive.records, self.archive.replay)

    @cached_property
    def awards_of(self) -> Mapping[str, tuple[ScoreLine, ...]]:
        """The points that each instrument and each turn gave or took, by the path of its file."""
        found: dict[str, list[ScoreLine]] = {}
        for line in self.archive.replay.awards:
            found.setdefault(line.span.file, []).append(line)
        return {path: tuple(lines) for path, lines in found.items()}

    @cached_property
    def findings_on(self) -> Mapping[str, tuple[Finding, ...]]:
        """What is wrong with each file, by its path."""
        found: dict[str, list[Finding]] = {}
        for one in self.archive.findings:
            found.setdefault(one.span.file, []).append(one)
        return {path: tuple(findings) for path, findings in found.items()}

    @cached_property
    def last_in(self) -> Mapping[str, Origin]:
        """The last commit that touched a file in each folder, by its name with a slash; in the game, by `/`."""
        found: dict[str, Origin] = {}
        for path, one in self.archive.touched.items():
            for folder in ("/", folder_of(path)):
                if folder not in found or found[folder].index < one.index:
                    found[folder] = one
        return found

    @cached_property
    def proposals_of(self) -> Mapping[str, tuple[Instrument, ...]]:
        """The proposals of each turn, by its id."""
        found: dict[str, list[Instrument]] = {}
        for one in self.archive.records.of_kind("proposal"):
            if one.matter.turn is not None:
                found.setdefault(one.matter.turn, []).append(one)
        return {ident: tuple(proposals) for ident, proposals in found.items()}

    @cached_property
    def judgements_on(self) -> Mapping[int, tuple[tuple[Instrument, RuleRef], ...]]:
        """For each rule, by identity, the judgements that construe it, with the reference that each makes."""
        found: dict[int, list[tuple[Instrument, RuleRef]]] = {}
        for one in self.archive.records.of_kind("judgement"):
            if isinstance(one.matter, JudgementMatter):
                for ref in one.matter.rules:
                    history = self.addresses.bearer(ref)
                    if history is not None:
                        found.setdefault(history.identity, []).append((one, ref))
        return {identity: tuple(pairs) for identity, pairs in found.items()}

    @cached_property
    def _definers(self) -> Mapping[str, Rule]:
        found: dict[str, Rule] = {}
        for rule in self.archive.replay.current:
            if not rule.void_on(self.today):
                for term in rule.defines:
                    found.setdefault(term_key(term), rule)
        return found

    @cached_property
    def _terms(self) -> Terms | None:
        return Terms(self._definers) if self._definers else None

    def name(self, ident: str | None) -> str:
        """The name of a player, or of a rule that acts by itself."""
        if ident is None:
            return "unknown"
        return self.names.get(ident, f"Rule {ident}" if ident.isdecimal() else ident)

    def when(self, moment: Moment | None, page: str) -> Markup:
        """A moment as a link to the law as it stood then; a dash where it is not known."""
        if moment is None:
            return moment_time(None)
        return _when(self.addresses.href(TIME, page, moment_anchor(moment)), moment, moment.words)

    def who(self, ident: str | None, page: str) -> Markup:
        """The name of a player as a link to the player's page; of a rule that acts by itself, to that rule's."""
        name = self.name(ident)
        if ident is not None and ident in self.names:
            return _who(self.addresses.href(player_page(ident), page), name)
        history = self.archive.histories.of_number(int(ident)) if ident and ident.isdecimal() else None
        if history is None:
            return Markup("{}").format(name)
        return Markup('<a class="n-ref" href="{}">{}</a>').format(self.rule_href(history, page), name)

    def is_force(self, history: RuleHistory) -> bool:
        """Whether a rule stands and has force."""
        return history.current is not None and not history.current.void_on(self.today)

    def heading(self, rule: Rule, words: str = "Rule ") -> str:
        """`Rule 203/1 · Adoption`."""
        return f"{words}{rule.ref}{f' · {rule.title}' if rule.title else ''}"

    def titled(self, one: Instrument) -> str:
        """`Proposal 301 · A floor under the majority`."""
        return f"{one.name}{f' · {one.title}' if one.title else ''}"

    def summary(self, rule: Rule, most: int = 120) -> str:
        """The first words of a rule."""
        return excerpt(rule.text, most) if rule.text is not None else "(the text is lost)"

    def fate(self, history: RuleHistory, number: int, revision: int | None = None) -> str:
        """What a reader of an old reference must know of a rule: '' where it still is what it was called."""
        if history.current is None:
            return "repealed"
        if history.current.number != number:
            return f"now Rule {history.current.number}"
        if history.current.void_on(self.today):
            return "void"
        return f"since amended, now {history.current.ref}" if revision not in (None, history.current.revision) else ""

    def rule_href(self, history: RuleHistory, page: str, number: int | None = None, revision: int | None = None) -> str:
        """A link to a rule's page, or to that of a number that it bore; to a revision of it, where one is given."""
        target = self.addresses.number_page(number, history) if number else self.addresses.rule_page(history)
        return self.addresses.href(target, page, f"r{revision}" if revision is not None else "")

    def text_href(self, history: RuleHistory, index: int, page: str) -> str:
        """A link to the text that a rule had after a line of its history, on the rule's own page."""
        anchors = self._anchors.get(history.identity)
        if anchors is None:
            anchors = self._anchors.setdefault(history.identity, revision_anchors(history))
        last = max(at for at in anchors if at <= index)
        return self.addresses.href(self.addresses.rule_page(history), page, anchors[last])

    def target(self, reference: Reference, page: str, own: int | None = None) -> Target | None:
        """Where a reference leads from a page. None where it is to the rule of that page itself."""
        if reference.kind != "rule":
            instrument = self.instruments.get((reference.kind, reference.number))
            if instrument is None:
                lost = reference.number in self.archive.records.settings.lost.proposals
                return Target(href=None, note="lost" if lost and reference.kind == "proposal" else "not on record")
            return Target(href=self.instrument_href(instrument, page), title=instrument.title)
        history = self.addresses.bearer(RuleRef(reference.number, reference.revision))
        if history is None:
            return Target(href=None, note="there is no such rule", gone=True)
        if history.identity == own and reference.revision is None and reference.until is None:
            return None
        note = self.fate(history, reference.number, reference.revision)
        return Target(
            href=self.rule_href(history, page, reference.number, reference.revision),
            title=self.heading(history.last),
            note=note,
            gone=note in ("repealed", "void") or note.startswith("now"),
            revision=history.last.ref if history.current else "",
        )

    def linker(self, page: str, own: int | None = None) -> Linker:
        """How links are made in a text on a page; `own` is the identity of the rule whose text it is."""
        seen: set[str] = set()

        def term(words: str) -> Target | None:
            rule = self._definers[term_key(words)]
            # A term is a link where a text first uses it; in the rule that defines it it is none.
            if rule.identity == own or term_key(words) in seen:
                return None
            seen.add(term_key(words))
            href = self.rule_href(self.archive.histories.rules[rule.identity], page)
            return Target(href=href, title=f"defined by {self.heading(rule)}", term=True, revision=rule.ref)

        return Linker(
            reference=lambda reference: self.target(reference, page, own),
            address=lambda path: self._game_address(path, page),
            terms=self._terms,
            term=term,
        )

    def _game_address(self, path: str, page: str) -> str | None:
        records = self.archive.records
        if path in records.images:
            return self.addresses.href(path, page)
        if path in records.instruments:
            return self.instrument_href(records.instruments[path], page)
        match = re.fullmatch(r"rules/(?:initial/)?([1-9]\d{0,8})\.md", path)
        history = self.archive.histories.of_number(int(match[1])) if match else None
        return self.rule_href(history, page, int(match[1])) if match and history else None

    def text(self, rule: Rule, page: str, level: int = 3) -> Markup:
        """A rule's text as HTML for one page."""
        if rule.text is None:
            return Markup('<p class="n-lost">The text of this revision is lost.</p>')
        # Rendering is what a large site's time goes into, and a text stands on several pages of one depth.
        key = (rule.identity, rule.text, self.addresses.root(page), level if _HEADING.search(rule.text) else 0)
        if key not in self._texts:
            self._texts[key] = render_text(rule.text, self.linker(page, rule.identity), level=level)
        return self._texts[key]

    def prose(self, text: str, page: str, folder: str, level: int = 3) -> Markup:
        """Any other text of a player: an argument, a ruling."""
        return render_text(text, self.linker(page), folder=folder, level=level) if text.strip() else Markup("")

    def file(self, path: str, rule: Rule | None = None) -> str | None:
        """The address of a file of the game on the forge, as the last commit left it that changed it."""
        last = self.archive.touched.get(path)
        return self.addresses.file(path, rule, last.sha if last else None)

    def instrument_href(self, instrument: Instrument, page: str) -> str:
        """A link to an instrument's page."""
        return self.addresses.href(instrument_page(instrument), page)

    def changed(self, change: Change) -> RuleHistory | None:
        """The history of the rule that a change touches; None for one that was never enacted."""
        return self.archive.histories.rules.get(change.before.identity) if change.before else None
