"""Addresses that players wrote, taken apart."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit

# A forge that publishes sites, the domain where it does so, and how the repository of an owner's
# own site is called.
_PAGES = {"github.com": ("github.io", "{}.github.io"), "codeberg.org": ("codeberg.page", "pages")}


def split_address(address: str) -> SplitResult | None:
    """Return the parts of an address; None where nobody can tell them, as with brackets that are no
    host's.
    """
    try:
        return urlsplit(address)
    except ValueError:
        return None


def is_web(address: str | None) -> bool:
    """Return whether it is an http(s) address with a host: no other may become a link to
    elsewhere.
    """
    if not address or any(letter.isspace() for letter in address):
        return False
    parts = split_address(address)
    return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname)


def pages_address(repository: str | None) -> str | None:
    """Return where the forge of a repository publishes the site that is built in it; None where
    that is not known.
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
