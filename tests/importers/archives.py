"""Archives for the tests of `import git`: temporary repositories, each told as a story of
commits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from nomicgen.files.game_files import read_game
from nomicgen.importers.certificate import certify
from nomicgen.importers.git.history import read_past
from nomicgen.importers.git.importer import ImportedRepository, import_git
from nomicgen.importers.git.proof_states import observe
from nomicgen.importers.git.subjects import Subjects
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.shown_pictures import ReadPictures
from nomicgen.importers.source_map import shipped_maps
from nomicgen.importers.sufficiency import pages_of
from nomicgen.law.replay.run import replay
from nomicgen.model.import_record import Imported
from tests.support import GitRepo

KEEPER = "Wren Keeper <wren@example.org>"
ZONE = timezone(timedelta(hours=2))


@dataclass
class Story:
    """An archive in the making; commits are named `c1`, `c2`, … in what is expected."""

    repo: GitRepo
    shas: list[str] = field(default_factory=list)

    def commit(
        self,
        message: str,
        files: Mapping[str, str | bytes | None] | None = None,
        *,
        author: str = KEEPER,
        day: int | None = None,
    ) -> str:
        when = datetime(2021, 3, 1, 21, tzinfo=ZONE) + timedelta(
            days=len(self.shas) if day is None else day
        )
        self.shas.append(self.repo.commit(message, files, author=author, date=when))
        return self.shas[-1]

    def merge(self, branch: str, message: str) -> str:
        when = (datetime(2021, 3, 1, 22, tzinfo=ZONE) + timedelta(days=len(self.shas))).isoformat()
        self.repo.git("checkout", "--quiet", "main")
        env = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        self.repo.git("merge", "--quiet", "--no-ff", f"--message={message}", branch, env=env)
        self.shas.append(self.repo.git("rev-parse", "HEAD"))
        return self.shas[-1]

    def branch(self, name: str) -> None:
        self.repo.git("checkout", "--quiet", "-b", name)

    def named(self, text: str) -> str:
        """A text with the commits' ids by their names."""
        names = {sha: f"c{at}" for at, sha in enumerate(self.shas, 1)}
        short = {sha[:12]: name for sha, name in names.items()}
        text = re.sub(r"\b[0-9a-f]{40}\b", lambda found: names.get(found[0], found[0]), text)
        return re.sub(r"\b[0-9a-f]{12}\b", lambda found: short.get(found[0], found[0]), text)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What `import git` is asked, besides the repository."""

    patterns: tuple[str, ...] = ("r/*.md",)
    map: str | None = None
    subjects: tuple[str, ...] = ()
    name: str | None = None


def reader_for(patterns: Sequence[str], name: str | None = None) -> MapReader:
    """The reader of a map that ships: of a file a rule where a pattern has a star, else of one file
    with headings.
    """
    kind = "file-a-rule" if any("*" in one or one.endswith("/") for one in patterns) else "headings"
    return MapReader(shipped_maps()[name or kind])


def imported(
    path: Path, asked: Asked | None = None, pictures: ReadPictures | None = None
) -> ImportedRepository:
    """What `import git` makes of a repository."""
    asked = asked or Asked()
    past = read_past(path, "HEAD", asked.patterns, reader_for(asked.patterns, asked.map))
    subjects = Subjects(asked.subjects)
    return import_git(
        past,
        subjects=subjects,
        name=asked.name,
        pictures=pictures,
        go_on=True,
    )


def proved(path: Path, got: ImportedRepository, *patterns: str) -> Imported:
    """The certificate of what was imported from a repository."""
    records, _ = read_game(got.files)
    asked = patterns or ("r/*.md",)
    seen = observe(path, read_past(path, "HEAD", asked, reader_for(asked)), reader_for(asked).map)
    return certify(seen, records, replay(records), "archive", {}, pages_of(got.files))


def rule(heading: str, text: str) -> str:
    return f"## {heading}\n\n{text}\n"


def ruleset(*rules: str) -> str:
    return "\n".join(("# RULES\n", *rules))


Told = Callable[[Story], Asked]
"""Tells a story, and gives what `imported` is to be asked."""
FAIR = rule("101/0 (IMMUTABLE)", "Play fair, and write it down.")
LAMPS = rule("201/0", "Lamps are lit at dusk.")
TURNS = rule("202/0", "A turn is one day long, and no longer than that.")


def every_kind(story: Story) -> Asked:
    """A file a rule: proposals, a judgement, an act, corrections, and rules that come, go, move and
    return.
    """
    story.commit("Begin", {"r/101.md": FAIR, "r/201.md": LAMPS, "README.md": "A game.\n"})
    story.commit("The third rule", {"r/202.md": TURNS})
    story.commit(
        "Proposal 301: Longer turns",
        {"r/202.md": rule("202/1", "A turn is two days long, and no longer than that.")},
    )
    story.commit(
        "P302",
        {"r/302.md": rule("302/0", "Wicks are trimmed by the keper.")},
        author="Finch <f@example.org>",
    )
    story.commit("Fix a typo", {"r/302.md": rule("302/0", "Wicks are trimmed by the keeper.")})
    story.commit(
        "Proposal 303: The number of its proposal",
        {
            "r/202.md": None,
            "r/303.md": rule(
                "303/2", "A turn is two days long, and not one hour longer than that."
            ),
        },
    )
    story.commit("CFJ 1", {"r/201.md": rule("201/0 (VOID)", "Lamps are lit at dusk.")})
    story.commit(
        "Temporary Rule 601", {"r/302.md": None, "r/601.md": rule("601/0", "Nobody sleeps.")}
    )
    story.commit(
        "Adopt proposal 304", {"r/302.md": rule("302/0", "Wicks are trimmed by the keeper.")}
    )
    story.commit("Rule-change 305", {"r/101.md": rule("101/0", "Play fair, and write it down.")})
    story.commit(
        "#306 Two at once", {"r/306.md": rule("306/0 (VOID)", "Bells ring."), "r/601.md": None}
    )
    story.commit(
        "Proposal 306, the rest",
        {"r/201.md": rule("201/1", "Lamps are lit at dusk and at dawn.")},
        day=10,
    )
    story.commit(
        "Proposal 304 had a slip", {"r/302.md": rule("302/0", "Wicks are trimmed by their keeper.")}
    )
    story.commit("A rule of its own", {"r/307.md": rule("307/0", "Oil is for lamps.")})
    story.commit(
        "Proposals 308 and 309",
        {"r/308.md": rule("308/3", "One."), "r/307.md": rule("307/3", "Oil burns.")},
    )
    story.commit("Right the count", {"r/308.md": rule("308/0", "One.")})
    story.commit("Proposal 310: nothing", {"r/308.md": rule("308/0", "One.") + "\n\n"})
    story.commit(
        "Rule 307 is now 311",
        {"r/307.md": None, "r/311.md": rule("311/4", "Quite other words stand here.")},
    )
    return Asked()


def one_file(story: Story) -> Asked:
    """One file for all, without revisions; a subject pattern of the archive's own; text that is no
    rule.
    """
    fair, lamps, turns = (
        rule("101 (IMMUTABLE)", "Play fair."),
        rule("201", "Lamps\n\n### 7\n\nare lit."),
        rule("202", "One."),
    )
    story.commit("Begin", {"rules.md": ruleset(fair, lamps)})
    story.commit("Motion 12 by Finch", {"rules.md": ruleset(fair, lamps, turns)})
    code = rule("202", "```\n## 9\n```\n\nOne.")
    story.commit("Motion 13 by Quill", {"rules.md": ruleset(fair, lamps, code)})
    story.commit(
        "Motion 14 by Finch",
        {
            "rules.md": ruleset(
                rule("101", "Play fair."), code, rule("203", "Lamps\n\n### 7\n\nare lit.")
            )
        },
    )
    story.commit(
        "Tidy",
        {
            "rules.md": ruleset(
                rule("101 (IMUTABLE)", "Play fair."),
                code,
                rule("203 [void]", "Lamps\n\n### 7\n\nare lit."),
            )
        },
    )
    return Asked(
        patterns=("rules.md",),
        subjects=(r"Motion (?P<proposal>\d+) by (?P<player>\w+)",),
        name="Lantern",
    )


def merges(story: Story) -> Asked:
    """Merges: a pull request's commit, a commit that is on the line as well, dates that run
    backwards.
    """
    story.commit("Begin", {"r/201.md": LAMPS, "r/202.md": TURNS})
    story.branch("proposal-301")
    story.commit(
        "Longer turns", {"r/202.md": rule("202/1", "Two.")}, author="Finch <f@example.org>"
    )
    story.merge(
        "proposal-301",
        "Merge pull request #7 from finch/proposal-301\n\nProposal 301: Longer turns",
    )
    story.branch("side")
    story.commit(
        "Proposal 302",
        {"r/201.md": rule("201/1", "Lamps burn.")},
        author="Quill <q@example.org>",
        day=4,
    )
    story.repo.git("checkout", "--quiet", "main")
    story.commit(
        "Proposal 302\n\nBy the keeper's own hand.",
        {"r/201.md": rule("201/1", "Lamps burn.")},
        author="Quill <q@example.org>",
        day=4,
    )
    story.merge("side", "Merge branch 'side'")
    story.commit("Proposal 303", {"r/303.md": rule("303/0", "Bells ring.")}, day=2)
    story.branch("more")
    story.commit(
        "Proposal 304", {"r/304.md": rule("304/0", "Oil burns.")}, author="Finch <f@example.org>"
    )
    story.commit(
        "Proposal 305", {"r/305.md": rule("305/0", "Owls watch.")}, author="Quill <q@example.org>"
    )
    story.merge("more", "Merge branch 'more'")
    return Asked()


def odd_files(story: Story) -> Asked:
    """Headings and bytes as people leave them."""
    story.commit(
        "Begin",
        {
            "r/101.md": "# Rule 101\r\n\r\nPlay fair.\r\n",
            "r/102.md": "No heading here.\n",
            "r/103.md": "",
            "r/104.md": "##104/0(Immutable)\n\nA title\n-------\n\n<div>a box</div>\n",
            "r/105.md": b"## 105/0\n\nCaf\xe9.\n",
            "r/106.md": "## 107/0\n\nIt is 107 by its heading.\n",
            "r/107.md": "## 107/0\n\nIt is 107 by its name too.\n",
            "r/108.md": "## 109/0\n\nIt is 109.\n",
            "r/110.md": "## 110/0 (REPEALED)\n\nGone.\n",
            "r/111.md": "## 111/0\n\n```\nnever closed\n",
            "r/112.md": "**112/0**\n\nBold.\n",
            "r/notes.md": "Notes, and no rule.\n",
        },
    )
    story.commit(
        "Proposal 301",
        {"r/102.md": "## 102/1\n\nNo heading here.\n", "r/103.md": "## 103/0\n\nSomething.\n"},
    )
    return Asked()


STORIES: dict[str, Told] = {
    "every-kind": every_kind,
    "one-file": one_file,
    "merges": merges,
    "odd-files": odd_files,
}
