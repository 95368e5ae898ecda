"""A plain Material site to compare with: as many pages as another site has, at the same addresses,
of the same size.

A page is ordinary Markdown, as a person writes it: headings, lists, paragraphs of prose with a link
in every second or so. It is as long as makes its article about as many bytes of HTML as that of the
page whose place it takes. It has more words for that than the page of a game, whose HTML has more
marks; like such a page it shows neither contents nor navigation. What else a game's site has, data
and feeds, a plain one has not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from tests.benchmarks.prose import Prose

__all__ = ["articles", "write_plain"]

_ARTICLE = re.compile(r"<article\b.*</article>", re.DOTALL)
_HEAD = "---\ntitle: {}\nhide:\n  - navigation\n  - toc\n---\n\n# {}\n\n"
_PLUGIN, _SEARCH = re.compile(r"^  - nomicgen(?::\n(?: {6}.*\n)*|\n)", re.MULTILINE), "  - search\n"


def articles(built: Path) -> Mapping[str, int]:
    """How many bytes of HTML the article of each page of a built site has, by the path of its
    source.
    """
    found = {}
    for file in built.rglob("*.html"):
        match = _ARTICLE.search(file.read_text("utf-8"))
        path = file.relative_to(built).as_posix()
        if match and path != "404.html":
            found[_source(path)] = len(match[0].encode())
    return found


def _source(path: str) -> str:
    """`rules/203/index.html` may come from `rules/203.md`, the home page only from `index.md`."""
    folder = path.removesuffix("/index.html")
    return "index.md" if path == "index.html" else f"{folder}.md"


def write_plain(folder: Path, settings: str, sizes: Mapping[str, int], seed: int = 1) -> None:
    """Writes a site's `mkdocs.yml`, its `settings` with the theme's search for our plugin, and
    pages of such sizes.
    """
    folder.mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(_PLUGIN.sub(_SEARCH, settings), "utf-8")
    indices = {path for path in sizes if f"{path.removesuffix('.md')}/index.md" in settings}
    prose = Prose(Random(seed))
    pool = [(text, _html(text)) for text in _blocks(prose)]
    for path, size in sizes.items():
        target = f"{path.removesuffix('.md')}/index.md" if path in indices else path
        file = folder / "docs" / target
        file.parent.mkdir(parents=True, exist_ok=True)
        root = "../" * target.count("/")
        file.write_text(_page(path, size, pool, prose.random).replace("(ROOT", f"({root}"), "utf-8")


def _page(path: str, size: int, pool: Sequence[tuple[str, int]], random: Random) -> str:
    parts, left = [_HEAD.format(path, path)], size - 200
    while left > 0:
        text, length = random.choice(pool)
        if length > left:
            # The last one is cut after as many words as there is room for.
            text = text[: max(left - 10, 0)].rpartition(" ")[0].partition("[")[0]
        parts.append(f"{text}\n\n")
        left -= length
    return "".join(parts)


def _blocks(prose: Prose) -> Iterator[str]:
    """Two headings, fourteen paragraphs and four lists in twenty."""
    for index in range(400):
        if index % 10 == 0:
            yield f"## {prose.title(index)}"
        elif index % 5 == 1:
            yield "\n".join(f"- {prose.sentence([1], ())}" for _ in range(3))
        else:
            text = prose.paragraph(3, [1], ())
            yield text.replace(" the ", " [the law](ROOTindex.md) on the ", index % 2)


def _html(text: str) -> int:
    """About how many bytes of HTML a block of Markdown becomes."""
    if text.startswith("#"):
        return 2 * len(text) + 100
    if text.startswith("- "):
        return len(text) + 12 * text.count("\n") + 20
    return len(text) + 8 + 12 * text.count("](")
