"""Paths and addresses: the page of each rule (`rules/203.md`), instrument and player, links from
one page to another, and links to the forge.
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
from nomicgen.model.identifiers import CommitId, PlayerId
from nomicgen.model.records import Instrument
from nomicgen.model.settings import Settings
from nomicgen.model.values import Moment, RuleRef
from nomicgen.play.whole_files import ENACTED_TEXT, DraftFrame

# The paths of pages, and of the game's feed, below the docs folder.
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
"""The page with the list of rules, and its name in the breadcrumbs of other pages."""
SCORES = "scores.md"
TIME = "time.md"

API_ROOT = "api/v1"
"""The folder of the site that has its data as JSON."""
_INDEX_NAME = "/index.md"

# The file of somebody who joins; the day is filled in.
_PLAYER_FILE = """name: Your name
joined: {}
accounts: {{github: your-account}}
"""


def instrument_page(instrument: Instrument) -> str:
    """Return an instrument's page: `proposals/329.md`, `proposals/draft-turnout.md`."""
    if instrument.kind == "proposal" and instrument.number is None:
        return f"proposals/draft-{instrument.path.removeprefix('proposals/')}"
    return _beside_index(instrument.path)


def player_page(ident: str) -> str:
    """Return the page of a player: `players/wren.md`."""
    return _beside_index(f"players/{ident}.md")


def _beside_index(page: str) -> str:
    """Return the page; for a file called `index` one such as `players/index_.md`, since
    `players/index.md` is the list. No player or instrument has an underscore in its file's name.
    """
    return f"{page.removesuffix('.md')}_.md" if page.endswith(_INDEX_NAME) else page


def week_page(year: int, week: int) -> str:
    """Return the page of a week, given by its year and number in ISO 8601: `digest/2026-W45.md`."""
    return f"digest/{year}-W{week:02}.md"


def feed_file(page: str) -> str:
    """Return the path of the feed of a rule's or a player's page: `rules/203/feed.xml`."""
    return f"{page.removesuffix('.md')}/{FEED}"


def data_file(page: str) -> str:
    """Return the path of the document with a page's data: `api/v1/rules/203.json` for
    `rules/203.md`, `api/v1/rules.json` for `rules/index.md`.
    """
    is_list = page.endswith(_INDEX_NAME)
    stem = page.removesuffix(_INDEX_NAME) if is_list else page.removesuffix(".md")
    return f"{API_ROOT}/{stem}.json"


def moment_anchor(moment: Moment) -> str:
    """Return a moment as the time machine's anchor: `2020-07-01`, or `2020-07-01T18:30`."""
    return moment.reckoned


def tier_anchor(tier: str) -> str:
    """Return the id of a tier's part of a page: `tier-mutable`. Players choose the names of tiers,
    so without `tier-` one could be the id of another part.
    """
    return f"tier-{tier}"


@functools.lru_cache(maxsize=65536)
def _from_root(path: str, directory_urls: bool) -> str:
    """Return the address of a page or a file, relative to the site's root: `rules/203/`."""
    stem, extension = posixpath.splitext(path)
    if extension != ".md":
        return quote(path)
    if posixpath.basename(stem) == "index" and directory_urls:
        folder = posixpath.dirname(stem)
        return quote(f"{folder}/" if folder else "")
    return quote(f"{stem}/" if directory_urls else f"{stem}.html")


def revision_anchors(history: RuleHistory, number: int | None = None) -> Mapping[int, str]:
    """Return the anchors of a rule's revisions on the page of `number`; None: its last number.

    The keys are the indices of the entries that gave a text. `r1` is Revision 1. If the rule had
    several revisions 1, one of them has the anchor `r1`: the last one under `number`, or else the
    last of all. The anchors of the others have their number, too: `r1-204`, `r1-204-2`.
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
    """The addresses of a site. The address of `rules/203.md` is `rules/203/` with
    `directory_urls`, and `rules/203.html` without.

    `imported` says that a file of the game names a commit (`commit`), which may be of another
    repository.
    """

    settings: Settings
    git: GitState
    histories: Histories
    directory_urls: bool = True
    imported: bool = False

    def href(self, target: str, page: str, anchor: str = "") -> str:
        """Return the relative address of the page or file `target`, as a link on `page`: such as
        `../../rules/203/`. Both are given by their paths.

        It goes up to the site's root and down again: so it is the same on all pages of one depth,
        and these can share a rendered text.
        """
        there = f"{self.root(page)}{_from_root(target, self.directory_urls)}" or "./"
        return f"{there}#{anchor}" if anchor else there

    def root(self, page: str) -> str:
        """Return the way from a page to the site's root: `../../`."""
        return "../" * _from_root(page, self.directory_urls).count("/")

    def rule_named(self, ref: RuleRef) -> RuleHistory | None:
        """Return the rule that a reference such as `203` or `203/1` names.

        It is the last that had this revision under this number, or else the last that bore the
        number. None if no rule ever did.
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
        """Return the page that a rule has under one of its numbers: `rules/203.md`.

        If the number was given to another rule since, the page has the day on which the rule took
        the number: `rules/203/2020-07-27.md`, or `rules/203/earlier.md` if nobody knows the day.
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
        """Return the page of a rule's whole history: that of its number now, or of its last one."""
        return self.number_page(history.last.number, history)

    def commit(self, sha: CommitId | None, *, named: bool = False) -> str | None:
        """Return the address of a commit on the forge; None without a commit, or if the settings do
        not say where commits are.

        `named` says that a file of the game names the commit: it may be of another repository.
        """
        repository = self.settings.repository
        template = self.settings.links.commit
        if template is None or not (named or self._is_own(template)):
            template = f"{repository.rstrip('/')}/commit/{{sha}}" if repository else None
        return self._filled(template, sha=sha) if sha else None

    def _is_own(self, template: str) -> bool:
        """Return whether an address with `{sha}` leads to the game's repository. In a game whose
        files name no commits, it always does.
        """
        repository = (self.settings.repository or "").rstrip("/").removesuffix(".git")
        return not self.imported or (repository != "" and template.startswith(f"{repository}/"))

    def pull(self, number: str) -> str | None:
        """Return the address of a pull request; None unless the forge is like GitHub."""
        return (
            f"{(self.settings.repository or '').rstrip('/')}/pull/{number}"
            if self.has_editor
            else None
        )

    def file(self, path: str, rule: Rule | None = None, sha: CommitId | None = None) -> str | None:
        """Return a file's address on the forge, as it is at the commit `sha`, by default at HEAD.

        None if the settings do not say where files are. `rule` fills in the `{number}` and the
        `{revision}` of an address.
        """
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
        """Whether the repository is on GitHub: a link can then open its editor on a new file."""
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
        """Return the forge's editor on a new file, to which the caller adds
        `?filename=…&value=…`; None if the forge has none.
        """
        return self._editor("new") if self.has_editor else None

    def join(self, day: date) -> str | None:
        """Return the forge's editor with the file of somebody who joins on `day`; None if the forge
        has none.
        """
        return self._new("players/your-id.yml", _PLAYER_FILE.format(day))

    def begin(self, turn: str, player: PlayerId, day: date) -> str | None:
        """Return the forge's editor with the file of a turn, such as `R1T1`, that begins on `day`;
        None if the forge has none.
        """
        return self._new(f"turns/{turn}.yml", f"player: {player}\nbegan: {day}\n")

    def edit(self, path: str) -> str | None:
        """Return the forge's editor on a file of the game; None if the forge has none."""
        return f"{self._editor('edit')}/{quote(path)}" if self.has_editor else None

    def _new(self, filename: str, value: str) -> str | None:
        query = urlencode({"filename": filename, "value": value}, quote_via=quote)
        return f"{self._editor('new')}?{query}" if self.has_editor else None

    def _editor(self, task: str) -> str:
        repository = (self.settings.repository or "").rstrip("/")
        return f"{repository}/{task}/main/{quote(self.git.prefix)}".rstrip("/")


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
