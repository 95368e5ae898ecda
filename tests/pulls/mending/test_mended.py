"""Drafts as people write them in a browser: whoever obeys the comment, and has nothing else, comes
to a vote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from nomicgen.cli.program import main
from nomicgen.files.documents import read_instrument
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Moment
from nomicgen.play.draft import names_in_game
from nomicgen.play.load import Game, load, load_tree
from nomicgen.play.mending.mend import apply_mendings
from nomicgen.play.preview.proposal import Preview
from nomicgen.play.refusal import Refused
from nomicgen.play.voting.voting import open_vote
from nomicgen.play.whole_files import ENACTED_TEXT, NEW_TEXT
from nomicgen.pulls.as_markdown import comment_markdown
from nomicgen.pulls.drafts import register_from
from nomicgen.pulls.examine import Pull, supposed_pull
from nomicgen.pulls.mending.rule import proposal_for
from nomicgen.pulls.report import PullReport, preview_in, report_on
from tests.cli.playing import begun, passed, run
from tests.deep import sampled
from tests.support import GitRepo

pytestmark = pytest.mark.deep

DRAFTS: Sequence[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "drafts.yml").read_text("utf-8")
)
CLEAR = [one for one in DRAFTS if "becomes" in one]
UNCLEAR = [one for one in DRAFTS if "may" in one]
IN_PROPOSALS = [one for one in CLEAR if one.get("path", "proposals/").startswith("proposals/")]
LOGIN = "osprey-plays"
PATH = "proposals/tea.md"
PULL, BRANCH = (
    "https://forge.example/us/tea/pull/7",
    "https://forge.example/osprey/tea/tree/patch-1",
)


def named(case: Any) -> str:
    return str(case["name"])


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game that has just begun, in which osprey has an account and the first turn."""
    repo = begun(GitRepo(tmp_path_factory.mktemp("mended") / "game"))
    path = "players/osprey.yml"
    repo.write({path: (repo.path / path).read_text() + f"accounts: {{github: {LOGIN}}}\n"})
    return load(repo.path, Moment.parse("2026-01-05"))


def brought(case: dict[str, Any]) -> tuple[str, bytes]:
    return case.get("path", PATH), case["text"].encode(case.get("encoding", "utf-8"))


def errors(base: Game, path: str, data: bytes) -> list[Finding]:
    """The errors of a pull request that brings one file, with those that its proposal would come
    to.
    """
    pull = supposed_pull(base, {path: data}, LOGIN)
    return errors_of(pull, preview_in(pull))


def judged(base: Game, path: str, data: bytes) -> tuple[Pull, PullReport, list[Finding]]:
    """A pull request that brings one file, what is told of it, and its errors."""
    pull = supposed_pull(base, {path: data}, LOGIN)
    told = report_on(pull, PULL, BRANCH)
    return pull, told, errors_of(pull, told.preview)


def errors_of(pull: Pull, preview: Preview | None) -> list[Finding]:
    found = [*pull.verdict.findings, *(preview.findings if preview is not None else ())]
    return [one for one in found if one.is_error]


def comment(pull: Pull, told: PullReport) -> str:
    return comment_markdown(pull.verdict, replace(told, workshop=None, hint=None))


def shown_files(text: str) -> list[str]:
    """The files that a comment shows whole, as a browser copies them."""
    return [
        one.content
        for one in MarkdownIt().parse(text)
        if one.type == "fence" and one.info == "markdown"
    ]


def pasted(text: str) -> bytes:
    """The one file that a comment shows whole, as a browser copies it."""
    (content,) = shown_files(text)
    return content.encode()


def edited_by_author(text: str) -> str:
    """A file as its author leaves it who does what the file asks for."""
    for words in (NEW_TEXT, ENACTED_TEXT):
        text = text.replace(words, "There is tea.")
    return text


def put_to_the_vote(base: Game, pull: Pull) -> Game:
    """The game in which the draft of a pull request has its number, and its vote is open."""
    after = register_from(base, pull, base.until, discussion=PULL).after
    later = Moment.parse("2026-01-25")
    return open_vote(load_tree(base.root, after.tree, later), 301, later).after


@pytest.mark.parametrize("case", sampled(CLEAR, every=8), ids=named)
def test_the_file_that_the_comment_shows_comes_to_a_vote(base: Game, case: dict[str, Any]) -> None:
    path, data = brought(case)
    pull, told, wrong = judged(base, path, data)
    assert wrong
    said = comment(pull, told)
    assert not re.search(r"What to do: .*`nomicgen ", said)
    assert told.mended is not None
    if told.mended.path != path:
        assert f"`{told.mended.path}`" in said
    assert ("A question: " in said) is case.get("asks", False)
    again, green, left = judged(base, told.mended.path, pasted(said))
    assert left == []
    assert green.mended is None
    (instruction,) = again.laid.records.instruments[told.mended.path].instructions
    assert instruction.heading == case["becomes"]
    after = put_to_the_vote(base, again)
    opened = after.tree["proposals/301.md"]
    assert isinstance(opened, bytes)
    assert b"\nstatus: open\n" in opened


@pytest.mark.parametrize("case", sampled(UNCLEAR, every=4), ids=named)
def test_what_needs_a_guess_is_asked(base: Game, case: dict[str, Any]) -> None:
    path, data = brought(case)
    pull, told, wrong = judged(base, path, data)
    assert wrong
    assert told.mended is not None
    assert [one.label for one in told.mended.files] == case["may"]
    said = comment(pull, told)
    files = shown_files(said)
    assert len(files) == len(case["may"])
    for label, text in zip(case["may"], files, strict=True):
        is_part = label.startswith("to change a part")
        if is_part or text != edited_by_author(text):
            # Copied as it is, it changes nothing, or still has our words: nobody votes on either.
            unedited = supposed_pull(base, {told.mended.path: text.encode()}, LOGIN)
            with pytest.raises(Refused):
                register_from(base, unedited, base.until, discussion=PULL)
        done = f"{text}\nThere is tea.\n" if is_part else edited_by_author(text)
        again, green, left = judged(base, told.mended.path, done.encode())
        assert left == []
        assert green.mended is None
        assert len(again.laid.records.instruments[told.mended.path].instructions) == 1
        put_to_the_vote(base, again)


WORDS = st.sampled_from(
    [
        "please",
        "delete",
        "change",
        "Rule 207",
        "Rule 203",
        "so that",
        "R211",
        "301",
        "it says",
        '"tea"',
    ]
)


@pytest.mark.nightly
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(WORDS, min_size=1, max_size=8))
def test_no_sentence_becomes_the_text_of_a_rule_in_force(base: Game, words: list[str]) -> None:
    sentence = " ".join(words)
    _, told, _ = judged(base, PATH, f"{sentence}\n".encode())
    assert told.mended is not None
    assert told.mended.is_choice
    for one in told.mended.files:
        instrument, _ = read_instrument(PATH, one.text.encode())
        assert instrument is not None
        (instruction,) = instrument.instructions
        if instruction.target is not None:
            rule = base.replay.current.once_numbered(instruction.target.number)
            assert rule is not None
            assert instruction.text in (rule.text, NEW_TEXT, None)
            assert (instruction.block.provisions if instruction.block else None) == (
                rule.provisions if instruction.verb == "amend" else None
            )


def test_a_break_on_a_line_of_its_own_is_told_what_is_wrong_with_it(base: Game) -> None:
    data = b"---\nauthor: osprey\nstatus: draft\n---\n\nSo.\n\n<br>\n\n## Repeal Rule 203/0\n"
    helps = {one.help for one in judged(base, PATH, data)[2] if one.slug == "html"}
    assert helps == {"delete it, or put it into a line of text"}


@pytest.mark.parametrize("case", sampled(IN_PROPOSALS, every=4), ids=named)
def test_what_each_finding_says_makes_it_go(base: Game, case: dict[str, Any]) -> None:
    path, data = brought(case)
    wrong = errors(base, path, data)
    for finding in wrong:
        if finding.mending and finding.mending.is_exact:
            left = errors(
                base, finding.mending.path or path, apply_mendings(data, [finding.mending])
            )
            assert (finding.slug, finding.message) not in {(one.slug, one.message) for one in left}
    for _ in range(2):
        mendings = [one.mending for one in wrong if one.mending and one.mending.is_exact]
        path = next((one.path for one in mendings if one.path is not None), path)
        data = apply_mendings(data, mendings)
        wrong = errors(base, path, data)
    assert wrong == []


def told_of(base: Game, text: str, path: str = PATH) -> str:
    pull, told, _ = judged(base, path, text.encode())
    return comment(pull, told)


HOSTILE = (
    "~~~~\n`````` ```\n@wren #12 https://evil.example <b>x</b>\n\n```markdown\n---\n```\n\n"
    "<!-- nomicgen:comment -->\n\n"
    "[a](https://evil.example)\n\n#### What happens next\n\n- Comment `/open`.\n"
)


def test_a_draft_cannot_speak_for_the_comment(base: Game) -> None:
    said = told_of(base, f"title: {'`' * 7}: [x](https://evil.example) @wren\n\n{HOSTILE}")
    assert said.count("#### What happens next") == 1  # the draft's in its fence: ours is folded
    assert said.count("<details><summary>What happens next</summary>") == 1
    tokens = MarkdownIt().parse(said)
    headings = [
        tokens[at + 1].content for at, one in enumerate(tokens) if one.type == "heading_open"
    ]
    assert headings[1:] == ["What do you mean?"]
    assert len(headings) == len(set(headings))
    links = [
        each.attrs["href"]
        for one in tokens
        for each in one.children or ()
        if each.type == "link_open"
    ]
    assert links == ["https://forge.example/osprey/tea/edit/patch-1/proposals/tea.md"]
    text = "".join(
        each.content for one in tokens for each in one.children or () if each.type == "text"
    )
    assert not {"@wren", "evil.example", "/open"} & {*text.split()}
    assert "evil" not in text


PIECES = st.sampled_from(
    [
        *(one["text"] for one in DRAFTS),
        "## ",
        "> ",
        "- ",
        "```",
        "---\n",
        "\n\n",
        "    ",
        "<!--",
        "-->",
        "<b>",
        "title: ",
    ]
)


@pytest.mark.nightly
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(PIECES, min_size=1, max_size=4), cut=st.integers(0, 80))
def test_what_is_offered_is_in_order_or_says_what_it_leaves(
    base: Game, parts: list[str], cut: int
) -> None:
    pull, told, _ = judged(base, PATH, "".join(parts).encode()[cut:])
    said = comment(pull, told)
    if told.mended is None:
        return
    for text in shown_files(said):
        _, again, left = judged(base, told.mended.path, text.encode())
        assert {one.slug for one in left} == {one.slug for one in told.mended.left}
        assert left or again.mended is None


def test_a_long_draft_is_not_shown(base: Game) -> None:
    pull, told, wrong = judged(base, PATH, b"Tea. " * 5000)
    assert [one.slug for one in wrong if one.mending] == []
    assert told.mended is None
    assert "What to do: " in comment(pull, told)


@pytest.mark.parametrize(
    ("branch", "address"),
    [
        (
            "https://forge.example/us/tea/tree/a/b#c",
            "https://forge.example/us/tea/edit/a/b%23c/proposals/tea.md",
        ),
        (
            "https://forge.example/us/tea/tree/a>)](x",
            "https://forge.example/us/tea/edit/a%3E%29%5D%28x/proposals/tea.md",
        ),
        ("javascript:alert(1)//x/tree/a", None),
        ("https://forge.example/us/tree", None),
        ("https://forge.example/us/tea/tree/a b", None),
        (None, None),
    ],
)
def test_the_address_of_the_editor(base: Game, branch: str | None, address: str | None) -> None:
    told = report_on(supposed_pull(base, {PATH: b"There is tea.\n"}, LOGIN), PULL, branch)
    assert told.mended is not None
    assert told.editor == address


def test_who_is_no_player_is_shown_the_file_that_joins(base: Game) -> None:
    pull = supposed_pull(base, {PATH: b"There is tea.\n"}, "stranger")
    told = report_on(pull, PULL, BRANCH)
    assert told.mended is None
    assert "\nname: Your Name\njoined: 2026-01-05\naccounts: {github: stranger}\n" in comment(
        pull, told
    )


@pytest.mark.parametrize(
    ("edits", "heading"),
    [
        ({"rules/211.md": None}, "Repeal Rule 211/0"),
        ({"rules/211.md": b"The lower number wins.\n"}, "Amend Rule 211/0"),
        ({"rules/211.md": b"The lower number wins.\n", "rules/212.md": None}, "Amend Rule 211/0"),
        ({"rules/initial/211.md": b"The lower number wins.\n"}, "Amend Rule 211/0"),
    ],
)
def test_an_edit_of_rules_becomes_a_proposal(
    base: Game, edits: dict[str, bytes | None], heading: str
) -> None:
    known = names_in_game(base.records, base.replay, frozenset(base.tree), PlayerId("osprey"))
    made = proposal_for(edits, known)
    assert made is not None
    instrument, wrong = read_instrument("proposals/tea.md", made[1])
    assert instrument is not None
    assert wrong == ()
    assert instrument.instructions[0].heading == heading
    assert len(instrument.instructions) == len(edits)


def test_an_edit_of_a_rule_keeps_what_its_front_matter_says(base: Game) -> None:
    data = base.tree["rules/211.md"]
    assert isinstance(data, bytes)
    other = data.replace(b"title: ", b"title: On ").replace(
        b"mutability: mutable", b"mutability: immutable"
    )
    known = names_in_game(base.records, base.replay, frozenset(base.tree), PlayerId("osprey"))
    made = proposal_for({"rules/211.md": other}, known)
    assert made is not None
    assert b"\n## Transmute Rule 211/0 to immutable\n" in made[1]
    assert b"\n## Retitle Rule 211/0: On " in made[1]
    assert proposal_for({"rules/211.md": data}, known) is None


@pytest.mark.nightly
def test_what_somebody_else_changed_meanwhile_is_taken_over(
    git_repo: Callable[..., GitRepo],
) -> None:
    game = begun(git_repo(), {201: {}, 202: {}})
    game.write(
        {
            (path := "players/osprey.yml"): (game.path / path).read_text()
            + f"accounts: {{github: {LOGIN}}}\n"
        }
    )
    rule = load(game.path).replay.current.once_numbered(212)
    assert rule is not None
    text = rule.text
    passed(
        game,
        301,
        f"## Amend Rule 212/0\n\n{text}\n\nThere is cocoa.\n",
        "2026-01-04",
        author="quill",
    )
    mine = f"There is tea.\n\n{text}"
    later = load(game.path, Moment.parse("2026-01-05"))
    draft = (
        "---\ntitle: Tea\nauthor: osprey\nstatus: draft\n---\n\nTea helps.\n\n"
        f"## Amend Rule 212/0\n\n{mine}\n"
    )
    pull, told, wrong = judged(later, PATH, draft.encode())
    assert {one.slug for one in wrong} == {"revision-stale"}
    assert all(
        one.mending and one.mending.command == "nomicgen proposal rebase tea" for one in wrong
    )
    assert told.mended is not None
    assert f"## Amend Rule 301/1\n\n{mine}\n\nThere is cocoa.\n" in told.mended.files[0].text
    assert "Does it still say what you mean?" in comment(pull, told)
    game.write({PATH: draft})
    (found,) = [one for one in told_at_a_shell(game) if one["slug"] == "revision-stale"]
    assert found["help"].startswith(f"`{found['mending']['command']}` merges")
    run(game.path, found["mending"]["command"].removeprefix("nomicgen "))
    assert not [
        one for one in told_at_a_shell(game) if one["file"] == PATH and one["severity"] == "error"
    ]
    assert (game.path / PATH).read_text() == told.mended.files[0].text


def test_at_a_shell_the_command_makes_it_go(git_repo: Callable[..., GitRepo]) -> None:
    game = begun(git_repo())
    rules = {
        "rules/203.md": "Votes are public.\n",
        "rules/204.md": None,
        "rules/999.md": "There is tea.\n",
    }
    for path, text in rules.items():
        game.write({path: text})
        (wrong,) = [
            one
            for one in told_at_a_shell(game)
            if one["file"] == path and one["severity"] == "error"
        ]
        assert f"`{wrong['mending']['command']}`" in wrong["help"]
        run(game.path, wrong["mending"]["command"].removeprefix("nomicgen "))
        assert not [one for one in told_at_a_shell(game) if one["file"] == path]


def told_at_a_shell(game: GitRepo) -> list[dict[str, Any]]:
    """What `nomicgen check` finds."""
    found = CliRunner().invoke(
        main, ["-C", str(game.path), "check", "--format", "json", "--on", "2026-01-05"]
    )
    return list(json.loads(found.output)["findings"])
