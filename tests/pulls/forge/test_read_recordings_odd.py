"""No recording, however odd, is more than votes, notes and problems; and what changes nothing in it
changes nothing.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nomicgen.pulls.forge.comments import LONGEST, Commands, Voted, read_commands
from nomicgen.pulls.forge.github import Recorded, read_recorded
from nomicgen.pulls.forge.json_documents import LIMIT
from tests.deep import examples
from tests.recording import (
    BOT,
    comment,
    marker,
    reaction,
    review,
)

AT = "2026-03-02T09:00:00Z"
BALLOT = "301-k9f2c1a7bx"
DIGEST = "9f2c1a7b" + "0" * 56
KEYS = (
    *(
        "id",
        "node_id",
        "user",
        "login",
        "type",
        "body",
        "state",
        "commit_id",
        "commit",
        "oid",
        "author",
        "html_url",
    ),
    *(
        "submitted_at",
        "submittedAt",
        "created_at",
        "createdAt",
        "updated_at",
        "lastEditedAt",
        "url",
        "content",
    ),
    *(
        "reactions",
        "reviews",
        "comments",
        "review_comments",
        "reviewThreads",
        "timelineItems",
        "reactionGroups",
    ),
    *("nodes", "pageInfo", "hasNextPage", "totalCount", "event", "__typename", "errors", "message"),
    *("data", "repository", "pullRequest", "2101"),
)
WORDS = (
    "APPROVED",
    "COMMENTED",
    "Bot",
    "User",
    "+1",
    "EYES",
    AT,
    "/vote for 301-k9f2c1a7bx",
    "/vote",
    marker(BALLOT, DIGEST),
    "a" * 40,
)

MARKUP = (
    *(
        "-",
        ">",
        "`",
        "*",
        "/vote for 301-k9f2c1a7bx",
        "/vote",
        "\n",
        "\n/vote for 301-k9f2c1a7bx\n",
        "\t",
        "1.",
        "#",
        "```",
        "~~~",
    ),
    *("<details>", "<div hidden>", "<!--", "-->", "|", "[", "]", "(", ")", "\\"),
)

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-5, 10**20)
    | st.floats()
    | st.sampled_from(WORDS)
    | st.sampled_from(
        (
            "reviewed",
            "commented",
            "comment_deleted",
            "CommentDeletedEvent",
            "github-actions",
            "wren-w",
        )
    )
    | st.text(max_size=20)
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=8)
    ),
    max_leaves=30,
)


def read(*values: Any) -> Recorded:
    """What is read of a recording of one file for each value."""
    return read_recorded(
        [(f"{at}.json", json.dumps(value).encode()) for at, value in enumerate(values)]
    )


@pytest.mark.deep
@given(values)
@settings(max_examples=examples(4))
def test_no_json_is_more_than_votes_and_problems(value: Any) -> None:
    found = read(value)
    for cast in found.casts:
        assert (cast.choice is None) == bool(cast.fault)
        assert cast.at is None or cast.at.tzinfo is not None


@given(
    st.binary(max_size=200)
    | st.text(alphabet='[]{}",:0-9eE.truefalsn \n\\u', max_size=80).map(str.encode)
)
@settings(max_examples=examples(3))
def test_no_bytes_are_more_than_problems(data: bytes) -> None:
    found = read_recorded([("x.json", data), ("reactions/7.json", data)])
    assert all(one.line >= 1 and one.column >= 1 for one in found.problems)


@given(
    values,
    st.sampled_from(("reviews", "comments", "review_comments", "reactions", "timeline")),
    st.integers(0, 3),
)
@settings(max_examples=examples(3))
def test_nothing_odd_hides_the_rest(value: Any, name: str, depth: int) -> None:
    """Whatever stands beside an ordinary vote in a list, that vote is read."""
    good = comment(990001, "wren-w", AT, "/vote for 301-k9f2c1a7bx")
    assert good["html_url"] in {one.url for one in read([value, good]).casts}
    for _ in range(depth):
        value = [value]
    assert good["html_url"] in {one.url for one in read({name: value}, [good]).casts}


# The parser itself raises an error on each of them: `> - <!--`, and below it half a line of the
# quotation.
HALF = (
    ["-", "<!--", "\n"],
    ["/vote for 301-k9f2c1a7bx", "\n", "-", "<!--", "\n"],
    ["/vote for 301-k9f2c1a7bx", "\n", "1.", "<!--", "\n", "\t"],
)


@given(st.lists(st.sampled_from(MARKUP), max_size=25))
@example(HALF[0])
@example(HALF[1])
@example(HALF[2])
@settings(max_examples=examples(3))
def test_a_quotation_of_any_words_is_no_command(parts: list[str]) -> None:
    lines = " ".join(parts).split("\n")
    assert read_commands("\n".join(f"> {line}" for line in lines)).votes == ()
    assert read_commands("\n".join(f"    {line}" for line in lines)).votes == ()
    fenced = read_commands("``````\n" + "\n".join(lines) + "\n``````")
    assert (fenced.votes, fenced.asked) == ((), ())


@given(st.text(max_size=200), st.sampled_from(("for", "against", "abstain")))
@example("> - <!--\n> ", "for")
@example(">" * 60, "for")
@settings(max_examples=examples(2))
def test_words_above_a_vote_change_it_only_by_hiding_it(text: str, choice: str) -> None:
    said = read_commands(f"{text}\n\n/vote {choice} 301-k9f2c1a7bx")
    votes = {(one.choice, one.ballot) for one in said.votes}
    assert (choice, BALLOT) in votes or said.hidden or said.unreadable


def test_a_request_is_no_vote_whatever_follows() -> None:
    assert read_commands("/vote\n\nfor reasons given above") == Commands(asked=("vote",))
    assert read_commands("/Open\n\nfor reasons given above") == Commands(asked=("open",))
    assert read_commands("/Withdraw\n/resubmit") == Commands(asked=("withdraw", "resubmit"))
    assert read_commands("/Second 305\n/second\n/sing\n> /second") == Commands(
        deeds=(("second", "305"), ("second", None))
    )
    assert read_commands("/vote\n/re\u017fubmit") == Commands(asked=("vote",))


def test_a_text_is_read_up_to_a_length() -> None:
    vote = "/vote for 301-k9f2c1a7bx\n"
    assert read_commands(vote + "x" * (LONGEST - len(vote))) == Commands(
        votes=(Voted("for", BALLOT),)
    )
    assert read_commands(vote + "x" * (LONGEST - len(vote) + 1)) == Commands(long=True)
    assert read_commands("x" * (LONGEST + 1)) == Commands()


@pytest.mark.parametrize(
    ("body", "hidden"),
    [
        ("> /vote for 301-k9f2c1a7bx\n> - <!--\n> ", False),
        ("- <!--\n/vote for 301-k9f2c1a7bx\n- > - <!--\n  > ", True),
    ],
)
def test_a_comment_that_ends_in_half_a_line_is_read(body: str, hidden: bool) -> None:
    assert read_commands(body) == Commands(hidden=hidden)


def test_a_comment_beyond_the_parser_is_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_commands(f"/vote for 301-k9f2c1a7bx\n\n{'>' * 51} a") == Commands(unreadable=True)
    assert read_commands(f"/vote\n\n{'![' * 2000}") == Commands(unreadable=True)
    assert read_commands(f"No words of command.\n\n{'>' * 51} a") == Commands()

    def fail(*_: object) -> NoReturn:
        raise IndexError("string index out of range")

    monkeypatch.setattr("nomicgen.files.markdown_parser.html_inline", fail)
    assert read_commands("/vote for 301-k9f2c1a7bx\n\nI <3 tea") == Commands(unreadable=True)


@pytest.mark.parametrize("opened", ["[", '{"a":', '[{"comments":'])
def test_a_nesting_without_end_is_a_problem(opened: str) -> None:
    found = read_recorded([("deep.json", b" \n" + opened.encode() * 200_000)])
    assert [str(one) for one in found.fatal] == ["deep.json:2:1: no forge writes such JSON as this"]


def test_a_file_without_end_is_a_problem() -> None:
    found = read_recorded([("long.json", b" " * (LIMIT + 1))])
    assert [str(one) for one in found.fatal] == ["long.json:1:1: the file is larger than 16 MiB"]


def test_problems_without_end_are_counted() -> None:
    found = read([7] * 1000)
    assert [one.message for one in found.problems[19:]] == [
        "[19] is not read: it is no object",
        "and 980 more",
    ]
    assert found.fatal == ()


def test_no_words_of_a_recording_make_a_line_of_their_own() -> None:
    found = read({"message": "Gone\nhelp: rm -r"}, {"comments\nerror: x": [{"body": 3}]})
    assert [str(one) for one in found.problems] == [
        "0.json:1:1: GitHub answered with an error: Gone help: rm -r",
        "1.json:1:1: comments error: x[0] is not read: its `body` is not a text",
    ]


def test_a_fatal_problem_is_never_crowded_out() -> None:
    found = read([7] * 1000, {"message": "Not Found"})
    assert [one.file for one in found.fatal] == ["1.json"]


def test_one_comment_recorded_twice_with_other_words_was_edited() -> None:
    first = comment(2001, "wren-w", AT, "/vote for 301-k9f2c1a7bx")
    second = comment(2001, "wren-w", AT, "/vote against 301-k9f2c1a7bx")
    assert [one.fault for one in read([first], [second]).casts] == ["it was edited"]
    assert [one.choice for one in read([first], [first]).casts] == ["for"]


def test_what_may_have_been_edited_is_no_vote() -> None:
    """A player could else turn a vote round when it is too late to vote."""
    words = review(1001, "wren-w", "COMMENTED", AT, body="/vote for 301-k9f2c1a7bx")
    event = {**words, "event": "reviewed", "state": "commented"}
    bare = {**comment(2001, "quill", AT, "/vote for 301-k9f2c1a7bx"), "updated_at": None}
    unsaid = "the recording does not say whether it was edited"
    review_unsaid = (
        "the recording does not say whether the review was edited: record its "
        "timeline too, or vote in a comment"
    )
    assert [one.fault for one in read([words]).casts] == [review_unsaid]
    assert [one.fault for one in read([words], [event]).casts] == [review_unsaid]
    assert [one.fault for one in read([words], [{**event, "updated_at": AT}]).casts] == [""]
    later = {**event, "updated_at": "2026-03-02T09:00:01Z"}
    assert [one.fault for one in read([words], [later]).casts] == ["it was edited"]
    assert [one.fault for one in read([bare]).casts] == [unsaid]
    asked = {**bare, "body": "/withdraw"}
    assert [one.fault for one in read([asked]).requests] == [unsaid]


def test_one_review_recorded_before_and_after_it_was_dismissed_is_dismissed() -> None:
    first, second = review(1001, "wren-w", "APPROVED", AT), review(1001, "wren-w", "DISMISSED", AT)
    for both in ([first, second], [second, first]):
        assert [one.fault for one in read(both).casts] == ["the review was dismissed"]


def test_reactions_that_are_counted_and_not_recorded_are_noted() -> None:
    ballot = comment(2101, BOT, AT, marker(BALLOT, DIGEST), reactions={"plus": 1})
    assert read([ballot]).notes == (
        f"reactions on {ballot['html_url']} were not recorded, and there are some",
    )


def test_what_is_of_another_api_is_not_counted() -> None:
    shown = {
        "id": "IC_1",
        "author": {"login": "quill"},
        "body": "/vote for 301-k9f2c1a7bx",
        "createdAt": AT,
    }
    for value in (
        {"data": {"repository": {"comments": {"nodes": [shown]}}}},
        {"comments": [shown]},
    ):
        found = read(value)
        assert [str(one) for one in found.fatal] == ["0.json:1:1: this is not of GitHub's REST API"]
        assert found.casts == ()


@pytest.mark.parametrize(
    "name", ["reactions/2101.json", "forge/12/reactions/2101.json", "a\\reactions\\2101.json"]
)
def test_the_name_of_a_file_says_what_its_reactions_are_on(name: str) -> None:
    ballot = json.dumps([comment(2101, BOT, AT, marker(BALLOT, DIGEST))]).encode()
    given = json.dumps([reaction(1, "quill", "-1", AT)]).encode()
    found = read_recorded([("c.json", ballot), (name, given)])
    assert [(one.by, one.choice, one.digest) for one in found.casts] == [
        ("quill", "against", DIGEST)
    ]
    assert read_recorded([("c.json", ballot), ("x.json", given)]).casts == ()


def test_what_the_game_says_of_votes_is_no_vote() -> None:
    shown = "/vote for 301-k9f2c1a7bx\n\n/withdraw\n"
    both = [comment(1, BOT, AT, shown), comment(2, "wren", AT, shown)]
    said = read_recorded([("c.json", json.dumps(both).encode())])
    assert [(one.by, one.choice) for one in said.casts] == [("wren", "for")]
    assert [(one.by, one.what) for one in said.requests] == [("wren", "withdraw")]
