"""The files around a new game: the settings of git and of its site; on request also a README,
CONTRIBUTING and, on a forge, workflows.

Most are data of the package: `rulesets/mkdocs.yml`, and on request `scaffold/common/` with
`scaffold/github/` for a game on GitHub, or with `scaffold/none/` for one without a forge.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from nomicgen.files.urls import pages_address
from nomicgen.files.yaml_writing import write_yaml
from nomicgen.formats.markdown_escapes import plain_words
from nomicgen.play.rulesets import files_below
from nomicgen.play.running_wheel import WHEELS, Wheel

Forge = Literal["github", "none"]

_ATTRIBUTES = b"""\
# A rule's text is compared byte by byte, so a line ends the same way on every machine.
* text=auto eol=lf
*.png binary
*.jpg binary
*.whl binary
"""
_IGNORE = b"/site/\n/.nomicgen/\n/.venv/\n"
# What `requirements.txt` says if the game has no wheel.
_NO_WHEEL = f"""\
# The workflows need a nomicgen, and none is named yet. Name a release by its address and digest, or
# put a wheel into {WHEELS}/, and complete one of these lines.
# nomicgen @ https://ADDRESS/nomicgen-VERSION-py3-none-any.whl --hash=sha256:DIGEST
# ./{WHEELS}/nomicgen-VERSION-py3-none-any.whl --hash=sha256:DIGEST
"""


def files_around(
    name: str,
    forge: Forge | None = None,
    keeper: str | None = None,
    wheel: Wheel | None = None,
    *,
    repository: str | None = None,
) -> dict[str, bytes]:
    """Return the files around a game called `name`, by path; a `.gitkeep` stands for an empty
    folder.

    With `forge` None these are only the settings of git and the site, and empty folders. `keeper`
    is the account that is asked about changes of the machinery. `wheel` is what the workflows
    install; without it they lack nomicgen, and `requirements.txt` says so. The address of the site
    follows from `repository`, if that is on a forge that publishes sites.
    """
    site = files("nomicgen").joinpath("rulesets", "mkdocs.yml").read_text("utf-8")
    # No `repo_url`: with one, Material asks the forge for numbers, and pages ask no other host.
    scaffold = {
        ".gitattributes": _ATTRIBUTES,
        ".gitignore": _IGNORE,
        "mkdocs.yml": write_yaml(_of_site(name, repository)) + site.encode(),
        # MkDocs wants the first folder, players look for the others, and git keeps no empty one.
        **{f"{folder}/.gitkeep": b"" for folder in ("docs", "judgements", "proposals")},
    }
    if forge is not None:
        folder = files("nomicgen").joinpath("scaffold")
        data = {
            **dict(files_below(folder.joinpath("common"))),
            **dict(files_below(folder.joinpath(forge))),
        }
        scaffold |= {path: _filled(path, text, name, keeper, wheel) for path, text in data.items()}
        if wheel is not None:
            scaffold[wheel.path] = wheel.data
    return scaffold


def _of_site(name: str, repository: str | None) -> dict[str, str]:
    """Return the keys of `mkdocs.yml` about a game: its name, and its site's address if known."""
    address = pages_address(repository)
    return {"site_name": name, **({"site_url": address} if address else {})}


def _filled(path: str, text: bytes, name: str, keeper: str | None, wheel: Wheel | None) -> bytes:
    """Return a file of the scaffold with name, keeper or wheel filled in."""
    if path == "README.md":
        return text.replace(b"@NAME@", plain_words(name).encode())
    if path == f"{WHEELS}/requirements.txt":
        return (
            text
            + (f"./{wheel.path} --hash=sha256:{wheel.digest}\n" if wheel else _NO_WHEEL).encode()
        )
    if path == ".github/CODEOWNERS":
        # Without a keeper the lines are comments, to be completed.
        lines = text if keeper else text.replace(b"\n/", b"\n# /")
        return lines.replace(b"@KEEPER@", f"@{keeper or 'keeper'}".encode())
    return text
