"""Where everything stands: the page of each rule and instrument, links between pages, links to the
forge.
"""

from __future__ import annotations

import functools
import posixpath
from collections.abc import Mapping
from datetime import date
from itertools import chain
from urllib.parse import quote, urlencode

from msgspec import Struct

from nomicgen.files.instruction_text import enact
from nomicgen.files.urls import is_web, split_address
from nomicgen.history.game_history import GameHistory
from nomicgen.history.rule_history import TEXT_VERBS, Histories, RuleHistory
from nomicgen.law.replay.results import Rule
from nomicgen.model.commits import GitState
from nomicgen.model.identifiers import CommitId
from nomicgen.model.records import Instrument
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, RuleRef
from nomicgen.play.whole_files import ENACTED_TEXT, DraftFrame

ACTS = "acts/index.md"
CARDS = "cards.md"
FEED = "feed.xml"
HISTORY = "history.md"
INDEX = "index.md"
JUDGEMENTS = "judgements/index.md"
PLAYERS = "players/index.md"
PROPOSALS = "proposals/index.md"
PROPOSE = "propose.md"
RULES = ("rules/index.md", "Ruleset")
"""The page of the list of rules, and its name in the breadcrumbs of other pages."""
SCORES = "scores.md"
TIME = "time.md"

ROOT = "api/v1"
"""Where the documents of the site's data lie below its root."""
_LIST = "/index.md"

_PLAYER_FILE = """name: Your name
joined: {}
accounts: {{github: your-account}}
"""


def instrument_page(instrument: Instrument) -> str:
    """Return an instrument's page: `proposals/329.md`, `proposals/draft-turnout.md`."""
    if instrument.kind == "proposal" and instrument.number is None:
        return f"proposals/draft-{instrument.path.removeprefix('proposals/')}"
    return _unlike_index(instrument.path)


def player_page(ident: str) -> str:
    """Return the page of a player: `players/wren.md`."""
    return _unlike_index(f"players/{ident}.md")


def _unlike_index(page: str) -> str:
    """Return the same page, renamed if it is an index: no file of a game has an underline."""
    return f"{page.removesuffix('.md')}_.md" if page.endswith("/index.md") else page


def week_page(year: int, week: int) -> str:
    """Return a week's page, by ISO 8601's year and number: `digest/2026-W45.md`."""
    return f"digest/{year}-W{week:02}.md"


def feed_file(page: str) -> str:
    """Return where the feed of a rule's or a player's page lies."""
    return f"{page.removesuffix('.md')}/{FEED}"


def data_file(page: str) -> str:
    """Return the document with a page's data: `api/v1/rules/203.json` for `rules/203.md`."""
    stem = page.removesuffix(_LIST) if page.endswith(_LIST) else page.removesuffix(".md")
    return f"{ROOT}/{stem}.json"


def moment_anchor(moment: Moment) -> str:
    """Return a moment as the time machine's anchor: `2020-07-01`, or `2020-07-01T18:30`."""
    return moment.reckoned


def tier_anchor(tier: str) -> str:
    """Return the id of a tier's part of a page: `tier-mutable`. Players name tiers: without `tier-`
    a name might be the id of another part.
    """
    return f"tier-{tier}"


@functools.lru_cache(maxsize=65536)
def _quoted(path: str, directory_urls: bool) -> str:
    """Return the address of a page, or of a file, from the site's root."""
    stem, extension = posixpath.splitext(path)
    if extension != ".md":
        return quote(path)
    if posixpath.basename(stem) == "index" and directory_urls:
        folder = posixpath.dirname(stem)
        return quote(f"{folder}/" if folder else "")
    return quote(f"{stem}/" if directory_urls else f"{stem}.html")


def revision_anchors(history: RuleHistory, number: int | None = None) -> Mapping[int, str]:
    """Return the anchor of each revision by the index of its line, on the page of `number`, or else
    of the rule's last number.

    `r1` is Revision 1. A rule that was enacted again begins at 0 once more. Of several with one
    name, that under the page's number has the short anchor, else the last one; the anchors of the
    others have the number, too: `r0-204`.
    """
    number = history.last.number if number is None else number
    anchors: dict[int, str] = {}
    taken: set[str] = set()
    lines = [
        (at, entry.rule) for at, entry in enumerate(history.entries) if entry.verb in TEXT_VERBS
    ]
    for at, rule in sorted(lines, key=lambda line: (line[1].number != number, -line[0])):
        plain = f"r{rule.revision}"
        again = (f"{plain}-{rule.number}-{count}" for count in range(2, at + 3))
        names = chain((plain, f"{plain}-{rule.number}"), again)
        anchors[at] = next(name for name in names if name not in taken)
        taken.add(anchors[at])
    return anchors


class Addresses(Struct, frozen=True, kw_only=True):
    """The addresses of a site. With `directory_urls` `rules/203.md` becomes `rules/203/`, else
    `rules/203.html`.

    `imported` says that files of the game name commits themselves, perhaps of another repository.
    """

    settings: Settings
    git: GitState
    histories: Histories
    directory_urls: bool = True
    imported: bool = False

    def href(self, target: str, page: str, anchor: str = "") -> str:
        """Return a link from one page to another, or to a file, both by their path; relative, so
        that a site can move.

        It goes up to the site's root and down again: so it is the same on all pages of one depth,
        and these can share a rendered text.
        """
        there = f"{self.root(page)}{_quoted(target, self.directory_urls)}" or "./"
        return f"{there}#{anchor}" if anchor else there

    def root(self, page: str) -> str:
        """Return the way from a page to the site's root: `../../`."""
        return "../" * _quoted(page, self.directory_urls).count("/")

    def rule_named(self, ref: RuleRef) -> RuleHistory | None:
        """Return the rule that `N` or `N/R` names.

        One that bore this revision under this number, else the last bearer.
        """
        for identity in reversed(self.histories.bearers.get(ref.number, ())):
            history = self.histories.rules[identity]
            if any(
                entry.rule.number == ref.number and entry.rule.revision == ref.revision
                for entry in history.entries
            ):
                return history
        return self.histories.of_number(ref.number)

    def number_page(self, number: int, history: RuleHistory) -> str:
        """Return the page of `number` as `history`'s rule bore it.

        Earlier bearers of a number have pages with a date.
        """
        last = self.histories.of_number(number)
        if last is None or last.identity == history.identity:
            return f"rules/{number}.md"
        bearers = self.histories.bearers[number]
        day = self._first_day(number, history)
        before = bearers[: bearers.index(history.identity)]
        same = sum(self._first_day(number, self.histories.rules[other]) == day for other in before)
        return f"rules/{number}/{day}{f'-{same + 1}' if same else ''}.md"

    def _first_day(self, number: int, history: RuleHistory) -> str:
        first = next(entry for entry in history.entries if entry.rule.number == number)
        return str(first.moment.day) if first.moment else "earlier"

    def rule_page(self, history: RuleHistory) -> str:
        """Return the page of a rule's whole history: that of its number now, or its last."""
        return self.number_page(history.last.number, history)

    def commit(self, sha: CommitId | None, *, named: bool = False) -> str | None:
        """Return the address of a commit on the forge, None where the settings do not say.

        With `named` the game's own files name the commit: it may lie in another repository than
        the game.
        """
        repository = self.settings.repository
        template = self.settings.links.commit
        if template is None or not (named or self._is_own(template)):
            template = f"{repository.rstrip('/')}/commit/{{sha}}" if repository else None
        return self._filled(template, sha=sha) if sha else None

    def _is_own(self, template: str) -> bool:
        """Return whether a template leads to the game's own repository, not to an earlier one."""
        repository = (self.settings.repository or "").rstrip("/").removesuffix(".git")
        return not self.imported or (repository != "" and template.startswith(f"{repository}/"))

    def pull(self, number: str) -> str | None:
        """Return the address of a pull request, None where the forge is not known to have any."""
        return (
            f"{(self.settings.repository or '').rstrip('/')}/pull/{number}"
            if self.has_editor
            else None
        )

    def file(self, path: str, rule: Rule | None = None, sha: CommitId | None = None) -> str | None:
        """Return a file's address on the forge, at a commit, or at the one that the site shows."""
        template = self.settings.links.file
        if template is not None and ("{path}" not in template or not self._is_own(template)):
            template = None
        if template is None and self.has_editor:
            template = f"{(self.settings.repository or '').rstrip('/')}/blob/{{sha}}/{{path}}"
        return self._filled(
            template,
            sha=sha or self.git.head or "HEAD",
            path=quote(f"{self.git.prefix}{path}"),
            number=str(rule.number) if rule else "",
            revision=str(rule.revision) if rule else "",
        )

    def _filled(self, template: str | None, **values: str) -> str | None:
        address = template or ""
        for name, value in values.items():
            address = address.replace(f"{{{name}}}", value)
        return address if is_web(address) else None

    @property
    def has_editor(self) -> bool:
        """Whether the repository's server is like GitHub: its editor can be opened on a draft."""
        repository = self.settings.repository
        parts = split_address(repository) if repository and is_web(repository) else None
        if parts is None:
            return False
        host = parts.hostname or ""
        return (host == "github.com" or host.startswith("github.")) and len(
            parts.path.strip("/").split("/")
        ) == 2

    def propose(self) -> str | None:
        """Return the forge's editor with a draft of a new rule; None if the forge has none."""
        frame = DraftFrame.of(
            path := "proposals/your-title.md", "A title", "your-id", "Why this should be."
        )
        return self._new(path, frame.whole("", enact(None, "A title", ENACTED_TEXT)).text)

    def new_file(self) -> str | None:
        """Return the forge's editor on a new file: the caller adds `?filename=…&value=…`."""
        return self._forge("new") if self.has_editor else None

    def join(self, day: date) -> str | None:
        """Return the forge's editor with the file of somebody who joins on a day, else None."""
        return self._new("players/your-id.yml", _PLAYER_FILE.format(day))

    def edit(self, path: str) -> str | None:
        """Return the forge's editor on a file of the game."""
        return f"{self._forge('edit')}/{quote(path)}" if self.has_editor else None

    def _new(self, filename: str, value: str) -> str | None:
        asked = urlencode({"filename": filename, "value": value}, quote_via=quote)
        return f"{self._forge('new')}?{asked}" if self.has_editor else None

    def _forge(self, what: str) -> str:
        repository = (self.settings.repository or "").rstrip("/")
        return f"{repository}/{what}/main/{quote(self.git.prefix)}".rstrip("/")


def addresses_of(game_history: GameHistory, *, directory_urls: bool = True) -> Addresses:
    """Return the addresses of a game's site."""
    records = game_history.records
    matters = (
        *(instrument.matter for instrument in records.instruments.values()),
        *(rule_file.matter for rule_file in records.initial.values()),
    )
    return Addresses(
        settings=records.settings,
        git=game_history.git,
        histories=game_history.histories,
        directory_urls=directory_urls,
        imported=any(matter.commit for matter in matters),
    )
