"""What is made of people's words: ids of players, names of files, and templates of addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from msgspec import Struct

from nomicgen.files.file_findings import Notes, quoted
from nomicgen.files.text_encoding import normal
from nomicgen.formats.terminal import safe
from nomicgen.importers.decoding import without_heaps
from nomicgen.model.identifiers import CommitId

_LENGTH = 48
"""The most characters that a slug takes from words."""
_SHA = r"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])"
_WEB = r"https?://[!-~]+"


def one_line(words: str) -> str:
    """Return words on one line, as a game's file can hold them: printable, in NFC, and with few
    marks on each letter.
    """
    return normal("NFC", without_heaps(" ".join(safe(words).split())))


def slug(words: str, otherwise: str) -> str:
    """Return words as small letters, digits and hyphens: `The Lamp!` as `the-lamp`.

    If they would begin with a digit, `otherwise` and a hyphen go before them; if nothing is left
    of them, `otherwise` is all.
    """
    plain = normal("NFKD", words).encode("ascii", "ignore").decode().casefold()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LENGTH].strip("-")
    if not name:
        return otherwise
    return name if name[0].isalpha() else f"{otherwise}-{name}"


def player_ids(names: Iterable[str]) -> dict[str, str]:
    """Return an id for each name; no two names have the same."""
    known = list(dict.fromkeys(names))
    return dict(zip(known, distinct(slug(name, "player") for name in known), strict=True))


def distinct(names: Iterable[str]) -> list[str]:
    """Return names in their order; of two that are alike, the second gets a number, as `wren-2`."""
    taken: dict[str, None] = {}
    for name in names:
        numbered = (f"{name}-{number}" for number in count(2))
        taken[next(one for one in chain([name], numbered) if one not in taken)] = None
    return list(taken)


class Address(Struct, frozen=True, kw_only=True):
    """The address that a line links to, and the rule's number and path that it may contain."""

    line: int
    url: str
    number: int
    path: str

    def fill(self, template: str) -> str:
        """Return the address that a template gives for this line."""
        words = {"{sha}": sha_of(self.url) or "", "{path}": self.path, "{number}": str(self.number)}
        return re.sub(r"\{(?:sha|path|number)\}", lambda slot: words[slot[0]], template)


def sha_of(url: str | None) -> CommitId | None:
    """Return the commit that an address names, None without one."""
    match = re.search(_SHA, url) if url else None
    return CommitId(match[0]) if match else None


def links_of(addresses: Sequence[Address], notes: Notes) -> Mapping[str, str]:
    """Return the template from which most addresses can be made, under its key in `links` of
    `nomic.yml` (`file` or `commit`); nothing if there is none. Addresses that it does not give are
    noted.
    """
    templates = Counter(template for address in addresses if (template := _template(address)))
    chosen = max(
        templates,
        key=lambda template: (templates[template], _is_of_file(template), template),
        default=None,
    )
    for address in addresses:
        if chosen is None or address.fill(chosen) != address.url:
            outcome = (
                "its commit is kept"
                if sha_of(address.url)
                else "it names no commit, so it is left out"
            )
            message = f"the address {quoted(address.url)} is not made like the others"
            notes.at("import-unread", address.line, 1, message, outcome)
    if chosen is None:
        return {}
    return {"file" if _is_of_file(chosen) else "commit": chosen}


def _is_of_file(template: str) -> bool:
    return "{path}" in template or "{number}" in template


def _template(address: Address) -> str | None:
    """Return an address with slots, such as `https://forge/tea/commit/{sha}`; None if it names no
    commit, or is none that a template can give. If the path or the rule's number stands behind the
    commit, it becomes a slot, too.
    """
    sha = sha_of(address.url)
    if sha is None or "{" in address.url or not re.fullmatch(_WEB, address.url):
        return None
    before, _, after = address.url.partition(sha)
    if after.endswith(f"/{address.path}"):
        return f"{before}{{sha}}{after[: -len(address.path)]}{{path}}"
    matches = list(re.finditer(rf"(?<![0-9]){address.number}(?![0-9])", after))
    if matches:
        start, end = matches[-1].span()
        after = f"{after[:start]}{{number}}{after[end:]}"
    return f"{before}{{sha}}{after}"
