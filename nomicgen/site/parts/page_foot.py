"""The foot of a page: which commit its files came in, and what the whole site was verified against.

HEAD is another with each commit. So it stands in one file, `VERIFIED`, from which a script takes it
to whatever page is being read; a page itself names the last commit of its own files. Else each
commit would change every page.
"""

from __future__ import annotations

import json

from nomicgen.history.rule_history import RuleHistory
from nomicgen.site.site_view import Site

VERIFIED = "assets/verified.json"
EVERYTHING = ("/",)
"""The files (`shows`) of a page that tells of the whole game."""


def verified_file(site: Site) -> str:
    """Return what the script shows: `said`, then the commit with its address, then `but`."""
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
    """Return the sources of a rule's pages: its file, and the instruments that made it."""
    return tuple(
        dict.fromkeys(
            (f"rules/{history.last.number}.md", *(entry.path for entry in history.entries))
        )
    )
