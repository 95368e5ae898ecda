"""Hostile files, each laid over the small game of the explain pages, and what is said of them."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["TREES", "Tree"]

DRAFT = "proposals/echo.md"
HEAD = "---\ntitle: An echo\nauthor: tallow\nstatus: draft\n---\n\n"
MIB = 1 << 20
INTRICATE = "markdown-intricate]: the text takes too long to read: reading stopped here"
DEEP = "markdown-deep]: the text is nested more than 50 levels deep, counting two for a list"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Files to write, or what else to `make`, and lines that `check` must say.

    `refused` is what it says, and exits with 2, where it reads no game at all.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    make: Callable[[Path], object] | None = None
    said: tuple[str, ...] = ()
    refused: str | None = None


def draft(body: str, *said: str) -> Tree:
    return Tree(files={DRAFT: f"{HEAD}{body}\n".encode()}, said=said)


def intricate(body: str, line: int = 7) -> Tree:
    return draft(body, f"{DRAFT}:{line}:1: error[{INTRICATE}")


def player(yaml: str, *said: str) -> Tree:
    return Tree(
        files={"players/sable.yml": f"name: Sable\njoined: 2026-01-06\n{yaml}\n".encode()},
        said=said,
    )


def _fifo(root: Path) -> None:
    os.mkfifo(root / "rules" / "400.md")


def _socket(root: Path) -> None:
    there = Path.cwd()
    os.chdir(root / "rules")
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("400.md")
    finally:
        os.chdir(there)


def _sparse(root: Path) -> None:
    with (root / "rules" / "400.md").open("wb") as stream:
        stream.truncate(1 << 40)


def _many(root: Path) -> None:
    (root / "acts").mkdir(exist_ok=True)
    for at in range(50_001):
        (root / "acts" / f"a{at}.md").touch()


def _heavy(root: Path) -> None:
    (root / "acts").mkdir(exist_ok=True)
    for at in range(257):
        with (root / "acts" / f"a{at}.md").open("wb") as stream:
            stream.truncate(MIB)


def _name(name: bytes) -> Callable[[Path], object]:
    def make(root: Path) -> None:
        (Path(os.fsdecode(os.fsencode(root) + b"/rules/" + name))).write_bytes(b"x\n")

    return make


def _large_picture(root: Path) -> None:
    (root / "images").mkdir()
    with (root / "images" / "a.png").open("wb") as stream:
        stream.truncate(1 << 40)


def _nothing(root: Path) -> None:
    """Settings that are a folder."""
    (root / "nomic.yml").unlink()
    (root / "nomic.yml").mkdir()


def rule(body: str, *said: str, **others: bytes) -> Tree:
    files = {
        "rules/initial/400.md": f"---\nnumber: 400\nmutability: mutable\n---\n\n{body}\n".encode()
    }
    return Tree(
        files=files | {path.replace("__", "/") + ".md": data for path, data in others.items()},
        said=said,
    )


def _link(root: Path) -> None:
    (root / "rules" / "400.md").symlink_to("../../../etc/passwd")


def _link_of_folder(root: Path) -> None:
    (root / "acts").symlink_to("/")


def _deep_folders(root: Path) -> None:
    there = Path.cwd()
    os.chdir(root / "rules")
    try:
        for _ in range(400):
            Path("d" * 100).mkdir()
            os.chdir("d" * 100)
    finally:
        os.chdir(there)


FORM = "rename it to the form rules/203.md or rules/initial/203.md; or move it out of rules/"
BOMB = "a: &a [x, x]\n" + "\n".join(
    f"{chr(98 + at)}: &{chr(98 + at)} [*{chr(97 + at)}, *{chr(97 + at)}]" for at in range(20)
)

TREES = {
    # Markdown that is slow: brackets, pictures, links, quotations, titles, tags
    "open brackets": intricate("[" * (MIB - 100)),
    "pictures without an end": intricate("![" * (MIB // 2 - 100)),
    "brackets in 4 KiB": intricate("![" * 2000),
    "brackets in brackets": intricate("[" * (MIB // 2 - 100) + "]" * (MIB // 2 - 100)),
    "links without an end": intricate("[](" * (MIB // 3 - 100)),
    "links with a definition": intricate("[a]: /b\n\n" + "[a][" * (MIB // 4 - 100), 9),
    "pictures in pictures": intricate("[a]: /b\n\n" + "![" * 130_000 + "a" + "][a]" * 130_000, 9),
    "lazy lines of quotations": draft("> " * 48 + "a\n" + "a\n" * 400_000, f"error[{INTRICATE}"),
    "titles without an end": draft("[a]: b 'c\n" + "d\n" * 100_000, f"error[{INTRICATE}"),
    "tags without an end": intricate("<a b='" * (MIB // 6 - 100) + ">"),
    "items of lists": draft("- a\n" * (MIB // 4 - 100), f"error[{INTRICATE}"),
    "addresses": intricate("a://" * (MIB // 4 - 100)),
    "a long table": intricate("|a|\n|-|\n" + "|x|\n" * 250_000, 23085),
    "a wide table": intricate("|a" * 500 + "|\n" + "|-" * 500 + "|\n" + "|\n" * 1000, 34),
    "headings": intricate("### a\n" * 150_000, 75007),
    # texts that are slow for others than the parser
    "references": rule("Rule 203 " * 100_000, "rules-missing"),
    "references that are spelt": rule("Rule &#50;03 " * 20_000, "rules-missing"),
    "pictures that are missing": rule(
        "![a](../images/a.png)\n" * 20_000,
        "warning[image-missing]: the picture `../images/a.png` is not in images/ (and "
        "19979 more of this kind",
    ),
    "lines in another order": rule(
        "\n".join(f"l{at}" for at in range(50_000)),
        "rules/400.md:1:1: error[rules-differ]",
        rules__400="".join(f"l{at}\n" for at in range(50_000, 0, -1)).encode(),
    ),
    "voters that nobody knows": Tree(
        files={
            "proposals/303.md": b"---\nnumber: 303\ntitle: T\nauthor: wren\nstatus: adopted\n"
            b"date: 2026-01-05\n"
            b"opened: 2026-01-05\ndecided: 2026-01-06\nvotes:\n"
            + b"".join(b"  p%d: for\n" % at for at in range(20_000))
            + b"---\n\n## Repeal Rule 203/0\n"
        }
        | {f"players/a{at}.yml": b"name: A%d\njoined: 2026-01-06\n" % at for at in range(1000)},
        said=("proposals/303.md",),
    ),
    "marks on a letter": draft(
        "a" + "\u0301\u0316" * 200_000, f"{DRAFT}:7:32: error[marks-many]: more than 30 marks"
    ),
    "marks in a rule": rule(
        "a" + "\u0301\u0316" * 50, "rules/initial/400.md:6:32: error[marks-many]"
    ),
    "marks that a letter is made of": draft(
        "a" + "\u0f73" * 200_000, f"{DRAFT}:7:32: error[marks-many]"
    ),
    # Markdown that is deep
    "quotations": draft(">" * 51 + " a", f"{DRAFT}:7:1: error[{DEEP}"),
    "lists": draft("\n".join("  " * at + "- a" for at in range(26)), f"{DRAFT}:31:1: error[{DEEP}"),
    "emphasis": draft("a\n\n" + "*a " * 60 + "b*" * 60, f"{DRAFT}:9:1: error[{DEEP}"),
    "a rule in quotations": Tree(
        files={
            "rules/initial/400.md": b"---\nnumber: 400\nmutability: mutable\n---\n\n"
            + b">" * 51
            + b" a\n"
        },
        said=(f"rules/initial/400.md:6:1: error[{DEEP}",),
    ),
    # Markdown that another's parser fails on
    "a comment and half a line": Tree(
        files={DRAFT: f"{HEAD}> - <!--\n> ".encode()},
        said=(
            f"{DRAFT}:7:5: error[html]: `<!--` is raw HTML",
            f"{DRAFT}:8:3: warning[final-newline]",
        ),
    ),
    "a reference of 5,000 digits": draft(
        f"\\## Amend Rule &#{'9' * 5000};",
        f"{DRAFT}:7:1: error[instruction-hidden]: `\\## Amend Rule &#999",
    ),
    # YAML
    "aliases of aliases": player(
        BOMB, "players/sable.yml:3:4: error[yaml-alias]: `&a` is an anchor"
    ),
    "a merge key": player(
        "<<: {a: b}", "players/sable.yml:3:1: error[yaml-alias]: `<<` is a merge key"
    ),
    "a deep list": player(
        "note: " + "[" * 500_000,
        "players/sable.yml:3:26: error[yaml-deep]: the value is nested more than 20 levels deep",
    ),
    "a deep mapping": player(
        "note: " + "{a: " * 250_000,
        "players/sable.yml:3:83: error[yaml-deep]: the value is nested more than 20 levels deep",
    ),
    "a long key": player(
        "k" * 900_000 + ": x", "players/sable.yml:3:1: error[key-unknown]: there is no key `kkk"
    ),
    "many keys": player(
        "\n".join(f"k{at}: x" for at in range(20_000)),
        "players/sable.yml:3:1: error[key-unknown]: there is no key `k0` here",
    ),
    "a python object": player(
        "note: !!python/object/apply:os.system [id]",
        "players/sable.yml:3:7: error[yaml-tag]: `!!python/object/apply:os.system` is a YAML tag",
    ),
    "settings that are deep": Tree(
        files={"nomic.yml": b"format: 1\nname: N\ntiers: " + b"[" * 500_000 + b"\n"},
        said=("nomic.yml:3:27: error[yaml-deep]: the value is nested more than 20 levels deep",),
    ),
    "a long anchor": player(
        "note: &" + "a" * 900_000 + " x", "players/sable.yml:3:7: error[yaml-alias]: `&aaa"
    ),
    "a long zone": Tree(
        files={"nomic.yml": b"format: 1\nname: N\ntimezone: " + b"a" * 900_000 + b"\n"},
        said=("nomic.yml:3:11: error[value-wrong]: timezone: `aaa",),
    ),
    "many tiers": Tree(
        files={
            "nomic.yml": b"format: 1\nname: N\ntiers: ["
            + b", ".join(b"t%d" % at for at in range(60_000))
            + b"]\n"
        },
        said=("reference-unknown", "is no tier of this game"),
    ),
    "many provisions": Tree(
        files={
            "rules/initial/400.md": b"---\nnumber: 400\nmutability: mutable\nprovisions: {"
            + b", ".join(b"p%d: x" % at for at in range(50_000))
            + b"}\n---\n\nA rule.\n"
        },
        said=(
            "p20 is not a provision that nomicgen knows (and 49979 more of this kind further down)",
        ),
    ),
    # bytes
    "a long line": Tree(
        files={
            "rules/initial/400.md": b"---\nnumber: 400\nmutability: mutable\n---\n\n"
            + b"a" * (MIB - 100)
            + b"\n"
        },
        said=("rules-missing",),
    ),
    "50 MiB": Tree(
        files={"rules/400.md": b"a\n" * (25 << 20)},
        said=("rules/400.md:1:1: error[file-too-large]: the file is too large: 52428800 bytes",),
    ),
    "a sparse terabyte": Tree(
        make=_sparse,
        said=(
            "rules/400.md:1:1: error[file-too-large]: the file is too large: 1099511627776 bytes",
        ),
    ),
    "control characters": draft(
        "\x1b]0;x\x07" * 100_000, f"{DRAFT}:7:1: error[control-character]: the line holds U+001B"
    ),
    # what is no file, and names
    "a pipe": Tree(make=_fifo, refused="rules/400.md cannot be read: it is no ordinary file"),
    "a socket": Tree(make=_socket, refused="rules/400.md cannot be read: it is no ordinary file"),
    "a link out of the game": Tree(
        make=_link,
        said=(
            "rules/400.md:1:1: error[symlink]: the file is a symbolic link to ../../../etc/passwd",
        ),
    ),
    "a link for a folder": Tree(
        make=_link_of_folder, said=("acts:1:1: error[symlink]: the file is a symbolic link to /",)
    ),
    "a device's name": Tree(
        files={"rules/aux.md": b"x\n"},
        said=("error[file-name]: `rules/aux.md` is not a name", FORM),
    ),
    "other case": Tree(
        files={"Rules/101.md": b"x\n"}, said=("Rules/101.md:1:1: error[file-name]",)
    ),
    "a backslash": Tree(
        files={"..\\rules\\101.md": b"x\n", "rules/..\\x.md": b"x\n"},
        said=("error[file-name]: `rules/..\\x.md`",),
    ),
    "a name that is no UTF-8": Tree(
        make=_name(b"\xff\xfe.md"), said=("rules/\\xff\\xfe.md:1:1: error[file-name]",)
    ),
    "a name of two lines": Tree(
        make=_name(b"1.md:1:1: ok\n2\x1b[2J.md"),
        said=("rules/1.md:1:1: ok\\n2\\x1b[2J.md:1:1: error[file-name]",),
    ),
    "a name of 255 bytes": Tree(
        make=_name(b"9" * 252 + b".md"), said=(f"rules/{'9' * 252}.md:1:1: error[file-name]",)
    ),
    "folders beyond a path's length": Tree(make=_deep_folders, refused="File name too long"),
    "a sparse picture": Tree(
        make=_large_picture,
        said=(
            "images/a.png:1:1: error[file-too-large]: the file is too large: 1099511627776 bytes",
            "below 16 MiB",
        ),
    ),
    "settings that are a folder": Tree(
        make=_nothing, said=("error[not-a-game]: there is no nomic.yml here",)
    ),
    # numbers
    "more findings than anybody reads": Tree(
        files={f"turns/R1T{at}.yml": b"x: y\n" for at in range(1, 1001)},
        said=(" more findings",),
    ),
    "50,001 files": Tree(make=_many, refused="the game has more than 50,000 files"),
    "257 MiB": Tree(make=_heavy, refused="the game has more than 256 MiB of text"),
}
