"""Pictures that rules show are brought along, into a game's `images/`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nomicgen.importers.git.pictures import pictures_beside, pictures_in
from nomicgen.importers.source_map import shipped_maps
from nomicgen.importers.text.importer import import_text
from tests.importers.archives import FAIR, Asked, Story, imported, rule
from tests.rulesets import archive
from tests.support import GitRepo

PNG, GIF = b"\x89PNG\r\n\x1a\n", b"GIF89a"


def test_a_repositorys_pictures_are_brought_as_the_last_commit_had_them(git_repo: Callable[..., GitRepo]) -> None:
    story = Story(git_repo())
    text = "Lamps:\n\n![lit](../../art/Lit%20Lamp.PNG) ![old](../old.gif) ![drawn](../../art/x.svg) ![](../no.png)"
    files: dict[str, str | bytes | None] = {
        "g/md/101.md": FAIR,
        "art/Lit Lamp.PNG": PNG + b"1",
        "g/old.gif": GIF,
        "art/x.svg": "<svg/>",
    }
    story.commit("Begin", files)
    story.commit("Proposal 301", {"g/md/301.md": rule("301/0", f"{text} ![](../../art/word.png)"), "art/word.png": "x"})
    story.commit("New art", {"art/Lit Lamp.PNG": PNG + b"2", "g/old.gif": None})
    got = imported(story.repo.path, Asked(patterns=("g/md/*.md",)), pictures_in(story.repo.path, "HEAD"))
    assert {path: data for path, data in got.files.items() if path.startswith("images/")} == {
        "images/lit-lamp.png": PNG + b"2",
        "images/old.gif": GIF,
    }
    shown = archive(got.files).replay.current.get(301)
    assert shown is not None
    assert shown.text == (
        "Lamps:\n\n![lit](../images/lit-lamp.png) ![old](../images/old.gif) ![drawn](../../art/x.svg)"
        " ![](../images/no.png) ![](../images/word.png)"
    )
    assert [(one.quote, one.made) for one in got.report.warnings if one.slug == "picture-left"] == [
        ("art/x.svg", "a game's pictures are png, jpg, gif, webp or avif"),
        ("g/no.png", "it is not in the source, or is larger than 16 MiB"),
        ("art/word.png", "it is no picture of the kind that its name says"),
    ]


def test_pictures_of_one_name_get_two(git_repo: Callable[..., GitRepo]) -> None:
    story = Story(git_repo())
    text = rule("101/0", "![](a/x.png) ![](b/x.png) ![](a/x.png) ![](https://e.example/x.png)")
    story.commit("Begin", {"r/101.md": text, "r/a/x.png": PNG, "r/b/x.png": PNG + b"b"})
    got = imported(story.repo.path, Asked(patterns=("r/*.md",)), pictures_in(story.repo.path, "HEAD"))
    shown = got.files["rules/initial/101.md"]
    assert b"![](../images/x.png) ![](../images/x-2.png) ![](../images/x.png) ![](https:" in shown
    assert got.files["images/x-2.png"] == PNG + b"b"


def test_a_texts_pictures_lie_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "club" / "rules"
    (place / "art").mkdir(parents=True)
    (place / "art" / "lamp.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    (place / "link.png").symlink_to(tmp_path / "secret.png")
    text = "![](art/lamp.png) ![](../../secret.png) ![](link.png) ![](images/own.png)"
    file = place / "rules.md"
    data = f"## 101/0\n\n{text}\n".encode()
    found = import_text(data, file.name, shipped_maps()["headings"], pictures=pictures_beside(file))
    assert [path for path in found.files if path.startswith("images/")] == ["images/lamp.png"]
    shown = archive(found.files).replay.current.get(101)
    assert shown is not None
    assert shown.text == "![](../images/lamp.png) ![](../images/secret.png) ![](../images/link.png) ![](images/own.png)"
    assert [one.message for one in found.findings if "picture" in one.message] == [
        f"the picture `{path}` is not brought along" for path in ("../../secret.png", "images/own.png", "link.png")
    ]
