"""What GitHub's API answers about a pull request, in its real shapes with every field; only the
people are invented.

They are those of REST: `review`, `comment`, `line_comment`, `reaction`, `deleted`. Fields that
matter to nobody here say the same in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]

API = "https://api.github.com"
REPOSITORY = "lockhouse/game"
PULL = f"https://github.com/{REPOSITORY}/pull/12"
_SIGNS = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def user(login: str, kind: str = "User") -> Json:
    """An account as REST has it; a bot's login ends in `[bot]`."""
    ident = sum(map(ord, login)) * 1009
    path = f"{API}/users/{login.replace('[', '%5B').replace(']', '%5D')}"
    return {
        "login": login,
        "id": ident,
        "node_id": f"MDQ6VXNlc{ident}",
        "avatar_url": f"https://avatars.githubusercontent.com/u/{ident}?v=4",
        "gravatar_id": "",
        "url": path,
        "html_url": "https://github.com/"
        f"{'apps/' if kind == 'Bot' else ''}{login.removesuffix('[bot]')}",
        "followers_url": f"{path}/followers",
        "following_url": f"{path}/following{{/other_user}}",
        "gists_url": f"{path}/gists{{/gist_id}}",
        "starred_url": f"{path}/starred{{/owner}}{{/repo}}",
        "subscriptions_url": f"{path}/subscriptions",
        "organizations_url": f"{path}/orgs",
        "repos_url": f"{path}/repos",
        "events_url": f"{path}/events{{/privacy}}",
        "received_events_url": f"{path}/received_events",
        "type": kind,
        "user_view_type": "public",
        "site_admin": False,
    }


BOT = user("github-actions[bot]", "Bot")


def review(
    number: int,
    who: str | Json | None,
    state: str,
    at: str | None,
    *,
    commit: str | None = "a" * 40,
    body: str | None = "",
) -> Json:
    """A review; a pending one has no `submitted_at`, that of a deleted account may have no user."""
    url = f"{PULL}#pullrequestreview-{number}"
    made: Json = {
        "id": number,
        "node_id": f"PRR_kwDOL{number}",
        "user": user(who) if isinstance(who, str) else who,
        "body": body,
        "state": state,
        "html_url": url,
        "pull_request_url": f"{API}/repos/{REPOSITORY}/pulls/12",
        "author_association": "CONTRIBUTOR",
        "_links": {
            "html": {"href": url},
            "pull_request": {"href": f"{API}/repos/{REPOSITORY}/pulls/12"},
        },
        "commit_id": commit,
    }
    return made | ({"submitted_at": at} if at is not None else {})


def counts(url: str, **signs: int) -> Json:
    """How many reactions there are, as REST says it on a comment: `plus=2` is +1 twice."""
    given = {{"plus": "+1", "minus": "-1"}.get(name, name): count for name, count in signs.items()}
    return {
        "url": f"{url}/reactions",
        "total_count": sum(given.values()),
        **{sign: given.get(sign, 0) for sign in _SIGNS},
    }


def comment(
    number: int,
    who: str | Json | None,
    at: str,
    body: str,
    *,
    updated: str | None = None,
    reactions: Mapping[str, int] | Sequence[Json] = {},
) -> Json:
    """A comment of the pull request; `reactions` are counts, or a list where a recorder has put it
    in.
    """
    url = f"{API}/repos/{REPOSITORY}/issues/comments/{number}"
    return {
        "url": url,
        "html_url": f"{PULL}#issuecomment-{number}",
        "issue_url": f"{API}/repos/{REPOSITORY}/issues/12",
        "id": number,
        "node_id": f"IC_kwDOL{number}",
        "user": user(who) if isinstance(who, str) else who,
        "created_at": at,
        "updated_at": updated or at,
        "body": body,
        "author_association": "CONTRIBUTOR",
        "reactions": counts(url, **reactions)
        if isinstance(reactions, Mapping)
        else list(reactions),
        "performed_via_github_app": None,
        "pin": None,
    }


def line_comment(number: int, who: str, at: str, body: str) -> Json:
    """A comment on a line of a file of the pull request."""
    url = f"{API}/repos/{REPOSITORY}/pulls/comments/{number}"
    html, pull = f"{PULL}#discussion_r{number}", f"{API}/repos/{REPOSITORY}/pulls/12"
    return {
        "url": url,
        "pull_request_review_id": number + 1,
        "id": number,
        "node_id": f"PRRC_kwDOL{number}",
        "diff_hunk": "@@ -0,0 +1,3 @@\n+---\n+title: Tea",
        "path": "proposals/tea.md",
        "commit_id": "b" * 40,
        "original_commit_id": "a" * 40,
        "user": user(who),
        "body": body,
        "created_at": at,
        "updated_at": at,
        "html_url": html,
        "pull_request_url": pull,
        "author_association": "NONE",
        "_links": {"self": {"href": url}, "html": {"href": html}, "pull_request": {"href": pull}},
        "reactions": counts(url),
        "start_line": None,
        "original_start_line": None,
        "start_side": None,
        "line": 2,
        "original_line": 2,
        "side": "RIGHT",
        "original_position": 2,
        "position": 2,
        "subject_type": "line",
    }


def reaction(number: int, who: str | Json | None, content: str, at: str) -> Json:
    """A reaction, as the list of a comment's reactions has it."""
    made = user(who) if isinstance(who, str) else who
    return {
        "id": number,
        "node_id": f"REA_lATOL{number}",
        "user": made,
        "content": content,
        "created_at": at,
    }


def deleted(number: int, who: str, at: str) -> Json:
    """An event of the timeline: somebody deleted a comment. REST does not say whose."""
    return {
        "id": number,
        "node_id": f"CDE_lADOL{number}",
        "url": f"{API}/repos/{REPOSITORY}/issues/events/{number}",
        "actor": user(who),
        "event": "comment_deleted",
        "commit_id": None,
        "commit_url": None,
        "created_at": at,
        "performed_via_github_app": None,
    }


def marker(ballot: str, digest: str) -> str:
    """The body of a ballot."""
    return (
        f"<!-- nomicgen:ballot {ballot} digest={digest} -->\n"
        f"### Vote on proposal {ballot.partition('-')[0]}\n"
    )
