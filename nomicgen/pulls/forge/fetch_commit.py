"""The step that fetches a pull request's commit as objects: nothing of it is checked out."""

from __future__ import annotations

import sys

from nomicgen.pulls.forge.workflow import Failed, ends, fetched, is_too_large, setting


def main() -> None:
    """Fetch the commit that `HEAD` names. Raise Failed where it brings too much, or is not there."""
    if why := fetched(setting("HEAD")):
        print(why, file=sys.stderr, flush=True)
        most = int(setting("LARGEST")) >> 10
        too_large = f"::error::{setting('HEAD')} brings more than {most} MiB, and is not judged"
        raise Failed(too_large if is_too_large(why) else why)


if __name__ == "__main__":
    ends(main)
