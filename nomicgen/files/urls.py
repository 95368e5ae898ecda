"""Addresses that players wrote, taken apart."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

# For each forge, the domain of the sites that it publishes, and the name of an owner's repository
# whose site has no path.
_PAGES = {"github.com": ("github.io", "{}.github.io"), "codeberg.org": ("codeberg.page", "pages")}


def split_address(address: str) -> SplitResult | None:
    """Return the parts of an address; None if it is broken, such as `http://[x`."""
    try:
        return urlsplit(address)
    except ValueError:
        return None


def is_web(address: str | None) -> bool:
    """Return whether an address is one of http or https with a host. Only such may become links to
    other sites.
    """
    if not address or any(letter.isspace() for letter in address):
        return False
    parts = split_address(address)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)


def pages_address(repository: str | None) -> str | None:
    """Return the address at which its forge publishes a repository's site; None if it is not known.

    For `https://github.com/Us/tea` that is `https://us.github.io/tea/`.
    """
    parts = split_address(repository or "")
    if parts is None or not is_web(repository) or parts.hostname not in _PAGES:
        return None
    domain, own = _PAGES[parts.hostname]
    match parts.path.removesuffix("/").removesuffix(".git").split("/"):
        case ["", owner, name] if owner and name:
            owner = owner.lower()
            return f"https://{owner}.{domain}/" + (
                f"{name}/" if name.lower() != own.format(owner) else ""
            )
    return None


def is_pull(discussion: str | None) -> bool:
    """Return whether a proposal's `discussion` is a pull request, as GitHub addresses it."""
    return discussion is not None and re.search(r"/pull/[1-9][0-9]*/?\Z", discussion) is not None
