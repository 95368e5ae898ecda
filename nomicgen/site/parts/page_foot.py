"""The foot of a page: the last commit of its files, and the commit that the site was built from.

A page itself names only the last commit of its own files. The commit that the site was built from
would change every page each time. So it stands in one file, `VERIFIED`, and a script adds it to the
page that is read.
"""

from __future__ import annotations

import json

from nomicgen.history.rule_history import RuleHistory
from nomicgen.site.site_view import Site

VERIFIED = "assets/verified.json"
EVERYTHING = ("/",)
"""The files of a page about the whole game: what `render_page` gets as `shows`."""


def verified_file(site: Site) -> str:
    """Return the file `VERIFIED`, in which `said` stands before the commit, and `but` after it."""
    git = site.game_history.git
    sure = not site.errors
    verified = {
        "said": f"{'Verified against' if sure else 'Replayed from'} the ledger at commit",
        "commit": git.head,
        "href": site.addresses.commit(git.head),
        "but": _but(site),
    }
    return f"{json.dumps(verified, ensure_ascii=False)}\n"


def _but(site: Site) -> str:
    git = site.game_history.git
    notes = []
    if git.dirty:
        count = len(git.dirty)
        notes.append(
            f"{count} {'file is' if count == 1 else 'files are'} changed and not committed"
        )
    if git.shallow:
        notes.append("the clone is shallow, so older commits are not linked")
    return "; and ".join(notes)


def rule_files(history: RuleHistory) -> tuple[str, ...]:
    """Return the paths of a rule's file and of all files that its history names."""
    return tuple(
        dict.fromkeys(
            (f"rules/{history.last.number}.md", *(entry.path for entry in history.entries))
        )
    )
