"""What is imported: texts, rulesets in the long format, archives in git, Agora's data, and what git
prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from nomicgen.files.text_encoding import CONTROLS
from nomicgen.formats.ruleset_text import long_md
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.certificate import events_at
from nomicgen.importers.commit_log import PastCommit, Touched, parse_commit_log
from nomicgen.importers.decoding import decode_words
from nomicgen.importers.game_writing import ImportedGame
from nomicgen.importers.git.importer import import_git
from nomicgen.importers.git.past import Past, TextKey
from nomicgen.importers.import_report import report_markdown
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.map_reader import MapReader
from nomicgen.importers.proof import ProofState, prove
from nomicgen.importers.readings import FileText
from nomicgen.importers.rule_text.from_markdown import is_rule_text
from nomicgen.importers.source_map import BadMap, map_bytes, parse_map, shipped_maps
from nomicgen.importers.text.importer import import_text
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import CommitId
from nomicgen.repository.git_log import blob_id, parse_log
from tests.case_files import unfold
from tests.fuzz.target import Target, hold, joined, pairs_of, parts_of, stands
from tests.rulesets import errors, history_of_tree
from tests.support import ROOT

_BY_FILE = MapReader(shipped_maps()["file-a-rule"])
_IMPORTERS = ROOT / "tests" / "importers"
_LANTERN = _IMPORTERS / "long" / "lantern-long.md"
WORDS = (
    *(
        "## 203/1 (IMMUTABLE)\n",
        "## 203\n",
        "Rule 101",
        "101. ",
        "# A RULESET (LONG FORMAT)\n",
        "---\n",
        "[void]",
        "(text lost)",
    ),
    *(
        "##### *History*\n",
        "##### *Judgments*\n",
        "*Initial mutable Rule 201, Mar 1, 2021*",
        "*Enacted by Proposal 304*",
    ),
    *(
        "*Amended (1) by Proposal 301 (Wren), Mar 2, 2021 (R1T1)*  \n",
        "*Repealed by Proposal 309, Mar 1, 2021*",
    ),
    *(
        "*Renumbered from 9 by Judgement 3*",
        "*Retitled by x (y)*",
        "*Transmuted to odd by z*",
        ", Dec 31, 9999",
        "](http://",
    ),
    *(
        "```\n",
        "~~~",
        "<!--",
        "-->",
        "<div>",
        "> ",
        "* ",
        "1. ",
        "(a) ",
        "|",
        "    ",
        "\t",
        "\r\n",
        "\r",
        "\u2028",
        "\x85",
        "\xa0",
    ),
    *(
        "immutable",
        "mutable",
        "Rules 101-116",
        "are immutable",
        "begin with 301",
        "a" * 40,
        "e\u0301",
        "\x00",
        "\ufeff",
    ),
)
_MAP = (
    *(
        "rule:\n",
        "  heading: ",
        "  below: ",
        "  split: ",
        "  path: ",
        "  number: roman\n",
        "  sequence: any\n",
    ),
    *(
        "  range: 1-9\n",
        "section: ['",
        "ends: ['",
        "']\n",
        "omit:\n- lines: '",
        "  why: '",
        "tiers: {a: 1-9}\n",
    ),
    *(
        "text: plain\n",
        "(?P<number>\\d+)",
        "(?P<title>.*)",
        "(?P<tier>\\w+)",
        "(?i:",
        "(a*)*",
        "\\C",
        "\\b",
        "[^",
        "$",
    ),
    *("front_matter: {number: ", "@@ text\n"),
)
_YAML = (
    *(
        "@@ rules/101\n",
        "@@ proposals/7\n",
        "@@ config/index\n",
        "id: ",
        "name: ",
        "power: ",
        "text: ",
        "history:\n",
        "- change: {",
    ),
    *(
        "type: ",
        "initial",
        "enactment",
        "amendment",
        "repeal",
        "renumbering",
        "retitling",
        "power-change",
        "reenactment",
    ),
    *(
        "date: 2001-01-01\n",
        "{around: ",
        "agent: {proposal: '7'}",
        "{rule: '101'}",
        "old-id: ",
        "new-id: ",
        "annotations:\n",
    ),
    *(
        "cfjs:\n",
        "  ",
        "- ",
        ": ",
        "}",
        "{",
        "[",
        "]",
        "|\n",
        "uncounted: true",
        "asciiart",
        "&a",
        "*a",
        "author: ",
        "'",
    ),
)
GIT = (
    *(
        "@@ > Proposal 301: A\n",
        "@@ > Judgement 2\n",
        '@@ > Revert "\n',
        "@@ > Fix a typo\n",
        "@@ r/101.md\n",
        "@@ r/rules.md\n",
    ),
    *("2021-03-01T21:00:00+02:00\n", "9999-12-31", "0001-01-01", "Wren\n", "Temporary Rule 601"),
)


def text(data: bytes) -> None:
    """A ruleset kept as text: by any map a game without errors, or findings that say why there is
    none.
    """
    for name, one in shipped_maps().items():
        found = import_text(data, "rules.txt", one)
        _told(found.findings, "rules.txt", data)
        assert found.files or found.findings, name
        _sound(found.files)


def maps(data: bytes) -> None:
    """A map, and a text below a line `@@ text`: what is wrong with the map is said, else it reads
    the text.
    """
    parts = parts_of(data)
    wrong, one = None, None
    try:
        one = parse_map(parts.get("", b"").decode("utf-8", "replace"))
    except BadMap as error:
        wrong = error
    if one is None:
        assert wrong is not None
        assert str(wrong)
        assert wrong.line is not None
        assert wrong.line >= 1
        return
    assert parse_map(map_bytes(one).decode()) == one
    found = MapReader(one).read(parts.get("text", b""), "rules.txt")
    assert all(one.text is None or is_rule_text(one.text) for one in found.passages)


def long(data: bytes) -> None:
    """A ruleset in the long format: what its game prints, read again, prints the same."""
    found = import_long(data, "long.md")
    _told(found.findings, "long.md", data)
    assert found.files or found.findings
    if not found.files:
        return
    once = history_of_tree(found.files)
    # A damaged heading may make the lesser tier the greater one; the next export then says so.
    if not errors(once) and once.records.settings.tiers == ["immutable", "mutable"]:
        printed = long_md(once)
        again = long_md(history_of_tree(import_long(printed.encode(), "again.md").files))
        assert again == printed


def agora(data: bytes) -> None:
    """Agora's data: what is read of them is a game without errors."""
    files = parts_of(data)
    found = import_agora(files)
    hold([one for one in found.findings if one.span.file in files], files)
    _report(found)
    records = history_of_tree(found.files) if found.files else None
    wrong = (
        [one for one in records.findings if one.is_error and one.slug != "rules-missing"]
        if records
        else []
    )
    assert wrong == [], wrong


def git(data: bytes, by: MapReader = _BY_FILE) -> None:
    """An archive in git: a game without errors, which can be compared with each commit, and nothing
    fails to be read.
    """
    past = _past(data, by)
    got = import_git(past)
    _report(got)
    assert not {one.slug for one in got.warnings} & {"not-read"}, got.warnings
    if not got.files:
        return
    kept = history_of_tree(got.files)
    assert errors(kept) == []
    states = [ProofState(place=commit.sha, changed=dict(pairs_of(data))) for commit in past.line]
    told = prove(states, events_at([one.place for one in states], kept.records, kept.replay))
    assert 0 <= told.placed <= told.words
    assert told.differing <= told.states


def _past(data: bytes, by: MapReader) -> Past:
    """A line of commits: each `@@ > SUBJECT`, below which stand date and author, and then the files
    that it has.
    """
    commits: list[PastCommit] = []
    texts: dict[TextKey, FileText] = {}
    tree: dict[str, str] = {}
    touched: dict[str, Touched] = {}
    told = ("Begin", "", "")
    for name, content in [*pairs_of(data)[:40], ("> end", b"")]:
        if name.startswith("> "):
            if touched:
                commits.append(_commit(commits, told, tuple(touched.values())))
            date, _, author = content.decode("utf-8", "replace").partition("\n")
            told, touched = (name[2:], date.strip(), author.strip()), {}
        else:
            oid = blob_id(content) if content else None
            if oid is not None:
                texts[oid, name if by.map.by_path else ""] = by.read(content, name)
            touched[name] = Touched(path=name, before=tree.get(name), after=oid)
            tree.pop(name, None)
            tree |= {name: oid} if oid else {}
    line = tuple(commits)
    return Past(
        commits={one.sha: one for one in line}, line=line, texts=texts, by_path=by.map.by_path
    )


def _commit(
    before: list[PastCommit], told: tuple[str, str, str], touched: tuple[Touched, ...]
) -> PastCommit:
    subject, date, author = told
    day = date or f"2021-03-{len(before) % 28 + 1:02d}T21:00:00+02:00"
    return PastCommit(
        sha=CommitId(f"{len(before) + 1:040x}"),
        parents=(before[-1].sha,) if before else (),
        author=author,
        authored=day,
        committed=day,
        subject=subject,
        touched=touched,
    )


def blob(data: bytes) -> None:
    """A file of such an archive: each of its rules, and what is odd, stands on one of its lines."""
    for one in shipped_maps().values():
        found = MapReader(one).read(data, "rules/101.md")
        last = len(re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace")))
        assert all(
            1 <= one <= last
            for one in (*(line for line, _ in found.rules), *(slip.line for slip in found.slips))
        )


def log(data: bytes) -> None:
    """What git prints of a log: read, or said to be none of git's."""
    with suppress(ValueError):
        commits = parse_log(data).commits
        assert len(commits) <= data.count(b"\0") + 1
    with suppress(ValueError):
        past = parse_commit_log(data)
        assert {one.sha for one in past.line} <= past.commits.keys()


def _told(findings: tuple[Finding, ...], name: str, data: bytes) -> None:
    """They stand in the file, or in what it reads as: without anything invisible, and with other
    ends of lines.
    """
    words, _ = decode_words(data)
    hold(
        [one for one in findings if words is None or not stands(one, words.encode())], {name: data}
    )


def _sound(files: Mapping[str, bytes]) -> None:
    wrong = errors(history_of_tree(files)) if files else []
    assert wrong == [], wrong


def _report(found: ImportedGame) -> None:
    shown = report_markdown("data", found.findings, found.warnings)
    shown = shown.replace("\N{WORD JOINER}", "")  # which parts marks that would call somebody
    assert re.search(CONTROLS, shown) is None, re.search(CONTROLS, shown)


def text_seeds() -> Iterator[bytes]:
    yield (
        b"RULES\n\nImmutable Rules\n\n101. Play fair.\n\n102. Write\nit down.\n\nMutable Rules\n\n"
        b"201. One. [void]\n(a) x\n(b) y\n"
    )
    yield (
        b"# Lamps\n\n## 101/0 (IMMUTABLE)\n\nPlay fair.\n\n## 201. Lamps\n\n* a\n* b\n\n```\n"
        b"code\n```\n"
    )
    yield (
        b"Rule 1: A\nRules 1-3 are immutable. The numbers begin with 301.\nRule 2\n- x\n-- y\n"
        b"* * *\nRule 4\n"
    )
    yield _LANTERN.read_bytes()


def _maps() -> Iterator[bytes]:
    for one in shipped_maps().values():
        for seed in text_seeds():
            yield map_bytes(one) + b"@@ text\n" + seed[:900]


def _longs() -> Iterator[bytes]:
    whole = _LANTERN.read_bytes()
    yield whole
    head, *rules = re.split(rb"(?m)^(?=## )", whole)
    yield from (head + one for one in rules)


def _agora() -> Iterator[bytes]:
    files = unfold((_IMPORTERS / "agora" / "data.txt").read_bytes())
    yield joined(files)
    for name, data in files.items():
        yield joined({name: data})


def git_seeds() -> Iterator[bytes]:
    fair = "@@ r/101.md\n## 101/0 (IMMUTABLE)\n\nPlay fair.\n"
    yield (
        f"@@ > Begin\n\n\n{fair}@@ > Proposal 301: Lamps (Wren)\n2021-03-02\nWren\n@@ r/201.md\n"
        "## 201/0\n\nLamps.\n"
    ).encode()
    yield (
        f'@@ > Begin\n{fair}@@ > Judgement 1\n{fair}And square.\n@@ > Revert "Judgement 1"\n'
        f"{fair}@@ > P 302\n@@ r/101.md\n"
    ).encode()
    one = "@@ rules.md\n# RULES\n\n## 101/0 (IMMUTABLE)\n\nPlay fair.\n\n## 201/0\n\nLamps.\n"
    yield (
        f"@@ > Begin\n{one}@@ > Proposals 301 and 302\n{one}\n## 302/0 [void]\n\nBells.\n@@ > x\n"
        "@@ rules.md\n## 201/1\n\nNo lamps.\n"
    ).encode()
    yield (
        b"@@ > Begin\n@@ r/101.md\n## 101/0\n\nA.\n@@ > P301\n@@ r/101.md\n## 305/0\n\nA.\n"
        + _LANTERN.read_bytes()[:900]
    )


def _blobs() -> Iterator[bytes]:
    for seed in (*text_seeds(), *git_seeds()):
        yield from (content for _, content in pairs_of(seed))


def _logs() -> Iterator[bytes]:
    sha, change = b"a" * 40, b":100644 100644 " + b"b" * 40 + b" " + b"c" * 40 + b" M\0r/101.md\0"
    yield b"\0".join(
        [sha, b"2021-03-01T00:00:00Z", b"Wren", b"Proposal 301", b"acts/a.md\x1fx", b"\n" + change]
    )
    yield b"\0".join(
        [
            sha,
            b"d" * 40,
            b"Wren",
            b"2021-03-01T00:00:00Z",
            b"2021-03-01T00:00:00Z",
            b"S",
            b"Body\n",
            b"\n" + change,
        ]
    )


TARGETS = (
    Target(name="text", run=text, seeds=text_seeds, words=WORDS),
    Target(name="maps", run=maps, seeds=_maps, words=(*_MAP, *WORDS)),
    Target(name="long", run=long, seeds=_longs, words=WORDS),
    Target(name="agora", run=agora, seeds=_agora, words=_YAML),
    Target(name="git", run=git, seeds=git_seeds, words=(*GIT, *WORDS)),
    Target(name="blob", run=blob, seeds=_blobs, words=WORDS),
    Target(
        name="log",
        run=log,
        seeds=_logs,
        words=("a" * 40, ":100644 100644 ", " M", "\n", "\x1f", "-", "+02:00", "000000"),
    ),
)
