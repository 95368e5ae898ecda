"""What is imported: texts, rulesets in the long format, archives in git, Agora's data, and what git prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from nomicgen.model.findings import Finding
from nomicgen.files.file_findings import Notes
from nomicgen.files.text_encoding import CONTROLS
from nomicgen.formats.ruleset_text import long_md
from nomicgen.model.identifiers import CommitId
from nomicgen.importers.agora.importer import import_agora
from nomicgen.importers.certificate import certified
from nomicgen.importers.git.importer import import_git
from nomicgen.importers.git_outline import ArchiveForm, read_form
from nomicgen.importers.commit_log import Past, PastCommit, Text, Touched, parse_past
from nomicgen.importers.git.printed import read_printed
from nomicgen.importers.git_texts import FileText, number_of_file, read_whole
from nomicgen.importers.import_report import ArchiveWarnings, Report, report_json, report_markdown
from nomicgen.importers.printed.format import normalised
from nomicgen.importers.long.importer import import_long
from nomicgen.importers.text_import import import_text
from nomicgen.importers.text_reading import read_text
from nomicgen.importers.tiers import TierMap
from nomicgen.repository.git_log import blob_id, parse_log
from tests.fuzz.target import Target, hold, joined, pairs_of, parts_of, stands
from tests.importers.texts import unaccounted
from tests.rulesets import archive, errors
from tests.support import ROOT

_IMPORTERS = ROOT / "tests" / "importers"
_LANTERN = _IMPORTERS / "lantern-long.md"
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
    *("*Amended (1) by Proposal 301 (Wren), Mar 2, 2021 (R1T1)*  \n", "*Repealed by Proposal 309, Mar 1, 2021*"),
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
    """A ruleset kept as text: a game without errors, in which every letter has its one place."""
    for name in ("rules.txt", "rules.md"):
        found = import_text(data, name)
        _told(found.findings, name, data)
        assert found.files or found.findings
        if b"history" not in data.lower():
            _sound(found.files)  # what is damaged in the long format may leave errors, which the import then refuses
        assert list(found.numbers) == sorted(set(found.numbers))
        words = normalised(data, Notes(name))
        read = read_text(words, markdown=name == "rules.md", tiers=TierMap(), notes=Notes(name)) if words else None
        assert read is None or words is None or unaccounted(words, read.outline) == []


def long(data: bytes) -> None:
    """A ruleset in the long format: what its game prints, read again, prints the same."""
    found = import_long(data, "long.md")
    _told(found.findings, "long.md", data)
    assert found.files or found.findings
    if not found.files:
        return
    once = archive(found.files)
    # A damaged heading may make the lesser tier the greater one; the next export then says so.
    if not errors(once) and once.records.settings.tiers == ["immutable", "mutable"]:
        printed = long_md(once)
        again = long_md(archive(import_long(printed.encode(), "again.md").files))
        assert again == printed


def agora(data: bytes) -> None:
    """Agora's data: every entry that was read is in the report, and the game reads without errors."""
    files = parts_of(data)
    found = import_agora(files, "data")
    hold([one for one in found.findings if one.span.file in files], files)
    _report(found.report)
    records = archive(found.files) if found.files else None
    wrong = [one for one in records.findings if one.is_error and one.slug != "rules-missing"] if records else []
    assert wrong == [], wrong
    told = [one for one in found.report.events if one.subject not in ("Left out of the index", "Listed in the index")]
    assert len(told) == found.report.totals.get("entries of histories", 0)


def git(data: bytes, form: ArchiveForm | None = None) -> None:
    """An archive in git: what the game gives after each commit is what the commit has, and nothing fails to be read."""
    past = _past(data, form)
    warnings = ArchiveWarnings()
    printed = None
    for name, content in pairs_of(data):
        if name == "printed":
            printed = read_printed(content, "long.md", warnings)
    got = import_git(past, "archive", printed=printed, warnings=warnings)
    _report(got.report)
    assert not {one.slug for one in got.report.warnings} & {"not-read"}, got.report.warnings
    if not got.files:
        return
    kept = archive(got.files)
    assert errors(kept) == []
    if got.observed is not None and printed is None:
        told = certified(got.observed, kept.records, kept.replay, "archive", {})
        assert {one.why for one in told.differing} <= {"missing in the ledger", "title"}, told.differing


def _past(data: bytes, form: ArchiveForm | None = None) -> Past:
    """A line of commits: each `@@ > SUBJECT`, below which stand date and author, and then the files that it has."""
    commits: list[PastCommit] = []
    texts: dict[Text, FileText] = {}
    tree: dict[str, str] = {}
    touched: dict[str, Touched] = {}
    told = ("Begin", "", "")
    for name, content in [*pairs_of(data)[:40], ("> end", b"")]:
        if name.startswith("> "):
            if touched:
                commits.append(_commit(commits, told, tuple(touched.values())))
            date, _, author = content.decode("utf-8", "replace").partition("\n")
            told, touched = (name[2:], date.strip(), author.strip()), {}
        elif name != "printed":
            oid = blob_id(content) if content else None
            if oid is not None:
                tree_key = (oid, number_of_file(name))
                texts[tree_key] = read_form(content, tree_key[1], form or ArchiveForm())
            touched[name] = Touched(path=name, before=tree.get(name), after=oid)
            tree.pop(name, None)
            tree |= {name: oid} if oid else {}
    return Past(commits={one.sha: one for one in commits}, line=tuple(commits), texts=texts)


def _commit(before: list[PastCommit], told: tuple[str, str, str], touched: tuple[Touched, ...]) -> PastCommit:
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
    whole = read_whole(data, None)
    named = read_whole(data, 101)
    for found in (whole, named):
        last = len(re.split(r"\r\n|\r|\n", data.decode("utf-8", "replace")))
        assert all(
            1 <= one <= last for one in (*(line for line, _ in found.rules), *(slip.line for slip in found.slips))
        )


def log(data: bytes) -> None:
    """What git prints of a log: read, or said to be none of git's."""
    with suppress(ValueError):
        commits = parse_log(data).commits
        assert len(commits) <= data.count(b"\0") + 1
    with suppress(ValueError):
        past = parse_past(data)
        assert {one.sha for one in past.line} <= past.commits.keys()


def _told(findings: tuple[Finding, ...], name: str, data: bytes) -> None:
    """They stand in the file, or in what it reads as: without anything invisible, and with other ends of lines."""
    words = normalised(data, Notes(name))
    hold([one for one in findings if words is None or not stands(one, words.encode())], {name: data})


def _sound(files: Mapping[str, bytes]) -> None:
    wrong = errors(archive(files)) if files else []
    assert wrong == [], wrong


def _report(report: Report) -> None:
    shown = report_markdown(report).replace("\N{WORD JOINER}", "")  # which parts marks that would call somebody
    assert CONTROLS.search(shown) is None, CONTROLS.search(shown)
    report_json(report).encode()


def text_seeds() -> Iterator[bytes]:
    yield (
        b"RULES\n\nImmutable Rules\n\n101. Play fair.\n\n102. Write\nit down.\n\nMutable Rules\n\n"
        b"201. One. [void]\n(a) x\n(b) y\n"
    )
    yield b"# Lamps\n\n## 101/0 (IMMUTABLE)\n\nPlay fair.\n\n## 201. Lamps\n\n* a\n* b\n\n```\ncode\n```\n"
    yield b"Rule 1: A\nRules 1-3 are immutable. The numbers begin with 301.\nRule 2\n- x\n-- y\n* * *\nRule 4\n"
    yield _LANTERN.read_bytes()


def _longs() -> Iterator[bytes]:
    whole = _LANTERN.read_bytes()
    yield whole
    head, *rules = re.split(rb"(?m)^(?=## )", whole)
    yield from (head + one for one in rules)


def _agora() -> Iterator[bytes]:
    folder = _IMPORTERS / "agora" / "data"
    files = {one.relative_to(folder).as_posix(): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}
    yield joined(files)
    for name, data in files.items():
        yield joined({name: data})


def git_seeds() -> Iterator[bytes]:
    fair = "@@ r/101.md\n## 101/0 (IMMUTABLE)\n\nPlay fair.\n"
    yield (
        f"@@ > Begin\n\n\n{fair}@@ > Proposal 301: Lamps (Wren)\n2021-03-02\nWren\n@@ r/201.md\n## 201/0\n\nLamps.\n"
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
        b"@@ > Begin\n@@ r/101.md\n## 101/0\n\nA.\n@@ > P301\n@@ r/101.md\n## 305/0\n\nA.\n@@ printed\n"
        + _LANTERN.read_bytes()[:900]
    )


def _blobs() -> Iterator[bytes]:
    for seed in (*text_seeds(), *git_seeds()):
        yield from (content for _, content in pairs_of(seed))


def _logs() -> Iterator[bytes]:
    sha, change = b"a" * 40, b":100644 100644 " + b"b" * 40 + b" " + b"c" * 40 + b" M\0r/101.md\0"
    yield b"\0".join([sha, b"2021-03-01T00:00:00Z", b"Wren", b"Proposal 301", b"acts/a.md\x1fx", b"\n" + change])
    yield b"\0".join(
        [sha, b"d" * 40, b"Wren", b"2021-03-01T00:00:00Z", b"2021-03-01T00:00:00Z", b"S", b"Body\n", b"\n" + change]
    )


TARGETS = (
    Target(name="text", run=text, seeds=text_seeds, words=WORDS),
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
