"""Write `originals.txt` of the rulesets that ship: what words the rules of their originals have, as
facts.

`python -m tests.originals SEEDS [REPOSITORY]` reads the texts in a folder, and the earlier wordings
of Nomic IV in a clone of its repository. Which rule of ours retells a rule stands here; the others
have the same number and revision.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from nomicgen.cli.program import main
from nomicgen.model.values import Moment
from nomicgen.play.load import load
from nomicgen.play.wordings import hashed_runs, provisions_of, wording_line
from tests.support import ROOT

SEEDS = {
    "suber": ("suber-initial-set-usenet.txt", "text", "--map", "run-on"),
    "discordian": ("discordian-nomic.txt", "text", "--map", "named"),
    "pokey": ("pokey-nomic-rules.txt", "text", "--map", "numbered"),
    "paranomic": ("paranomic-2-initial-rules.txt", "text", "--map", "paranomic"),
    "nomic-iv": ("nomic-4-long-format.md", "long"),
}
"""The text of each original, and how it is imported."""
RETOLD: dict[str, dict[int, str | None]] = {
    "pokey": {301: "301/1", 308: "308/1"},
    "nomic-iv": {206: "206/0", 314: "318/0", 318: None, 305: None, 316: None, 323: None},
}
"""Rules that ours have under another number or revision, or do not have."""
_HEADING = r"## [0-9]+/([0-9]+)"


def texts_of(seeds: Path, name: str) -> dict[str, str]:
    """Return the texts of an original's rules, by number and revision."""
    file, command, *options = SEEDS[name]
    with TemporaryDirectory() as folder:
        into = Path(folder) / "game"
        done = CliRunner().invoke(
            main, ["import", command, str(seeds / file), *options, "--into", str(into)]
        )
        assert done.exit_code == 0, done.output
        game = load(into, Moment.parse("2030-01-01"))
        return {str(rule.ref): rule.text or "" for rule in game.replay.current}


def earlier_texts(repository: Path) -> Iterator[tuple[str, str]]:
    """Yield the wordings that the rules of Nomic IV had, by number and revision."""
    git = ("git", "-C", str(repository))
    commits = subprocess.run(
        (*git, "log", "--reverse", "--format=%H", "--", "Game_4/rules/md"),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    for commit in commits:
        tree = (*git, "ls-tree", "-r", "--name-only", commit, "Game_4/rules/md")
        for path in subprocess.run(tree, check=True, capture_output=True, text=True).stdout.split():
            data = subprocess.run(
                (*git, "show", f"{commit}:{path}"), check=True, capture_output=True
            ).stdout
            lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
            revision = re.match(_HEADING, lines[0])
            if revision is not None:
                text = re.split(r"(?m)^#{2,6} \*?(?:History|Judgments)", "\n".join(lines[1:]))[0]
                yield f"{Path(path).stem}/{revision[1]}", text


def ours_of(name: str, rule: str) -> str | None:
    """Return the rule of ours that retells a rule, if ours has provisions."""
    number = int(rule.partition("/")[0])
    ours = RETOLD.get(name, {}).get(number, rule)
    return ours if ours is not None and provisions_of(name, ours) else None


def lines_of(name: str, texts: dict[str, str]) -> list[str]:
    """Return the lines of a ruleset's file."""
    return [
        wording_line(rule, ours_of(name, rule), text)
        for rule, text in texts.items()
        if text.strip()
    ]


def write(seeds: Path, repository: Path | None) -> None:
    """Write the files of all rulesets."""
    suber = texts_of(seeds, "suber")
    for name in SEEDS:
        texts = texts_of(seeds, name)
        if name == "nomic-iv" and repository is not None:
            texts = dict(earlier_texts(repository)) | texts
        elif name != "suber":
            # What the set has in common with the one that it extends stands there.
            texts = {
                rule: text
                for rule, text in texts.items()
                if hashed_runs(text) != hashed_runs(suber.get(rule, ""))
            }
        if not texts:
            continue
        place = ROOT / "nomicgen" / "rulesets" / name / "originals.txt"
        place.write_text("".join(f"{line}\n" for line in lines_of(name, texts)), "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
