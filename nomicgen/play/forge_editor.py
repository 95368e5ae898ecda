"""The address at which a forge lets an author put a mended file in place of a draft."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

from nomicgen.files.urls import is_web
from nomicgen.play.mending.mend import Mended

_ADDRESS = 6000
_PULL = r"(https?://[^\s/]+/[^\s/]+/[^\s/]+)/pull/[0-9]+"
_TREE = r"(https?://[^\s/]+/[^\s/]+/[^\s/]+)/tree/(\S+)"
_PLAIN = r"[!-;=?-Z^-_a-z~]+"


def editor_of(mended: Mended, *, branch: str | None, discussion: str | None, folder: str) -> str | None:
    """The address of the forge's editor: of the file on the pull request's own `branch`, or of a new file.

    `branch` is an address such as `https://github.com/wren/tea/tree/patch-1`, `discussion` that of the pull request;
    `folder` is the game's place in its repository. None where it is not known.
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
    return address if len(address) <= _ADDRESS and is_web(address) and re.fullmatch(_PLAIN, address) else None
