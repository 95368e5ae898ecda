"""`Page`: a page that is being made. It makes links from the page to others, and HTML from
players' texts with such links.
"""

from __future__ import annotations

import re

from markupsafe import Markup
from msgspec import Struct

from nomicgen.history.history_lines import shown_date
from nomicgen.history.references import Reference
from nomicgen.history.rule_history import Histories, RuleHistory
from nomicgen.law.replay.results import Replay, Rule
from nomicgen.model.records import Instrument, Records
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, RuleRef
from nomicgen.site.addresses import SCORES, TIME, instrument_page, moment_anchor, player_page
from nomicgen.site.site_view import Site
from nomicgen.site.texts.player_html import Linker, Target, render_text
from nomicgen.site.texts.terms import term_key

# What may begin a heading. A text without headings has the same HTML at every level.
_HEADING = r"(?m)^[ >]*(?:[-*+] |\d+[.)] )?[ >]*(?:#|=|-)"
_RULE_FILE = r"rules/(?:initial/)?([1-9]\d{0,8})\.md"


def _link(css_class: str, href: str, words: str) -> Markup:
    return Markup('<a class="{}" href="{}">{}</a>').format(css_class, href, words)


def _time(moment: Moment) -> Markup:
    if moment.words:
        return Markup("{}").format(shown_date(moment))
    clock = f", {moment.clock:%H:%M}" if moment.timed else ""
    return Markup('<time datetime="{}">{}{}</time>').format(moment, shown_date(moment), clock)


class Page(Struct, frozen=True):
    """A page of a site, by its path (`rules/203.md`): all links are relative to it."""

    site: Site
    path: str

    @property
    def records(self) -> Records:
        """The files of the game."""
        return self.site.records

    @property
    def replay(self) -> Replay:
        """The law of the game, replayed."""
        return self.site.replay

    @property
    def histories(self) -> Histories:
        """The history of each rule."""
        return self.site.histories

    @property
    def settings(self) -> Settings:
        """The settings of the game."""
        return self.site.settings

    @property
    def today(self) -> Moment:
        """The day of the site."""
        return self.site.today

    @property
    def root(self) -> str:
        """The way to the site's root: `../../`."""
        return self.site.addresses.root(self.path)

    def href(self, target: str, anchor: str = "") -> str:
        """Return the address of another page, or of a file, by its path."""
        return self.site.addresses.href(target, self.path, anchor)

    def when(self, moment: Moment | None) -> Markup:
        """Return a moment as a link to the law as it stood then; a dash where it is not known."""
        if moment is None:
            return Markup('<span title="not recorded">—</span>')
        return _link("n-when", self.href(TIME, moment_anchor(moment)), _time(moment))

    def actor_href(self, ident: str) -> str | None:
        """Return the address of the page of a player, or of a rule that acts by itself; None if
        there is neither.
        """
        if ident in self.site.names:
            return self.href(player_page(ident))
        history = self.histories.of_number(int(ident)) if ident.isdecimal() else None
        return self.rule_href(history) if history else None

    def who(self, ident: str | None) -> Markup:
        """Return the name of a player, or of a rule that acts by itself, linked where it can be."""
        name, href = self.site.name(ident), self.actor_href(ident) if ident else None
        if href is None:
            return Markup("{}").format(name)
        return _link("n-who" if ident in self.site.names else "n-ref", href, name)

    def rule_href(
        self, history: RuleHistory, number: int | None = None, revision: int | None = None
    ) -> str:
        """Return the address of a rule's page, or, with `number`, of its page under that number.

        If the rule had the `revision`, the address has its anchor, such as `#r1`.
        """
        addresses = self.site.addresses
        if all(entry.rule.revision != revision for entry in history.entries):
            revision = None
        target = addresses.number_page(number, history) if number else addresses.rule_page(history)
        return self.href(target, f"r{revision}" if revision is not None else "")

    def text_href(self, history: RuleHistory, index: int) -> str:
        """Return the address of the text that a rule had after a line of its history."""
        anchors = self.site.revision_anchors(history)
        last = max(at for at in anchors if at <= index)
        return self.href(self.site.addresses.rule_page(history), anchors[last])

    def instrument_href(self, instrument: Instrument) -> str:
        """Return the address of an instrument's page."""
        return self.href(instrument_page(instrument))

    def instrument_link(self, instrument: Instrument, *, titled: bool = False) -> Markup:
        """Return `Proposal 301`, or `Proposal 301 · A floor`, as a link to its page."""
        return _link(
            "n-ref",
            self.instrument_href(instrument),
            self.site.title_of(instrument) if titled else instrument.name,
        )

    def turn_link(self, ident: str | None) -> Markup:
        """Return a turn's name, as a link to its line on the page of scores if it is recorded; ''
        for None.
        """
        if ident is None or ident not in self.records.turns:
            return Markup("{}").format(ident or "")
        link = Markup('<a class="n-turn-id" title="{}" href="{}">{}</a>')
        return link.format(self.turn_words(ident), self.href(SCORES, ident), ident)

    @staticmethod
    def turn_words(ident: str) -> str:
        """Return what `R4T1` means: `round 4, turn 1`."""
        round_number, _, turn = ident[1:].partition("T")
        return f"round {round_number}, turn {turn}"

    def rule_link(self, number: int, moment: Moment | None = None) -> Markup:
        """Return `Rule 203` as a link to the rule that bore the number at a moment, or else to the
        last that bore it; without a link if none ever did.
        """
        given_again = len(self.histories.bearers.get(number, ())) > 1
        rule = self.replay.on(moment).get(number) if moment and given_again else None
        history = (
            self.histories.rules.get(rule.identity) if rule else self.histories.of_number(number)
        )
        if history is None or number not in history.numbers:
            return Markup("Rule {}").format(number)
        return _link("n-ref", self.rule_href(history, number), f"Rule {number}")

    def linked_changes(self, instrument: Instrument) -> Markup:
        """Return the headings of an instrument's instructions, with links to their rules."""
        return Markup(", ").join(
            self.linked_words(instruction.heading, instruction.target)
            for instruction in instrument.instructions
        )

    def linked_words(self, words: str, ref: RuleRef | None) -> Markup:
        """Return words with a link where they name the rule `ref`: in `Amend Rule 203/0`, to
        revision 203/0.
        """
        named = f"Rule {ref}"
        history = (
            self.site.addresses.rule_named(ref) if ref is not None and named in words else None
        )
        if ref is None or history is None:
            return Markup("{}").format(words)
        borne = any(
            (entry.rule.number, entry.rule.revision) == (ref.number, ref.revision)
            for entry in history.entries
        )
        before, _, after = words.partition(named)
        href = self.rule_href(history, ref.number, ref.revision if borne else None)
        return Markup("{}{}{}").format(before, _link("n-ref", href, named), after)

    def target(self, reference: Reference, own: int | None = None) -> Target | None:
        """Return the target of a reference in a text.

        None if the text is that of the rule `own` (an identity), and the reference names that rule
        without a revision or a range.
        """
        site = self.site
        if reference.kind != "rule":
            instrument = site.instruments.get((reference.kind, reference.number))
            if instrument is None:
                lost = reference.number in self.settings.lost.proposals
                return Target(
                    href=None,
                    note="lost" if lost and reference.kind == "proposal" else "not on record",
                )
            return Target(href=self.instrument_href(instrument), title=instrument.title)
        history = site.addresses.rule_named(RuleRef(reference.number, reference.revision))
        if history is None:
            return Target(href=None, note="there is no such rule", gone=True)
        if history.identity == own and reference.revision is None and reference.until is None:
            return None
        note = site.fate(history, reference.number, reference.revision)
        return Target(
            href=self.rule_href(history, reference.number, reference.revision),
            title=site.heading(history.last),
            note=note,
            gone=note in ("repealed", "void") or note.startswith("now"),
            revision=history.last.ref if history.current else "",
        )

    def linker(self, own: int | None = None) -> Linker:
        """Return how links are made in a text on this page; `own` is the identity of the rule whose
        text it is.
        """
        site, seen = self.site, set[str]()

        def term(words: str) -> Target | None:
            rule = site.definers[term_key(words)]
            # Only the first use of a term in a text is a link; in the defining rule, none is.
            if rule.identity == own or term_key(words) in seen:
                return None
            seen.add(term_key(words))
            href = self.rule_href(self.histories.rules[rule.identity])
            return Target(
                href=href, title=f"defined by {site.heading(rule)}", term=True, revision=rule.ref
            )

        return Linker(
            reference=lambda reference: self.target(reference, own),
            address=self._file_of_game,
            terms=site.terms,
            term=term,
        )

    def _file_of_game(self, path: str) -> str | None:
        """Return the address on the site of a file that a player's text links to.

        None unless the file is a picture, an instrument or a rule.
        """
        if path in self.records.images:
            return self.href(path)
        if path in self.records.instruments:
            return self.instrument_href(self.records.instruments[path])
        match = re.fullmatch(_RULE_FILE, path)
        history = self.histories.of_number(int(match[1])) if match else None
        return self.rule_href(history, int(match[1])) if match and history else None

    def text(self, rule: Rule, level: int = 3) -> Markup:
        """Return a rule's text as HTML; its headings begin at `level`."""
        if rule.text is None:
            return Markup('<p class="n-lost">The text of this revision is lost.</p>')
        # Most of the time that a large site takes goes into rendering texts. A text stands on
        # several pages; on those of the same depth, its links are the same.
        key = (rule.identity, rule.text, self.root, level if re.search(_HEADING, rule.text) else 0)
        texts = self.site.rendered_texts
        if key not in texts:
            texts[key] = render_text(rule.text, self.linker(rule.identity), level=level)
        return texts[key]

    def prose(self, text: str, folder: str, level: int = 3) -> Markup:
        """Return another text of a player as HTML, such as a ruling, from a file in `folder`."""
        return (
            render_text(text, self.linker(), folder=folder, level=level)
            if text.strip()
            else Markup("")
        )
