"""Addresses at which an author goes on with a draft: the forge's editor, and the workshop of the
game's own site.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from urllib.parse import quote, urlencode

from nomicgen.files.mkdocs_config import SiteConfigError, read_site_config
from nomicgen.files.urls import is_web
from nomicgen.play.mending.mend import Mended
from nomicgen.repository.errors import RepositoryError
from nomicgen.repository.named_files import read_file

_ADDRESS = 6000
"""Characters of an address, at most."""
_SETTINGS = 256 << 10
"""Bytes of `mkdocs.yml`, at most."""
# The addresses of a pull request and of a branch: groups for the repository's, and number or name.
_PULL = r"(https?://[^\s/]+/[^\s/]+/[^\s/]+)/pull/([0-9]+)"
_TREE = r"(https?://[^\s/]+/[^\s/]+/[^\s/]+)/tree/(\S+)"
_PLAIN = r"[!-;=?-Z^-_a-z~]+"
"""An address that no text around it can break: without spaces, `<`, `>`, `[`, `]` and such."""


def editor_of(
    mended: Mended, *, branch: str | None, discussion: str | None, folder: str
) -> str | None:
    """Return the address at which the forge's editor opens the draft on its pull request's branch,
    or a new file with its text.

    `branch` is an address such as `https://github.com/wren/tea/tree/patch-1`, `discussion` that of
    the pull request; `folder` is the game's place in its repository, '' for the top. None if what
    is needed of these is unknown or has an odd form, or the address would be too long.
    """
    if mended.fresh:
        match = re.fullmatch(_PULL, discussion or "")
        if match is None:
            return None
        path = f"{folder}/{mended.path}" if folder else mended.path
        words = urlencode({"filename": path, "value": mended.files[0].text}, quote_via=quote)
        address = f"{match[1]}/new/main?{words}"
    else:
        match = re.fullmatch(_TREE, branch or "")
        if match is None:
            return None
        path = f"{folder}/{mended.before}" if folder else mended.before
        address = f"{match[1]}/edit/{quote(match[2], safe='/%')}/{quote(path)}"
    return (
        address
        if len(address) <= _ADDRESS and is_web(address) and re.fullmatch(_PLAIN, address)
        else None
    )


def workshop_of(
    root: Path, path: str, data: bytes, *, repository: str | None, discussion: str | None
) -> str | None:
    """Return the address at which the site of the game in `root` opens a draft, the file `path`.

    The draft itself, `data`, stands behind the `#`: browsers send that part to no server. If its
    pull request, at `discussion`, is one of the game's `repository`, number and path stand there,
    too. None if the game has no site with an address, or the address would be too long.
    """
    try:
        config = read_site_config(read_file(root / "mkdocs.yml", _SETTINGS).decode(), lambda _: "")
        site, page = config.site_url, "propose/" if config.directory_urls else "propose.html"
    except (SiteConfigError, RepositoryError, UnicodeDecodeError):
        return None
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = urlsafe_b64encode(squeezed.compress(data) + squeezed.flush()).decode().rstrip("=")
    address = f"{site.rstrip('/')}/{page}#draft={packed}"
    match = re.fullmatch(_PULL, discussion or "")
    if match is not None and match[1] == (repository or "").rstrip("/").removesuffix(".git"):
        address += f"&{urlencode({'pull': match[2], 'path': path}, quote_via=quote)}"
    return (
        address
        if is_web(address) and len(address) <= _ADDRESS and re.fullmatch(_PLAIN, address)
        else None
    )
