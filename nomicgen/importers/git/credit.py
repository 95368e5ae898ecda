"""Whose a change is that a commit brings: who only commits what others decided is nobody's author."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from msgspec import Struct

from nomicgen.importers.commit_log import PastCommit
from nomicgen.importers.derived_names import one_line
from nomicgen.importers.git.past import Past
from nomicgen.importers.git.sides import BroughtCommit

_TRAILER = (
    r"(?im)^(?:Proposed[- ]by|Proposer|Proposal by|Authored[- ]by|Author):[ \t]+"
    r"(?P<name>[^<\n]{1,80}?)[ \t]*(?:<[^>\n]*>)?[ \t]*$"
)
_PULL = r"(?i)Merge (?:pull|merge) request #?!?[0-9]+|Merged PR [0-9]+|.*\((?:#|!)[0-9]+\)$"
_MOST = 0.75
"""Who makes more of all commits than this share only keeps the archive."""


class Archivist(Struct, frozen=True, kw_only=True):
    """Who makes nearly everything, under all names and addresses; `committers` are those, and who usually commits for
    them; `share` of the commits, 0 to 1.
    """

    names: frozenset[str]
    committers: frozenset[str]
    mails: frozenset[str]
    share: float
    name: str

    def is_author(self, commit: PastCommit) -> bool:
        return commit.author.casefold() in self.names or commit.mail.casefold() in self.mails

    def is_committer(self, commit: PastCommit) -> bool:
        return commit.committer.casefold() in self.committers


def archivist_of(past: Past) -> Archivist | None:
    """Who made nearly all commits of the line that changed files and that no merge brought; None where nobody did."""
    made = [commit for commit in past.line if commit.touched and len(commit.parents) < 2]
    people = _people(past.line)
    counts = Counter(_person(commit, people) for commit in made)
    if not counts:
        return None
    person, count = max(counts.items(), key=lambda item: (item[1], -item[0]))
    if count <= _MOST * len(made):
        return None
    own = [commit for commit in past.line if _person(commit, people) == person]
    names = frozenset(commit.author.casefold() for commit in own)
    usual = Counter(commit.committer.casefold() for commit in own).most_common(1)
    return Archivist(
        names=names,
        committers=names.union(name for name, _ in usual),
        mails=frozenset(commit.mail.casefold() for commit in own if commit.mail),
        share=count / len(made),
        name=one_line(max((commit.author for commit in own), key=len)),
    )


def _people(commits: Iterable[PastCommit]) -> list[set[str]]:
    """The names and addresses of each person: they share one, or a name is the first part of another."""
    people: list[set[str]] = []
    for name, mail in dict.fromkeys((commit.author.casefold(), commit.mail.casefold()) for commit in commits):
        known = {name, mail} - {""}
        same = [person for person in people if person & known or any(_is_longer(word, name) for word in person)]
        people = [person for person in people if person not in same]
        people.append(known.union(*same))
    return people


def _is_longer(name: str, other: str) -> bool:
    """Whether of two names the one begins with all words of the other."""
    short, long = sorted((name, other), key=len)
    return bool(short) and long.startswith(f"{short} ")


def _person(commit: PastCommit, people: Collection[set[str]]) -> int:
    name = commit.author.casefold()
    return next((at for at, person in enumerate(people) if name in person), -1)


def is_pulled(brought: BroughtCommit) -> bool:
    """Whether a pull request brought a change: by a merge, or as one commit that names it."""
    return re.match(_PULL, brought.commit.subject) is not None


def author_of(brought: BroughtCommit, archivist: Archivist | None) -> str | None:
    """Whom a commit, its trailer or its pull request says to be the author; None where it says only who committed."""
    source = brought.source
    for commit in (brought.commit, source):
        if match := re.search(_TRAILER, commit.body):
            return one_line(match["name"])
    if archivist is not None and archivist.is_author(source) and not is_pulled(brought):
        by_other = source.committer and not source.by_forge and not archivist.is_committer(source)
        if not by_other:
            return None
    return one_line(source.author) or None
