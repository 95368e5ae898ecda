"""The ruleset after each commit of the line, and what is odd about its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git.changes import SourceRule
from nomicgen.importers.git.past import Past
from nomicgen.importers.import_report import ArchiveWarnings
from nomicgen.importers.readings import Passage, Slip
from nomicgen.importers.shown_pictures import Pictures

_FEWEST = 3
"""The fewest rules of rulesets that are compared."""
_PREFACES = 20
"""The most texts above the rules that are kept: the newest."""
_UNRELATED = 0.35
"""Two rulesets that share less of their words are two games. Any two share some, such as `player`.
"""


class Snapshot(Struct, frozen=True, kw_only=True):
    """The rules by number after a commit that touched their files; `changed` are the numbers of
    those that it changed.
    """

    commit: PastCommit
    rules: Map[int, SourceRule]
    changed: frozenset[int]


def snapshots(
    past: Past, warnings: ArchiveWarnings, pictures: Pictures | None = None
) -> list[Snapshot]:
    """Return the ruleset after each commit of the line that touched a file, oldest first.

    What is odd about a file is told at the first commit at which it is so. `pictures` collects
    those that texts show.
    """
    for move in past.followed:
        message = (
            f"this commit moves the files of {move.pattern} without a change, and no path "
            f"names {move.other}"
        )
        warnings.add("path-followed", message, "they are read there as well", commit=move.commit)
    reader = _Reader(past, warnings, pictures or Pictures())
    return [reader.read(commit) for commit in past.line if commit.touched]


def prefaces(past: Past, states: Sequence[Snapshot]) -> list[tuple[str, str]]:
    """Return the texts that stood above the rules, the newest first, each with a heading that says
    when it last did, '' if it still does.
    """
    standing: dict[str, str] = {}
    last_at: dict[str, PastCommit] = {}
    shas = {state.commit.sha for state in states}
    words = ""
    for commit in past.line:
        for file in commit.touched:
            text = past.text(file.path, file.after)
            standing.pop(file.path, None)
            if text is not None and text.above:
                standing[file.path] = text.above
        words = "\n\n".join(standing[path] for path in sorted(standing))
        if words and commit.sha in shas:
            last_at.pop(words, None)
            last_at[words] = commit
    newest = [*reversed(last_at.items())][:_PREFACES]
    return [
        ("" if one == words else f"As of {commit.day or commit.sha[:12]}", one)
        for one, commit in newest
    ]


class OtherGame(Struct, frozen=True, kw_only=True):
    """A commit that may begin another game; what it does; and the last commit `before` with
    rules.
    """

    commit: PastCommit
    what: str
    before: PastCommit


def states_since(states: Sequence[Snapshot], commit: str) -> list[Snapshot]:
    """Return the states from a commit on, whose id may be shortened. In the first of them all rules
    count as changed.

    Raises ValueError where no state is of that commit.
    """
    at = next(
        (at for at, state in enumerate(states) if commit and state.commit.sha.startswith(commit)),
        None,
    )
    if at is None:
        raise ValueError(f"no commit {commit} changes the files of the rules")
    return [replace(states[at], changed=frozenset(states[at].rules)), *states[at + 1 :]]


def find_other_game(states: Sequence[Snapshot]) -> OtherGame | None:
    """Return the first commit that fills emptied files with other rules, or leaves next to nothing
    of the rules before; None where there is none.
    """
    held: Map[int, SourceRule] = Map()
    before = states[0].commit if states else None
    emptied = False
    for state in states:
        if before is not None and emptied and state.rules and _texts(state.rules) != _texts(held):
            return OtherGame(
                commit=state.commit, what="fills files again that were emptied", before=before
            )
        emptied = bool(held) and not state.rules
        many = len(held) >= _FEWEST and len(state.rules) >= _FEWEST
        if (
            before is not None
            and many
            and len(state.changed) * 2 > len(held)
            and _in_common(held, state.rules) < _UNRELATED
        ):
            what = "leaves next to nothing of the rules that stood before"
            return OtherGame(commit=state.commit, what=what, before=before)
        if state.rules:
            held, before = state.rules, state.commit
    return None


def _texts(rules: Mapping[int, SourceRule]) -> dict[int, str | None]:
    return {number: rule.text for number, rule in rules.items()}


def _in_common(before: Mapping[int, SourceRule], after: Mapping[int, SourceRule]) -> float:
    """Return the share of the words of one ruleset that stand in another: of the one with fewer
    different words.
    """
    one, other = (
        {word for rule in rules.values() for word in (rule.text or "").split()}
        for rules in (before, after)
    )
    return len(one & other) / max(min(len(one), len(other)), 1)


class _Reader:
    """Reads commits one after the other: `files` are the rules of each file as it stands, `rules`
    all of them by number. `known` has by path and number the passage that was last read there, and
    its rule. `known_slips` and `doubled` are told already.
    """

    def __init__(self, past: Past, warnings: ArchiveWarnings, pictures: Pictures) -> None:
        self.past, self.warnings, self.pictures = past, warnings, pictures
        self.files: dict[str, tuple[SourceRule, ...]] = {}
        self.known_slips: dict[str, set[tuple[str, str, str]]] = {}
        self.known: dict[tuple[str, int], tuple[Passage, SourceRule]] = {}
        self.rules: Map[int, SourceRule] = Map()
        self.doubled: set[tuple[int, str]] = set()

    def read(self, commit: PastCommit) -> Snapshot:
        """Return the ruleset after a commit."""
        if commit.boundary:
            message = "the history begins here: the clone is shallow"
            outcome = "what came before is not known; fetch it, and import again"
            self.warnings.add("shallow", message, outcome, commit=commit)
        for file in commit.touched:
            if file.after is None:
                self.files.pop(file.path, None)
                self.known_slips.pop(file.path, None)
            else:
                self._read_file(file.path, file.after, commit)
        now = self._by_number(commit)
        gone = self.rules.keys() - now.keys()
        changed = {number for number, rule in now.items() if _differs(self.rules.get(number), rule)}
        with self.rules.mutate() as rules:
            for number in gone:
                del rules[number]
            rules.update({number: now[number] for number in changed})
            self.rules = rules.finish()
        return Snapshot(commit=commit, rules=self.rules, changed=frozenset({*gone, *changed}))

    def _read_file(self, path: str, blob: str, commit: PastCommit) -> None:
        text = self.past.text(path, blob)
        if text is not None and not text.readable:
            self._tell_slips(path, text.slips, commit)
            return
        if text is None:
            message, outcome = (
                "the file is too large to be a ruleset",
                "what it held before stays",
            )
            self.warnings.add("file-too-large", message, outcome, commit=commit, path=path)
            return
        self._tell_slips(path, text.slips, commit)
        self.files[path] = tuple(
            self._same(passage, path, line)
            for line, passage in text.rules
            if passage.mark != "repealed"
        )

    def _same(self, passage: Passage, path: str, line: int) -> SourceRule:
        """Return a passage as a rule. The same passage at the same line gives the same object, so
        that it need not be compared.
        """
        known = self.known.get((path, passage.number))
        if known is not None and known[0] is passage and known[1].line == line:
            return known[1]
        rule = (
            replace(known[1], line=line)
            if known and known[0] is passage
            else self._rule(passage, path, line)
        )
        self.known[path, passage.number] = passage, rule
        return rule

    def _rule(self, passage: Passage, path: str, line: int) -> SourceRule:
        folder = path.rpartition("/")[0]
        return SourceRule(
            number=passage.number,
            printed_revision=passage.revision,
            tier=passage.tier or "",
            text=None if passage.text is None else self.pictures.rebase(passage.text, folder),
            title=one_line(passage.title or "") or None,
            void=passage.mark == "void",
            bare=passage.bare,
            path=path,
            line=line,
        )

    def _tell_slips(self, path: str, slips: Sequence[Slip], commit: PastCommit) -> None:
        before = self.known_slips.get(path, set())
        now: set[tuple[str, str, str]] = set()
        for slip in slips:
            key = slip.slug, slip.message, slip.quote
            if key not in before | now:
                self.warnings.add(
                    slip.slug,
                    slip.message,
                    slip.outcome,
                    quote=slip.quote,
                    commit=commit,
                    path=path,
                    line=slip.line,
                )
            now.add(key)
        self.known_slips[path] = now

    def _by_number(self, commit: PastCommit) -> dict[int, SourceRule]:
        """Return the rules of all files by number; of several with one, that of the first path."""
        rules: dict[int, SourceRule] = {}
        doubled: set[tuple[int, str]] = set()
        for path in sorted(self.files):
            for rule in self.files[path]:
                if rules.setdefault(rule.number, rule) is rule:
                    continue
                doubled.add((rule.number, rule.path))
                if (rule.number, rule.path) not in self.doubled:
                    message, outcome = (
                        f"Rule {rule.number} stands in another file as well",
                        "this one is left out",
                    )
                    self.warnings.add(
                        "rule-doubled",
                        message,
                        outcome,
                        commit=commit,
                        path=rule.path,
                        line=rule.line,
                    )
        self.doubled = doubled
        return rules


def _differs(before: SourceRule | None, now: SourceRule) -> bool:
    """Return whether a rule changed, apart from the line in which it stands."""
    return before is not now and (before is None or replace(before, line=now.line) != now)


def tiers_in(states: Sequence[Snapshot]) -> list[str]:
    """Return the tiers that headings name, in the order in which they first do."""
    rules = (state.rules.get(number) for state in states for number in sorted(state.changed))
    return list(dict.fromkeys(rule.tier for rule in rules if rule is not None and rule.tier))
