"""The printed ruleset of a real game, told as commits and imported with its history: it prints the same again."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from pathlib import Path

from nomicgen.formats.ruleset_text import long_md
from nomicgen.importers.git.printed import Printed, read_printed
from nomicgen.importers.import_report import ArchiveWarnings
from tests.importers.archives import Asked, imported, rule
from tests.rulesets import archive, errors
from tests.support import GitRepo

Repos = Callable[..., GitRepo]


def as_commits(printed: Printed, repo: GitRepo) -> None:
    """A commit for the initial set, and one for each later line; texts that are lost are made up."""
    initial: dict[str, str] = {}
    later = []
    for number, section in printed.sections.items():
        lines = [one.line for one in printed.lines if one.rule == number]
        tier = f" ({section.tier.upper()})" if section.tier else ""
        for line in lines:
            revision = line.revision or 0
            text = section.text if line is lines[-1] else f"Words of revision {revision} of Rule {number}, since lost."
            file = {f"md/{number}.md": rule(f"{number}/{revision}{tier}", text)}
            if line.verb == "initial":
                initial |= file
            else:
                later.append((line.date, f"{'Proposal ' if line.kind == 'proposal' else ''}{line.cause}", file))
    repo.commit("The initial set", initial)
    for _, subject, file in sorted(later, key=lambda one: str(one[0])):
        repo.commit(subject, file)


def test_a_printed_ruleset_comes_back(git_repo: Repos, shared: Path) -> None:
    seed = (shared / "seeds" / "nomic-4-long-format.md").read_text("utf-8")
    printed = read_printed(seed.encode(), "long.md", ArchiveWarnings())
    assert printed is not None
    repo = git_repo()
    as_commits(printed, repo)
    got = imported(repo.path, Asked(patterns=("md/*.md",), printed=seed))
    kept = archive(got.files)
    assert errors(kept) == []
    assert {one.slug for one in got.report.warnings} == {
        "date-differs",
        "import-blank",
        "import-heading",
        "import-spaces",
        "link-impostor",
    }
    ours, theirs = (re.sub("[0-9a-f]{40}", "SHA", text).splitlines() for text in (long_md(kept), seed))
    differs = [line for line in difflib.ndiff(theirs, ours) if line[0] in "+-"]
    # Four headings of the wrong level, a blank line that is missing, spaces at the ends of two lines.
    slips = {"+ ", "- #### *History*", "+ ##### *History*"}
    assert [line for line in differs if line not in slips and not line.startswith(("- [*Enacted", "+ [*Enacted"))] == []
    assert len(differs) == 2 * 4 + 1 + 2 * 2
