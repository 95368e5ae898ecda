"""Pictures of texts: which are looked for, and where a missing one is reported."""

from __future__ import annotations

import pytest

from nomicgen.files.text_encoding import Oddity
from tests.mutations.game import loaded
from tests.mutations.mutation import DRAFT, R201, swap, valid


def draft(text: str) -> dict[str, bytes | Oddity]:
    """The valid game with this as the text of its draft."""
    data = valid()[DRAFT]
    assert isinstance(data, bytes)
    return {**valid(), DRAFT: swap("Nobody sings in the square after midnight.", text)(data)}


@pytest.mark.parametrize(
    "text",
    [
        "![a sign](../images/sign.png)",
        "![a sign](./../images/sign.png)",
        "![a sign](images/sign.png)",
        "![a sign](../images/sign.png?raw=true#top)",
        "![a sign](https://example.org/images/gone.png)",
        "![a sign](//example.org/images/gone.png)",
        "![a sign](data:image/png;base64,AAAA)",
        "![a sign](<//%5B@[5:]/gone.png>)",
        "`![a sign](../images/gone.png)` shows nothing.",
        "    ![a sign](../images/gone.png)",
        "\\![a sign](../images/gone.png)",
        "[a sign](../images/gone.png)",
        "![a sign]: it is none.",
    ],
)
def test_nothing_is_wrong(text: str) -> None:
    assert [one for one in loaded(draft(text)).findings if one.slug == "image-missing"] == []


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        ("![a sign](../images/gone.png)", 0, "../images/gone.png"),
        ("![a sign](../images/Sign.png)", 0, "../images/Sign.png"),
        ("![a sign](sign.png)", 0, "sign.png"),
        ("![a sign](../../elsewhere/sign.png)", 0, "../../elsewhere/sign.png"),
        ("One.\n\nTwo.\nThree ![a sign][s]\n\n[s]: ../images/gone.png", 3, "../images/gone.png"),
        ("- One.\n- Two:\n\n  ![a sign](../images/gone.png)", 3, "../images/gone.png"),
        ("| sign |\n|---|\n| ![a sign](../images/gone.png) |", 2, "../images/gone.png"),
        (f"![a sign](../images/{'a' * 80}.png)", 0, f"../images/{'a' * 49}…"),
    ],
)
def test_it_is_missing(text: str, line: int, shown: str) -> None:
    (finding,) = [one for one in loaded(draft(text)).findings if one.slug == "image-missing"]
    assert finding.message == f"the picture `{shown}` is not in the repository"
    assert str(finding.span) == f"{DRAFT}:{12 + line}:1"


def test_two_missing_pictures_are_two_findings_and_one_of_nearly_that_name_is_named() -> None:
    text = "![a sign](../images/sing.png) and ![another](../images/tower.png)"
    found = [one for one in loaded(draft(text)).findings if one.slug == "image-missing"]
    assert [one.help for one in found] == [
        "did you mean ../images/sign.png?",
        "put the picture into images/, and show it as ../images/NAME.png",
    ]


def test_a_picture_without_an_address() -> None:
    (finding,) = [one for one in loaded(draft("![a sign]()")).findings if one.slug == "image-missing"]
    assert finding.message == "the picture has no address"


def test_the_initial_set_is_read_too() -> None:
    data = valid()[R201]
    assert isinstance(data, bytes)
    game = loaded({**valid(), R201: data + b"\n![a ballot](../images/ballot.png)\n"})
    assert [str(one.span) for one in game.findings if one.slug == "image-missing"] == [f"{R201}:12:1"]


def test_a_picture_that_could_not_be_read_is_no_missing_one() -> None:
    game = loaded({**valid(), "images/sign.png": Oddity("symlink", "sign.webp")})
    assert [one.slug for one in game.findings] == ["symlink"]
