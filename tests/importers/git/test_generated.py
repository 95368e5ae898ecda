"""Whatever was done in an archive, commit by commit, is what its import tells: events, texts and
commits.
"""

from __future__ import annotations

import subprocess
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.deep import examples
from tests.importers.archives import Asked, imported, proved
from tests.importers.telling import events_of
from tests.rulesets import errors, history_of_tree

Event = tuple[str, int, int]
"""Verb, number and revision."""
Cause = tuple[str, str]


@dataclass(frozen=True)
class Law:
    """A rule as the archive has it."""

    number: int
    revision: int
    words: tuple[str, ...]
    tier: str = "mutable"
    void: bool = False

    @property
    def text(self) -> str:
        return f"The {' '.join(self.words)}."


@dataclass
class Play:
    """An archive as it is kept by chance. `told` are the events of each commit, `states` the rules
    after it.
    """

    draw: st.DrawFn
    one: bool
    counted: bool
    rules: dict[int, Law] = field(default_factory=dict)
    gone: dict[int, Law] = field(default_factory=dict)
    subjects: list[str] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    told: list[list[Event]] = field(default_factory=list)
    states: list[dict[int, Law]] = field(default_factory=list)
    days: list[int] = field(default_factory=list)
    folder: str = "r/"
    folders: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    words: int = 0
    number: int = 300

    def word(self) -> str:
        self.words += 1
        return f"w{self.words}"

    def fresh(self) -> tuple[str, ...]:
        return tuple(self.word() for _ in range(12))

    def next_number(self) -> int:
        self.number += self.draw(st.integers(1, 3))
        return self.number

    def begin(self) -> None:
        for number, tier in (
            (101, "immutable"),
            (201, "mutable"),
            (202, "mutable"),
            (203, "mutable"),
        ):
            self.rules[number] = Law(
                number, 0 if not self.counted else number % 3, self.fresh(), tier
            )
        self.keep(
            "Begin",
            ("", ""),
            [("initial", one.number, one.revision) for one in self.rules.values()],
        )

    def keep(self, subject: str, cause: Cause, events: list[Event]) -> None:
        self.subjects.append(subject)
        self.causes.append(cause)
        self.told.append(events)
        self.states.append(dict(sorted(self.rules.items())))
        self.days.append(len(self.days) * 2 + self.draw(st.integers(0, 4)))
        self.folders.append(self.folder)
        self.ends.append(self.draw(st.sampled_from(["\n", "\n", "\r\n"])))

    def move(self) -> None:
        """A commit that does nothing but put the files elsewhere."""
        if self.rules:
            self.folder = (
                f"{self.draw(st.sampled_from(['', 'game/', 'old/md/']))}r{len(self.told)}/"
            )
            self.keep("Tidy up", ("", ""), [])
            self.ends[-1] = self.ends[-2]

    def step(self) -> None:
        events: list[Event] = []
        left, free = list(self.rules), sorted(set(self.gone) - set(self.rules))
        came: list[Law] = []
        for _ in range(self.draw(st.integers(1, 3))):
            if self.draw(st.integers(0, 3)) == 0 or not left:
                came.append(self.arrival(events, free))
            else:
                number = left.pop(self.draw(st.integers(0, len(left) - 1)))
                self.change(self.rules[number], events)
        for one in came:
            self.rules[one.number] = one
        subject, cause = self.subject()
        self.keep(subject, cause, events)

    def arrival(self, events: list[Event], free: list[int]) -> Law:
        back = self.draw(st.booleans())
        if free and back:
            number = free.pop(self.draw(st.integers(0, len(free) - 1)))
            former = self.gone.pop(number)
            one = replace(former, void=False, revision=former.revision if self.counted else 0)
            events.append(("returned", number, one.revision))
            return one
        one = Law(
            self.next_number(),
            0,
            self.fresh(),
            self.draw(st.sampled_from(["mutable", "immutable"])),
        )
        events.append(("enacted", one.number, 0))
        return one

    def change(self, rule: Law, events: list[Event]) -> None:
        del self.rules[rule.number]
        if self.draw(st.integers(0, 5)) == 0:
            events.append(("repealed", rule.number, rule.revision))
            self.gone[rule.number] = rule
            return
        verbs = self.draw(
            st.sets(
                st.sampled_from(["amended", "transmuted", "renumbered", "marked"]),
                min_size=1,
                max_size=3,
            )
        )
        now = rule
        if "amended" in verbs:
            at = self.draw(st.integers(0, 11))
            words = (*now.words[:at], self.word(), *now.words[at + 1 :])
            now = replace(
                now,
                words=words,
                revision=now.revision + (self.draw(st.integers(0, 3)) if self.counted else 1),
            )
        if "transmuted" in verbs:
            now = replace(now, tier="mutable" if now.tier == "immutable" else "immutable")
        if "renumbered" in verbs:
            now = replace(now, number=self.next_number())
        if "marked" in verbs:
            now = replace(now, void=not now.void)
        said = [
            ("voided" if now.void else "revived") if verb == "marked" else verb for verb in verbs
        ]
        events += [(verb, now.number, now.revision) for verb in said]
        self.rules[now.number] = now

    def subject(self) -> tuple[str, Cause]:
        number = self.next_number()
        return self.draw(
            st.sampled_from(
                [
                    (f"Proposal {number}", ("proposal", str(number))),
                    (f"P{number}: words", ("proposal", str(number))),
                    (f"Judgment #{number}", ("judgement", str(number))),
                    (f"Temporary Rule {number}", ("act", f"Temporary Rule {number}")),
                    ("Tidy up", ("act", "Correction")),
                ]
            )
            if len(self.told) > 1
            else st.just((f"Proposal {number}", ("proposal", str(number))))
        )

    def files(self, rules: dict[int, Law], folder: str, end: str) -> dict[str, str]:
        written = {}
        for number, one in rules.items():
            marks = (" (IMMUTABLE)" if one.tier == "immutable" else "") + (
                " (VOID)" if one.void else ""
            )
            revision = f"/{one.revision}" if self.counted else ""
            written[f"{folder}{number}.md"] = f"## {number}{revision}{marks}\n\n{one.text}\n"
        if self.one:
            written = {f"{folder}rules.md": "# RULES\n\n" + "\n".join(written.values())}
        return {path: text.replace("\n", end) for path, text in written.items()}


@st.composite
def plays(draw: st.DrawFn) -> Play:
    play = Play(draw, one=draw(st.booleans()), counted=draw(st.booleans()))
    play.begin()
    for _ in range(draw(st.integers(1, 7))):
        play.step()
        if draw(st.integers(0, 4)) == 0:
            play.move()
    return play


def commit_all(play: Play, root: Path) -> list[str]:
    """Makes the commits; gives their ids."""
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", str(root)], check=True)
    stream = []
    before: dict[str, str] = {}
    for at, (subject, rules, day) in enumerate(
        zip(play.subjects, play.states, play.days, strict=True)
    ):
        files = play.files(rules, play.folders[at], play.ends[at])
        when = 1_600_000_000 + day * 86_400
        stream.append(
            f"commit refs/heads/main\nmark :{at + 1}\nauthor Wren <w@example.org> {when} +0000\n"
        )
        stream.append(f"committer Wren <w@example.org> {1_700_000_000 + at} +0000\n")
        stream.append(f"data {len(subject)}\n{subject}\n")
        stream += [f"D {path}\n" for path in before.keys() - files.keys()]
        stream += [
            f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"
            for path, text in files.items()
            if before.get(path) != text
        ]
        before = files
    marks = root / "marks"
    command = ["git", "-C", str(root), "fast-import", "--quiet", f"--export-marks={marks}"]
    subprocess.run(command, input="".join(stream).encode(), check=True)
    found = dict(line.split() for line in marks.read_text().splitlines())
    return [found[f":{at + 1}"] for at in range(len(play.told))]


@pytest.mark.nightly
@given(plays())
@settings(max_examples=examples(0.6), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_an_archive_of_known_changes_is_told_exactly(play: Play) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        shas = commit_all(play, root)
        # Where the files stood before they were moved is found out.
        name = "rules.md" if play.one else "*.md"
        pattern = f"{play.folders[-1]}{name}"
        got = imported(root, Asked(patterns=(pattern,)))
        certificate = proved(root, got, pattern)
    wrong = {"not-read"} & {one.slug for one in got.warnings}
    assert not wrong
    told: dict[str | None, list[Event]] = defaultdict(list)
    for one in events_of(got.files):
        told[one.commit].append((one.what, one.number, one.revision))
    changed = [at for at in range(len(shas)) if play.told[at]]
    assert {sha: sorted(events) for sha, events in told.items()} == {
        shas[at]: sorted(play.told[at]) for at in changed
    }
    kept = history_of_tree(got.files)
    assert errors(kept) == []
    states = certificate.states
    assert certificate.told.startswith(f"{states} of {states} states identical, every word placed")
    # In each state the title of the one file, `# RULES`, is left out.
    assert certificate.omitted == (states if play.one else 0)
    steps = kept.replay.steps
    made = [
        (one.instrument.matter.commit, one.instrument.kind, _cause(one.instrument.name))
        for one in steps
    ]
    assert made == [(shas[at], play.causes[at][0], play.causes[at][1]) for at in changed[1:]]
    for at, step in zip(changed[1:], steps, strict=True):
        now = {
            rule.number: (rule.revision, rule.tier, rule.text, bool(rule.void))
            for rule in step.after
        }
        state = play.states[at]
        assert now == {
            number: (one.revision, one.tier, one.text, one.void) for number, one in state.items()
        }


def _cause(name: str) -> str:
    return name.removeprefix("Proposal ").removeprefix("Judgement ")
