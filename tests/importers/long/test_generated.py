"""What holds of any game and of any text: an export read back prints the same, and no text makes
the import fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from nomicgen.files.yaml_writing import write_front_matter, write_yaml
from nomicgen.formats.ruleset_text import long_md, long_txt, short_md, short_txt
from nomicgen.importers.long.history_lines import parse_history_line, parse_judgement_line
from nomicgen.importers.long.importer import import_long
from nomicgen.model.values import Moment
from tests.deep import examples
from tests.rulesets import errors, history_of_tree

LANTERN = (Path(__file__).parent / "lantern-long.md").read_text("utf-8")
NAMES = (
    "Wren",
    "Wren!",
    "quill (the elder)",
    "R1T1",
    "a_b *c* [d] \\ <e> `f`",
    "Zoë, 7th",
    "鳥",
    ") :-(",
    "Rule of three",
)
CAUSES = ("Spell 7", "a wish (the second)", "Enacted by *nobody*", "correction, late")
TEXTS = (
    "Lamps are lit.",
    "One  \ntwo\n* three\n  * four\n\n1) five ",
    "```\n## 9/0\n\n##### *History*\n\n*Initial mutable Rule 9*\n```",
    "A rule.\n\n##### *History*\n\n*Initial mutable Rule 9*\n\nMore.\n\n##### *Judgments*\n\n"
    "*No. (X), Jan 1, 2021*",
    "Worse.\n\n##### *History*\n\n*Initial mutable Rule 9*\n\n##### *Judgments*\n\n"
    "*No. (X), Jan 1, 2021*",
    "    indented\n\n\nand *far* below",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "*(text not lost)*",
)
RULINGS = (
    "It is.",
    "It *is*, (so far)",
    "# one",
    "- one\n- two",
    "1. No.",
    "*Yes*",
    "Of Mar 1, 2021",
    "`Enact`\n\nmore",
)
SPARSE = settings(
    max_examples=examples(0.6), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@dataclass
class Play:
    """A game as it is played by chance: `rules` has revision and tier by number, as they come to
    stand.
    """

    draw: st.DrawFn
    tree: dict[str, bytes] = field(default_factory=dict)
    rules: dict[int, tuple[int, str]] = field(default_factory=dict)
    day: date = date(2021, 1, 1)
    proposal: int = 300
    judgement: int = 0

    def begin(self) -> None:
        links = self.draw(
            st.sampled_from(
                [
                    None,
                    {"file": "https://f.example/{sha}/{path}"},
                    {"commit": "https://f.example/{sha}"},
                ]
            )
        )
        numbering = self.draw(st.sampled_from(["proposal", "keep", None]))
        self.suber = numbering == "proposal"
        self.commits = links is not None
        self.tree["nomic.yml"] = write_yaml(
            {"format": 1, "name": "Lantern", "started": self.day, "links": links}
        )
        for at, name in enumerate(NAMES):
            self.tree[f"players/p{at}.yml"] = write_yaml({"name": name})
        for number, tier in (
            (101, "immutable"),
            (201, "mutable"),
            (202, "mutable"),
            (203, "mutable"),
        ):
            says = (
                {"numbering": {"amended": numbering, "transmuted": numbering}}
                if numbering and number == 101
                else None
            )
            matter = {
                "number": number,
                "mutability": tier,
                "provisions": says,
                "commit": self.commit(),
            }
            self.tree[f"rules/initial/{number}.md"] = write_front_matter(
                matter, self.draw(st.sampled_from(TEXTS))
            )
            self.rules[number] = (0, tier)

    def commit(self) -> str | None:
        if not self.commits or self.draw(st.booleans()):
            return None
        return self.draw(st.sampled_from(["a1" * 20, "b2" * 20]))

    def common(self) -> dict[str, object]:
        self.day += timedelta(days=self.draw(st.integers(0, 2)))
        late = self.draw(st.sampled_from([0, 0, 0, 1, 4]))
        return {
            "turn": self.draw(st.sampled_from([None, "R1T1", "R12T3"])),
            "effective": Moment.of(self.day + timedelta(days=late)) if late else None,
            "commit": self.commit(),
        }

    def instructions(self, number: int | None) -> str:
        """One or two instructions; a game where everything takes effect at once comes to stand as
        `rules` says.
        """
        targets = self.draw(
            st.lists(st.sampled_from(sorted(self.rules)), min_size=1, max_size=2, unique=True)
        )
        return "\n\n".join(
            self.instruction(target, number, at) for at, target in enumerate(targets)
        )

    def instruction(self, target: int, number: int | None, at: int) -> str:
        revision, tier = self.rules[target]
        ref = f"{target}/{revision}"
        verbs = ["amend", "amend", "enact", "repeal", "transmute", "renumber"]
        # Which number a rule had between a renumbering and a number that it took, the format does
        # not say.
        verb = self.draw(st.sampled_from(verbs[:-1] if self.suber else verbs))
        taken = (
            number
            if self.suber and number and verb in ("amend", "transmute") and not at
            else target
        )
        if verb == "enact" and not at:
            born = number or 600 + len(self.tree)
            self.rules[born] = (0, "mutable")
            return f"## Enact Rule {born}\n\n{self.draw(st.sampled_from(TEXTS))}"
        if verb == "repeal" and len(self.rules) > 2:
            del self.rules[target]
            return f"## Repeal Rule {ref}"
        del self.rules[target]
        if verb == "transmute":
            other = "mutable" if tier == "immutable" else "immutable"
            self.rules[taken] = (revision, other)
            return f"## Transmute Rule {ref} to {other}"
        if verb == "renumber":
            new = 700 + len(self.tree)
            self.rules[new] = (revision, tier)
            return f"## Renumber Rule {ref} to {new}"
        self.rules[taken] = (revision + 1, tier)
        return f"## Amend Rule {ref}\n\n{self.draw(st.sampled_from(TEXTS))}"

    def move(self) -> None:
        common = self.common()
        player = self.draw(st.sampled_from([None, *(f"p{at}" for at in range(len(NAMES)))]))
        kind = self.draw(st.sampled_from(["proposal", "proposal", "judgement", "act"]))
        when = Moment.of(self.day)
        if kind == "proposal":
            self.proposal += self.draw(st.integers(1, 2))
            matter = {
                "number": self.proposal,
                "author": player,
                "status": "adopted",
                "decided": when,
                **common,
            }
            body = self.instructions(self.proposal)
        elif kind == "act":
            cause = self.draw(st.sampled_from(CAUSES))
            matter, body = (
                {"cause": cause, "by": player, "date": when, **common},
                self.instructions(None),
            )
        else:
            self.judgement += 1
            target = self.draw(st.sampled_from(sorted(self.rules)))
            rules = [f"{target}/{self.rules[target][0]}"]
            matter = {
                "number": self.judgement,
                "judge": player,
                "date": when,
                "status": "upheld",
                "rules": rules,
                **common,
            }
            body = f"## Ruling\n\n{self.draw(st.sampled_from(RULINGS))}"
            if self.draw(st.booleans()):
                body += f"\n\n{self.instructions(None)}"
        self.tree[f"{kind}s/{len(self.tree) if kind == 'act' else matter['number']}.md"] = (
            write_front_matter(matter, body)
        )


@st.composite
def games(draw: st.DrawFn) -> dict[str, bytes]:
    """The files of a game; some of its instruments may have been impossible, and then changed
    nothing.
    """
    play = Play(draw)
    play.begin()
    for _ in range(draw(st.integers(0, 8))):
        play.move()
    return play.tree


@SPARSE
@given(games())
def test_an_export_that_is_read_back_prints_the_same(tree: dict[str, bytes]) -> None:
    before = history_of_tree(tree)
    judgements = [*before.records.of_kind("judgement")]
    lines = {(one.ruling, one.matter.judge, one.decided, one.matter.turn) for one in judgements}
    # The format has no numbers of judgements: two that read alike are one.
    assume(len(lines) == len(judgements))
    printed = long_md(before)
    found = import_long(printed.encode(), "rules-l.md")
    assert {one.slug for one in found.findings} <= {"import-unread"}
    after = history_of_tree(found.files)
    assert errors(after) == []
    assert long_md(after) == printed
    assert short_md(after) == short_md(before)
    assert long_txt(after) == long_txt(before)
    assert short_txt(after) == short_txt(before)


def edited(lines: list[str], edits: list[tuple[int, int, str]]) -> str:
    for where, what, word in edits:
        at = where % len(lines)
        line = lines[at]
        if what < 20:
            lines[at : at + 1] = []
        elif what < 40:
            lines.insert(at, word)
        elif what < 60:
            lines[at] = line[: where % (len(line) + 1)] + word + line[where % (len(line) + 1) :]
        elif what < 80:
            other = (where * 7) % len(lines)
            lines[at], lines[other] = lines[other], line
        else:
            lines[at] = (
                line[: where % (len(line) + 1)] + line[where % (len(line) + 1) + what - 79 :]
            )
        lines = lines or [""]
    return "\n".join(lines)


WORDS = (
    *(
        "",
        " ",
        "  ",
        "(",
        ")",
        "*",
        "[",
        "]",
        "/",
        "`",
        "```",
        "<!--",
        "#",
        "## ",
        "##### *History*",
        "##### *Judgments*",
    ),
    *(
        "0",
        "9",
        "\t",
        "\u2028",
        "\x00",
        "é",
        "e\u0301",
        "\r",
        ", Feb 31, 2021",
        " (R1T1)",
        ", Dec 31, 9999",
        "{sha}",
        "\\",
    ),
    *(
        "## 999/0",
        "## 201/7 (IMMUTABLE)",
        "# Title",
        "~~~",
        "```yaml rule",
        "<div>",
        "> ## 5/1",
        "---",
        "*A. (B)*",
    ),
    *(
        "*Initial mutable Rule 201, Mar 1, 2021*",
        "*Enacted by Proposal 304*",
        "*Repealed by Proposal 309, Mar 1, 2021*",
    ),
    *(
        "*Renumbered from 9 by Judgement 3*",
        "*Retitled by x (y)*",
        "*Marked by Judgement 9*",
        "*Transmuted to odd by z*",
    ),
)
EDITS = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(0, 99), st.sampled_from(WORDS)), max_size=8
)


@SPARSE
@given(EDITS)
def test_no_damaged_ruleset_makes_the_import_fail(edits: list[tuple[int, int, str]]) -> None:
    text = edited(LANTERN.split("\n"), edits)
    found = import_long(text.encode(), "rules-l.md")
    last = text.count("\n") + text.count("\r") + 1
    assert all(1 <= one.span.line <= last and one.span.column >= 1 for one in found.findings)
    if not found.files:
        assert found.findings
        return
    once = history_of_tree(found.files)
    printed = long_md(once)
    # A damaged heading may make the lesser tier the greater one; the next export then says so.
    if not errors(once) and once.records.settings.tiers == ["immutable", "mutable"]:
        assert long_md(history_of_tree(import_long(printed.encode(), "again.md").files)) == printed


@given(st.binary(max_size=200))
def test_no_bytes_make_the_import_fail(data: bytes) -> None:
    found = import_long(data, "rules-l.md")
    assert found.files or found.findings


@given(st.text(st.characters(codec="utf-8"), max_size=120))
def test_no_line_makes_its_reader_fail(line: str) -> None:
    for raw in (
        line,
        f"*{line}*",
        f"*Amended (1) by {line}*",
        f"[*Enacted by {line}*](https://f.example)",
    ):
        parse_history_line(raw)
        parse_judgement_line(("Wren",), raw)
