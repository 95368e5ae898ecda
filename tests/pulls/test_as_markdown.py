"""The comment on a pull request and the ballot: what they say of a vote, and how they are cut."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from nomicgen.formats.folding import VISIBLE, fold_parts
from nomicgen.history.past.effects_between import Effects
from nomicgen.model.findings import Finding
from nomicgen.model.identifiers import PlayerId
from nomicgen.model.values import Span
from nomicgen.play.preview.proposal import Changeable, LooseReference, Preview, TierCount
from nomicgen.pulls.as_markdown import COMMENT, LIMIT, ballot_markdown, comment_markdown
from nomicgen.pulls.report import PullReport
from nomicgen.pulls.request import Kind, PullVerdict
from nomicgen.pulls.status import ProposalStatus, UncountedVote
from tests.case_files import case_folder, case_names
from tests.deep import examples
from tests.pulls.comments import (
    BALLOT,
    DIGEST,
    OPEN,
    STANDINGS,
    VERDICT,
    WRONG,
    day,
    effects_of,
    previewed,
)

EXPECTED = Path(__file__).parent / "standings"


@pytest.mark.parametrize("name", STANDINGS)
def test_what_the_comment_says_of_a_vote(name: str) -> None:
    standing = STANDINGS[name]
    preview = previewed() if standing.is_undecided else None
    told = comment_markdown(VERDICT, PullReport(preview=preview, standing=standing))
    assert told == (case_folder(EXPECTED, name) / "comment.md").read_text("utf-8")


def test_the_ballot() -> None:
    summary = (
        "It enacts Rule 303, mutable, with 7 words. Only players enforce it.",
        "It repeals Rule 203/0, mutable.",
    )
    voters = (PlayerId("quill"), PlayerId("wren"))
    told = ballot_markdown(replace(OPEN, may_vote=voters, closes=day("2026-02-08")), summary)
    assert told == (case_folder(EXPECTED, "ballot") / "comment.md").read_text("utf-8")
    assert told.startswith(f"<!-- nomicgen:ballot {BALLOT} digest={DIGEST} -->\n")
    assert "These may vote" not in ballot_markdown(replace(OPEN, may_vote=()), summary)


# What a pull request's words are put into: a title, a rule's text, a path, a login, what findings
# quote, reasons.
WORDS = (
    *("`", "``", "```", "~~~~", "@wren", "#123", "<b>", "</pre>", "<!-- nomicgen:comment -->"),
    *("-->", "![x](y)", "|", "[x](http://y.example)", "www.y.example", "-", "\\", "*", "_", "a"),
    *("---", "\n---\n", "\n\n#### The votes\n\n", "\n```\n", "\n````diff\n", "\n", "\n\n"),
    *(
        "- ✅ legal",
        "    x",
        " ",
        "@@ 3 lines more @@",
        "\n/vote for 303-k7q2m4x9ta\n",
        "&lt;",
        "\r",
    ),
    *("\x1b[31m", "\u202e", "\ud800", f"<!-- nomicgen:ballot {BALLOT} digest={DIGEST} -->"),
    "</details>",
)
NASTY = st.lists(st.sampled_from(WORDS), min_size=1, max_size=10).map("".join) | st.text(
    st.characters(), min_size=1, max_size=30
)


def act_of(one: str, two: str, three: str) -> str:
    """The comment on an act, whatever its words."""
    found = (Finding(slug="points-unlawful", span=Span(file=one), message=two, help=three),)
    return comment_markdown(
        PullVerdict(kind="act", paths=(one,), findings=found, effects=effects_of(one, two, three)),
        PullReport(),
    )


def made_of(one: str, two: str, three: str) -> str:
    """The comment on a pull request all of whose words are these, whatever they are."""
    told = replace(previewed(), effects=effects_of(one, two, three))
    [change] = told.rules
    assert change.segments is not None
    assert change.after is not None
    assert told.supposed is not None
    matter = told.supposed.instrument.matter.replace(title=one)
    instrument = replace(told.supposed.instrument, matter=matter)
    segments = tuple(replace(part, text=f"{part.text}{two}") for part in change.segments)
    change = replace(
        change,
        segments=segments,
        after=replace(change.after, title=three),
        gone=(one,),
        come=(two,),
    )
    told = replace(
        told, rules=(change,), supposed=replace(told.supposed, instrument=instrument), path=three
    )
    found = (
        Finding(
            slug="html", span=Span(file=three, line=7), message=one, help=two, detail=f"x{three}"
        ),
        Finding(
            slug="text-lost",
            span=Span(file=two),
            message=three,
            help=one,
            rule=203,
            detail=f"x{one}",
        ),
    )
    verdict = PullVerdict(
        kind="proposal",
        paths=(one, two),
        findings=found,
        path=three,
        actor=two,
        players=(PlayerId(one), PlayerId(three)),
        old=found,
    )
    strays = (
        UncountedVote(login=f"x{one}", reason=two, url=three),
        UncountedVote(login=None, reason=three),
    )
    standing = replace(OPEN, strays=strays, missing=(one, two), changed=True)
    return comment_markdown(verdict, PullReport(preview=told, standing=standing))


def unfolded(text: str) -> str:
    """A comment with headings in place of its folds, which depend on the number of words."""
    lines = []
    for line in text.split("\n"):
        fold = re.fullmatch("<details><summary>(More\\b)?(.*?)</summary>", line)
        if fold is None:
            lines += [line] if line != "</details>" else []
        elif not fold[1]:
            lines.append(f"#### {fold[2]}")
    return "\n".join(lines)


def skeleton(text: str) -> list[tuple[object, ...]]:
    """What Markdown makes of a text, without code: its structure, its links, and its words."""
    bare: list[tuple[object, ...]] = []
    for token in MarkdownIt("gfm-like").parse(unfolded(text)):
        bare.append((token.type, token.tag, token.nesting, token.level, token.info))
        if token.type in ("html_block", "code_block"):
            bare.append((token.content,))
        if token.type == "fence":
            # Only what is to be typed is nomicgen's own.
            bare.append((token.content.startswith("/"),))
        bare += [
            (one.type, "" if one.type == "code_inline" else one.content)
            for one in token.children or ()
        ]
    return bare


@settings(max_examples=examples(1.5), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NASTY, NASTY, NASTY)
def test_no_words_of_a_pull_request_change_what_the_comment_is_made_of(
    one: str, two: str, three: str
) -> None:
    assert skeleton(made_of(one, two, three)) == skeleton(made_of("x", "y", "z"))
    assert skeleton(act_of(one, two, three)) == skeleton(act_of("x", "y", "z"))


@settings(max_examples=examples(1), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NASTY, NASTY, NASTY)
@example("</details>", "\n</details>\n\n", "word " * 200)
def test_folds_open_and_close_whatever_is_in_them(one: str, two: str, three: str) -> None:
    for comment in (made_of(one, two, three), act_of(one, two, three)):
        html = [
            token.content
            for token in MarkdownIt("gfm-like").parse(comment)
            if token.type == "html_block"
        ]
        assert html[0] == f"{COMMENT}\n"
        assert all(part.startswith("<details><summary>") for part in html[1::2])
        assert all(part == "</details>\n" for part in html[2::2])
        assert len(html) % 2 == 1
        assert len(comment.partition("<details>")[0].removeprefix(COMMENT).split()) <= VISIBLE


def test_the_harmless_comment_is_made_of_this() -> None:
    tokens = MarkdownIt("gfm-like").parse(unfolded(made_of("x", "y", "z")))
    kinds = {token.type for token in tokens} | {
        one.type for token in tokens for one in token.children or ()
    }
    lists = {
        f"{name}_{end}"
        for name in ("bullet_list", "list_item", "paragraph", "heading")
        for end in ("open", "close")
    }
    assert kinds == lists | {"html_block", "inline", "text", "code_inline", "fence", "hr"}
    assert [token.content for token in tokens if token.type == "html_block"] == [f"{COMMENT}\n"]
    assert headings(tokens) == [
        *(
            "Votes that do not count",
            "What it would do",
            "What happens next",
            "What is wrong",
            "What it would bring about",
        ),
        *("The votes it needs", "The votes", "What would change in the rules"),
    ]


def headings(tokens: list[Token]) -> list[str]:
    return [
        tokens[at + 1].content
        for at, token in enumerate(tokens)
        if token.tag == "h4" and token.nesting == 1
    ]


LONG = "And so it goes on, for ever and ever, and nobody knows when it ends.\n"
MANY = tuple(
    Finding(
        slug="html",
        span=Span(file=f"{number}.md"),
        message=f"{number} " + "`" * 900,
        help="x" * 900,
        detail="y",
    )
    for number in range(400)
)


SO_MANY = 7


@functools.cache
def too_long() -> Sequence[tuple[Preview | None, PullVerdict, ProposalStatus | None]]:
    """What makes a comment too long for a forge: made when it is asked for, since that takes
    seconds.
    """
    cases = [
        (previewed(text=LONG * 4000), VERDICT, None),
        (previewed(title="`" * 50_000, text="`" * 60_000), VERDICT, OPEN),
        (previewed(), replace(VERDICT, findings=MANY), None),
        (
            None,
            replace(VERDICT, kind="mixed", paths=tuple(map(str, range(9999))), findings=MANY),
            None,
        ),
        (
            None,
            replace(
                VERDICT,
                kind="act",
                effects=Effects(effects=effects_of("x", "`" * 900, "z").effects * 900),
            ),
            None,
        ),
        (
            replace(
                previewed(text=LONG * 4000),
                findings=MANY,
                summary=("It does this, and this.",) * 5000,
            ),
            replace(VERDICT, players=("wren" * 20,) * 5000),
            replace(OPEN, missing=("wren" * 20,) * 5000, strays=OPEN.strays * 100),
        ),
        (
            replace(
                previewed(), rules=previewed(text=LONG * 400).rules * 200, law=(), findings=MANY
            ),
            VERDICT,
            replace(OPEN, votes=OPEN.votes * 3000),
        ),
    ]
    assert len(cases) == SO_MANY
    return cases


@pytest.mark.deep
@pytest.mark.parametrize("at", range(SO_MANY))
def test_a_comment_is_never_longer_than_a_forge_takes(at: int) -> None:
    told, verdict, standing = too_long()[at]
    comment = comment_markdown(verdict, PullReport(preview=told, standing=standing))
    assert len(comment) <= LIMIT
    tokens = MarkdownIt("gfm-like").parse(unfolded(comment))
    first = [one for one in headings(tokens) if one != "Votes that do not count"][:2]
    assert first in [[what, "What happens next"] for what in ("What it would do", "What it does")]
    cut = ("nomicgen proposal preview --base BASE --head HEAD", "more @@", " more lines\n")
    assert any(one in comment for one in cut)
    assert tokens[-2].content.startswith("Judged by the rules of the game")


def test_a_long_redline_is_cut_at_a_line_inside_its_fence() -> None:
    comment = comment_markdown(VERDICT, PullReport(preview=previewed(text=LONG * 4000)))
    [fence] = [one for one in MarkdownIt().parse(comment) if one.info == "diff"]
    *lines, last = fence.content.rstrip("\n").split("\n")
    assert re.fullmatch(r"@@ [0-9]{4} lines more @@", last)
    assert {line[:2] for line in lines} <= {"  ", "+ ", "- "}
    assert len(fence.content) < 8100


def test_parts_that_do_not_fit_are_cut_from_the_end() -> None:
    busy = replace(
        previewed(text=LONG * 4000),
        findings=MANY,
        summary=("It does this, and this, and some more of that.",) * 5000,
        rules=previewed(text=LONG * 400).rules * 200,
        tiers=(TierCount(tier="mutable", before=4, after=5, cap=5, floor=3),) * 5000,
        loose=(LooseReference(rule=201, number=9, kind="gone"),) * 5000,
    )
    long = replace(OPEN, missing=tuple(f"wren-{number}" for number in range(300)), closes=None)
    comment = comment_markdown(VERDICT, PullReport(preview=busy, standing=long))
    kept = headings(MarkdownIt().parse(unfolded(comment)))
    *first, last = kept
    assert first == headings(MarkdownIt().parse(unfolded(made_of("x", "y", "z"))))
    assert last == "What the rules in force would say"
    assert (
        "\n\n⚠️ 1 more part did not fit in here; to read all: `nomicgen proposal preview --base BASE"
        in comment
    )


def test_lines_too_long_for_a_page_are_broken_with_their_sign() -> None:
    comment = comment_markdown(
        VERDICT, PullReport(preview=previewed(text=LONG.strip() * 9 + " " + "x" * 250))
    )
    [fence] = [one for one in MarkdownIt().parse(comment) if one.info == "diff"]
    lines = fence.content.split("\n")
    assert max(map(len, lines)) <= 102
    assert "".join(line[2:] for line in lines if line.startswith("+")).count("x") == 250


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (
            "judgement",
            "✅ Nothing stands against this judgement",
            "❌ A judgement that cannot be taken as it is",
        ),
        ("act", "✅ Nothing stands against this act", "❌ An act that cannot be taken as it is"),
        (
            "correction",
            "✅ Nothing stands against this correction",
            "❌ A correction that cannot be taken as it is",
        ),
        (
            "player",
            "✅ Nothing stands against this player's file",
            "❌ A player's file that cannot be taken as it is",
        ),
        ("turn", "✅ Nothing stands against this turn", "❌ A turn that cannot be taken as it is"),
        (
            "machinery",
            "✅ This changes the machinery, and a rulekeeper has allowed it",
            "❌ This changes the machinery, and nobody has allowed it",
        ),
        (
            "proposal",
            "✅ This proposal is legal",
            "❌ This proposal cannot go to the vote as it is",
        ),
        ("rules", None, "❌ The rules are not edited by hand"),
        ("mixed", None, "❌ This pull request does more than one thing"),
        ("nothing", "ℹ️ This pull request changes nothing", None),
    ],
)
def test_the_first_words_say_what_it_is_and_whether_it_is_taken(
    kind: Kind, good: str | None, bad: str | None
) -> None:
    for findings, said in (((), good), ((WRONG,), bad)):
        if said is None:
            continue
        comment = comment_markdown(
            PullVerdict(kind=kind, paths=("players/wren.yml",), findings=findings), PullReport()
        )
        first, _, does = comment.partition("\n\n#### What it does\n\n")
        assert does.startswith("- It is ")
        assert first.startswith(f"{COMMENT}\n### {said}")
        assert ("\n\n**What to do:** " in first) == bool(findings)
        assert ("❌ `no such day`" in comment) == bool(findings)


@pytest.mark.parametrize("standing", [None, STANDINGS["defeated"], OPEN])
def test_what_was_asked_for_and_not_done_is_said_early(standing: ProposalStatus | None) -> None:
    undone = [("quill may not `vote`", "#1")]
    report = PullReport(preview=previewed(), standing=standing)
    comment = comment_markdown(VERDICT, report, undone=undone)
    said = "#### What could not be done\n\n- ❌ `` quill may not `vote` ``\n  - What to do: `#1`\n"
    assert said in comment
    assert "What could not be done" in headings(MarkdownIt().parse(comment))[:2]
    long = comment_markdown(VERDICT, report, undone=undone * 9999)
    assert len(long) < 20_000
    assert re.search(r"^- and [0-9]+ more lines$", long, re.MULTILINE)


def test_what_a_proposal_takes_away_is_no_error_of_it() -> None:
    told = replace(previewed(), changeable=Changeable(before=True, after=False))
    comment = comment_markdown(VERDICT, PullReport(preview=told))
    assert "### ⚠️ This proposal is legal, but after it no vote could change any rule\n" in comment
    assert "❌" not in comment.replace("❌ After it, no vote could change any rule.", "")


def test_a_proposal_that_is_open_and_unlawful_says_so() -> None:
    told = replace(previewed(), findings=(WRONG,))
    for standing, said in (
        (OPEN, "The vote on Proposal 303 is open"),
        (STANDINGS["debate"], "Proposal 303 is in debate"),
    ):
        comment = comment_markdown(VERDICT, PullReport(preview=told, standing=standing))
        assert f"\n### ❌ {said} and cannot be carried out as the rules now stand\n" in comment
    assert "### ❌ This proposal is against the rules as they now stand\n" in comment_markdown(
        VERDICT, PullReport(preview=told)
    )


def test_a_change_of_the_machinery_is_allowed_by_a_line_with_its_whole_commit() -> None:
    verdict = PullVerdict(kind="machinery", paths=("mkdocs.yml",), findings=(WRONG,))
    head = "2fd4e1c6" * 5
    assert f"\n```text\n/machinery {head}\n```\n" in comment_markdown(
        verdict, PullReport(), head=head
    )
    on_disk = comment_markdown(verdict, PullReport())
    assert "/machinery" not in on_disk
    assert "A rulekeeper who has read all of it may allow it: `--machinery`." in on_disk


# How much of a comment stands before its first fold, and what a red one says first: of all that
# tests expect.


HERE = Path(__file__).parent
COMMENTS = {
    f"{prefix}{name}": case_folder(folder, name) / "comment.md"
    for prefix, folder in (("", HERE / "comments"), ("ballot-", HERE / "standings"))
    for name in case_names(folder)
}


@pytest.mark.parametrize("path", COMMENTS.values(), ids=COMMENTS)
def test_a_comment_is_short_before_its_first_fold(path: Path) -> None:
    text = path.read_text("utf-8")
    first, *rest = text.split("\n", 1)[1].split("<details>")
    assert len(first.split()) <= VISIBLE
    assert text.count("<details>") == text.count("</details>") == len(rest)


@pytest.mark.parametrize("path", COMMENTS.values(), ids=COMMENTS)
def test_a_comment_says_first_what_to_do(path: Path) -> None:
    """Where it is red, and where a draft's author is the one to go on."""
    _, heading, _, first, *_ = path.read_text("utf-8").split("\n")
    is_told = heading.startswith(("### ❌ ", "### ⚠️ ", "### ✅ This proposal"))
    assert first.startswith("**What to do:** ") == is_told


def test_what_fits_stays_and_the_rest_is_folded_item_by_item() -> None:
    item = "- " + "word " * 19
    parts = [
        "#### One\n\n- Short.",
        f"#### Two\n\n{item}\n{item}\n  - inner\n{item}\n{item}\n{item}\n{item}",
        "#### Three\n\nx",
    ]
    shown = [*fold_parts("A heading", parts)]
    assert shown[0] == parts[0]
    assert shown[1] == f"#### Two\n\n{item}\n{item}\n  - inner\n{item}\n{item}\n{item}"
    assert shown[2] == f"<details><summary>More: two</summary>\n\n{item}\n\n</details>"
    assert shown[3] == "<details><summary>Three</summary>\n\nx\n\n</details>"


def test_a_fence_and_the_inside_of_a_fold_stay_with_what_is_before_them() -> None:
    fence = "```text\n" + "word " * 100 + "\n```"
    first, says = "- " + "word " * 9, "- Copy this:"
    shown = [*fold_parts("", [f"#### One\n\n{first}\n{first}\n{says}\n\n{fence}"])]
    assert shown[0] == f"#### One\n\n{first}\n{first}"
    assert shown[1] == f"<details><summary>More: one</summary>\n\n{says}\n\n{fence}\n\n</details>"
    inner = f"<details><summary>Two</summary>\n\nSome words.\n\n{fence}\n\n</details>"
    shown = [*fold_parts("", [f"#### One\n\n{first}\n\n{inner}\n\n{'word ' * 120}"])]
    assert shown[0] == f"#### One\n\n{first}\n\n{inner}"


def test_a_heading_does_not_stay_alone() -> None:
    fence = "```text\n" + "word " * 200 + "\n```"
    assert [*fold_parts("", [f"#### One\n\n{fence}"])] == [
        f"<details><summary>One</summary>\n\n{fence}\n\n</details>"
    ]
