"""The foot of a page: which commit its files came in, and what the whole site was verified against.

HEAD is another with each commit. So it stands in one file, `VERIFIED`, from which a script takes it to whatever page is
being read; a page itself names the last commit of its own files. Else each commit would change every page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nomicgen.archive.provenance import Origin
from nomicgen.archive.rule_history import RuleHistory
from nomicgen.diagnostics import counted
from nomicgen.site.site_view import Site

VERIFIED = "assets/verified.json"
EVERYTHING = ("/",)
"""What a page is made from that tells of the whole game."""


def verified_file(site: Site) -> str:
    """What the script shows: `said`, then the commit with its address, then `but`, then who has `seen` it."""
    git = site.archive.git
    sure = not any(one.is_error for one in site.archive.findings)
    told = {
        "said": f"{'Verified against' if sure else 'Replayed from'} the ledger at commit",
        "commit": git.head,
        "href": site.addresses.commit(git.head),
        "but": _but(site),
    }
    if seen := seen_by(site):
        told["seen"] = f"Seen by {seen}"
    return f"{json.dumps(told, ensure_ascii=False)}\n"


def seen_by(site: Site) -> str:
    """`4 of 5 players`: who of the present players signed what they saw; '' where none has a key or a note."""
    found = site.archive.witnessed
    return f"{len(found.seen)} of {counted(found.players, 'player')}" if found is not None and found.asked else ""


def _but(site: Site) -> str:
    git = site.archive.git
    notes = []
    if git.dirty:
        count = len(git.dirty)
        notes.append(f"{count} {'file is' if count == 1 else 'files are'} changed and not committed")
    if git.shallow:
        notes.append("the clone is shallow, so older commits are not linked")
    return "; and ".join(notes)


def foot_view(site: Site, page: str, shows: Sequence[str]) -> Mapping[str, Any]:
    """`shows` are the files of the game that a page is made from, and folders, each with a slash at its end."""
    git = site.archive.git
    if not git.present or git.head is None:
        return {"reason": git.reason or "nothing has been committed yet", "verified": ""}
    last = max(_commits(site, shows), key=lambda one: one.index, default=None)
    return {
        "reason": "",
        "last": commit_view(site, last),
        # Of a file that a page tells of alone: of all others the script says it.
        "changed": len(shows) == 1 and shows[0] in git.dirty,
        "verified": site.addresses.href(VERIFIED, page),
    }


def commit_view(site: Site, origin: Origin | None) -> Mapping[str, str | None] | None:
    """A commit of the game's own, and where it can be seen."""
    return {"sha": origin.sha, "href": site.addresses.commit(origin.sha)} if origin and origin.sha else None


def rule_files(history: RuleHistory) -> tuple[str, ...]:
    """What the pages of a rule are made from: its file, and the instruments that made it what it is."""
    return tuple(dict.fromkeys((f"rules/{history.last.number}.md", *(entry.path for entry in history.entries))))


def _commits(site: Site, shows: Iterable[str]) -> Iterator[Origin]:
    for one in shows:
        found = site.last_in.get(one) if one.endswith("/") else site.archive.touched.get(one)
        if found is not None:
            yield found
